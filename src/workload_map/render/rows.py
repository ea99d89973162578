"""The columns of `get`: each a heading and what it says of one workload."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import datetime
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

import msgspec

from workload_map.engine.view import Component, Workload
from workload_map.render import amounts
from workload_map.render.age import age
from workload_map.render.style import Style
from workload_map.render.table import Cell, Widths, blocks, lines
from workload_map.render.text import natural, printable, shortened

NONE = "<none>"
STALE_MARK, DISAGREEMENT_MARK = "*", "!"
FOOTNOTES = {
    STALE_MARK: "the status is older than the object's last change",
    DISAGREEMENT_MARK: "the pods contradict the status; `wmap describe` tells how",
}
_MOST_NAMES = 3


class Row(NamedTuple):
    """A workload with what its view does not hold.

    Attributes:
        view: The workload.
        labels: The labels of its object.
        is_part: Whether it belongs to the workload of another row, in whose figures it is counted.
    """

    view: Workload
    labels: dict[str, str]
    is_part: bool = False


class Column(NamedTuple):
    """A heading, and what a row says under it."""

    heading: str
    cell: Callable[[Row], Cell]


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """What the table shows.

    Attributes:
        wide: All columns.
        namespace: With the namespace.
        types: With the kind.
        shared_kinds: Kinds that several groups have, so that the group is named beside them.
        labels: Labels that get a column each.
        all_labels: With all labels in one column.
        headings: With a line of headings.
        sums: With a last line of sums.
    """

    wide: bool = False
    namespace: bool = False
    types: bool = False
    shared_kinds: Collection[str] = frozenset()
    labels: tuple[str, ...] = ()
    all_labels: bool = False
    headings: bool = True
    sums: bool = False


def table(rows: Sequence[Row], options: Options, now: datetime, style: Style) -> Iterator[str]:
    """The lines of the table of `get`, as `table_rows` gives them."""
    return chain.from_iterable(table_rows(rows, options, now, style))


def table_rows(
    rows: Sequence[Row], options: Options, now: datetime, style: Style, before: Widths | None = None
) -> Iterator[list[str]]:
    """The lines of each row of the table of `get`, those of the headings first; nothing at all for no rows.

    Args:
        rows: The workloads.
        options: Which columns there are.
        now: What ages are told by.
        style: How to draw.
        before: The columns of the rows that were shown before these, where the table goes on.
    """
    if not rows:
        return
    columns = list(_columns(options, now, style))
    cells = [[column.cell(row) for column in columns] for row in rows]
    if options.headings:
        cells.insert(0, [Cell(column.heading, style.heading(column.heading)) for column in columns])
    if options.sums:
        sums = _sums(rows)
        texts = ["TOTAL", *(sums.get(column.heading, "") for column in columns[1:])]
        cells.append([Cell.plain(text) for text in texts])
    yield from blocks(cells, style, before=before)


def csv_lines(rows: Sequence[Row], options: Options, now: datetime) -> Iterator[str]:
    """The same as comma-separated values (RFC 4180), the headings also where there are no rows.

    What a spreadsheet would take for a formula gets an apostrophe before it.
    """
    columns = list(_columns(options, now, _PLAIN))
    if options.headings:
        yield _csv_line(column.heading for column in columns)
    for row in rows:
        yield _csv_line(column.cell(row).text for column in columns)


_PLAIN = Style(colour=False, unicode=True)


def _csv_line(texts: Iterable[str]) -> str:
    return ",".join(map(_csv_cell, texts))


def _csv_cell(text: str) -> str:
    # No name that an API server takes begins as a formula does, so this alters only what was made to be one.
    text = f"'{text}" if text.startswith(_FORMULA) else text
    return '"' + text.replace('"', '""') + '"' if _QUOTED.search(text) else text


_FORMULA = ("=", "+", "-", "@")
_QUOTED = re.compile('[",\r\n]')

SUM_KEYS: dict[str, Callable[[Row], str | None]] = {
    "namespace": lambda row: row.view.namespace,
    "queue": lambda row: row.view.queue.name if row.view.queue else None,
    "type": lambda row: row.view.kind,
    "phase": lambda row: row.view.phase,
}
"""What rows can be summed by."""


def sums_by(key: str, rows: Sequence[Row], style: Style, *, headings: bool) -> Iterator[str]:
    """The lines of a table with the sums of the rows that share a value of a key, by value, and of all.

    Rows that belong to another one are in its figures, and counted nowhere else.
    """
    groups: dict[str, list[Row]] = {}
    whole = [row for row in rows if not row.is_part]
    for row in whole:
        groups.setdefault(SUM_KEYS[key](row) or NONE, []).append(row)
    parts = [*sorted(groups.items()), ("TOTAL", whole)]
    names = [key.upper(), "WORKLOADS", *_sums(rows)]
    cells = [[Cell(name, style.heading(name)) for name in names]] if headings else []
    for name, group in parts:
        texts = [printable(name), str(len(group)), *_sums(group).values()]
        cells.append([Cell.plain(text) for text in texts])
    yield from lines(cells, style)


def marks(rows: Iterable[Row]) -> list[str]:
    """The marks that the phases of these rows bear, for the footnotes."""
    found = {mark for row in rows for mark in phase_marks(row.view)}
    return [mark for mark in FOOTNOTES if mark in found]


def _columns(options: Options, now: datetime, style: Style) -> Iterator[Column]:
    if options.namespace:
        yield _text("NAMESPACE", lambda row: row.view.namespace)
    yield _text("NAME", lambda row: row.view.name)
    if options.types:
        yield _text("TYPE", lambda row: _type(row.view, options.shared_kinds))
    yield Column("PHASE", lambda row: _phase(row.view, style))
    yield _text("READY", lambda row: ready(row.view))
    yield _text("GPU", lambda row: amounts.gpus(row.view.totals))
    yield _text("AGE", lambda row: age(row.view.created_at, now))
    if options.wide:
        yield from _WIDE
    for label in options.labels:
        yield _label(label)
    if options.all_labels:
        yield _text("LABELS", lambda row: ",".join(f"{key}={row.labels[key]}" for key in sorted(row.labels)))


def _text(heading: str, text: Callable[[Row], str | None]) -> Column:
    return Column(heading, lambda row: _cell(text(row)))


@lru_cache(maxsize=1024)  # most columns say the same of most rows
def _cell(text: str | None) -> Cell:
    return Cell.plain(printable(text or NONE))


def _label(label: str) -> Column:
    return _text(printable(label.rpartition("/")[2].upper()), lambda row: row.labels.get(label))


def _type(view: Workload, shared_kinds: Collection[str]) -> str:
    group, slash, _ = view.api_version.partition("/")
    return f"{view.kind}.{group}" if slash and view.kind in shared_kinds else view.kind


def _phase(view: Workload, style: Style) -> Cell:
    text = printable(view.phase or NONE) + phase_marks(view)
    return Cell(text, style.phase(text, view.phase))


def phase_marks(view: Workload) -> str:
    """What stands behind the phase where it is not all there is to say."""
    return (STALE_MARK if view.stale else "") + (DISAGREEMENT_MARK if view.disagreements else "")


def ready(view: Workload) -> str:
    """Ready pods of the desired ones: `2/3`, `?/3` where pods were not looked at."""
    observed = amounts.UNKNOWN if view.observed is None else str(view.observed.ready)
    return f"{observed}/{amounts.pods(view.totals)}"


def _components(view: Workload) -> str:
    parts = [part for component in view.components for part in _roles(component)]
    return shortened(parts, _MOST_NAMES)


def _roles(component: Component) -> Iterator[str]:
    """`name:pods` of a component, or of its instances where these have ids."""
    if all(instance.id is None for instance in component.instances):
        yield f"{component.name}:{amounts.count(component.pods)}"
        return
    for instance in component.instances:
        yield f"{instance.id}:{amounts.count(instance.pods)}"


def _in_use(view: Workload) -> str:
    return amounts.count(view.observed.gpus if view.observed else None)


def _nodes(view: Workload) -> str:
    if view.observed is None:
        return amounts.UNKNOWN
    return shortened(sorted(view.observed.nodes, key=natural), _MOST_NAMES)


def _reason(view: Workload) -> str | None:
    """The pods' reason first: `CrashLoopBackOff` says more than `MinimumReplicasUnavailable`."""
    if view.observed is not None and view.observed.worst is not None:
        return view.observed.worst.reason
    return next((why.reason for why in view.why if why.phase == view.phase), None)


