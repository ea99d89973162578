"""Definitions as a table and as a list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from workload_map.definition import Definition, Entry
from workload_map.render.machine import plain
from workload_map.render.rows import NONE
from workload_map.render.style import Style
from workload_map.render.table import Cell, lines
from workload_map.render.text import printable, shortened

_MOST_COMPONENTS = 4
_HEADINGS = ("NAME", "KIND", "APIVERSION", "ORIGIN", "COMPONENTS")


def table(entries: Sequence[Entry], style: Style, *, headings: bool) -> Iterator[str]:
    """The lines of the table of definitions, by name."""
    rows = [_row(entry) for entry in sorted(entries, key=lambda entry: entry.name)]
    if headings and rows:
        rows.insert(0, tuple(Cell(text, style.heading(text)) for text in _HEADINGS))
    yield from lines(rows, style, names="whole")


def _row(entry: Entry) -> tuple[Cell, ...]:
    components = [component.name for component in entry.definition.components]
    versions = ",".join((entry.api_version, *entry.kind.versions))
    texts = (entry.name, entry.kind.kind or NONE, versions or NONE, entry.origin)
    return (
        *(Cell.plain(printable(text)) for text in texts),
        Cell.plain(shortened(components, _MOST_COMPONENTS)),
    )


def listing(shown: Sequence[tuple[Entry, Definition]]) -> dict[str, Any]:
    """Many definitions as one document, which `kubectl` and this library can read again.

    Where each comes from stands beside the items, in their order.
    """
    return {
        "apiVersion": "v1",
        "kind": "List",
        "items": [plain(definition) for _, definition in shown],
        "origins": [entry.origin for entry, _ in shown],
    }
