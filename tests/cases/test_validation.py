"""What is wrong or doubtful about a definition is said before it runs."""

from __future__ import annotations

import pytest

from tests.cases.mark import case
from tests.engine.made_up import definition
from workload_map.definition import Finding, validate
from workload_map.definition.crd_schemas import CrdSchemas


def findings(structure: str) -> list[Finding]:
    return validate(definition(structure))


def found(structure: str, code: str) -> list[tuple[str, str | None]]:
    """Severity and field of each finding of a code."""
    return [(one.severity, one.location) for one in findings(structure) if one.code == code]


def worker(scale: str) -> str:
    return f"""
childComponents:
- name: worker
  instanceIdPath: .spec.groups[].name
  specDefinition: {{podTemplateSpecPath: ".spec.groups[].template"}}
  scaleDefinition: {{replicasPath: {scale}}}
  podSelector: {{componentInstanceSelector: {{idPath: '.metadata.labels["group"]'}}}}
"""


CHILD = "spec.structureDefinition.childComponents[0]"
MAPPINGS = "spec.structureDefinition.rootComponent.statusDefinition.statusMappings"


def status(definition_of_it: str) -> str:
    return f"rootComponent: {{statusDefinition: {definition_of_it}}}"


@case("B06")
def test_a_default_behind_a_stream_is_doubted_and_one_for_each_entry_is_not() -> None:
    doubted = found(worker('".spec.groups[].replicas // 1"'), "default-for-all")
    assert doubted == [("warning", f"{CHILD}.scaleDefinition.replicasPath")]
    assert found(worker('".spec.groups[] | .replicas // 1"'), "default-for-all") == []


@case("B04")
@pytest.mark.parametrize(
    ("scale", "doubted"),
    [('".spec.groups[] | .replicas // 1"', True), ('".spec.groups[].replicas"', False)],
    ids=["computed", "plain"],
)
def test_a_count_that_cannot_be_written_is_told(scale: str, doubted: bool) -> None:
    place = f"{CHILD}.scaleDefinition.replicasPath"
    assert found(worker(scale), "not-writable") == ([("warning", place)] if doubted else [])


@case("B12")
@pytest.mark.parametrize(
    ("definition_of_it", "code", "field"),
    [
        (
            '{statusMappings: {running: [{byConditions: [{type: Ready, status: "True"}]}]}}',
            "conditions-not-extracted",
            "running[0].byConditions",
        ),
        ("{statusMappings: {running: [{byPhase: Running}]}}", "phase-not-extracted", "running[0].byPhase"),
        (
            "{conditionsDefinition: {path: .status.conditions, reasonFieldName: ''},"
            " statusMappings: {running: [{byConditions: [{type: Ready, reason: Up}]}]}}",
            "condition-field-not-extracted",
            "running[0].byConditions[0].reason",
        ),
    ],
    ids=["conditions", "phase", "reason"],
)
def test_a_matcher_on_what_nobody_extracts_is_an_error(definition_of_it: str, code: str, field: str) -> None:
    assert found(status(definition_of_it), code) == [("error", f"{MAPPINGS}.{field}")]


@case("B28")
@pytest.mark.parametrize("missing", ["kind", "version"])
def test_a_root_without_a_kind_is_refused(missing: str) -> None:
    kind = {"group": "x.io", "version": "v1", "kind": "Thing"}
    del kind[missing]
    (place,) = found(f"rootComponent: {{kind: {kind}}}", "root-kind-incomplete")
    assert place[0] == "error"


@case("B32")
def test_a_path_without_its_leading_dot_is_an_error_and_no_empty_result() -> None:
    structure = """
    childComponents:
    - name: step
      specDefinition: {podSpecPath: .spec.podSpec, metadataPath: spec.podMetadata}
    """
    (finding,) = [one for one in findings(structure) if one.code == "expression-invalid"]
    assert (finding.severity, finding.location) == ("error", f"{CHILD}.specDefinition.metadataPath")
    assert ".spec" in f"{finding.message} {finding.hint}"


@case("B36")
def test_two_phases_with_the_same_matcher_are_doubted() -> None:
    same = 'byConditions: [{type: Progressing, status: "True"}]'
    doubted = status(
        f"{{conditionsDefinition: {{path: .status.conditions}},"
        f" statusMappings: {{initializing: [{{{same}}}], failed: [{{{same}}}]}}}}"
    )
    assert found(doubted, "matchers-identical") == [("warning", f"{MAPPINGS}.initializing[0]")]


@case("B41")
@pytest.mark.parametrize("text", ["$ENV.HOME", "env.PATH", "input_filename", "now", "halt"])
def test_a_definition_that_looks_beyond_the_object_is_refused(text: str) -> None:
    structure = f"""
    childComponents:
    - name: w
      specDefinition: {{podSpecPath: .spec.podSpec, metadataPath: "{text}"}}
    """
    assert found(structure, "expression-invalid") == [("error", f"{CHILD}.specDefinition.metadataPath")]


@case("B115")
def test_a_default_of_true_is_doubted() -> None:
    running = "{byExpression: {expression: '.spec.suspend // true', expectedResult: 'false'}}"
    doubted = status(f"{{statusMappings: {{running: [{running}]}}}}")
    place = f"{MAPPINGS}.running[0].byExpression.expression"
    assert found(doubted, "default-hides-false") == [("warning", place)]


@case("B119")
@pytest.mark.parametrize(
    ("expression", "doubted"),
    [
        (".status.ready == .spec.replicas", True),
        (".status.ready >= .status.wanted", True),
        (".status.ready != null and .status.ready == .spec.replicas", False),
    ],
    ids=["compared with the spec", "compared with the status", "guarded"],
)
def test_a_comparison_that_holds_without_a_status_is_doubted(expression: str, doubted: bool) -> None:
    matcher = f"{{byExpression: {{expression: '{expression}', expectedResult: 'true'}}}}"
    place = f"{MAPPINGS}.running[0]"
    told = found(status(f"{{statusMappings: {{running: [{matcher}]}}}}"), "fires-without-status")
    assert [location for _, location in told if location and location.startswith(place)] == [
        location for _, location in told
    ]
    assert bool(told) is doubted


def schema_of_thing() -> CrdSchemas:
    """The schema of a kind whose groups have `suspend`."""
    text = {"type": "string"}
    group = {"name": text, "template": {"type": "object"}, "suspend": {"type": "boolean"}}
    groups = {"type": "array", "items": {"type": "object", "properties": group}}
    spec = {"type": "object", "properties": {"groups": groups}}
    version = {
        "name": "v1",
        "served": True,
        "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}},
    }
    names = {"kind": "Thing", "plural": "things"}
    crd_spec = {"group": "x.io", "names": names, "versions": [version]}
    meta = {"name": "things.x.io"}
    crd = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition"}
    return CrdSchemas([{**crd, "metadata": meta, "spec": crd_spec}])


@case("B49")
@pytest.mark.parametrize(("field", "known"), [("suspended", False), ("suspend", True)])
def test_a_field_that_the_kind_does_not_have_is_an_error_with_the_nearest_one(
    field: str, known: bool
) -> None:
    structure = worker(f'null, suspendedPath: ".spec.groups[].{field}"')
    told = [one for one in validate(definition(structure), schema_of_thing()) if one.code == "field-unknown"]
    places = [one.location for one in told]
    assert places == ([] if known else [f"{CHILD}.scaleDefinition.suspendedPath"])
    assert all("suspend" in (one.hint or "") for one in told)
