"""Why a phase: each rule in the order in which they are asked, with what it read and whether it holds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from workload_map.definition.schema import ConditionMatcher
from workload_map.engine.explaining.facts import Fact, Scope
from workload_map.engine.status import UNDEFINED, Evaluation, as_text
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
        return f"the rule does not hold: {_failing(rule, evaluation)}"
    said = ": ".join(text for text in (why.reason, why.message) if text)
    return f"the rule holds: {said}" if said else "the rule holds"


def _failing(rule: Rule, evaluation: Evaluation) -> str:
    """What stands against a rule that does not hold: the first of its parts that fails, as they are asked."""
    matcher = rule.matcher
    if matcher.by_phase is not None and evaluation.phase != matcher.by_phase:
        if evaluation.plan.phase is None:
            return "the definition has no phaseDefinition"
        return _is("the phase", evaluation.phase)
    for wanted in matcher.by_conditions:
        if evaluation.conditions is None or evaluation.conditions.find(wanted) is None:
            return _against(wanted, evaluation)
    gave = evaluation.gave(rule.expression) if rule.expression else None
    return f"the expression gives {'no result' if gave is None else gave}"


def _against(wanted: ConditionMatcher, evaluation: Evaluation) -> str:
    """How a condition differs from what a matcher asks for."""
    plan, conditions = evaluation.plan.conditions, evaluation.conditions
    if plan is None or conditions is None:
        return "the definition has no conditionsDefinition"
    name = f"the condition {wanted.type}"
    condition = conditions.of_type(wanted.type)
    if condition is None:
        return f"{name} is absent"
    if wanted.status is not None and condition.get(plan.status) != wanted.status:
        return _is(f"the {plan.status} of {name}", condition.get(plan.status))
    return _is(f"the {plan.reason} of {name}", condition.get(plan.reason))


def _is(what: str, value: Any) -> str:
    """What a field is, in words; the empty text is seen as such."""
    if value is None:
        return f"{what} is absent"
    text = as_text(value)
    return f"{what} is {'no text' if text is None else text or 'empty'}"


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
