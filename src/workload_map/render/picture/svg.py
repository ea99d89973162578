"""A picture as SVG: no script, no font, no link; one file for light and dark surroundings."""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import escape

from workload_map.engine.view import Workload
from workload_map.render.picture.blocks import Block, Limits, State, blocks
from workload_map.render.picture.layout import (
    LINE,
    LINE_HEIGHT,
    MARK,
    PAD,
    Box,
    Line,
    cut,
    lay_out,
    text_width,
)
from workload_map.render.rows import DISAGREEMENT_MARK

_LIGHT = {
    "paper": "#ffffff",
    "box": "#f4f6f9",
    "edge": "#c3cad4",
    "text": "#1c2330",
    "faint": "#5b6675",
    "green": "#1a7f37",
    "blue": "#0b63c5",
    "yellow": "#9a6700",
    "red": "#c4161c",
    "grey": "#6e7781",
}
_DARK = {
    "paper": "#0f141b",
    "box": "#18202b",
    "edge": "#3a4656",
    "text": "#e6ebf2",
    "faint": "#9aa6b5",
    "green": "#3fb950",
    "blue": "#58a6ff",
    "yellow": "#d6a11d",
    "red": "#ff6b66",
    "grey": "#8b949e",
}
_PHASES = {
    "Initializing": "blue",
    "Running": "green",
    "Completed": "green",
    "Degraded": "yellow",
    "Suspending": "grey",
    "Suspended": "grey",
    "Resuming": "blue",
    "Failed": "red",
}
_COLOURS = {
    State.READY: "green",
    State.DONE: "green",
    State.STARTING: "blue",
    State.WAITING: "yellow",
    State.BROKEN: "red",
    State.LEAVING: "grey",
    State.MISSING: "grey",
    State.UNKNOWN: "grey",
}
_LEGEND = 28
# What a browser has, then the fonts of common systems by name for programs that know no generic one.
FONT = (
    "system-ui, 'Segoe UI', 'Helvetica Neue', 'Noto Sans', Roboto, 'DejaVu Sans', 'Liberation Sans', Arial, "
    "sans-serif"
)
THEMES = ("auto", "light", "dark")


def svg(view: Workload, limits: Limits, theme: str = "auto") -> str:
    """The picture of a workload.

    Args:
        view: The workload, with its pods where they were looked at.
        limits: How much of it is drawn.
        theme: `light`, `dark`, or `auto`: as the reader's surroundings are.
    """
    root = blocks(view, limits)
    return "\n".join(_document(root, lay_out(root), theme)) + "\n"


def _document(root: Block, box: Box, theme: str) -> Iterator[str]:
    legend = _legend(root)
    title = _summary(root)
    texts = [text_width(text, LINE) for text in (title, *root.doubts)]
    header = max(*texts, _name_width(root) + _pill_width(root) + 3 * PAD)
    wide = max(box.width, header + 2 * PAD, legend[1] + 2 * PAD)
    high = box.height + (_LEGEND if legend[0] else 0)
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:.0f} {high:.0f}" width="{wide:.0f}" '
        f'height="{high:.0f}" role="img" font-family="{FONT}">'
    )
    yield f"<title>{escape(f'{root.title}: {title}')}</title>"
    yield f"<style>{_style(theme)}</style>"
    yield f'<rect class="paper" width="{wide:.0f}" height="{high:.0f}" rx="8"/>'
    yield from _header(root, title)
    if box.rest is not None:
        yield _text(box.rest, PAD, box.rest_y)
    yield from _marks(box)
    for inner in box.boxes:
        yield from _box(inner)
    if legend[0]:
        yield f'<g transform="translate({PAD} {high - _LEGEND + 2:.0f})">{legend[0]}</g>'
    yield "</svg>"


def _style(theme: str) -> str:
    colours = _DARK if theme == "dark" else _LIGHT
    rules = (
        "text{font-size:11px}.title{font-size:13px;font-weight:600}.name{font-size:20px;font-weight:600}"
        ".aside{font-size:11px;font-weight:400}.pill{font-size:12px;font-weight:600}.mark{stroke-width:1.6}.empty{fill:none}"
    )
    dark = f"@media (prefers-color-scheme:dark){{{_paint(_DARK)}}}" if theme == "auto" else ""
    return rules + _paint(colours) + dark


def _paint(colours: dict[str, str]) -> str:
    faint = f".aside,.where,.more,.key{{fill:{colours['faint']}}}"
    shapes = f".paper{{fill:{colours['paper']}}}.box{{fill:{colours['box']};stroke:{colours['edge']}}}"
    texts = f"text{{fill:{colours['text']}}}{faint}.pill{{fill:{colours['paper']}}}"
    texts += f".doubt{{fill:{colours['yellow']}}}"
    named = "".join(
        f".f-{name}{{fill:{colours[name]}}}.s-{name}{{stroke:{colours[name]}}}"
        for name in ("green", "blue", "yellow", "red", "grey", "paper")
    )
    return shapes + texts + named