_WIDE = (
    _text("COMPONENTS", lambda row: _components(row.view)),
    _text("IN-USE", lambda row: _in_use(row.view)),
    _text("CPU", lambda row: amounts.amount(row.view.totals.requests, "cpu")),
    _text("MEMORY", lambda row: amounts.amount(row.view.totals.requests, "memory")),
    _text("NODES", lambda row: _nodes(row.view)),
    _text("QUEUE", lambda row: row.view.queue.name if row.view.queue else None),
    _text("REASON", lambda row: _reason(row.view)),
    _text("DEFINITION", lambda row: row.view.definition),
    _text("ORIGIN", lambda row: row.view.origin),
)


def _sums(rows: Sequence[Row]) -> dict[str, str]:
    """The sums of rows, by the heading of their column; what belongs to another row is in that."""
    views = [row.view for row in rows if not row.is_part]
    observed = _sum(None if view.observed is None else view.observed.ready for view in views)
    return {
        "READY": f"{observed}/{_sum(view.totals.pods for view in views)}",
        "GPU": _sum(view.totals.gpus for view in views),
        "IN-USE": _sum(None if view.observed is None else view.observed.gpus for view in views),
    }


def _sum(numbers: Iterable[int | None]) -> str:
    """A sum that contains something unknown is unknown."""
    total = 0
    for number in numbers:
        if number is None:
            return amounts.UNKNOWN
        total += number
    return str(total)
