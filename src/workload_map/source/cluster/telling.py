"""What could not be read, in as few lines as tell it: one for a kind, one for namespaces as a whole."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from workload_map.engine.view import Problem
from workload_map.source.cluster.errors import ClusterError, ForbiddenError
from workload_map.source.cluster.parts import Result
from workload_map.source.protocol import Unread

_MOST_NAMED = 5
_FORBIDDEN, _UNREADABLE = "kind-forbidden", "kind-unreadable"


class Told:
    """All that could not be read so far.

    Attributes:
        problems: One for each line, in the order in which they came.
    """

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self._closed: set[str] = set()

    def tell(self, problem: Problem) -> None:
        """Tell a problem, once: a kind may be asked for as workloads, and again as what others refer to."""
        if problem not in self.problems:
            self.problems.append(problem)

    def tell_of(self, results: Sequence[Result]) -> None:
        """Tell what stood in the way of reading these parts together."""
        loud = [result for result in results if not result.part.quiet]
        if closed := _closed(loud) - self._closed:
            self._closed |= closed
            self.tell(_forbidden(f"nothing may be read in {_shown(closed)}: left out"))
        for problem in _problems_of(loud, self._closed):
            self.tell(problem)


def nothing_read(results: Sequence[Result]) -> ClusterError:
    """The error for results none of which could be read of what was asked for."""
    denied = [result for result in results if result.part.asked]
    errors = {result.part.scope.resource: result.errors[0] for result in reversed(denied)}
    first = denied[0].errors[0]
    if len(errors) == 1:
        return first
    is_forbidden = all(isinstance(error, ForbiddenError) for error in errors.values())
    if is_forbidden and all(result.denied for result in results):
        return ForbiddenError(
            f"nothing of what was asked for may be read, first of all {denied[0].part.scope.resource}: "
            f"{first.message}"
        )
    kind = ForbiddenError if is_forbidden else ClusterError
    error = kind("nothing of what was asked for can be read", hint="each reason stands above")
    error.problems = tuple(_problems_of(denied))
    return error


def unread(result: Result) -> Unread | None:
    """Why something of a part may be there that was not read; None if all of it was read."""
    problems = tuple(_problems_of([result]))
    if not problems:
        return None
    return Unread(result.errors[0] if result.errors else ForbiddenError(problems[0].message), problems)


def _problems_of(results: Sequence[Result], closed: Collection[str] = ()) -> Iterator[Problem]:
    """What stood in the way, but for namespaces in which nothing may be read anyway."""
    told: set[tuple[str, str]] = set()
    for result in results:
        for problem in _of_one(result, closed):
            # The refusals of two objects of a kind differ in nothing but their names.
            what = problem.code if problem.code == _FORBIDDEN else problem.message
            if (key := (result.part.scope.resource, what)) not in told:
                told.add(key)
                yield problem


def _closed(results: Sequence[Result]) -> set[str]:
    """The namespaces in which nothing may be read of several kinds that may be read elsewhere."""
    refused = [
        {*result.refused}
        for result in results
        if not result.denied and result.part.scope.names.namespaced and result.versions
    ]
    return set.intersection(*refused) if len(refused) > 1 else set()


def _of_one(result: Result, closed: Collection[str]) -> Iterator[Problem]:
    resource = result.part.scope.resource
    for error in result.errors:
        code = _FORBIDDEN if isinstance(error, ForbiddenError) else _UNREADABLE
        # Who is refused is told which kind and where; of another failure the path tells that.
        location = None if code == _FORBIDDEN else error.location
        yield Problem(code=code, location=location, message=f"{resource} are left out: {error.message}")
    if refused := [namespace for namespace in result.refused if namespace not in closed]:
        yield _forbidden(f"{resource} are left out in {_shown(refused)}: they may not be listed there")


def _forbidden(message: str) -> Problem:
    return Problem(code=_FORBIDDEN, location=None, message=message)


def _shown(namespaces: Collection[str]) -> str:
    """Namespaces by their names, the first ones of many."""
    names = sorted(namespaces)
    if len(names) == 1:
        return f'the namespace "{names[0]}"'
    if len(names) <= _MOST_NAMED:
        return f"the namespaces {', '.join(names[:-1])} and {names[-1]}"
    return f"the namespaces {', '.join(names[:_MOST_NAMED])} and {len(names) - _MOST_NAMED} more"
