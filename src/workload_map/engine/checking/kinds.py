"""Kinds under the workload that the definition does not name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from workload_map.engine.belonging import links_below
from workload_map.engine.checking.rows import Row
from workload_map.engine.objects import Object, api_kind, is_pod, kind_of
from workload_map.engine.owners import OwnerIndex
from workload_map.engine.plan import Plan
from workload_map.engine.structure import ComponentDraft
from workload_map.engine.view import Component

_Kind = tuple[str, str]


def find_unnamed(
    obj: Object,
    plan: Plan,
    both: Sequence[tuple[ComponentDraft, Component]],
    index: OwnerIndex,
    pods: Sequence[Object],
) -> Iterator[Row]:
    """The kinds that stand between the workload and its pods, each with whether the definition names it.

    Without its name, what fetches only the kinds that a definition names would not find the pods.

    Args:
        obj: The workload.
        plan: Its definition.
        both: Its components.
        index: Everything at hand.
        pods: Its pods.
    """
    named = set(plan.created_kinds) | _wrapped(both)
    # A chain may lead through several objects of one kind, as it does for pods that pods own.
    between = Counter(
        kind
        for pod in pods
        for kind in {kind_of(*api_kind(one)) for one in links_below(obj, index, pod) if not is_pod(one)}
    )
    for kind, count in sorted(between.items()):
        is_named = kind in named
        yield Row(
            check="kinds",
            subject=_text(kind),
            expected="named" if is_named else "not named",
            found=f"above {count} pods" if count != 1 else "above 1 pod",
            verdict="agrees" if is_named else "differs",
            message="the definition names it"
            if is_named
            else "no component and no additionalChildKinds names it",
        )


def _wrapped(both: Sequence[tuple[ComponentDraft, Component]]) -> set[_Kind]:
    """The kinds of the objects within, and those that they make."""
    found: set[_Kind] = set()
    for draft, _ in both:
        for instance in draft.instances:
            if instance.wrapped is not None:
                found |= {instance.wrapped.kind, *instance.wrapped.plan.created_kinds}
    return found


def _text(kind: _Kind) -> str:
    group, name = kind
    return f"{name}.{group}" if group else name
