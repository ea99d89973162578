"""The defaults of counts are the API server's: a manifest, and what it is filled in to, give one answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.cluster.client import Object
from tests.cluster.cluster import Cluster
from tests.cluster.conftest import StartOperators
from workload_map import Catalog, resolve

CATALOG = Catalog.builtin()
# Dry runs leave nothing behind, so that examples may share a namespace.
SHARED = [HealthCheck.function_scoped_fixture]
EXAMPLES = settings(max_examples=60, derandomize=True, database=None, suppress_health_check=SHARED)
COUNTS = st.sampled_from([0, 1, 2, 5])
API_VERSIONS = {
    "Deployment": "apps/v1",
    "ReplicaSet": "apps/v1",
    "StatefulSet": "apps/v1",
    "Job": "batch/v1",
    "CronJob": "batch/v1",
    "JobSet": "jobset.x-k8s.io/v1alpha2",
    "LeaderWorkerSet": "leaderworkerset.x-k8s.io/v1",
    "RayCluster": "ray.io/v1",
}


def some(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Object]:
    """Each field may be absent, null, or have a value."""
    return st.fixed_dictionaries({}, optional={name: st.none() | one for name, one in fields.items()})


def template(restart_policy: str, gpus: int) -> Object:
    limits = {"cpu": "250m", "nvidia.com/gpu": str(gpus)}
    container = {"name": "main", "image": "example.org/main:1", "resources": {"limits": limits}}
    pod_spec = {"restartPolicy": restart_policy, "containers": [container]}
    return {"metadata": {"labels": {"app": "made-up"}}, "spec": pod_spec}


ALWAYS = st.integers(1, 8).map(lambda gpus: template("Always", gpus))
NEVER = st.integers(1, 8).map(lambda gpus: template("Never", gpus))


def merged(*parts: st.SearchStrategy[Object]) -> st.SearchStrategy[Object]:
    return st.tuples(*parts).map(lambda found: {name: one for part in found for name, one in part.items()})


def with_template(templates: st.SearchStrategy[Object], *parts: st.SearchStrategy[Object]) -> Any:
    return merged(st.fixed_dictionaries({"template": templates}), *parts)


SELECTOR = st.just({"selector": {"matchLabels": {"app": "made-up"}}})
REPLICATED = with_template(ALWAYS, SELECTOR, some(replicas=COUNTS))
# An Indexed Job, as all of a JobSet are unless they say otherwise, has completions where it has parallelism.
JOBS = with_template(
    NEVER,
    st.one_of(
        some(completions=COUNTS),
        st.fixed_dictionaries({"completions": COUNTS, "parallelism": COUNTS}),
        st.fixed_dictionaries({"parallelism": COUNTS, "completionMode": st.just("NonIndexed")}),
    ),
)


@st.composite
def job_sets(draw: st.DrawFn) -> Object:
    entries = draw(st.lists(st.tuples(some(replicas=COUNTS), JOBS), min_size=1, max_size=3))
    return {
        "replicatedJobs": [
            {"name": f"role-{index}", **counts, "template": {"spec": job}}
            for index, (counts, job) in enumerate(entries)
        ]
    }


@st.composite
def leader_worker_sets(draw: st.DrawFn) -> Object:
    group = {"workerTemplate": draw(ALWAYS), **draw(some(size=st.integers(1, 4)))}
    return {"leaderWorkerTemplate": group, **draw(some(replicas=COUNTS))}


@st.composite
def ray_clusters(draw: st.DrawFn) -> Object:
    groups = []
    for index in range(draw(st.integers(0, 3))):
        least, most = sorted(draw(st.tuples(COUNTS, COUNTS)))
        bounds = {"minReplicas": st.just(least), "maxReplicas": st.just(most)}
        fields = some(replicas=COUNTS, numOfHosts=st.integers(1, 4), suspend=st.booleans(), **bounds)
        groups.append({"groupName": f"group-{index}", "template": draw(ALWAYS), **draw(fields)})
    head = {"rayStartParams": {}, "template": draw(ALWAYS)}
    return {"headGroupSpec": head, "workerGroupSpecs": groups}


SPECS: dict[str, st.SearchStrategy[Object]] = {
    "Deployment": REPLICATED,
    "ReplicaSet": REPLICATED,
    "StatefulSet": REPLICATED,
    "Job": JOBS,
    "JobSet": job_sets(),
    "LeaderWorkerSet": leader_worker_sets(),
    "RayCluster": ray_clusters(),
}


TEMPLATED: dict[str, Callable[[Object], Object]] = {
    "Deployment": lambda one: {"selector": {"matchLabels": {"app": "made-up"}}, "template": one},
    "JobSet": lambda one: {"replicatedJobs": [{"name": "a", "template": {"spec": {"template": one}}}]},
    "LeaderWorkerSet": lambda one: {"leaderWorkerTemplate": {"size": 1, "workerTemplate": one}},
    "RayCluster": lambda one: {"headGroupSpec": {"rayStartParams": {}, "template": one}},
}


@pytest.mark.parametrize(
    ("kind", "cpu"),
    [("Deployment", "0"), ("JobSet", "250m"), ("LeaderWorkerSet", "250m"), ("RayCluster", "250m")],
)
def test_a_null_amount_is_what_the_server_makes_of_it(
    cluster: Cluster, namespace: str, operators: StartOperators, kind: str, cpu: str
) -> None:
    operators("kuberay")
    made = template("Never" if kind == "JobSet" else "Always", 1)
    made["spec"]["containers"][0]["resources"]["requests"] = {"cpu": None}
    spec = TEMPLATED[kind](made)
    stored = dry_run(cluster, namespace, kind, spec)
    for one in (stored, stored | {"spec": spec}):
        totals = resolve(one, CATALOG).totals
        assert totals.requests is not None
        assert totals.requests.strings()["cpu"] == cpu


def dry_run(cluster: Cluster, namespace: str, kind: str, spec: Object) -> Object:
    api_version = API_VERSIONS[kind]
    made = {"apiVersion": api_version, "kind": kind, "metadata": {"name": "made-up"}, "spec": spec}
    path = f"{cluster.client.collection(api_version, kind, namespace)}?dryRun=All"
    stored: Object = cluster.client.request("POST", path, made)
    return stored


def pods_of_job(spec: Object) -> int:
    """Of the spec of a Job that the server filled in: no more at a time than are to complete."""
    parallelism: int = spec["parallelism"]
    completions: int = spec.get("completions", parallelism)
    return min(parallelism, completions)


def gpus_of(made: Object) -> int:
    return int(made["spec"]["containers"][0]["resources"]["limits"]["nvidia.com/gpu"])


def needs(cluster: Cluster, namespace: str, kind: str, spec: Object) -> tuple[int, int]:
    """How many pods and GPUs the controller of the kind makes of a spec that the server filled in."""
    roles: list[tuple[int, Object]]
    if kind == "Job":
        roles = [(pods_of_job(spec), spec["template"])]
    elif kind == "JobSet":
        # What a JobSet leaves open, the server fills in when its Jobs are made.
        jobs = [
            (one["replicas"], dry_run(cluster, namespace, "Job", one["template"]["spec"])["spec"])
            for one in spec["replicatedJobs"]
        ]
        roles = [(count * pods_of_job(job), job["template"]) for count, job in jobs]
    elif kind == "LeaderWorkerSet":
        group = spec["leaderWorkerTemplate"]
        roles = [(spec["replicas"] * group["size"], group["workerTemplate"])]
    elif kind == "RayCluster":
        roles = [(1, spec["headGroupSpec"]["template"])]
        roles += [(pods_of_ray_group(group), group["template"]) for group in spec["workerGroupSpecs"]]
    else:
        roles = [(spec["replicas"], spec["template"])]
    return sum(pods for pods, _ in roles), sum(pods * gpus_of(made) for pods, made in roles)


def pods_of_ray_group(group: Object) -> int:
    """KubeRay keeps replicas between their bounds, and makes none of a group that is suspended."""
    if group.get("suspend"):
        return 0
    kept = max(group["minReplicas"], min(group["maxReplicas"], group["replicas"]))
    return int(kept * group["numOfHosts"])


def total(obj: Object) -> tuple[int | None, int | None]:
    totals = resolve(obj, CATALOG).totals
    return totals.pods, totals.gpus


@pytest.mark.parametrize("kind", SPECS)
def test_what_is_absent_is_taken_for_what_the_server_fills_in(
    cluster: Cluster, namespace: str, operators: StartOperators, kind: str
) -> None:
    operators("kuberay")

    @EXAMPLES
    @given(spec=SPECS[kind])
    def compare(spec: Object) -> None:
        stored = dry_run(cluster, namespace, kind, spec)
        manifest = {name: stored[name] for name in ("apiVersion", "kind", "metadata")} | {"spec": spec}
        expected = needs(cluster, namespace, kind, stored["spec"])
        assert (total(manifest), total(stored)) == (expected, expected)

    compare()


@EXAMPLES
@given(spec=JOBS)
def test_a_run_of_a_cron_job_has_as_many_pods_as_its_job(
    cluster: Cluster, namespace: str, spec: Object
) -> None:
    written = {"schedule": "@daily", "jobTemplate": {"spec": spec}}
    stored = dry_run(cluster, namespace, "CronJob", written)
    job = dry_run(cluster, namespace, "Job", stored["spec"]["jobTemplate"]["spec"])
    (component,) = resolve({**stored, "spec": written}, CATALOG).components
    assert component.pods_per_replica == pods_of_job(job["spec"])
    assert component.replicas == 0
