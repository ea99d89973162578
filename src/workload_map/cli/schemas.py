"""The schemas that are published, by the names that `wmap schema` takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from workload_map.definition import Finding
from workload_map.definition.crd import definition_schema
from workload_map.engine.checking import Check
from workload_map.engine.explaining import Explanation
from workload_map.engine.placement import Placement
from workload_map.engine.usage import Usage
from workload_map.engine.view import Problem
from workload_map.render import schemas


class Findings(msgspec.Struct):
    """What `validate -o json` writes: all findings, by place.

    `usage` is what the parts of each definition gave on real objects, and `warnings` what of those could not
    be read; null and empty where no objects were given.
    """

    findings: list[Finding]
    count: int
    usage: list[Usage] | None
    warnings: list[Problem]


class Checks(msgspec.Struct):
    """What `check -o json` writes: one entry for each workload."""

    items: list[Check]
    count: int


SCHEMAS: dict[str, Callable[[], dict[str, Any]]] = {
    "view": schemas.view_schema,
    "list": schemas.list_schema,
    "owner": lambda: schemas.of_struct(Placement, "The place of a pod"),
    "explanation": lambda: schemas.of_struct(Explanation, "How answers about a workload came about"),
    "check": lambda: schemas.of_struct(Checks, "Definitions against what is there"),
    "definition": definition_schema,
    "findings": lambda: schemas.of_struct(Findings, "Findings about definitions"),
    "error": schemas.error_schema,
}
