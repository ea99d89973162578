"""Why a phase: each rule in the order in which they are asked, with what it read and whether it holds."""

from __future__ import annotations

from collections.abc import Iterator

from workload_map.engine.explaining.facts import Fact, Scope
from workload_map.engine.status import UNDEFINED, Evaluation
from workload_map.engine.status_plan import PRECEDENCE, Rule, StatusPlan
from workload_map.engine.view import Why


def explain_phase(plan: StatusPlan | None, scope: Scope, phase: str | None) -> Fact:
    """The phase with all rules that were asked.

    Args:
        plan: The status definition; None without one.
        scope: The object.
        phase: The phase that the view shows.
    """
    if phase is None:
        return Fact(
            what="phase", value=None, because="nothing has a phase before a controller wrote a status"
        )
    if plan is None:
        return Fact(what="phase", value=phase, because="the definition has no status definition")
    rules = tuple(_rules(plan, scope))
    if phase == UNDEFINED:
        because = "no rule holds"
    else:
        because = f"of the phases whose rules hold it comes first in the order {', '.join(PRECEDENCE)}"
    return Fact(what="phase", value=phase, because=because, facts=rules)


def _rules(plan: StatusPlan, scope: Scope) -> Iterator[Fact]:
    evaluation = Evaluation(plan, scope.reader)
    for rules in plan.rules:
        for rule in rules:
            holds = evaluation.matches(rule)
            why = evaluation.why(rule)
            yield Fact(
                what=rule.phase,
                value=holds,
                because=_words(rule, why, evaluation, holds=holds),
                rule=rule.place,
                expression=_expression(rule),
                reads=why.reads,
            )


def _words(rule: Rule, why: Why, evaluation: Evaluation, *, holds: bool) -> str:
    if not holds:
        gave = evaluation.gave(rule.expression) if rule.expression else None
        return "the rule does not hold" + (f": the expression gives {gave}" if gave is not None else "")
    said = ": ".join(text for text in (why.reason, why.message) if text)
    return f"the rule holds: {said}" if said else "the rule holds"


def _expression(rule: Rule) -> str:
    """What a rule asks, as one line."""
    matcher = rule.matcher
    asked = []
    if matcher.by_phase is not None:
        asked.append(f"the phase is {matcher.by_phase}")
    for condition in matcher.by_conditions:
        wanted = f" is {condition.status}" if condition.status is not None else " is there"
        reason = f" with reason {condition.reason}" if condition.reason is not None else ""
        asked.append(f"the condition {condition.type}{wanted}{reason}")
    if rule.expression is not None:
        asked.append(f"{' '.join(rule.expression.text.split())} gives {rule.expected}")
    return " and ".join(asked)
