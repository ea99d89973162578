"""Every recorded life through the engine, frame by frame, against what a person says of it and its pods.

What is told of the pods is counted here from the raw objects: nothing of the engine has a part in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.lives.judged import Judged, read
from tests.lives.life import FOLDER, Life, State
from tests.real.shared import BUILTIN
from workload_map.engine import Component, Workload, resolve

Object = dict[str, Any]
Place = tuple[str, str | None, str | None]
Role = Callable[[Object, Object], Place]
"""The place of a pod, from the object and it."""
UNATTRIBUTED: Place = ("unattributed", None, None)


def covered(file: Path) -> bool:
    obj = life(file).frames[0]["object"]
    return BUILTIN.covers(obj["apiVersion"], obj["kind"])


@cache
def life(file: Path) -> Life:
    return Life.read(file)


@cache
def views(file: Path) -> list[Workload]:
    """Each frame through the engine."""
    found = []
    for frame in life(file).frames:
        related = frame["related"].values()
        found.append(resolve(frame["object"], BUILTIN, pods=pods_of(frame), related=related))
    return found


def judged(file: Path) -> list[Judged]:
    return read(phases_file(file))


def pods_of(frame: State) -> list[Object]:
    """All pods at hand; a workload that is a pod is among them."""
    obj = frame["object"]
    return [obj] if obj["kind"] == "Pod" else list(frame["pods"].values())


def phases_file(file: Path) -> Path:
    return file.with_suffix(".phases.yaml")


LIVES = [file for file in sorted(FOLDER.glob("*/*.json")) if covered(file)]
FILES = [file for file in LIVES if phases_file(file).exists()]
QUEUED = [file for file in FILES if file.stem.startswith("kueue-")]
every_life = pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")


def test_every_life_of_a_kind_with_a_definition_is_judged() -> None:
    assert [file for file in LIVES if file not in FILES] == []


@every_life
def test_a_life_is_judged_in_each_frame(file: Path) -> None:
    assert len(judged(file)) == len(life(file).frames)


@every_life
def test_the_phase_is_one_that_a_person_accepts(file: Path) -> None:
    wrong = [
        (number, view.phases, right.phases, right.because)
        for number, (view, right) in enumerate(zip(views(file), judged(file), strict=True))
        if len(view.phases) != 1 or view.phase not in right.phases
    ]
    assert wrong == []


@every_life
def test_the_status_is_called_stale_where_it_is(file: Path) -> None:
    told = [number for number, view in enumerate(views(file)) if view.stale]
    assert told == [number for number, right in enumerate(judged(file)) if right.stale]


@every_life
def test_the_totals_are_what_it_asks_for(file: Path) -> None:
    wrong = [
        (number, view.totals.pods, view.totals.gpus, right.pods, right.gpus)
        for number, (view, right) in enumerate(zip(views(file), judged(file), strict=True))
        if (view.totals.pods, view.totals.gpus) != (right.pods, right.gpus)
    ]
    assert wrong == []


@every_life
def test_every_pod_of_it_has_its_one_place(file: Path) -> None:
    for number, (view, frame) in enumerate(zip(views(file), life(file).frames, strict=True)):
        own = belonging(frame)
        assert Counter(name for name, _ in places(view)) == Counter(list(own)), number
        role = ROLES.get(view.kind)
        if role is not None:
            assert dict(places(view)) == {name: role(frame["object"], pod) for name, pod in own.items()}, (
                number
            )


@every_life
def test_each_pod_is_made_as_the_object_is_read(file: Path) -> None:
    for number, (view, frame) in enumerate(zip(views(file), life(file).frames, strict=True)):
        own = belonging(frame)
        for component in components(view.components):
            per_pod = {one.id: one.per_pod for one in component.instances}
            for pod in component.members or ():
                read = per_pod[pod.instance]
                assert pod.requests == read.requests, (number, pod.name)
                assert set(read.injected or ()) <= containers(own[pod.name]), (number, pod.name)


@every_life
def test_what_is_observed_is_what_its_pods_say(file: Path) -> None:
    for number, (view, frame) in enumerate(zip(views(file), life(file).frames, strict=True)):
        pods = list(belonging(frame).values())
        observed = view.observed
        if observed is None:
            # A pod is left whose controllers are gone: whose it is can't be told any more.
            assert stray(frame), number
            assert pods == [], number
            continue
        assert (observed.pods, observed.ready, observed.succeeded) == counts(pods), number
        nodes = {pod["spec"]["nodeName"] for pod in pods if "nodeName" in pod["spec"]}
        assert observed.nodes == tuple(sorted(nodes)), number


@every_life
def test_what_disagrees_is_told_and_nothing_else(file: Path) -> None:
    for number, (view, frame, right) in enumerate(
        zip(views(file), life(file).frames, judged(file), strict=True)
    ):
        told = [one.code for one in view.disagreements]
        pods = list(belonging(frame).values())
        # Whether anything disagrees can't be told where its pods can't be.
        expected = [] if view.observed is None else contradictions(view.phase, right, pods)
        assert told == expected, number


@every_life
def test_a_settled_workload_has_the_pods_that_it_asks_for(file: Path) -> None:
    for number, (view, right) in enumerate(zip(views(file), judged(file), strict=True)):
        if not right.settled:
            continue
        assert view.observed is not None
        fine = view.observed.ready + view.observed.succeeded
        assert (fine, view.disagreements) == (view.totals.pods, ()), number


@every_life
def test_nothing_of_it_could_not_be_read(file: Path) -> None:
    for number, (view, frame) in enumerate(zip(views(file), life(file).frames, strict=True)):
        told = {one.code for one in view.problems}
        assert told <= ({"owner-missing"} if stray(frame) else set()), number


@pytest.mark.parametrize("file", QUEUED, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_a_workload_in_a_queue_names_it_and_says_whether_it_was_let_in(file: Path) -> None:
    for number, (view, frame) in enumerate(zip(views(file), life(file).frames, strict=True)):
        spec = frame["object"]["spec"]
        # In these lives it is the queue alone that suspends and resumes.
        waits = spec.get("runPolicy", spec).get("suspend") is True
        assert view.queue is not None
        told = view.queue.system, view.queue.name, view.queue.admitted
        assert told == ("kueue", "team", not waits), number


def counts(pods: list[Object]) -> tuple[int, int, int]:
    """How many there are, are ready, and ended well."""
    return len(pods), sum(map(is_ready, pods)), sum(phase(pod) == "Succeeded" for pod in pods)


def contradictions(said: str | None, right: Judged, pods: list[Object]) -> list[str]:
    """The codes that docs/problems.md has for a phase and these pods; none where nothing is asked for."""
    _, ready, succeeded = counts(pods)
    asked, least = right.pods, right.least
    if not asked or least is None:
        return []
    if said == "Running":
        return ["not-enough-ready"] if ready + succeeded < least else []
    if said == "Initializing":
        return ["all-ready"] if ready >= asked else []
    if said == "Degraded":
        # More pods than it asks for, one of them in trouble, contradict nothing.
        sound = all(is_ready(pod) or phase(pod) in ("Succeeded", "Failed") for pod in pods)
        return ["all-ready"] if sound and ready >= asked else []
    if said in ("Completed", "Suspended"):
        going_on = [pod for pod in pods if phase(pod) == "Running" and not is_deleted(pod)]
        return ["pods-running"] if going_on else []
    return []


def containers(pod: Object) -> set[str]:
    """The names of its containers, init containers among them."""
    return {one["name"] for key in ("containers", "initContainers") for one in pod["spec"].get(key, ())}


def phase(pod: Object) -> str | None:
    found: str | None = pod.get("status", {}).get("phase")
    return found


def is_ready(pod: Object) -> bool:
    conditions = pod.get("status", {}).get("conditions", [])
    return any(one["type"] == "Ready" and one["status"] == "True" for one in conditions)


def is_deleted(obj: Object) -> bool:
    return "deletionTimestamp" in obj["metadata"]


def belonging(frame: State) -> dict[str, Object]:
    """The pods whose controllers lead to the object, by name."""
    root = frame["object"]["metadata"]["uid"]
    return {pod["metadata"]["name"]: pod for pod in pods_of(frame) if top(pod, frame) == root}


def stray(frame: State) -> bool:
    """Whether a pod has a controller above it that is gone."""
    known = {one["metadata"]["uid"] for one in at_hand(frame)}
    return any(top(pod, frame) not in known for pod in pods_of(frame))


def top(obj: Object, frame: State) -> str:
    """The UID at which its controllers end, of an object that may be gone."""
    owners = obj["metadata"].get("ownerReferences", [])
    above = [one["uid"] for one in owners if one.get("controller")]
    if not above:
        uid: str = obj["metadata"]["uid"]
        return uid
    found = [one for one in at_hand(frame) if one["metadata"]["uid"] == above[0]]
    return top(found[0], frame) if found else above[0]


def at_hand(frame: State) -> list[Object]:
    return [frame["object"], *pods_of(frame), *frame["related"].values()]


def places(view: Workload) -> Iterator[tuple[str, Place]]:
    """The name of each pod of the view, with the component, the instance and the replica that it is of."""
    for component in components(view.components):
        for pod in component.members or ():
            yield pod.name, (component.name, pod.instance, pod.replica_group)
    for odd in view.unattributed or ():
        yield odd.name, UNATTRIBUTED


def components(several: tuple[Component, ...]) -> Iterator[Component]:
    for one in several:
        yield one
        yield from components(one.components)
        for instance in one.instances:
            yield from components(instance.components)


def _of_jobset(_: Object, pod: Object) -> Place:
    labels = pod["metadata"]["labels"]
    job = labels["jobset.sigs.k8s.io/replicatedjob-name"], labels["jobset.sigs.k8s.io/job-index"]
    return "replicatedjob", *job


def _of_cron_job(_: Object, pod: Object) -> Place:
    return "cronjob", None, pod["metadata"]["labels"]["batch.kubernetes.io/job-name"]


def _of_leader_worker_set(_: Object, pod: Object) -> Place:
    labels = pod["metadata"]["labels"]
    role = "leader" if labels["leaderworkerset.sigs.k8s.io/worker-index"] == "0" else "worker"
    return role, None, labels["leaderworkerset.sigs.k8s.io/group-index"]


def _of_app_wrapper(_: Object, pod: Object) -> Place:
    # What it wraps: a Job, or a kind of the training operator.
    return pod["metadata"]["labels"].get("training.kubeflow.org/replica-type", "job"), None, None


def _of_single_role(component: str) -> Role:
    return lambda _, __: (component, None, None)


def _of_ray(_: Object, pod: Object) -> Place:
    labels = pod["metadata"]["labels"]
    if "ray.io/node-type" not in labels:
        return "submitter", None, None
    head = labels["ray.io/node-type"] == "head"
    return ("head", None, None) if head else ("worker", labels["ray.io/group"], None)


def _of_ray_service(root: Object, pod: Object) -> Place:
    status = root.get("status", {})
    named = [status.get(f"{one}ServiceStatus", {}).get("rayClusterName") for one in ("active", "pending")]
    # A cluster that went is none of the two any more.
    return _of_ray(root, pod) if pod["metadata"]["labels"]["ray.io/cluster"] in named else UNATTRIBUTED


def _of_role(label: str) -> Role:
    return lambda _, pod: (pod["metadata"]["labels"][label], None, None)


# Which pod is in which place, by the labels that each framework documents.
ROLES: dict[str, Role] = {
    "CronJob": _of_cron_job,
    "JobSet": _of_jobset,
    "LeaderWorkerSet": _of_leader_worker_set,
    "TrainJob": _of_jobset,
    "AppWrapper": _of_app_wrapper,
    "RayService": _of_ray_service,
    "MPIJob": _of_role("training.kubeflow.org/job-role"),
    **dict.fromkeys(("RayCluster", "RayJob"), _of_ray),
    **{
        kind: _of_role("training.kubeflow.org/replica-type")
        for kind in ("PyTorchJob", "TFJob", "XGBoostJob", "JAXJob", "PaddleJob")
    },
    **{
        kind: _of_single_role(kind.lower())
        for kind in ("Pod", "Job", "Deployment", "ReplicaSet", "StatefulSet", "DaemonSet")
    },
}
