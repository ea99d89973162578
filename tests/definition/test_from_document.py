"""From a document to a definition: everything that is wrong is told, with its place."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workload_map.definition import Definition, Finding, from_document, validate
from workload_map.documents import Document, read

STRUCTURE = "spec.structureDefinition"
ROOT = f"{STRUCTURE}.rootComponent"
CHILD = f"{STRUCTURE}.childComponents[0]"


def of(value: Any) -> tuple[Definition | None, list[Finding]]:
    return from_document(Document(value, "f.yaml", 1))


def told(value: Any) -> list[tuple[str, str | None]]:
    definition, findings = of(value)
    assert (definition is None) == bool(findings)
    return [(finding.code, finding.location) for finding in findings]


def test_a_right_definition(base: dict[str, Any]) -> None:
    definition, findings = of(base)
    assert findings == []
    assert definition is not None
    assert definition.name == "example-train-v1"
    assert [component.name for component in definition.components] == ["train", "wagon"]
    assert definition.root.kind is not None
    assert definition.root.kind.api_version == "example.org/v1"
    # Defaults hold wherever the definition comes from.
    status = definition.root.status_definition
    assert status is not None
    assert status.conditions_definition is not None
    assert status.conditions_definition.reason_field_name == "reason"


def test_metadata_and_status_of_the_api_server_are_passed_over(base: dict[str, Any]) -> None:
    base["metadata"] |= {"uid": "1", "resourceVersion": "2", "managedFields": [{"manager": "kubectl"}]}
    base["status"] = {"conditions": [{"type": "Ready", "status": "True"}]}
    assert told(base) == []


def test_all_mistakes_are_told_at_once_and_in_order() -> None:
    text = """\
apiVersion: run.ai/v1alpha1
kind: Karta
metadata:
  name: x
spec:
  structureDefinition:
    rootComponent:
      name: train
      kind: {group: example.org, version: 1, kind: Train}
      replicasPath: .spec.replicas
      statusDefinition:
        statusMappings:
          running: {byPhase: Up}
    childComponents:
    - name: a
      ownerRef: trane
      podSelectr: {}
    - ownerRef: train
      scaleDefinition: {replicasPath: true, defaults: {replicas: one, minReplicas: null}}
  optimisationInstructions: {}
