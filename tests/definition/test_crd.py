"""The schema of a definition for others: the CustomResourceDefinition and the JSON Schema."""

from __future__ import annotations

import copy
import inspect
import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from tests.definition.conftest import BASE
from tests.files import write_file

from workload_map.definition import schema, validate
from workload_map.definition.crd import crd, definition_schema
from workload_map.definition.descriptions import DESCRIPTIONS
from workload_map.definition.limits import MAX_EXPRESSION, max_length
from workload_map.definition.slots import SLOTS
from workload_map.documents import Document

CATALOG = Path(__file__).parents[2] / "src" / "workload_map" / "catalog"
STRUCTS = [
    each
    for _, each in inspect.getmembers(schema, inspect.isclass)
    if issubclass(each, msgspec.Struct) and not each.__name__.startswith("_")
]


def nodes(value: Any, steps: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], dict[str, Any]]]:
    """All schemas in a schema."""
    yield steps, value
    for name, inner in value.get("properties", {}).items():
        yield from nodes(inner, (*steps, name))
    for name in ("items", "additionalProperties"):
        if isinstance(value.get(name), dict):
            yield from nodes(value[name], (*steps, name))


def openapi() -> dict[str, Any]:
    found: dict[str, Any] = crd()["spec"]["versions"][0]["schema"]["openAPIV3Schema"]
    return found


def test_names_and_columns() -> None:
    spec = crd()["spec"]
    assert crd()["metadata"]["name"] == "kartas.run.ai"
    assert (spec["group"], spec["scope"]) == ("run.ai", "Cluster")
    assert (spec["names"]["plural"], spec["names"]["shortNames"]) == ("kartas", ["krt"])
    (version,) = spec["versions"]
    assert (version["name"], version["served"], version["storage"]) == ("v1alpha1", True, True)
    assert version["subresources"] == {"status": {}}
    assert [column["name"] for column in version["additionalPrinterColumns"]] == ["Kind", "Ready", "Age"]


def test_the_schema_is_structural() -> None:
    for steps, node in nodes(openapi()):
        assert node["type"] in ("object", "array", "string", "integer", "boolean"), steps
        assert "$ref" not in node
        assert not ("properties" in node and "additionalProperties" in node), steps
        assert ("items" in node) == (node["type"] == "array"), steps
        assert set(node.get("required", ())) <= set(node.get("properties", {})), steps


def test_what_rules_cost_is_bounded() -> None:
    for steps, node in nodes(openapi()["properties"]["spec"]):
        if node["type"] == "array":
            assert "maxItems" in node, steps
        if node["type"] == "string" and "enum" not in node:
            assert "maxLength" in node, steps
        if "additionalProperties" in node:
            assert "maxProperties" in node, steps


def test_lists_of_named_entries_are_maps() -> None:
    found = {}
    for steps, node in nodes(openapi()):
        if node.get("x-kubernetes-list-type") != "map":
            continue
        keys = node["x-kubernetes-list-map-keys"]
        found[".".join([step for step in steps if step != "items"][-2:])] = keys
        for key in keys:
            assert (
                key in node["items"].get("required", ()) or "default" in node["items"]["properties"][key]
            ), steps
    assert found == {
        "structureDefinition.childComponents": ["name"],
        "structureDefinition.additionalChildKinds": ["group", "version", "kind"],
        "structureDefinition.references": ["name"],
        "gangScheduling.podGroups": ["name"],
        "podGroups.members": ["componentName"],
        "podGroup.subGroups": ["componentName"],
        "gangScheduling.groups": ["name"],
        "groups.subGroups": ["name"],
        "subGroups.subGroups": ["name"],
        "status.conditions": ["type"],
    }


def test_defaults_are_those_of_the_structs() -> None:
    defaults = {
        steps[-1]: node["default"]
        for steps, node in nodes(openapi())
        if "conditionsDefinition" in steps[-2:-1] and "default" in node
    }
    assert defaults == {
        "typeFieldName": "type",
        "statusFieldName": "status",
        "messageFieldName": "message",
        "reasonFieldName": "reason",
    }


def test_further_versions_are_for_the_root_alone() -> None:
    with_versions = [steps for steps, node in nodes(openapi()) if "versions" in node.get("properties", {})]
    assert with_versions == [("spec", "structureDefinition", "rootComponent", "kind")]


@pytest.mark.parametrize("struct", STRUCTS, ids=lambda each: each.__name__)
def test_every_field_is_described_and_every_expression_has_its_slot(struct: type[msgspec.Struct]) -> None:
    what, fields = DESCRIPTIONS[struct]
    assert what.endswith(".")
    assert all(text.endswith(".") for text in fields.values())
    assert list(fields) == list(struct.__struct_encode_fields__)
    for attribute, name in zip(struct.__struct_fields__, fields, strict=True):
        if name != "byExpression":  # the object around an expression
            assert ((struct, attribute) in SLOTS) == (max_length(name) == MAX_EXPRESSION), name


