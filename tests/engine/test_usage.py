"""How often the parts of a definition give something on real objects, and what of them never does."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from workload_map.definition import DefinitionSet, Finding, Layer, load
from workload_map.definition.validation import check_files
from workload_map.engine import OwnerIndex
from workload_map.engine.usage import Usage, measure

Object = dict[str, Any]
Tried = tuple[Usage, list[Finding]]
Try = Callable[..., Tried]

# Every part of it gives something on the two ships below.
SHIP = """\
apiVersion: run.ai/v1alpha1
kind: Karta
metadata: {name: ship}
spec:
  structureDefinition:
    rootComponent:
      name: ship
      kind: {group: x.io, version: v1, kind: Ship}
      suspendDefinition:
        suspendActions: [{path: .spec.anchored, value: "true"}]
        resumeActions: [{path: .spec.anchored, value: "false"}]
      statusDefinition:
        phaseDefinition: {path: .status.phase}
        conditionsDefinition: {path: .status.conditions}
        messagePath: .status.message
        statusMappings:
          running:
            - byConditions: [{type: Sailing, status: "True"}]
            - byPhase: Sailing
          failed:
            - byExpression: {expression: .status.leaks > 2, expectedResult: "true"}
    childComponents:
      - name: captain
        ownerRef: ship
        specDefinition:
          podTemplateSpecPath: .spec.captain
        podSelector:
          componentTypeSelector: {keyPath: .metadata.labels.role, value: captain}
      - name: crew
        ownerRef: ship
        instanceIdPath: .spec.crews[].name
        specDefinition:
          podTemplateSpecPath: .spec.crews[].template
        scaleDefinition:
          replicasPath: .spec.crews[].size
        podSelector:
          componentTypeSelector: {matchLabels: {role: crew}}
          componentInstanceSelector: {idPath: .metadata.labels.crew}
          replicaSelector: {keyPath: .metadata.labels.bunk}
  optimizationInstructions:
    gangScheduling:
      podGroups:
        - name: all
          members:
            - componentName: crew
              groupByKeyPaths: [.metadata.labels.bunk]
              filters: [.metadata.labels.role == "crew"]
