"""A template's text into text, paths and loops; a path's text into steps."""

from __future__ import annotations

import re
from typing import NamedTuple, NoReturn

from workload_map.render.jsonpath import steps
from workload_map.render.jsonpath.errors import JsonPathError

# What ends a key that stands without quotes; a backslash takes the next character as it is.
_KEY = re.compile(r"(?:\\.|[^\\\s.,\[\]$@{}()<>=!|&\"'])+", re.DOTALL)
_QUOTED = re.compile(r""""(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'""", re.DOTALL)
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_SLICE = re.compile(r"\s*(-?\d*)\s*:\s*(-?\d*)\s*(?::\s*(\d*)\s*)?\]")
_COMPARISON = re.compile("|".join(steps.COMPARISONS))
_ESCAPED = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|(.))", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}
_LONGEST = 18  # digits of a place; no list is as long, and longer ones cost time to read
_DEEPEST = 20  # filters within filters, loops within loops


class Text(NamedTuple):
    """What is printed as it is."""

    text: str


class Values(NamedTuple):
    """`{.path}`."""

    path: steps.Path


class Loop(NamedTuple):
    """`{range .path}` up to its `{end}`."""

    path: steps.Path
    body: list[Node]


Node = Text | Values | Loop


def parse_template(text: str) -> list[Node]:
    """A template: text, and in braces paths, quoted texts, `range` and `end`.

    Raises:
        JsonPathError: It is none.
    """
    return _Parser(text).template()


def parse_path(text: str, start: int = 0, end: int | None = None) -> steps.Path:
    """One path as columns have it: with or without braces and the leading dot.

    Args:
        text: The text that holds it, for errors.
        start: Where it begins.
        end: Where it ends; None: with the text.

    Raises:
        JsonPathError: It is none.
    """
    return _Parser(text, start, end).relaxed_path()


