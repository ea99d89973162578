"""What the spec asks for: whether every place that a suspend action writes has the value already."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.generated.comparing import generated, per_path
from tests.engine.made_up import codes, definition, thing, view
from workload_map.engine.plan import Plan


def actions(*actions: tuple[str, str]) -> str:
    listed = ", ".join(f"{{path: '{path}', value: '{value}'}}" for path, value in actions)
    return f"rootComponent: {{suspendDefinition: {{suspendActions: [{listed}], resumeActions: [{listed}]}}}}"


def asks(structure: str, spec: Any) -> bool | None:
    """What both forms of the engine say."""
    plan = Plan(definition(structure))
    assert generated(plan, thing(spec)) == per_path(plan, thing(spec))
    return view(structure, thing(spec)).suspended


@pytest.mark.parametrize(
    ("written", "suspended"),
    [
        ([True, True], True),
        ([True, False], False),
        ([False, True], False),
        ([True, None], False),
        ([], False),
        (None, False),
    ],
)
def test_an_action_on_several_entries_is_in_place_where_it_is_in_all_of_them(
    written: list[bool | None] | None, suspended: bool
) -> None:
    jobs = None if written is None else [{"suspend": one} for one in written]
    assert asks(actions((".spec.jobs[].suspend", "true")), {"jobs": jobs}) is suspended


@pytest.mark.parametrize(
    ("others", "suspended"), [([], None), ([{"suspend": True}], None), ([{"suspend": False}], False)]
)
def test_an_entry_that_cannot_be_read_leaves_it_open_unless_another_says_no(
    others: list[Any], suspended: bool | None
) -> None:
    structure = actions((".spec.jobs[].suspend", "true"))
    obj = thing({"jobs": ["no object", *others]})
    workload = view(structure, obj)
    assert (workload.suspended, codes(workload)) == (suspended, ["path-failed"])


@pytest.mark.parametrize(
    ("value", "found", "suspended"),
    [
        ("0", 0, True),
        ("0", 0.0, True),
        ("0", False, False),
        ("0", None, False),
        ("0", "0", False),
        ("1", True, False),
        ("true", 1, False),
        ("null", None, True),
        ("null", False, False),
        ('"Halted"', "Halted", True),
        ('"Halted"', ["Halted"], False),
        ('{"a": 1}', {"a": 1}, True),
        ('{"a": 1}', {"a": 1.0}, True),
        ('{"a": 1}', {"a": True}, False),
        ("[false]", [0], False),
        ("[]", {}, False),
    ],
)
def test_values_are_the_same_where_json_says_so(value: str, found: Any, suspended: bool) -> None:
    assert asks(actions((".spec.x", value)), {"x": found}) is suspended


def test_each_of_several_actions_must_be_in_place() -> None:
    structure = actions((".spec.paused", "true"), (".spec.groups[].replicas", "0"))
    groups = [{"replicas": 0}, {"replicas": 0}]
    assert asks(structure, {"paused": True, "groups": groups}) is True
    assert asks(structure, {"paused": False, "groups": groups}) is False
    assert asks(structure, {"paused": True, "groups": [*groups, {"replicas": 2}]}) is False
