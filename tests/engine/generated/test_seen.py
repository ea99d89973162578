"""A status that is remembered: only for objects that stand the same, with the words of their own."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.generated.comparing import Object, generated, per_path
from tests.engine.made_up import definition, thing
from workload_map.engine import generated as engine
from workload_map.engine.plan import Plan
from workload_map.engine.reading import Reader

STRUCTURE = """
rootComponent:
  statusDefinition:
    conditionsDefinition: {path: .status.conditions}
    statusMappings:
      failed: [{byConditions: [{type: Ready, status: "False"}]}]
      running:
        - byExpression: {expression: .status.count == 1, expectedResult: "true"}
      initializing:
        - byExpression: {expression: if .status.part then 1 else 2 end, expectedResult: "1"}
      suspended:
        - byExpression: {expression: .status.part.name // "none", expectedResult: none}
"""


def _plan() -> Plan:
    """A plan of its own for each test, with a memory that is empty but at work."""
    plan = Plan(definition(STRUCTURE))
    for number in range(3):  # a definition begins to remember with its second object
        engine.status(plan, Reader(thing(status={"count": 100 + number})))
    return plan


def _status(plan: Plan, obj: Object) -> Any:
    return engine.status(plan, Reader(obj))


def test_objects_that_stand_the_same_have_one_status() -> None:
    plan = _plan()
    first = _status(plan, thing(status={"count": 1, "unread": "a"}))
    assert set(first.phases) == {"Running", "Suspended"}
    assert _status(plan, thing(status={"count": 1, "unread": "b"}, labels={"a": "b"})) is first


def test_each_object_has_the_message_of_its_own_condition() -> None:
    plan = _plan()
    for message in ("one is down", "two are down", None, ""):
        conditions = [{"type": "Other"}, {"type": "Ready", "status": "False", "reason": "Down"}]
        conditions[1] |= {} if message is None else {"message": message}
        why = _status(plan, thing(status={"conditions": conditions})).why[0]
        assert (why.phase, why.reason, why.message) == ("Failed", "Down", message or None)


_COUNTS: list[Any] = [1, True, 1.0, "1", None, 2, False, 0]
_PARTS: list[Any] = [{}, None, False, {"name": None}, {"name": "x"}, [], "", 0]
_CONDITIONS: list[Any] = [[], None, [None], [{}], [{"type": "Ready", "status": "False"}], {}]
_ALIKE: list[list[Object]] = [
    [{"count": one} for one in _COUNTS],
    [{"part": one} for one in _PARTS],
    [{}, {"part": None}, {"part": {"name": False}}],
    [{"conditions": one} for one in _CONDITIONS],
]


@pytest.mark.parametrize("statuses", _ALIKE)
def test_what_python_takes_for_the_same_is_not(statuses: list[Object]) -> None:
    plan = _plan()
    for status in (*statuses, *reversed(statuses)):
        obj = thing(status=status)
        assert generated(plan, obj) == per_path(plan, obj), status


def test_a_remembered_status_is_stale_for_the_generation_of_the_object() -> None:
    plan = _plan()
    for generation, is_stale in ((1, False), (2, True), (1, False), (None, False)):
        obj = thing(status={"count": 1, "observedGeneration": 1}, generation=generation)
        assert _status(plan, obj).stale is is_stale


def test_it_takes_as_much_of_the_budget_as_the_first_time() -> None:
    plan = _plan()
    obj = thing(status={"count": 1, "conditions": [{"type": name} for name in "abc"]})
    left = []
    for _ in range(3):
        reader = Reader(obj)
        engine.status(plan, reader)
        left.append(reader.budget.steps)
    assert left[0] == left[1] == left[2] < Reader(obj).budget.steps
