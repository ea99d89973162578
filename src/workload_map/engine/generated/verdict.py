"""What generated status functions say of the rules that hold: the status, with the reasons."""

from __future__ import annotations

from typing import Any, NamedTuple

from workload_map.engine.conditions import condition_places, condition_words
from workload_map.engine.generated.evidence_writer import LIMIT, Gather, evidence_function
from workload_map.engine.generated.shapes import plain_steps
from workload_map.engine.reading import Reader
from workload_map.engine.status import UNDEFINED, Status, generation_of, is_behind
from workload_map.engine.status_plan import Rule, StatusPlan
from workload_map.engine.view import Read, Why

Conditions = dict[str, dict[str, Any]]


class Verdict:
    """A rule as it is told once it holds."""

    __slots__ = (
        *("_conditions", "_gather", "_message", "_phase_path", "_place", "_rule", "_steps"),
        *("phase", "wanted"),
    )

    def __init__(self, plan: StatusPlan, rule: Rule) -> None:
        self.phase = rule.phase
        self._place = rule.place
        self._rule = rule
        self._message = plan.message
        self._conditions = plan.conditions
        self._steps = (plan.conditions and plain_steps(plan.conditions.field.program)) or ()
        self._phase_path = plan.phase.pattern if plan.phase and rule.matcher.by_phase is not None else None
        wanted = rule.matcher.by_conditions if plan.conditions else ()
        self.wanted = [
            (one.type, condition_places(plan.conditions, one)) for one in wanted if plan.conditions
        ]
        """The types of the conditions that it asks for, with the fields of those that it looks at."""
        self._gather: Gather | None = None

    def why(self, reader: Reader, phase: Any, conditions: Conditions) -> Why:
        """As `engine.status` gives the reason for a match."""
        reads: list[Read] = []
        reason = message = None
        if self._phase_path is not None:
            reads.append(Read(self._phase_path, phase))
        if self.wanted and self._conditions is not None:
            for kind, fields in self.wanted:
                for place, name in fields:
                    reads.append(Read(place, conditions[kind].get(name)))
            reason, message = condition_words(self._conditions, conditions[self.wanted[0][0]])
        if self._rule.expression is not None and len(reads) < LIMIT:
            gather = self._gather
            if gather is None:  # written on first use: most rules of a definition never hold
                gather = self._gather = evidence_function(self._rule.evidence)
            gather(reader.obj, reads)
        if message is None:
            message = self._said(reader)
        return Why(self.phase, self._place, tuple(reads), reason, message)

    def message(self, reader: Reader, place: int | None) -> str | None:
        """The message that `why` has, where the conditions are known to be an ordinary list.

        Args:
            reader: The object.
            place: The number of the first condition that the rule asks for; None where it asks for none.
        """
        if place is not None and self._conditions is not None:
            value: Any = reader.obj
            for key in self._steps:
                value = value[key]
            message = value[place].get(self._conditions.message)
            if message and isinstance(message, str):
                return message
        return self._said(reader)

    def _said(self, reader: Reader) -> str | None:
        """The message beside the phase, where the definition says where it lies."""
        if self._message is None:
            return None
        said = self._message.program.first(reader.obj, None, reader.budget)
        return said if isinstance(said, str) and said else None


class Match(NamedTuple):
    """What a generated function found out about an object.

    Attributes:
        verdicts: The rules that hold, one a phase, in precedence order.
        phase: What the path of the phase gives.
        conditions: The conditions by type.
        restarts: What the path of the restarts gives: a count, or None.
    """

    verdicts: list[Verdict]
    phase: Any
    conditions: Conditions
    restarts: int | None


def status_of(reader: Reader, match: Match) -> Status:
    """The status of an object whose matching rules are known."""
    verdicts, phase, conditions, restarts = match
    generation = generation_of(reader.obj)
    stale = is_behind(reader.obj.get("status"), generation)
    for one in verdicts:
        for name, _ in one.wanted:
            stale = stale or is_behind(conditions[name], generation)
    if len(verdicts) == 1:  # nearly always
        only = verdicts[0]
        return Status((only.phase,), (only.why(reader, phase, conditions),), stale, restarts)
    phases = tuple([one.phase for one in verdicts]) or (UNDEFINED,)
    return Status(phases, tuple([one.why(reader, phase, conditions) for one in verdicts]), stale, restarts)
