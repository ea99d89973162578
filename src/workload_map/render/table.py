"""Columns of text, laid out as kubectl does: blanks between them, nothing at the end of a line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from workload_map.render.text import width

_PADDING = 3
# No name that an API server takes is longer; one that is must not make every other row as long.
_WIDEST = 253


class Cell(NamedTuple):
    """A text, already safe to print, and how it is painted; colours take no columns."""

    text: str
    painted: str

    @classmethod
    def plain(cls, text: str) -> Cell:
        """A cell without colour."""
        return cls(text, text)


def lines(rows: Sequence[Sequence[Cell]]) -> Iterator[str]:
    """The rows as lines whose columns align. All rows have the same number of cells."""
    widths = [min(max(width(cell.text) for cell in column), _WIDEST) for column in zip(*rows, strict=True)]
    for row in rows:
        yield _line(row, widths)


def _line(row: Sequence[Cell], widths: list[int]) -> str:
    parts: list[str] = []
    blanks = 0
    for cell, wide in zip(row, widths, strict=True):
        if not wide:  # a column that is empty in every row takes no room
            continue
        if cell.text:
            parts += (" " * blanks, cell.painted)
            blanks = 0
        blanks += max(wide - width(cell.text), 0) + _PADDING
    return "".join(parts)
