"""What stands in the way of hearing of changes: for now, or for good."""

from __future__ import annotations

import threading
from collections.abc import Callable

from workload_map.engine.view import Problem
from workload_map.source.cluster.errors import AbsentError, ClusterError, ForbiddenError, UnreachableError
from workload_map.source.cluster.lists import Scope
from workload_map.source.protocol import BROKEN_WATCH


class Troubles:
    """Troubles that pass, one for each reason, however many streams have it.

    Args:
        changed: Called when there are others than before.
    """

    def __init__(self, changed: Callable[[], None]) -> None:
        self._changed = changed
        self._lock = threading.Lock()
        self._now: dict[object, ClusterError] = {}

    def begin(self, stream: object, error: ClusterError) -> None:
        """A stream is in trouble; what it says of the same reason later is no news."""
        with self._lock:
            before = self._now.get(stream)
            is_new = before is None or _reason(before) != _reason(error)
            if is_new:
                self._now[stream] = error
        if is_new:
            self._changed()

    def end(self, stream: object) -> None:
        """A stream is in trouble no longer, if it was."""
        with self._lock:
            is_over = self._now.pop(stream, None) is not None
        if is_over:
            self._changed()

    def problems(self) -> list[Problem]:
        """One for each reason, as of the stream that met it first."""
        with self._lock:
            errors = list(self._now.values())
        reasons = {_reason(error): error for error in reversed(errors)}
        return [
            Problem(
                code=BROKEN_WATCH,
                location=error.location,
                message=f"changes are not heard of now, the cluster is asked again: {error.message}",
            )
            for error in reversed(reasons.values())
        ]


def _reason(error: ClusterError) -> str:
    """What connections tell of one server that is not reached differs, and is the same trouble."""
    return error.code if isinstance(error, UnreachableError) else error.message


class Refusals:
    """Streams that end for good; when those that were asked for have, there is nothing to wait for.

    Args:
        tell: Told of a stream that ends while others go on.
        fail: Called with why nothing goes on.
    """

    def __init__(self, tell: Callable[[Problem], None], fail: Callable[[ClusterError], None]) -> None:
        self._tell = tell
        self._fail = fail
        self._lock = threading.Lock()
        self._going_on = 0
        self._is_any_open = False
        self._held: list[Problem] = []

    def expect(self) -> None:
        """Count a stream that was asked for."""
        with self._lock:
            self._going_on += 1

    def opened(self) -> None:
        """One of these streams goes on, so that those that do not are left out beside it."""
        with self._lock:
            self._is_any_open = True
            told, self._held = self._held, []
        for problem in told:
            self._tell(problem)

    def refused(self, scope: Scope, error: ClusterError, *, asked: bool) -> None:
        """A stream ends for good."""
        problem = Problem(
            code="watch-ended",
            location=None,
            message=f"{scope.resource} are no longer followed: {error.message}",
        )
        if not asked:
            self._tell(problem)
            return
        with self._lock:
            self._going_on -= 1
            is_last, is_alone = self._going_on == 0, not self._held
            if not is_last:
                self._held.append(problem)
        if is_last:
            self._fail(_nothing_left(scope, error, alone=is_alone))
        elif self._is_any_open:
            self.opened()


def _nothing_left(scope: Scope, error: ClusterError, *, alone: bool) -> ClusterError:
    """Why nothing of what was asked for goes on, from the reason of the last one."""
    if isinstance(error, AbsentError):
        return ClusterError(
            f"the cluster has {scope.resource} no longer: {error.message}",
            location=error.location,
            hint="`kubectl api-resources` lists the kinds that it serves",
        )
    if alone:
        return error
    return ForbiddenError(
        f"nothing of what was asked for may be followed, such as {scope.resource}: {error.message}"
    )
