"""Columns of text, laid out as kubectl does: blanks between them, nothing at the end of a line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, pairwise, zip_longest
from typing import Literal, NamedTuple

from workload_map.render.style import PLAIN, Style
from workload_map.render.text import cut, width, wrapped

_PADDING = 3
# No name that an API server takes is longer; one that is must not make every other row as long.
_WIDEST = 253
# A column that is cut further tells nothing any more; of names that are longer half has to be left.
_NARROWEST = 8
_INDENT = 4  # of the columns that stand below others


Names = Literal["cut", "last", "whole"]
"""How a column gives way that tells rows apart: as all others do, after all others, or never."""


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
    names: Names = "cut",
    before: Widths | None = None,
) -> Iterator[str]:
    """The rows as lines whose columns align, as `blocks` gives them."""
    return chain.from_iterable(blocks(rows, style, names=names, before=before))


def blocks(
    rows: Sequence[Sequence[Cell]],
    style: Style = PLAIN,
    *,
    names: Names = "cut",
    before: Widths | None = None,
) -> Iterator[list[str]]:
    """The lines of each row, whose columns align.

    Args:
        rows: All have the same number of cells.
        style: How many columns of a terminal there are: the widest columns of the table are made to fit.
            Where too little would be left of them, the last columns stand below the first ones.
        names: How the first column gives way, which tells the rows apart.
        before: The columns of the rows that were shown before these, where the table goes on.
    """
    widths = _widths(rows)
    widths = before.grown(widths) if before is not None else widths
    if style.columns is None or _total(widths) <= style.columns:
        for row in rows:
            yield [_line(row, widths)]
        return
    if names == "last":
        fitted, parts = _fitted_names(widths, style.columns, _words(rows)), [slice(None)]
    else:
        fitted = _cut(rows, widths, style.columns, 1 if names == "whole" else 0)
        parts = _parts(widths, style.columns)
    for row in rows:
        yield list(_folded(row, widths, parts) if fitted == widths else _wrapped(row, fitted, style))


def fits(rows: Sequence[Sequence[Cell]], style: Style) -> bool:
    """Whether all rows can be shown as they are."""
    return style.columns is None or _total(_widths(rows)) <= style.columns


def _widths(rows: Sequence[Sequence[Cell]]) -> list[int]:
    return [min(max([width(cell.text) for cell in column]), _WIDEST) for column in zip(*rows, strict=True)]


def _total(widths: list[int]) -> int:
    """How many columns of a terminal these columns take, with what is between them."""
    return sum(widths) + _PADDING * max(sum(map(bool, widths)) - 1, 0)


def _cut(rows: Sequence[Sequence[Cell]], widths: list[int], room: int, kept: int) -> list[int]:
    """The widths with all columns but the first ones cut to fit; as they are, if too little would be left."""
    goes_on = any(cell.whole for row in rows for cell in row)  # then it may take any number of lines
    least = _NARROWEST if goes_on else max(widths[kept:], default=0) // 2
    room -= _PADDING * kept + sum(widths[:kept])
    return [*widths[:kept], *_fitted(widths[kept:], room, least, _words(rows)[kept:])]


def _words(rows: Sequence[Sequence[Cell]]) -> list[int]:
    """For each column the longest word of what goes on below: it is broken where no other can give way."""
    return [
        max((width(word) for cell in column if cell.whole for word in cell.text.split(" ")), default=0)
        for column in zip(*rows, strict=True)
    ]


def _fitted(widths: list[int], room: int, least: int, words: list[int]) -> list[int]:
    """The widths, the largest made equal, as small as it takes; as they are if that is below the least."""
    for narrowest in (words, [0] * len(widths)):
        for most in range(max(widths, default=0), max(least, _NARROWEST) - 1, -1):
            fitted = [min(wide, max(most, one)) for wide, one in zip(widths, narrowest, strict=True)]
            if _total(fitted) <= room:
                return fitted
    return widths


def _parts(widths: list[int], room: int) -> list[slice]:
    """The columns line by line: as many beside each other as there is room for."""
    starts = [0]
    for column in range(1, len(widths)):
        first = starts[-1]
        if _total(widths[first : column + 1]) > room - (_INDENT if first else 0):
            starts.append(column)
    return [slice(*pair) for pair in pairwise([*starts, len(widths)])]


def _folded(row: Sequence[Cell], widths: list[int], parts: list[slice]) -> Iterator[str]:
    """The lines of a row of which nothing is cut, those below the first set in; none where one is empty."""
    for part in parts:
        line = _line(row[part], widths[part])
        if part is parts[0]:
            yield line
        elif line:
            yield " " * _INDENT + line


def _wrapped(row: Sequence[Cell], fitted: list[int], style: Style) -> Iterator[str]:
    """The lines of a row, of which cells are cut or go on below."""
    pieces = [_pieces(cell, room, style) for cell, room in zip(row, fitted, strict=True)]
    return (_line(part, fitted) for part in zip_longest(*pieces, fillvalue=_EMPTY))


def _fitted_names(widths: list[int], room: int, words: list[int]) -> list[int]:
    """As `_fitted`, but the first gives way only to the others at their narrowest."""
    first, *others = widths
    left = room - sum(min(wide, _NARROWEST) + _PADDING for wide in others if wide)
    if left < min(first, _NARROWEST):
        return widths
    kept = min(first, left)
    return [kept, *_fitted(others, room - kept - _PADDING, _NARROWEST, words[1:])]


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
