"""Builtins on strings. Offsets count code points."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from workload_map.path.budget import Budget
from workload_map.path.control import array_of
from workload_map.path.library.text import formatted, number_json
from workload_map.path.runtime import fail, places, split_text
from workload_map.path.values import is_number

_SPACE = (
    "\t\n\x0b\x0c\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)


def _text(value: Any, name: str) -> str:
    if not isinstance(value, str):
        fail("type", f"{name}: expected a string", value)
    return value


def _both(value: Any, other: Any, name: str) -> tuple[str, str]:
    return _text(value, name), _text(other, name)


def split(value: Any, separator: Any, budget: Budget) -> list[str]:
    """Pieces between a separator."""
    return split_text(*_both(value, separator, "split"), budget)


def join(value: Any, separator: Any, budget: Budget) -> str:
    """Strings, numbers and booleans with a separator between; null counts as empty."""
    if isinstance(value, dict):
        budget.work(len(value) >> 2)
        value = [value[key] for key in sorted(value)]
    elements = array_of(value, "join")
    if not elements:
        return ""
    if len(elements) > 1:
        _text(separator, "join")
    budget.work(len(elements))
    pieces = [_piece(element, budget) for element in elements]
    between = separator if isinstance(separator, str) else ""
    budget.grow(sum(map(len, pieces)) + len(between) * len(pieces))
    return between.join(pieces)


def _piece(value: Any, budget: Budget) -> str:
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return number_json(value, budget) if is_number(value) else fail("type", "join: expected strings", value)


def ascii_downcase(value: Any, budget: Budget) -> str:
    """ASCII letters in lower case."""
    text = _text(value, "ascii_downcase")
    _charge_case(text, budget)
    return text.lower() if text.isascii() else text.translate(_LOWER)


def ascii_upcase(value: Any, budget: Budget) -> str:
    """ASCII letters in upper case."""
    text = _text(value, "ascii_upcase")
    _charge_case(text, budget)
    return text.upper() if text.isascii() else text.translate(_UPPER)


def _charge_case(text: str, budget: Budget) -> None:
    budget.work(len(text) >> (10 if text.isascii() else 4))
    budget.grow(48 + len(text))


_LOWER = {code: code + 32 for code in range(65, 91)}
_UPPER = {code: code - 32 for code in range(97, 123)}


def _part(text: str, budget: Budget) -> str:
    """A part of a string, charged."""
    budget.work(len(text) >> 12)
    budget.grow(48 + len(text))
    return text


def ltrimstr(value: Any, prefix: Any, budget: Budget) -> str:
    """Without a prefix."""
    text, prefix = _both(value, prefix, "ltrimstr")
    return _part(text.removeprefix(prefix), budget)


def rtrimstr(value: Any, suffix: Any, budget: Budget) -> str:
    """Without a suffix."""
    text, suffix = _both(value, suffix, "rtrimstr")
    return _part(text.removesuffix(suffix), budget)


def trimstr(value: Any, both: Any, budget: Budget) -> str:
    """Without a prefix and a suffix."""
    text, both = _both(value, both, "trimstr")
    return _part(text.removeprefix(both).removesuffix(both), budget)


def startswith(value: Any, prefix: Any, budget: Budget) -> bool:
    """Whether it begins with a string."""
    text, prefix = _both(value, prefix, "startswith")
    budget.work(len(prefix) >> 12)
    return text.startswith(prefix)


def endswith(value: Any, suffix: Any, budget: Budget) -> bool:
    """Whether it ends with a string."""
    text, suffix = _both(value, suffix, "endswith")
    budget.work(len(suffix) >> 12)
    return text.endswith(suffix)


def explode(value: Any, budget: Budget) -> list[int]:
    """Code points."""
    text = _text(value, "explode")
    budget.work(len(text) >> 5)
    budget.grow(24 * len(text))
    return list(map(ord, text))


def implode(value: Any, budget: Budget) -> str:
    """The string of code points; what is none becomes U+FFFD."""
    codes = array_of(value, "implode")
    budget.grow(4 * len(codes))
    budget.work(len(codes) >> 2)
    return "".join(map(_char, codes))


def _char(code: Any) -> str:
    if not is_number(code) or code != code:  # noqa: PLR0124 - a NaN
        return fail("type", "implode: expected code points", code)
    whole = int(max(min(code, 0x110000), -1))
    return chr(0xFFFD) if not 0 <= whole < 0x110000 or 0xD800 <= whole < 0xE000 else chr(whole)


def trim(value: Any, budget: Budget) -> str:
    """Without white space at both ends."""
    return _part(_blank(value, "trim", budget).strip(_SPACE), budget)


def ltrim(value: Any, budget: Budget) -> str:
    """Without white space at the beginning."""
    return _part(_blank(value, "ltrim", budget).lstrip(_SPACE), budget)


def rtrim(value: Any, budget: Budget) -> str:
    """Without white space at the end."""
    return _part(_blank(value, "rtrim", budget).rstrip(_SPACE), budget)


def _blank(value: Any, name: str, budget: Budget) -> str:
    """A string all of which may be white space."""
    text = _text(value, name)
    budget.work(len(text) >> 8)
    return text


def _found(text: str, wanted: str, budget: Budget) -> list[int]:
    """All offsets of a string in another, overlapping ones too."""
    if not wanted:
        return []
    budget.work((len(text) >> 8) + (len(wanted) >> 10))
    found, place = [], text.find(wanted)
    while place >= 0:
        budget.work(1 + (len(wanted) >> 9))  # overlapping ones are compared anew, each over its whole length
        budget.grow(16)
        found.append(place)
        place = text.find(wanted, place + 1)
    return found


def indices(value: Any, wanted: Any, budget: Budget) -> list[int] | None:
    """Where a string, a sub-array or an element is found."""
    if value is None:
        return None
    if isinstance(value, str):
        return _found(value, _text(wanted, "indices"), budget)
    elements = array_of(value, "indices")
    return places(elements, wanted if isinstance(wanted, list) else [wanted], budget)


def string_indices(value: Any, wanted: Any, budget: Budget) -> list[int]:
    """`indices` of strings alone."""
    return _found(*_both(value, wanted, "_strindices"), budget)


def index(value: Any, wanted: Any, budget: Budget) -> int | None:
    """The first of `indices`."""
    found = indices(value, wanted, budget)
    return found[0] if found else None


def rindex(value: Any, wanted: Any, budget: Budget) -> int | None:
    """The last of `indices`."""
    found = indices(value, wanted, budget)
    return found[-1] if found else None


def format_by(value: Any, name: Any, budget: Budget) -> str:
    """`format(name)`."""
    if not isinstance(name, str):
        return fail("type", "format: expected the name of a format", name)
    return formatted(value, name, budget)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "split/1": split,
    "join/1": join,
    "ascii_downcase/0": ascii_downcase,
    "ascii_upcase/0": ascii_upcase,
    "ltrimstr/1": ltrimstr,
    "rtrimstr/1": rtrimstr,
    "trimstr/1": trimstr,
    "startswith/1": startswith,
    "endswith/1": endswith,
    "trim/0": trim,
    "ltrim/0": ltrim,
    "rtrim/0": rtrim,
    "explode/0": explode,
    "implode/0": implode,
    "indices/1": indices,
    "index/1": index,
    "rindex/1": rindex,
    "_strindices/1": string_indices,
    "format/1": format_by,
}
