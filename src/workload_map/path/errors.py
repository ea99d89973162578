"""What can be wrong with an expression: its text, its run, or the work that it asks for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from workload_map.errors import WorkloadMapError

Location = tuple[str | int, ...]


class Entry(str):
    """A step of a location into a map that is gone through entry by entry: a key, where others are fields."""

    __slots__ = ()


class Span(msgspec.Struct, frozen=True):
    """A stretch of an expression's text: `start` and `end` are offsets in code points, `end` exclusive."""

    start: int
    end: int


HIDDEN = Span(-1, -1)  # of nodes that stand in no expression: those of builtins written in the language


def place(text: str, offset: int) -> tuple[int, int]:
    """Line and column, both from 1, of an offset in the text."""
    before = text[:offset]
    return before.count("\n") + 1, offset - (before.rfind("\n") + 1) + 1


def location_text(location: Location) -> str:
    """A location as an expression that reads it: `.spec.jobs[2].replicas`."""
    parts = []
    for step in location:
        if isinstance(step, str) and step.isidentifier() and step.isascii():
            parts.append("." + step)
        elif isinstance(step, str):
            parts.append("[" + msgspec.json.encode(str(step)).decode() + "]")
        else:
            parts.append(f"[{step}]")
    written = "".join(parts)
    return written if written.startswith(".") else "." + written


class PathError(WorkloadMapError):
    """Anything that goes wrong with a path expression."""

    code = "path"


class PathSyntaxError(PathError):
    """The expression cannot be used: it does not parse, or it names what is not there or not allowed.

    Attributes:
        text: The whole expression.
        line: The line of the offending token, from 1.
        column: Its column in code points, from 1.
        caret: The line of the expression and, under it, carets below the token.
    """

    code = "path-syntax"

    def __init__(self, message: str, text: str, start: int, end: int = 0, *, hint: str | None = None) -> None:
        self.text = text
        self.line, self.column = place(text, start)
        width = max(1, min(end, len(text)) - start)
        self.caret = _caret(text, self.line, self.column, width)
        super().__init__(message, location=f"line {self.line}, column {self.column}", hint=hint)

    def __str__(self) -> str:
        """The message, its hint and the place shown in the text."""
        hint = f"; {self.hint}" if self.hint else ""
        return f"{self.message}{hint} ({self.location})\n{self.caret}"


class PathRuntimeError(PathError):
    """The expression fails on this value.

    Attributes:
        kind: `iterate`, `index`, `arithmetic`, `raised`, `path`, `type` (a builtin got a wrong type) or
        `value`.
        found: The jq type name of what was found, or None where no single value is to blame.
        value: What `catch` gets: the argument of `error`, else the message.
        text: The expression; line and column say where in it. Known once the error has left the program.
    """

    code = "path-value"

    def __init__(self, kind: str, message: str, *, found: str | None = None, value: Any = None) -> None:
        super().__init__(message)
        self.kind = kind
        self.found = found
        self.value = value if kind == "raised" else message
        self.text = ""
        self.line = self.column = 0
        self._where: Callable[[], Location | None] | None = None

    @property
    def at(self) -> Location | None:
        """Where in the object: the location of the value that could not be used; None where unknown.

        Found by running the located form once more, when asked for: errors are often answers ("absent"), and
        most are never looked at.
        """
        found = self._where() if self._where else None
        self._where = (lambda: found) if found is not None else None
        return found

    def explain(self, text: str, span: Span | None, where: Callable[[], Location | None]) -> None:
        """Attach the place in the expression, and the way to find the place in the object."""
        self.text = text
        if span is not None:
            self.line, self.column = place(text, span.start)
        self._where = where

    def __str__(self) -> str:
        """The message with its place in the expression and in the object."""
        at = self.at
        where = f", at {location_text(at)}" if at is not None else ""
        if not self.line:
            return f"{self.message}{where}"
        return f"{self.message} (line {self.line}, column {self.column} of `{self.text}`{where})"


class PathBudgetError(PathError):
    """The expression asks for more work than its budget allows.

    Attributes:
        counter: Which counter ran out: `steps`, `outputs`, `size` or `nesting`.
        text: The expression, known once the error has left the program.
    """

    code = "path-budget"

    def __init__(self, counter: str, message: str) -> None:
        super().__init__(message)
        self.counter = counter
        self.text = ""

    def __str__(self) -> str:
        """The message with the expression."""
        return f"{self.message} (in `{_shortened(self.text)}`)" if self.text else self.message


class PathUnknownError(PathError):
    """The expression reads a variable whose value is not known; nothing in an expression catches that."""

    code = "path-unknown"


def _shortened(text: str, limit: int = 200) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _caret(text: str, line: int, column: int, width: int) -> str:
    """The line with carets; long lines are cut around the token, control characters shown as spaces."""
    source = text.split("\n")[line - 1]
    cut = max(0, column - 60)
    shown = "".join(char if char.isprintable() else " " for char in source[cut : cut + 100])
    offset = column - 1 - cut
    return shown + "\n" + " " * offset + "^" * max(1, min(width, len(shown) - offset))
