"""How answers came about, as text that a person can follow: each answer with what it rests on below it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from workload_map.engine.explaining import Explanation, Fact
from workload_map.engine.view import Read
from workload_map.render.amounts import UNKNOWN
from workload_map.render.problems import problems
from workload_map.render.style import Style
from workload_map.render.text import hanging, packed, printable

_MOST_TEXT = 100
_MOST_READS = 8
# All rules of a definition stand below this.
_PREFIX = "spec.structureDefinition."

Line = Callable[[str], int | None]
"""Gives the line of a place in the definition, where it is known."""


def explanation(found: Explanation, *, file: str | None, line: Line, style: Style) -> Iterator[str]:
    """The lines that explain.

    Args:
        found: What is explained.
        file: How the file of the definition is called; None where it is in none.
        line: Where a place of the definition stands in it.
        style: How to draw.
    """
    workload = found.workload
    name = printable(f"{workload.kind}/{workload.name}")
    where = f", {printable(file)}" if file else ""
    definition = f"definition: {printable(workload.definition)} ({found.origin}{where})"
    yield from packed([name, definition], style.columns)
    writer = _Writer(line, style)
    for fact in found.facts:
        yield ""
        yield from writer.fact(fact, "", "")
    if found.problems:
        yield ""
        yield from problems(found.problems, style)


class _Writer:
    def __init__(self, line: Line, style: Style) -> None:
        self._line = line
        self._style = style

    def fact(self, fact: Fact, before: str, below: str) -> Iterator[str]:
        """The lines of a fact.

        Args:
            fact: The answer.
            before: What its first line begins with.
            below: What the others do.
        """
        style = self._style
        value = "" if fact.value is None and fact.facts and fact.rule else f" = {_answer(fact.value)}"
        told = f"{printable(fact.what)}{value}: {printable(fact.because)}"
        inside = below + (style.line if fact.facts else "    ")
        if fact.value is False and fact.rule is not None:  # where it stands is all that there is to tell
            yield from self._fit(f"{told} ({self._place(fact)})", before, inside)
            return
        lines = self._fit(told, before, inside)
        yield from lines if before else map(style.heading, lines)
        for text, indent in self._source(fact):
            yield from self._fit(text, inside + indent, inside + indent)
        for inner in fact.facts:
            is_last = inner is fact.facts[-1]
            branch, beside = (style.last_branch, "    ") if is_last else (style.branch, style.line)
            yield from self.fact(inner, below + branch, below + beside)

    def _place(self, fact: Fact) -> str:
        place = printable((fact.rule or "").removeprefix(_PREFIX))
        if fact.definition is not None:
            return f"{place} of {printable(fact.definition)}"
        line = self._line(fact.rule or "")
        return place + (f", line {line}" if line is not None else "")

    def _source(self, fact: Fact) -> Iterator[tuple[str, str]]:
        """The rule and what it read, each with its indent."""
        if fact.rule is not None:
            yield f"by {self._place(fact)}", ""
        if fact.expression is not None:
            yield _cut(printable(" ".join(fact.expression.split()))), "   "
        for read in fact.reads[:_MOST_READS]:
            yield f"read {_read(read)}", ""
        if len(fact.reads) > _MOST_READS:
            yield f"and {len(fact.reads) - _MOST_READS} more", "     "

    def _fit(self, text: str, first: str, rest: str) -> list[str]:
        return hanging(text, self._style.columns, first, rest)


def _read(read: Read) -> str:
    if read.value is None:
        return f"{printable(read.path)}, which is absent"
    return f"{printable(read.path)} = {_cut(printable(msgspec.json.encode(read.value).decode()))}"


def _answer(value: Any) -> str:
    if value is None:
        return UNKNOWN
    if isinstance(value, bool):
        return "yes" if value else "no"
    return _cut(printable(str(value)))


def _cut(text: str) -> str:
    return text if len(text) <= _MOST_TEXT else f"{text[: _MOST_TEXT - 1]}…"
