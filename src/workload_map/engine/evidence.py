"""The fields behind an answer: what an expression may have looked at, as it stands in one object."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from workload_map import path
from workload_map.engine.fields import Field
from workload_map.engine.reading import field_path
from workload_map.engine.view import Read


def reads(field: Field, obj: Any, limit: int) -> list[Read]:
    """The first `limit` fields that an expression may read, with their values; absent ones are None."""
    found = (one for pattern in field.program.reads for one in _expand(pattern, obj))
    return [Read(path=field_path(location), value=value) for location, value in islice(found, limit)]


def _expand(pattern: path.ReadPattern, obj: Any) -> Iterator[tuple[path.Location, Any]]:
    level: list[tuple[path.Location, Any]] = [((), obj)]
    for step in pattern.steps:
        level = [below for location, value in level for below in _below(location, value, step)]
    for location, value in level:
        if pattern.below:
            yield from _leaves(location, value)
        else:
            yield location, value


def _below(location: path.Location, value: Any, step: str | None) -> Iterator[tuple[path.Location, Any]]:
    if step is not None:
        yield (*location, step), value.get(step) if isinstance(value, dict) else None
    else:
        yield from _entries(location, value)


def _entries(location: path.Location, value: Any) -> Iterator[tuple[path.Location, Any]]:
    if isinstance(value, list):
        yield from (((*location, index), entry) for index, entry in enumerate(value))
    elif isinstance(value, dict):
        yield from (((*location, name), value[name]) for name in sorted(value))


def _leaves(location: path.Location, value: Any) -> Iterator[tuple[path.Location, Any]]:
    """Values that hold no others; an empty list or object is one too."""
    stack = [(location, value)]
    while stack:
        location, value = stack.pop()
        entries = list(_entries(location, value))
        if entries:
            stack.extend(reversed(entries))
        else:
            yield location, value
