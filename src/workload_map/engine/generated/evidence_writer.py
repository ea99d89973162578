"""The evidence function of an expression: the fields behind an answer, with their values, in one walk.

    def evidence(v, found): ...   # appends what `engine.evidence.Evidence.collect` gives

Plain fields, and fields of the elements of a list, are written out, with their texts in tables. What lies
deeper (lists in lists, everything below a field) is left to the walk of `engine.evidence`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from workload_map.engine.evidence import Evidence, Node, collect, leaves
from workload_map.engine.generated.emitter import Emitter, emitter
from workload_map.engine.view import Read

Gather = Callable[[Any, list[Read]], None]

LIMIT = 32
"""How many reads a reason shows (`engine.status`)."""


_SCALARS = frozenset([str, int, float, bool, type(None)])


def evidence_function(evidence: Evidence) -> Gather:
    """Write and compile the function; `found` then has at most `LIMIT` entries, those before included."""
    root = evidence.root
    if root.is_end:
        return lambda v, found: leaves("", v, found, LIMIT)
    to = emitter(Read=Read, SCALARS=_SCALARS, each_of=_each_of, mixed=_mixed)
    to.open("def evidence(v, found):")
    _fields(to, root, "", "v")
    to.line(f"del found[{LIMIT}:]")
    return to.compile("evidence")


def _fields(to: Emitter, node: Node, place: str, value: str) -> None:
    """What lies below a value whose place is known; plain fields that stand together are read at once."""
    entries = _entries(to, value, list(node.named))
    run: list[tuple[str, str]] = []
    for entry, (text, below) in zip(entries, node.named.values(), strict=True):
        if below.is_end:
            run.append((to.constant((place + text).removeprefix(".")), entry))
            continue
        _reads(to, run)
        run = []
        _fields(to, below, place + text, entry)
    _reads(to, run)
    if node.each is not None:
        _elements(to, node.each, place, value)


def _elements(to: Emitter, node: Node, place: str, value: str) -> None:
    """The elements of a list. Those of an object, and what is not just plain fields, are walked."""
    walk = f"each_of({to.given('N', node)}, {to.constant(place)}, {value}, found)"
    if node.is_end or node.each is not None or not all(below.is_end for _, below in node.named.values()):
        to.line(walk)
        return
    to.open(f"if type({value}) is list:")
    index, element = to.unit.fresh("i"), to.unit.fresh("t")
    # Each element adds a read, so that none behind the last of the texts is ever shown.
    to.open(f"for {index}, {element} in enumerate({value}[:{LIMIT}]):")
    entries = _entries(to, element, list(node.named))
    places = [
        tuple(f"{place}[{number}]{text}".removeprefix(".") for number in range(LIMIT))
        for text, _ in node.named.values()
    ]
    _reads(
        to,
        [(f"{to.given('P', texts)}[{index}]", entry) for texts, entry in zip(places, entries, strict=True)],
    )
    to.close()
    to.close()
    to.line(f"elif type({value}) is dict: {walk}")


def _entries(to: Emitter, value: str, names: list[str]) -> list[str]:
    """The names of the fields of a value; None each where it is no object."""
    if not names:
        return []
    entries = [to.unit.fresh("t") for _ in names]
    to.open(f"if type({value}) is dict:")
    for entry, name in zip(entries, names, strict=True):
        to.line(f"{entry} = {value}.get({to.constant(name)})")
    to.close()
    to.line(f"else: {' = '.join(entries)} = None")
    return entries


def _reads(to: Emitter, run: list[tuple[str, str]]) -> None:
    """Append the fields, whose names and places are given."""
    if not run:
        return
    to.open(f"if {' and '.join(f'{entry}.__class__ in SCALARS' for _, entry in run)}:")
    to.line(f"found += ({''.join(f'Read({place}, {entry}), ' for place, entry in run)})")
    to.close()
    to.line(f"else: mixed(found, ({''.join(f'({place}, {entry}), ' for place, entry in run)}))")


def _mixed(found: list[Read], fields: tuple[tuple[str, Any], ...]) -> None:
    """Append fields of which some hold others."""
    for place, value in fields:
        if type(value) in (dict, list):
            leaves(place, value, found, LIMIT)
        else:
            found.append(Read(place, value))


def _each_of(node: Node, place: str, value: Any, found: list[Read]) -> None:
    """Append what lies below each element of a value."""
    if len(found) < LIMIT:
        holder = Node()
        holder.each = node
        collect(holder, place, value, found, LIMIT)
