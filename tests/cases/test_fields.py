"""Every field that a built-in definition reads exists in the published schema of its kind."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cases.mark import case
from tests.cases.objects import builtin
from workload_map import path
from workload_map.definition import Entry
from workload_map.definition.slots import expressions

CRDS = Path(__file__).parents[2].parent / "shared" / "crds"


def schema_of(entry: Entry) -> Any:
    """The OpenAPI schema of the version that a definition is for; None where it is not at hand."""
    for file in CRDS.glob(f"*.{entry.kind.group}.yaml"):
        spec = yaml.safe_load(file.read_text())["spec"]
        if spec["names"]["kind"] == entry.kind.kind:
            (version,) = [one for one in spec["versions"] if one["name"] == entry.kind.version]
            return version["schema"]["openAPIV3Schema"]
    return None


def unknown(steps: tuple[str | None, ...], schema: Any) -> bool:
    """Whether some step leads out of the schema; what the schema leaves open (metadata) holds everything."""
    for step in steps:
        if schema.get("x-kubernetes-preserve-unknown-fields") or schema.get("type") not in (
            "object",
            "array",
        ):
            return step is not None and schema.get("type") not in (None, "object", "array")
        if schema["type"] == "array":
            schema = schema["items"]
        elif isinstance(schema.get("additionalProperties"), dict):
            schema = schema["additionalProperties"]
        elif "properties" not in schema:
            return False
        elif step is None:
            schema = next(iter(schema["properties"].values()))
        elif step in schema["properties"]:
            schema = schema["properties"][step]
        else:
            return True
    return False


def fields(entry: Entry) -> Iterator[path.ReadPattern]:
    for expression in expressions(entry.definition):
        if expression.slot.on == "workload":
            yield from path.compile(expression.text).reads


@case("B49")
@pytest.mark.skipif(not CRDS.is_dir(), reason="the frameworks' schemas are not beside the checkout")
@pytest.mark.parametrize("kind", ["JobSet", "LeaderWorkerSet", "PyTorchJob", "RayCluster"])
def test_every_field_that_a_definition_reads_is_one_of_its_kind(kind: str) -> None:
    (entry,) = [one for one in builtin().entries() if one.kind.kind == kind]
    schema = schema_of(entry)
    read = {str(pattern): pattern for pattern in fields(entry)}
    assert any(text.startswith("spec.") for text in read)
    missing = {text for text, pattern in read.items() if unknown(pattern.steps, schema)}
    assert missing == set()
