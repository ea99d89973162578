"""The counts of a definition as they are shown."""

from __future__ import annotations

import msgspec

from workload_map.definition.against_objects import Of, Tally, What
from workload_map.definition.findings import field_text
from workload_map.engine.view import Problem, Workload


class Part(msgspec.Struct, frozen=True):
    """A part of a definition, and how often it gave something.

    Attributes:
        what: `component`, `path`, `matcher` or `selector`.
        component: The component that it is of; None where it is of the workload as a whole.
        location: Where it stands in the definition.
        of: What the chances are: `objects` or `pods`.
        gave: On how many of them it gave something.
        chances: On how many of them it could have.
        silent: It stands out: it had chances, and gave nothing.
    """

    what: What
    component: str | None
    location: str
    of: Of
    gave: int
    chances: int
    silent: bool

    @classmethod
    def of_tally(cls, tally: Tally, *, silent: bool) -> Part:
        """A count as it stands now."""
        return cls(
            what=tally.what,
            component=tally.component,
            location=field_text(tally.steps),
            of=tally.of,
            gave=tally.gave,
            chances=tally.chances,
            silent=silent,
        )


class ProblemCount(msgspec.Struct, frozen=True):
    """The problems of one code in the views of the objects.

    Attributes:
        code: Their code.
        count: How many there are.
        objects: In how many objects.
        object: The object that the first one is of, as namespace/name.
        example: The first one.
    """

    code: str
    count: int
    objects: int
    object: str
    example: Problem


class Usage(msgspec.Struct, frozen=True, rename="camel"):
    """What the parts of one definition gave on the objects of its kind.

    Attributes:
        definition: Its name.
        file: Where it stands; None if it came from no file.
        api_version: The group and version that it covers.
        kind: The kind that it covers.
        objects: How many objects it was tried on.
        pods: How many pods they have; None where no pods are at hand.
        parts: Its parts, component by component.
        problems: What the views of the objects could not tell, by code.
    """

    definition: str
    file: str | None
    api_version: str
    kind: str
    objects: int
    pods: int | None
    parts: tuple[Part, ...]
    problems: tuple[ProblemCount, ...]


def count_problems(view: Workload, counted: dict[str, ProblemCount]) -> None:
    """Add the problems of a view to those that were counted, by their codes."""
    for code in dict.fromkeys(problem.code for problem in view.problems):
        found = [problem for problem in view.problems if problem.code == code]
        name = f"{view.namespace}/{view.name}" if view.namespace else view.name
        before = counted.get(code) or ProblemCount(code, 0, 0, name, found[0])
        counted[code] = msgspec.structs.replace(
            before, count=before.count + len(found), objects=before.objects + 1
        )
