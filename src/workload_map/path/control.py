"""What generated code calls to loop, to descend and to leave a label."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from workload_map.path.budget import DEPTH, Budget, too_deep
from workload_map.path.errors import PathRuntimeError
from workload_map.path.runtime import fail, named
from workload_map.path.values import as_float, is_number, is_true

_END = object()
_Closure = Callable[[Any], Iterator[Any]]
_Located = Callable[[Any, Any], Iterator[tuple[Any, Any]]]


class Label:
    """One run of a `label`, so that `break` knows its own."""

    __slots__ = ()


class Break(Exception):  # noqa: N818 - not an error: how `break` leaves
    """Leaves the run of a label."""

    def __init__(self, label: Label) -> None:
        super().__init__()
        self.label = label


def element(value: Any, key: int) -> Any:
    """The element that an array pattern takes."""
    if isinstance(value, list):
        return value[key] if key < len(value) else None
    return None if value is None else fail("type", "cannot take elements: expected an array", value)


def member(value: Any, key: Any) -> Any:
    """The value that an object pattern takes."""
    if not isinstance(key, str):
        return fail("index", "cannot take a field: expected a string as the key", key)
    if isinstance(value, dict):
        return value.get(key)
    return (
        None if value is None else fail("type", f"cannot take field {named(key)}: expected an object", value)
    )


def array_of(value: Any, name: str) -> list[Any]:
    """The array that a builtin works on."""
    if not isinstance(value, list):
        fail("type", f"{name}: expected an array", value)
    return value


def count_of(value: Any, name: str) -> Any:
    """The count of `limit` and `skip`."""
    if not is_number(value):
        fail("type", f"{name}: expected a number", value)
    if value < 0:
        raise PathRuntimeError("value", f"{name}: the count must not be negative")
    return value


def number_range(low: Any, high: Any, step: Any, budget: Budget) -> Iterable[Any]:
    """The numbers of `range`; none for a step of 0."""
    for number in (low, high, step):
        if not is_number(number):
            fail("type", "range: expected numbers", number)
    if step == 0 or step != step:  # noqa: PLR0124 - a NaN
        return ()
    if all(type(number) is int and number.bit_length() <= 64 for number in (low, high, step)):
        return range(low, high, step)
    return _added_up(low, high, step, budget)


def _added_up(low: Any, high: Any, step: Any, budget: Budget) -> Iterator[Any]:
    """The range of doubles, or of integers so large that each is charged."""
    exact = type(low) is int and type(step) is int
    while low < high if step > 0 else low > high:
        yield low
        if exact:
            budget.grow((low.bit_length() + step.bit_length()) >> 3)
        low = low + step if exact else as_float(low) + as_float(step)


def descend(value: Any, budget: Budget) -> Iterator[Any]:
    """`..`: the value and everything in it, an object's values in the order of its keys."""
    stack = [(value, 0)]
    while stack:
        item, depth = stack.pop()
        yield item
        if isinstance(item, list):
            budget.work(1 + len(item) // 8)
            stack.extend((child, depth + 1) for child in reversed(item))
        elif isinstance(item, dict):
            budget.work(1 + len(item) // 4)
            stack.extend((item[key], depth + 1) for key in sorted(item, reverse=True))
        else:
            budget.work(1)
        if depth > DEPTH:
            too_deep()


def descend_located(value: Any, origin: Any, budget: Budget) -> Iterator[tuple[Any, Any]]:
    """`..` with origins."""
    stack = [(value, origin, 0)]
    while stack:
        item, where, depth = stack.pop()
        yield item, where
        if isinstance(item, list):
            budget.work(len(item) // 4)
            budget.grow(48 * len(item))
            last = len(item) - 1
            stack.extend(
                (child, where.each(last - index), depth + 1) for index, child in enumerate(reversed(item))
            )
        elif isinstance(item, dict):
            budget.work(len(item) // 2)
            budget.grow(48 * len(item))
            stack.extend((item[key], where.each(key), depth + 1) for key in sorted(item, reverse=True))
        budget.work(1)
        budget.grow(8 * depth)
        if depth > DEPTH:
            too_deep()


def recurse(value: Any, update: _Closure, budget: Budget) -> Iterator[Any]:
    """`recurse(f)`: the value, then the same for each output of `f`; on a stack of its own."""
    yield value
    stack = [update(value)]
    while stack:
        found = next(stack[-1], _END)
        if found is _END:
            stack.pop()
            continue
        yield found
        _push(stack, update(found), budget)


def recurse_located(value: Any, origin: Any, update: _Located, budget: Budget) -> Iterator[tuple[Any, Any]]:
    """`recurse(f)` with origins."""
    yield value, origin
    stack = [update(value, origin)]
    while stack:
        pair = next(stack[-1], None)
        if pair is None:
            stack.pop()
            continue
        yield pair
        _push(stack, update(*pair), budget)


def walked(value: Any, change: Callable[[Any], Iterable[Any]], budget: Budget) -> Iterator[Any]:
    """`walk(f)`: everything in the value is changed first, then the value itself.

    In an array each output of `f` is an element; in an object the first output counts, and none takes the
    key away.
    """
    # A frame: the container, its keys still to do (the last first), and what is built in its place.
    frames: list[tuple[Any, list[Any], Any]] = []
    outputs: Iterable[Any] = ()
    entering, item = True, value
    while True:
        if entering and isinstance(item, list | dict) and item:
            keys = sorted(item, reverse=True) if isinstance(item, dict) else list(range(len(item)))[::-1]
            budget.work(2 * len(keys))
            budget.grow(32 * len(keys))
            if len(frames) >= DEPTH:
                too_deep()
            frames.append((item, keys, {} if isinstance(item, dict) else []))
        else:
            outputs = change(item)
            if not frames:
                yield from outputs
                return
            container, keys, built = frames[-1]
            _place(built, keys.pop(), outputs)
        container, keys, built = frames[-1]
        entering = bool(keys)
        item = container[keys[-1]] if keys else built
        if not keys:
            frames.pop()


def _place(built: Any, key: Any, outputs: Iterable[Any]) -> None:
    if isinstance(built, list):
        built.extend(outputs)
        return
    for output in outputs:
        built[key] = output
        return


def until(value: Any, test: _Closure, update: _Closure, budget: Budget) -> Iterator[Any]:
    """`until(test; f)` where the test or `f` may give several outputs."""

    def ways(value: Any) -> Iterator[tuple[bool, Any]]:
        for verdict in test(value):
            if is_true(verdict):
                yield True, value
            else:
                yield from ((False, found) for found in update(value))

    return _explored(value, ways, budget)


def until_located(
    value: Any, origin: Any, test: _Located, update: _Located, budget: Budget
) -> Iterator[tuple[Any, Any]]:
    """`until` with origins."""

    def ways(pair: tuple[Any, Any]) -> Iterator[tuple[bool, Any]]:
        for verdict, _ in test(*pair):
            if is_true(verdict):
                yield True, pair
            else:
                yield from ((False, found) for found in update(*pair))

    return _explored((value, origin), ways, budget)


def _explored(start: Any, ways: Callable[[Any], Iterator[tuple[bool, Any]]], budget: Budget) -> Iterator[Any]:
    """The ends that are reached from a start, each way followed to its end before the next."""
    stack = [ways(start)]
    while stack:
        is_end, found = next(stack[-1], (True, _END))
        if found is _END:
            stack.pop()
        elif is_end:
            yield found
        else:
            _push(stack, ways(found), budget)


def _push(stack: list[Iterator[Any]], more: Iterator[Any], budget: Budget) -> None:
    """Put what `f` gives on the stack."""
    budget.work(1)
    if len(stack) > DEPTH:
        too_deep()
    stack.append(more)
