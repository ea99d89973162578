"""Columns of text, laid out as kubectl does: blanks between them, nothing at the end of a line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from workload_map.render.style import PLAIN, Style
from workload_map.render.text import cut, width, wrapped

_PADDING = 3
# No name that an API server takes is longer; one that is must not make every other row as long.
_WIDEST = 253
# A column that is cut further tells nothing any more.
_NARROWEST = 8


class Cell(NamedTuple):
    """A text, already safe to print, and how it is painted; colours take no columns.

    Attributes:
        text: The text.
        painted: The same with colours.
        whole: Whether all of it matters: where it does not fit it goes on below instead of being cut.
    """

    text: str
    painted: str
    whole: bool = False

    @classmethod
    def plain(cls, text: str) -> Cell:
        """A cell without colour."""
        return cls(text, text)


_EMPTY = Cell.plain("")


class Widths:
    """How wide the columns of a table that goes on have been: they never shrink, so that later rows align."""

    def __init__(self) -> None:
        self._widest: list[int] = []

    def grown(self, widths: list[int]) -> list[int]:
        """The widths, each at least what it was before."""
        self._widest = [max(pair) for pair in zip_longest(self._widest, widths, fillvalue=0)]
        return self._widest


def lines(
    rows: Sequence[Sequence[Cell]],
    style: Style = PLAIN,
    *,
    names_first: bool = False,
    before: Widths | None = None,
) -> Iterator[str]:
    """The rows as lines whose columns align.

    Args:
        rows: All have the same number of cells.
        style: How many columns of a terminal there are: the widest columns of the table are made to fit.
        names_first: The first column tells the rows apart, so it gives way after all others.
        before: The columns of the rows that were shown before these, where the table goes on.
    """
    widths = [min(max([width(cell.text) for cell in column]), _WIDEST) for column in zip(*rows, strict=True)]
    widths = before.grown(widths) if before is not None else widths
    fit = _fitted_names if names_first else _fitted
    fitted = fit(widths, style.columns) if style.columns is not None else widths
    for row in rows:
        if fitted == widths:
            yield _line(row, fitted)
            continue
        pieces = [_pieces(cell, room, style) for cell, room in zip(row, fitted, strict=True)]
        yield from (_line(part, fitted) for part in zip_longest(*pieces, fillvalue=_EMPTY))


def _fitted(widths: list[int], room: int) -> list[int]:
    """The widths, the largest ones made equal, as small as it takes; as they are if that is too small."""
    between = _PADDING * (sum(map(bool, widths)) - 1)
    for most in range(max(widths, default=0), _NARROWEST - 1, -1):
        fitted = [min(wide, most) for wide in widths]
        if sum(fitted) + between <= room:
            return fitted
    return widths


def _fitted_names(widths: list[int], room: int) -> list[int]:
    """As `_fitted`, but the first gives way only to the others at their narrowest."""
    first, *others = widths
    left = room - sum(min(wide, _NARROWEST) + _PADDING for wide in others if wide)
    if left < min(first, _NARROWEST):
        return widths
    kept = min(first, left)
    return [kept, *_fitted(others, room - kept - _PADDING)]


def _pieces(cell: Cell, room: int, style: Style) -> list[Cell]:
    """What a cell shows in its column, line by line."""
    if width(cell.text) <= room:
        return [cell]
    if cell.whole:
        return [Cell(part, cell.painted.replace(cell.text, part)) for part in wrapped(cell.text, room)]
    return [Cell(cut(cell.text, room, style.ellipsis), cut(cell.painted, room, style.ellipsis))]


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
