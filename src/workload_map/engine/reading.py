"""Reading a field of a definition on an object: outputs with their locations, failures as values.

A path that fails spoils its own field only: where the failure can be told to concern one element, the
others keep their values. Each failure becomes a problem with its place; nothing is raised for what an
object holds.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from workload_map import path
from workload_map.engine import references
from workload_map.engine.fields import Field
from workload_map.engine.objects import metadata, place_of_pod, text_of
from workload_map.engine.unknown import UNKNOWN
from workload_map.engine.view import Problem

if TYPE_CHECKING:
    from workload_map.engine.plan import ReferencePlan
    from workload_map.engine.surroundings import Surroundings


# What the paths of a definition may cost on one pod, beside the budget of the resolve: linear in the pods.
_STEPS_A_POD = 200
_OUTPUTS_A_POD = 20
_SIZE_A_POD = 4096

# A path that only takes an object apart gives as much as the object holds. One that makes values of its own
# is bounded: each may become an instance, which costs far more than the steps of the path.
_MOST_MADE = 5_000


def field_path(location: path.Location) -> str:
    """A location as people write it: `spec.jobs[2].replicas`; `.` for the object itself.

    What lies in a reference begins with its name: `$runtime.spec.replicas`, `$runs[0].spec`.
    """
    if location and isinstance(location[0], str) and location[0].startswith("$"):
        return location[0] + path.location_text(("_", *location[1:])).removeprefix("._")
    return path.location_text(location).removeprefix(".") or "."


class Reader(msgspec.Struct, eq=False):
    """Evaluates fields on one object, with one budget over all of them, and keeps the problems.

    Attributes:
        obj: The object.
        around: What is at hand besides the object; None: nothing.
        budget: What evaluations may still do, all together.
        over_budget: Whether some path asked for more work than the budget had left.
        looked_around: Whether an answer depends on an object other than this one and its pods.
    """

    obj: dict[str, Any]
    _references: Mapping[str, ReferencePlan] | None = None
    around: Surroundings | None = None
    budget: path.Budget = msgspec.field(default_factory=path.Budget)
    over_budget: bool = False
    looked_around: bool = False
    _outer: Reader | None = None
    _missing: set[str] | None = None
    _problems: dict[Problem, None] | None = None
    _values: dict[str, Any] | None = None

    @property
    def namespace(self) -> str | None:
        """Where the object lies; one inside of another lies where that does, unless it says its own."""
        own = text_of(metadata(self.obj).get("namespace"))
        return own or (self._outer.namespace if self._outer is not None else own)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What went wrong so far, in the order in which it was met."""
        return tuple(self._problems) if self._problems else ()

    def report(self, code: str, location: str | None, message: str) -> None:
        """Keep a problem; the same one is kept once."""
        if self._problems is None:
            self._problems = {}
        self._problems.setdefault(Problem(code, location, message))

    def within(self, obj: dict[str, Any], references: Mapping[str, ReferencePlan]) -> Reader:
        """A reader of an object that lies in this one: it spends the same budget."""
        return Reader(obj, references, self.around, self.budget, _outer=self)

    def take(self, inner: Reader, place: str) -> None:
        """Take over what a reader of an object within has met; `place` is where that object lies."""
        for problem in inner.problems:
            where = f"{place}: {problem.location}" if problem.location else place
            self.report(problem.code, where, problem.message)
        self.over_budget |= inner.over_budget
        self.looked_around |= inner.looked_around

    def grant(self, pods: int) -> None:
        """Let the budget grow with the number of pods that are read through this reader."""
        self.budget.steps += _STEPS_A_POD * pods
        self.budget.outputs += _OUTPUTS_A_POD * pods
        self.budget.size += _SIZE_A_POD * pods

    def values(self, field: Field) -> tuple[Any, ...]:
        """The values of the references that a field reads; None for what is not at hand."""
        return tuple(map(self._reference, field.variables))

    def _reference(self, name: str) -> Any:
        if self._values is None:
            self._values = {}
        if name not in self._values:
            plan = self._references.get(name) if self._references else None
            self._values[name] = references.find(plan, self) if plan else None
        return self._values[name]

    def ready(self, field: Field) -> tuple[path.Program, tuple[Any, ...]]:
        """The program of a field and the values of the references that it reads.

        A run that comes to read one that is not at hand raises `path.PathUnknownError`: what a field gives
        without that rests on none. Why such a reference is not at hand is a problem already.
        """
        if not field.variables:
            return field.program, ()
        values = self.values(field)
        unknown = self._missing and tuple(filter(self.misses, field.variables))
        return field.without(unknown) if unknown else field.program, values

    def located(self, field: Field) -> list[path.Located]:
        """All outputs of a field with their locations.

        What failed, or rests on a reference that is not at hand, is `UNKNOWN`, with a problem.
        """
        program, variables = self.ready(field)
        try:
            outputs = program.locations(self.obj, self.budget, variables)
            if len(outputs) > _MOST_MADE and program.grade == "general":
                raise path.PathBudgetError("outputs", f"the expression makes more than {_MOST_MADE} values")
            return outputs
        except path.PathRuntimeError as error:
            return self._isolated(field, program, variables, error)
        except path.PathError as error:
            self._failed(field, error)
            return [(UNKNOWN, (), 0)]

    def misses(self, reference: str) -> bool:
        """Whether a reference was asked for and is not at hand."""
        return self._missing is not None and reference in self._missing

    def miss(self, reference: str) -> None:
        """Keep that a reference was asked for and is not at hand."""
        if self._missing is None:
            self._missing = set()
        self._missing.add(reference)

    def first(self, field: Field) -> Any:
        """The first output of a field on the object: None if there is none, or `UNKNOWN`."""
        value = self.first_or_unknown(field)
        return None if value is UNKNOWN else value

    def first_or_unknown(self, field: Field) -> Any:
        """The first output of a field on the object, None if there is none.

        `UNKNOWN` where it failed, or rests on a reference that is not at hand, with a problem.
        """
        program, variables = self.ready(field)
        try:
            return program.first(self.obj, None, self.budget, variables)
        except path.PathError as error:
            self._failed(field, error)
            return UNKNOWN

    def first_on_pod(self, field: Field, pod: dict[str, Any]) -> Any:
        """As `first`, on a pod instead of the object; problems name it."""
        if field.label is not None:  # nearly all are: a third of the time of a program, for each pod
            meta = pod.get("metadata")
            labels = meta.get("labels") if type(meta) is dict else None
            if type(labels) is dict:
                return labels.get(field.label)
        try:
            return field.program.first(pod, None, self.budget)
        except path.PathError as error:
            self._failed(field, error, subject=place_of_pod(pod))
            return None

    def _isolated(
        self, field: Field, program: path.Program, variables: tuple[Any, ...], error: path.PathRuntimeError
    ) -> list[path.Located]:
        """Evaluate element by element, so that only the ones that fail are lost."""
        parts = program.split()
        if parts is None:
            self._failed(field, error)
            return [(UNKNOWN, (), 0)]
        front, rest = parts
        try:
            elements = front.locations(self.obj, self.budget, variables)
        except path.PathError as front_error:
            self._failed(field, front_error)
            return [(UNKNOWN, (), 0)]
        outputs: list[path.Located] = []
        for value, location, iterated in elements:
            if value is UNKNOWN:
                outputs.append((value, location, iterated))
                continue
            try:
                found = rest.locations(value, self.budget, variables)
            except path.PathError as element_error:
                self._failed(field, element_error, location)
                outputs.append((UNKNOWN, location, iterated))
                continue
            outputs.extend(
                (one, location + below, len(location) + deeper if deeper else iterated)
                for one, below, deeper in found
            )
        return outputs

    def _failed(
        self, field: Field, error: path.PathError, element: path.Location = (), subject: str | None = None
    ) -> None:
        if isinstance(error, path.PathUnknownError):
            return  # that a reference is not at hand has been told
        code = "path-failed"
        if isinstance(error, path.PathBudgetError):
            code = "path-budget"
            self.over_budget = True
        at: path.Location = getattr(error, "at", None) or ()
        location = field_path(element + at) if element or at else None
        if subject is not None:
            location = f"{subject}: {location}" if location else subject
        self.report(code, location, f"{field.place}: {error.message}")
