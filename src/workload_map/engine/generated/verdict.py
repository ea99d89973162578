"""What generated status functions say of the rules that hold: the status, with the reasons."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from workload_map.engine.conditions import condition_place, condition_words
from workload_map.engine.generated.evidence_writer import LIMIT, Gather, evidence_function
from workload_map.engine.reading import Reader
from workload_map.engine.status import UNDEFINED, Status, is_behind
from workload_map.engine.status_plan import Rule, StatusPlan
from workload_map.engine.view import Read, Why

Conditions = dict[str, dict[str, Any]]


class Verdict:
    """A rule as it is told once it holds."""

    def __init__(self, plan: StatusPlan, rule: Rule) -> None:
        self.phase = rule.phase
        self.place = rule.place
        self._plan = plan
        self._rule = rule
        self._phase_path = plan.phase.pattern if plan.phase and rule.matcher.by_phase is not None else None
        self.wanted = rule.matcher.by_conditions

    @cached_property
    def _gather(self) -> Gather | None:
        return evidence_function(self._rule.evidence) if self._rule.expression else None

    @cached_property
    def _places(self) -> list[str]:
        conditions = self._plan.conditions
        return [condition_place(conditions, one.type) for one in self.wanted] if conditions else []

    def why(self, reader: Reader, phase: Any, conditions: Conditions) -> Why:
        """As `engine.status` gives the reason for a match."""
        plan = self._plan
        reads: list[Read] = []
        reason = message = None
        if self._phase_path is not None:
            reads.append(Read(self._phase_path, phase))
        if self.wanted and plan.conditions is not None:
            status = plan.conditions.status
            for wanted, place in zip(self.wanted, self._places, strict=True):
                reads.append(Read(place, conditions[wanted.type].get(status)))
            reason, message = condition_words(plan.conditions, conditions[self.wanted[0].type])
        if self._gather is not None and len(reads) < LIMIT:
            self._gather(reader.obj, reads)
        if message is None and plan.message is not None:
            said = plan.message.program.first(reader.obj, None, reader.budget)
            message = said if isinstance(said, str) and said else None
        return Why(self.phase, self.place, tuple(reads), reason, message)


def status_of(
    reader: Reader, verdicts: list[Verdict], phase: Any, conditions: Conditions, restarts: Any
) -> Status:
    """The status of an object whose matching rules are known, one a phase, in precedence order."""
    stale = is_behind(reader.obj.get("status"), reader) or any(
        is_behind(conditions[wanted.type], reader) for one in verdicts for wanted in one.wanted
    )
    restarts = restarts if type(restarts) is int else None
    if len(verdicts) == 1:
        only = verdicts[0]
        return Status((only.phase,), (only.why(reader, phase, conditions),), stale, restarts)
    return Status(
        tuple(one.phase for one in verdicts) or (UNDEFINED,),
        tuple(one.why(reader, phase, conditions) for one in verdicts),
        stale,
        restarts,
    )