def test_built_in_definitions_and_examples_fit_the_json_schema() -> None:
    found = definition_schema()
    jsonschema.Draft202012Validator.check_schema(found)
    validator = jsonschema.Draft202012Validator(found)
    definitions = [yaml.safe_load(path.read_text()) for path in sorted(CATALOG.glob("*/definition.yaml"))]
    assert definitions
    for value in [BASE, *definitions]:
        assert [error.message for error in validator.iter_errors(value)] == []


@pytest.mark.parametrize(
    "change",
    [
        lambda base: base.update(kind="Kart"),
        lambda base: base["metadata"].pop("name"),
        lambda base: base["spec"].update(x={}),
        lambda base: base["spec"]["structureDefinition"]["rootComponent"].pop("name"),
        lambda base: base["spec"]["structureDefinition"]["rootComponent"]["kind"].update(version=1),
        lambda base: base["spec"]["structureDefinition"]["childComponents"][0]["kind"].update(
            versions=["v2"]
        ),
    ],
)
def test_the_json_schema_refuses_what_loading_refuses(base: dict[str, Any], change: Any) -> None:
    change(base)
    assert not jsonschema.Draft202012Validator(definition_schema()).is_valid(base)


SCHEMA = jsonschema.Draft202012Validator(definition_schema())
READING = {"unknown-field", "wrong-type", "missing-field", "not-a-definition"}
JUNK = st.one_of(
    st.none(), st.booleans(), st.integers(0, 3), st.just("x"), st.just([]), st.just({}), st.just({"x": 1})
)


@given(st.data())
def test_what_cannot_be_read_does_not_fit_the_json_schema(data: st.DataObject) -> None:
    value = copy.deepcopy(BASE)
    holder, key = data.draw(st.sampled_from(list(places(value))))
    holder[key] = data.draw(JUNK)
    if READING & {finding.code for finding in validate(Document(value, "f", 1))}:
        assert not SCHEMA.is_valid(value)


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
        yield value, key
        if isinstance(inner, dict | list):
            yield from places(inner)


Change = Callable[[Any, Any, Any], object]  # of the structure, its root and its child component

