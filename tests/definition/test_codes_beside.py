"""Codes that need more than one definition, each with an example that triggers it and a near miss.

What a definition alone can trigger is in `test_codes`.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.definition.conftest import BASE
from tests.definition.test_against_crds import CRD, SCHEMA, crd
from tests.files import write_file

from workload_map.definition import DefinitionSet, Finding, validate
from workload_map.definition.crd_schemas import CrdSchemas
from workload_map.definition.validation import check_files, validate_files
from workload_map.documents import Document
from workload_map.engine import OwnerIndex
from workload_map.engine.usage import measure

Files = dict[str, Any]
GOOD = yaml.safe_dump(BASE)
OTHER_VERSION = GOOD.replace("version: v1", "version: v2").replace("example-train-v1", "example-train-v2")

# code -> files that trigger it, and files like them that are right; of the first one `validate` is asked
IN_FILES: dict[str, tuple[Files, Files]] = {
    "unreadable-file": ({"link.yaml": Path("nowhere")}, {"link.yaml": Path("a.yml"), "a.yml": GOOD}),
    "unreadable-document": ({"a.yaml": f"{GOOD}---\na: ["}, {"a.yaml": f"{GOOD}---\n"}),
    "no-definitions": ({"readme.txt": GOOD}, {"a.yaml": GOOD}),
    "definition-collision": ({"a.yaml": GOOD, "b.yaml": GOOD}, {"a.yaml": GOOD, "b.yaml": OTHER_VERSION}),
}


def of_files(files: Files, folder: Path) -> Iterable[Finding]:
    for name, content in files.items():
        if isinstance(content, Path):
            (folder / name).symlink_to(content)
        else:
            write_file(folder, name, content)
    return validate_files([folder / "link.yaml"] if "link.yaml" in files else [folder])


def of_crds(value: Any, *crds: Any) -> Iterable[Finding]:
    return validate(Document(value, "f.yaml", 1), CrdSchemas(crds))


def changed(**edits: str) -> dict[str, Any]:
    """The definition with other paths for the count of its child component."""
    value = copy.deepcopy(BASE)
    value["spec"]["structureDefinition"]["childComponents"][0]["scaleDefinition"] |= edits
    return value


OTHER_KIND = crd(("v1", True, SCHEMA), kind="Tram")
# code -> a definition and a CustomResourceDefinition that trigger it, and those that do not
AGAINST_CRDS: dict[str, tuple[tuple[Any, Any], tuple[Any, Any]]] = {
    "crd-missing": ((BASE, OTHER_KIND), (BASE, CRD)),
    "version-not-served": (
        (BASE, crd(("v1", False, SCHEMA), ("v2", True, SCHEMA))),
        (BASE, crd(("v1", True, SCHEMA), ("v2", False, SCHEMA))),
    ),
    "field-unknown": (
        (changed(replicasPath=".spec.wagons[].replica"), CRD),
        (changed(replicasPath=".spec.wagons[].replicas"), CRD),
    ),
    "field-type": (
        (changed(replicasPath=".spec.wagons[].weight"), CRD),
        (changed(replicasPath=".spec.wagons[].size"), CRD),  # a number or a text
    ),
}

TEMPLATE = {"spec": {"containers": [{"name": "main"}]}}
TRAIN: dict[str, Any] = {
    "apiVersion": "example.org/v1",
    "kind": "Train",
    "metadata": {"name": "t", "namespace": "n", "uid": "u"},
    "spec": {"wagons": [{"name": "a", "replicas": 1, "template": TEMPLATE}]},
    "status": {
        "conditions": [{"type": "Running", "status": "True"}, {"type": "Failed", "status": "True"}],
    },
}
OWNER = {"apiVersion": "example.org/v1", "kind": "Train", "name": "t", "uid": "u", "controller": True}
POD: dict[str, Any] = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {
        "name": "p",
        "namespace": "n",
        "uid": "v",
        "labels": {"wagon": "a"},
        "ownerReferences": [OWNER],
    },
    "spec": TEMPLATE["spec"],
}


def edited(value: Any, edit: Callable[[Any], object]) -> Any:
    found = copy.deepcopy(value)
    edit(found)
    return found


# code -> a train and its pod that trigger it; the two above trigger none
AGAINST_OBJECTS: dict[str, list[Any]] = {
    "component-silent": [edited(TRAIN, lambda one: one["spec"].update(wagons=[])), POD],
    "path-silent": [edited(TRAIN, lambda one: one["spec"]["wagons"][0].pop("replicas")), POD],
    "matcher-silent": [edited(TRAIN, lambda one: one["status"]["conditions"].pop()), POD],
    "selector-silent": [TRAIN, edited(POD, lambda one: one["metadata"]["labels"].clear())],
}


def of_objects(objects: list[Any], folder: Path) -> list[Finding]:
    findings, checked = check_files([write_file(folder, "train.yaml", BASE)])
    assert findings == []
    return measure(checked, DefinitionSet(), OwnerIndex(objects), pods_known=True)[1]


def codes(findings: Iterable[Finding]) -> set[str]:
    return {finding.code for finding in findings}


@pytest.mark.parametrize("code", IN_FILES)
def test_codes_about_files(code: str, tmp_path: Path) -> None:
    bad, good = tmp_path / "bad", tmp_path / "good"
    bad.mkdir()
    good.mkdir()
    trigger, near_miss = IN_FILES[code]
    assert codes(of_files(trigger, bad)) == {code}
    assert codes(of_files(near_miss, good)) == set()


def test_a_path_without_crds(tmp_path: Path) -> None:
    with_one = write_file(tmp_path, "crd.yaml", json.dumps(CRD))
    without = write_file(tmp_path, "kind.yaml", json.dumps(CRD | {"kind": "CustomResource"}))
    assert codes(CrdSchemas.load([without])[1]) == {"no-crds"}
    assert codes(CrdSchemas.load([with_one])[1]) == set()


@pytest.mark.parametrize("code", AGAINST_CRDS)
def test_codes_against_crds(code: str) -> None:
    trigger, near_miss = AGAINST_CRDS[code]
    assert codes(of_crds(*trigger)) == {code}
    assert codes(of_crds(*near_miss)) == set()


@pytest.mark.parametrize("code", AGAINST_OBJECTS)
def test_codes_against_objects(code: str, tmp_path: Path) -> None:
    assert code in codes(of_objects(AGAINST_OBJECTS[code], tmp_path))
    assert codes(of_objects([TRAIN, POD], tmp_path)) == set()


def triggered(folder: Path) -> Iterator[Finding]:
    """All findings of the examples here."""
    for index, (files, _) in enumerate(IN_FILES.values()):
        (folder / str(index)).mkdir()
        yield from of_files(files, folder / str(index))
    for trigger, _ in AGAINST_CRDS.values():
        yield from of_crds(*trigger)
    for objects in AGAINST_OBJECTS.values():
        yield from of_objects(objects, folder)


def test_each_says_what_to_do(tmp_path: Path) -> None:
    assert [finding for finding in triggered(tmp_path) if not finding.hint] == []
