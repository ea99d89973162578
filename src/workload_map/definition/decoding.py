"""A document into a definition: at once if it is right, else piece by piece to find all mistakes."""

from __future__ import annotations

from typing import Any

import msgspec

from workload_map.definition import structure
from workload_map.definition.findings import Finding, Report, found, in_order, shown
from workload_map.definition.schema import API_VERSION, KIND, Definition
from workload_map.documents import Document


def from_document(document: Document) -> tuple[Definition | None, list[Finding]]:
    """Read a document as a definition.

    Args:
        document: The document; findings tell its places if it was read with `positions=True`.

    Returns:
        The definition, or None if it cannot be used: a field is unknown, missing or of the wrong type, or the
        components do not form a tree. And the findings, by place.
    """
    report = Report(document)
    definition = decode(document.value, report)
    if definition is not None:
        structure.check(definition, report)
    return None if report.has_errors else definition, in_order(report.findings)


def decode(value: Any, report: Report) -> Definition | None:
    """Read a value as a definition as far as it goes.

    Parts that cannot be read are reported and left out, or stand empty where something has to be there, so
    that the rules still find what is wrong with the others. If anything was reported, it serves only that.

    Returns:
        The definition, or None if the value is none at all.
    """
    try:
        definition = msgspec.convert(value, Definition)
    except msgspec.ValidationError:
        if not _is_definition(value, report):
            return None
        from workload_map.definition.diagnosis import readable  # noqa: PLC0415 - only for what is wrong

        return msgspec.convert(readable(value, report), Definition)
    except RecursionError:
        report.add("too-deep", (), "nested too deeply")
        return None
    return definition if _is_definition(value, report) else None


def _is_definition(value: Any, report: Report) -> bool:
    if not isinstance(value, dict):
        report.add("not-a-definition", (), f"expected a mapping, found {found(value)}")
        return False
    for field, expected in (("apiVersion", API_VERSION), ("kind", KIND)):
        if field not in value:
            report.add("not-a-definition", (), f"{field} is missing", f"a definition has {field}: {expected}")
            return False
        if value[field] != expected:
            report.add(
                "not-a-definition", (field,), f"{field} is {shown(value[field])}", f"expected {expected}"
            )
            return False
    return True
