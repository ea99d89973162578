"""Findings for code review: as SARIF 2.1.0."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from workload_map._version import __version__
from workload_map.definition.codes import CODES, Code
from workload_map.definition.findings import Finding

_SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def to_sarif(findings: Sequence[Finding]) -> dict[str, Any]:
    """Findings as a SARIF 2.1.0 log of one run, with a rule for each code that occurs."""
    codes = sorted({finding.code for finding in findings})
    return {
        "$schema": _SARIF_SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "wmap validate",
                        "version": __version__,
                        "rules": [_rule(CODES[code]) for code in codes],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "results": [_result(finding, codes.index(finding.code)) for finding in findings],
            }
        ],
    }


def _rule(code: Code) -> dict[str, Any]:
    return {
        "id": code.code,
        "shortDescription": {"text": code.meaning},
        "fullDescription": {"text": code.why},
        "help": {"text": code.hint},
        "defaultConfiguration": {"level": code.severity},
    }


def _result(finding: Finding, rule: int) -> dict[str, Any]:
    field = f"{finding.location}: " if finding.location else ""
    place: dict[str, Any] = {"artifactLocation": {"uri": finding.file.replace("\\", "/")}}
    if finding.line is not None:
        place["region"] = {"startLine": finding.line, "startColumn": finding.column}
    location: dict[str, Any] = {"physicalLocation": place}
    if finding.location is not None:
        location["logicalLocations"] = [{"fullyQualifiedName": finding.location, "kind": "object"}]
    return {
        "ruleId": finding.code,
        "ruleIndex": rule,
        "level": finding.severity,
        "message": {"text": f"{field}{finding.message} ({finding.hint})"},
        "locations": [location],
    }
