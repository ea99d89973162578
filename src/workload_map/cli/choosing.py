"""Choosing workloads by name: what the commands about single workloads have in common."""

from __future__ import annotations

from collections.abc import Sequence

from workload_map.cli.live import progress
from workload_map.cli.session import Session
from workload_map.source import (
    EVERYTHING,
    Filters,
    Manifests,
    Selection,
    TargetError,
    Wanted,
    parse,
    refuse_ambiguous,
    select,
)


def meant(session: Session, arguments: Sequence[str], *, by_type: bool = False) -> Wanted:
    """What `TYPE/NAME...` or `TYPE NAME` mean; with manifests and no names, all of them.

    Args:
        session: What the command works with.
        arguments: The words of the call.
        by_type: Whether a TYPE alone, or nothing, means all workloads of it.

    Raises:
        TargetError: No name is given.
    """
    everything = not arguments and (by_type or isinstance(session.source, Manifests))
    wanted = EVERYTHING if everything else parse(arguments, session.table)
    if arguments and not wanted.names and not by_type:
        raise TargetError("no NAME is given", hint="TYPE/NAME or TYPE NAME; to list them: `wmap get`")
    return wanted


def choose(
    session: Session, arguments: Sequence[str], *, by_type: bool = False, whole: bool = False
) -> Selection:
    """The workloads that the words of a call mean, as `meant` says.

    Args:
        session: What the command works with.
        arguments: The words of the call.
        by_type: Whether a TYPE alone, or nothing, means all workloads of it.
        whole: Whether what no definition foresees is read as well.

    Raises:
        TargetError: No name is given.
        AmbiguousError: Several namespaces have an object of a name.
        NoDefinitionError: No definition covers what was asked for.
        CollisionError: Two definitions of one layer do.
        SourceError: Nothing of what was asked for can be read.
    """
    wanted = meant(session, arguments, by_type=by_type)
    filters = Filters(namespace=session.namespace)
    with progress.shown():
        selection = select(session.source, session.definitions, session.table, wanted, filters, whole=whole)
    if session.source.live and wanted.names:
        refuse_ambiguous(selection.objects)
    return selection
