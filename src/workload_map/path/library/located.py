"""Builtins that carry origins through: what they take apart or reorder keeps where it came from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from workload_map.path.budget import Budget
from workload_map.path.control import array_of
from workload_map.path.errors import Entry
from workload_map.path.library import arrays, basics
from workload_map.path.origins import Origin, charge, element_origins
from workload_map.path.runtime import iterate
from workload_map.path.values import ordered

_Pair = tuple[Any, Any]


def _key_origin(origin: Any, key: Any) -> Any:
    """A key is computed, but where it stands is known."""
    step = Entry(key) if isinstance(key, str) else key
    found = origin.step(step) if isinstance(origin, Origin) else origin.computed()
    return found.computed()


def keys(value: Any, origin: Any, budget: Budget) -> _Pair:
    """`keys`: each key has the location of what is under it."""
    found = basics.keys(value, budget)
    charge(2 * len(found), budget)
    return found, origin.built([_key_origin(origin, key) for key in found])


def to_entries(value: Any, origin: Any, budget: Budget) -> _Pair:
    """`to_entries`."""
    found = arrays.to_entries(value, budget)
    charge(5 * len(found), budget)
    values = element_origins(value, origin, budget)
    parts = [
        where.built({"key": where.computed(), "value": where}) if isinstance(where, Origin) else where
        for where in values
    ]
    return found, origin.built(parts)


def from_entries(value: Any, origin: Any, budget: Budget) -> _Pair:
    """`from_entries`."""
    found = arrays.from_entries(value, budget)
    charge(2 * len(value), budget)
    parts = {}
    for entry, where in zip(value, element_origins(value, origin, budget), strict=True):
        key, name = arrays.entry_of(entry)
        parts[key] = where.step(name) if name is not None and isinstance(where, Origin) else where.computed()
    return found, origin.built(parts)


def _reordered(value: Any, origin: Any, places: list[int], budget: Budget) -> _Pair:
    where = element_origins(value, origin, budget)
    return [value[place] for place in places], origin.built([where[place] for place in places])


def reverse(value: Any, origin: Any, budget: Budget) -> _Pair:
    """`reverse`."""
    count = len(array_of(value, "reverse"))
    budget.grow(32 * count)
    return _reordered(value, origin, list(range(count))[::-1], budget)


def sort_by(value: Any, origin: Any, keys: list[Any], budget: Budget) -> _Pair:
    """`sort_by(f)`."""
    budget.grow(32 * len(value))
    return _reordered(value, origin, ordered(keys, budget), budget)


def unique_by(value: Any, origin: Any, keys: list[Any], budget: Budget) -> _Pair:
    """`unique_by(f)`."""
    budget.grow(32 * len(value))
    return _reordered(value, origin, [group[0] for group in arrays.groups_by(keys, budget)], budget)


def group_by(value: Any, origin: Any, keys: list[Any], budget: Budget) -> _Pair:
    """`group_by(f)`."""
    budget.grow(64 * len(value))
    groups = arrays.groups_by(keys, budget)
    where = element_origins(value, origin, budget)
    charge(len(groups), budget)
    found = [[value[place] for place in group] for group in groups]
    return found, origin.built([origin.built([where[place] for place in group]) for group in groups])


def min_by(value: Any, origin: Any, keys: list[Any], budget: Budget) -> _Pair:
    """`min_by(f)`."""
    return _chosen(value, origin, arrays.least(keys, budget), budget)


def max_by(value: Any, origin: Any, keys: list[Any], budget: Budget) -> _Pair:
    """`max_by(f)`."""
    return _chosen(value, origin, arrays.greatest(keys, budget), budget)


def _chosen(value: Any, origin: Any, place: int | None, budget: Budget) -> _Pair:
    if place is None:
        return None, origin.computed()
    return value[place], element_origins(value, origin, budget)[place]


def _plain(name: str, function: Callable[..., _Pair]) -> Callable[..., _Pair]:
    def on_elements(value: Any, origin: Any, budget: Budget) -> _Pair:
        return function(array_of(value, name), origin, value, budget)

    return on_elements


def flatten(value: Any, origin: Any, depth: Any, budget: Budget) -> _Pair:
    """`flatten(depth)`."""
    parts = arrays.flattened(value, depth, budget)
    found = [item for item, _ in parts]
    if not isinstance(origin, Origin):
        return found, origin.computed()
    charge(sum(len(path) for _, path in parts), budget)
    places = []
    for _, path in parts:
        where = origin
        for key in path:
            where = where.step(key)
        places.append(where)
    return found, origin.built(places)


def flatten_all(value: Any, origin: Any, budget: Budget) -> _Pair:
    """`flatten`."""
    return flatten(value, origin, float("inf"), budget)


def add_all(value: Any, origin: Any, budget: Budget) -> _Pair:
    """`add`: a concatenation of arrays or a merge of objects keeps the origins of the parts."""
    found = arrays.add_all(value, budget)
    if not isinstance(origin, Origin) or not isinstance(found, list | dict):
        return found, origin.computed()
    pairs = list(zip(iterate(value), element_origins(value, origin, budget), strict=True))
    if isinstance(found, list):
        parts = [
            where for element, place in pairs if element for where in element_origins(element, place, budget)
        ]
        return found, origin.built(parts)
    charge(sum(len(element or ()) for element, _ in pairs), budget)
    merged = {key: place.step(key) for element, place in pairs for key in element or ()}
    return found, origin.built(merged)


FUNCTIONS: dict[str, Callable[..., _Pair]] = {
    "keys/0": keys,
    "keys_unsorted/0": keys,
    "to_entries/0": to_entries,
    "from_entries/0": from_entries,
    "reverse/0": reverse,
    "flatten/0": flatten_all,
    "flatten/1": flatten,
    "add/0": add_all,
    "min/0": _plain("min", min_by),
    "max/0": _plain("max", max_by),
    "sort/0": _plain("sort", sort_by),
    "unique/0": _plain("unique", unique_by),
    "sort_by/1": sort_by,
    "group_by/1": group_by,
    "unique_by/1": unique_by,
    "min_by/1": min_by,
    "max_by/1": max_by,
}