"""
    typed = "write it in the type that is expected, or leave the field out"
    (document,) = read(text, "f.yaml", positions=True)
    assert isinstance(document, Document)
    definition, findings = from_document(document)
    assert definition is None
    assert [
        (each.line, each.column, each.code, (each.location or "").removeprefix(f"{STRUCTURE}."), each.hint)
        for each in findings
    ] == [
        (9, 34, "wrong-type", "rootComponent.kind.version", 'quote it: "1"'),
        (10, 7, "unknown-field", "rootComponent.replicasPath", "move it to scaleDefinition"),
        (13, 11, "wrong-type", "rootComponent.statusDefinition.statusMappings.running", typed),
        (16, 7, "owner-unknown", "childComponents[0].ownerRef", "did you mean train?"),
        (17, 7, "unknown-field", "childComponents[0].podSelectr", "did you mean podSelector?"),
        (18, 7, "missing-field", "childComponents[1]", "add the field"),
        (19, 25, "wrong-type", "childComponents[1].scaleDefinition.replicasPath", 'quote it: "true"'),
        (19, 56, "wrong-type", "childComponents[1].scaleDefinition.defaults.replicas", typed),
        (20, 3, "unknown-field", "spec.optimisationInstructions", "did you mean optimizationInstructions?"),
    ]
    assert all(each.severity == "error" and each.document == 1 and each.file == "f.yaml" for each in findings)


@pytest.mark.parametrize("value", [None, [], "x", 3, True, {}, {"kind": "Karta"}])
def test_what_is_no_definition_at_all(value: Any) -> None:
    assert [code for code, _ in told(value)] == ["not-a-definition"]


@pytest.mark.parametrize(
    ("field", "value"), [("apiVersion", "run.ai/v1"), ("kind", "karta"), ("kind", None), ("kind", ["Karta"])]
)
def test_another_kind_is_no_definition(base: dict[str, Any], field: str, value: Any) -> None:
    base[field] = value
    assert told(base) == [("not-a-definition", field)]


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "null"),
        ([], "a list"),
        ({}, "a mapping"),
        (3, "the number 3"),
        (1.5, "the number 1.5"),
        (False, "false"),
    ],
)
def test_a_wrong_type_says_what_was_expected_and_found(base: dict[str, Any], value: Any, words: str) -> None:
    base["metadata"]["name"] = value
    _, (finding,) = of(base)
    assert finding.message == f"expected a string, found {words}"


def test_numbers_and_booleans_are_not_taken_for_each_other(
    child: dict[str, Any], base: dict[str, Any]
) -> None:
    child["scaleDefinition"] |= {"perParent": 1, "defaults": {"replicas": True, "minReplicas": 1.0}}
    assert told(base) == [
        ("wrong-type", f"{CHILD}.scaleDefinition.defaults.minReplicas"),
        ("wrong-type", f"{CHILD}.scaleDefinition.defaults.replicas"),
        ("wrong-type", f"{CHILD}.scaleDefinition.perParent"),
    ]


def test_nothing_follows_from_a_part_that_could_not_be_read(base: dict[str, Any]) -> None:
    base["spec"]["structureDefinition"]["rootComponent"] = "train"
    assert told(base) == [("wrong-type", ROOT)]
    del base["spec"]["structureDefinition"]
    assert told(base) == [("missing-field", "spec")]


@pytest.mark.parametrize(
    ("change", "where"),
    [
        (lambda base: _root(base).update(name=3), f"{ROOT}.name"),
        (lambda base: _child(base).update(name=3), f"{CHILD}.name"),
        (lambda base: _structure(base).update(childComponents="none"), f"{STRUCTURE}.childComponents"),
        (lambda base: _status(base).update(statusMappings=[]), f"{ROOT}.statusDefinition.statusMappings"),
        (
            lambda base: _status(base).update(statusMappings={"running": {}}),
            f"{ROOT}.statusDefinition.statusMappings.running",
        ),
        (
            lambda base: _status(base).update(statusMappings={"running": [{"byConditions": None}]}),
            f"{ROOT}.statusDefinition.statusMappings.running[0].byConditions",
        ),
        (
            lambda base: _child(base).update(scaleDefinition={"perParent": "yes"}),
            f"{CHILD}.scaleDefinition.perParent",
        ),
        (
            lambda base: _gangs(base).update(podGroup=3),
            "spec.optimizationInstructions.gangScheduling.podGroup",
        ),
        (
            lambda base: _gangs(base)["podGroup"].update(topology={"topologyName": 3}),
            "spec.optimizationInstructions.gangScheduling.podGroup.topology.topologyName",
        ),
    ],
)
def test_what_could_not_be_read_is_taken_neither_for_absent_nor_for_empty(
    base: dict[str, Any], change: Any, where: str
) -> None:
    names = [{"componentName": name} for name in ("train", "wagon")]
    base["spec"]["optimizationInstructions"] = {
        "gangScheduling": {"podGroup": {"name": "all", "subGroups": names}}
    }
    assert every(base) == []
    change(base)
    assert every(base) == [("wrong-type", where)]


def test_a_name_that_is_nearly_known_is_told_although_another_one_could_not_be_read(
    base: dict[str, Any],
) -> None:
    _child(base).update(ownerRef="trian")
    _structure(base)["childComponents"].append({"name": 3, "ownerRef": "train"})
    assert ("owner-unknown", f"{CHILD}.ownerRef") in told(base)


def test_a_misspelt_field_leaves_what_it_is_in_not_empty(base: dict[str, Any]) -> None:
    _status(base)["statusMappings"] = {"runing": [{"byPhase": "Up"}]}
    assert every(base) == [("unknown-field", f"{ROOT}.statusDefinition.statusMappings.runing")]


def test_labels_in_locations_are_quoted(base: dict[str, Any]) -> None:
    base["metadata"]["labels"] = {"example.org/a": 1}
    assert told(base) == [("wrong-type", 'metadata.labels["example.org/a"]')]


def test_groups_nested_without_end_are_refused(base: dict[str, Any]) -> None:
    group: dict[str, Any] = {"name": "g"}
    for _ in range(150):
        group = {"name": "g", "subGroups": [group]}
    base["spec"]["optimizationInstructions"] = {"gangScheduling": {"groups": [group], "podGroups": 3}}
    assert "too-deep" in [code for code, _ in told(base)]
    for _ in range(5_000):
        group = {"name": "g", "subGroups": [group]}
    base["spec"]["optimizationInstructions"] = {"gangScheduling": {"groups": [group]}}
    assert [code for code, _ in told(base)] == ["too-deep"]


@pytest.mark.parametrize(
    ("change", "code", "where"),
    [
        (lambda base: base["metadata"].update(name=""), "definition-unnamed", "metadata.name"),
        (lambda base: _root(base).update(name=""), "component-unnamed", f"{ROOT}.name"),
        (lambda base: _child(base).update(name="train"), "component-duplicate", f"{CHILD}.name"),
        (lambda base: _root(base).pop("kind"), "root-kind-incomplete", f"{ROOT}.kind"),
        (lambda base: _root(base)["kind"].pop("version"), "root-kind-incomplete", f"{ROOT}.kind.version"),
        (lambda base: _root(base)["kind"].update(kind=""), "root-kind-incomplete", f"{ROOT}.kind.kind"),
        (lambda base: _root(base)["kind"].pop("group"), "group-empty", f"{ROOT}.kind.group"),
        (lambda base: _root(base).update(ownerRef="wagon"), "root-with-owner", f"{ROOT}.ownerRef"),
        (lambda base: _child(base).pop("ownerRef"), "owner-missing", f"{CHILD}.ownerRef"),
        (lambda base: _child(base).update(ownerRef=""), "owner-missing", f"{CHILD}.ownerRef"),
        (lambda base: _child(base).update(ownerRef="x"), "owner-unknown", f"{CHILD}.ownerRef"),
        (lambda base: _child(base).update(ownerRef="wagon"), "owner-cycle", f"{CHILD}.ownerRef"),
    ],
)
def test_what_keeps_a_definition_from_being_used(
    base: dict[str, Any], change: Any, code: str, where: str
) -> None:
    change(base)
    assert (code, where) in told(base)


def test_each_component_of_a_circle_is_told(base: dict[str, Any]) -> None:
    base["spec"]["structureDefinition"]["childComponents"] = [
        {"name": "a", "ownerRef": "b"},
        {"name": "b", "ownerRef": "a"},
        {"name": "below", "ownerRef": "a"},
        {"name": "fine", "ownerRef": "train"},
    ]
    assert told(base) == [
        ("owner-cycle", f"{STRUCTURE}.childComponents[0].ownerRef"),
        ("owner-cycle", f"{STRUCTURE}.childComponents[1].ownerRef"),
    ]


def test_components_of_one_name_are_followed_one_by_one(base: dict[str, Any]) -> None:
    """That two bear one name is told for itself, and hides no circle."""

    def circles(*children: tuple[str, str]) -> list[int]:
        base["spec"]["structureDefinition"]["childComponents"] = [
            {"name": name, "ownerRef": owner} for name, owner in children
        ]
        found = told(base)
        assert "component-duplicate" in {code for code, _ in found}
        places: list[str | None] = [
            f"{STRUCTURE}.childComponents[{index}].ownerRef" for index in range(len(children))
        ]
        return [places.index(where) for code, where in found if code == "owner-cycle"]

    assert circles(("a", "a"), ("a", "a")) == [0, 1]
    assert circles(("a", "train"), ("a", "a")) == [1]
    assert circles(("a", "a"), ("a", "train")) == [0]
    assert circles(("a", "b"), ("b", "a"), ("a", "train")) == [0, 1]
    assert circles(("a", "train"), ("a", "train"), ("b", "a")) == []
    # The owner is the root, whatever child is called like it.
    assert circles(("train", "train"), ("a", "train")) == []
    assert circles(("train", "a"), ("a", "train")) == []


def test_a_core_kind_has_no_group(base: dict[str, Any]) -> None:
    _root(base)["kind"] = {"version": "v1", "kind": "Pod"}
    assert told(base) == []


def every(base: dict[str, Any]) -> list[tuple[str, str | None]]:
    """All that validation tells, with its places."""
    return [(each.code, each.location) for each in validate(Document(base, "f.yaml", 1))]


def _structure(base: dict[str, Any]) -> Any:
    return base["spec"]["structureDefinition"]


def _status(base: dict[str, Any]) -> Any:
    return _root(base)["statusDefinition"]


def _gangs(base: dict[str, Any]) -> Any:
    return base["spec"]["optimizationInstructions"]["gangScheduling"]


def _root(base: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = base["spec"]["structureDefinition"]["rootComponent"]
    return found


def _child(base: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = base["spec"]["structureDefinition"]["childComponents"][0]
    return found


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["name", "kind", "spec", "path", "x"]), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(st.data())
def test_any_junk_anywhere_is_told_and_never_raises(data: st.DataObject) -> None:
    from tests.definition.conftest import BASE  # noqa: PLC0415

    value = msgspec.json.decode(msgspec.json.encode(BASE))
    holder, key = data.draw(st.sampled_from(list(_places(value))))
    holder[key] = data.draw(JUNK)
    definition, findings = of(value)
    assert (definition is None) == bool(findings)
    if definition is not None:
        assert msgspec.convert(msgspec.to_builtins(definition), Definition) == definition


def _places(value: Any) -> Any:
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
        yield value, key
        if isinstance(inner, dict | list):
            yield from _places(inner)
