"""Where findings point to, and that validation never fails itself."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.definition.conftest import BASE

from workload_map.definition import Finding, from_document, validate
from workload_map.documents import Document, read
from workload_map.path import syntax
from workload_map.path.parser import parse

CHILD = "spec.structureDefinition.childComponents[0]"
ROOT = "spec.structureDefinition.rootComponent"


def of(value: Any) -> list[Finding]:
    return validate(Document(value, "f.yaml", 1))


def told(value: Any) -> list[tuple[str, str]]:
    return [(finding.code, finding.location or "") for finding in of(value)]


def test_mistakes_of_all_sorts_are_told_together_by_place() -> None:
    text = """\
apiVersion: run.ai/v1alpha1
kind: Karta
metadata: {name: example}
spec:
  structureDefinition:
    rootComponent:
      name: train
      kind: {group: example.org, version: v1, kind: Train}
      statusDefinition:
        statusMappings:
          running: [{byPhase: Up}, {}]
    childComponents:
    - name: wagon
      ownerRef: tarin
      nmae: x
      scaleDefinition: {replicasPath: spec.replicas}
      specDefinition:
        podTemplateSpecPath: .a
        podSpecPath: 3
  optimizationInstructions:
    gangScheduling:
      podGroup: {name: all, subGroups: [{componentName: wagno}]}
