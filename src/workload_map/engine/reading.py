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
from workload_map.engine.objects import Object, metadata, place_of_pod, text_of
from workload_map.engine.unknown import UNKNOWN
from workload_map.engine.view import Problem
from workload_map.path.values import compare

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


class _Something(dict[str, Any]):
    """An object with something in each field that anybody asks for, and in that again."""

    def get(self, *_: Any) -> Any:
        return self

    def __contains__(self, _: object) -> bool:
        return True


_NOTHING: Object = {}
_SOMETHING = _Something(something=_Something(something=7919))  # no default of anything


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

    def located(self, field: Field) -> list[path.Located]:
        """All outputs of a field with their locations; what failed is `UNKNOWN`, with a problem.

        So is what is absent, or would be another value, because a reference is not at hand.
        """
        outputs = self._outputs(field)
        return self._certain(outputs, field) if self.lacks(field) else outputs

    def _certain(self, outputs: list[path.Located], field: Field) -> list[path.Located]:
        """The outputs of a field that rest on nothing that is not at hand; `UNKNOWN` for the others.

        They are those that stay as they are whether an object that says nothing stands for what is not at
        hand, or one that says something wherever the path looks.
        """
        told = outputs
        for stand_in in (_NOTHING, _SOMETHING):
            values = tuple(self._or_instead(name, stand_in) for name in field.variables)
            try:
                others = field.program.locations(self.obj, self.budget, values)
            except path.PathError:
                others = []
            same = len(others) == len(outputs)
            told = [
                (value if same and self._is_same(value, others[index][0]) else UNKNOWN, location, iterated)
                for index, (value, location, iterated) in enumerate(told)
            ]
        return told or [(UNKNOWN, (), 0)]

    def _or_instead(self, name: str, stand_in: Object) -> Any:
        plan = self._references.get(name) if self._references else None
        if plan is None or not self.misses(name):
            return self._reference(name)
        return stand_in if plan.object_name is not None else [stand_in]

    def _is_same(self, value: Any, other: Any) -> bool:
        """Whether a value is there and is the other one."""
        try:
            return value is not None and value is not UNKNOWN and not compare(value, other, self.budget)
        except path.PathBudgetError:
            return False

    def _outputs(self, field: Field) -> list[path.Located]:
        try:
            variables = field.variables and self.values(field)
            outputs = field.program.locations(self.obj, self.budget, variables)
            if len(outputs) > _MOST_MADE and field.program.grade == "general":
                raise path.PathBudgetError("outputs", f"the expression makes more than {_MOST_MADE} values")
            return outputs
        except path.PathRuntimeError as error:
            return self._isolated(field, error)
        except path.PathError as error:
            self._failed(field, error)
            return [(UNKNOWN, (), 0)]

    def lacks(self, field: Field) -> bool:
        """Whether a field that was read reads a reference that is not at hand, so that null is no answer."""
        return self._missing is not None and not self._missing.isdisjoint(field.variables)

    def misses(self, reference: str) -> bool:
        """Whether a reference was asked for and is not at hand."""
        return self._missing is not None and reference in self._missing

    def miss(self, reference: str) -> None:
        """Keep that a reference was asked for and is not at hand."""
        if self._missing is None:
            self._missing = set()
        self._missing.add(reference)

    def first(self, field: Field) -> Any:
        """The first output of a field on the object: None if there is none, it failed or is not certain."""
        try:
            variables = field.variables and self.values(field)
            value = field.program.first(self.obj, None, self.budget, variables)
        except path.PathError as error:
            self._failed(field, error)
            return None
        return value if self.is_certain(field, value) else None

    def is_certain(self, field: Field, value: Any) -> bool:
        """Whether the first output of a field rests on no reference that is not at hand.

        Args:
            field: A field that was read.
            value: Its first output, in which null is for nothing.
        """
        if not self.lacks(field):
            return True
        for stand_in in (_NOTHING, _SOMETHING):
            values = tuple(self._or_instead(name, stand_in) for name in field.variables)
            try:
                other = field.program.first(self.obj, None, self.budget, values)
            except path.PathError:
                return False
            if not self._is_same(value, other):
                return False
        return True

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

    def _isolated(self, field: Field, error: path.PathRuntimeError) -> list[path.Located]:
        """Evaluate element by element, so that only the ones that fail are lost."""
        parts = field.program.split()
        if parts is None:
            self._failed(field, error)
            return [(UNKNOWN, (), 0)]
        front, rest = parts
        variables = self.values(field)
        try:
            elements = front.locations(self.obj, self.budget, variables)
        except path.PathError as front_error:
            self._failed(field, front_error)
            return [(UNKNOWN, (), 0)]
        outputs: list[path.Located] = []
        for value, location, iterated in elements:
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
        code = "path-failed"
        if isinstance(error, path.PathBudgetError):
            code = "path-budget"
            self.over_budget = True
        at: path.Location = getattr(error, "at", None) or ()
        location = field_path(element + at) if element or at else None
        if subject is not None:
            location = f"{subject}: {location}" if location else subject
        self.report(code, location, f"{field.place}: {error.message}")
