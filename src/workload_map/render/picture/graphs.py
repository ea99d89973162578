"""A picture as the text of a graph: Mermaid for documents, DOT for Graphviz. Pods are counted, not drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from workload_map.engine.view import Workload
from workload_map.render.picture.blocks import Block, Limits, State, blocks

# What a label must not hold as itself: Mermaid reads labels as HTML, with character codes of its own.
_MERMAID = {ord(char): f"#{ord(char)};" for char in '"#<>&`\\[]{}()|'}
_MOST_ABREAST = 6
_TROUBLED = {State.BROKEN: "failing", State.WAITING: "waiting", State.STARTING: "waiting"}


def mermaid(view: Workload, limits: Limits) -> str:
    """The picture as a Mermaid flowchart.

    Args:
        view: The workload.
        limits: How much of it is drawn.
    """
    root = blocks(view, limits)
    lines = [f"flowchart {'LR' if _is_broad(root) else 'TD'}"]
    for number, (block, parent) in enumerate(_numbered(root, None)):
        label = "<br/>".join(text.translate(_MERMAID) for text in _label(block))
        lines.append(f'  n{number}["{label}"]{_class(block)}')
        if parent is not None:
            lines.append(f"  n{parent} --> n{number}")
    lines += [
        "  classDef failing stroke:#c4161c,stroke-width:2px",
        "  classDef waiting stroke:#9a6700,stroke-width:2px",
    ]
    return "\n".join(lines) + "\n"


def dot(view: Workload, limits: Limits) -> str:
    """The picture as a directed graph in the DOT language.

    Args:
        view: The workload.
        limits: How much of it is drawn.
    """
    root = blocks(view, limits)
    lines = ["digraph workload {", '  node [shape=box, style=rounded, fontname="sans-serif"];']
    lines += ["  rankdir=LR;"] if _is_broad(root) else []
    for number, (block, parent) in enumerate(_numbered(root, None)):
        label = "\\n".join(_dot_text(text) for text in _label(block))
        lines.append(f'  n{number} [label="{label}"];')
        if parent is not None:
            lines.append(f"  n{parent} -> n{number};")
    return "\n".join([*lines, "}"]) + "\n"


def _dot_text(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _label(block: Block) -> Iterator[str]:
    yield f"{block.title} ({block.note})" if block.note else block.title
    yield block.counts
    if block.phase:
        yield block.phase + block.phase_marks
    yield from block.doubts
    counts = Counter(mark.state for mark in block.marks)
    counts.update(dict(block.hidden))
    if counts.keys() - {State.READY}:  # else the counts say it
        yield ", ".join(f"{counts[state]} {state}" for state in State if counts[state])
    if block.nodes:
        yield f"on {block.where()}"
    if block.left_out:
        yield f"{block.left_out} more not drawn"


def _is_broad(block: Block) -> bool:
    """Whether so many blocks are in one that they can be read below each other only."""
    return len(block.blocks) > _MOST_ABREAST or any(map(_is_broad, block.blocks))


def _class(block: Block) -> str:
    states = {mark.state for mark in block.marks} | {state for state, _ in block.hidden}
    named = [name for state, name in _TROUBLED.items() if state in states]
    return f":::{named[0]}" if named else ""


def _numbered(root: Block, parent: int | None) -> Iterator[tuple[Block, int | None]]:
    """The blocks in the order of their numbers, each with the number of the one that it is in."""
    stack: list[tuple[Block, int | None]] = [(root, parent)]
    number = 0
    while stack:
        block, above = stack.pop()
        yield block, above
        stack += [(inner, number) for inner in reversed(block.blocks)]
        number += 1
