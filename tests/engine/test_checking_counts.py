"""Counts of a definition against those of real pods: a wrong number never agrees."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from tests.engine.farm import DEFINITION, SPEC, check_farm, component, owned, world
from workload_map.catalog import Catalog
from workload_map.engine import OwnerIndex
from workload_map.engine.checking import Row, check


def _scaled(**scale: Any) -> dict[str, Any]:
    """The definition with bounds, and a state of its own for what has ended."""
    definition = deepcopy(DEFINITION)
    mappings = definition["spec"]["structureDefinition"]["rootComponent"]["statusDefinition"][
        "statusMappings"
    ]
    mappings |= {"completed": [{"byPhase": "Done"}], "failed": [{"byPhase": "Broken"}]}
    component(definition)["scaleDefinition"] |= scale
    return definition


RANGE = {"minReplicasPath": ".spec.roles[].least", "maxReplicasPath": ".spec.roles[].most"}


def _rows(objects: list[dict[str, Any]], definition: dict[str, Any]) -> list[Row]:
    """The rows of pods: those of the total and of the only role, which have to say the same."""
    total, role = [row for row in check_farm(objects, definition).rows if row.check == "pods"]
    assert (total.verdict, total.expected, total.found) == (role.verdict, role.expected, role.found)
    assert total.message.partition(": ")[2] == role.message.partition(": ")[2]
    return [total, role]


def _told(objects: list[dict[str, Any]], definition: dict[str, Any]) -> tuple[str, str]:
    row = _rows(objects, definition)[0]
    return row.verdict, row.message.partition(": ")[2]


def _farm(there: int, state: str = "Up", **role: Any) -> list[dict[str, Any]]:
    objects = world({"a": there}, state)
    (given,) = objects[0]["spec"]["roles"]
    given |= role
    return objects


@pytest.mark.parametrize("there", [1, 2, 4, 5])
def test_between_bounds_that_the_controller_keeps_the_number_to_the_number_is_what_is_wanted(
    there: int,
) -> None:
    definition = _scaled(**RANGE, keepsWithinBounds=True)
    verdict, message = _told(_farm(there, count=3, least=1, most=5), definition)
    assert verdict == "differs"
    assert message == ("fewer than it says" if there < 3 else "more than it says")
    assert _told(_farm(3, count=3, least=1, most=5), definition) == ("agrees", "as many as it says")


@pytest.mark.parametrize("there", [2, 4])
def test_without_an_upper_bound_nothing_scales_and_the_number_is_what_is_wanted(there: int) -> None:
    definition = _scaled(minReplicasPath=RANGE["minReplicasPath"])
    assert _told(_farm(there, count=3, least=1), definition)[0] == "differs"


@pytest.mark.parametrize(
    ("there", "verdict", "message"),
    [
        (0, "differs", "fewer than it says"),
        (1, "open", "fewer than it says, which may be since it may be scaled between 1 and 5"),
        (3, "agrees", "as many as it says"),
        (5, "open", "more than it says, which may be since it may be scaled between 1 and 5"),
        (6, "differs", "more than it says"),
    ],
)
def test_what_something_else_may_scale_is_open_within_its_bounds(
    there: int, verdict: str, message: str
) -> None:
    objects = _farm(there, count=3, least=1, most=5)
    assert _told(objects, _scaled(**RANGE)) == (verdict, message)


@pytest.mark.parametrize(
    ("there", "verdict", "message"),
    [
        (1, "differs", "fewer than the 2 that it says at least"),
        (2, "agrees", "between 2 and 4, as it says"),
        (4, "agrees", "between 2 and 4, as it says"),
        (5, "differs", "more than the 4 that it says at most"),
    ],
)
def test_where_only_bounds_are_known_they_are_what_is_held_against(
    there: int, verdict: str, message: str
) -> None:
    objects = _farm(there, count=None, least=2, most=4)
    assert _told(objects, _scaled(**RANGE)) == (verdict, message)


def test_where_no_upper_bound_is_known_more_pods_can_not_be_told() -> None:
    definition = _scaled(minReplicasPath=RANGE["minReplicasPath"])
    assert _told(_farm(3, count=None, least=2), definition) == (
        "open",
        "the definition cannot tell how many",
    )
    assert _told(_farm(1, count=None, least=2), definition)[0] == "differs"


def _done(objects: list[dict[str, Any]], *, maker: str = "Batch") -> list[dict[str, Any]]:
    for one in objects:
        if one["kind"] == "Pod":
            one["status"] = {"phase": "Succeeded"}
            if maker == "Job":
                one["metadata"]["ownerReferences"][0] |= {"kind": "Job", "apiVersion": "batch/v1"}
        if one["kind"] == "Batch" and maker == "Job":
            one |= {"kind": "Job", "apiVersion": "batch/v1"}
    return objects


def test_pods_that_are_done_are_held_against_the_number() -> None:
    assert _told(_done(_farm(2, "Done", count=2)), _scaled()) == ("agrees", "as many as it says")
    assert _told(_done(_farm(2, "Done", count=1)), _scaled()) == (
        "differs",
        "more than it says, with those that are done",
    )


def test_a_job_may_have_made_several_rounds_of_pods() -> None:
    assert _told(_done(_farm(2, "Done", count=1), maker="Job"), _scaled()) == (
        "open",
        "more than it says, with those that are done, which may have been there before others",
    )
    # That they run at once no rounds explain.
    running = _done(_farm(3, count=1), maker="Job")
    for pod in running[2:4]:
        pod["status"] = {"phase": "Running"}
    assert _told(running, _scaled())[0] == "differs"


@pytest.mark.parametrize("state", ["Done", "Broken"])
def test_of_what_has_ended_pods_may_be_gone_and_none_are_added(state: str) -> None:
    verdict, message = _told(_done(_farm(1, state, count=2)), _scaled())
    assert (verdict, message.partition(",")[0]) == ("open", "fewer than it says")
    assert _told(_farm(3, state, count=2), _scaled()) == ("differs", "more than it says")


def test_of_a_suspended_workload_the_number_cannot_be_tried() -> None:
    objects = [one for one in _farm(2, "Paused") if one["kind"] != "Pod"]
    assert _told(objects, _scaled()) == ("open", "none runs, since it is suspended")


def test_controllers_that_are_not_at_hand_explain_no_more_pods() -> None:
    objects = world({"a": 3, "b": 2})
    objects[0]["spec"]["roles"][0]["count"] = 2
    found = check_farm([one for one in objects if one["metadata"]["name"] != "farm-b"])
    told = {row.subject: row.verdict for row in found.rows if row.check == "pods"}
    assert told["role a"] == "differs"
    assert told["role b"] == "open"


def test_without_pods_none_has_its_place() -> None:
    objects = [one for one in world({"a": 2}, "Paused") if one["kind"] != "Pod"]
    assert [row.verdict for row in check_farm(objects).rows if row.check == "place"] == ["open"]


@pytest.mark.parametrize("inside", [False, True])
def test_what_a_manifest_within_says_an_autoscaler_changes_in_the_object_made_of_it_alone(
    inside: bool,
) -> None:
    """Ray's autoscaler writes the number of the RayCluster, and not that of the AppWrapper around it."""
    template = {"spec": SPEC}
    worker = {"groupName": "w", "replicas": 1, "minReplicas": 0, "maxReplicas": 3, "template": template}
    spec = {"headGroupSpec": {"template": template}, "workerGroupSpecs": [worker]}
    name, version, kind = "r", "ray.io/v1", "RayCluster"
    manifest = {"apiVersion": version, "kind": kind, "metadata": {"name": name}, "spec": spec}
    wrapper = owned("AppWrapper", "workload.codeflare.dev/v1beta2", "outer", None)
    wrapper |= {"spec": {"components": [{"template": manifest}]}, "status": {"phase": "Running"}}
    cluster = owned(kind, version, name, wrapper if inside else None, spec=spec, status={"state": "ready"})
    pods = []
    for number, role in enumerate(("head", "worker", "worker")):
        pod = owned("Pod", "v1", f"p{number}", cluster, spec=SPEC, status={"phase": "Running"})
        pod["metadata"]["labels"] = {"ray.io/node-type": role, "ray.io/group": "w"}
        pods.append(pod)
    found = check(wrapper if inside else cluster, Catalog.builtin(), OwnerIndex([wrapper, cluster, *pods]))
    told = {row.subject: (row.expected, row.found, row.verdict) for row in found.rows if row.check == "pods"}
    verdict = "open" if inside else "differs"
    assert told == {None: ("2", "3", verdict), "head": ("1", "1", "agrees"), "worker w": ("1", "2", verdict)}


@pytest.mark.parametrize(("leaving", "verdict"), [(1, "open"), (0, "differs")])
def test_a_pod_that_leaves_may_have_to_be_gone_before_another_one_is_made(leaving: int, verdict: str) -> None:
    objects = _farm(2, count=2)
    if leaving:
        objects[-1]["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"
    else:
        objects.pop()
    told = _told(objects, DEFINITION)
    message = "fewer than it says" + ", which may pass once 1 on their way out are gone" * leaving
    assert told == (verdict, message)


def test_pods_that_leave_excuse_no_more_than_themselves() -> None:
    objects = _farm(2, count=4)
    objects[-1]["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"
    assert _told(objects, DEFINITION) == ("differs", "fewer than it says")