def _summary(root: Block) -> str:
    return f"{root.note} · {root.counts}"


def _name_width(root: Block) -> float:
    return text_width(cut(root.title), 20, bold=True)


def _pill_width(root: Block) -> float:
    return text_width(root.phase + root.phase_marks, 12, bold=True) + 20 if root.phase else 0


def _header(root: Block, summary: str) -> Iterator[str]:
    name = cut(root.title)
    yield f'<text class="name" x="{PAD}" y="30">{escape(name)}<title>{escape(root.title)}</title></text>'
    if root.phase:
        left = PAD + _name_width(root) + PAD
        wide = _pill_width(root)
        # What its pods contradict must not look as if all were well.
        colour = "yellow" if DISAGREEMENT_MARK in root.phase_marks else _PHASES.get(root.phase, "grey")
        yield f'<rect class="f-{colour}" x="{left:.1f}" y="13" width="{wide:.1f}" height="22" rx="11"/>'
        middle = left + wide / 2
        text = escape(root.phase + root.phase_marks)
        yield f'<text class="pill" x="{middle:.1f}" y="28" text-anchor="middle">{text}</text>'
    for number, line in enumerate((summary, *root.doubts)):
        kind = "doubt" if number else "counts"
        yield f'<text class="{kind}" x="{PAD}" y="{50 + number * LINE_HEIGHT}">{escape(line)}</text>'


def _box(box: Box) -> Iterator[str]:
    yield (
        f'<rect class="box" x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" '
        f'height="{box.height:.1f}" rx="6"/>'
    )
    base = box.y + PAD + LINE
    for number, line in enumerate(box.lines):
        yield _text(line, box.x + PAD, base + number * LINE_HEIGHT)
    yield from _marks(box)
    if box.rest is not None:
        yield _text(box.rest, box.x + PAD, box.rest_y)
    for inner in box.boxes:
        yield from _box(inner)


def _text(line: Line, x: float, y: float) -> str:
    whole = f"<title>{escape(line.whole)}</title>" if line.whole != line.text else ""
    colour = f" f-{_PHASES.get(line.whole, 'grey')}" if line.kind == "phase" else ""
    aside = f'<tspan class="aside" dx="8">{escape(line.aside)}</tspan>' if line.aside else ""
    text = escape(line.text) + aside + whole
    return f'<text class="{line.kind}{colour}" x="{x:.1f}" y="{y:.1f}">{text}</text>'


def _marks(box: Box) -> Iterator[str]:
    for mark, x, y in box.marks:
        tip = f"<title>{escape(mark.text)}</title>" if mark.text else ""
        yield f'<g transform="translate({x:.1f} {y:.1f})">{_shape(mark.state)}{tip}</g>'


def _shape(state: State) -> str:
    """A mark of 12 pixels: each state has a shape of its own, so that colour is never the only sign."""
    colour = _COLOURS[state]
    edge = f'class="mark empty s-{colour}"'
    square = f'<rect {edge} x="1" y="1" width="{MARK - 2}" height="{MARK - 2}" rx="2"'
    match state:
        case State.READY:
            return f'<rect class="f-{colour}" width="{MARK}" height="{MARK}" rx="2"/>'
        case State.DONE:
            return f'{square}/><path {edge} d="M3 6.5 5.3 9 9.2 3.5"/>'
        case State.STARTING:
            return f'{square}/><rect class="f-{colour}" x="1" y="6" width="{MARK - 2}" height="5"/>'
        case State.WAITING:
            return f"{square}/>"
        case State.BROKEN:
            cross = '<path class="mark empty s-paper" d="M3.2 3.2 8.8 8.8M8.8 3.2 3.2 8.8"/>'
            return f'<rect class="f-{colour}" width="{MARK}" height="{MARK}" rx="2"/>{cross}'
        case State.LEAVING:
            return f'{square}/><path {edge} d="M2.5 9.5 9.5 2.5"/>'
        case State.MISSING:
            return f'{square} stroke-dasharray="2 2"/>'
        case State.UNKNOWN:
            return (
                f'{square} stroke-dasharray="2 2"/><path {edge} d="M4.2 4.6a1.9 1.9 0 1 1 1.9 2v1M6.1 9v.6"/>'
            )


def _legend(root: Block) -> tuple[str, float]:
    """The signs that are used and what they mean, and how wide that is."""
    used = set(root.states())
    parts: list[str] = []
    left = 0.0
    for state in State:
        if state not in used:
            continue
        parts.append(f'<g transform="translate({left:.1f} 0)">{_shape(state)}</g>')
        parts.append(f'<text class="key" x="{left + 18:.1f}" y="10">{state}</text>')
        left += 18 + text_width(state, LINE) + 14
    return "".join(parts), left
