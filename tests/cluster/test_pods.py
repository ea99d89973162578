"""The simulated kubelets: every state that a reader of pods has to know is reached when asked for."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.cluster import stages
from tests.cluster.client import Object
from tests.cluster.cluster import Cluster
from tests.cluster.pods import container_state, has, pod


def _waits(reason: str) -> Callable[[Object], bool]:
    return lambda found: (
        container_state(found)[0] == "waiting" and container_state(found)[1]["reason"] == reason
    )


def _failed(reason: str, code: int) -> Callable[[Object], bool]:
    def holds(found: Object) -> bool:
        name, details = container_state(found)
        ended = name == "terminated" and (details["reason"], details["exitCode"]) == (reason, code)
        return found["status"]["phase"] == "Failed" and ended and has(found, "Ready", "False")

    return holds


def _last_ended(reason: str, code: int) -> Callable[[Object], bool]:
    def holds(found: Object) -> bool:
        if not _waits("CrashLoopBackOff")(found):
            return False
        status = found["status"]["containerStatuses"][0]
        last = status["lastState"]["terminated"]
        return (last["reason"], last["exitCode"]) == (reason, code) and status["restartCount"] >= 1

    return holds


@pytest.mark.parametrize(
    ("restart_policy", "annotations", "reached"),
    [
        pytest.param("Always", {}, lambda found: has(found, "Ready"), id="a pod runs and is ready"),
        pytest.param(
            "Never",
            {"outcome": "succeed", "after": "0s"},
            lambda found: found["status"]["phase"] == "Succeeded",
            id="it succeeds",
        ),
        pytest.param("Never", {"outcome": "fail", "exit_code": "3"}, _failed("Error", 3), id="it fails"),
        pytest.param("Never", {"outcome": "oom-kill"}, _failed("OOMKilled", 137), id="it is out of memory"),
        pytest.param("Always", {"outcome": "fail"}, _last_ended("Error", 1), id="it crashes in a loop"),
        pytest.param(
            "OnFailure", {"outcome": "oom-kill"}, _last_ended("OOMKilled", 137), id="out of memory in a loop"
        ),
        pytest.param(
            "Always", {"outcome": "image-pull-back-off"}, _waits("ImagePullBackOff"), id="it has no image"
        ),
        pytest.param(
            "Never",
            {"outcome": "evict"},
            lambda found: (found["status"]["phase"], found["status"].get("reason")) == ("Failed", "Evicted"),
            id="it is evicted",
        ),
        pytest.param("Always", {"start_after": "1h"}, _waits("ContainerCreating"), id="it is being created"),
    ],
)
def test_a_pod_comes_to_what_its_annotations_ask_for(
    cluster: Cluster,
    namespace: str,
    restart_policy: str,
    annotations: dict[str, str],
    reached: Callable[[Object], bool],
) -> None:
    (made,) = cluster.apply(pod("one", restart_policy, **annotations), namespace)
    cluster.wait_for(made, reached)


def test_a_pod_passes_the_states_of_a_start_in_order(cluster: Cluster, namespace: str) -> None:
    wanted = pod("one", outcome="succeed", after="0s")
    wanted["spec"]["initContainers"] = [{"name": "first", "image": "example.org/first:1"}]
    (made,) = cluster.apply(wanted, namespace)
    passed: list[tuple[str, str]] = []
    for states in cluster.client.states(cluster.client.collection("v1", "Pod", namespace), seconds=60):
        status = states[0]["status"]
        name, details = container_state(states[0])
        state = (status["phase"], details.get("reason") or ("ready" if has(states[0], "Ready") else name))
        if state not in passed:
            passed.append(state)
        if status["phase"] == "Succeeded":
            break
    # The list may come after the first of them, never between them.
    whole = [
        ("Pending", "absent"),
        ("Pending", "PodInitializing"),
        ("Running", "running"),
        ("Running", "ready"),
        ("Succeeded", "Completed"),
    ]
    assert passed in (whole, whole[1:])
    init = cluster.client.read(made)["status"]["initContainerStatuses"][0]
    assert init["state"]["terminated"]["exitCode"] == 0


def test_a_ready_pod_becomes_unready_and_ready_again_when_told(cluster: Cluster, namespace: str) -> None:
    (made,) = cluster.apply(pod("one", "Always"), namespace)
    cluster.wait_for(made, lambda found: has(found, "Ready"))
    cluster.client.patch(made, {"metadata": {"annotations": {stages.OUTCOME: "unready", stages.AFTER: "0s"}}})
    unready = cluster.wait_for(made, lambda found: has(found, "Ready", "False"))
    assert unready["status"]["phase"] == "Running"
    assert container_state(unready)[0] == "running"
    cluster.client.patch(made, {"metadata": {"annotations": {stages.OUTCOME: "run"}}})
    cluster.wait_for(made, lambda found: has(found, "Ready"))


def test_a_pod_that_asks_for_more_than_a_node_has_is_unschedulable(cluster: Cluster, namespace: str) -> None:
    wanted = pod("one")
    wanted["spec"]["containers"][0]["resources"]["limits"]["nvidia.com/gpu"] = "9"
    (made,) = cluster.apply(wanted, namespace)
    found = cluster.wait_for(made, lambda found: has(found, "PodScheduled", "False"))
    (condition,) = [one for one in found["status"]["conditions"] if one["type"] == "PodScheduled"]
    assert condition["reason"] == "Unschedulable"
    assert "nvidia.com/gpu" in condition["message"]


def test_a_deleted_pod_is_told_as_killed_and_goes(cluster: Cluster, namespace: str) -> None:
    wanted = pod("one")
    wanted["metadata"]["finalizers"] = ["example.org/held"]
    (made,) = cluster.apply(wanted, namespace)
    cluster.wait_for(made, lambda found: has(found, "Ready"))
    cluster.client.delete(made)
    killed = cluster.wait_for(made, lambda found: found["status"]["phase"] == "Failed")
    assert killed["metadata"]["deletionTimestamp"]
    assert container_state(killed)[1]["exitCode"] == 143
    cluster.client.patch(made, {"metadata": {"finalizers": None}})
    cluster.client.wait_until_gone(made)


def test_every_node_has_a_lease(cluster: Cluster) -> None:
    # Without one the node is lost after 50 s, and its pods are not ready for a moment.
    nodes = cluster.client.get("/api/v1/nodes")["items"]
    names = {node["metadata"]["name"] for node in nodes}
    leases = cluster.client.collection("coordination.k8s.io/v1", "Lease", "kube-node-lease")
    cluster.client.wait_for_all(
        "every node has a lease", leases, lambda found: names == {one["metadata"]["name"] for one in found}
    )
