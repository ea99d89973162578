"""Values as text: JSON, `tostring`, the formats (`@csv` and its like) and string interpolation."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable
from typing import Any
from urllib.parse import quote, unquote_to_bytes

from workload_map.path.budget import DEPTH, Budget, too_deep
from workload_map.path.numbers import number_text
from workload_map.path.runtime import fail
from workload_map.path.values import type_name

_SHORT = 64
_quoted: Callable[[str], str] = json.encoder.encode_basestring


def json_string(text: str, budget: Budget) -> str:
    """A string as JSON text."""
    # A control character takes six; quotes and backslashes two.
    budget.grow(len(text) * (2 if len(text) < _SHORT or text.isprintable() else 6))
    budget.work(len(text) >> 8)
    return _quoted(text).replace("\x7f", "\\u007f")


def _scalar(value: Any, budget: Budget) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json_string(value, budget)
    if type_name(value) != "number":
        return fail("type", "cannot write this as JSON: expected a JSON value", value)
    return number_json(value, budget)


def number_json(number: int | float, budget: Budget) -> str:
    """A number as JSON text. Work on the digits of an integer grows with their square, and is charged."""
    if isinstance(number, int):
        bits = number.bit_length()
        budget.grow(bits >> 2)
        budget.work((bits >> 10) ** 2)
    return number_text(number)


def to_json(value: Any, budget: Budget) -> str:
    """A value as JSON text, keys sorted; written with a stack of its own."""
    pieces: list[str] = []
    stack: list[Any] = [value]
    marks: list[bool] = [False]  # whether the entry on the stack is a piece of text already
    depth = 0
    while stack:
        item, written = stack.pop(), marks.pop()
        if written:
            pieces.append(item)
            depth -= item in ("]", "}")
            continue
        if isinstance(item, list | dict) and item:
            depth += 1
            if depth > DEPTH:
                too_deep()
            budget.grow(2 * len(item) + 2)
            budget.work(len(item) + 2)
            _open(item, stack, marks, pieces, budget)
            continue
        text = "[]" if isinstance(item, list) else "{}" if isinstance(item, dict) else _scalar(item, budget)
        if not isinstance(item, str):
            budget.grow(len(text))
        pieces.append(text)
    return "".join(pieces)


def _open(item: Any, stack: list[Any], marks: list[bool], pieces: list[str], budget: Budget) -> None:
    """Put the parts of a container on the stack, the last one first."""
    array = isinstance(item, list)
    pieces.append("[" if array else "{")
    stack.append("]" if array else "}")
    marks.append(True)
    keys = range(len(item)) if array else sorted(item)
    for number, key in reversed(list(enumerate(keys))):
        stack.append(item[key])
        marks.append(False)
        lead = "," if number else ""
        lead += "" if array else json_string(key, budget) + ":"
        if lead:
            stack.append(lead)
            marks.append(True)


def to_string(value: Any, budget: Budget) -> str:
    """`tostring`: a string as it is, all else as JSON."""
    return value if isinstance(value, str) else to_json(value, budget)


def concatenated(pieces: tuple[str, ...], budget: Budget) -> str:
    """The pieces of an interpolated string, joined."""
    count = sum(map(len, pieces))
    budget.work((len(pieces) + (count >> 7)) // 2)
    budget.grow(48 + count)
    return "".join(pieces)


def formatted(value: Any, name: str, budget: Budget) -> str:
    """A value by a format, as `@name`."""
    if name == "text":
        return to_string(value, budget)
    function = FORMATTERS.get(name)
    if function is None:
        return fail("value", "there is no such format; expected the name of a format", name)
    return function(value, budget)


_HTML = str.maketrans({"<": "&lt;", ">": "&gt;", "&": "&amp;", "'": "&apos;", '"': "&quot;"})
_TSV = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})


def _html(value: Any, budget: Budget) -> str:
    text = to_string(value, budget)
    budget.work(len(text) >> 5)
    budget.grow(len(text) + 5 * sum(map(text.count, "<>&'\"")))
    return text.translate(_HTML)


def _bytes(value: Any, budget: Budget) -> bytes:
    text = to_string(value, budget)
    budget.work(len(text) >> 3)
    budget.grow(4 * len(text) + 64 * text.count("%"))
    return text.encode("utf-8", "replace")


def _uri(value: Any, budget: Budget) -> str:
    data = _bytes(value, budget)
    budget.grow(8 * len(data))
    return quote(data, safe="-_.~")


def _urid(value: Any, budget: Budget) -> str:
    return unquote_to_bytes(_bytes(value, budget)).decode("utf-8", "replace")


def _row(value: Any, name: str) -> list[Any]:
    if not isinstance(value, list):
        fail("type", f"@{name}: expected an array", value)
    return value


def _csv(value: Any, budget: Budget) -> str:
    return ",".join(
        _cell(cell, "csv", lambda text: '"' + text.replace('"', '""') + '"', budget)
        for cell in _row(value, "csv")
    )


def _tsv(value: Any, budget: Budget) -> str:
    return "\t".join(
        _cell(cell, "tsv", lambda text: text.translate(_TSV), budget) for cell in _row(value, "tsv")
    )


def _cell(value: Any, name: str, quoted: Callable[[str], str], budget: Budget) -> str:
    if value is None:
        return ""
    if isinstance(value, list | dict):
        return fail("type", f"@{name}: expected a row of strings, numbers, booleans and nulls", value)
    text = to_string(value, budget)
    budget.work(2 + (len(text) >> 5))
    budget.grow(2 * len(text) + 3)
    return quoted(text) if isinstance(value, str) else text


def _sh(value: Any, budget: Budget) -> str:
    return " ".join(_word(word, budget) for word in (value if isinstance(value, list) else [value]))


def _word(value: Any, budget: Budget) -> str:
    if isinstance(value, list | dict):
        return fail("type", "@sh: expected strings, numbers, booleans and nulls", value)
    text = to_string(value, budget)
    budget.work(2 + (len(text) >> 7))
    budget.grow(4 * len(text) + 3)
    return "'" + text.replace("'", "'\\''") + "'" if isinstance(value, str) else text


def _base64(value: Any, budget: Budget) -> str:
    return base64.b64encode(_bytes(value, budget)).decode()


def _base64d(value: Any, budget: Budget) -> str:
    text = to_string(value, budget).rstrip("=")
    budget.work(len(text) >> 7)
    budget.grow(len(text))
    try:
        decoded = base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        return fail("value", "@base64d: expected base64 data", value)
    return decoded.decode("utf-8", "replace")


def _base32(value: Any, budget: Budget) -> str:
    return base64.b32encode(_bytes(value, budget)).decode()


def _base32d(value: Any, budget: Budget) -> str:
    text = to_string(value, budget).rstrip("=")
    budget.work(len(text) >> 3)
    budget.grow(len(text))
    try:
        decoded = base64.b32decode(text + "=" * (-len(text) % 8))
    except (binascii.Error, ValueError):
        return fail("value", "@base32d: expected base32 data", value)
    return decoded.decode("utf-8", "replace")


FORMATTERS: dict[str, Callable[[Any, Budget], str]] = {
    "text": to_string,
    "json": to_json,
    "html": _html,
    "uri": _uri,
    "urid": _urid,
    "csv": _csv,
    "tsv": _tsv,
    "sh": _sh,
    "base64": _base64,
    "base64d": _base64d,
    "base32": _base32,
    "base32d": _base32d,
}
