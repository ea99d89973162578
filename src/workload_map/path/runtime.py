"""What generated code calls: access to values and the operators, in gojq's meaning.

Generated code tests for the usual type itself and comes here for the rest: null, subclasses, errors.
Values are never changed; results may share parts with their inputs.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

from workload_map.path.budget import Budget
from workload_map.path.errors import Entry, PathRuntimeError, PathUnknownError
from workload_map.path.numbers import number_text
from workload_map.path.values import as_float, compare, equal, is_number, merged, same_text, type_name

MAX_INDEX = 500_000  # an array may be made longer than its elements only up to here
MAX_STRING = 1 << 23
_PREVIEW = 40


def named(key: str) -> str:
    """A key for a message, shortened."""
    return f"{key if len(key) <= _PREVIEW else key[: _PREVIEW - 1] + '…'!a}"


def described(value: Any) -> str:
    """A value for a message: its type, and its beginning where that is short to say."""
    kind = type_name(value)
    if kind == "string":
        return f"string {named(value)}"
    if kind == "number":
        if type(value) is int and value.bit_length() > 256:
            return "a large number"
        return f"number {number_text(value)}"
    if kind == "boolean":
        return f"boolean {str(bool(value)).lower()}"
    return kind


def fail(kind: str, message: str, value: Any) -> NoReturn:
    """Raise the error of a value that cannot be used."""
    raise PathRuntimeError(kind, f"{message}, found {described(value)}", found=type_name(value))


# Access


def field(value: Any, key: str) -> Any:
    """`.key` of what is no plain dict."""
    if value is None:
        return None
    if isinstance(value, dict):
        return value.get(key)
    return fail("index", f"cannot take field {named(key)}: expected an object", value)


def item(value: Any, key: int) -> Any:
    """`.[key]` with a literal number."""
    if isinstance(value, list):
        return value[key] if -len(value) <= key < len(value) else None
    if value is None:
        return None
    if isinstance(value, str):
        return value[key] if -len(value) <= key < len(value) else None
    if isinstance(value, dict):
        return fail("index", "cannot take a field: expected a string as the key", key)
    return fail("index", f"cannot index with {described(key)}: expected an array", value)


def index(value: Any, key: Any, budget: Budget) -> Any:
    """`.[key]` for any key: a field, an element, the places of a sub-array, a slice given as an object."""
    if type(key) is str:
        return value.get(key) if type(value) is dict else field(value, key)
    kind = type_name(key)
    if kind == "object":
        if value is None:
            return None
        if "start" not in key or "end" not in key:
            fail("index", "cannot slice: expected an object with `start` and `end`", key)
        return cut(value, key["start"], key["end"], budget)
    if isinstance(value, list):
        if kind == "number":
            place = whole(key)
            return value[place] if place is not None and -len(value) <= place < len(value) else None
        if kind == "array":
            return places(value, key, budget)
        return fail("index", "cannot index an array: expected a number", key)
    if value is None and kind in ("number", "string", "array"):
        return None
    if isinstance(value, str) and kind == "number":
        place = whole(key)
        return value[place] if place is not None and -len(value) <= place < len(value) else None
    if value is None or isinstance(value, dict):
        return fail("index", "cannot take a field: expected a string as the key", key)
    wanted = "an object" if kind == "string" else "an array"
    return fail("index", f"cannot index with {described(key)}: expected {wanted}", value)


def places(value: Sequence[Any], wanted: Sequence[Any], budget: Budget) -> list[int]:
    """The indexes at which `wanted` begins in `value`; none for an empty one."""
    width = len(wanted)
    if not width:
        return []
    budget.work(len(value) * width)
    last = len(value) - width + 1
    return [
        start
        for start in range(last)
        if all(equal(value[start + offset], wanted[offset], budget) for offset in range(width))
    ]


def whole(number: Any) -> int | None:
    """A number as an index: its integer part; None for a NaN, far ends for infinities."""
    if type(number) is int:
        return number
    if math.isnan(number):
        return None
    return int(number) if math.isfinite(number) else (1 << 62 if number > 0 else -(1 << 62))


def bounds(value: Any, low: Any, high: Any) -> slice:
    """The slice that two ends given as jq values come to."""
    length = len(value)
    for end in (low, high):
        if end is not None and not is_number(end):
            fail("index", "cannot slice: expected a number or null as an end", end)
    start = whole(low) if low is not None else 0
    stop = (
        length if high is None or (isinstance(high, float) and math.isnan(high)) else math.ceil(_near(high))
    )
    start = 0 if start is None else start
    start = max(0, start + length) if start < 0 else min(start, length)
    stop = max(0, stop + length) if stop < 0 else min(stop, length)
    return slice(start, max(start, stop))


def _near(number: Any) -> Any:
    return max(min(number, 1 << 62), -(1 << 62))


def cut(value: Any, low: Any, high: Any, budget: Budget) -> Any:
    """`.[low:high]`."""
    if value is None:
        return None
    if not isinstance(value, list | str):
        return fail("index", "cannot slice: expected an array or a string", value)
    span = bounds(value, low, high)
    count = span.stop - span.start
    budget.work(count >> 7)
    budget.grow(48 + count * (1 if isinstance(value, str) else 8))
    return value[span]


def iterate(value: Any, budget: Budget | None = None) -> Iterable[Any]:
    """The values of `.[]` of what is no plain list: an object's in the order of its keys.

    Sorting is charged where there is a budget: in programs that are counted, since a loop may end early.
    """
    if isinstance(value, dict):
        return [value[key] for key in _sorted(value, budget)]
    if isinstance(value, list):
        return value
    return fail("iterate", "cannot iterate: expected an array or an object", value)


def _sorted(value: dict[str, Any], budget: Budget | None) -> list[str]:
    if budget is not None:
        budget.work(len(value) >> 3)
    return sorted(value)


def iterate_lenient(value: Any, budget: Budget | None = None) -> Iterable[Any]:
    """`iterate` where null has no elements."""
    return () if value is None else iterate(value, budget)


def iterate_optional(value: Any, budget: Budget | None = None) -> Iterable[Any]:
    """`iterate` where what cannot be iterated has no elements."""
    return iterate(value, budget) if isinstance(value, dict | list) else ()


def entries(value: Any, budget: Budget | None = None) -> Iterable[tuple[Any, Any]]:
    """Key or index beside each value of `.[]`, as steps of locations."""
    if isinstance(value, dict):
        return [(Entry(key), value[key]) for key in _sorted(value, budget)]
    if isinstance(value, list):
        return enumerate(value)
    return fail("iterate", "cannot iterate: expected an array or an object", value)


def entries_lenient(value: Any, budget: Budget | None = None) -> Iterable[tuple[Any, Any]]:
    """`entries` where null has none."""
    return () if value is None else entries(value, budget)


def entries_optional(value: Any, budget: Budget | None = None) -> Iterable[tuple[Any, Any]]:
    """`entries` where what cannot be iterated has none."""
    return entries(value, budget) if isinstance(value, dict | list) else ()


# Operators


def _mismatch(verb: str, left: Any, right: Any) -> NoReturn:
    raise PathRuntimeError(
        "arithmetic", f"cannot {verb} {described(left)} and {described(right)}", found=type_name(left)
    )


def _numbers(left: Any, right: Any) -> bool:
    return is_number(left) and is_number(right)


def add(left: Any, right: Any, budget: Budget) -> Any:
    """`left + right`."""
    if type(left) is int and type(right) is int:
        if left.bit_length() > 64 or right.bit_length() > 64:
            budget.grow((left.bit_length() + right.bit_length()) >> 3)
        return left + right
    if left is None:
        return right
    if right is None:
        return left
    if _numbers(left, right):
        return as_float(left) + as_float(right)
    kind = type_name(left)
    if kind != type_name(right) or kind == "boolean":
        _mismatch("add", left, right)
    count = len(left) + len(right)
    budget.work(count >> 7)
    budget.grow(48 + count * (1 if kind == "string" else 48 if kind == "object" else 16))
    return {**left, **right} if kind == "object" else left + right


def subtract(left: Any, right: Any, budget: Budget) -> Any:
    """`left - right`; for arrays the elements of the left that equal none of the right."""
    if type(left) is int and type(right) is int:
        if left.bit_length() > 64 or right.bit_length() > 64:
            budget.grow((left.bit_length() + right.bit_length()) >> 3)
        return left - right
    if _numbers(left, right):
        return as_float(left) - as_float(right)
    if not (isinstance(left, list) and isinstance(right, list)):
        _mismatch("subtract", left, right)
    budget.work(len(left) * len(right))
    return [kept for kept in left if not any(equal(kept, gone, budget) for gone in right)]


def multiply(left: Any, right: Any, budget: Budget) -> Any:
    """`left * right`: numbers, a string repeated, objects merged at all depths."""
    if type(left) is int and type(right) is int:
        bits = left.bit_length() + right.bit_length()
        if bits > 128:
            _charge_product(bits, budget)
        return left * right
    if _numbers(left, right):
        return as_float(left) * as_float(right)
    if isinstance(left, str) and is_number(right):
        return repeated(left, right, budget)
    if isinstance(right, str) and is_number(left):
        return repeated(right, left, budget)
    if isinstance(left, dict) and isinstance(right, dict):
        return merged(left, right, budget)
    return _mismatch("multiply", left, right)


def _charge_product(bits: int, budget: Budget) -> None:
    """Charge the multiplication of two integers of so many bits together."""
    budget.grow(bits >> 3)
    budget.work((bits >> 10) ** 2 >> 4)


def _charge_division(dividend: int, divisor: int, budget: Budget) -> None:
    """Charge a long division: its work grows with the length of the quotient times that of the divisor."""
    bits, width = dividend.bit_length(), divisor.bit_length()
    budget.grow(bits >> 3)
    budget.work(2 * (max(0, bits - width) >> 10) * ((width >> 10) + 1))


def repeated(text: str, times: Any, budget: Budget) -> str | None:
    """A string so many times; null for a negative number and a NaN."""
    if not times >= 0:
        return None
    count = int(min(times, 1 << 40))
    if len(text) * count > MAX_STRING:
        raise PathRuntimeError(
            "value", f"a repeated string is longer than {MAX_STRING} characters", found="string"
        )
    budget.grow(len(text) * count)
    return text * count


def divide(left: Any, right: Any, budget: Budget) -> Any:
    """`left / right`: numbers (an integer where it comes out even), or a string split at another."""
    if _numbers(left, right):
        if right == 0:
            raise PathRuntimeError("arithmetic", f"cannot divide {described(left)} by zero", found="number")
        if type(left) is int and type(right) is int:
            if left.bit_length() > 128:
                _charge_division(left, right, budget)
            whole_part, rest = divmod(left, right)
            return whole_part if not rest else as_float(left) / as_float(right)
        return as_float(left) / as_float(right)
    if isinstance(left, str) and isinstance(right, str):
        return split_text(left, right, budget)
    return _mismatch("divide", left, right)


def split_text(text: str, separator: str, budget: Budget) -> list[str]:
    """The pieces of a string between a separator; its characters where that is empty."""
    budget.work(len(text) >> 7)
    count = text.count(separator) + 1 if separator else len(text)
    budget.work(count >> 4)
    budget.grow(len(text) + 24 * count)
    if not text:
        return []
    return text.split(separator) if separator else list(text)


def _truncated(number: Any) -> int:
    if type(number) is int:
        return max(min(number, (1 << 63) - 1), -(1 << 63))
    if math.isinf(number):
        return (1 << 63) - 1 if number > 0 else -(1 << 63)
    return max(min(int(number), (1 << 63) - 1), -(1 << 63))


def modulo(left: Any, right: Any, budget: Budget) -> Any:
    """`left % right`: of the integer parts, with the sign of the left."""
    if not _numbers(left, right):
        _mismatch("take the remainder of", left, right)
    if left != left or right != right:  # noqa: PLR0124 - a NaN
        return math.nan
    exact = type(left) is int and type(right) is int
    dividend, divisor = (left, right) if exact else (_truncated(left), _truncated(right))
    if divisor == 0:
        raise PathRuntimeError("arithmetic", f"cannot divide {described(left)} by zero", found="number")
    if exact and dividend.bit_length() > 128:
        _charge_division(dividend, divisor, budget)
    rest = abs(dividend) % abs(divisor)
    return -rest if dividend < 0 else rest


def negate(value: Any) -> Any:
    """`-value`."""
    if type(value) is int or type(value) is float:
        return -value
    return fail("arithmetic", "cannot negate: expected a number", value)


def same(left: Any, right: Any, budget: Budget) -> bool:
    """`left == right`."""
    if type(left) is str or type(right) is str:
        return type(left) is type(right) and (left is right or same_text(left, right, budget))
    return equal(left, right, budget)


def less(left: Any, right: Any, budget: Budget) -> bool:
    """`left < right`; a NaN is less than any number, itself too."""
    if type(left) is int and type(right) is int:
        return left < right
    if type(left) is float and left != left and is_number(right):  # noqa: PLR0124 - a NaN
        return True
    return compare(left, right, budget) < 0


def at_most(left: Any, right: Any, budget: Budget) -> bool:
    """`left <= right`."""
    return less(left, right, budget) or same(left, right, budget)


def object_key(key: Any) -> str:
    """A computed key of an object."""
    if type(key) is str:
        return key
    return fail("index", "cannot make an object: expected a string as the key", key)


def raised(value: Any) -> NoReturn:
    """`error(value)`."""
    text = value if isinstance(value, str) else described(value)
    raise PathRuntimeError("raised", text, found=type_name(value), value=value)


def unknown() -> NoReturn:
    """The value of a variable that is not known."""
    raise PathUnknownError("it reads a variable whose value is not known")
