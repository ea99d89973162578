"""The CustomResourceDefinition on a real API server: right definitions come back, wrong ones are refused."""

from __future__ import annotations

import copy
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.cluster.client import ApiError, Client
from tests.cluster.cluster import Cluster
from tests.cluster.pods import has
from tests.definition.conftest import BASE
from tests.definition.test_codes import EXAMPLES, Change, Parts
from tests.definition.test_crd import JUNK, SERVER_RULES, changed, places
from workload_map.definition import validate
from workload_map.definition.codes import CODES
from workload_map.documents import Document

CATALOG = Path(__file__).parents[2] / "src" / "workload_map" / "catalog"
DEFINITIONS = [yaml.safe_load(path.read_text()) for path in sorted(CATALOG.glob("*/definition.yaml"))]
# As kubectl asks: a field that the schema does not know is no longer dropped in silence.
CREATE = "/apis/run.ai/v1alpha1/kartas?fieldValidation=Strict"
DRY_RUN = f"{CREATE}&dryRun=All"
CHILD = "spec.structureDefinition.childComponents[0]"
ROOT = "spec.structureDefinition.rootComponent"
STRUCTURE = "spec.structureDefinition"
GANGS = "spec.optimizationInstructions.gangScheduling"

# Each code whose example breaks the schema or a rule -> where the server says it is, and the field named.
# What the other codes tell, the schema lets pass: most speak of what expressions say, or are warnings.
REFUSED = {
    "not-a-definition": ("kind", "Karta"),
    "unknown-field": (CHILD, "podSelectr"),
    "wrong-type": (f"{CHILD}.scaleDefinition.defaults", "replicas"),
    "missing-field": (CHILD, "name"),
    "too-deep": (f"{GANGS}.groups[0]", "subGroups"),
    "too-large": (f"{CHILD}.scaleDefinition", "replicasPath"),
    "definition-unnamed": ("metadata", "name"),
    "component-unnamed": (CHILD, "name"),
    "component-duplicate": (f"{STRUCTURE}.childComponents[1]", "name"),
    "root-kind-incomplete": (ROOT, "version"),
    "root-with-owner": (ROOT, "ownerRef"),
    "owner-missing": (STRUCTURE, "ownerRef"),
    "owner-unknown": (STRUCTURE, "ownerRef"),
    "kind-repeated": (f"{STRUCTURE}.additionalChildKinds[1]", "Part"),
    "versions-misplaced": (f"{CHILD}.kind", "versions"),
    "not-for-root": (ROOT, "objectPath"),
    "per-parent-on-root": (ROOT, "perParent"),
    "pod-spec-ambiguous": (f"{CHILD}.specDefinition", "podSpecPath"),
    "pod-spec-missing": (CHILD, "podTemplateSpecPath"),
    "fragments-empty": (f"{CHILD}.specDefinition", "fragmentedPodSpecDefinition"),
    "containers-ambiguous": (f"{CHILD}.specDefinition.fragmentedPodSpecDefinition", "containerPath"),
    "resource-unnamed": (f"{CHILD}.specDefinition.accelerators[0]", "resource"),
    "object-with-pod-spec": (CHILD, "objectPath"),
    "default-out-of-range": (f"{CHILD}.scaleDefinition.defaults", "replicas"),
    "default-bounds-crossed": (f"{CHILD}.scaleDefinition.defaults", "minReplicas"),
    "type-selector-empty": (f"{CHILD}.podSelector.componentTypeSelector", "matchLabels"),
    "value-without-key": (f"{CHILD}.podSelector.componentTypeSelector", "keyPath"),
    "ids-without-selector": (CHILD, "componentInstanceSelector"),
    "selector-without-ids": (CHILD, "instanceIdPath"),
    "ownership-incomplete": (f"{CHILD}.podSelector", "workloadPath"),
    "value-unknown": (f"{GANGS}.groups[0]", "per"),
    "status-missing": (ROOT, "statusDefinition"),
    "group-duplicate": (f"{GANGS}.podGroups[1]", "name"),
    "minimum-invalid": (f"{GANGS}.groups[0]", "minimum"),
    "reference-form": (f"{STRUCTURE}.references[0]", "lookup"),
}


