"""Builtins on any value: length, keys, types, conversions."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from workload_map.path.budget import Budget
from workload_map.path.errors import PathRuntimeError
from workload_map.path.library.reading import from_json
from workload_map.path.library.text import to_json, to_string
from workload_map.path.numbers import parse_number
from workload_map.path.runtime import described, fail, whole
from workload_map.path.updates import delete_paths, set_path
from workload_map.path.values import contains, is_number, type_name


def length(value: Any, _: Budget) -> Any:
    """Elements, keys, code points, or the absolute value of a number."""
    if isinstance(value, list | dict | str):
        return len(value)
    if value is None:
        return 0
    return abs(value) if is_number(value) else fail("type", "length: expected anything but a boolean", value)


def utf8_byte_length(value: Any, budget: Budget) -> int:
    """Bytes of a string in UTF-8."""
    if not isinstance(value, str):
        fail("type", "utf8bytelength: expected a string", value)
    budget.work(len(value) >> 10)
    return len(value.encode("utf-8", "surrogatepass"))


def kind(value: Any, _: Budget) -> str:
    """`type`."""
    return type_name(value)


def keys(value: Any, budget: Budget) -> list[Any]:
    """Keys, sorted, or indexes."""
    if isinstance(value, dict):
        budget.work(len(value) >> 3)
        budget.grow(16 * len(value))
        return sorted(value)
    if isinstance(value, list):
        budget.work(len(value) >> 7)
        budget.grow(16 * len(value))
        return list(range(len(value)))
    return fail("type", "keys: expected an object or an array", value)


def has(value: Any, key: Any, _: Budget) -> bool:
    """Whether a key or an index is there."""
    if value is None:
        return False
    if isinstance(value, dict) and isinstance(key, str):
        return key in value
    if isinstance(value, list) and is_number(key):
        place = whole(key)
        return place is not None and 0 <= place < len(value)
    wanted = "a string" if isinstance(value, dict) else "a number"
    if isinstance(value, dict | list):
        return fail("type", f"has: expected {wanted} as the key of an {type_name(value)}", key)
    return fail("type", "has: expected an object or an array", value)


def contains_value(value: Any, other: Any, budget: Budget) -> bool:
    """`contains(other)`."""
    found = contains(value, other, budget)
    if found is None:
        raise PathRuntimeError(
            "type",
            f"contains: cannot compare {described(value)} and {described(other)}",
            found=type_name(value),
        )
    return found


def to_number(value: Any, budget: Budget) -> Any:
    """A number as it is; a string read as a number."""
    if is_number(value):
        return value
    if not isinstance(value, str):
        return fail("type", "tonumber: expected a number or a string", value)
    if len(value) > 400:
        budget.work(len(value) >> 7)
        budget.grow(len(value))
        budget.work((len(value) >> 9) ** 2)
    number = parse_number(value)
    return fail("value", "tonumber: expected a number in the string", value) if number is None else number


def to_boolean(value: Any, _: Budget) -> bool:
    """A boolean as it is; the strings `true` and `false`."""
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value in ("true", "false"):
        return value == "true"
    return fail("type", "toboolean: expected a boolean or `true` or `false`", value)


def to_array(value: Any, _: Budget) -> list[Any]:
    """An array as it is; else an array of the value."""
    return value if isinstance(value, list) else [value]


def tostream(value: Any, budget: Budget) -> list[Any]:
    """The events of a value in streamed form."""
    events: list[Any] = []
    stack: list[tuple[Any, list[Any], bool]] = [(value, [], True)]
    while stack:
        item, path, top = stack.pop()
        budget.work(2)
        budget.grow(8 * len(path) + 160)
        if item is _CLOSE:
            events.append([path])
        elif isinstance(item, list | dict) and item:
            names = sorted(item) if isinstance(item, dict) else list(range(len(item)))
            stack.append((_CLOSE, [*path, names[-1]], top))
            stack.extend((item[name], [*path, name], False) for name in reversed(names))
        else:
            events.append([path, item])
    return events


_CLOSE = object()


def builtins(_: Any, budget: Budget) -> list[str]:
    """The names of all builtins with their arity."""
    budget.work(100)
    budget.grow(16 * 1024)
    from workload_map.path.builtins import known_names  # noqa: PLC0415 - asked for rarely

    return sorted(name for name in known_names() if not name.startswith("_"))


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "length/0": length,
    "utf8bytelength/0": utf8_byte_length,
    "type/0": kind,
    "keys/0": keys,
    "keys_unsorted/0": keys,
    "has/1": has,
    "contains/1": contains_value,
    "tostring/0": to_string,
    "tonumber/0": to_number,
    "toboolean/0": to_boolean,
    "tojson/0": to_json,
    "fromjson/0": from_json,
    "toarray/0": to_array,
    "_tostream/0": tostream,
    "builtins/0": builtins,
    "have_decnum/0": lambda _, __: False,
    "have_literal_numbers/0": lambda _, __: True,
    "setpath/2": set_path,
    "delpaths/1": delete_paths,
    "infinite/0": lambda _, __: math.inf,
    "nan/0": lambda _, __: math.nan,
}
