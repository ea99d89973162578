"""Where a value came from, while a program runs in its located form.

Each value travels with an origin. The compiler emits the same steps for all of them and the kind of origin
decides what they mean:

- `Origin`: provenance. A cell (the value at a location), a computed value (only the location of the `.`
  that it was computed from), or a structure put together from values with origins of their own.
- `Exact`: a jq path, for `path(…)` and the updates. What is not a path is an error once it is used as one.
- `UNTRACKED`: inside of an exact path, what a constructor or a source does: nobody asks where it came from.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NoReturn

from workload_map.path.budget import Budget
from workload_map.path.errors import Entry, Location, PathRuntimeError
from workload_map.path.runtime import bounds, described, whole
from workload_map.path.values import is_number, type_name

MAX_TRACKED = 128  # steps; what lies deeper has the location where tracking ended
MAX_PATH = 10_000

Parts = dict[str, "Origin"] | list["Origin"] | None


class Origin:
    """Provenance of one value.

    Attributes:
        location: The value's location, or that of the `.` it was computed from.
        iterated: How many leading steps reach to the last iterated one.
        opaque: Whether the value was computed: what is inside of it has no location of its own.
        parts: Origins of the elements of a structure that was put together; else None.
        invalid: False, as there is a location for everything.
    """

    __slots__ = ("iterated", "location", "opaque", "parts")

    invalid = False

    def __init__(self, location: Location, iterated: int, opaque: bool = False, parts: Parts = None) -> None:
        self.location = location
        self.iterated = iterated
        self.opaque = opaque
        self.parts = parts

    def step(self, key: Any) -> Origin:
        """The origin of what lies under a key (string or integer) of the value."""
        if self.parts is not None:
            return self._part(key)
        if self.opaque or not (isinstance(key, str) or type(key) is int):
            return self
        if len(self.location) >= MAX_TRACKED:
            return Origin(self.location, self.iterated, opaque=True)
        return Origin((*self.location, key), self.iterated)

    def _part(self, key: Any) -> Origin:
        parts = self.parts
        if isinstance(parts, dict):
            found = parts.get(key) if isinstance(key, str) else None
        elif type(key) is int and parts is not None and -len(parts) <= key < len(parts):
            found = parts[key]
        else:
            found = None
        if found is None:
            return Origin(self.location, self.iterated, opaque=True)
        reach = self.iterated
        if found.iterated < reach and found.location[:reach] == self.location[:reach] != ():
            return Origin(found.location, reach, found.opaque, found.parts)
        return found

    def each(self, key: Any) -> Origin:
        """The origin of one element that an iteration gives."""
        if self.parts is None:
            if self.opaque:
                return self
            if len(self.location) >= MAX_TRACKED:
                return Origin(self.location, self.iterated, opaque=True)
            location = (*self.location, key)
            return Origin(location, len(location))
        found = self._part(key)
        if found.iterated > self.iterated or len(found.location) <= self.iterated:
            return found
        return Origin(found.location, len(found.location), found.opaque, found.parts)

    def take(self, value: Any, key: Any, budget: Budget) -> Origin:
        """The origin of `value[key]` for any key; a negative index becomes the one that it means."""
        if type(key) is str:
            return self.step(key)
        if is_number(key) and isinstance(value, list | str | None):
            place, length = whole(key), len(value or ())
            if place is None:
                return self.computed()
            return self.step(place + length if -length <= place < 0 else place)
        if isinstance(key, dict) and "start" in key and "end" in key:
            return self.cut(value, key["start"], key["end"], budget)
        return self.computed()

    def computed(self) -> Origin:
        """The origin of a value computed from this one."""
        if self.opaque and self.parts is None:
            return self
        return Origin(self.location, self.iterated, opaque=True)

    def inner(self) -> Origin:
        """What `.` is inside of a constructor or a source."""
        return self

    def variable(self, bound: Any) -> Any:
        """The origin of a variable's value, where `bound` is what it was bound with (None: not tracked)."""
        return self.computed() if bound is None else bound

    def given(self, bound: Origin) -> Origin:
        """The origin of a value that the caller passes in; within an element it stands for one of its own."""
        return self.computed() if self.iterated else bound

    def built(self, parts: Parts) -> Origin:
        """The origin of a structure put together from values with these origins."""
        return Origin(self.location, self.iterated, opaque=True, parts=parts)

    def cut(self, value: Any, low: Any, high: Any, budget: Budget) -> Origin:
        """The origin of a slice: its elements keep their own."""
        if not isinstance(value, list):
            return self.computed()
        span = bounds(value, low, high)
        charge(span.stop - span.start, budget)
        return self.built([self.step(index) for index in range(span.start, span.stop)])


