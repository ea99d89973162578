"""Choosing workloads by name: what the commands about single workloads have in common."""

from __future__ import annotations

import re
from collections.abc import Sequence

from workload_map.cli.live import progress
from workload_map.cli.session import FILES, Session
from workload_map.definition import NoDefinitionError
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
from workload_map.source.errors import CHECK_SERVICES, UnknownNowError

_NAME = re.compile(r"[a-z0-9]([-a-z0-9.]*[a-z0-9])?")  # of an object (apimachinery, a DNS subdomain)


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
    wanted = EVERYTHING if everything else parsed(session, arguments)
    if arguments and not wanted.names and not by_type:
        hint = f"TYPE/NAME or TYPE NAME; to list them: `wmap get {arguments[0]}`"
        raise TargetError("no NAME is given", hint=hint)
    return wanted


def parsed(session: Session, arguments: Sequence[str]) -> Wanted:
    """As `parse`; where the first word is no TYPE but may be a NAME, the hint tells how that is written.

    Raises:
        UnknownNowError: A TYPE may be one of kinds that the source cannot name now.
    """
    try:
        return parse(arguments, session.table)
    except NoDefinitionError as error:
        for silent in session.source.silent:
            raise UnknownNowError(
                f"a TYPE of the call cannot be known now: {silent.message}",
                location=silent.location,
                hint=f"{error.hint} {CHECK_SERVICES}" if error.hint else CHECK_SERVICES,
            ) from error
        if not _NAME.fullmatch(arguments[0]):
            raise
        hint = _how_to_name(session, arguments[0], error.hint)
        raise NoDefinitionError(error.message, hint=hint) from None


def _how_to_name(session: Session, name: str, nearest: str | None) -> str | None:
    if not isinstance(session.source, FILES):  # not worth a request for each kind of a cluster
        found = f"an object is TYPE/NAME; `wmap get all --field-selector metadata.name={name}` finds it"
        return f"{nearest} {found}" if nearest else found
    kinds = ((token, session.table.resolve(token).kind) for token in session.table.tokens())
    forms = [
        f"{token}/{name}" for token, kind in kinds if name in session.source.names(kind, session.namespace)
    ]
    return f"an object is TYPE/NAME: {' or '.join(forms)}" if forms else nearest


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
