"""What the phase says against what the pods say, in both directions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from workload_map.engine.checking.rows import Row, Verdict
from workload_map.engine.checking.settling import is_out_of_sight, pods_in
from workload_map.engine.plan import Plan
from workload_map.engine.status_plan import PRECEDENCE
from workload_map.engine.view import Workload

_NO_PODS = "there are no pods that could tell"
_COMPLETED = PRECEDENCE.index("Completed")


def compare_phase(view: Workload, plan: Plan) -> Iterator[Row]:
    """A row on the phase, as far as the pods are known.

    What a view tells (`disagreements`) is a difference. Here a phase is tried further, and agrees only where
    the pods bear it out.

    Args:
        view: The workload.
        plan: Its definition.
    """
    observed = view.observed
    if observed is None and view.phase != "Undefined":
        return
    verdict, message = _judge(view, plan)
    found = f"{observed.ready} ready of {observed.pods}" if observed else None
    yield Row(check="phase", subject=None, expected=view.phase, found=found, verdict=verdict, message=message)


def _judge(view: Workload, plan: Plan) -> tuple[Verdict, str]:
    # Its status stays what it was when the pods of a workload that is being deleted go.
    against: Verdict = "differs" if view.deleted_at is None else "open"
    if view.phase == "Undefined":
        return against, "no rule of the definition holds"
    seen = _Seen.of(view)
    told = view.disagreements[0].message if view.disagreements else _contradiction(view, seen, _may_end(plan))
    if told is None:
        doubt = _doubt(view, seen, _may_end(plan))
        return ("open", doubt) if doubt else ("agrees", "nothing that the pods say is against it")
    if is_out_of_sight(view):
        return "open", f"{told}, and not all controllers are at hand"
    return ("open", f"{told}, and its status is older than its spec") if view.stale else (against, told)


class _Seen(NamedTuple):
    """The pods that are there.

    Attributes:
        wanted: How many are asked for; None: not known.
        least: How many it can do with; None: not known.
        ready: Those that are ready.
        done: Those that ended well.
        failed: Those that failed.
        live: Those that have not ended and are not on their way out.
        leaving: Those that have not ended and are.
    """

    wanted: int | None
    least: int | None
    ready: int
    done: int
    failed: int
    live: int
    leaving: int

    @classmethod
    def of(cls, view: Workload) -> _Seen:
        pods = pods_in(view)
        going_on = [pod for pod in pods if pod.phase not in ("Succeeded", "Failed")]
        return cls(
            view.totals.pods,
            view.totals.at_min.pods,
            ready=sum(pod.ready for pod in pods),
            done=sum(pod.phase == "Succeeded" for pod in pods),
            failed=sum(pod.phase == "Failed" for pod in pods),
            live=sum(pod.deleted_at is None for pod in going_on),
            leaving=sum(pod.deleted_at is not None for pod in going_on),
        )

    @property
    def is_any(self) -> bool:
        """Whether some pod can tell how the workload is, or how it ended."""
        return bool(self.live or self.done or self.failed)

    @property
    def are_over(self) -> bool:
        """Whether all that it asks for is done."""
        return bool(self.wanted) and self.done >= (self.wanted or 0) and not self.live


def _may_end(plan: Plan) -> bool:
    """Whether the kind is one that comes to an end; what only serves is never Completed."""
    return plan.status is not None and bool(plan.status.rules[_COMPLETED])


def _contradiction(view: Workload, seen: _Seen, may_end: bool) -> str | None:
    phase = view.phase
    if phase in ("Initializing", "Resuming") and seen.are_over:
        return f"it says {phase}, but {seen.done} pods are done"
    if phase == "Resuming" and seen.wanted and seen.ready >= seen.wanted:
        return f"it says Resuming, but {seen.ready} of {seen.wanted} pods are ready"
    if phase == "Completed" and seen.failed and not (seen.done or seen.live):
        return f"it says Completed, but no pod has ended well, and {seen.failed} failed"
    if phase == "Failed" and seen.are_over and not seen.failed:
        return f"it says Failed, but {seen.done} pods have ended well, and none failed"
    # A service that still serves is never Failed.
    if phase == "Failed" and not may_end and seen.least and seen.ready >= seen.least:
        return f"it says Failed, but {seen.ready} of {seen.least} pods are ready"
    return None


def _doubt(view: Workload, seen: _Seen, may_end: bool) -> str | None:
    """Why the pods do not bear out the phase, though they do not contradict it either."""
    match view.phase:
        case "Initializing" | "Resuming":
            return _doubt_of_a_start(seen)
        case "Running" | "Degraded":
            return _doubt_of_work(view, seen)
        case "Completed" | "Failed":
            return _doubt_of_an_end(view, seen, may_end)
        case "Suspending" if not seen.leaving:
            return "none of its pods is on its way out" if seen.live else "none of its pods is left"
        case "Suspended" if seen.live:
            return f"{seen.live} pods have not ended"
    return None


def _doubt_of_a_start(seen: _Seen) -> str | None:
    if seen.wanted is None:
        return "how many pods it asks for is not known"
    return None if seen.wanted or seen.is_any else _NO_PODS


def _doubt_of_work(view: Workload, seen: _Seen) -> str | None:
    if not seen.is_any:
        return _NO_PODS
    if seen.are_over:
        return f"it may end, since {seen.done} pods are done"
    fine = seen.ready + seen.done
    if not fine:
        return "none of its pods is ready"
    if view.phase == "Running":
        is_whole = seen.wanted is None or fine >= seen.wanted
        return None if is_whole else f"not all pods are ready, though as many as it can do with: {seen.least}"
    if seen.wanted is None:
        return "how many pods it asks for is not known"
    nothing_lacks = fine >= seen.wanted and view.observed is not None and view.observed.worst is None
    return "none of its pods is missing" if nothing_lacks else None


def _doubt_of_an_end(view: Workload, seen: _Seen, may_end: bool) -> str | None:
    if not seen.is_any:
        return _NO_PODS
    if view.phase == "Completed":
        return f"{seen.live} pods have not ended" if seen.live else None
    is_as_before = not may_end or not seen.failed or seen.ready >= (seen.wanted or 0)
    return (
        f"{seen.ready} pods are ready, and may be left from before" if seen.ready and is_as_before else None
    )