"""
TEMPLATE = {"spec": {"containers": [{"name": "main", "image": "app:1"}]}}
STRUCTURE = "spec.structureDefinition"
STATUS = f"{STRUCTURE}.rootComponent.statusDefinition"
CREW = f"{STRUCTURE}.childComponents[1]"
MEMBER = "spec.optimizationInstructions.gangScheduling.podGroups[0].members[0]"


def ship(name: str, *, spec: Object | None = None, status: Object | None = None) -> Object:
    crews = [{"name": "deck", "size": 2, "template": TEMPLATE}, {"name": "galley", "template": TEMPLATE}]
    return {
        "apiVersion": "x.io/v1",
        "kind": "Ship",
        "metadata": {"name": name, "namespace": "sea", "uid": f"uid-{name}"},
        "spec": {"anchored": False, "captain": TEMPLATE, "crews": crews} if spec is None else spec,
        "status": status or {},
    }


def pod(name: str, of: str | None, **labels: str) -> Object:
    owner = {"apiVersion": "x.io/v1", "kind": "Ship", "name": of, "uid": f"uid-{of}", "controller": True}
    metadata: Object = {"name": name, "namespace": "sea", "uid": f"uid-{name}", "labels": labels}
    if of is not None:
        metadata["ownerReferences"] = [owner]
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": metadata,
        **TEMPLATE,
        "status": {"phase": "Running"},
    }


SAILING = {
    "phase": "Sailing",
    "conditions": [{"type": "Sailing", "status": "True"}],
    "message": "ahoy",
    "leaks": 0,
}
OBJECTS = [
    ship("argo", status=SAILING),
    ship("wreck", status={"phase": "Sunk", "leaks": 3}),
    pod("a-0", "argo", role="captain"),
    pod("a-1", "argo", role="crew", crew="deck", bunk="0"),
    pod("a-2", "argo", role="crew", crew="deck", bunk="1"),
    pod("a-3", "argo", role="crew", crew="galley", bunk="0"),
    pod("w-0", "wreck", role="captain"),
]


@pytest.fixture
def try_out(tmp_path: Path) -> Try:
    """Tries the text of a definition on objects."""

    def call(
        text: str, objects: list[Object] = OBJECTS, *, beside: str | None = None, pods_known: bool = True
    ) -> Tried:
        file = tmp_path / "ship.yaml"
        file.write_text(text)
        findings, checked = check_files([file])
        assert [finding for finding in findings if finding.severity == "error"] == []
        definitions = DefinitionSet()
        if beside is not None:
            other = tmp_path / "beside.yaml"
            other.write_text(beside)
            definitions = DefinitionSet([load([other])[0]])
        usages, silent = measure(checked, definitions, OwnerIndex(objects), pods_known=pods_known)
        return usages[0], silent

    return call


def places(findings: list[Finding]) -> list[tuple[str, str | None]]:
    return sorted((finding.code, finding.location) for finding in findings)


def counts(usage: Usage) -> dict[str, tuple[int, int]]:
    """Gave and chances of each part, by what it is and where it stands."""
    return {f"{part.what} {part.location}": (part.gave, part.chances) for part in usage.parts}


def test_what_gives_something_is_counted_and_not_told(try_out: Try) -> None:
    usage, findings = try_out(SHIP)
    assert findings == []
    assert (usage.definition, usage.api_version, usage.kind) == ("ship", "x.io/v1", "Ship")
    assert (usage.objects, usage.pods, usage.problems) == (2, 5, ())
    suspend = f"{STRUCTURE}.rootComponent.suspendDefinition"
    captain = f"{STRUCTURE}.childComponents[0]"
    assert counts(usage) == {
        f"component {STRUCTURE}.rootComponent": (2, 2),
        f"path {suspend}.suspendActions[0].path": (2, 2),
        f"path {suspend}.resumeActions[0].path": (2, 2),
        f"path {STATUS}.phaseDefinition.path": (2, 2),
        f"path {STATUS}.conditionsDefinition.path": (1, 2),
        f"path {STATUS}.messagePath": (1, 2),
        f"matcher {STATUS}.statusMappings.failed[0]": (1, 2),
        f"matcher {STATUS}.statusMappings.running[0]": (1, 2),
        # Also behind the one that decided the phase.
        f"matcher {STATUS}.statusMappings.running[1]": (1, 2),
        f"component {captain}": (2, 2),
        f"path {captain}.specDefinition.podTemplateSpecPath": (2, 2),
        f"selector {captain}.podSelector.componentTypeSelector": (2, 5),
        f"component {CREW}": (2, 2),
        f"path {CREW}.instanceIdPath": (2, 2),
        f"path {CREW}.specDefinition.podTemplateSpecPath": (2, 2),
        f"path {CREW}.scaleDefinition.replicasPath": (2, 2),
        # The pod of the wreck could be one of its crew, too.
        f"selector {CREW}.podSelector.componentTypeSelector": (3, 5),
        f"path {CREW}.podSelector.componentInstanceSelector.idPath": (3, 3),
        f"path {CREW}.podSelector.replicaSelector.keyPath": (3, 3),
        f"path {MEMBER}.groupByKeyPaths[0]": (3, 3),
        f"path {MEMBER}.filters[0]": (3, 3),
    }


@pytest.mark.parametrize(
    ("right", "wrong", "code", "place"),
    [
        (
            "value: captain}",
            "value: Captain}",
            "selector-silent",
            "childComponents[0].podSelector.componentTypeSelector",
        ),
        (
            "matchLabels: {role: crew}",
            "matchLabels: {rank: crew}",
            "selector-silent",
            "childComponents[1].podSelector.componentTypeSelector",
        ),
        (
            "idPath: .metadata.labels.crew",
            "idPath: .metadata.labels.team",
            "path-silent",
            "childComponents[1].podSelector.componentInstanceSelector.idPath",
        ),
        (
            "replicasPath: .spec.crews[].size",
            "replicasPath: .spec.crews[].count",
            "path-silent",
            "childComponents[1].scaleDefinition.replicasPath",
        ),
        (
            "messagePath: .status.message",
            "messagePath: .status.text",
            "path-silent",
            "rootComponent.statusDefinition.messagePath",
        ),
        (
            "suspendActions: [{path: .spec.anchored",
            "suspendActions: [{path: .spec.moored",
            "path-silent",
            "rootComponent.suspendDefinition.suspendActions[0].path",
        ),
        (
            "byPhase: Sailing",
            "byPhase: Sails",
            "matcher-silent",
            "rootComponent.statusDefinition.statusMappings.running[1]",
        ),
        (
            "[{type: Sailing,",
            "[{type: Sails,",
            "matcher-silent",
            "rootComponent.statusDefinition.statusMappings.running[0]",
        ),
        (
            ".status.leaks > 2",
            ".status.leaks > 3",
            "matcher-silent",
            "rootComponent.statusDefinition.statusMappings.failed[0]",
        ),
        (
            "podTemplateSpecPath: .spec.captain",
            "podTemplateSpecPath: .spec.skipper",
            "component-silent",
            "childComponents[0]",
        ),
    ],
)
def test_one_mistake_is_one_finding_at_its_place(
    right: str, wrong: str, code: str, place: str, try_out: Try
) -> None:
    assert SHIP.count(right) == 1
    usage, findings = try_out(SHIP.replace(right, wrong))
    assert places(findings) == [(code, f"{STRUCTURE}.{place}")]
    assert [part.location for part in usage.parts if part.silent] == [f"{STRUCTURE}.{place}"]
    assert findings[0].severity == "warning"


def test_a_finding_names_the_line_and_the_number_of_chances(try_out: Try) -> None:
    text = SHIP.replace("messagePath: .status.message", "messagePath: .status.text")
    (finding,) = try_out(text)[1]
    line = 1 + [line.strip() for line in text.splitlines()].index("messagePath: .status.text")
    assert (finding.line, finding.message) == (line, "it gives nothing on any of the 2 objects")
    (finding,) = try_out(SHIP.replace("value: captain}", "value: Captain}"))[1]
    assert finding.message == "it does not take any of the 5 pods"


def test_of_an_absent_role_only_the_role_is_told(try_out: Try) -> None:
    cook = """
      - name: cook
        ownerRef: ship
        specDefinition:
          podTemplateSpecPath: .spec.cook.template
          incompleteWhen: .spec.cook.borrowed
        scaleDefinition:
          replicasPath: .spec.cook.number
        podSelector:
          componentTypeSelector: {keyPath: .metadata.labels.role, value: cook}
          replicaSelector: {keyPath: .metadata.labels.pot}
  optimizationInstructions:"""
    usage, findings = try_out(SHIP.replace("\n  optimizationInstructions:", cook))
    assert places(findings) == [("component-silent", f"{STRUCTURE}.childComponents[2]")]
    assert findings[0].message == "'cook' is not there in any of the 2 objects"
    assert findings[0].hint == "look at podTemplateSpecPath, of which nothing comes"
    told = counts(usage)
    place = f"{STRUCTURE}.childComponents[2]"
    assert told[f"path {place}.specDefinition.podTemplateSpecPath"] == (0, 2)
    assert told[f"path {place}.scaleDefinition.replicasPath"] == (0, 0)
    assert told[f"selector {place}.podSelector.componentTypeSelector"] == (0, 0)
    assert told[f"path {place}.podSelector.replicaSelector.keyPath"] == (0, 0)


def test_a_selector_of_a_role_that_wants_no_pods_has_no_chance(try_out: Try) -> None:
    spec = {
        "anchored": True,
        "captain": TEMPLATE,
        "crews": [{"name": "deck", "size": 0, "template": TEMPLATE}],
    }
    usage, _ = try_out(SHIP, [ship("ghost", spec=spec), pod("g-0", "ghost", role="captain")])
    told = counts(usage)
    assert told[f"selector {CREW}.podSelector.componentTypeSelector"] == (0, 0)
    assert told[f"selector {STRUCTURE}.childComponents[0].podSelector.componentTypeSelector"] == (1, 1)
    # A count of zero is a count.
    assert told[f"path {CREW}.scaleDefinition.replicasPath"] == (1, 1)


def test_without_pods_nothing_is_told_of_selectors(try_out: Try) -> None:
    usage, findings = try_out(SHIP, OBJECTS[:2], pods_known=False)
    assert (findings, usage.pods) == ([], None)
    assert {part.chances for part in usage.parts if part.of == "pods"} == {0}


def test_without_a_status_nothing_is_told_of_it_but_what_matched(try_out: Try) -> None:
    matcher = '{byExpression: {expression: .status.phase == null, expectedResult: "true"}}'
    text = SHIP.replace("          running:", f"          initializing: [{matcher}]\n          running:")
    usage, findings = try_out(text, [ship("new"), *OBJECTS[2:]])
    told = counts(usage)
    assert told[f"matcher {STATUS}.statusMappings.initializing[0]"] == (1, 1)
    assert told[f"matcher {STATUS}.statusMappings.running[0]"] == (0, 0)
    assert told[f"path {STATUS}.phaseDefinition.path"] == (0, 0)
    assert {finding.code for finding in findings if finding.location and STATUS in finding.location} == set()


def test_a_count_that_the_status_tells_has_a_chance_where_there_is_one(try_out: Try) -> None:
    text = SHIP.replace(".spec.crews[].size", ".status.crew")
    place = f"path {CREW}.scaleDefinition.replicasPath"
    assert counts(try_out(text, [ship("new")])[0])[place] == (0, 0)
    assert counts(try_out(text, [ship("new"), ship("old", status={"crew": 0})])[0])[place] == (1, 1)
    # What may be read from elsewhere too should be there without.
    text = SHIP.replace(".spec.crews[].size", ".status.crew // .spec.crew")
    assert counts(try_out(text, [ship("new")])[0])[place] == (0, 1)


def test_without_an_object_of_the_kind_nothing_is_told(try_out: Try) -> None:
    other = {**ship("argo"), "apiVersion": "x.io/v2"}
    usage, findings = try_out(SHIP, [other, *OBJECTS[2:]])
    assert (findings, usage.objects, usage.pods) == ([], 0, 0)
    assert {part.chances for part in usage.parts} == {0}


def test_false_is_a_value_but_no_yes(try_out: Try) -> None:
    suspended = "          replicasPath: .spec.crews[].size\n          suspendedPath: .spec.crews[].ashore\n"
    text = SHIP.replace("          replicasPath: .spec.crews[].size\n", suspended)
    aground = ship("aground", status=SAILING)
    aground["spec"]["crews"] = [{"name": "deck", "size": 1, "template": TEMPLATE, "ashore": False}]
    (finding,) = try_out(text, [*OBJECTS, aground])[1]
    assert finding.location == f"{CREW}.scaleDefinition.suspendedPath"
    assert finding.message == "it is not true of any of the 3 objects"
    aground["spec"]["crews"][0]["ashore"] = True
    assert try_out(text, [*OBJECTS, aground])[1] == []


def test_a_level_whose_children_are_wrong_is_there_all_the_same(try_out: Try) -> None:
    # `crew` becomes a level without pods of its own; the pods are those of `sailor` below it.
    text = SHIP.replace(
        "        specDefinition:\n          podTemplateSpecPath: .spec.crews[].template\n", ""
    )
    sailor = """
      - name: sailor
        ownerRef: crew
        specDefinition: {podTemplateSpecPath: '.spec.crews[].tempalte'}
  optimizationInstructions:"""
    text = text.replace("\n  optimizationInstructions:", sailor)
    usage, findings = try_out(text, OBJECTS[:2])
    assert places(findings) == [("component-silent", f"{STRUCTURE}.childComponents[2]")]
    assert counts(usage)[f"component {CREW}"] == (2, 2)
    # Where the level itself is not there, what is below it has no chance.
    usage, findings = try_out(text.replace(".spec.crews[].name", ".spec.crew[].name"), OBJECTS[:2])
    assert places(findings) == [("component-silent", CREW)]
    assert counts(usage)[f"component {STRUCTURE}.childComponents[2]"] == (0, 0)


def test_paths_of_a_component_read_its_references(try_out: Try) -> None:
    reference = """\
    references:
      - name: yard
        gvk: {group: x.io, version: v1, kind: Yard}
        lookup: {nameExpression: .spec.yard}
    childComponents:
