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

    __slots__ = ("_by_type", "_plan")

    def __init__(self, plan: ConditionsPlan, reader: Reader) -> None:
        self._plan = plan
        self._by_type: dict[str, Condition] = {}
        for value, location, _ in reader.located(plan.field):
            for condition in value if isinstance(value, list) else () if value is None else (value,):
                if not self._add(condition):
                    message = f"{plan.field.place}: a condition is an object with a {plan.type}"
                    reader.report("condition-malformed", field_path(location), message)

    def _add(self, condition: Any) -> bool:
        name = condition.get(self._plan.type) if isinstance(condition, dict) else None
        if not isinstance(name, str):
            return False
        known = self._by_type.setdefault(name, condition)
        if known is not condition and self._age(condition) > self._age(known):
            self._by_type[name] = condition
        return True

    def _age(self, condition: Condition) -> tuple[str, ...]:
        fields = ("lastTransitionTime", self._plan.status, self._plan.reason)
        return tuple(str(condition.get(field) or "") for field in fields)

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

    def read(self, wanted: ConditionMatcher) -> Read:
        """What a matcher looked at, for the reason."""
        status = self._by_type.get(wanted.type, _ABSENT).get(self._plan.status)
        return Read(path=condition_place(self._plan, wanted.type), value=status)

    def words(self, wanted: ConditionMatcher) -> tuple[str | None, str | None]:
        """The reason and the message of a condition; None where they are empty, or it is absent."""
        return condition_words(self._plan, self._by_type.get(wanted.type, _ABSENT))


def condition_place(plan: ConditionsPlan, name: str) -> str:
    """The status of a condition of this type as a path: `status.conditions[type=Ready].status`."""
    return f"{plan.field.pattern.removesuffix('[*]')}[{plan.type}={name}].{plan.status}"


def condition_words(plan: ConditionsPlan, condition: Condition) -> tuple[str | None, str | None]:
    """The reason and the message of a condition; None where they are empty."""
    reason, message = condition.get(plan.reason), condition.get(plan.message)
    return (
        reason if isinstance(reason, str) and reason else None,
        message if isinstance(message, str) and message else None,
    )
