"""Findings for machines, as JSON with a schema and as SARIF 2.1.0 for code review; the page of all codes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from workload_map._version import __version__
from workload_map.definition.codes import CODES, Code
from workload_map.definition.findings import Finding

SCHEMA_VERSION = "1"
_SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"

_FIELDS: dict[str, dict[str, Any]] = {
    "code": {"type": "string", "description": "The kind of finding; see the table of codes."},
    "severity": {
        "enum": ["error", "warning"],
        "description": "Errors keep a definition, or a part, from working.",
    },
    "message": {"type": "string", "description": "What is wrong, one sentence."},
    "hint": {"type": ["string", "null"], "description": "What to do about it."},
    "file": {"type": "string", "description": "The file as it was given."},
    "document": {"type": ["integer", "null"], "minimum": 1, "description": "Which document of the file."},
    "line": {"type": ["integer", "null"], "minimum": 1, "description": "The line in the file."},
    "column": {"type": ["integer", "null"], "minimum": 1, "description": "The column, in characters."},
    "location": {"type": ["string", "null"], "description": "The field, from the document's root."},
}


def to_dict(findings: Sequence[Finding]) -> dict[str, Any]:
    """Findings as plain objects, every field there: what `findings_schema` describes."""
    return {
        "schemaVersion": SCHEMA_VERSION,
        "errors": sum(finding.severity == "error" for finding in findings),
        "warnings": sum(finding.severity == "warning" for finding in findings),
        "findings": [msgspec.to_builtins(finding) for finding in findings],
    }


def findings_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of `to_dict`."""
    finding = {
        "type": "object",
        "required": list(_FIELDS),
        "additionalProperties": False,
        "properties": _FIELDS,
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Findings about definitions",
        "type": "object",
        "required": ["schemaVersion", "errors", "warnings", "findings"],
        "properties": {
            "schemaVersion": {"const": SCHEMA_VERSION},
            "errors": {"type": "integer", "minimum": 0, "description": "How many are errors."},
            "warnings": {"type": "integer", "minimum": 0, "description": "How many are warnings."},
            "findings": {"type": "array", "items": finding, "description": "All of them, by place."},
        },
    }


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


def codes_page() -> str:
    """The page of the docs that lists all codes, in Markdown."""
    rows = [f"| `{code.code}` | {code.severity} | {code.meaning} | {code.why} |" for code in CODES.values()]
    return "\n".join(
        [
            "# Finding codes",
            "",
            "What `wmap validate` can find. An *error* keeps a definition, or a part of it, from working;",
            "a *warning* marks what works, but probably not as meant, or not everywhere.",
            "",
            "| code | severity | found when | why it matters |",
            "| --- | --- | --- | --- |",
            *rows,
            "",
        ]
    )


def _rule(code: Code) -> dict[str, Any]:
    return {
        "id": code.code,
        "shortDescription": {"text": code.meaning},
        "fullDescription": {"text": code.why},
        "defaultConfiguration": {"level": code.severity},
    }


def _result(finding: Finding, rule: int) -> dict[str, Any]:
    field = f"{finding.location}: " if finding.location else ""
    hint = f" ({finding.hint})" if finding.hint else ""
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
        "message": {"text": f"{field}{finding.message}{hint}"},
        "locations": [location],
    }
