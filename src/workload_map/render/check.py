"""Rows of a check as a table, each with its mark."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from workload_map.engine.checking import Check, Row
from workload_map.render.rows import NONE
from workload_map.render.style import Style
from workload_map.render.table import Cell, blocks, fits, lines
from workload_map.render.text import hanging, packed, printable

_HEADINGS = ("", "CHECK", "OF", "EXPECTED", "FOUND", "WHAT IT MEANS")
_BELOW = "    "  # as wide as the mark and what is between columns
_MARKS = {"agrees": ("ok", "✓"), "differs": ("!!", "✗"), "open": ("?", "?")}


def check(found: Check, style: Style) -> Iterator[str]:
    """The lines of the check of one workload.

    Args:
        found: The comparisons.
        style: How to draw.
    """
    workload = found.workload
    header = [f"{workload.kind}/{workload.name}", f"definition: {workload.definition} ({found.origin})"]
    header += [f"phase: {found.phase}"] if found.phase is not None else []
    yield from packed([*map(printable, header)], style.columns)
    headings = tuple(Cell(text, style.heading(text)) for text in _HEADINGS)
    rows = [headings, *(_row(row, style) for row in found.rows)]
    if fits(rows, style):
        yield from lines(rows, style)
        return
    # What is compared needs the room. That a row agrees its mark tells, what else it means stands below it.
    told = ["", *("" if row.verdict == "agrees" else printable(row.message) for row in found.rows)]
    for own, text in zip(blocks([row[:-1] for row in rows], style), told, strict=True):
        yield from own
        yield from hanging(text, style.columns, _BELOW, _BELOW) if text else ()


def summary(found: Sequence[Check]) -> str:
    """One line on all of them: how many were compared, how many of these differ, how many rows are open."""
    compared = sum(any(row.verdict != "open" for row in one.rows) for one in found)
    count = f"{compared}" if compared == len(found) else f"{compared} of {len(found)}"
    noun = "workload" if len(found) == 1 else "workloads"
    workloads = f"{count} {noun} compared, {sum(one.differs for one in found)} differ"
    verdicts = [row.verdict for one in found for row in one.rows]
    if not (still_open := verdicts.count("open")):
        return workloads
    rows = "row" if len(verdicts) == 1 else "rows"
    return f"{workloads}, {still_open} of {len(verdicts)} {rows} could not be compared"


def _row(row: Row, style: Style) -> tuple[Cell, ...]:
    plain, drawn = _MARKS[row.verdict]
    mark = drawn if style.unicode else plain
    texts = (row.check, row.subject or NONE, row.expected or NONE, row.found or NONE, row.message)
    painted = style.trouble(mark) if row.verdict == "differs" else mark
    cells = (Cell(text, text, whole=True) for text in map(printable, texts))
    return (Cell(mark, painted), *cells)