class _Parser:
    def __init__(self, text: str, start: int = 0, end: int | None = None) -> None:
        self._whole = text
        self._text = text[:end]
        self._at = start
        self._filters = 0

    def template(self) -> list[Node]:
        open_loops: list[tuple[int, Loop]] = []
        nodes: list[Node] = []
        into = nodes
        while self._at < len(self._text):
            opened = self._at
            if not self._take("{"):
                end = self._text.find("{", opened)
                self._at = len(self._text) if end < 0 else end
                into.append(Text(self._text[opened : self._at]))
                continue
            self._blanks()
            if self._word("end"):
                if not open_loops:
                    self._fail("there is no {range} that it ends", opened)
                open_loops.pop()
                into = open_loops[-1][1].body if open_loops else nodes
            elif self._word("range"):
                self._blanks()
                loop = Loop(self._path(), [])
                into.append(loop)
                open_loops.append((opened, loop))
                if len(open_loops) > _DEEPEST:
                    self._fail("loops within loops too deep", opened)
                into = loop.body
            elif quoted := self._quoted():
                into.append(Text(quoted[0]))
            else:
                into.append(Values(self._path()))
            self._close(opened)
        if open_loops:
            self._fail("the {range} has no {end}", open_loops[-1][0])
        return nodes

    def relaxed_path(self) -> steps.Path:
        self._blanks()
        opened = self._at
        in_braces = self._take("{")
        self._blanks()
        if self._at == len(self._text):
            self._fail("the path is empty")
        found = self._path(relaxed=True)
        if in_braces:
            self._close(opened)
        self._blanks()
        if self._at < len(self._text):
            self._fail(f"{self._text[self._at]!r} is not expected here")
        return found

    def _close(self, opened: int) -> None:
        self._blanks()
        if self._at == len(self._text):
            self._fail("the { is never closed", opened)
        if not self._take("}"):
            hint = "one path in a pair of braces: {.name} {.phase}"
            self._fail(f"{self._text[self._at]!r} is not expected here", hint=hint)

    def _path(self, *, relaxed: bool = False) -> steps.Path:
        """The steps of a path; `$` and `@` are both the value that it is applied to."""
        found: list[steps.Step] = []
        if not (self._take("$") or self._take("@")) and _KEY.match(self._text, self._at):
            if not relaxed:
                self._fail("a path begins with a dot")
            found.append(self._key())
        while True:
            offset = self._at
            if self._take(".."):
                found.append(steps.Deep(offset))
                if self._take("*"):
                    found.append(steps.Every(offset))
                elif _KEY.match(self._text, self._at):
                    found.append(self._key())
            elif self._take("."):
                if self._take("*"):
                    found.append(steps.Every(offset))
                elif not self._text.startswith("[", self._at):  # `.[0]` is `[0]`
                    found.append(self._key())
            elif self._take("["):
                found.append(self._bracket(offset))
            else:
                return tuple(found)

    def _key(self) -> steps.Keys:
        offset = self._at
        if (match := _KEY.match(self._text, offset)) is None:
            self._fail("a key is missing")
        self._at = match.end()
        return steps.Keys((_unescaped_key(match[0]),), offset)

    def _bracket(self, offset: int) -> steps.Step:
        if self._take("?"):
            return self._filter(offset)
        if match := _SLICE.match(self._text, self._at):
            self._at = match.end()
            start, stop, step = (self._place(part) if part else None for part in match.groups())
            if step == 0:
                self._fail("a step of 0 leads nowhere", offset)
            return steps.Slice(start, stop, step, offset)
        self._blanks()
        if self._take("*"):
            self._bracket_end(offset)
            return steps.Every(offset)
        names: list[str] = []
        places: list[int] = []
        while True:
            self._blanks()
            if quoted := self._quoted():
                # kubectl wants dots escaped even in quotes; no key of a view holds a backslash.
                names.append(quoted[0].replace("\\", ""))
            elif match := re.compile(r"-?\d+").match(self._text, self._at):
                places.append(self._place(match[0]))
                self._at = match.end()
            else:
                self._fail("a place, a quoted key, * or ?(…) belongs here")
            self._blanks()
            if not self._take(","):
                break
        self._bracket_end(offset)
        if names and places:
            self._fail("places and keys do not go together", offset)
        return steps.Keys(tuple(names), offset) if names else steps.Places(tuple(places), offset)

    def _bracket_end(self, opened: int) -> None:
        self._blanks()
        if not self._take("]"):
            self._fail("the [ is never closed", opened)

    def _filter(self, offset: int) -> steps.Filter:
        if not self._take("("):
            self._fail("a filter is written ?(…)")
        self._filters += 1
        if self._filters > _DEEPEST:
            self._fail("filters within filters too deep")
        left, comparison = self._operand(), None
        right: steps.Path = ()
        if match := _COMPARISON.match(self._text, self._at):
            comparison, self._at = match[0], match.end()
            right = self._operand()
        if not self._take(")"):
            hint = (
                f"two sides and one of {' '.join(steps.COMPARISONS)}, as in kubectl; for more: -o json and jq"
            )
            self._fail("the filter does not end here", hint=hint)
        self._filters -= 1
        self._bracket_end(offset)
        return steps.Filter(left, comparison, right, offset)

    def _operand(self) -> steps.Path:
        self._blanks()
        offset = self._at
        if quoted := self._quoted():
            found: steps.Path = (steps.Constant(quoted[0], offset),)
        elif match := _NUMBER.match(self._text, offset):
            self._at = match.end()
            number = float(match[0]) if "." in match[0] else self._place(match[0])
            found = (steps.Constant(number, offset),)
        elif self._word("true") or self._word("false"):
            found = (steps.Constant(self._text.startswith("t", offset), offset),)
        else:
            found = self._path()
            if self._at == offset:
                self._fail("a path, a quoted text, a number, true or false belongs here")
        self._blanks()
        return found

    def _quoted(self) -> tuple[str] | None:
        """A quoted text, in a tuple: it may be empty."""
        match = _QUOTED.match(self._text, self._at)
        if match is None:
            if self._text[self._at : self._at + 1] in ('"', "'"):
                self._fail("the quote is never closed")
            return None
        self._at = match.end()
        return (_ESCAPED.sub(_unescape, match[0][1:-1]),)

    def _place(self, digits: str) -> int:
        if len(digits) > _LONGEST:
            self._fail("the number is too long")
        return int(digits)

    def _word(self, word: str) -> bool:
        after = self._at + len(word)
        if not self._text.startswith(word, self._at) or self._text[after : after + 1].isalnum():
            return False
        self._at = after
        return True

    def _take(self, text: str) -> bool:
        if not self._text.startswith(text, self._at):
            return False
        self._at += len(text)
        return True

    def _blanks(self) -> None:
        while self._text[self._at : self._at + 1].isspace():
            self._at += 1

    def _fail(self, message: str, at: int | None = None, *, hint: str | None = None) -> NoReturn:
        raise JsonPathError(message, self._whole, self._at if at is None else at, hint=hint)


def _unescaped_key(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text, flags=re.DOTALL)


def _unescape(match: re.Match[str]) -> str:
    code, char = match.groups()
    if code:
        return chr(int(code, 16))
    # A dot after a backslash is kubectl's way to write a key with dots; the bracket takes the backslash out.
    return _ESCAPES.get(char, char if char in "\"'\\" else f"\\{char}")
