"""The conditions of an object by type, matched as they are: absent is not False, and Unknown is neither."""

from __future__ import annotations

from typing import Any

from workload_map.definition.schema import ConditionMatcher
from workload_map.engine.reading import Reader, field_path
from workload_map.engine.status_plan import ConditionsPlan
from workload_map.engine.view import Read

Condition = dict[str, Any]
_ABSENT: Condition = {}


class Conditions:
    """The conditions of one object. Of two of one type the later transition counts, not their order."""

    __slots__ = ("_by_type", "_plan", "_repeated")

    def __init__(self, plan: ConditionsPlan, reader: Reader) -> None:
        self._plan = plan
        self._by_type: dict[str, Condition] = {}
        self._repeated: set[str] = set()
        for value, location, _ in reader.located(plan.field):
            for condition in value if isinstance(value, list) else () if value is None else (value,):
                if not self._add(condition):
                    message = f"{plan.field.place}: a condition is an object with a {plan.type}"
                    reader.report("condition-malformed", field_path(location), message)
        for name in sorted(self._repeated):
            message = f"{plan.field.place}: several conditions of type {name} say different things"
            reader.report("condition-repeated", None, message)

    def _add(self, condition: Any) -> bool:
        name = condition.get(self._plan.type) if isinstance(condition, dict) else None
        if not isinstance(name, str):
            return False
        known = self._by_type.setdefault(name, condition)
        if known is not condition:
            if self._words(condition) != self._words(known):
                self._repeated.add(name)
            if self._age(condition) > self._age(known):
                self._by_type[name] = condition
        return True

    def _words(self, condition: Condition) -> tuple[str, ...]:
        """What a condition says."""
        return tuple(
            _text(condition, name) for name in (self._plan.status, self._plan.reason, self._plan.message)
        )

    def _age(self, condition: Condition) -> tuple[Any, ...]:
        """The later one is greater; of two of the same time one is, whatever their order in the list."""
        observed = condition.get("observedGeneration")
        generation = observed if type(observed) is int else 0
        return (_text(condition, "lastTransitionTime"), generation, *self._words(condition))

    def of_type(self, name: str) -> Condition | None:
        """The condition of a type, whatever it says; None where it is absent."""
        return self._by_type.get(name)

    def find(self, wanted: ConditionMatcher) -> Condition | None:
        """The condition that a matcher asks for; None where it is absent or says something else."""
        condition = self._by_type.get(wanted.type)
        if condition is None:
            return None
        if wanted.status is not None and condition.get(self._plan.status) != wanted.status:
            return None
        if wanted.reason is not None and condition.get(self._plan.reason) != wanted.reason:
            return None
        return condition

    def reads(self, wanted: ConditionMatcher) -> list[Read]:
        """What a matcher looked at, for the reason."""
        condition = self._by_type.get(wanted.type, _ABSENT)
        return [Read(place, condition.get(name)) for place, name in condition_places(self._plan, wanted)]

    def words(self, wanted: ConditionMatcher) -> tuple[str | None, str | None]:
        """The reason and the message of a condition; None where they are empty, or it is absent."""
        return condition_words(self._plan, self._by_type.get(wanted.type, _ABSENT))


def _text(condition: Condition, name: str) -> str:
    value = condition.get(name)
    return value if isinstance(value, str) else ""


def condition_places(plan: ConditionsPlan, wanted: ConditionMatcher) -> list[tuple[str, str]]:
    """The fields of a condition that a matcher looks at, each as a path and as its name.

    A matcher that asks for the type alone is told with the status that it passes over:
    `status.conditions[type=Ready].status`.
    """
    front = f"{plan.field.pattern.removesuffix('[*]')}[{plan.type}={wanted.type}]"
    names = [] if wanted.status is None and wanted.reason is not None else [plan.status]
    if wanted.reason is not None:
        names.append(plan.reason)
    return [(f"{front}.{name}", name) for name in names]


def condition_words(plan: ConditionsPlan, condition: Condition) -> tuple[str | None, str | None]:
    """The reason and the message of a condition; None where they are empty."""
    reason, message = condition.get(plan.reason), condition.get(plan.message)
    return (
        reason if isinstance(reason, str) and reason else None,
        message if isinstance(message, str) and message else None,
    )
