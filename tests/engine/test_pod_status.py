"""The STATUS column of pods, as `kubectl get pods` prints it, and the one trouble that is told of each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workload_map.engine import pod_status
from workload_map.engine.placing import Place
from workload_map.engine.pods import Pods
from workload_map.engine.reading import Reader


def pod(
    status: dict[str, Any], *, spec: dict[str, Any] | None = None, deleted: bool = False
) -> dict[str, Any]:
    meta: dict[str, Any] = {"name": "p"}
    if deleted:
        meta["deletionTimestamp"] = "2026-01-01T00:00:00Z"
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": meta,
        "spec": {"containers": [{"name": "c"}], **(spec or {})},
        "status": status,
    }


def container(state: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"name": "c", "state": state, "restartCount": 0, **more}


RUNNING = {"running": {"startedAt": "2026-01-01T00:00:00Z"}}
READY = [{"type": "Ready", "status": "True"}, {"type": "Initialized", "status": "True"}]
NOT_READY = [{"type": "Ready", "status": "False"}, {"type": "Initialized", "status": "True"}]
SIDECAR = {
    "initContainers": [
        {"name": "setup"},
        {"name": "proxy", "restartPolicy": "Always"},
        {"name": "fetch"},
    ]
}

COLUMN = {
    "a running pod": (
        pod({"phase": "Running", "conditions": READY, "containerStatuses": [container(RUNNING, ready=True)]}),
        "Running",
    ),
    "a pending pod that no node has": (
        pod(
            {
                "phase": "Pending",
                "conditions": [{"type": "PodScheduled", "status": "False", "reason": "Unschedulable"}],
            }
        ),
        "Pending",
    ),
    "a pod behind a scheduling gate": (
        pod(
            {
                "phase": "Pending",
                "conditions": [{"type": "PodScheduled", "status": "False", "reason": "SchedulingGated"}],
            }
        ),
        "SchedulingGated",
    ),
    "a container that is being created": (
        pod(
            {
                "phase": "Pending",
                "containerStatuses": [container({"waiting": {"reason": "ContainerCreating"}})],
            }
        ),
        "ContainerCreating",
    ),
    "a container in a crash loop": (
        pod(
            {
                "phase": "Running",
                "containerStatuses": [container({"waiting": {"reason": "CrashLoopBackOff"}})],
            }
        ),
        "CrashLoopBackOff",
    ),
    "a container that ended well": (
        pod(
            {
                "phase": "Succeeded",
                "containerStatuses": [container({"terminated": {"reason": "Completed", "exitCode": 0}})],
            }
        ),
        "Completed",
    ),
    "a container that ended with a code and no reason": (
        pod({"phase": "Failed", "containerStatuses": [container({"terminated": {"exitCode": 3}})]}),
        "ExitCode:3",
    ),
    "a container ended by a signal": (
        pod(
            {
                "phase": "Failed",
                "containerStatuses": [container({"terminated": {"exitCode": 137, "signal": 9}})],
            }
        ),
        "Signal:9",
    ),
    "one container done, the other serving": (
        pod(
            {
                "phase": "Running",
                "conditions": READY,
                "containerStatuses": [
                    container({"terminated": {"reason": "Completed", "exitCode": 0}}),
                    container(RUNNING, ready=True),
                ],
            }
        ),
        "Running",
    ),
    "one container done, the other serving, the pod not ready": (
        pod(
            {
                "phase": "Running",
                "conditions": NOT_READY,
                "containerStatuses": [
                    container({"terminated": {"reason": "Completed", "exitCode": 0}}),
                    container(RUNNING, ready=True),
                ],
            }
        ),
        "NotReady",
    ),
    "the first of two containers has the last word": (
        pod(
            {
                "phase": "Running",
                "containerStatuses": [
                    container({"waiting": {"reason": "ImagePullBackOff"}}),
                    container({"waiting": {"reason": "CrashLoopBackOff"}}),
                ],
            }
        ),
        "ImagePullBackOff",
    ),
    "an evicted pod": (pod({"phase": "Failed", "reason": "Evicted"}), "Evicted"),
    "a pod on its way out": (
        pod({"phase": "Running", "containerStatuses": [container(RUNNING, ready=True)]}, deleted=True),
        "Terminating",
    ),
    "a finished pod on its way out keeps its end": (
        pod(
            {
                "phase": "Succeeded",
                "containerStatuses": [container({"terminated": {"reason": "Completed", "exitCode": 0}})],
            },
            deleted=True,
        ),
        "Completed",
    ),
    "a pod on a lost node": (pod({"phase": "Running", "reason": "NodeLost"}, deleted=True), "Unknown"),
    "the second of three init containers at work": (
        pod(
            {
                "phase": "Pending",
                "initContainerStatuses": [
                    container({"terminated": {"exitCode": 0}}),
                    container(RUNNING),
                ],
            },
            spec={"initContainers": [{"name": "a"}, {"name": "b"}, {"name": "c"}]},
        ),
        "Init:1/3",
    ),
    "an init container in a crash loop": (
        pod(
            {
                "phase": "Pending",
                "initContainerStatuses": [container({"waiting": {"reason": "CrashLoopBackOff"}})],
            },
            spec={"initContainers": [{"name": "a"}]},
        ),
        "Init:CrashLoopBackOff",
    ),
    "an init container that failed with a code": (
        pod(
            {"phase": "Pending", "initContainerStatuses": [container({"terminated": {"exitCode": 2}})]},
            spec={"initContainers": [{"name": "a"}]},
        ),
        "Init:ExitCode:2",
    ),
    "a started sidecar does not hold up the init containers after it": (
        pod(
            {
                "phase": "Pending",
                "initContainerStatuses": [
                    {"name": "setup", "state": {"terminated": {"exitCode": 0}}},
                    {"name": "proxy", "started": True, "state": RUNNING},
                    {"name": "fetch", "state": {"waiting": {"reason": "PodInitializing"}}},
                ],
            },
            spec=SIDECAR,
        ),
        "Init:2/3",
    ),
    "an init container whose end has no code ended well": (
        pod(
            {"phase": "Pending", "initContainerStatuses": [container({"terminated": {"exitCode": None}})]},
            spec={"initContainers": [{"name": "c"}]},
        ),
        "Pending",
    ),
    "a container whose end has no code": (
        pod({"phase": "Failed", "containerStatuses": [container({"terminated": {"exitCode": None}})]}),
        "ExitCode:0",
    ),
    "a sidecar that ended and is still called started": (
        pod(
            {
                "phase": "Pending",
                "initContainerStatuses": [
                    container({"terminated": {"exitCode": 2, "reason": "Error"}}, started=True),
                    {"name": "fetch", "state": {"waiting": {"reason": "PodInitializing"}}},
                ],
            },
            spec={"initContainers": [{"name": "c", "restartPolicy": "Always"}, {"name": "fetch"}]},
        ),
        "Init:1/2",
    ),
    "a pod without any status but its phase": (pod({"phase": "Pending"}), "Pending"),
}


@pytest.mark.parametrize("case", COLUMN.values(), ids=COLUMN.keys())
def test_reason_is_the_status_column(case: tuple[dict[str, Any], str]) -> None:
    assert pod_status.read(case[0]).reason == case[1]


def test_without_a_status_nothing_is_known() -> None:
    status = pod_status.read({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}})
    assert (status.phase, status.reason, status.ready, status.restarts) == (None, None, False, None)


@pytest.mark.parametrize("status", [{}, {"qosClass": "BestEffort"}, {"phase": None, "hostIP": "10.0.0.1"}])
def test_what_is_no_part_of_the_answer_changes_nothing(status: dict[str, Any]) -> None:
    assert pod_status.read({"status": status}) == pod_status.read({})


def test_restarts_sum_over_all_containers() -> None:
    status = pod_status.read(
        pod(
            {
                "phase": "Running",
                "initContainerStatuses": [container(RUNNING) | {"restartCount": 2}],
                "containerStatuses": [container(RUNNING) | {"restartCount": 3}, container(RUNNING)],
            }
        )
    )
    assert status.restarts == 5


def test_what_killed_a_container_shows_through_its_crash_loop() -> None:
    status = pod_status.read(
        pod(
            {
                "phase": "Running",
                "containerStatuses": [
                    container(
                        {"waiting": {"reason": "CrashLoopBackOff", "message": "back-off 5m0s"}},
                        lastState={"terminated": {"reason": "OOMKilled", "exitCode": 137}},
                    )
                ],
            }
        )
    )
    assert (status.reason, status.trouble, status.message) == (
        "CrashLoopBackOff",
        "OOMKilled",
        "back-off 5m0s",
    )


def test_an_unschedulable_pod_says_why() -> None:
    condition = {
        "type": "PodScheduled",
        "status": "False",
        "reason": "Unschedulable",
        "message": "0/4 nodes are available: 4 Insufficient nvidia.com/gpu.",
    }
    status = pod_status.read(pod({"phase": "Pending", "conditions": [condition]}))
    assert (status.trouble, status.message) == ("Unschedulable", condition["message"])


@pytest.mark.parametrize("phase", ["Succeeded", "Running"])
def test_ready_and_succeeded_pods_have_no_trouble(phase: str) -> None:
    conditions = READY if phase == "Running" else []
    assert pod_status.read(pod({"phase": phase, "conditions": conditions})).trouble is None


def test_troubles_are_ordered_from_the_worst() -> None:
    told = [
        "Evicted",
        "OOMKilled",
        "Error",
        "CrashLoopBackOff",
        "Init:ImagePullBackOff",
        "Unschedulable",
        "NotReady",
        "ContainerCreating",
    ]
    ranks = [pod_status.rank(trouble) for trouble in told]
    assert ranks == sorted(ranks)
    assert len(set(ranks)) == len(told)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)
FIELDS = ["conditions", "containerStatuses", "initContainerStatuses", "reason", "phase", "message"]


@given(st.dictionaries(st.sampled_from(FIELDS), json_values | st.lists(json_values, max_size=2)), json_values)
def test_a_malformed_status_never_raises(status: dict[str, Any], spec: Any) -> None:
    broken = {"apiVersion": "v1", "kind": "Pod", "metadata": {}, "spec": spec, "status": status}
    assert isinstance(pod_status.read(broken).ready, bool)


def _with_one_odd(value: Any, odd: Any) -> Iterator[Any]:
    """Copies in each of which something odd stands in one place."""
    yield odd
    entries: list[Any] = []
    if isinstance(value, dict):
        entries = list(value)
    elif isinstance(value, list):
        entries = list(range(len(value)))
    for key in entries:
        for entry in _with_one_odd(value[key], odd):
            copy = value.copy()
            copy[key] = entry
            yield copy


@pytest.mark.parametrize("odd", [None, True, 7, 2.5, "odd", [], ["odd"], {}, {"odd": []}], ids=repr)
@pytest.mark.parametrize("case", COLUMN.values(), ids=COLUMN.keys())
def test_one_malformed_field_never_raises(case: tuple[dict[str, Any], str], odd: Any) -> None:
    for name in ("spec", "status", "metadata"):
        for part in _with_one_odd(case[0][name], odd):
            status = pod_status.read({**case[0], name: part})
            assert status.trouble is None or pod_status.rank(status.trouble) >= 0


@pytest.mark.parametrize("odd", [None, 7, "Ready", [], {"type": ["Ready"]}, {"type": {}}, {"type": None}, {}])
def test_a_condition_that_is_none_leaves_the_others(odd: Any) -> None:
    scheduled = {"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": "no room"}
    status = pod_status.read(pod({"phase": "Pending", "conditions": [odd, scheduled, odd]}))
    assert (status.trouble, status.message) == ("Unschedulable", "no room")


WAITING = {"waiting": {"reason": "CrashLoopBackOff"}}
PARTS = st.sampled_from(
    [
        {"phase": "Running", "containerStatuses": [container({"running": {}}, ready=True)]},
        {"phase": "Pending", "initContainerStatuses": [container(WAITING), container({})]},
        {"phase": "Running", "initContainerStatuses": [container(WAITING, started=True)]},
        {},
        None,
        1,
    ]
)
INITS = st.sampled_from([None, [], [{"name": "c", "restartPolicy": "Always"}], [{"name": "c"}]])


@given(st.lists(st.tuples(PARTS, INITS, st.booleans()), max_size=12))
def test_pods_that_share_parts_are_told_apart(made: list[tuple[Any, Any, bool]]) -> None:
    pods = [pod(status, spec={"initContainers": inits}, deleted=gone) for status, inits, gone in made]
    known, reader = Pods(), Reader({})
    told = [known.placed(one, one["metadata"], Place(None), reader).status for one in pods]
    assert told == [pod_status.read(one) for one in pods]
