"""What is computed from an object is what a real API server, and kubectl, say of it: for hundreds of them.

The server is asked by dry runs. Where it computes itself, it is asked for the result: a quota of nothing
refuses every pod, and its refusal says what the pod requests. `kubectl describe node` says what pods request
of a node.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from http.client import NOT_FOUND
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.cluster import stages
from tests.cluster.client import ApiError, Object
from tests.cluster.cluster import Cluster
from tests.cluster.conftest import StartOperators
from workload_map import Catalog, resolve
from workload_map.engine.quantity import Quantity, QuantityError, parse
from workload_map.engine.resources import PodResources, ResourceList, pod_resources

BUILT_IN = {"Pod", "Deployment", "ReplicaSet", "StatefulSet", "DaemonSet", "Job", "CronJob"}
# Dry runs leave nothing behind, so that examples may share a namespace.
SHARED = [HealthCheck.function_scoped_fixture]
FEW_HUNDRED = settings(max_examples=300, derandomize=True, database=None, suppress_health_check=SHARED)
# No others: a quota that counts processor time or memory refuses containers that don't ask for it.
COUNTED = (
    "requests.nvidia.com/gpu",
    "requests.ephemeral-storage",
    "limits.ephemeral-storage",
    "requests.hugepages-2Mi",
)


@pytest.fixture
def quota(cluster: Cluster, namespace: str) -> str:
    """A namespace in which a pod may request nothing of `COUNTED`."""
    spec = {"hard": dict.fromkeys(COUNTED, "0")}
    made = {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": "nothing"}, "spec": spec}
    (stored,) = cluster.apply(made, namespace)
    cluster.wait_for(stored, lambda found: found.get("status", {}).get("hard") == spec["hard"])
    return namespace


def pod(name: str, spec: Object) -> Object:
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": spec}


def container(name: str, resources: Any = None) -> Object:
    return {"name": name, "image": "example.org/main:1", "resources": resources or {}}


def counted(cluster: Cluster, namespace: str, spec: Object) -> dict[str, str]:
    """What the quota says that a pod requests; zeros are left out.

    Raises:
        ApiError: the server refuses the pod for another reason.
    """
    try:
        cluster.client.request("POST", f"/api/v1/namespaces/{namespace}/pods?dryRun=All", pod("asks", spec))
    except ApiError as error:
        told = re.search(r"exceeded quota: nothing, requested: (\S+), used: ", error.message)
        if told is None:
            raise
        return dict(re.findall(r"([^,=]+)=([^,]+)", told[1]))
    return {}


# Quantities

NUMBERS = st.from_regex(r"[0-9]{1,4}(\.[0-9]{0,4})?|\.[0-9]{1,3}", fullmatch=True)
SUFFIXES = st.sampled_from([*"numkMGTP", "", "", "Ki", "Mi", "Gi", "Ti", "e3", "E2", "e-2", "e+1"])
GOOD = st.tuples(st.sampled_from(["", "", "+"]), NUMBERS, SUFFIXES).map("".join)
# Not as large as 1e100: those the server takes, and can't handle.
TEXTS = st.text("0159.+-eEnumkKMGi ", max_size=6).filter(lambda text: not re.search(r"[eE]\+?[0-9]{3}", text))
ODD = TEXTS | st.integers(-3, 2**40) | st.floats(-1, 1e15)


@FEW_HUNDRED
@given(first=GOOD, second=GOOD)
def test_quantities_are_read_added_and_written(cluster: Cluster, quota: str, first: str, second: str) -> None:
    asks = [{"requests": {"ephemeral-storage": amount}} for amount in (first, second)]
    spec = {"containers": [container(f"c{index}", one) for index, one in enumerate(asks)]}
    asked = needs(spec).requests.get("ephemeral-storage")
    assert asked is not None
    expected = {"requests.ephemeral-storage": str(asked)} if asked.nano else {}
    assert counted(cluster, quota, spec) == expected


# In the words of the API machinery for a wrong form, wrong digits (of `Ei`: none) and a wrong suffix.
_NO_QUANTITY = (
    r"quantities must match|parse numeric part of quantity|parse quantity|greater than or equal to 0"
)


@FEW_HUNDRED
@given(value=ODD)
@example(value="Ei")
def test_what_is_no_quantity_is_none_for_both(cluster: Cluster, quota: str, value: Any) -> None:
    try:
        right = parse(value).nano >= 0
    except QuantityError:
        right = False
    spec = {"containers": [container("main", {"requests": {"ephemeral-storage": value}})]}
    if right:
        counted(cluster, quota, spec)
        return
    with pytest.raises(ApiError, match=_NO_QUANTITY):
        counted(cluster, quota, spec)


# What a pod requests

CPU = st.sampled_from(["0", "1m", "250m", "0.5", "1", "1.5", "2e0", "3"])
BYTES = st.sampled_from(["0", "1", "129M", "64Mi", "1.5Gi", "1e9", "123456789", "2Gi", "500k"])
DEVICES = st.sampled_from(["0", "1", "2", "8", "1k"])
# More than all containers together: no less may be asked for a whole pod.
POD_CPU, POD_BYTES = st.sampled_from(["100", "64000m"]), st.sampled_from(["1Ti", "200Gi"])


@st.composite
def requirements(draw: st.DrawFn) -> Any:
    """The `resources` of a container, such as an API server takes."""
    requests: Object = {}
    limits: Object = {}
    for name, amounts in (("cpu", CPU), ("memory", BYTES), ("ephemeral-storage", BYTES)):
        sides = sorted(draw(st.tuples(amounts, amounts)), key=parse)
        for side, amount in zip((requests, limits), sides, strict=True):
            if draw(st.booleans()):
                side[name] = amount
    # Neither can be overcommitted; huge pages are for pods with processor time or memory.
    whole = {"nvidia.com/gpu": DEVICES}
    if {"cpu", "memory"} & {*requests, *limits}:
        whole["hugepages-2Mi"] = st.sampled_from(["2Mi", "8Mi", "1Gi"])
    for name, amounts in whole.items():
        if draw(st.integers(0, 2)) == 0:
            limits[name] = draw(amounts)
            if draw(st.booleans()):
                requests[name] = limits[name]
    empty: st.SearchStrategy[Any] = st.sampled_from([{}, None])
    return {"requests": requests or draw(empty), "limits": limits or draw(empty)}


@st.composite
def specs(draw: st.DrawFn) -> Object:
    """Pod specs with sidecars, plain init containers and resources of the whole pod."""
    restarts: st.SearchStrategy[Object] = st.sampled_from([{}, {"restartPolicy": "Always"}])
    inits = [
        container(f"i{index}", one) | draw(restarts)
        for index, one in enumerate(draw(st.lists(requirements(), max_size=3)))
    ]
    mains = draw(st.lists(requirements(), min_size=1, max_size=3))
    spec: Object = {"containers": [container(f"c{index}", one) for index, one in enumerate(mains)]}
    spec["initContainers"] = inits
    if draw(st.booleans()):
        own: dict[str, Object] = {"requests": {}, "limits": {}}
        for name, amounts in (("cpu", POD_CPU), ("memory", POD_BYTES)):
            sides = sorted(draw(st.tuples(amounts, amounts)), key=parse)
            for part, amount in zip(own.values(), sides, strict=True):
                if draw(st.booleans()):
                    part[name] = amount
        if draw(st.booleans()) and own["limits"]:
            own["limits"]["hugepages-2Mi"] = "16Gi"
        spec["resources"] = {name: part for name, part in own.items() if part}
    return spec


def amounts(told: Iterable[tuple[str, str]]) -> dict[str, Quantity]:
    """What was told of each resource, by amount; zeros are left out."""
    read = {name: parse(text) for name, text in told}
    return {name: amount for name, amount in read.items() if amount.nano}


def needs(spec: Object) -> PodResources:
    found = pod_resources(spec)
    assert found.problems == ()
    return found


@FEW_HUNDRED
@given(spec=specs())
def test_a_pod_requests_what_a_quota_counts(cluster: Cluster, quota: str, spec: Object) -> None:
    computed = needs(spec)
    sides = [("requests", computed.requests), ("limits", computed.limits)]
    expected = [(f"{side}.{name}", str(amount)) for side, found in sides for name, amount in found.items()]
    assert amounts(counted(cluster, quota, spec).items()) == amounts(
        (name, text) for name, text in expected if name in COUNTED
    )


ALLOCATED = re.compile(r"^  (\S+) +(\S+)(?: \(\S+\))? +(\S+)(?: \(\S+\))?$", re.MULTILINE)
OF_POD = re.compile(r"^  \S+ +(\S+) +" + 4 * r"(\S+) \(\S+\) +" + r"\S+$", re.MULTILINE)
Row = list[Quantity]


def described(cluster: Cluster, node: str) -> tuple[dict[str, Row], dict[str, Row]]:
    """What kubectl says of the pods on a node: processor time and memory by pod, and their sums by resource.

    Each as requests and limits, side by side.
    """
    text = cluster.kubectl("describe", "node", node)
    _, pods, sums, _ = re.split(
        r"^(?:Non-terminated Pods|Allocated resources|Events):", text, flags=re.MULTILINE
    )
    sums = sums.split("--\n")[-1]  # below the head of the table
    tables = (OF_POD.findall(pods), ALLOCATED.findall(sums))
    by_pod, by_resource = ({name: [parse(one) for one in row] for name, *row in table} for table in tables)
    return by_pod, by_resource


def test_pods_request_of_a_node_what_kubectl_describes(cluster: Cluster, namespace: str) -> None:
    capacity = dict.fromkeys(("cpu", "memory", "ephemeral-storage", "nvidia.com/gpu", "hugepages-2Mi"), "1M")
    status = {"capacity": {**capacity, "pods": "1k"}}
    node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "shelf"}, "status": status}
    (stored_node,) = cluster.apply(node)
    placed: dict[str, PodResources] = {}

    @settings(FEW_HUNDRED, max_examples=150)
    @given(spec=specs())
    def place(spec: Object) -> None:
        made = pod(f"pod-{len(placed)}", {**spec, "nodeName": "shelf", "terminationGracePeriodSeconds": 0})
        cluster.client.request("POST", f"/api/v1/namespaces/{namespace}/pods", made)
        placed[made["metadata"]["name"]] = needs(spec)

    place()
    by_pod, by_resource = described(cluster, "shelf")
    cluster.client.delete(stored_node)
    assert len(placed) >= 100
    assert by_pod == {
        name: [total([side], resource) for resource in ("cpu", "memory") for side in both(one)]
        for name, one in placed.items()
    }
    requests, limits = zip(*map(both, placed.values()), strict=True)
    for name in capacity:
        assert by_resource[name] == [total(requests, name), total(limits, name)], name


def both(found: PodResources) -> tuple[ResourceList, ResourceList]:
    return found.requests, found.limits


def total(lists: Iterable[ResourceList], name: str) -> Quantity:
    return sum((one.get(name) or Quantity(0) for one in lists), Quantity(0))


# What really runs


def test_workloads_request_what_their_scheduled_pods_do(cluster: Cluster, namespace: str) -> None:
    one = pod_template("Always", "250m", "1Gi", gpus=1)
    other = pod_template("Always", "1500m", "300Mi", gpus=0)
    run = pod_template("Never", "2", "1.5Gi", gpus=2)
    selector = {"matchLabels": {"app": "made-up"}}
    job = {"parallelism": 2, "completions": 3, "template": run}
    jobs = [
        {"name": "one", "replicas": 2, "template": {"spec": {**job, "completions": 2}}},
        {"name": "two", "template": {"spec": {"template": run}}},
    ]
    groups = {"size": 2, "workerTemplate": other, "leaderTemplate": one}
    kinds: dict[str, Object] = {
        "apps/v1 Deployment": {"replicas": 3, "selector": selector, "template": one},
        "apps/v1 StatefulSet": {"selector": selector, "template": other},
        "batch/v1 Job": job,
        "jobset.x-k8s.io/v1alpha2 JobSet": {"replicatedJobs": jobs},
        "leaderworkerset.x-k8s.io/v1 LeaderWorkerSet": {"replicas": 2, "leaderWorkerTemplate": groups},
    }
    manifests = [
        dict(zip(("apiVersion", "kind"), name.split(), strict=True))
        | {"metadata": {"name": f"made-up-{index}"}, "spec": spec}
        for index, (name, spec) in enumerate(kinds.items())
    ]
    totals = [resolve(one, Catalog.builtin()).totals for one in manifests]
    wanted = 3 + 1 + 2 + (2 * 2 + 1) + 2 * 2
    assert sum(one.pods or 0 for one in totals) == wanted
    cluster.apply(manifests, namespace)
    pods = cluster.wait_for_pods(
        namespace, lambda pods: len(pods) == wanted and all(one["spec"].get("nodeName") for one in pods)
    )
    rows: dict[str, Row] = {}
    for node in {one["spec"]["nodeName"] for one in pods}:
        rows |= described(cluster, node)[0]
    of_ours = [rows[one["metadata"]["name"]] for one in pods]
    sides = [(one.requests, one.limits) for one in totals]
    for column, name in enumerate(("cpu", "memory")):
        for side in (0, 1):
            computed = total([found for one in sides if (found := one[side]) is not None], name)
            told = sum((row[2 * column + side] for row in of_ours), Quantity(0))
            assert computed == told, (name, side)


def pod_template(restart_policy: str, cpu: str, memory: str, gpus: int) -> Object:
    """Pods that outlast the test, with a sidecar, and an init container that needs the most memory."""
    limits = {"cpu": cpu, "memory": memory, "nvidia.com/gpu": str(gpus)}
    sidecar = container("proxy", {"requests": {"cpu": "50m"}, "limits": {"memory": "32Mi"}})
    inits = [sidecar | {"restartPolicy": "Always"}, container("fetch", {"limits": {"memory": "2Gi"}})]
    annotations = {f"{stages.PREFIX}/outcome": "run"}
    containers = [container("main", {"limits": limits})]
    return {
        "metadata": {"labels": {"app": "made-up"}, "annotations": annotations},
        "spec": {"restartPolicy": restart_policy, "initContainers": inits, "containers": containers},
    }


# Names of kinds


def test_kinds_are_called_as_the_server_calls_them(cluster: Cluster, operators: StartOperators) -> None:
    operators("kuberay", "training-operator", "mpi-operator")
    compared = set()
    for names in Catalog.builtin().kind_names:
        path = f"/apis/{names.api_version}" if names.group else "/api/v1"
        try:
            resources = cluster.client.get(path)["resources"]
        except ApiError as error:  # of an operator that does not run, or in a version that it no longer has
            assert error.code == NOT_FOUND
            continue
        for one in resources:
            if one["kind"] == names.kind and "/" not in one["name"]:
                short = tuple(one.get("shortNames", ()))
                told = (one["name"], one["singularName"], short, one["namespaced"])
                assert (names.plural, names.singular, names.short_names, names.namespaced) == told
                compared.add(names.kind)
    assert compared >= BUILT_IN | {"JobSet", "LeaderWorkerSet", "RayCluster", "PyTorchJob", "MPIJob"}