"""
    text = SHIP.replace("    childComponents:\n", reference).replace(
        "replicasPath: .spec.crews[].size", "replicasPath: .spec.crews[] | .size // $yard.spec.size"
    )
    yard = {
        "apiVersion": "x.io/v1",
        "kind": "Yard",
        "metadata": {"name": "east", "namespace": "sea"},
        "spec": {"size": 4},
    }
    built = ship("argo", status=SAILING)
    built["spec"] |= {"yard": "east", "crews": [{"name": "deck", "template": TEMPLATE}]}
    told = counts(try_out(text, [built, yard])[0])
    assert told[f"path {CREW}.scaleDefinition.replicasPath"] == (1, 1)
    assert told[f"path {STRUCTURE}.references[0].lookup.nameExpression"] == (1, 1)
    usage, findings = try_out(text, [built])
    assert (counts(usage))[f"path {CREW}.scaleDefinition.replicasPath"] == (0, 1)
    assert ("path-silent", f"{CREW}.scaleDefinition.replicasPath") in places(findings)
    (problem,) = usage.problems
    assert (problem.code, problem.count, problem.objects, problem.object) == (
        "reference-missing",
        1,
        1,
        "sea/argo",
    )


def test_problems_of_the_views_are_counted(try_out: Try) -> None:
    odd = ship("odd", status=SAILING)
    odd["spec"]["crews"] = [{"name": name, "size": "2", "template": TEMPLATE} for name in ("deck", "hold")]
    usage, _ = try_out(SHIP, [*OBJECTS, odd, {**odd, "metadata": {"name": "odder", "uid": "o"}}])
    (problem,) = usage.problems
    assert (problem.code, problem.count, problem.objects, problem.object) == (
        "replicas-text",
        4,
        2,
        "sea/odd",
    )
    assert problem.example.location == "spec.crews[0].size"


LABELLED = SHIP.replace(
    "        podSelector:\n          componentTypeSelector: {keyPath",
    "        podSelector:\n          ownership: label\n          workloadPath: .metadata.labels.ship\n"
    "          componentTypeSelector: {keyPath",
).replace(
    "        podSelector:\n          componentTypeSelector: {matchLabels",
    "        podSelector:\n          ownership: label\n          workloadPath: .metadata.labels.ship\n"
    "          componentTypeSelector: {matchLabels",
)
LABELLED_OBJECTS = [
    *OBJECTS[:2],
    *(
        pod(one["metadata"]["name"], None, ship="argo", **one["metadata"]["labels"])
        for one in OBJECTS[2:]
        if one["metadata"]["name"] != "w-0"
    ),
    pod("stranger", None, app="other"),
]


def test_pods_that_name_their_workload_are_counted_for_the_path_that_names_it(try_out: Try) -> None:
    usage, findings = try_out(LABELLED, LABELLED_OBJECTS)
    assert (findings, usage.pods) == ([], 4)
    told = counts(usage)
    assert told[f"path {CREW}.podSelector.workloadPath"] == (3, 3)
    assert told[f"selector {CREW}.podSelector.componentTypeSelector"] == (3, 4)


def test_what_stands_above_pods_and_names_the_workload_counts_too(try_out: Try) -> None:
    between = LABELLED.replace(
        "  optimizationInstructions:",
        "    additionalChildKinds: [{group: x.io, version: v1, kind: Raft}]\n  optimizationInstructions:",
    )
    raft = {**pod("raft", None, ship="argo", role="crew"), "apiVersion": "x.io/v1", "kind": "Raft"}
    usage, findings = try_out(between, [*LABELLED_OBJECTS, raft])
    assert (findings, usage.pods) == ([], 4)
    assert counts(usage)[f"path {CREW}.podSelector.workloadPath"] == (4, 4)
    unnamed, _ = try_out(LABELLED, [*LABELLED_OBJECTS, raft])
    assert counts(unnamed)[f"path {CREW}.podSelector.workloadPath"] == (3, 3)


def test_a_wrong_path_to_the_workload_and_a_wrong_selector_are_told_apart(try_out: Try) -> None:
    usage, findings = try_out(
        LABELLED.replace(".metadata.labels.ship", ".metadata.labels.boat"), LABELLED_OBJECTS
    )
    assert places(findings) == [
        ("path-silent", f"{STRUCTURE}.childComponents[{index}].podSelector.workloadPath") for index in (0, 1)
    ]
    assert usage.pods == 0
    _, findings = try_out(LABELLED.replace("{role: crew}", "{rank: crew}"), LABELLED_OBJECTS)
    assert places(findings) == [("selector-silent", f"{CREW}.podSelector.componentTypeSelector")]


FLEET = """\
apiVersion: run.ai/v1alpha1
kind: Karta
metadata: {name: fleet}
spec:
  structureDefinition:
    rootComponent:
      name: fleet
      kind: {group: x.io, version: v1, kind: Fleet}
      statusDefinition:
        statusMappings: {running: [{byExpression: {expression: .status.on, expectedResult: "true"}}]}
    childComponents:
      - name: member
        ownerRef: fleet
        objectPath: .spec.members[]
      - name: captain
        ownerRef: fleet
        specDefinition: {podTemplateSpecPath: .spec.admiral}
        podSelector:
          componentTypeSelector: {keyPath: .metadata.labels.role, value: admiral}