class Exact:
    """A jq path: the steps so far, or that the value is not at a path."""

    __slots__ = ("before", "depth", "invalid", "key")

    iterated = 0
    parts = None

    def __init__(self, before: Exact | None = None, key: Any = None, *, invalid: bool = False) -> None:
        # Linked, so that a step costs the same at any depth.
        self.before = before
        self.key = key
        self.depth: int = before.depth + 1 if before is not None else 0
        self.invalid = invalid

    @property
    def location(self) -> tuple[Any, ...]:
        """The steps from the beginning."""
        steps = []
        place: Exact = self
        while place.before is not None:
            steps.append(place.key)
            place = place.before
        return tuple(reversed(steps))

    def step(self, key: Any) -> Exact:
        """The path one step further."""
        if self.invalid:
            raise not_a_path(f"no path leads to the value that {_shown(key)} is taken from")
        if self.depth >= MAX_PATH:
            raise PathRuntimeError("path", f"the path has more than {MAX_PATH} steps")
        return Exact(self, key)

    def each(self, key: Any) -> Exact:
        """The path of one element."""
        return self.step(str(key) if type(key) is Entry else key)  # it becomes part of a value

    def take(self, value: Any, key: Any, budget: Budget) -> Exact:
        """The path of `value[key]`; jq keeps negative indexes."""
        del value, budget
        if isinstance(key, list):
            return NOT_A_PATH
        return self.step(key)

    def computed(self) -> Exact:
        """A computed value has no path."""
        return NOT_A_PATH

    def inner(self) -> _Untracked:
        """Nobody asks for paths inside of a constructor or a source."""
        return UNTRACKED

    def variable(self, bound: Any) -> Exact:
        """A variable's value has no path."""
        del bound
        return NOT_A_PATH

    given = variable

    def built(self, parts: Any) -> Exact:
        """A structure that was put together has no path."""
        del parts
        return NOT_A_PATH

    def cut(self, value: Any, low: Any, high: Any, budget: Budget) -> Exact:
        """The path of a slice: its last step is an object, as jq has it."""
        del value, budget
        return self.step({"start": low, "end": high})


class _Untracked:
    """An origin that is not followed."""

    __slots__ = ()

    location: Location | None = None
    iterated = 0
    parts = None
    invalid = False

    def step(self, key: Any) -> _Untracked:
        """Itself."""
        del key
        return self

    each = step

    def take(self, value: Any, key: Any, budget: Budget) -> _Untracked:
        """Itself."""
        del value, key, budget
        return self

    def computed(self) -> _Untracked:
        """Itself."""
        return self

    inner = computed

    def variable(self, bound: Any) -> _Untracked:
        """Itself."""
        del bound
        return self

    built = given = variable

    def cut(self, value: Any, low: Any, high: Any, budget: Budget) -> _Untracked:
        """Itself."""
        del value, low, high, budget
        return self


UNTRACKED = _Untracked()
NOT_A_PATH = Exact(invalid=True)
EMPTY_PATH = Exact()


def not_a_path(why: str) -> PathRuntimeError:
    """The error of a path expression that does more than select."""
    return PathRuntimeError("path", f"not a path: {why}")


def no_path_into(value: Any) -> NoReturn:
    """The error of iterating what is not at a path."""
    raise not_a_path(f"no path leads into what was computed, {described(value)}")


def charge(count: int, budget: Budget) -> None:
    """Charge so many origins."""
    budget.work(count >> 2)
    budget.grow(80 * count)


def element_origins(value: Any, origin: Any, budget: Budget) -> list[Any]:
    """The origins of the elements of an array, or of an object's values in the order of its keys."""
    if isinstance(origin, Origin):
        if origin.opaque and origin.parts is None:
            return [origin] * len(value)
        charge(len(value), budget)
        keys: Iterable[Any] = map(Entry, sorted(value)) if isinstance(value, dict) else range(len(value))
        return [origin.step(key) for key in keys]
    return [origin.computed()] * len(value)


def _shown(key: Any) -> str:
    return f"`{key}`" if isinstance(key, str | int) else type_name(key)
