"""Choosing workloads by name: what the commands about single workloads have in common."""

from __future__ import annotations

from collections.abc import Sequence

from workload_map.cli.session import Session
from workload_map.source import (
    EVERYTHING,
    Filters,
    Manifests,
    Selection,
    TargetError,
    parse,
    refuse_ambiguous,
    select,
)


def choose(session: Session, arguments: Sequence[str], *, by_type: bool = False) -> Selection:
    """The workloads that `TYPE/NAME...` or `TYPE NAME` name; with manifests and no names, all of them.

    Args:
        session: What the command works with.
        arguments: The words of the call.
        by_type: Whether a TYPE alone, or nothing, means all workloads of it.

    Raises:
        TargetError: No name is given.
        AmbiguousError: Several namespaces have an object of a name.
        NoDefinitionError: No definition covers what was asked for.
        CollisionError: Two definitions of one layer do.
    """
    everything = not arguments and (by_type or isinstance(session.source, Manifests))
    wanted = EVERYTHING if everything else parse(arguments, session.table)
    if arguments and not wanted.names and not by_type:
        raise TargetError("no NAME is given", hint="TYPE/NAME or TYPE NAME; to list them: `wmap get`")
    filters = Filters(namespace=session.namespace)
    selection = select(session.source, session.definitions, session.table, wanted, filters)
    if session.source.live and wanted.names:
        refuse_ambiguous(selection.objects)
    return selection
