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


def evidence_function(evidence: Evidence) -> Gather:
    """Write and compile the function; `found` then has at most `LIMIT` entries, those before included."""
    root = evidence.root
    if root.is_end:
        return lambda v, found: leaves("", v, found, LIMIT)
    to = emitter(Read=Read, leaves=leaves, collect=collect, str=str)
    to.open("def evidence(v, found):")
    _fields(to, root, "", "v")
    to.line(f"del found[{LIMIT}:]")
    return to.compile("evidence")


def _fields(to: Emitter, node: Node, place: str, value: str) -> None:
    """What lies below a value whose place is known."""
    for name, (text, below) in node.named.items():
        entry = _entry(to, value, name)
        if below.is_end:
            _read(to, entry, to.constant((place + text).removeprefix(".")))
        else:
            _fields(to, below, place + text, entry)
    if node.each is not None:
        _elements(to, node.each, place, value)


def _elements(to: Emitter, node: Node, place: str, value: str) -> None:
    if node.is_end or node.each is not None or not all(below.is_end for _, below in node.named.values()):
        holder = to.given("N", _only_each(node))
        to.line(f"if len(found) < {LIMIT}: collect({holder}, {to.constant(place)}, {value}, found, {LIMIT})")
        return
    to.open(f"if type({value}) is list:")
    index, element = to.unit.fresh("i"), to.unit.fresh("t")
    to.open(f"for {index}, {element} in enumerate({value}):")
    to.line(f"if len(found) >= {LIMIT}: break")
    for name, (text, _) in node.named.items():
        # Each element adds a read, so that none behind the last of these is ever shown.
        texts = tuple(f"{place}[{number}]{text}".removeprefix(".") for number in range(LIMIT))
        _read(to, _entry(to, element, name), f"{to.given('P', texts)}[{index}]")
    to.close()
    to.close()
    to.open(f"elif type({value}) is dict:")
    to.line(f"collect({to.given('N', _only_each(node))}, {to.constant(place)}, {value}, found, {LIMIT})")
    to.close()


def _entry(to: Emitter, value: str, name: str) -> str:
    return to.temp(f"{value}.get({to.constant(name)}) if type({value}) is dict else None")


def _read(to: Emitter, value: str, place: str) -> None:
    to.open(f"if type({value}) is dict or type({value}) is list:")
    to.line(f"leaves({place}, {value}, found, {LIMIT})")
    to.close()
    to.line(f"else: found.append(Read({place}, {value}))")


def _only_each(node: Node) -> Node:
    holder = Node()
    holder.each = node
    return holder
