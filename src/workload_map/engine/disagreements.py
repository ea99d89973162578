"""Where the object and its pods tell different stories. Both are shown; neither overwrites the other."""

from __future__ import annotations

from collections.abc import Iterable

from workload_map.engine.structure import PlacedPod
from workload_map.engine.view import Observed, Problem, Totals


def find(
    phase: str | None, totals: Totals, observed: Observed, seen: Iterable[PlacedPod]
) -> tuple[Problem, ...]:
    """Contradictions between a phase and the pods.

    Args:
        phase: The phase of the object; None where it was not asked for.
        totals: What the workload asks for. A desired 0, or an unknown one, never disagrees.
        observed: What the pods say.
        seen: The pods.
    """
    if phase is None:
        return ()
    desired, least = totals.pods, totals.at_min.pods
    fine = observed.ready + observed.succeeded
    if phase == "Running" and least and fine < least:
        return (_problem("not-enough-ready", f"it says Running, but {_fine(observed, least)}"),)
    # A service that works with less than it asks for may have all its pods, and more that are in trouble.
    waits = phase == "Initializing" or (phase == "Degraded" and observed.worst is None)
    if waits and desired and observed.ready >= desired:
        return (_problem("all-ready", f"it says {phase}, but {observed.ready} of {desired} pods are ready"),)
    running = _running(seen) if phase in ("Completed", "Suspended") and desired else 0
    if running:
        return (_problem("pods-running", f"it says {phase}, but {running} pods still run"),)
    return ()


def _fine(observed: Observed, wanted: int) -> str:
    """How many of the pods that are wanted are ready, and how many have done their work."""
    if not observed.succeeded:
        return f"{observed.ready} of {wanted} pods are ready"
    return f"of {wanted} pods {observed.ready} are ready and {observed.succeeded} done"


def _running(seen: Iterable[PlacedPod]) -> int:
    """Pods that run and are not on their way out."""
    return sum(placed.status.phase == "Running" and placed.pod.deleted_at is None for placed in seen)


def _problem(code: str, message: str) -> Problem:
    return Problem(code=code, location=None, message=message)
