"""Statuses that were seen before: most workloads of a cluster stand as others of their kind do.

All that a status depends on (the fields that its rules may read, and the generations) is one key, and what
the rules say of it is kept in a bounded table. Only the words of a condition's message are read each time:
they often name the object. The key is written as MessagePack, which keeps apart what Python's own equality
confuses: true, 1 and 1.0.

    def content(v): ...   # the key, or None where the object has something of an odd type
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import msgspec

from workload_map import path
from workload_map.engine.evidence import Evidence, Node
from workload_map.engine.generated.emitter import Emitter, Unsupported, emitter, within_budget
from workload_map.engine.generated.shapes import plain_steps
from workload_map.engine.generated.verdict import Match, Verdict, status_of
from workload_map.engine.reading import Reader
from workload_map.engine.status import Status
from workload_map.engine.status_plan import StatusPlan
from workload_map.engine.view import Why
from workload_map.path import ReadPattern
from workload_map.path.budget import STEPS

Content = Callable[[dict[str, Any]], bytes | None]
Matching = Callable[[dict[str, Any], Reader], Match | None]

_LIMIT: Final = 1024  # statuses a definition
_SIZE: Final = 2048  # bytes of a key
_ELEMENTS: Final = 64  # of one list
_encode: Final = msgspec.msgpack.Encoder().encode


class _Seen(msgspec.Struct, frozen=True):
    """What a function said of an object: the status, and what it took of the budget.

    `told` says which rules held, with the number of the condition whose message each one shows. It is empty
    where the words are the same for every object that stands so.
    """

    status: Status
    told: tuple[tuple[Verdict, int | None], ...]
    steps: int


def remembering(match: Matching, plan: StatusPlan) -> Callable[[dict[str, Any], Reader], Status | None]:
    """The status function of a definition, which looks at the rules where an object stands as none before.

    Args:
        match: Says which rules hold, or gives up.
        plan: The rules.
    """
    table: dict[bytes, _Seen] = {}
    content: Content | None = None
    is_first = True

    @within_budget
    def judged(obj: dict[str, Any], reader: Reader) -> tuple[Match, Status] | None:
        matched = match(obj, reader)
        return None if matched is None else (matched, status_of(reader, matched))

    def first_status(obj: dict[str, Any], reader: Reader) -> Status | None:
        found = judged(obj, reader)
        return None if found is None else found[1]

    def status(obj: dict[str, Any], reader: Reader) -> Status | None:
        nonlocal content, is_first
        if content is None:  # a single object is not worth writing one more function
            if is_first:
                is_first = False
                return first_status(obj, reader)
            content = _content_function(plan)
        budget = reader.budget
        try:
            key = content(obj)
            known = table.get(key) if key is not None else None
            if known is not None and budget.steps - known.steps >= STEPS >> 1:
                again = _told_again(known, reader) if known.told else known.status
                budget.steps -= known.steps
                return again
        except Exception:  # beyond what can be a key, or a message that cannot be read
            key = None
        before = budget.steps, budget.outputs, budget.size
        found = judged(obj, reader)
        if found is None:
            return None
        only_steps = before[1:] == (budget.outputs, budget.size)
        if key is not None and len(key) <= _SIZE and only_steps and _is_plain(found[1]):
            if len(table) >= _LIMIT:
                table.clear()
            table[key] = _Seen(found[1], _told(found[0], plan), before[0] - budget.steps)
        return found[1]

    return status


def _told_again(known: _Seen, reader: Reader) -> Status:
    """The status of an object that stands as one before, with the messages of its own conditions."""
    was = known.status
    why = []
    for number, (verdict, place) in enumerate(known.told):
        one = was.why[number]
        why.append(Why(one.phase, one.rule, one.reads, one.reason, verdict.message(reader, place)))
    return Status(was.phases, tuple(why), was.stale, was.restarts)


def _told(matched: Match, plan: StatusPlan) -> tuple[tuple[Verdict, int | None], ...]:
    types = list(matched[2])
    told = tuple((one, types.index(one.wanted[0][0]) if one.wanted else None) for one in matched[0])
    return told if plan.message is not None or any(place is not None for _, place in told) else ()


def _is_plain(status: Status) -> bool:
    """Whether no value of one object would be shown for another: a list or an object may be changed later."""
    return not any(isinstance(read.value, dict | list) for why in status.why for read in why.reads)


def _nothing(_: dict[str, Any]) -> None:
    return None


def _content_function(plan: StatusPlan) -> Content:
    """Write and compile the function of the key; one that never gives a key where there can be none."""
    try:
        root = Evidence(_patterns(plan)).root
        if root.is_end:
            return _nothing
        to = emitter(encode=_encode)
        to.open("def content(v):")
        to.line(f"return encode({_part(to, root, 'v')})")
        return to.compile("content")
    except (Unsupported, path.PathError, SyntaxError, RecursionError, MemoryError):
        return _nothing


def _patterns(plan: StatusPlan) -> tuple[ReadPattern, ...]:
    """All that the rules may read, and what tells whether a status is old."""
    fields = [plan.phase, plan.restarts, *(rule.expression for rules in plan.rules for rule in rules)]
    found = [pattern for field in fields if field is not None for pattern in field.program.reads]
    found += [ReadPattern(steps, below=True) for steps in _GENERATIONS]
    if plan.conditions is not None:
        front = plain_steps(plan.conditions.field.program)
        if front is None:
            raise Unsupported(f"where the conditions lie: {plan.conditions.field.text}")
        names = (plan.conditions.type, plan.conditions.status, plan.conditions.reason, "observedGeneration")
        found += [ReadPattern((*front, None, name), below=True) for name in names]
    return tuple(found)


_GENERATIONS = (("metadata", "generation"), ("status", "observedGeneration"))


def _part(to: Emitter, node: Node, value: str) -> str:
    """What of a value belongs to the key: all below an end, else an entry a field, or an element.

    Absent and null are alike to every path; so is what is not there at all to its parts. An empty object or
    list is not: it gives entries, if they are all null.
    """
    if node.is_end or (node.each is not None and node.each.is_end):
        return value
    if node.each is not None and node.named:
        raise Unsupported("fields of a list")
    found = to.unit.fresh("t")
    if node.each is not None:
        _elements(to, node.each, value, found)
    else:
        to.open(f"if type({value}) is dict:")
        parts = []
        for name, (_, below) in node.named.items():
            entry = f"{value}.get({to.constant(name)})"
            parts.append(entry if below.is_end else _part(to, below, to.temp(entry)))
        to.line(f"{found} = ({', '.join(parts)}{',' if len(parts) > 1 else ''})")
        to.close()
    to.line(f"elif {value} is None: {found} = None")
    to.line("else: return None")
    return found


def _elements(to: Emitter, node: Node, value: str, found: str) -> None:
    element = to.unit.fresh("t")
    to.open(f"if type({value}) is list:")
    to.line(f"if len({value}) > {_ELEMENTS}: return None")
    to.line(f"{found} = []")
    to.open(f"for {element} in {value}:")
    to.line(f"{found}.append({_part(to, node, element)})")
    to.close()
    to.close()
