"""What the shell offers while a command is typed: types, names, namespaces, phases, parts of workloads.

Whatever fails in here, nothing is offered and nothing is said: the user has not called anything yet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

import click

from workload_map.render.order import PHASES

if TYPE_CHECKING:
    from workload_map.cli.session import Session

Completer = Callable[[click.Context, click.Parameter, str], list[str]]


def _completer(offer: Callable[[click.Context, str], Iterable[str]]) -> Completer:
    def complete(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[str]:
        try:
            with ctx:  # what is opened for it is closed with it
                return sorted({each for each in offer(ctx, incomplete) if each.startswith(incomplete)})
        except Exception:  # whatever it is, nobody asked to see it
            return []

    return complete


def _offer_types(ctx: click.Context, incomplete: str) -> Iterator[str]:
    before = list(ctx.params.get("arguments") or ())
    token, slash, _ = incomplete.partition("/")
    if slash:
        return (f"{token}/{name}" for name in _names_of(ctx, token))
    if before:
        return _names_of(ctx, before[0]) if "/" not in before[0] else iter(())
    done, comma, _ = token.rpartition(",")
    tokens = _session(ctx).table.tokens()
    return (f"{done},{one}" for one in tokens) if comma else iter(["all", *tokens])


def _offer_explained(ctx: click.Context, incomplete: str) -> Iterable[str]:
    from workload_map.cli.choosing import choose  # noqa: PLC0415  # only when something is completed
    from workload_map.engine.explaining import explainable  # noqa: PLC0415

    before = list(ctx.params.get("arguments") or ())
    if len(before) != (1 if before and "/" in before[0] else 2):
        return _offer_types(ctx, incomplete)
    session = _session(ctx)
    selection = choose(session, before)
    return explainable(selection.objects[0], session.definitions, selection.index)


def _names_of(ctx: click.Context, token: str) -> Iterator[str]:
    session = _session(ctx)
    return iter(session.source.names(session.table.resolve(token).kind, session.namespace))


def _offer_namespaces(ctx: click.Context, _: str) -> Iterable[str]:
    return _session(ctx).source.namespaces()


def _offer_contexts(ctx: click.Context, _: str) -> Iterable[str]:
    from workload_map.source.cluster import contexts  # noqa: PLC0415  # only when something is completed

    return contexts(ctx.params.get("kubeconfig"))


def _session(ctx: click.Context) -> Session:
    from workload_map.cli.session import open_session  # noqa: PLC0415  # only when something is completed

    # A shell that waits for a cluster is worse than one that offers nothing.
    return open_session({**ctx.params, "request_timeout": ctx.params.get("request_timeout") or "2s"})


types = _completer(_offer_types)
"""TYPE, also the next one after a comma, and after it NAME, also as TYPE/NAME."""

explained = _completer(_offer_explained)
"""TYPE and NAME, and after them what of that workload can be explained: its phase, its parts."""

pods = _completer(lambda ctx, _: _names_of(ctx, "pod"))
"""The name of a pod."""

namespaces = _completer(_offer_namespaces)
"""The namespaces of the cluster, or of the objects at hand."""

contexts = _completer(_offer_contexts)
"""The contexts of the kubeconfig."""


def phases(_: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
    """Phases, also the next one after a comma."""
    done, comma, last = incomplete.rpartition(",")
    return [f"{done}{comma}{phase}" for phase in PHASES if phase.lower().startswith(last.lower())]
