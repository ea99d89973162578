"""Where the blocks of a picture stand: boxes in boxes, side by side as far as the width goes.

Nothing measures text here, as a browser would: widths are estimated from the characters, a little too wide,
and what is longer than a box may be is cut with `…` (the whole of it stays in the tooltip).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from workload_map.render.picture.blocks import MOST_NODES, Block, Mark
from workload_map.render.text import cut as cut_at
from workload_map.render.text import printable, width

PAD = 12
MARK, STEP = 12, 16
TITLE, LINE = 13, 11
LINE_HEIGHT = 16
HEADER = 64
_GAP = 10
_WIDEST = 1080
_LEAST = 130
_MOST_TEXT = 40
# Pods of one box in a row, and of one with more of them.
_ROW, _LONG_ROW = 10, 20
# The most that a narrow, a usual and a wide letter of a name takes in DejaVu Sans, the widest of the fonts
# that a picture names, in parts of the font size.
_PLAIN, _BOLD = (0.45, 0.64, 0.99), (0.5, 0.72, 1.11)
_NARROW, _WIDE = frozenset("fijlrt-.,"), frozenset("mwMW")


class Line(msgspec.Struct, frozen=True):
    """A line of text in a box.

    Attributes:
        kind: `title`, `counts`, `phase`, `where` or `more`.
        text: What it says, cut where it is too long.
        whole: What it would say.
        aside: What follows it, fainter.
    """

    kind: str
    text: str
    whole: str
    aside: str = ""


class Box(msgspec.Struct):
    """A block with its place.

    Attributes:
        block: What is drawn.
        x: Its left edge, from the left edge of the picture.
        y: Its upper edge, from the upper edge of the picture.
        width: Its width.
        height: Its height.
        lines: The text at its top, in order.
        marks: Its marks with the places of their upper left corners.
        rest: The line below the marks, of pods that have no mark.
        rest_y: The base line of that.
        boxes: What is in it.
    """

    block: Block
    x: float
    y: float
    width: float
    height: float
    lines: tuple[Line, ...]
    marks: list[tuple[Mark, float, float]]
    rest: Line | None
    rest_y: float
    boxes: list[Box]


def lay_out(root: Block) -> Box:
    """The places of everything, in pixels; the outermost box begins at (0, 0)."""
    return _place(root, 0, 0, _WIDEST, HEADER + LINE_HEIGHT * len(root.doubts))


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """About how wide a text is, in pixels.

    Args:
        text: The text.
        size: The font size in pixels.
        bold: Whether its letters are bold, which are wider.
    """
    narrow, usual, wide = _BOLD if bold else _PLAIN
    slim, fat = sum(map(text.count, _NARROW)), sum(map(text.count, _WIDE))
    return size * (narrow * slim + wide * fat + usual * (width(text) - slim - fat))


def cut(text: str, most: int = _MOST_TEXT) -> str:
    """The text, with `…` for what is beyond `most` columns."""
    return text if width(text) <= most else cut_at(text, most, "…")


def _place(block: Block, x: float, y: float, room: float, header: float | None = None) -> Box:
    lines = _lines(block) if header is None else ()
    top = y + (PAD + LINE_HEIGHT * len(lines) if header is None else header)
    marks, marks_width, top = _marks(block, x + PAD, top, room - 2 * PAD)
    rest, rest_y = _rest(block), 0.0
    if rest is not None:
        top += LINE_HEIGHT
        rest_y = top - 4
    boxes, boxes_width, top = _boxes(block.blocks, x + PAD, top, room - 2 * PAD)
    texts = [_line_width(line) for line in (*lines, *([rest] if rest is not None else []))]
    inner = max([marks_width, boxes_width, *texts])
    wide = max(inner + 2 * PAD, _LEAST)
    return Box(block, x, y, wide, top - y + PAD, lines, marks, rest, rest_y, boxes)


def _lines(block: Block) -> tuple[Line, ...]:
    title = Line("title", cut(block.title), block.title, aside=cut(block.note))
    found = [("counts", block.counts), ("phase", block.phase or "")]
    lines = [title, *(Line(kind, cut(text), text) for kind, text in found if text)]
    if block.nodes:
        lines.append(Line("where", _where(block), f"on {block.where()}"))
    return tuple(lines)


def _where(block: Block) -> str:
    """The nodes: as many names as fit whole, and how many more there are."""
    for most in range(MOST_NODES, 0, -1):
        text = f"on {block.where(most)}"
        if width(text) <= _MOST_TEXT:
            return text
    more = f", +{len(block.nodes) - 1}" if len(block.nodes) > 1 else ""
    return f"on {cut(printable(block.nodes[0]), _MOST_TEXT - len('on ' + more))}{more}"


def _line_width(line: Line) -> float:
    title = line.kind == "title"
    told = text_width(line.text, TITLE if title else LINE, bold=title)
    return told + (text_width(f"  {line.aside}", LINE) if line.aside else 0)


def _marks(
    block: Block, x: float, top: float, room: float
) -> tuple[list[tuple[Mark, float, float]], float, float]:
    if not block.marks:
        return [], 0, top
    row = _row(len(block.marks), room)
    placed = [
        (mark, x + (number % row) * STEP, top + 4 + (number // row) * STEP)
        for number, mark in enumerate(block.marks)
    ]
    rows = -(-len(block.marks) // row)
    return placed, min(len(block.marks), row) * STEP, top + 4 + rows * STEP


def _row(marks: int, room: float) -> int:
    """How many marks stand side by side: few enough to count, and for many so that the box is no tower."""
    if marks <= 2 * _ROW:
        return _ROW
    return min(max(_LONG_ROW, math.isqrt(2 * marks)), int(room // STEP))


def _rest(block: Block) -> Line | None:
    parts = []
    if block.hidden:
        total = sum(count for _, count in block.hidden)
        states = ", ".join(f"{count} {state}" for state, count in block.hidden)
        parts.append(f"{total} more: {states}")
    if block.left_out:
        parts.append(f"{block.left_out} more not drawn")
    text = "; ".join(parts)
    return Line("more", text, text) if text else None


def _boxes(blocks: Sequence[Block], x: float, top: float, room: float) -> tuple[list[Box], float, float]:
    """The boxes in rows; those that hold no others stand in columns."""
    placed: list[Box] = []
    row: list[Box] = []
    widest, left, top = 0.0, x, top + (_GAP / 2 if blocks else 0)
    least = max((_place(block, x, top, room).width for block in blocks if not block.blocks), default=0.0)
    for block in blocks:
        box = _place(block, left, top, room)
        wide = box.width if block.blocks else least
        if row and left + wide > x + room:
            top = _end_row(row) + _GAP
            left, row = x, []
            box = _place(block, left, top, room)
        box.width = wide
        row.append(box)
        placed.append(box)
        left += box.width + _GAP
        widest = max(widest, left - _GAP - x)
    return placed, widest, _end_row(row) if row else top


def _end_row(row: list[Box]) -> float:
    """Make the boxes of a row as high as its highest, but none much higher than what is in it."""
    bottom = max(box.y + box.height for box in row)
    for box in row:
        box.height = min(bottom - box.y, 2 * box.height)
    return bottom
