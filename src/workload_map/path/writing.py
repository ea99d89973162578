"""Writing through a path: the few changes that it takes, and a copy that has them.

Where a program writes is known before anything changes, and nothing else is touched: its outputs are at
locations, and each location is set once. What comes out are changes, so that a caller can send them (they are
those of RFC 6902) or apply them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Literal, NamedTuple

from workload_map.path.budget import Budget
from workload_map.path.errors import Location, PathError
from workload_map.path.program import Program
from workload_map.path.updates import Editor
from workload_map.path.values import equal


class PathNotWritableError(PathError):
    """The expression does not say where its outputs lie, so nothing can be written through it."""

    code = "path-not-writable"


class Change(NamedTuple):
    """One difference, as RFC 6902 has it.

    Attributes:
        kind: `add` (a key, or an element before the one at that index), `replace` or `remove`.
        location: Where. Changes hold in their order: each is made on what those before it leave.
        value: The new value; None for `remove`.
    """

    kind: Literal["add", "replace", "remove"]
    location: Location
    value: Any = None


def changes(
    program: Program, value: Any, update: Callable[[Any], Any], budget: Budget | None = None
) -> list[Change]:
    """The changes that give each output of a program another value.

    Missing containers on the way are made, and arrays made long enough, as jq does; what is there already
    takes no change. The value is not changed.

    Args:
        program: A program that is writable.
        value: What it runs on.
        update: Gives the new value of an output from the old one; None (null) where nothing is there.
        budget: What this may cost, together with what else is given the same budget.

    Raises:
        PathNotWritableError: The program is not writable.
        PathRuntimeError: It fails on the value, or what is on the way cannot hold the new value.
        PathBudgetError: It asks for more work than allowed.
    """
    if not program.writable:
        raise PathNotWritableError(
            f"{program.text} cannot be written through: its outputs do not always lie somewhere",
            hint="write a path that only selects",
        )
    budget = budget or Budget()
    editor = Editor(budget)
    after = value
    for location in dict.fromkeys(location for _, location, _ in program.locations(value, budget)):
        after = editor.put(after, list(location), update)
    return difference(value, after, budget)


def applied(value: Any, made: Iterable[Change]) -> Any:
    """The value with changes; containers on their way are copied, the others shared.

    Args:
        value: What the changes were found for.
        made: The changes, in their order.
    """
    own: dict[int, Any] = {}
    root = [value]
    for kind, location, new in made:
        holder: Any = root
        key: Any = 0
        for step in location:
            holder[key] = _own(holder[key], own)
            holder, key = holder[key], step
        if kind == "remove":
            del holder[key]
        elif kind == "add" and isinstance(holder, list) and holder is not root:
            holder.insert(key, new)
        else:
            holder[key] = new
    return root[0]


def _own(container: Any, own: dict[int, Any]) -> Any:
    if id(container) in own:
        return container
    copied: Any = list(container) if isinstance(container, list) else dict(container)
    own[id(copied)] = copied
    return copied


def difference(before: Any, after: Any, budget: Budget) -> list[Change]:
    """The changes that lead from one value to another: none where both hold the same.

    Of arrays what is alike at both ends stays, and what is between is compared element by element. Numbers
    that are equal stay as they are written.

    Args:
        before: The one value.
        after: The other; parts that are the same object are not looked into.
        budget: What this may cost.
    """
    found: list[Change] = []
    stack: list[tuple[Location, Any, Any]] = [((), before, after)]
    while stack:
        location, old, new = stack.pop()
        budget.work(1)
        if old is new:
            continue
        if isinstance(old, dict) and isinstance(new, dict):
            _in_objects(location, old, new, found, stack)
        elif isinstance(old, list) and isinstance(new, list):
            _in_arrays(location, old, new, found, stack, budget)
        elif not equal(old, new, budget):
            found.append(Change("replace", location, new))
    return found


_Stack = list[tuple[Location, Any, Any]]


def _in_objects(
    location: Location, old: dict[str, Any], new: dict[str, Any], found: list[Change], stack: _Stack
) -> None:
    found.extend(Change("remove", (*location, key)) for key in old if key not in new)
    found.extend(Change("add", (*location, key), value) for key, value in new.items() if key not in old)
    stack.extend(((*location, key), old[key], new[key]) for key in reversed(new) if key in old)


def _in_arrays(
    location: Location, old: list[Any], new: list[Any], found: list[Change], stack: _Stack, budget: Budget
) -> None:
    start = 0
    shorter = min(len(old), len(new))
    while start < shorter and _alike(old[start], new[start], budget):
        start += 1
    end = 0
    while end < shorter - start and _alike(old[-1 - end], new[-1 - end], budget):
        end += 1
    both = shorter - start - end
    # Elements that both have keep their index until all of them are compared: those are done first, with
    # what is beyond them taken from the end, so that no index moves under a change that is still to come.
    place = start + both
    for index in range(len(old) - end - 1, place - 1, -1):
        found.append(Change("remove", (*location, index)))
    for index in range(place, len(new) - end):
        found.append(Change("add", (*location, index), new[index]))
    stack.extend(((*location, index), old[index], new[index]) for index in range(place - 1, start - 1, -1))


def _alike(left: Any, right: Any, budget: Budget) -> bool:
    budget.work(1)
    return left is right or equal(left, right, budget)
