"""Where the object and its pods tell different stories. Both are shown; neither overwrites the other."""

from __future__ import annotations

from workload_map.engine.view import Observed, Problem, Totals


def find(phase: str | None, totals: Totals, observed: Observed | None, running: int) -> tuple[Problem, ...]:
    """Contradictions between a phase and the pods.

    Args:
        phase: The phase of the object; None where it was not asked for.
        totals: What the workload asks for. A desired 0, or an unknown one, never disagrees.
        observed: The pods; None where they were not looked at.
        running: How many of them run and are not being deleted.
    """
    if observed is None or phase is None:
        return ()
    desired, least = totals.pods, totals.at_min.pods
    fine = observed.ready + observed.succeeded
    if phase == "Running" and least and fine < least:
        return (_problem("not-enough-ready", f"it says Running, but {fine} of {least} pods are ready"),)
    # A service that works with less than it asks for may have all its pods, and more that are in trouble.
    waits = phase == "Initializing" or (phase == "Degraded" and observed.worst is None)
    if waits and desired and observed.ready >= desired:
        return (_problem("all-ready", f"it says {phase}, but {observed.ready} of {desired} pods are ready"),)
    if phase in ("Completed", "Suspended") and desired and running:
        return (_problem("pods-running", f"it says {phase}, but {running} pods still run"),)
    return ()


def _problem(code: str, message: str) -> Problem:
    return Problem(code=code, location=None, message=message)
