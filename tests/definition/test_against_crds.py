"""Definitions against the schemas of their kinds."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.definition.conftest import BASE

from workload_map.definition import validate, validate_files
from workload_map.definition.crd_schemas import CrdSchemas
from workload_map.documents import Document

ROOT = "spec.structureDefinition.rootComponent"
CHILD = "spec.structureDefinition.childComponents[0]"

STRING = {"type": "string"}
INTEGER = {"type": "integer"}
OPEN = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
CONDITION = {
    "type": "object",
    "properties": {"type": STRING, "status": STRING, "reason": STRING, "message": STRING},
}


def an_object(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


def a_list(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


WAGON = an_object(
    name=STRING,
    replicas={"type": "integer", "format": "int32"},
    size={"x-kubernetes-int-or-string": True, "anyOf": [INTEGER, STRING]},
    weight=STRING,
    template=OPEN,
    closed={"type": "object"},
    limits={"type": "object", "additionalProperties": {"x-kubernetes-int-or-string": True}},
    claim=an_object(spec=OPEN) | {"x-kubernetes-embedded-resource": True},
    anything={"x-kubernetes-preserve-unknown-fields": True},
)
SCHEMA = an_object(
    spec=an_object(
        wagons=a_list(WAGON),
        groups={"type": "object", "additionalProperties": WAGON},
        suspend={"type": "boolean"},
        policy=STRING,
    ),
    status=an_object(conditions=a_list(CONDITION), phase=STRING, ready=INTEGER, up={"type": "boolean"}),
)


def crd(
    *versions: tuple[str, bool, dict[str, Any]], group: str = "example.org", kind: str = "Train"
) -> dict[str, Any]:
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "spec": {
            "group": group,
            "names": {"kind": kind, "plural": "x"},
            "versions": [
                {"name": name, "served": served, "schema": {"openAPIV3Schema": schema}}
                for name, served, schema in versions
            ],
        },
    }


CRD = crd(("v1", True, SCHEMA))
CODES = ("no-crds", "crd-missing", "version-not-served", "field-unknown", "field-type", "result-unreachable")


def told(value: dict[str, Any], *crds: dict[str, Any]) -> list[tuple[str, str | None]]:
    found = validate(Document(value, "f.yaml", 1), CrdSchemas(crds or (CRD,)))
    return [(each.code, each.location) for each in found if each.code in CODES]


def test_a_definition_whose_fields_are_there(base: dict[str, Any]) -> None:
    assert told(base) == []


@pytest.mark.parametrize(
    ("path", "code"),
    [
        (".spec.wagons[].replicas", None),
        (".spec.wagons[].size", None),
        (".spec.wagons[] | select(.name != null) | .replicas // 1", None),
        (".spec.wagons[].limits.cpu", None),
        (".spec.wagons[].template.any.thing", None),
        (".spec.wagons[].template[]", None),
        (".spec.wagons[].anything[0].x", None),
        (".spec.wagons[].claim.spec.x", None),
        (".metadata.generation", None),
        ('.metadata.annotations["example.org/replicas"]', None),
        (".metadata.labels.replicas | tonumber", None),
        ("[.spec.wagons[].replicas] | add", None),
        (".spec.groups[].replicas", None),
        (".spec.groups | to_entries[] | .value.replicas", None),
        (".spec.wagons[].replica", "field-unknown"),
        (".spec.waggons[].replicas", "field-unknown"),
        (".spec.wagons[].closed.x", "field-unknown"),
        ("[.spec.wagons[].replica] | add", "field-unknown"),
        (".metadata.label.x", "field-unknown"),
        (".status.ready + .status.wanted", "field-unknown"),
        (".spec.wagons.replicas", "field-type"),
        (".spec.wagons[].name.x", "field-type"),
        (".spec.suspend[]", "field-type"),
        (".spec.wagons[].weight", "field-type"),
        (".spec.wagons", "field-type"),
        (".spec.wagons[].template", "field-type"),
        (".spec.wagons[].claim.metadata.name", "field-type"),
    ],
)
def test_counts(base: dict[str, Any], child: dict[str, Any], path: str, code: str | None) -> None:
    child["scaleDefinition"]["replicasPath"] = path
    assert told(base) == ([(code, f"{CHILD}.scaleDefinition.replicasPath")] if code else [])


@pytest.mark.parametrize(
    ("field", "path", "code"),
    [
        ("instanceIdPath", ".spec.wagons[].name", None),
        ("instanceIdPath", ".spec.wagons[].replicas", None),  # an id may be a number
        ("instanceIdPath", ".spec.groups | keys[]", None),
        ("instanceIdPath", ".spec.wagons[].template", "field-type"),
        ("presentPath", ".spec.suspend", None),
        ("presentPath", ".spec.policy", "field-type"),
    ],
)
def test_slots_take_their_types(
    base: dict[str, Any], child: dict[str, Any], field: str, path: str, code: str | None
) -> None:
    child[field] = path
    assert told(base) == ([(code, f"{CHILD}.{field}")] if code else [])


def test_the_nearest_field_and_the_place_are_told(base: dict[str, Any], child: dict[str, Any]) -> None:
    child["scaleDefinition"]["replicasPath"] = ".spec.wagons[] | .replcias"
    (finding,) = validate(Document(base, "f.yaml", 1), CrdSchemas([CRD]))
    assert finding.message == "spec.wagons[*].replcias of v1: there is no such field"
    assert finding.hint == "did you mean replicas?"


def test_paths_on_pods_are_not_of_the_kind(base: dict[str, Any], child: dict[str, Any]) -> None:
    child["podSelector"]["replicaSelector"] = {"keyPath": ".spec.nodeName"}
    assert told(base) == []


def test_a_field_that_one_of_the_versions_has_is_right(
    base: dict[str, Any], root: dict[str, Any], child: dict[str, Any]
) -> None:
    older = copy.deepcopy(SCHEMA)
    older["properties"]["status"]["properties"]["state"] = STRING
    crds = crd(("v1", True, SCHEMA), ("v1beta1", True, older), ("v0", False, SCHEMA))
    root["statusDefinition"]["messagePath"] = ".status.state"
    assert told(base, crds) == [("field-unknown", f"{ROOT}.statusDefinition.messagePath")]
    root["kind"]["versions"] = ["v1beta1"]
    assert told(base, crds) == []


def test_versions_that_are_not_served(
    base: dict[str, Any], root: dict[str, Any], child: dict[str, Any]
) -> None:
    root["kind"]["versions"] = ["v2", "v0"]
    child["kind"] = {"group": "example.org", "version": "v9", "kind": "Wagon"}
    structure = base["spec"]["structureDefinition"]
    structure["additionalChildKinds"] = [child["kind"]]
    lookup = {"nameExpression": ".spec.wagons[0].name"}
    structure["references"] = [{"name": "wagon", "gvk": child["kind"], "lookup": lookup}]
    crds = crd(("v1", True, SCHEMA), ("v0", False, SCHEMA)), crd(("v1", True, {}), kind="Wagon")
    assert told(base, *crds) == [
        ("version-not-served", "spec.structureDefinition.additionalChildKinds[0].version"),
        ("version-not-served", f"{CHILD}.kind.version"),
        ("version-not-served", "spec.structureDefinition.references[0].gvk.version"),
        ("version-not-served", f"{ROOT}.kind.versions[0]"),
        ("version-not-served", f"{ROOT}.kind.versions[1]"),
    ]


@pytest.mark.parametrize(
    ("group", "is_custom"), [("jobset.x-k8s.io", True), ("example.org", True), ("batch", False)]
)
def test_a_custom_kind_that_no_crd_has(
    base: dict[str, Any], root: dict[str, Any], group: str, is_custom: bool
) -> None:
    root["kind"]["group"] = group
    assert told(base, crd(kind="Other")) == ([("crd-missing", f"{ROOT}.kind")] if is_custom else [])


@pytest.mark.parametrize(
    ("path", "value", "code"),
    [
        (".spec.suspend", "true", None),
        (".spec.suspend", '"true"', "field-type"),
        (".spec.suspend", "null", None),
        (".spec.policy", '"Never"', None),
        (".spec.policy", "1", "field-type"),
        (".spec.wagons[].replicas", "0", None),
        (".spec.wagons[].size", '"1"', None),
        (".spec.wagons[].replicas", "0.5", "field-type"),
        (".spec.wagons[].template", "{}", None),
    ],
)
def test_what_actions_write_has_the_type_of_the_field(
    base: dict[str, Any], root: dict[str, Any], path: str, value: str, code: str | None
) -> None:
    right = [{"path": ".spec.suspend", "value": "false"}]
    root["suspendDefinition"] = {"suspendActions": [{"path": path, "value": value}], "resumeActions": right}
    assert told(base) == ([(code, f"{ROOT}.suspendDefinition.suspendActions[0].value")] if code else [])


def test_conditions_and_their_fields(base: dict[str, Any], root: dict[str, Any]) -> None:
    conditions = root["statusDefinition"]["conditionsDefinition"]
    conditions["reasonFieldName"] = "because"
    where = f"{ROOT}.statusDefinition.conditionsDefinition"
    assert told(base) == [("field-unknown", f"{where}.reasonFieldName")]
    conditions["reasonFieldName"] = ""
    assert told(base) == []
    conditions["path"] = ".status"
    assert told(base) == [("field-type", f"{where}.path")]


LIMITED = copy.deepcopy(SCHEMA)
LIMITED["properties"]["status"]["properties"]["phase"] = {"type": "string", "enum": ["Up", "Down"]}


@pytest.mark.parametrize(
    ("expression", "expected", "is_reached"),
    [
        (".status.phase", "Up", True),
        (".status.phase", "Running", False),
        (".status.phase", "null", True),  # absent
        ('.status.phase // "None"', "None", True),
        (".status.phase | ascii_downcase", "up", True),
        (".status.up", "true", True),
        (".status.up", "True", False),
        (".status.ready", "3", True),
        (".status.ready", "three", False),
        (".spec.policy", "anything", True),
        (".status.conditions", "[]", True),
        (".status.conditions", "none", False),
    ],
)
def test_what_a_field_never_holds_is_not_expected(
    base: dict[str, Any], root: dict[str, Any], expression: str, expected: str, is_reached: bool
) -> None:
    matcher = {"byExpression": {"expression": expression, "expectedResult": expected}}
    root["statusDefinition"]["statusMappings"] = {"initializing": [matcher]}
    place = f"{ROOT}.statusDefinition.statusMappings.initializing[0].byExpression.expectedResult"
    found = told(base, crd(("v1", True, LIMITED)))
    assert found == ([] if is_reached else [("result-unreachable", place)])


def test_a_phase_is_one_that_the_field_may_hold_in_some_version(
    base: dict[str, Any], root: dict[str, Any]
) -> None:
    status = root["statusDefinition"]
    status["phaseDefinition"] = {"path": ".status.phase"}
    status["statusMappings"] = {"running": [{"byPhase": "Up"}, {"byPhase": "Runs"}]}
    place = f"{ROOT}.statusDefinition.statusMappings.running[1].byPhase"
    assert told(base, crd(("v1", True, LIMITED))) == [("result-unreachable", place)]
    root["kind"]["versions"] = ["v2"]
    assert told(base, crd(("v1", True, LIMITED), ("v2", True, SCHEMA))) == []


def test_references_are_not_of_the_kind(base: dict[str, Any], child: dict[str, Any]) -> None:
    gvk = {"group": "example.org", "version": "v1", "kind": "Runtime"}
    base["spec"]["structureDefinition"]["references"] = [
        {"name": "runtime", "gvk": gvk, "lookup": {"nameExpression": ".spec.policy"}}
    ]
    child["scaleDefinition"]["replicasPath"] = ".spec.wagons[] | .replicas // $runtime.spec.unknown.field"
    assert told(base) == []


def test_crds_out_of_files(tmp_path: Path) -> None:
    (tmp_path / "list.json").write_text(json.dumps({"kind": "List", "items": [CRD, {"kind": "Pod"}]}))
    (tmp_path / "one.yaml").write_text(yaml.safe_dump(crd(("v1", True, {}), kind="Wagon")) + "---\na: [")
    definition = tmp_path / "definition" / "a.yaml"
    definition.parent.mkdir()
    definition.write_text(yaml.safe_dump(BASE))
    crds, findings = CrdSchemas.load([tmp_path, definition, tmp_path / "absent"])
    assert [each.name for each in crds.versions("example.org", "Train")] == ["v1"]
    assert [each.name for each in crds.versions("example.org", "Wagon")] == ["v1"]
    assert [each.code for each in findings] == ["unreadable-document", "no-crds", "unreadable-file"]
    assert validate_files([definition], crds) == []


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        {},
        {"kind": "CustomResourceDefinition"},
        {"kind": "CustomResourceDefinition", "spec": {"versions": 3}},
    ],
)
def test_malformed_crds_are_passed_over(base: dict[str, Any], value: Any) -> None:
    assert told(base, value, CRD) == []


def test_built_in_definitions_against_released_crds() -> None:
    folder = Path(__file__).parents[2].parent / "shared" / "crds"
    if not folder.is_dir():
        pytest.skip("the CustomResourceDefinitions of released operators are not at hand")
    # Some of the kinds that are built in: tests/catalog holds each against the schema of its framework.
    names = {
        "jobset": "jobsets.jobset.x-k8s.io",
        "leaderworkerset": "leaderworkersets.leaderworkerset.x-k8s.io",
        "pytorchjob": "pytorchjobs.kubeflow.org",
        "raycluster": "rayclusters.ray.io",
    }
    crds, _ = CrdSchemas.load(folder / f"{name}.yaml" for name in names.values())
    catalog = Path(__file__).parents[2] / "src" / "workload_map" / "catalog"
    assert validate_files([catalog / name / "definition.yaml" for name in names], crds) == []
