"""Findings for code review."""

from __future__ import annotations

from workload_map.definition import Finding
from workload_map.definition.sarif import to_sarif

PLACED = Finding(
    code="owner-unknown",
    severity="error",
    message="there is no component 'tarin'",
    hint="did you mean train?",
    file="definitions/a.yaml",
    document=1,
    line=14,
    column=7,
    location="spec.structureDefinition.childComponents[0].ownerRef",
)
UNPLACED = Finding.of("no-definitions", "no definition in here", "empty")


def test_findings_as_sarif() -> None:
    log = to_sarif([PLACED, UNPLACED, PLACED])
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert [(rule["id"], rule["defaultConfiguration"]["level"]) for rule in rules] == [
        ("no-definitions", "warning"),
        ("owner-unknown", "error"),
    ]
    first, second, _ = run["results"]
    assert rules[first["ruleIndex"]]["id"] == first["ruleId"] == "owner-unknown"
    assert first["level"] == "error"
    assert first["message"]["text"] == (
        "spec.structureDefinition.childComponents[0].ownerRef: "
        "there is no component 'tarin' (did you mean train?)"
    )
    assert first["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "definitions/a.yaml"},
                "region": {"startLine": 14, "startColumn": 7},
            },
            "logicalLocations": [
                {
                    "fullyQualifiedName": "spec.structureDefinition.childComponents[0].ownerRef",
                    "kind": "object",
                }
            ],
        }
    ]
    assert second["locations"] == [{"physicalLocation": {"artifactLocation": {"uri": "empty"}}}]


def test_no_findings_are_a_run_without_results() -> None:
    (run,) = to_sarif([])["runs"]
    assert run["results"] == []
    assert run["tool"]["driver"]["rules"] == []
