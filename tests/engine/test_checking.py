"""The trial of a definition: right ones agree, and each planted fault is found and named."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from tests.engine.farm import DEFINITION, SPEC, check_farm, component, owned, world
from workload_map.catalog import Catalog
from workload_map.definition import DefinitionSet, Layer
from workload_map.engine import OwnerIndex
from workload_map.engine.checking import Check, Row, check


def _differing(found: Check) -> list[Row]:
    assert found.differs == any(row.verdict == "differs" for row in found.rows)
    return [row for row in found.rows if row.verdict == "differs"]


def test_a_right_definition_agrees_in_every_row() -> None:
    found = check_farm(world({"a": 1, "b": 3}))
    assert {row.verdict for row in found.rows} == {"agrees"}
    assert {row.check for row in found.rows} == {"pods", "requests", "phase", "place", "kinds", "labels"}
    assert [(row.subject, row.expected, row.found) for row in found.rows if row.check == "pods"] == [
        (None, "4", "4"),
        ("role a", "1", "1"),
        ("role b", "3", "3"),
    ]


def test_a_wrong_label_is_named() -> None:
    wrong = deepcopy(DEFINITION)
    component(wrong)["podSelector"]["componentTypeSelector"]["keyPath"] = '.metadata.labels["farm.test/prat"]'
    rows = _differing(check_farm(world({"a": 2}), wrong))
    labels = [row for row in rows if row.check == "labels"]
    assert [(row.expected, row.found) for row in labels] == [
        ('.metadata.labels["farm.test/prat"]', "nothing")
    ]
    assert [row.subject for row in rows if row.check == "place"] == ["pod farm-a-0", "pod farm-a-1"]


def test_a_wrong_value_of_a_label_is_told_beside_those_that_are_there() -> None:
    wrong = deepcopy(DEFINITION)
    component(wrong)["podSelector"]["componentTypeSelector"]["value"] = "rolle"
    (row,) = [row for row in _differing(check_farm(world({"a": 2}), wrong)) if row.check == "labels"]
    assert (row.expected, row.found) == ('.metadata.labels["farm.test/part"] = rolle', "role")


def test_wrong_match_labels_are_named() -> None:
    wrong = deepcopy(DEFINITION)
    component(wrong)["podSelector"]["componentTypeSelector"] = {"matchLabels": {"farm.test/part": "x"}}
    (row,) = [row for row in _differing(check_farm(world({"a": 2}), wrong)) if row.check == "labels"]
    assert (row.expected, row.found) == ("farm.test/part=x", "role")


def test_a_wrong_instance_label_is_named() -> None:
    wrong = deepcopy(DEFINITION)
    component(wrong)["podSelector"]["componentInstanceSelector"]["idPath"] = (
        '.metadata.labels["farm.test/roll"]'
    )
    rows = _differing(check_farm(world({"a": 1, "b": 1}), wrong))
    assert [row.expected for row in rows if row.check == "labels"] == ['.metadata.labels["farm.test/roll"]']
    assert [row.subject for row in rows if row.check == "place"] == ["pod farm-a-0", "pod farm-b-0"]


def test_a_wrong_replica_path_is_found_by_the_pods() -> None:
    wrong = deepcopy(DEFINITION)
    component(wrong)["scaleDefinition"] = {"replicasPath": ".spec.roles[].size", "defaults": {"replicas": 1}}
    rows = _differing(check_farm(world({"a": 1, "b": 3}), wrong))
    assert [(row.check, row.subject, row.expected, row.found) for row in rows] == [
        ("pods", None, "2", "4"),
        ("pods", "role b", "1", "3"),
    ]


def test_what_the_definition_knows_of_is_not_named_beside_what_it_forgot() -> None:
    knowing = deepcopy(DEFINITION)
    spec = component(knowing)["specDefinition"]
    spec["injectedContainersPath"] = '{name: "proxy"}'
    spec["injectedInitContainersPath"] = '{name: "wait", resources: {requests: {cpu: "3"}}}'
    objects = world({"a": 2})
    for pod in objects[2:]:
        pod["spec"]["containers"] += [{"name": "proxy"}, {"name": "logs"}]
        pod["spec"]["initContainers"] = [{"name": "wait", "resources": {"requests": {"cpu": "4"}}}]
    (row,) = _differing(check_farm(objects, knowing))
    assert (row.check, row.subject, row.expected, row.found) == ("requests", "role a", "cpu=3", "cpu=4")
    assert row.message.endswith("containers that the definition does not know: logs")


def test_a_forgotten_sidecar_is_found_by_its_requests_and_named() -> None:
    objects = world({"a": 2})
    for pod in objects[2:]:
        pod["spec"]["containers"].append({"name": "proxy", "resources": {"requests": {"cpu": "500m"}}})
    (row,) = _differing(check_farm(objects))
    assert (row.check, row.subject, row.expected, row.found) == ("requests", "role a", "cpu=2", "cpu=2500m")
    assert row.message.endswith("containers that the definition does not know: proxy")


def test_a_missing_child_kind_is_named() -> None:
    objects = world({"a": 2})
    middle = owned("Gang", "farm.test/v1", "gang", objects[1])
    for pod in objects[2:]:
        pod["metadata"]["ownerReferences"] = owned("Pod", "v1", "p", middle)["metadata"]["ownerReferences"]
    (row,) = _differing(check_farm([*objects, middle]))
    assert (row.check, row.subject, row.found) == ("kinds", "Gang.farm.test", "above 2 pods")


def test_a_pod_below_several_objects_of_a_kind_counts_once() -> None:
    objects = world({"a": 2})
    first = owned("Gang", "farm.test/v1", "outer", objects[1])
    second = owned("Gang", "farm.test/v1", "inner", first)
    for pod in objects[2:]:
        pod["metadata"]["ownerReferences"] = owned("Pod", "v1", "p", second)["metadata"]["ownerReferences"]
    (row,) = _differing(check_farm([*objects, first, second]))
    assert (row.check, row.subject, row.found) == ("kinds", "Gang.farm.test", "above 2 pods")


def test_a_phase_that_the_pods_contradict_is_told() -> None:
    objects = world({"a": 1})
    objects[2]["status"]["conditions"][0]["status"] = "False"
    (row,) = _differing(check_farm(objects))
    assert (row.check, row.expected, row.found) == ("phase", "Running", "0 ready of 1")


def test_a_state_that_no_rule_knows_is_told() -> None:
    (row,) = _differing(check_farm(world({"a": 1}, state="Odd")))
    assert (row.check, row.expected) == ("phase", "Undefined")


@pytest.mark.parametrize(("state", "verdict"), [("Starting", "open"), ("Up", "differs"), ("Paused", "open")])
def test_missing_pods_count_only_in_a_state_that_should_have_them(state: str, verdict: str) -> None:
    objects = [one for one in world({"a": 2}, state=state) if one["kind"] != "Pod"]
    assert {row.verdict for row in check_farm(objects).rows if row.check == "pods"} == {verdict}


def test_what_ended_well_is_not_missing_and_what_failed_is_not_there() -> None:
    objects = world({"a": 2})
    objects[2]["status"] = {"phase": "Succeeded"}
    total = next(row for row in check_farm(objects).rows if row.check == "pods")
    assert (total.found, total.verdict) == ("1, 1 done", "agrees")
    objects[2]["status"] = {"phase": "Failed"}
    total = next(row for row in check_farm(objects).rows if row.check == "pods")
    assert (total.found, total.verdict) == ("1", "differs")


def test_pods_whose_controllers_are_not_at_hand_are_no_basis() -> None:
    objects = [one for one in world({"a": 2}) if one["kind"] != "Batch"]
    (row,) = check_farm(objects).rows
    assert (row.check, row.expected, row.found, row.verdict) == ("pods", "2", None, "open")
    assert "Batch controllers that are not at hand" in row.message


def test_that_no_rule_holds_is_told_without_pods_too() -> None:
    objects = [one for one in world({"a": 2}, state="Odd") if one["kind"] != "Batch"]
    assert [(row.check, row.verdict) for row in check_farm(objects).rows] == [
        ("pods", "open"),
        ("phase", "differs"),
    ]


def test_where_some_controllers_are_not_at_hand_fewer_pods_are_no_difference() -> None:
    objects = [one for one in world({"a": 2, "b": 2}) if one["metadata"]["name"] != "farm-b"]
    found = check_farm(objects)
    assert not found.differs
    total = found.rows[0]
    assert (total.expected, total.found, total.verdict) == ("4", "2", "open")
    assert total.message == (
        "by owner references: fewer than it says, which may be since not all controllers are at hand"
    )


def test_objects_within_are_checked_by_their_own_definition() -> None:
    job_spec = {"parallelism": 2, "completions": 2, "template": {"spec": SPEC}}
    wrapped = {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "inner"}, "spec": job_spec}
    wrapper = owned("AppWrapper", "workload.codeflare.dev/v1beta2", "outer", None)
    wrapper |= {"spec": {"components": [{"template": wrapped}]}, "status": {"phase": "Running"}}
    job = owned("Job", "batch/v1", "inner", wrapper, spec=job_spec)
    pods = [owned("Pod", "v1", f"inner-{n}", job, spec=SPEC, status={"phase": "Running"}) for n in (0, 1)]
    builtin = DefinitionSet([*Catalog.builtin().layers, Layer([])])
    rows = check(wrapper, builtin, OwnerIndex([wrapper, job, *pods])).rows
    assert ("kinds", "Job.batch", "agrees") in [(row.check, row.subject, row.verdict) for row in rows]
    assert ("pods", "job", "2", "2") in [(row.check, row.subject, row.expected, row.found) for row in rows]


def test_pods_of_a_role_that_were_cleaned_up_are_no_wrong_label() -> None:
    done = deepcopy(DEFINITION)
    structure = done["spec"]["structureDefinition"]
    structure["rootComponent"]["statusDefinition"]["statusMappings"]["completed"] = [{"byPhase": "Done"}]
    other = deepcopy(component(done))
    other["name"] = "launcher"
    other["instanceIdPath"] = ".spec.launchers[].name"
    other["specDefinition"] = {"podTemplateSpecPath": ".spec.launchers[].template"}
    other["scaleDefinition"] = {"replicasPath": ".spec.launchers[].count"}
    other["podSelector"]["componentTypeSelector"]["value"] = "launcher"
    structure["childComponents"].append(other)
    objects = world({"a": 1}, state="Done")
    objects[0]["spec"]["launchers"] = [{"name": "l", "count": 1, "template": {"spec": SPEC}}]
    objects[2]["status"]["phase"] = "Succeeded"
    found = check_farm(objects, done)
    assert [row.verdict for row in found.rows if row.check == "labels" and row.subject == "launcher"] == [
        "open"
    ]
    assert not found.differs
    # Beside a pod without a place it is one.
    objects[2]["metadata"]["labels"]["farm.test/part"] = "luncher"
    assert {row.subject for row in _differing(check_farm(objects, done)) if row.check == "labels"} == {
        "role",
        "launcher",
    }


def test_while_it_is_being_deleted_missing_pods_tell_nothing() -> None:
    objects = [one for one in world({"a": 2}) if one["kind"] != "Pod"]
    objects[0]["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"
    found = check_farm(objects)
    assert not found.differs
    assert {row.verdict for row in found.rows if row.check in ("pods", "phase")} == {"open"}


def test_an_update_that_is_stuck_holds_more_pods_than_are_asked_for() -> None:
    wide = deepcopy(DEFINITION)
    mappings = wide["spec"]["structureDefinition"]["rootComponent"]["statusDefinition"]["statusMappings"]
    mappings["degraded"] = [{"byPhase": "Stuck"}]
    objects = world({"a": 3}, state="Stuck")
    objects[0]["spec"]["roles"][0]["count"] = 2
    assert {row.verdict for row in check_farm(objects, wide).rows if row.check == "pods"} == {"open"}


def _updated(level: str) -> list[dict[str, Any]]:
    """A Farm of two whose template has changed: a new pod asks for more, beside the two old ones."""
    objects = world({"a": 2})
    farm, batch, *pods = objects
    farm["spec"] = deepcopy(farm["spec"])
    for container in farm["spec"]["roles"][0]["template"]["spec"]["containers"]:
        container["resources"] = {"requests": {"cpu": "3"}, "limits": {"nvidia.com/gpu": "1"}}
    maker = batch
    if level == "pod-template-hash":  # by another object of the kind between
        maker = {**batch, "metadata": {**batch["metadata"], "name": "farm-new", "uid": "farm-new"}}
        objects.append(maker)
    new = owned("Pod", "v1", "new", maker, spec=deepcopy(farm["spec"]["roles"][0]["template"]["spec"]))
    new["status"] = {"phase": "Pending"}
    new["metadata"]["labels"] = {**pods[0]["metadata"]["labels"], level: "2"}
    for pod in pods:
        pod["metadata"]["labels"][level] = "1"
    return [*objects, new]


@pytest.mark.parametrize("level", ["pod-template-hash", "controller-revision-hash"])
def test_while_pods_are_updated_older_ones_are_no_difference(level: str) -> None:
    objects = _updated(level)
    found = check_farm(objects)
    told = {row.check: row for row in found.rows if row.verdict == "open"}
    assert not found.differs
    assert (told["pods"].expected, told["pods"].found) == ("2", "3")
    assert told["requests"].message.endswith(
        "ask for something else, which may pass while its pods are updated"
    )
    # Where none asks for what the definition reads, it is the definition.
    found = check_farm(objects[:-1])
    assert {row.check for row in _differing(found)} == {"requests"}


def test_pods_of_several_controllers_are_no_update() -> None:
    """Each group of a LeaderWorkerSet is a StatefulSet of its own, with a version of its own."""
    objects = world({"a": 1, "b": 2})
    for number, pod in enumerate(one for one in objects if one["kind"] == "Pod"):
        pod["metadata"]["labels"]["controller-revision-hash"] = str(min(number, 1))
    objects[0]["spec"]["roles"][1]["count"] = 1
    assert {row.check for row in _differing(check_farm(objects))} == {"pods"}


REPLICA = '.metadata.labels["farm.test/index"]'


def _numbered(key: str, *, inherited: bool = False) -> dict[str, Any]:
    """The definition with a key of replicas, of the role or of a level above it."""
    definition = deepcopy(DEFINITION)
    selector = {"replicaSelector": {"keyPath": key}}
    if not inherited:
        component(definition)["podSelector"] |= selector
        return definition
    component(definition)["ownerRef"] = "level"
    level = {"name": "level", "ownerRef": "farm", "podSelector": selector}
    definition["spec"]["structureDefinition"]["childComponents"].append(level)
    return definition


def _labels(objects: list[dict[str, Any]], definition: dict[str, Any]) -> list[tuple[str | None, str]]:
    return [
        (row.expected, row.verdict) for row in check_farm(objects, definition).rows if row.check == "labels"
    ]


@pytest.mark.parametrize("inherited", [False, True])
def test_a_key_of_replicas_that_no_pod_has_is_a_difference_unless_it_may_be_absent(inherited: bool) -> None:
    objects = world({"a": 2})
    assert _labels(objects, _numbered(REPLICA, inherited=inherited)) == [(REPLICA, "differs")]
    optional = f"{REPLICA} // empty"
    assert _labels(objects, _numbered(optional, inherited=inherited)) == [(optional, "open")]
    objects[2]["metadata"]["labels"]["farm.test/index"] = "0"
    assert _labels(objects, _numbered(REPLICA, inherited=inherited)) == [(None, "agrees")]
    assert _labels(objects, _numbered(optional, inherited=inherited)) == [(None, "agrees")]


def test_a_key_of_replicas_that_cannot_be_read_is_a_difference() -> None:
    failing = ".metadata.labels[0]"
    assert _labels(world({"a": 2}), _numbered(failing)) == [(failing, "differs")]


def test_labels_that_are_there_but_on_no_pod_together_are_a_difference() -> None:
    wrong = deepcopy(DEFINITION)
    selector = {"matchLabels": {"farm.test/part": "role", "farm.test/rack": "7"}}
    component(wrong)["podSelector"]["componentTypeSelector"] = selector
    objects = world({"a": 2})
    objects[2]["metadata"]["labels"] |= {"farm.test/rack": "7", "farm.test/part": "other"}
    (row,) = [row for row in check_farm(objects, wrong).rows if row.check == "labels"]
    assert (row.verdict, row.message) == ("differs", "no pod has all that its selector asks for")


def _roles(count: int, key: str) -> dict[str, Any]:
    """The definition with so many components, each of which finds its pods by a path of its own."""
    definition = deepcopy(DEFINITION)
    role = component(definition)
    roles = []
    for number in range(count):
        mine = f'.spec.roles[] | select(.name == "a{number}")'
        one = deepcopy(role) | {
            "name": f"r{number}",
            "instanceIdPath": f"{mine} | .name",
            "specDefinition": {"podTemplateSpecPath": f"{mine} | .template"},
            "scaleDefinition": {"replicasPath": f"{mine} | .count"},
        }
        one["podSelector"]["componentTypeSelector"] = {"keyPath": key, "value": f"a{number}"}
        roles.append(one)
    definition["spec"]["structureDefinition"]["childComponents"] = roles
    return definition


def test_many_components_may_look_at_many_pods() -> None:
    key = '[.metadata.labels | to_entries[] | select(.key == "farm.test/role") | .value] | join("-")'
    found = check_farm(world({f"a{number}": 200 for number in range(20)}), _roles(20, key))
    assert {row.verdict for row in found.rows if row.check == "labels"} == {"agrees"}


def test_a_selector_that_asks_for_too_much_work_says_nothing_of_labels() -> None:
    key = "[range(5000)] | length | tostring"
    found = check_farm(world({"a0": 30}), _roles(1, key))
    (row,) = [row for row in found.rows if row.check == "labels"]
    assert (row.verdict, row.message) == ("open", "its selector asks for more work than it may")
