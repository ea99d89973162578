"""What is expected of an expression that can never give it is told, and nothing else is."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from tests.definition.test_validate import CHILD, ROOT, told
from tests.path.programs import programs, values

from workload_map import path
from workload_map.definition.findings import Report
from workload_map.definition.rules.results import check_result, forms_of, strings
from workload_map.documents import Document
from workload_map.engine.status import as_text

EXPRESSION = f"{ROOT}.statusDefinition.statusMappings.running[0].byExpression.expectedResult"
PHASE = f"{ROOT}.statusDefinition.statusMappings.running[0].byPhase"
STATE = 'if .status.failed > 0 then "Failed" elif .status.ready > 0 then "Running" else "Pending" end'

REACHED = [
    (".status.phase", "anything"),
    (".status.ready > 0", "true"),
    (".status.ready > 0", "false"),
    (".status.ready > 0 | tostring", "true"),
    (".status.ready > 0 | not", "false"),
    (STATE, "Pending"),
    (f"{STATE} as $state | $state", "Failed"),
    (f"def state: {STATE}; state", "Running"),
    (f'def either(f): if .a then f else "None" end; either({STATE})', "Running"),
    (f'{STATE} | if . == "Failed" then "Broken" else . end', "Running"),
    ('.status.phase // "Unknown"', "Up"),
    ('first(.status.conditions[] | .type) // "Unknown"', "Up"),
    (".status.conditions | length", "3"),
    (".status.conditions | length", "0"),
    ("[.status.conditions[].type]", '["Up","Down"]'),
    ("[.status.conditions[].type]", "[]"),
    ("{a: .status.a}", '{"a":1.5}'),
    (".status.phase | ascii_downcase", "running"),
    (".status.phase | type", "string"),
    ('try error("x") catch .', "x"),
    ('.status.phase | select(. == "Up")', "Up"),
    ("null", "null"),
    ("$__loc__", '{"file":"<top-level>","line":1}'),
    (".status.ready % 2", "1"),
    ('.status.phase | index("a")', "null"),
]
UNREACHED = [
    (".status.ready > 0", "True", "did you mean true?"),
    (".status.ready > 0", "yes", "it gives false, true"),
    (".status.ready > 0 | tostring", "1", "it gives false, true"),
    (".a and .b", "", "it gives false, true"),
    (STATE, "pending", "did you mean Pending?"),
    (STATE, "Completed", "it gives Failed, Pending, Running"),
    (f"{STATE} as $state | $state", "Runnin", "did you mean Running?"),
    (f"def state: {STATE}; state", "Paused", "it gives Failed, Pending, Running"),
    (
        f'def either(f): if .a then f else "None" end; either({STATE})',
        "Paused",
        "it gives Failed, None, Pending, Running",
    ),
    (f'{STATE} | if . == "Failed" then "Broken" else "Fine" end', "Running", "it gives Broken, Fine"),
    (".status.conditions | length", "three", None),
    (".status.conditions | length", "1.50", None),
    (".status.conditions | length", " 1", None),
    ("[.status.conditions[].type]", '["Up", "Down"]', None),
    ("[.status.conditions[].type]", "{}", None),
    (".status.phase | ascii_downcase", "Running", None),
    (".status.phase | ascii_upcase", "Running", None),
    (".status.phase | type", "text", "it gives array, boolean, null, number, object, string"),
    ("empty", "x", None),
    ("null", "", "it gives null"),
    ("3", "4", None),
]


def matching(base: dict[str, Any], matcher: dict[str, Any]) -> list[tuple[str, str | None]]:
    """What is told of a definition with one matcher, without what this test is not about."""
    root = base["spec"]["structureDefinition"]["rootComponent"]
    root["statusDefinition"]["statusMappings"] = {"running": [matcher]}
    beside = ("fires-without-status", "expression-not-portable", "matcher-constant")
    return [each for each in told(base) if each[0] not in beside]


@pytest.mark.parametrize(("expression", "expected"), REACHED)
def test_what_an_expression_can_give_may_be_expected(
    base: dict[str, Any], expression: str, expected: str
) -> None:
    assert matching(base, {"byExpression": {"expression": expression, "expectedResult": expected}}) == []


@pytest.mark.parametrize(("expression", "expected", "hint"), UNREACHED)
def test_what_an_expression_never_gives_is_told(
    base: dict[str, Any], expression: str, expected: str, hint: str | None
) -> None:
    found = matching(base, {"byExpression": {"expression": expression, "expectedResult": expected}})
    assert found == [("result-unreachable", EXPRESSION)]
    report = Report(Document(None, "f.yaml", 1))
    check_result(expected, forms_of(expression), (), report)
    (finding,) = report.findings
    assert hint is None or finding.hint == hint


@pytest.mark.parametrize(
    ("phase", "expected", "is_reached"),
    [
        (".status.phase", "true", True),
        (STATE, "Running", True),
        (STATE, "running", False),
        (".status.ready > 0", "true", False),  # a phase is a text, and no boolean is one
        (".status.ready > 0 | tostring", "true", True),
        (".status.ready > 0 | tostring", "yes", False),
        (".status.list | length", "1", False),
    ],
)
def test_a_phase_that_is_never_there_is_told(
    base: dict[str, Any], phase: str, expected: str, is_reached: bool
) -> None:
    status = base["spec"]["structureDefinition"]["rootComponent"]["statusDefinition"]
    status["phaseDefinition"] = {"path": phase}
    assert matching(base, {"byPhase": expected}) == ([] if is_reached else [("result-unreachable", PHASE)])


def test_a_value_that_the_key_of_a_selector_never_gives_is_told(
    base: dict[str, Any], child: dict[str, Any]
) -> None:
    selector = child["podSelector"]["componentTypeSelector"]
    selector |= {"keyPath": '.metadata.labels | has("wagon")', "value": "true"}
    where = f"{CHILD}.podSelector.componentTypeSelector.value"
    assert told(base) == [("result-unreachable", where)]
    selector["keyPath"] = 'if .metadata.labels | has("wagon") then "true" else "false" end'
    assert told(base) == []


@pytest.mark.parametrize("status", ["true", "TRUE", "yes", "", "Running"])
def test_a_condition_is_true_false_or_unknown(base: dict[str, Any], status: str) -> None:
    where = f"{ROOT}.statusDefinition.statusMappings.running[0].byConditions[0].status"
    found = matching(base, {"byConditions": [{"type": "Up", "status": status}]})
    assert found == [("condition-status-unusual", where)]
    for usual in ("True", "False", "Unknown"):
        assert matching(base, {"byConditions": [{"type": "Up", "status": usual}]}) == []


def can_be(forms: Any, expected: str) -> bool:
    report = Report(Document(None, "f.yaml", 1))
    check_result(expected, forms, (), report)
    return not report.findings


@settings(max_examples=400, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(programs, values)
def test_nothing_that_an_expression_gives_is_told_to_be_unreachable(text: str, value: Any) -> None:
    try:
        found = path.compile(text).all(value)
    except path.PathError:
        return
    for result in found[:1]:
        written = as_text(result)
        assert written is None or can_be(forms_of(text), written)
        assert not isinstance(result, str) or can_be(strings(forms_of(text)), result)
