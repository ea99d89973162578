"""Everything about one workload as text: header, tree, status with its reasons, resources, problems."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

import msgspec

from workload_map.engine.resource_list import ACCELERATORS
from workload_map.engine.view import Component, Instance, Read, Why, Workload
from workload_map.render import amounts
from workload_map.render.age import age
from workload_map.render.problems import problems
from workload_map.render.rows import NONE
from workload_map.render.style import Style
from workload_map.render.table import Cell, lines
from workload_map.render.text import hanging, packed, printable
from workload_map.render.tree import Fold, tree

_MOST_READS = 3
_MOST_VALUE = 60


def describe(view: Workload, *, fold: Fold, now: datetime, style: Style) -> Iterator[str]:
    """The lines that describe a workload.

    Args:
        view: The workload.
        fold: How much of its tree is drawn.
        now: The time that ages count from.
        style: How to draw.
    """
    yield from _header(view, now, style)
    if view.components or view.unattributed:
        yield ""
        yield from tree(view, fold, style)
    yield from _status(view, style)
    if view.components:
        yield ""
        yield style.heading("Resources:")
        yield from _resources(view, style)
    if view.problems:
        yield ""
        yield from problems(view.problems, style)


def _header(view: Workload, now: datetime, style: Style) -> Iterator[str]:
    first = [
        style.heading(printable(f"{view.kind}/{view.name}")),
        f"namespace: {printable(view.namespace or NONE)}",
        f"definition: {printable(view.definition)} ({view.origin})",
    ]
    if view.created_at is not None:
        first.append(f"age: {age(view.created_at, now)}")
    yield from packed(first, style.columns)
    yield from packed([*_more(view)], style.columns)


def _more(view: Workload) -> Iterator[str]:
    if view.queue is not None:
        admitted = {True: ", admitted", False: ", not admitted", None: ""}[view.queue.admitted]
        yield f"queue: {printable(view.queue.name)} ({printable(view.queue.system)}{admitted})"
    if view.priority is not None:
        yield f"priority: {printable(view.priority)}"
    if view.restarts:
        yield f"restarts: {view.restarts}"
    if view.suspended:
        yield "suspend: asked for"
    elif view.suspended is None:
        yield "suspend: not known"
    if view.deleted_at is not None:
        yield f"deletion: asked for at {view.deleted_at}"


def _status(view: Workload, style: Style) -> Iterator[str]:
    """Nothing for a manifest without a status."""
    if view.phase is None:
        return
    yield ""
    queued = f", queued in {printable(view.queue.name)}" if view.queue and view.phase == "Suspended" else ""
    stale = ", of an earlier generation of the object" if view.stale else ""
    yield f"{style.heading('Status:')} {style.phase(printable(view.phase), view.phase)}{queued}{stale}"
    for why in view.why:
        yield from _why(why, style, several=len(view.why) > 1)
    for problem in view.disagreements:
        yield from map(style.trouble, _indented(problem.message, style))
    if view.observed is not None and view.observed.worst is not None:
        worst = view.observed.worst
        message = f": {worst.message}" if worst.message else ""
        yield from _indented(f"{worst.pod}: {worst.reason}{message}", style)


def _indented(text: str, style: Style) -> list[str]:
    return hanging(printable(text), style.columns, "  ", "  ")


def _why(why: Why, style: Style, *, several: bool) -> Iterator[str]:
    said = ": ".join(part for part in (why.reason, why.message) if part)
    if several:
        said = f"{why.phase}: {said}" if said else why.phase
    if said:
        yield from _indented(said, style)
    reads = sorted((read for read in why.reads if read.value is not None), key=_rank) or list(why.reads)
    told = [_read(read) for read in reads[:_MOST_READS]]
    if len(reads) > _MOST_READS:
        told.append(f"and {len(reads) - _MOST_READS} more fields")
    for number, line in enumerate(told):
        before = "             " if number else "  decided by "
        yield from hanging(line, style.columns, before, "               ")


def _rank(read: Read) -> int:
    """What tells most comes first: a condition that matched, then the status, then all else."""
    if "[type=" in read.path:
        return 0
    return 1 if read.path.startswith("status.") and not read.path.startswith("status.conditions") else 2


def _read(read: Read) -> str:
    value = "absent" if read.value is None else _short(read.value)
    return f"{printable(read.path)} = {value}"


def _short(value: Any) -> str:
    """A value of a field as it would stand in YAML, cut where it is long."""
    if isinstance(value, str):
        text = printable(value) or '""'
    else:
        text = printable(msgspec.json.encode(value).decode())
    return text if len(text) <= _MOST_VALUE else f"{text[: _MOST_VALUE - 3]}..."


def _resources(view: Workload, style: Style) -> Iterator[str]:
    """Requests by component and instance, indented below the part that includes them, and the total."""
    names = _other_names(view)
    headings = ("COMPONENT", "PODS", "GPU", "CPU", "MEMORY", *(printable(name) for name in names))
    rows = [tuple(Cell(text, style.heading(text)) for text in headings)]
    rows += [_row(part, depth, names) for part, depth in _nested(view.components, 0)]
    totals = view.totals
    rows.append(
        _cells("TOTAL", amounts.pods(totals), amounts.gpus(totals), _amounts(totals.requests, names)),
    )
    yield from lines(rows, style, names="last")


def _nested(components: Iterable[Component], depth: int) -> Iterator[tuple[Component | Instance, int]]:
    for component in components:
        yield component, depth
        for instance in component.instances:
            below = depth + 1
            if instance.id is not None:
                yield instance, below
                below += 1
            yield from _nested(instance.components, below)
        yield from _nested(component.components, depth + 1)


def _row(part: Component | Instance, depth: int, names: list[str]) -> tuple[Cell, ...]:
    name = (part.name if isinstance(part, Component) else part.id) or ""
    return _cells(
        "  " * depth + printable(name),
        amounts.count(part.pods),
        amounts.count(part.gpus),
        _amounts(part.requests, names),
    )


def _cells(name: str, pods: str, gpus: str, others: list[str]) -> tuple[Cell, ...]:
    return tuple(Cell.plain(text) for text in (name, pods, gpus, *others))


def _amounts(requests: Any, names: list[str]) -> list[str]:
    return [amounts.amount(requests, name) for name in ("cpu", "memory", *names)]


def _other_names(view: Workload) -> list[str]:
    """Resources with a column of their own: all but those that the fixed columns tell.

    One kind of accelerator is told by the column GPU; of several each gets its own besides.
    """
    found = {name for part, _ in _nested(view.components, 0) for name in part.requests or ()}
    accelerators = found & ACCELERATORS
    told = {"cpu", "memory"} | (accelerators if len(accelerators) == 1 else set())
    return sorted(found - told)