"""


def test_components_of_wrapped_objects_are_not_taken_for_its_own(try_out: Try) -> None:
    """The ships in the fleet have a captain; the fleet has none of its own, only the name is the same."""
    inner = {
        "apiVersion": "x.io/v1",
        "kind": "Ship",
        "metadata": {"name": "argo"},
        "spec": OBJECTS[0]["spec"],
    }
    fleet = {
        "apiVersion": "x.io/v1",
        "kind": "Fleet",
        "metadata": {"name": "f", "namespace": "sea", "uid": "uid-f"},
        "spec": {"members": [inner]},
        "status": {"on": True},
    }
    owner = {"apiVersion": "x.io/v1", "kind": "Fleet", "name": "f", "uid": "uid-f", "controller": True}
    argo = {**OBJECTS[0], "metadata": {**OBJECTS[0]["metadata"], "ownerReferences": [owner]}}
    usage, findings = try_out(FLEET, [fleet, argo, *OBJECTS[2:6]], beside=SHIP)
    assert usage.problems == ()
    assert usage.pods == 4
    told = counts(usage)
    assert told[f"component {STRUCTURE}.childComponents[0]"] == (1, 1)
    assert told[f"component {STRUCTURE}.childComponents[1]"] == (0, 1)
    assert places(findings) == [("component-silent", f"{STRUCTURE}.childComponents[1]")]


def test_objects_of_a_version_that_another_definition_covers_exactly_are_not_counted(try_out: Try) -> None:
    text = SHIP.replace("version: v1, kind: Ship}", "version: v1, kind: Ship, versions: [v2]}")
    newer = {**ship("new"), "apiVersion": "x.io/v2"}
    assert try_out(text, [newer])[0].objects == 1
    beside = SHIP.replace("version: v1, kind: Ship}", "version: v2, kind: Ship}")
    assert try_out(text, [newer], beside=beside)[0].objects == 0


def test_a_definition_that_is_set_aside_had_no_chance(try_out: Try) -> None:
    text = SHIP.replace(
        "replicasPath: .spec.crews[].size", "replicasPath: .spec.crews[] | [repeat(1)] | length"
    )
    usage, findings = try_out(text, [ship(f"s{number}", status=SAILING) for number in range(6)])
    codes = {problem.code: problem.objects for problem in usage.problems}
    assert codes["path-budget"] + codes["definition-set-aside"] == usage.objects == 6
    assert max(part.chances for part in usage.parts) == codes["path-budget"] < 6
    assert ("path-silent", f"{CREW}.scaleDefinition.replicasPath") in places(findings)


def test_each_of_two_definitions_of_one_kind_is_tried(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.yaml").write_text(SHIP.replace("{name: ship}", f"{{name: {name}}}"))
    findings, checked = check_files([tmp_path])
    assert {finding.code for finding in findings} == {"definition-collision"}
    usages, silent = measure(checked, DefinitionSet([Layer([])]), OwnerIndex(OBJECTS), pods_known=True)
    assert [(usage.definition, usage.objects) for usage in usages] == [("one", 2), ("two", 2)]
    assert silent == []
