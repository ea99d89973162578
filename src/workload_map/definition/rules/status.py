"""Rules on how a status becomes a phase."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from workload_map import path
from workload_map.definition.findings import Report, Steps, shown
from workload_map.definition.rules.results import check_result, forms_of, strings
from workload_map.definition.schema import (
    ConditionMatcher,
    ConditionsDefinition,
    Definition,
    StatusDefinition,
    StatusMappings,
    StatusMatcher,
)
from workload_map.definition.structure import ROOT, steps_of
from workload_map.path.parser import parse
from workload_map.spelling import did_you_mean

_STATUSES = ("True", "False", "Unknown")
# Which of several phases that match is shown; the first wins.
PRECEDENCE = (
    "failed",
    "completed",
    "suspending",
    "suspended",
    "resuming",
    "degraded",
    "running",
    "initializing",
)


class Placed(NamedTuple):
    """A matcher of a phase, its place among those of that phase, and where it stands."""

    phase: str
    number: int
    matcher: StatusMatcher
    steps: Steps


def check(definition: Definition, report: Report) -> None:
    """Check that the root has a status, and each status definition."""
    if definition.root.status_definition is None:
        report.add("status-missing", ROOT, "the root has no statusDefinition: its phase is always Undefined")
    references = tuple(reference.name for reference in definition.spec.structure_definition.references)
    for component, steps in steps_of(definition):
        if component.status_definition is not None:
            _check_status(component.status_definition, references, (*steps, "statusDefinition"), report)


def _check_status(
    status: StatusDefinition, references: tuple[str, ...], steps: Steps, report: Report
) -> None:
    where = (*steps, "statusMappings")
    placed = list(matchers(status.status_mappings, where))
    if not placed:
        report.add("mappings-empty", where, "no phase has a matcher: the phase is always Undefined")
    for each in placed:
        _check_matcher(each.matcher, status, each.steps, report)
        _check_results(each.matcher, status, references, each.steps, report)
    compared = [each._replace(matcher=_spelt_alike(each.matcher)) for each in placed]
    _check_pairs([each for each in compared if each.matcher != StatusMatcher()], report)


def _spelt_alike(matcher: StatusMatcher) -> StatusMatcher:
    """A matcher to compare with others: what its expression says, however that is spelt."""
    asked = matcher.by_expression
    if asked is None:
        return matcher
    try:
        meaning = repr(_without_places(parse(asked.expression)))
    except path.PathSyntaxError:
        return matcher  # told as such
    return replace(matcher, by_expression=replace(asked, expression=meaning))


def _without_places(node: Any) -> Any:
    """A part of a syntax tree as plain values, without where in the text it stood."""
    if isinstance(node, tuple):
        return tuple(_without_places(each) for each in node)
    if not isinstance(node, Struct):
        return node
    names = [name for name in node.__struct_fields__ if name != "span"]
    return (type(node).__name__, *(_without_places(getattr(node, name)) for name in names))


def matchers(mappings: StatusMappings, steps: Steps) -> Iterator[Placed]:
    """All matchers, those of the phase that is shown before the others first."""
    for phase in PRECEDENCE:
        for index, matcher in enumerate(getattr(mappings, phase)):
            yield Placed(phase, index, matcher, (*steps, phase, index))


def _check_matcher(matcher: StatusMatcher, status: StatusDefinition, steps: Steps, report: Report) -> None:
    if matcher == StatusMatcher():
        report.add("matcher-empty", steps, "it asks for nothing, so that it would match every object")
    if matcher.by_phase is not None and status.phase_definition is None:
        message = "no phaseDefinition says where the phase is, so that it never matches"
        report.add("phase-not-extracted", (*steps, "byPhase"), message)
    if matcher.by_conditions and status.conditions_definition is None:
        message = "no conditionsDefinition says where the conditions are, so that it never matches"
        report.add("conditions-not-extracted", (*steps, "byConditions"), message)
    for index, condition in enumerate(matcher.by_conditions):
        where = (*steps, "byConditions", index)
        if status.conditions_definition is not None:
            _check_condition(condition, status.conditions_definition, where, report)
        for earlier in matcher.by_conditions[:index]:
            if _contradict(earlier, condition):
                message = f"{condition.type!r} cannot have two values at once, so that it never matches"
                report.add("matcher-contradiction", where, message)
            elif earlier.type == condition.type:
                report.add("condition-repeated", where, f"{condition.type!r} is asked for before")


def _check_results(
    matcher: StatusMatcher,
    status: StatusDefinition,
    references: tuple[str, ...],
    steps: Steps,
    report: Report,
) -> None:
    """Report what is expected of an expression, or of the phase, and can never come of it."""
    asked = matcher.by_expression
    if asked is not None:
        forms = forms_of(asked.expression, references)
        where = (*steps, "byExpression", "expectedResult")
        check_result(asked.expected_result, forms, where, report)
    if matcher.by_phase is not None and status.phase_definition is not None:
        forms = forms_of(status.phase_definition.path, references)
        check_result(matcher.by_phase, strings(forms), (*steps, "byPhase"), report)


def _check_condition(
    condition: ConditionMatcher, definition: ConditionsDefinition, steps: Steps, report: Report
) -> None:
    asked = {"type": condition.type, "status": condition.status, "reason": condition.reason}
    for name, value in asked.items():
        if value is not None and not getattr(definition, f"{name}_field_name"):
            message = (
                f"{name}FieldName is empty: the {name} of a condition is not read, so that it never matches"
            )
            report.add("condition-field-not-extracted", (*steps, name), message)
    if condition.status is None or definition.status_field_name != "status":
        return
    if condition.status not in _STATUSES:
        message = f"{shown(condition.status)} is no status of conditions as Kubernetes has them"
        hint = did_you_mean(condition.status, _STATUSES)
        report.add("condition-status-unusual", (*steps, "status"), message, hint)


def _contradict(one: ConditionMatcher, other: ConditionMatcher) -> bool:
    if one.type != other.type:
        return False
    return _differ(one.status, other.status) or _differ(one.reason, other.reason)


def _differ(one: str | None, other: str | None) -> bool:
    return one is not None and other is not None and one != other


def _check_pairs(placed: list[Placed], report: Report) -> None:
    """Find matchers that another one makes pointless; `placed` is in the order of precedence."""
    for position, later in enumerate(placed):
        for earlier in placed[:position]:
            if not _implies(later.matcher, earlier.matcher):
                continue
            other = f"{earlier.phase}[{earlier.number}]"
            if earlier.phase == later.phase:
                message = f"whatever it matches, {other} has matched before"
                report.add("matcher-unreachable", later.steps, message, "put it first, or remove it")
            elif _implies(earlier.matcher, later.matcher):
                message = f"{other} asks for the same and is shown instead"
                report.add("matchers-identical", later.steps, message, "make the two exclude each other")
            else:
                message = f"whatever it matches, {other} matches too and is shown instead"
                report.add("matcher-shadowed", later.steps, message, "make the two exclude each other")
            break


def _implies(special: StatusMatcher, general: StatusMatcher) -> bool:
    """Whether each object that `special` matches is certainly matched by `general` too."""
    if general.by_phase is not None and general.by_phase != special.by_phase:
        return False
    if general.by_expression is not None and general.by_expression != special.by_expression:
        return False
    return all(
        any(_condition_implies(own, asked) for own in special.by_conditions)
        for asked in general.by_conditions
    )


def _condition_implies(special: ConditionMatcher, general: ConditionMatcher) -> bool:
    return special.type == general.type and all(
        getattr(general, field) in (None, getattr(special, field)) for field in ("status", "reason")
    )