@pytest.fixture(scope="module")
def server(cluster: Cluster) -> Iterator[Client]:
    """An API server that has what `wmap crd` prints; without it again afterwards."""
    call = [str(Path(sys.executable).with_name("wmap")), "crd"]
    printed = subprocess.run(call, capture_output=True, text=True, check=True).stdout
    (made,) = cluster.apply(printed)
    found = cluster.wait_for(made, lambda found: has(found, "Established"))
    assert has(found, "NamesAccepted")
    assert not has(found, "NonStructuralSchema")
    yield cluster.client
    cluster.client.delete(made)
    cluster.client.wait_until_gone(made)


def refusal(server: Client, definition: dict[str, Any]) -> str:
    """Why the server does not take a definition; empty if it does."""
    try:
        server.request("POST", DRY_RUN, definition)
    except ApiError as error:
        return error.message
    return ""


def example(change: Change) -> dict[str, Any]:
    parts = Parts(copy.deepcopy(BASE))
    change(parts)
    return parts.base


def filled_in(value: Any, schema: dict[str, Any]) -> Any:
    """A value with the defaults of its schema, those of lists and maps in it too."""
    if isinstance(value, list):
        return [filled_in(one, schema["items"]) for one in value]
    if not isinstance(value, dict):
        return value
    properties = schema.get("properties", {})
    defaults = {name: one["default"] for name, one in properties.items() if "default" in one}
    values = schema.get("additionalProperties", {})
    given = {name: filled_in(one, properties.get(name, values)) for name, one in value.items()}
    return {**defaults, **given}


@pytest.mark.parametrize("definition", DEFINITIONS, ids=lambda one: one["metadata"]["name"])
def test_a_built_in_definition_comes_back_as_it_was(server: Client, definition: dict[str, Any]) -> None:
    stored = server.request("POST", CREATE, definition)
    try:
        found = server.read(stored)
    finally:
        server.delete(stored)
    crd = server.get("/apis/apiextensions.k8s.io/v1/customresourcedefinitions/kartas.run.ai")
    schema = crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]
    assert found["spec"] == filled_in(definition["spec"], schema)


@pytest.mark.parametrize("code", EXAMPLES)
def test_what_the_schema_can_tell_is_refused_with_the_name_of_the_field(server: Client, code: str) -> None:
    broken, right = (refusal(server, example(change)) for change in EXAMPLES[code])
    assert right == ""
    if code not in REFUSED:
        assert broken == ""
        return
    assert CODES[code].severity == "error"
    place, field = REFUSED[code]
    assert place in broken
    assert field in broken.replace(place, "")


@pytest.mark.parametrize("words", SERVER_RULES)
def test_each_rule_refuses_in_its_own_words(server: Client, words: str) -> None:
    broken, right = (refusal(server, changed(change)) for change in SERVER_RULES[words])
    assert words in broken
    assert right == ""


def test_a_text_is_measured_in_characters(server: Client) -> None:
    definition = copy.deepcopy(BASE)
    scale = definition["spec"]["structureDefinition"]["childComponents"][0]["scaleDefinition"]
    scale["replicasPath"] = f'.spec.wagons[].replicas | select(. != "{"é" * 16_340}")'
    assert validate(Document(definition, "f", 1)) == []
    assert refusal(server, definition) == ""


@settings(max_examples=300, derandomize=True, database=None)
@given(st.data())
def test_what_has_no_error_here_the_server_takes(server: Client, data: st.DataObject) -> None:
    definition = copy.deepcopy(data.draw(st.sampled_from([BASE, *DEFINITIONS])))
    holder, key = data.draw(st.sampled_from(list(places(definition))))
    change = data.draw(st.sampled_from(["replace", "remove", "repeat"]))
    if change == "remove":
        del holder[key]
    elif change == "repeat" and isinstance(holder, list):
        holder.append(copy.deepcopy(holder[key]))
    else:
        holder[key] = data.draw(JUNK)
    if all(finding.severity != "error" for finding in validate(Document(definition, "f", 1))):
        assert refusal(server, definition) == ""
