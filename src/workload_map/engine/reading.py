"""Reading a field of a definition on an object: outputs with their locations, failures as values.

A path that fails spoils its own field only: where the failure can be told to concern one element, the
others keep their values. Each failure becomes a problem with its place; nothing is raised for what an
object holds.
"""

from __future__ import annotations

from typing import Any, Final

from workload_map import path
from workload_map.engine.fields import Field
from workload_map.engine.view import Problem


class _Unknown:
    """The type of `UNKNOWN`."""

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN: Final = _Unknown()
"""The value of a field that could not be read: neither absent nor null, so no default applies."""


def field_path(location: path.Location) -> str:
    """A location as people write it: `spec.jobs[2].replicas`; `.` for the object itself."""
    return path.location_text(location).removeprefix(".") or "."


class Reader:
    """Evaluates fields on one object, with one budget over all of them, and keeps the problems.

    Attributes:
        problems: What went wrong so far, in the order in which it was met.
    """

    __slots__ = ("budget", "obj", "problems")

    def __init__(self, obj: dict[str, Any]) -> None:
        self.obj = obj
        self.budget = path.Budget()
        self.problems: list[Problem] = []

    def report(self, code: str, location: str | None, message: str) -> None:
        """Keep a problem; the same one is kept once."""
        problem = Problem(code=code, location=location, message=message)
        if problem not in self.problems:
            self.problems.append(problem)

    def located(self, field: Field) -> list[path.Located]:
        """All outputs of a field with their locations; what failed is `UNKNOWN`, with a problem."""
        try:
            return field.program.locations(self.obj, self.budget)
        except path.PathRuntimeError as error:
            return self._isolated(field, error)
        except path.PathError as error:
            self._failed(field, error)
            return [(UNKNOWN, (), 0)]

    def first(self, field: Field, value: Any = None, subject: str | None = None) -> Any:
        """The first output of a field on the object: None if there is none, or it failed.

        `value` is another object to read instead (a pod), and `subject` how problems call it.
        """
        try:
            return field.program.first(self.obj if value is None else value, None, self.budget)
        except path.PathError as error:
            self._failed(field, error, subject=subject)
            return None

    def _isolated(self, field: Field, error: path.PathRuntimeError) -> list[path.Located]:
        """Evaluate element by element, so that only the ones that fail are lost."""
        parts = field.program.split()
        if parts is None:
            self._failed(field, error)
            return [(UNKNOWN, (), 0)]
        front, rest = parts
        try:
            elements = front.locations(self.obj, self.budget)
        except path.PathError as front_error:
            self._failed(field, front_error)
            return [(UNKNOWN, (), 0)]
        outputs: list[path.Located] = []
        for value, location, iterated in elements:
            try:
                found = rest.locations(value, self.budget)
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
        code = "path-budget" if isinstance(error, path.PathBudgetError) else "path-failed"
        at: path.Location = getattr(error, "at", None) or ()
        location = field_path(element + at) if element or at else None
        if subject is not None:
            location = f"{subject}: {location}" if location else subject
        self.report(code, location, f"{field.place}: {error.message}")
