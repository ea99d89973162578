"""From the status of a framework to the one normalized phase, with the rule that decided and what it read.

Every match is kept; one is chosen by a fixed precedence. A matcher that cannot be evaluated does not match,
and says so as a problem; a part that is absent is an answer, not a problem.
"""

from __future__ import annotations

from typing import Any

import msgspec

from workload_map import path
from workload_map.engine.conditions import Conditions
from workload_map.engine.fields import Field
from workload_map.engine.reading import Reader, field_path
from workload_map.engine.scale import count_of, is_count
from workload_map.engine.status_plan import Rule, StatusPlan
from workload_map.engine.view import Read, Why

UNDEFINED = "Undefined"

# A reason is for people: a rule over a long list shows its first fields.
_MAX_READS = 32

_NOTHING = object()


class Status(msgspec.Struct, frozen=True, gc=False):
    """All phases that match in precedence order, why, and whether the status is behind the spec."""

    phases: tuple[str, ...]
    why: tuple[Why, ...]
    stale: bool
    restarts: int | None

    @property
    def phase(self) -> str:
        """The one that is shown."""
        return self.phases[0]


def read_status(plan: StatusPlan, reader: Reader) -> Status:
    """The phases of an object by a status definition."""
    evaluation = Evaluation(plan, reader)
    matched = [rule for rules in plan.rules if (rule := evaluation.first_match(rules)) is not None]
    restarts = restarts_of(reader.first(plan.restarts), plan.restarts, reader) if plan.restarts else None
    return Status(
        phases=tuple(rule.phase for rule in matched) or (UNDEFINED,),
        why=tuple(evaluation.why(rule) for rule in matched),
        stale=is_behind(reader.obj.get("status"), generation_of(reader.obj))
        or any(map(evaluation.rests_on_stale, matched)),
        restarts=restarts,
    )


class Evaluation:
    """One object against the rules: what several rules look at is read once."""

    __slots__ = ("_texts", "conditions", "phase", "plan", "reader")

    def __init__(self, plan: StatusPlan, reader: Reader) -> None:
        self.plan = plan
        self.reader = reader
        self.phase = reader.first(plan.phase) if plan.phase else None
        self.conditions = Conditions(plan.conditions, reader) if plan.conditions else None
        self._texts: dict[str, str | None] = {}

    def first_match(self, rules: list[Rule]) -> Rule | None:
        """The first of the rules of one phase that holds: one suffices."""
        for rule in rules:
            if self.matches(rule):
                return rule
        return None

    def matches(self, rule: Rule) -> bool:
        """Whether a rule holds: all that its matcher asks is so."""
        matcher = rule.matcher
        if matcher.by_phase is not None and self.phase != matcher.by_phase:
            return False
        for wanted in matcher.by_conditions:
            if self.conditions is None or self.conditions.find(wanted) is None:
                return False
        return rule.expression is None or self._holds(rule, rule.expression)

    def _holds(self, rule: Rule, expression: Field) -> bool:
        """Whether the expression gives the expected text first."""
        # The rules of a definition often share one expression that names the state; it is evaluated once.
        if expression.text not in self._texts:
            self._texts[expression.text] = self._first_as_text(rule, expression)
        return self._texts[expression.text] == rule.expected

    def _first_as_text(self, rule: Rule, expression: Field) -> str | None:
        """The first result as text; None where there is none, or it rests on what is not at hand.

        Failing on what is absent is a plain no.
        """
        try:
            program, variables = self.reader.ready(expression)
            value = program.first(self.reader.obj, _NOTHING, self.reader.budget, variables)
        except path.PathRuntimeError as error:
            if error.found != "null":
                self._failed(rule, "status-failed", error)
            return None
        except path.PathBudgetError as error:
            self.reader.over_budget = True
            self._failed(rule, "path-budget", error)
            return None
        except path.PathUnknownError:
            return None
        return None if value is _NOTHING else as_text(value)

    def _failed(self, rule: Rule, code: str, error: path.PathError) -> None:
        at: path.Location | None = getattr(error, "at", None)
        self.reader.report(code, field_path(at) if at else None, f"{rule.place}: {error.message}")

    def gave(self, expression: Field) -> str | None:
        """What an expression gave as text; None where it gave nothing, or no rule asked for it."""
        return self._texts.get(expression.text)

    def rests_on_stale(self, rule: Rule) -> bool:
        """Whether a condition that a matching rule looks at is older than the spec."""
        if self.conditions is None:
            return False
        generation = generation_of(self.reader.obj)
        return any(is_behind(self.conditions.find(one), generation) for one in rule.matcher.by_conditions)

    def why(self, rule: Rule) -> Why:
        """What a rule looked at, and the framework's own words for it where it has any."""
        reads: list[Read] = []
        reason = message = None
        if rule.matcher.by_phase is not None and self.plan.phase is not None:
            reads.append(Read(path=self.plan.phase.pattern, value=self.phase))
        if self.conditions is not None and rule.matcher.by_conditions:
            reads.extend(read for one in rule.matcher.by_conditions for read in self.conditions.reads(one))
            reason, message = self.conditions.words(rule.matcher.by_conditions[0])
        if rule.expression is not None:
            reads.extend(rule.evidence.collect(self.reader.obj, _MAX_READS - len(reads)))
        if message is None and self.plan.message is not None:
            said = self.reader.first(self.plan.message)
            message = said if isinstance(said, str) and said else None
        return Why(phase=rule.phase, rule=rule.place, reads=tuple(reads), reason=reason, message=message)


def generation_of(obj: dict[str, Any]) -> int | None:
    """How often the spec was changed; None where the object does not say."""
    meta = obj.get("metadata")
    generation = meta.get("generation") if isinstance(meta, dict) else None
    return generation if type(generation) is int else None


def is_behind(holder: Any, generation: int | None) -> bool:
    """Whether what bears an `observedGeneration` (a status, a condition) is behind the spec's generation."""
    if generation is None or not isinstance(holder, dict):
        return False
    observed = holder.get("observedGeneration")
    return type(observed) is int and observed < generation


_WORDS = (("true", True), ("false", False), ("null", None))


def as_text(value: Any) -> str | None:
    """A result as the text that it is compared as: a string as it is, everything else as `tojson` writes it.

    None for what is nested too deeply, or has too many digits, to be any text that a definition could expect.
    """
    if isinstance(value, str):
        return value
    for word, meant in _WORDS:  # nearly always
        if value is meant:
            return word
    try:
        text = path.compile("tojson").first(value)
    except path.PathError:
        return None
    return text if isinstance(text, str) else None


def restarts_of(value: Any, field: Field, reader: Reader) -> int | None:
    """A number of restarts, by the rules of counts; None, with a problem, for what is none."""
    if is_count(value):
        return int(value)
    if value is None:
        return None
    (_, location, _), *_ = reader.located(field)
    found = count_of(value, location, field, reader)
    return found if is_count(found) else None
