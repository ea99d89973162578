"""Events of a workload and of what belongs to it, as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from workload_map.engine.times import utc
from workload_map.render.age import age
from workload_map.render.style import Style
from workload_map.render.table import Cell, lines
from workload_map.render.text import printable

_HEADINGS = ("LAST SEEN", "TYPE", "REASON", "OBJECT", "MESSAGE")


def events(found: Iterable[Any], now: datetime, style: Style) -> Iterator[str]:
    """The lines that show events, the latest last; one line that says so where there are none.

    Args:
        found: Events of the core API or of `events.k8s.io`.
        now: The time that ages count from.
        style: How to draw.
    """
    yield style.heading("Events:")
    rows = sorted((_time(event) or "", *_cells(event, now)) for event in found)
    if not rows:
        yield "none"
        return
    cells = [[*map(Cell.plain, row[1:-1]), Cell(row[-1], row[-1], whole=True)] for row in rows]
    yield from lines([[Cell(name, style.heading(name)) for name in _HEADINGS], *cells], style)


def _cells(event: Any, now: datetime) -> tuple[str, ...]:
    about = _mapping(event.get("involvedObject") or event.get("regarding"))
    message = " ".join(_text(event.get("message") or event.get("note")).split())
    name = f"{_text(about.get('kind')).lower()}/{_text(about.get('name'))}"
    texts = (_text(event.get("type")), _text(event.get("reason")), name, message)
    return (age(_time(event), now), *map(printable, texts))


def _time(event: Any) -> str | None:
    series = _mapping(event.get("series"))
    metadata = _mapping(event.get("metadata"))
    times = (
        series.get("lastObservedTime"),
        event.get("lastTimestamp") or event.get("deprecatedLastTimestamp"),
        event.get("eventTime"),
        metadata.get("creationTimestamp"),
    )
    return next((time for one in times if (time := utc(one)) is not None), None)


def _mapping(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
