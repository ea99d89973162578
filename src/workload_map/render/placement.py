"""Where a pod belongs, as text."""

from __future__ import annotations

from collections.abc import Iterator

from workload_map.engine.placement import Placement
from workload_map.render.rows import NONE
from workload_map.render.style import Style
from workload_map.render.table import Cell, lines
from workload_map.render.text import printable


def placement(found: Placement, style: Style) -> Iterator[str]:
    """The lines that tell the place of a pod, and the chain of controllers from the pod up."""
    workload = found.workload
    rows = [
        ("Pod:", found.pod),
        ("Namespace:", found.namespace),
        ("Workload:", f"{workload.kind}/{workload.name}" if workload else None),
        ("Definition:", workload.definition if workload else None),
        ("Component:", found.component),
        ("Instance:", found.instance),
        ("Replica group:", found.replica_group),
        ("Chain:", " <- ".join(f"{link.kind}/{link.name}" for link in found.chain)),
    ]
    if found.because is not None:
        rows.append(("Because:", found.because))
    cells = [(name, printable(text or NONE)) for name, text in rows]
    yield from lines([(Cell.plain(name), Cell(text, text, whole=True)) for name, text in cells], style)
