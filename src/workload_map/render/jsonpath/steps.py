"""The steps of a path, each from one value to those that it selects, as kubectl does it."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol

from workload_map.render.jsonpath.errors import JsonPathValueError


class Step(Protocol):
    """One step: a key, a place, a filter."""

    @property
    def offset(self) -> int:
        """Where it stands in the template."""

    def select(self, value: Any) -> Iterator[Any]:
        """What it gives of a value that is not null.

        Raises:
            JsonPathValueError: It does not fit the value.
        """


Path = tuple[Step, ...]


def select(path: Path, value: Any) -> list[Any]:
    """All that a path gives of a value; nothing where a key is not there, or something on the way is null.

    Raises:
        JsonPathValueError: A step does not fit what it is applied to.
    """
    values = [value]
    for step in path:
        values = [found for each in values if each is not None for found in step.select(each)]
    return values


class Keys(NamedTuple):
    """`.name`, `['name']`, `['one','two']`."""

    names: tuple[str, ...]
    offset: int

    def select(self, value: Any) -> Iterator[Any]:
        """The values of those keys that are there."""
        if isinstance(value, dict):
            yield from (value[name] for name in self.names if name in value)


class Every(NamedTuple):
    """`[*]` and `.*`."""

    offset: int

    def select(self, value: Any) -> Iterator[Any]:
        """Everything in a list or in a mapping."""
        if isinstance(value, dict):
            yield from value.values()
        else:
            yield from _list(value, self.offset)


class Places(NamedTuple):
    """`[0]`, `[-1]`, `[0,2]`."""

    places: tuple[int, ...]
    offset: int

    def select(self, value: Any) -> Iterator[Any]:
        """The entries at these places; those below zero count from the end."""
        entries = _list(value, self.offset)
        for place in self.places:
            if not -len(entries) <= place < len(entries):
                raise JsonPathValueError(f"there is no [{place}] in a list of {len(entries)}", self.offset)
            yield entries[place]


class Slice(NamedTuple):
    """`[1:]`, `[0:2]`, `[0:6:2]`."""

    start: int | None
    stop: int | None
    step: int | None
    offset: int

    def select(self, value: Any) -> Iterator[Any]:
        """The entries between two places, those outside of the list left out."""
        yield from _list(value, self.offset)[self.start : self.stop : self.step]


class Deep(NamedTuple):
    """`..`: the value and everything below it."""

    offset: int

    def select(self, value: Any) -> Iterator[Any]:
        """The mappings and lists, each before what is in it."""
        if isinstance(value, dict | list):
            yield value
            for child in value.values() if isinstance(value, dict) else value:
                yield from self.select(child)


class Constant(NamedTuple):
    """A text, a number or a truth value on one side of a comparison."""

    value: str | int | float | bool
    offset: int

    def select(self, value: Any) -> Iterator[Any]:  # noqa: ARG002
        """Itself."""
        yield self.value


COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<=": operator.le,
    ">=": operator.ge,
    "<": operator.lt,
    ">": operator.gt,
}


class Filter(NamedTuple):
    """`[?(@.phase=="Running")]`, and `[?(@.queue)]` for those where there is something."""

    left: Path
    comparison: str | None
    right: Path
    offset: int

    def select(self, value: Any) -> Iterator[Any]:
        """The entries of a list for which it holds. What is null compares with nothing."""
        return (entry for entry in _list(value, self.offset) if self._holds(entry))

    def _holds(self, entry: Any) -> bool:
        if self.comparison is None:
            return any(found is not None for found in select(self.left, entry))
        left, right = self._only(self.left, entry), self._only(self.right, entry)
        if left is None or right is None:
            return False
        if _kind(left) != _kind(right):
            message = f"{_kind(left)} cannot be compared with {_kind(right)}"
            raise JsonPathValueError(message, self.offset)
        return COMPARISONS[self.comparison](left, right)

    def _only(self, path: Path, entry: Any) -> Any:
        found = select(path, entry)
        if len(found) > 1:
            raise JsonPathValueError(f"{len(found)} values where one can be compared", self.offset)
        return found[0] if found else None


def _list(value: Any, offset: int) -> list[Any]:
    if not isinstance(value, list):
        raise JsonPathValueError(f"{_kind(value)} is no list", offset)
    return value


def _kind(value: Any) -> str:
    kinds = {str: "a text", bool: "a truth value", int: "a number", float: "a number", list: "a list"}
    return kinds.get(type(value), "a mapping")
