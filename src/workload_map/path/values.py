"""jq's view of plain Python values: types, truth, equality, order, containment, merging.

All walks are loops with a stack of their own: values may be nested deeper than Python's stack.
A bool is no number here, though Python says `True == 1`; an int and a float are compared as doubles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cmp_to_key
from typing import Any, NamedTuple

from workload_map.path.budget import DEPTH, Budget, too_deep

_TYPES = {
    type(None): "null",
    bool: "boolean",
    int: "number",
    float: "number",
    str: "string",
    list: "array",
    dict: "object",
}
_RANK = {"null": 0, "boolean": 1, "number": 3, "string": 4, "array": 5, "object": 6}
_LONG = 1 << 12  # characters, or bits, of what is compared at once; more is charged
_SCALARS = ("null", "boolean", "number", "string")


def type_name(value: Any) -> str:
    """The jq name of a value's type. Subclasses count as their base; what is no JSON value is `unknown`."""
    name = _TYPES.get(type(value))
    if name is not None:
        return name
    for base in (bool, int, float, str, list, dict):
        if isinstance(value, base):
            return _TYPES[base]
    return "unknown"


def is_number(value: Any) -> bool:
    """Whether jq calls the value a number."""
    return type(value) is int or type(value) is float or type_name(value) == "number"


def is_true(value: Any) -> bool:
    """Whether a condition holds: everything but null and false."""
    return value is not None and value is not False


def equal(left: Any, right: Any, budget: Budget) -> bool:
    """Jq's `==`; work on containers is charged."""
    if left is right:
        return not (type(left) is float and left != left)  # noqa: PLR0124 - a NaN
    kind = type_name(left)
    if kind != type_name(right):
        return False
    if kind == "string":
        return same_text(left, right, budget)
    if kind in _SCALARS:
        return _numbers(left, right, budget) == 0 if kind == "number" else bool(left == right)
    return compare(left, right, budget) == 0 and not _has_nan(left, budget)


def same_text(left: str, right: str, budget: Budget) -> bool:
    """Whether two strings are equal; work on long ones is charged."""
    if len(left) != len(right):
        return False
    if len(left) > _LONG:
        budget.work(len(left) >> 12)
    return left == right


def _has_nan(value: Any, budget: Budget) -> bool:
    return any(item != item for item in walk_values(value, budget) if type(item) is float)  # noqa: PLR0124


def walk_values(value: Any, budget: Budget) -> list[Any]:
    """The value and everything in it, in jq's order of `..`."""
    found, stack = [], [(value, 0)]
    while stack:
        item, depth = stack.pop()
        found.append(item)
        children: list[Any] = []
        if isinstance(item, list):
            children = item
        elif isinstance(item, dict):
            children = [item[key] for key in sorted(item)]
        if children:
            if depth > DEPTH:
                too_deep()
            budget.work(len(children))
            stack.extend((child, depth + 1) for child in reversed(children))
    return found


def _numbers(left: Any, right: Any, budget: Budget) -> int:
    """Order of two numbers; a NaN is below all. Mixed ones are compared as doubles, as gojq does."""
    if type(left) is int and left.bit_length() > _LONG:
        budget.work(left.bit_length() >> 14)
    if type(left) is not type(right):
        left, right = as_float(left), as_float(right)
    if left == right:
        return 0
    return -1 if left < right or left != left else 1  # noqa: PLR0124 - a NaN


def as_float(number: Any) -> float:
    """The nearest double; beyond the largest an infinity."""
    try:
        return float(number)
    except OverflowError:
        return float("inf") if number > 0 else float("-inf")


def compare(left: Any, right: Any, budget: Budget) -> int:
    """Jq's order of any two values: -1, 0 or 1; work on containers is charged.

    null < false < true < numbers < strings < arrays < objects; arrays element by element, objects first by
    their sorted keys, then value by value.
    """
    stack = [(left, right)]
    while stack:
        left, right = stack.pop()
        if left is right and type(left) is not float:
            continue
        kind = type_name(left)
        order = _RANK.get(kind, 7) - _RANK.get(type_name(right), 7)
        if order == 0 and kind in _SCALARS:
            order = _scalars(left, right, kind, budget)
        elif order == 0 and kind == "array":
            # A shorter array comes first only when the common part is equal: that verdict is looked at last.
            budget.work(min(len(left), len(right)) + 1)
            stack.append((len(left), len(right)))
            stack.extend(zip(reversed(left[: len(right)]), reversed(right[: len(left)]), strict=True))
        elif order == 0:
            budget.work(len(left) + len(right) + 1)
            keys, others = sorted(left), sorted(right)
            budget.work(sum(map(len, keys)) >> 12)
            order = (keys > others) - (keys < others)
            stack.extend((left[key], right[key]) for key in reversed(keys) if order == 0)
        if order:
            return -1 if order < 0 else 1
    return 0


