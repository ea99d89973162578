"""The status definition of a component, ready to run: its rules in the order in which they are asked."""

from __future__ import annotations

from functools import cached_property

from workload_map.definition.schema import ConditionsDefinition, StatusDefinition, StatusMatcher
from workload_map.engine.evidence import Evidence
from workload_map.engine.fields import Field, Fields

PRECEDENCE = (
    "Failed",
    "Completed",
    "Suspending",
    "Suspended",
    "Resuming",
    "Degraded",
    "Running",
    "Initializing",
)
"""All phases that can be matched, the one that is shown of several first."""


class Rule:
    """One matcher of a definition."""

    def __init__(self, phase: str, matcher: StatusMatcher, place: str, fields: Fields) -> None:
        self.phase = phase
        self.matcher = matcher
        self.place = place
        expression = matcher.by_expression
        self.expected = expression.expected_result if expression else None
        self.expression: Field | None = (
            fields.make(expression.expression, f"{place}.byExpression.expression", structural=False)
            if expression
            else None
        )

    @cached_property
    def evidence(self) -> Evidence:
        """The fields that the expression may read."""
        return Evidence(self.expression.program.reads if self.expression else ())

    @property
    def is_empty(self) -> bool:
        """A matcher that asks nothing would match everything; it matches nothing (validation refuses it)."""
        return self.matcher.by_phase is None and not self.matcher.by_conditions and self.expression is None


class ConditionsPlan:
    """Where the conditions lie, and how their fields are called."""

    __slots__ = ("field", "message", "reason", "status", "type")

    def __init__(self, definition: ConditionsDefinition, place: str, fields: Fields) -> None:
        self.field = fields.make(definition.path, f"{place}.conditionsDefinition.path")
        self.type = definition.type_field_name
        self.status = definition.status_field_name
        self.reason = definition.reason_field_name
        self.message = definition.message_field_name


class StatusPlan:
    """The status definition of a component, ready to run."""

    def __init__(self, definition: StatusDefinition, place: str, fields: Fields | None = None) -> None:
        fields = fields or Fields()
        place = f"{place}.statusDefinition"
        phase, conditions = definition.phase_definition, definition.conditions_definition
        self.phase: Field | None = fields.make(phase.path, f"{place}.phaseDefinition.path") if phase else None
        self.conditions = ConditionsPlan(conditions, place, fields) if conditions else None
        self.message = fields.optional(definition.message_path, f"{place}.messagePath")
        self.restarts = fields.optional(definition.restarts_path, f"{place}.restartsPath")
        self.rules: list[list[Rule]] = []
        """The rules of each phase, in precedence order."""
        for name in PRECEDENCE:
            key = name.lower()
            matchers: tuple[StatusMatcher, ...] = getattr(definition.status_mappings, key)
            rules = [
                Rule(name, matcher, f"{place}.statusMappings.{key}[{index}]", fields)
                for index, matcher in enumerate(matchers)
            ]
            self.rules.append([rule for rule in rules if not rule.is_empty])