"""
    (document,) = read(text, "f.yaml", positions=True)
    assert isinstance(document, Document)
    found = validate(document)
    assert [(each.line, each.column, each.code) for each in found] == [
        (11, 22, "phase-not-extracted"),
        (11, 36, "matcher-empty"),
        (14, 7, "owner-unknown"),
        (15, 7, "unknown-field"),
        (16, 25, "expression-invalid"),
        (17, 7, "pod-spec-ambiguous"),
        (19, 9, "wrong-type"),
        (22, 42, "gang-component-unknown"),
    ]
    assert [str(each) for each in found][2] == (
        "f.yaml:14:7: error[owner-unknown]: spec.structureDefinition.childComponents[0].ownerRef: "
        "there is no component 'tarin'; did you mean train?"
    )
    # Of these, loading says what keeps the definition from being used.
    assert [each.code for each in from_document(document)[1]] == [
        "owner-unknown",
        "unknown-field",
        "wrong-type",
    ]


def test_an_expression_is_told_with_the_place_in_it(child: dict[str, Any], base: dict[str, Any]) -> None:
    child["scaleDefinition"]["replicasPath"] = ".spec.wagons[] |\n  .replicas | lenght"
    (finding,) = of(base)
    assert finding.code == "expression-invalid"
    assert "line 2, column 15" in finding.message
    assert "length" in f"{finding.message} {finding.hint}"


@pytest.mark.parametrize(
    "text",
    ["$ENV.HOME", "env.PATH", "input_filename", "input", "$__prog_args", 'import "a" as a; .', "now", "halt"],
)
def test_expressions_that_reach_outside_of_the_object(
    child: dict[str, Any], base: dict[str, Any], text: str
) -> None:
    child["specDefinition"] = {"fragmentedPodSpecDefinition": {"labelsPath": text}}
    location = f"{CHILD}.specDefinition.fragmentedPodSpecDefinition.labelsPath"
    assert ("expression-invalid", location) in told(base)


@pytest.mark.parametrize(
    ("gangs", "location"),
    [
        ({"podGroup": {"name": "all", "subGroups": []}}, "podGroup.subGroups[1]"),
        ({"podGroups": [{"name": "all", "members": []}]}, "podGroups[0].members[1]"),
    ],
)
def test_a_group_lists_a_component_once(base: dict[str, Any], gangs: dict[str, Any], location: str) -> None:
    base["spec"]["optimizationInstructions"] = {"gangScheduling": gangs}
    listed = gangs["podGroup"]["subGroups"] if "podGroup" in gangs else gangs["podGroups"][0]["members"]
    listed += [{"componentName": "wagon"}, {"componentName": "train"}]
    assert told(base) == []
    listed[1:] = [{"componentName": "wagon"}]
    where = f"spec.optimizationInstructions.gangScheduling.{location}.componentName"
    assert told(base) == [("group-duplicate", where)]


def test_a_component_may_be_in_several_groups(base: dict[str, Any]) -> None:
    groups = [{"name": name, "members": [{"componentName": "wagon"}]} for name in ("one", "two")]
    base["spec"]["optimizationInstructions"] = {"gangScheduling": {"podGroups": groups}}
    assert told(base) == []


def test_references_are_variables_of_paths_on_the_workload_alone(
    child: dict[str, Any], base: dict[str, Any]
) -> None:
    gvk = {"group": "example.org", "version": "v1", "kind": "Runtime"}
    structure = base["spec"]["structureDefinition"]
    structure["references"] = [{"name": "rt", "gvk": gvk, "lookup": {"nameExpression": "$rt.x"}}]
    child["scaleDefinition"]["replicasPath"] = ".spec.wagons[] | .replicas + $rt.spec.count"
    child["podSelector"]["componentTypeSelector"]["keyPath"] = "$rt.key"
    assert told(base) == [
        ("expression-invalid", f"{CHILD}.podSelector.componentTypeSelector.keyPath"),
        ("expression-invalid", "spec.structureDefinition.references[0].lookup.nameExpression"),
    ]


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (".spec.[", "expression-invalid"),
        (".spec | env.HOME", "expression-invalid"),
        (".spec.x | $runtime", "expression-invalid"),
        (".spec.names[]", "several-outputs"),
        (".metadata.name", None),
        ("spec.[", None),  # a literal, however odd: no dot is in front of it
    ],
)
def test_expressions_among_the_labels_of_a_reference_are_checked(
    base: dict[str, Any], value: str, code: str | None
) -> None:
    structure = base["spec"]["structureDefinition"]
    gvk = {"version": "v1", "kind": "ConfigMap"}
    structure["childComponents"][0]["scaleDefinition"]["replicasPath"] = "$maps | length"
    for selected, where in (
        ({"matchLabels": {"app": value}}, "matchLabels.app"),
        (
            {"matchExpressions": [{"key": "app", "operator": "In", "values": ["a", value]}]},
            "matchExpressions[0].values[1]",
        ),
    ):
        structure["references"] = [{"name": "maps", "gvk": gvk, "list": selected}]
        place = f"spec.structureDefinition.references[0].list.{where}"
        assert told(base) == ([(code, place)] if code else [])


def test_an_action_does_not_replace_the_whole_object(root: dict[str, Any], base: dict[str, Any]) -> None:
    resume = [{"path": ".spec.suspend", "value": "false"}]
    for path, found in ((".", ["action-not-writable"]), (".spec", []), (".spec.a, .spec.b", [])):
        actions = [{"path": path, "value": "null"}]
        root["suspendDefinition"] = {"suspendActions": actions, "resumeActions": resume}
        assert [code for code, _ in told(base)] == found


def test_the_versions_of_a_kind_are_named_once(root: dict[str, Any], base: dict[str, Any]) -> None:
    root["kind"]["versions"] = ["v2", "v1", "", "v2"]
    assert told(base) == [
        ("version-repeated", f"{ROOT}.kind.versions[1]"),
        ("root-kind-incomplete", f"{ROOT}.kind.versions[2]"),
        ("version-repeated", f"{ROOT}.kind.versions[3]"),
    ]


KINDS_BESIDE_THE_ROOT = (
    f"{CHILD}.kind",
    "spec.structureDefinition.additionalChildKinds[0]",
    "spec.structureDefinition.references[0].gvk",
)


@pytest.mark.parametrize(
    ("kind", "code", "field"),
    [
        ({"group": "example.org", "version": "", "kind": "Part"}, "kind-incomplete", "version"),
        ({"group": "example.org", "version": "v1"}, "kind-incomplete", "kind"),
        (
            {"group": "example.org", "version": "v1", "kind": "Part", "versions": ["v2"]},
            "versions-misplaced",
            "versions",
        ),
        ({"version": "v1", "kind": "Part"}, "group-empty", "group"),
        ({"version": "v1", "kind": "ConfigMap"}, None, ""),
    ],
)
def test_every_kind_beside_that_of_the_root_keeps_the_same_rules(
    base: dict[str, Any], child: dict[str, Any], kind: dict[str, Any], code: str | None, field: str
) -> None:
    child["kind"] = kind
    structure = base["spec"]["structureDefinition"]
    structure["additionalChildKinds"] = [kind]
    structure["references"] = [{"name": "part", "gvk": kind, "lookup": {"nameExpression": ".spec.part"}}]
    child["scaleDefinition"] = {"replicasPath": ".spec.wagons[] | .replicas // $part.spec.replicas"}
    places = sorted(f"{place}.{field}" for place in KINDS_BESIDE_THE_ROOT)
    assert sorted(told(base)) == ([(code, place) for place in places] if code else [])


def test_what_tells_pods_of_a_group_from_each_other_reads_them(base: dict[str, Any]) -> None:
    member = {"componentName": "wagon", "groupByKeyPaths": ['"x"', ".metadata.name"], "filters": ["true"]}
    base["spec"]["optimizationInstructions"] = {
        "gangScheduling": {"podGroups": [{"name": "all", "members": [member]}]}
    }
    place = "spec.optimizationInstructions.gangScheduling.podGroups[0].members[0]"
    assert told(base) == [
        ("selector-constant", f"{place}.filters[0]"),
        ("selector-constant", f"{place}.groupByKeyPaths[0]"),
    ]


def test_a_matcher_on_a_shadowing_phase_names_the_other(root: dict[str, Any], base: dict[str, Any]) -> None:
    root["statusDefinition"]["statusMappings"] = {
        "running": [{"byConditions": [{"type": "A", "status": "True"}, {"type": "B"}]}],
        "failed": [{"byConditions": [{"type": "X"}]}, {"byConditions": [{"type": "A"}]}],
    }
    (finding,) = of(base)
    assert (finding.code, finding.location) == (
        "matcher-shadowed",
        f"{ROOT}.statusDefinition.statusMappings.running[0]",
    )
    assert "failed[1]" in finding.message


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (".status.a == 1", True),
        ('.status["a"]==1', True),
        ("(.status.a == 1)", True),
        (".status.b == 1", False),
        ('.status.a == "1"', False),
        (".status.a == 1 | not", False),
        (".status.a == ", False),
    ],
)
def test_expressions_are_the_same_however_they_are_spelt(
    root: dict[str, Any], base: dict[str, Any], other: str, same: bool
) -> None:
    root["statusDefinition"]["statusMappings"] = {
        phase: [{"byExpression": {"expression": text, "expectedResult": "true"}}]
        for phase, text in (("failed", ".status.a == 1"), ("running", other))
    }
    assert ("matchers-identical" in {code for code, _ in told(base)}) is same


ROLE = '.metadata.labels["role"]'


@pytest.mark.parametrize(
    ("first", "second", "overlap"),
    [
        ({"keyPath": ROLE, "value": "a"}, {"matchLabels": {"role": "a"}}, True),
        ({"matchLabels": {"role": "a"}}, {"keyPath": ROLE, "value": "a"}, True),
        ({"keyPath": ROLE}, {"matchLabels": {"role": "a"}}, True),
        ({"keyPath": ROLE, "value": "a"}, {"keyPath": ".metadata.labels.role", "value": "a"}, True),
        ({"matchLabels": {"role": "a"}}, {"keyPath": ROLE, "value": "a", "matchLabels": {"x": "y"}}, True),
        ({"keyPath": ROLE, "value": "a"}, {"matchLabels": {"role": "b"}}, False),
        ({"keyPath": ROLE, "value": "a"}, {"keyPath": ROLE}, False),  # the special one first
        # Other labels: a pod may have both.
        ({"matchLabels": {"role": "a"}}, {"keyPath": ".metadata.labels.other", "value": "a"}, True),
        ({"matchLabels": {"role": "a"}}, {"matchLabels": {"other": "b"}}, True),
        ({"keyPath": ".metadata.labels.one"}, {"keyPath": ".metadata.labels.two"}, True),
        ({"matchLabels": {"role": "a", "x": "1"}}, {"matchLabels": {"x": "1", "y": "2"}}, True),
        ({"matchLabels": {"role": "a", "x": "1"}}, {"matchLabels": {"x": "2", "y": "2"}}, False),
        # Expressions that are more than a path are tried on a pod.
        ({"keyPath": ROLE, "value": "a"}, {"keyPath": f'{ROLE} // "b"', "value": "a"}, True),
        ({"keyPath": ROLE, "value": "a"}, {"keyPath": f'{ROLE} // "b"', "value": "b"}, False),
        ({"keyPath": ROLE, "value": "0"}, {"keyPath": f'{ROLE} | select(. != "0")'}, False),
        ({"keyPath": f'{ROLE} | select(. != "0")'}, {"keyPath": ROLE, "value": "0"}, False),
        ({"keyPath": f'{ROLE} | select(. != "0")'}, {"keyPath": ROLE, "value": "1"}, True),
        (
            {"keyPath": ".metadata.labels | select(.group == null) | .clique"},
            {"keyPath": ".metadata.labels.group"},
            False,
        ),
    ],
)
def test_selectors_that_take_the_same_pods_are_told_however_they_are_written(
    child: dict[str, Any], base: dict[str, Any], first: Any, second: Any, overlap: bool
) -> None:
    other = copy.deepcopy(child) | {"name": "other"}
    base["spec"]["structureDefinition"]["childComponents"].append(other)
    child["podSelector"]["componentTypeSelector"] = first
    other["podSelector"]["componentTypeSelector"] = second
    found = [where for code, where in told(base) if code == "selectors-overlap"]
    expected = f"{CHILD.replace('0', '1')}.podSelector.componentTypeSelector"
    assert found == ([expected] if overlap else [])


@pytest.mark.parametrize(
    ("ids", "replicas", "joinable"),
    [
        (".spec.jobs[].name", ".spec.jobs[].replicas", True),
        (".spec.jobs[].name", ".spec.jobs[] | .replicas // 1", True),
        (".spec.jobs[].name", ".spec.jobs[]?.replicas?", True),
        (".spec.jobs[].name", ".spec.jobs[] | select(.on) | .replicas", True),
        (".spec.jobs[].name", ".spec.replicas", True),
        (".spec.jobs[].name", ".spec.jobs[].groups[].replicas", True),
        (".spec.jobs | keys[]", ".spec.jobs[].replicas", True),
        (".spec.jobs | to_entries[] | .key", ".spec.jobs[].replicas", True),
        (".spec.jobs | to_entries[].key", ".spec.jobs | to_entries[] | .value.replicas", True),
        # Expressions that are more than paths are tried on an object.
        (".spec.jobs | map(.name)[]", ".spec.roles[].replicas", False),
        (".spec.jobs | map(.name)[]", ".spec.jobs[].replicas", True),
        (".spec.jobs[].name", ".spec.jobs[] | .replicas * .parallelism", True),
        (".spec.jobs[].name", "[.spec.jobs[].replicas] | .[]", True),
        (".spec.jobs[].name", "[.spec.jobs[].replicas] | sort | .[]", True),
        (".spec.jobs[].name", '[.spec.jobs[].replicas] | join(",") | split(",") | .[]', False),
        (".spec.jobs[].name", ".spec.jobs | length", True),
        (".spec.jobs[].name", ".spec.jobs | map(.replicas) | add", True),
        (".spec.jobs[].name", ".spec.counts | to_entries | map(.value) | .[]", False),
        (".spec.jobs[].name", ".spec as $s | $s.roles[] | .replicas", False),
        (".spec.jobs[].name", ".spec as $s | $s.jobs[] | .replicas", True),
        (".spec.jobs | to_entries | map(.key) | .[]", ".spec.jobs[].replicas", True),
        # What fails on a made-up object, or gives nothing there, is not guessed.
        (".spec.jobs[].name", '.spec.roles[] | select(.kind == "Worker") | error', True),
        (".spec.jobs[].name", ".spec.roles[].replicas", False),
        (".spec.jobs[].name", ".spec.jobs.items[].replicas", False),
        (".spec.jobs | keys[]", ".spec.roles[].replicas", False),
        (".spec.jobs[].name", ".spec.roles | to_entries[] | .value.replicas", False),
    ],
)
def test_paths_are_joined_where_they_go_through_the_same_entries(
    child: dict[str, Any], base: dict[str, Any], ids: str, replicas: str, joinable: bool
) -> None:
    child["instanceIdPath"] = ids
    child["specDefinition"]["podTemplateSpecPath"] = ".spec.template"
    child["scaleDefinition"]["replicasPath"] = replicas
    found = [(code, where) for code, where in told(base) if code == "not-joinable"]
    assert found == ([] if joinable else [("not-joinable", f"{CHILD}.scaleDefinition.replicasPath")])


@pytest.mark.parametrize("field", ["injectedContainersPath", "injectedInitContainersPath"])
@pytest.mark.parametrize(
    ("added", "joinable"),
    [
        # In the entry, or in none of those that the ids are of.
        (".spec.jobs[] | {resources: .extra}", True),
        (".spec.jobs[].sidecars[]", True),
        (".spec.jobs[].sidecars[] | {resources}", True),
        (".spec.jobs | to_entries[] | {resources: .value.extra}", True),
        (".spec.jobs | first(.[]) | {resources: .extra}", True),
        ("{resources: .spec.jobs[0].extra}, {resources: .spec.jobs[0].extra}", True),
        ("{resources: .spec.proxies[]}", True),
        (".spec.proxy", True),
        ("[.spec.jobs[].extra] | {resources: add}", True),
        # From each entry, and beside them.
        ("{resources: .spec.jobs[].extra}", False),
        (".spec.jobs[].extra as $extra | {resources: $extra}", False),
        (".spec | {resources: (.jobs[].extra, .proxy)}", False),
        ("{resources: .spec.jobs[].sidecars[].resources}", False),
    ],
)
def test_what_an_operator_adds_is_computed_in_the_entry_that_has_it(
    child: dict[str, Any], base: dict[str, Any], field: str, added: str, joinable: bool
) -> None:
    child["instanceIdPath"] = ".spec.jobs[].name"
    child["specDefinition"] = {"podTemplateSpecPath": ".spec.jobs[].template", field: added}
    child["scaleDefinition"]["replicasPath"] = ".spec.jobs[].replicas"
    found = [each for each in told(base) if each[0] == "not-joinable"]
    assert found == ([] if joinable else [("not-joinable", f"{CHILD}.specDefinition.{field}")])


@pytest.mark.parametrize(
    ("replicas", "several"),
    [
        (".spec.jobs[].replicas", False),
        (".spec.jobs[].groups[0].replicas", False),
        (".spec.jobs[].groups[].replicas", True),
        (".spec.jobs[] | .groups[] | .replicas", True),
        (".spec.jobs[] | .groups[] | select(.main) | .replicas", False),  # the author picks one
        (".spec.jobs[] | [.groups[].replicas] | add", False),
    ],
)
def test_several_values_for_one_instance_are_told(
    child: dict[str, Any], base: dict[str, Any], replicas: str, several: bool
) -> None:
    child["instanceIdPath"] = ".spec.jobs[].name"
    child["specDefinition"]["podTemplateSpecPath"] = ".spec.jobs[].template"
    child["scaleDefinition"]["replicasPath"] = replicas
    found = [each for each in told(base) if each[0] in ("several-outputs", "not-joinable")]
    assert found == ([("several-outputs", f"{CHILD}.scaleDefinition.replicasPath")] if several else [])


@pytest.mark.parametrize(
    ("path", "several"),
    [
        (".spec.containers[].name", True),
        ("def names: .spec.containers[].name; names", True),
        ("def each(f): .spec.containers[] | f; each(.name)", True),
        (".metadata.name, .spec.nodeName", True),
        ('.metadata.name | scan("[0-9]+")', True),
        (".metadata.labels | .. | strings", True),
        ("def name: .metadata.labels.a; name", False),
        ('def names: [.spec.containers[].name]; names | join("-")', False),
        ("def first(f): [f][0]; first(.spec.containers[].name)", False),
        ("first(.spec.containers[].name)", False),
        ("[.spec.containers[].name] | .[0]?", False),
        ('if any(.spec.containers[]; .name == "x") then .metadata.labels.a else empty end', False),
        ('.metadata.name | sub("-[0-9]+$"; "")', False),
        ('.metadata.name | capture("(?<id>.*)-[0-9]+").id', False),
        (".metadata.labels as {$a} | $a", False),
    ],
)
def test_several_values_where_one_is_needed_are_told(
    child: dict[str, Any], base: dict[str, Any], path: str, several: bool
) -> None:
    """It is counted what a path gives, not what words stand in it."""
    child["podSelector"]["componentInstanceSelector"]["idPath"] = path
    where = f"{CHILD}.podSelector.componentInstanceSelector.idPath"
    portable = [each for each in told(base) if each[0] != "expression-not-portable"]
    assert portable == ([("several-outputs", where)] if several else [])


@pytest.mark.parametrize(
    ("expression", "expected", "doubted"),
    [
        (".status.ready == .spec.replicas", "true", True),  # both absent
        (".status.ready < .spec.replicas", "true", True),  # null is below all numbers
        (".status.ready >= .spec.replicas", "true", True),
        (".status.failed < 1", "true", True),
        ("all(.status.pods[]?; .ready)", "true", True),  # all of nothing
        ("[.status.pods[]? | select(.ready | not)] | length == 0", "true", True),
        ('.status.phase != "Failed"', "true", True),
        (".status.ready > 0", "true", False),
        ('.status.phase == "Up"', "true", False),
        (".status.ready - 1 < 3", "true", False),  # null - 1 is an error
        (".status.ready", "null", True),
        (".status.ready - 1", "null", False),  # an error is no result, and no null either
        ("any(.status.pods[]?; .ready)", "true", False),
        (".status.ready != null and .status.ready == .spec.replicas", "true", False),
        ("(.status.ready // -1) == .spec.replicas", "true", False),
        (".status.phase", "Up", False),
        (".spec.suspend != true", "true", False),  # says nothing about the status
        (".status.ready == .spec.replicas", "yes", False),
    ],
)
def test_what_holds_without_a_status(
    root: dict[str, Any], base: dict[str, Any], expression: str, expected: str, doubted: bool
) -> None:
    matcher = {"byExpression": {"expression": expression, "expectedResult": expected}}
    for phase, warns in (("running", doubted), ("degraded", doubted), ("initializing", False)):
        root["statusDefinition"]["statusMappings"] = {phase: [matcher]}
        assert ("fires-without-status" in {code for code, _ in told(base)}) is warns


def test_what_forbids_a_portable_definition_elsewhere(root: dict[str, Any], base: dict[str, Any]) -> None:
    for text in [
        "..",
        "recurse",
        ".a |= 1",
        "del(.a)",
        "[paths]",
        "walk(.)",
        "[repeat(1; 2)]",
        '"\\(.a = 1)"',
        "keys_unsorted[]",
        "[.a | toarray]",
    ]:
        root["statusDefinition"]["messagePath"] = f"first({text})"
        codes = {code for code, _ in told(base)}
        assert "expression-not-portable" in codes or "expression-invalid" in codes, text
    root["statusDefinition"]["messagePath"] = '.range | .paths // "del(.)"'
    assert told(base) == []


def test_range_is_a_call_and_not_a_field() -> None:
    assert isinstance(parse(".range"), syntax.Access)


TEXTS = st.sampled_from(
    [
        ".a",
        ".a[]",
        "a",
        "",
        "$x",
        ".a // true",
        ".a[] // 1",
        "[",
        "..",
        "0",
        "train",
        "wagon",
        "true",
        ".status.x == .spec.y",
    ]
)
VALUES = st.one_of(
    TEXTS,
    st.none(),
    st.booleans(),
    st.integers(-2, 3),
    st.just([]),
    st.just({}),
    st.lists(
        st.dictionaries(st.sampled_from(["name", "path", "value", "type"]), TEXTS, max_size=3), max_size=2
    ),
)


@settings(max_examples=150)
@given(st.data())
def test_no_definition_makes_validation_fail(data: st.DataObject) -> None:
    value = copy.deepcopy(BASE)
    for _ in range(data.draw(st.integers(1, 4))):
        holders = list(_places(value))
        holder, key = data.draw(st.sampled_from(holders))
        holder[key] = data.draw(VALUES)
    first = of(value)
    assert first == of(value)
    assert all(each.location is None or each.location for each in first)
    usable, blocking = from_document(Document(value, "f.yaml", 1))
    if usable is None:
        assert set(blocking) <= set(first)


def _places(value: Any) -> Any:
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
        yield value, key
        if isinstance(inner, dict | list):
            yield from _places(inner)
