"""`fromjson`: JSON text to values, of any depth and with numbers of any length."""

from __future__ import annotations

import json
import re
from typing import Any

from workload_map.path.budget import Budget
from workload_map.path.errors import PathRuntimeError
from workload_map.path.numbers import number_literal
from workload_map.path.runtime import fail

MAX_DEPTH = 10_000
_SPACE = re.compile(r"[ \t\n\r]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_WORDS = {"null": None, "true": True, "false": False, "nan": float("nan")}
_WORD = re.compile(r"null|true|false|nan")


def from_json(value: Any, budget: Budget) -> Any:
    """The value of a JSON text."""
    if not isinstance(value, str):
        return fail("type", "fromjson: expected a string", value)
    budget.grow(4 * len(value))
    budget.work(2 + len(value) // 3)
    return _Reader(value, budget).read()


class _Reader:
    """Reads one text with a stack of open containers instead of recursion."""

    def __init__(self, text: str, budget: Budget) -> None:
        self.text = text
        self.budget = budget
        self.position = 0

    def wrong(self, expected: str) -> PathRuntimeError:
        place = f"at offset {self.position}"
        return PathRuntimeError("value", f"fromjson: expected {expected} {place} of the text", found="string")

    def read(self) -> Any:
        containers: list[Any] = []
        keys: list[str] = []
        while True:
            value, opened = self.value()
            if len(containers) >= MAX_DEPTH and isinstance(value, list | dict):
                raise PathRuntimeError("value", f"fromjson: nested more than {MAX_DEPTH} levels deep")
            if opened:
                containers.append(value)
                if isinstance(value, dict):
                    keys.append(self.key())
                continue
            while containers:
                container = containers[-1]
                if isinstance(container, dict):
                    container[keys.pop()] = value
                else:
                    container.append(value)
                if self.take(","):
                    if isinstance(container, dict):
                        keys.append(self.key())
                    break
                close = "}" if isinstance(container, dict) else "]"
                if not self.take(close):
                    raise self.wrong(f"`,` or `{close}`")
                value = containers.pop()
            else:
                self.space()
                if self.position < len(self.text):
                    raise self.wrong("the end")
                return value

    def space(self) -> None:
        found = _SPACE.match(self.text, self.position)
        self.position = found.end() if found else self.position

    def take(self, char: str) -> bool:
        self.space()
        if self.text.startswith(char, self.position):
            self.position += 1
            return True
        return False

    def key(self) -> str:
        self.space()
        if not self.text.startswith('"', self.position):
            raise self.wrong("a key in quotes")
        key = self.string()
        if not self.take(":"):
            raise self.wrong("`:`")
        return key

    def string(self) -> str:
        try:
            value, self.position = json.decoder.scanstring(self.text, self.position + 1)  # type: ignore[attr-defined]
        except ValueError:
            raise self.wrong("a string") from None
        found: str = value
        return found if found.isascii() else re.sub("[\ud800-\udfff]", "\ufffd", found)

    def value(self) -> tuple[Any, bool]:
        """The next value; for a container that is not empty the empty one, and that it was opened."""
        self.space()
        text, start = self.text, self.position
        char = text[start : start + 1]
        if char == '"':
            return self.string(), False
        if char and char in "[{":
            self.position += 1
            container: Any = [] if char == "[" else {}
            return container, not self.take("]" if char == "[" else "}")
        number = _NUMBER.match(text, start)
        if number:
            self.position = number.end()
            if len(number.group()) > 400:
                self.budget.work((len(number.group()) >> 9) ** 2)
            return number_literal(number.group()), False
        word = _WORD.match(text, start)
        if not word:
            raise self.wrong("a value")
        self.position = word.end()
        return _WORDS[word.group()], False
