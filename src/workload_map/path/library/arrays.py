"""Builtins on arrays and objects: sums, orders, groups, entries."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from workload_map.path.budget import DEPTH, Budget, too_deep
from workload_map.path.control import array_of
from workload_map.path.errors import PathRuntimeError
from workload_map.path.runtime import add, fail, iterate
from workload_map.path.values import compare, is_number, ordered


def add_all(value: Any, budget: Budget) -> Any:
    """The sum of the elements; null for none."""
    if not isinstance(value, list | dict):
        return fail("iterate", "add: expected an array or an object", value)
    budget.work(len(value) >> (2 if isinstance(value, dict) else 5))
    elements = list(iterate(value))
    kinds = set(map(type, elements))
    if kinds == {str}:
        budget.grow(sum(map(len, elements)))
        return "".join(elements)
    if kinds == {list}:
        count = sum(map(len, elements))
        budget.work(count >> 6)
        budget.grow(16 * count)
        return [item for element in elements for item in element]
    if kinds == {dict}:
        count = sum(map(len, elements))
        budget.work(count >> 3)
        budget.grow(48 * count)
        merged: dict[str, Any] = {}
        for element in elements:
            merged.update(element)
        return merged
    budget.work(len(elements) >> 2)
    total = None
    for element in elements:
        total = add(total, element, budget)
    return total


def reverse(value: Any, budget: Budget) -> list[Any]:
    """The elements from the last to the first."""
    elements = array_of(value, "reverse")
    budget.work(len(elements) >> 7)
    budget.grow(16 * len(elements))
    return elements[::-1]


def flattened(value: Any, depth: Any, budget: Budget) -> list[tuple[Any, tuple[int | str, ...]]]:
    """Elements with arrays in them opened, each with its steps from the value."""
    if not isinstance(value, list | dict):
        fail("type", "flatten: expected an array", value)
    if not is_number(depth):
        fail("type", "flatten: expected a number as the depth", depth)
    if depth < 0:
        raise PathRuntimeError("value", "flatten: the depth must not be negative")
    if isinstance(depth, float) and not depth.is_integer():  # counted down to 0, which such a one never is
        depth = math.inf
    found: list[tuple[Any, tuple[int | str, ...]]] = []
    budget.work(len(value) >> 1)
    stack: list[tuple[Any, tuple[int | str, ...]]] = _opened(value, ())
    while stack:
        item, path = stack.pop()
        budget.work(1)
        if isinstance(item, list) and len(path) <= depth:
            if len(path) > DEPTH:
                too_deep()
            budget.work(len(item) >> 1)
            budget.grow((64 + 8 * len(path)) * len(item))
            stack.extend(_opened(item, path))
        else:
            found.append((item, path))
    return found


def _opened(value: Any, path: tuple[int | str, ...]) -> list[tuple[Any, tuple[int | str, ...]]]:
    keys = sorted(value) if isinstance(value, dict) else range(len(value))
    return [(value[key], (*path, key)) for key in reversed(keys)]


def flatten(value: Any, depth: Any, budget: Budget) -> list[Any]:
    """Elements with arrays in them opened, down to a depth."""
    return [item for item, _ in flattened(value, depth, budget)]


def flatten_all(value: Any, budget: Budget) -> list[Any]:
    """Elements with all arrays in them opened.

    Deep ones without their steps, whose sum would be quadratic.
    """
    if not isinstance(value, list | dict):
        fail("type", "flatten: expected an array", value)
    budget.work(len(value) >> 2)
    found, stack = [], list(iterate(value))[::-1]
    while stack:
        item = stack.pop()
        budget.work(1)
        if isinstance(item, list):
            budget.grow(16 * len(item))
            stack.extend(reversed(item))
        else:
            found.append(item)
    return found


# Orders. All are made of indexes, so that the located forms can reorder origins the same way.


def groups_by(keys: list[Any], budget: Budget) -> list[list[int]]:
    """Indexes in groups of equal keys, in the order of the keys."""
    budget.work(len(keys) >> 2)
    places = ordered(keys, budget)
    groups: list[list[int]] = [[places[0]]] if places else []
    for before, place in pairwise(places):
        if compare(keys[before], keys[place], budget):
            groups.append([])
        groups[-1].append(place)
    return groups


def least(keys: list[Any], budget: Budget) -> int | None:
    """The index of the first smallest key."""
    best = 0
    for place in range(1, len(keys)):
        budget.work(1)
        if compare(keys[place], keys[best], budget) < 0:
            best = place
    return best if keys else None


def greatest(keys: list[Any], budget: Budget) -> int | None:
    """The index of the last greatest key."""
    best = 0
    for place in range(1, len(keys)):
        budget.work(1)
        if compare(keys[place], keys[best], budget) >= 0:
            best = place
    return best if keys else None


def sort_by(value: Any, keys: list[Any], budget: Budget) -> list[Any]:
    """The elements in the order of their keys."""
    budget.grow(16 * len(value))
    return [value[place] for place in ordered(keys, budget)]


def group_by(value: Any, keys: list[Any], budget: Budget) -> list[Any]:
    """The elements in groups of equal keys."""
    budget.work(len(value) >> 2)
    budget.grow(80 * len(value))
    return [[value[place] for place in group] for group in groups_by(keys, budget)]


def unique_by(value: Any, keys: list[Any], budget: Budget) -> list[Any]:
    """The first element of each group of equal keys."""
    budget.grow(16 * len(value))
    return [value[group[0]] for group in groups_by(keys, budget)]


def min_by(value: Any, keys: list[Any], budget: Budget) -> Any:
    """The first element with the smallest key; null for none."""
    place = least(keys, budget)
    return None if place is None else value[place]


def max_by(value: Any, keys: list[Any], budget: Budget) -> Any:
    """The last element with the greatest key; null for none."""
    place = greatest(keys, budget)
    return None if place is None else value[place]


def _plain(name: str, function: Callable[[Any, list[Any], Budget], Any]) -> Callable[[Any, Budget], Any]:
    """The form of `sort_by(f)` and its like whose keys are the elements."""

    def on_elements(value: Any, budget: Budget) -> Any:
        return function(array_of(value, name), value, budget)

    return on_elements


def to_entries(value: Any, budget: Budget) -> list[dict[str, Any]]:
    """An object (or array) as an array of keys and values."""
    if not isinstance(value, dict | list):
        return fail("type", "to_entries: expected an object", value)
    budget.work(len(value) >> 1)
    budget.grow(112 * len(value))
    keys = sorted(value) if isinstance(value, dict) else range(len(value))
    return [{"key": key, "value": value[key]} for key in keys]


_KEYS = ("key", "k", "name", "Name", "Key", "K")
_VALUES = ("value", "v", "Value", "V")


def entry_of(entry: Any) -> tuple[str, str | None]:
    """The key that an entry stands for, and the name of its field that holds the value."""
    if not isinstance(entry, dict):
        fail("type", "from_entries: expected objects with `key` and `value`", entry)
    key = next((entry[name] for name in _KEYS if entry.get(name) not in (None, False)), None)
    if not isinstance(key, str):
        key = next((entry[name] for name in _KEYS if name in entry), None)
        fail("type", "from_entries: expected a string as the key", key)
    name = next((name for name in _VALUES if entry.get(name) is not None and entry[name] is not False), None)
    return key, name or next((name for name in _VALUES if name in entry), None)


def from_entries(value: Any, budget: Budget) -> dict[str, Any]:
    """An object from an array of keys and values."""
    budget.work(len(array_of(value, "from_entries")))
    budget.grow(48 * len(value))
    found = {}
    for entry in value:
        key, name = entry_of(entry)
        found[key] = None if name is None else entry[name]
    return found


def transpose(value: Any, budget: Budget) -> list[list[Any]]:
    """Rows to columns; missing cells are null."""
    budget.work(len(array_of(value, "transpose")) >> 2)
    rows = [array_of(row, "transpose") for row in value]
    width = max(map(len, rows), default=0)
    budget.work(width * (2 + len(rows) // 8))
    budget.grow(width * (64 + 8 * len(rows)))
    return [[row[column] if column < len(row) else None for row in rows] for column in range(width)]


def bsearch(value: Any, wanted: Any, budget: Budget) -> int:
    """The first index of a value in a sorted array; else -1 minus where it would go."""
    elements = array_of(value, "bsearch")
    low, high = 0, len(elements)
    while low < high:
        middle = (low + high) // 2
        budget.work(1)
        below = compare(elements[middle], wanted, budget) < 0
        low, high = (middle + 1, high) if below else (low, middle)
    found = low < len(elements) and compare(elements[low], wanted, budget) == 0
    return low if found else -1 - low


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "add/0": add_all,
    "reverse/0": reverse,
    "flatten/0": flatten_all,
    "flatten/1": flatten,
    "min/0": _plain("min", min_by),
    "max/0": _plain("max", max_by),
    "sort/0": _plain("sort", sort_by),
    "unique/0": _plain("unique", unique_by),
    "sort_by/1": sort_by,
    "group_by/1": group_by,
    "unique_by/1": unique_by,
    "min_by/1": min_by,
    "max_by/1": max_by,
    "to_entries/0": to_entries,
    "from_entries/0": from_entries,
    "transpose/0": transpose,
    "bsearch/1": bsearch,
}