# What an API server says -> what breaks that rule alone, and what is like it and right
SERVER_RULES: dict[str, tuple[Change, Change]] = {
    "root component has no owner": (
        lambda structure, root, child: root.update(ownerRef="wagon"),
        lambda structure, root, child: root.update(name="engine") or child.update(ownerRef="engine"),
    ),
    "root component needs a statusDefinition": (
        lambda structure, root, child: root.pop("statusDefinition"),
        lambda structure, root, child: child.pop("kind"),
    ),
    "needs a kind with version and kind": (
        lambda structure, root, child: root["kind"].update(version=""),
        lambda structure, root, child: root.update(kind={"version": "v1", "kind": "Pod"}),
    ),
    "it lies in no other one": (
        lambda structure, root, child: root.update(objectPath=".spec.objects[]"),
        lambda structure, root, child: child.update(parentInstancePath=".spec.wagons[].train"),
    ),
    "no parent to count for": (
        lambda structure, root, child: root.update(scaleDefinition={"perParent": True}),
        lambda structure, root, child: (
            child["scaleDefinition"].update(perParent=True)
            or root.update(scaleDefinition={"replicasPath": ".spec.x", "perParent": False})
        ),
    ),
    "needs an owner that is another component": (
        lambda structure, root, child: child.update(ownerRef="x"),
        lambda structure, root, child: structure["childComponents"].append(
            {"name": "brake", "ownerRef": "wagon", "specDefinition": {"podSpecPath": ".spec.brake"}}
        ),
    ),
    "no child component has the name of the root": (
        lambda structure, root, child: (
            child.update(name="train", ownerRef="brake")
            or structure["childComponents"].append({"name": "brake", "ownerRef": "train"})
        ),
        lambda structure, root, child: child.update(name="carriage"),
    ),
    "at least 1 properties": (
        lambda structure, root, child: root["statusDefinition"]["statusMappings"].update(running=[{}]),
        lambda structure, root, child: root["statusDefinition"]["statusMappings"].update(running=[]),
    ),
    "stand together": (
        lambda structure, root, child: child.pop("instanceIdPath"),
        lambda structure, root, child: (
            child.pop("instanceIdPath") and child["podSelector"].pop("componentInstanceSelector") and None
        ),
    ),
    "has no pod spec of its own": (
        lambda structure, root, child: child.update(objectPath=".spec.objects[]"),
        lambda structure, root, child: (
            child.pop("specDefinition") and child.update(objectPath=".spec.objects[]")
        ),
    ),
    "no more than one of podTemplateSpecPath": (
        lambda structure, root, child: child["specDefinition"].update(podSpecPath=".spec"),
        lambda structure, root, child: child.update(specDefinition={"podSpecPath": ".spec"}),
    ),
    "exactly one of podTemplateSpecPath": (
        lambda structure, root, child: child["specDefinition"].clear(),
        lambda structure, root, child: (
            child["specDefinition"].clear() or child.update(presentPath=".spec.wagons[] | .on == true")
        ),
    ),
    "should have at least 1 properties": (
        lambda structure, root, child: child.update(specDefinition={"fragmentedPodSpecDefinition": {}}),
        lambda structure, root, child: child.update(
            specDefinition={"fragmentedPodSpecDefinition": {"imagePath": ".spec.wagons[].image"}}
        ),
    ),
    "containerPath and containersPath exclude each other": (
        lambda structure, root, child: child.update(
            specDefinition={"fragmentedPodSpecDefinition": {"containerPath": ".a", "containersPath": ".b"}}
        ),
        lambda structure, root, child: child.update(
            specDefinition={"fragmentedPodSpecDefinition": {"containersPath": ".b"}}
        ),
    ),
    "default minimum is not above": (
        lambda structure, root, child: child["scaleDefinition"].update(
            defaults={"minReplicas": 2, "maxReplicas": 1}
        ),
        lambda structure, root, child: child["scaleDefinition"].update(
            defaults={"minReplicas": 2, "maxReplicas": 2}
        ),
    ),
    "keyPath or matchLabels is needed": (
        lambda structure, root, child: child["podSelector"].update(componentTypeSelector={"matchLabels": {}}),
        lambda structure, root, child: child["podSelector"].update(
            componentTypeSelector={"matchLabels": {"a": "b"}}
        ),
    ),
    "value needs keyPath": (
        lambda structure, root, child: child["podSelector"].update(
            componentTypeSelector={"matchLabels": {"a": "b"}, "value": "x"}
        ),
        lambda structure, root, child: child["podSelector"]["componentTypeSelector"].update(value="x"),
    ),
    "ownership and workloadPath": (
        lambda structure, root, child: child["podSelector"].update(ownership="label"),
        lambda structure, root, child: child["podSelector"].update(
            ownership="label", workloadPath=".metadata.labels.train"
        ),
    ),
    "exactly one of lookup and list": (
        lambda structure, root, child: structure.update(references=[_reference()]),
        lambda structure, root, child: structure.update(
            references=[_reference(lookup={"nameExpression": ".a"})]
        ),
    ),
}


def _reference(**fields: Any) -> dict[str, Any]:
    return {"name": "a", "gvk": {"version": "v1", "kind": "Pod"}} | fields


def changed(change: Change) -> dict[str, Any]:
    value = copy.deepcopy(BASE)
    structure = value["spec"]["structureDefinition"]
    change(structure, structure["rootComponent"], structure["childComponents"][0])
    return value


@pytest.mark.parametrize("words", SERVER_RULES)
def test_what_an_api_server_refuses_is_an_error_here_too(words: str) -> None:
    errors, near = (
        [one for one in validate(Document(changed(change), "f", 1)) if one.severity == "error"]
        for change in SERVER_RULES[words]
    )
    assert errors
    assert near == []


@pytest.mark.slow
def test_an_api_server_takes_it_and_checks_its_rules(tmp_path: Path) -> None:
    go = shutil.which("go")
    if go is None:
        pytest.skip("Go is not installed")
    program = tmp_path / "crd_check"
    subprocess.run(
        [go, "build", "-o", str(program), "."], cwd=Path(__file__).parent / "crd_check", check=True
    )
    crd_file = write_file(tmp_path, "crd.yaml", crd())
    files = [write_file(tmp_path, "base.yaml", BASE), *map(str, sorted(CATALOG.glob("*/definition.yaml")))]
    refused = {}
    for index, (words, (broken, right)) in enumerate(SERVER_RULES.items()):
        refused[write_file(tmp_path, f"broken-{index}.yaml", changed(broken))] = words
        files.append(write_file(tmp_path, f"right-{index}.yaml", changed(right)))
    call = [str(program), crd_file, *refused, *files]
    found = json.loads(subprocess.run(call, check=True, capture_output=True, text=True).stdout)
    assert found.pop("crd") == []
    for file, words in refused.items():
        told = found.pop(file)
        assert len(told) == 1, told
        assert words in told[0]
    assert found == {file: [] for file in files}
