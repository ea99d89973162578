"""The schemas that are published, by the names that `wmap schema` takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from workload_map.definition import Finding
from workload_map.definition.crd import definition_schema
from workload_map.engine.view import Placement
from workload_map.render import schemas


class Findings(msgspec.Struct):
    """What `validate -o json` writes: all findings, by place."""

    findings: list[Finding]
    count: int


SCHEMAS: dict[str, Callable[[], dict[str, Any]]] = {
    "view": schemas.view_schema,
    "list": schemas.list_schema,
    "owner": lambda: schemas.of_struct(Placement, "The place of a pod"),
    "definition": definition_schema,
    "findings": lambda: schemas.of_struct(Findings, "Findings about definitions"),
    "error": schemas.error_schema,
}
