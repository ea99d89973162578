"""Definitions against real objects: what of them never gave anything.

Here is what is told of the counts; counting takes resolving objects, which `workload_map.engine.usage` does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

from workload_map.definition.findings import Report, Steps

What = Literal["component", "path", "matcher", "selector"]
Of = Literal["objects", "pods"]

_CODES: dict[What, str] = {
    "component": "component-silent",
    "path": "path-silent",
    "matcher": "matcher-silent",
    "selector": "selector-silent",
}


class Tally(msgspec.Struct, kw_only=True):
    """How often one part of a definition gave something, out of how often it could have.

    Attributes:
        what: A component gives itself, a path a value, a matcher a match, a selector a pod.
        component: The component that it is of; None where it is of the workload as a whole.
        steps: Where it stands in the definition.
        of: What the chances are.
        is_question: A path that asks whether something holds: only what is true is something.
        decides: A path that says whether its component is there at all.
        gave: How often it gave something.
        chances: How often it could have.
    """

    what: What
    component: str | None
    steps: Steps
    of: Of
    is_question: bool = False
    decides: bool = False
    gave: int = 0
    chances: int = 0

    def count(self, gave: bool, *, chance: bool = True) -> None:
        """Count one object or pod; whatever gave something had the chance to."""
        self.gave += gave
        self.chances += gave or chance

    @property
    def is_silent(self) -> bool:
        """Whether it had chances, and never gave anything."""
        return self.chances > 0 and not self.gave


def check(tallies: Sequence[Tally], report: Report) -> None:
    """Report all parts of a definition that never gave anything.

    Args:
        tallies: All parts, those of one definition.
        report: Takes the findings, a warning each.
    """
    for tally in silent(tallies):
        hint = _deciding(tally, tallies) if tally.what == "component" else None
        report.add(_CODES[tally.what], tally.steps, _message(tally), hint)


def silent(tallies: Iterable[Tally]) -> list[Tally]:
    """The parts that stand out: for a component that is never there its paths have nothing to add."""
    found = [tally for tally in tallies if tally.is_silent]
    absent = {tally.component for tally in found if tally.what == "component"}
    return [tally for tally in found if not (tally.decides and tally.component in absent)]


def _message(tally: Tally) -> str:
    everything = _all_of(tally)
    match tally.what:
        case "component":
            return f"{tally.component!r} is not there in {everything}"
        case "matcher":
            return f"it does not match {everything}"
        case "selector":
            return f"it does not take {everything}"
    return f"it is not true of {everything}" if tally.is_question else f"it gives nothing on {everything}"


def _all_of(tally: Tally) -> str:
    return f"any of the {tally.chances} {tally.of}" if tally.chances > 1 else f"the one {tally.of[:-1]}"


def _deciding(component: Tally, tallies: Iterable[Tally]) -> str | None:
    """What would say that a component is there, and does not."""
    fields = [
        str(tally.steps[-1])
        for tally in tallies
        if tally.component == component.component and tally.decides and tally.is_silent
    ]
    return f"look at {' and '.join(fields)}, of which nothing comes" if fields else None
