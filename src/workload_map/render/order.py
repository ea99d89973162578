"""The order of rows."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from workload_map.engine.view import Workload
from workload_map.render.rows import Row

PHASES = (
    "Failed",
    "Completed",
    "Suspending",
    "Suspended",
    "Resuming",
    "Degraded",
    "Running",
    "Initializing",
    "Undefined",
)
"""All phases, in the order of precedence."""

# Those that want attention come first.
_BY_URGENCY = {
    phase: rank
    for rank, phase in enumerate(
        (
            "Failed",
            "Degraded",
            "Undefined",
            "Initializing",
            "Resuming",
            "Suspending",
            "Suspended",
            "Running",
            "Completed",
        )
    )
}


def _by_name(view: Workload) -> tuple[Any, ...]:
    """By namespace, name and kind: the order of a table when no other was asked for."""
    return (view.namespace or "", view.name, view.kind, view.api_version)


def _newest_first(view: Workload) -> tuple[Any, ...]:
    # Times in one notation and zone compare as text; unknown ones come last.
    return (view.created_at is not None, view.created_at or "")


SORT_KEYS: dict[str, tuple[Callable[[Workload], Any], bool]] = {
    "age": (_newest_first, True),
    "name": (lambda view: view.name, False),
    "phase": (lambda view: _BY_URGENCY.get(view.phase or "", len(_BY_URGENCY)), False),
    "gpu": (lambda view: -1 if view.totals.gpus is None else view.totals.gpus, True),
    "pods": (lambda view: -1 if view.totals.pods is None else view.totals.pods, True),
}
"""What `--sort-by` takes: how to compare, and whether the largest comes first. Ages: the newest first."""


def arranged(
    rows: list[Row], phases: Collection[str], sort_by: str | None, limit: int | None, *, keep_order: bool
) -> list[Row]:
    """The rows that are shown, in their order.

    Args:
        rows: All that was found.
        phases: Only workloads in one of these; empty: in any.
        sort_by: A key of `SORT_KEYS`; None: by namespace and name.
        limit: How many at most; None: all.
        keep_order: Without `sort_by` the order is left as it is.
    """
    shown = [row for row in rows if not phases or row.view.phase in phases]
    if not keep_order:
        shown.sort(key=lambda row: _by_name(row.view))
    if sort_by is not None:
        key, largest_first = SORT_KEYS[sort_by]
        shown.sort(key=lambda row: key(row.view), reverse=largest_first)
    return shown[:limit]
