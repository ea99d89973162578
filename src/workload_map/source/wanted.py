"""TYPE and NAME arguments, as kubectl takes them, into what is meant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from workload_map.source.errors import TargetError
from workload_map.source.kinds import KindTable, Target

ALL = "all"
_FORMS = "TYPE, TYPE NAME, TYPE/NAME, TYPE1,TYPE2 or all"


class Wanted(NamedTuple):
    """What the arguments ask for.

    Attributes:
        targets: The kinds; none of them means every covered kind, top-most workloads only.
        names: The names that belong to each target, in their order; empty: all objects of the targets.
    """

    targets: tuple[Target, ...]
    names: tuple[tuple[Target, str], ...] = ()


EVERYTHING = Wanted(())


def parse(arguments: Sequence[str], table: KindTable) -> Wanted:
    """What `TYPE`, `TYPE NAME...`, `TYPE/NAME...`, `TYPE1,TYPE2` or `all` means.

    A name that is empty is refused: `job/$UNSET` must not list all jobs.

    Raises:
        TargetError: The arguments do not fit together.
        AmbiguousError: A TYPE fits several kinds.
        NoDefinitionError: A TYPE is unknown.
    """
    if not arguments:
        raise TargetError("no TYPE is given", hint=_FORMS)
    if any("/" in argument for argument in arguments):
        return _by_name([_split(argument) for argument in arguments], table)
    types, names = arguments[0], arguments[1:]
    if types.lower() == ALL:
        if names:
            raise TargetError("`all` takes no NAME", hint="name the type: TYPE/NAME")
        return EVERYTHING
    if not names:
        tokens = [token.strip() for token in types.split(",")]
        if ALL in (token.lower() for token in tokens):
            raise TargetError("`all` stands alone, it covers every type", hint="leave out the others")
        return Wanted(tuple(dict.fromkeys(table.resolve(token) for token in tokens)))
    if "," in types:
        raise TargetError("several types take no NAME", hint="give TYPE/NAME for each")
    return _by_name([(types, name) for name in names], table)


def _split(argument: str) -> tuple[str, str]:
    token, slash, name = argument.partition("/")
    if not slash:
        raise TargetError(
            f"{argument!r} has no slash, but other arguments do", hint="give TYPE/NAME for each"
        )
    return token, name


def _by_name(pairs: list[tuple[str, str]], table: KindTable) -> Wanted:
    for token, name in pairs:
        if not token:
            raise TargetError("the TYPE is empty", hint=_FORMS)
        if not name:
            raise TargetError(f"the NAME of {token!r} is empty", hint=f"to list them all: `wmap get {token}`")
        if "/" in name:
            raise TargetError(f"the NAME {name!r} has a slash", hint=_FORMS)
        if token.lower() == ALL:
            raise TargetError("`all` takes no NAME", hint="name the type: TYPE/NAME")
    names = tuple(dict.fromkeys((table.resolve(token), name) for token, name in pairs))
    return Wanted(tuple(dict.fromkeys(target for target, _ in names)), names)
