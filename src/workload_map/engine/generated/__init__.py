"""The fast form of the engine: generated functions, beside the per-path form as their meaning.

A definition may have a *structure function* (all components and their counts in one walk), a *status
function* and a *suspended function*. Each gives what the per-path form gives, or gives up: on anything
unusual in an object (an error, an odd type, a problem to report) its answer is None, and the per-path form is
asked. A definition with something that is not known here has no generated form, which only takes more time.

The source holds only shapes that are written in this package and in `path.compiler`; names are numbered, and
all that comes from a definition is a numbered constant. Nothing is kept on disk.

What does not live here: what anything means. That is `engine.structure`, `engine.status` and what they call.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar

from workload_map import path
from workload_map.engine import structure
from workload_map.engine.generated.emitter import Unsupported
from workload_map.engine.generated.status_writer import status_function, suspended_function
from workload_map.engine.generated.structure_writer import structure_function
from workload_map.engine.plan import Plan
from workload_map.engine.reading import Reader
from workload_map.engine.status import Status, read_status
from workload_map.engine.structure import ComponentDraft
from workload_map.engine.suspension import is_suspended
from workload_map.path.budget import SIZE, STEPS

__all__ = ["Generated", "build", "status", "suspended"]

Answer = TypeVar("Answer")
Function = Callable[[dict[str, Any], Reader], Answer | None]


def build(plan: Plan, reader: Reader) -> list[ComponentDraft]:
    """The components of an object, as `engine.structure.build` gives them."""
    return _of(plan).structure(reader)


def status(plan: Plan, reader: Reader) -> Status | None:
    """The phases of an object, as `engine.status` gives them; None without a status definition."""
    return _of(plan).status(reader)


def suspended(plan: Plan, reader: Reader) -> bool | None:
    """Whether an object asks to be suspended, as `engine.suspension` tells; None where its kind cannot be."""
    return _of(plan).suspended(reader)


def _of(plan: Plan) -> Generated:
    functions = plan.generated
    if functions is None:
        functions = plan.generated = Generated(plan)
    return functions


class Generated:
    """The generated functions of one definition, written on first use, each with the per-path form behind it.

    Args:
        plan: The definition.
    """

    def __init__(self, plan: Plan) -> None:
        self._plan = plan

    def structure(self, reader: Reader) -> list[ComponentDraft]:
        """As `engine.structure.build`."""
        if self.structure_function is not None:
            drafts = attempt(self.structure_function, reader)
            if drafts is not None:
                return drafts
        return structure.build(self._plan, reader)

    def status(self, reader: Reader) -> Status | None:
        """As `engine.status.read_status`; None where the definition says nothing of it."""
        if self.status_function is not None:
            status = attempt(self.status_function, reader)
            if status is not None:
                return status
        return read_status(self._plan.status, reader) if self._plan.status else None

    def suspended(self, reader: Reader) -> bool | None:
        """As `engine.suspension.is_suspended`; None for a kind that cannot be suspended."""
        if not self._plan.suspend_actions:
            return None
        if self.suspended_function is not None:
            suspended = attempt(self.suspended_function, reader)
            if suspended is not None:
                return suspended
        return is_suspended(self._plan.suspend_actions, reader)

    @cached_property
    def structure_function(self) -> Function[list[ComponentDraft]] | None:
        """The structure function; None where there is none."""
        return _written(lambda: structure_function(self._plan))

    @cached_property
    def status_function(self) -> Function[Status] | None:
        """The status function; None where there is none."""
        status = self._plan.status
        return _written(lambda: status_function(status)) if status else None

    @cached_property
    def suspended_function(self) -> Function[bool] | None:
        """The function that tells whether the object asks to be suspended; None where there is none."""
        return _written(lambda: suspended_function(self._plan.suspend_actions))


def attempt(function: Function[Answer], reader: Reader) -> Answer | None:
    """What a generated function says of an object; None where the per-path form is to be asked.

    Nothing is reported on the way, and the budget is then as it was before. So is the answer given up where
    it took much of the budget: what is too much decides the per-path form, which spends less than twice that.
    """
    budget = reader.budget
    spent = budget.steps, budget.outputs, budget.size
    try:
        answer = function(reader.obj, reader)
    except Exception:  # whatever it was, the per-path form meets it again and says so
        answer = None
    if answer is None or budget.size < SIZE >> 1 or budget.steps < STEPS >> 1:
        budget.steps, budget.outputs, budget.size = spent
        return None
    return answer


def _written(write: Callable[[], Function[Answer]]) -> Function[Answer] | None:
    """A function that was generated; None where there is no generated form, or its source is too deep."""
    try:
        return write()
    except (Unsupported, path.PathError, SyntaxError, RecursionError, MemoryError):
        return None