def _scalars(left: Any, right: Any, kind: str, budget: Budget) -> int:
    if kind == "number":
        return _numbers(left, right, budget)
    if kind == "string" and len(left) > _LONG:
        budget.work(len(left) >> 11)
    return 0 if left is None else (left > right) - (left < right)


def sort_key(budget: Budget) -> Callable[[Any], Any]:
    """A key for `sorted` that orders like `compare`."""
    return cmp_to_key(lambda left, right: compare(left, right, budget))


def ordered(values: list[Any], budget: Budget) -> list[int]:
    """The indexes of the values in jq's order, equal ones as they were."""
    count = len(values)
    budget.work(count * max(1, count.bit_length() // 2))
    kinds = set(map(type, values))
    if kinds == {str}:  # long ones may differ at their ends only
        budget.work(sum(map(len, values)) * count.bit_length() >> 15)
    if kinds <= {str} or kinds <= {int}:  # the usual case: Python's own order is the same, in C
        return sorted(range(count), key=values.__getitem__)
    key = sort_key(budget)
    return sorted(range(count), key=lambda index: key(values[index]))


def contains(left: Any, right: Any, budget: Budget) -> bool | None:
    """Whether `left` contains `right`; None where their types (at the top) cannot be compared.

    Each element of an array must be contained in some element of the other: tried pair by pair, on a stack
    of frames instead of by recursion.
    """
    kind = type_name(left)
    if kind != type_name(right) or (kind == "boolean" and left != right):  # to jq these are two types
        return None
    return _Containment(budget).holds(left, right)


_Wanted = tuple[list[Any], Any]


class _Frame(NamedTuple):
    rest: list[_Wanted]
    candidates: Iterator[Any]
    wanted: Any


class _Containment:
    """Evaluates a tree of "all of (any of (pairs))" without recursion."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget

    def holds(self, left: Any, right: Any) -> bool:
        # A frame: the wanted values still to satisfy, and what is still to try for the current one.
        frames: list[_Frame] = [_Frame([], iter([left]), right)]
        while True:
            frame = frames[-1]
            verdict: bool | list[_Wanted] = False
            for candidate in frame.candidates:
                verdict = self.pair(candidate, frame.wanted)
                break
            else:
                frames.pop()  # nothing left to try: the frame above goes on with its next candidate
                if not frames:
                    return False
                continue
            if isinstance(verdict, list):
                if len(frames) > DEPTH:
                    too_deep()
                items, wanted = verdict.pop()
                frames.append(_Frame(verdict, iter(items), wanted))
                continue
            while verdict:  # the pair holds: on with the next wanted value, or tell the frame above
                if frames[-1].rest:
                    items, wanted = frames[-1].rest.pop()
                    frames[-1] = _Frame(frames[-1].rest, iter(items), wanted)
                    break
                frames.pop()
                if not frames:
                    return True

    def pair(self, left: Any, right: Any) -> bool | list[_Wanted]:
        """The verdict on two values, or what must be found: for each wanted value, where to look."""
        kind = type_name(left)
        if kind != type_name(right):
            return False
        if kind == "string":
            self.budget.work(len(left) // 64)
            return right in left
        if kind == "object":
            self.budget.work(len(right) + 1)
            if not all(key in left for key in right):
                return False
            return [([left[key]], right[key]) for key in right] or True
        if kind == "array":
            self.budget.work(len(left) * len(right) + 1)
            return [(left, wanted) for wanted in right] or True
        return equal(left, right, self.budget)


def merged(left: dict[str, Any], right: dict[str, Any], budget: Budget) -> dict[str, Any]:
    """Two objects merged at all depths (`left * right`); neither is changed."""
    result = dict(left)
    stack = [(result, right, 0)]
    while stack:
        target, source, depth = stack.pop()
        budget.work(len(source) + 1)
        budget.grow(16 * (len(target) + len(source)))
        if depth > DEPTH:
            too_deep()
        for key, value in source.items():
            old = target.get(key)
            if isinstance(value, dict) and isinstance(old, dict):
                target[key] = copy = dict(old)
                stack.append((copy, value, depth + 1))
            else:
                target[key] = value
    return result
