"""`wmap check` on real pods: wrong definitions are found, and what is wrong about them is named."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from tests.cluster.client import Object
from tests.cluster.cluster import Cluster
from tests.cluster.conftest import StartOperators, Wmap
from tests.cluster.pods import has, template
from tests.cluster.test_workloads import deployment, leader_worker_set
from workload_map import catalog

CATALOG = Path(catalog.__file__).parent
NAMESPACE = "trials"


def ray_cluster(name: str) -> Object:
    """A cluster with the autoscaler; its workers ask for less than the init container that they are given."""
    head, pods = template("Always"), template("Always")
    head["spec"]["containers"][0]["resources"]["requests"] = {"cpu": "1", "memory": "1Gi"}
    pods["spec"]["containers"][0]["resources"]["requests"] = {"cpu": "100m", "memory": "64Mi"}
    worker = {"groupName": "workers", "replicas": 2, "minReplicas": 1, "maxReplicas": 3}
    return {
        "apiVersion": "ray.io/v1",
        "kind": "RayCluster",
        "metadata": {"name": name},
        "spec": {
            "enableInTreeAutoscaling": True,
            "headGroupSpec": {"rayStartParams": {}, "template": head},
            "workerGroupSpecs": [{**worker, "rayStartParams": {}, "template": pods}],
        },
    }


@pytest.fixture(scope="module")
def trials(cluster: Cluster, operators: StartOperators) -> Iterator[str]:
    """A namespace with workloads that run."""
    operators("kuberay")
    cluster.create_namespace(NAMESPACE)
    made = cluster.apply(
        [deployment("serve", 2), leader_worker_set("groups", 2, 3), ray_cluster("tune")], NAMESPACE
    )
    cluster.wait_for(made[0], lambda found: found.get("status", {}).get("readyReplicas") == 2)
    cluster.wait_for(made[1], lambda found: has(found, "Available"))
    cluster.wait_for(made[2], lambda found: has(found, "RayClusterProvisioned"))
    yield NAMESPACE
    cluster.client.delete({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}})


def _structure(definition: Object) -> Any:
    return definition["spec"]["structureDefinition"]


def _child(definition: Object, name: str) -> Any:
    return next(one for one in _structure(definition)["childComponents"] if one["name"] == name)


def _wrong_label(definition: Object) -> None:
    selector = _child(definition, "worker")["podSelector"]["componentInstanceSelector"]
    selector["idPath"] = '.metadata.labels["ray.io/gruop"]'


def _wrong_role(definition: Object) -> None:
    selector = _child(definition, "head")["podSelector"]["componentTypeSelector"]
    selector["value"] = "haed"


def _wrong_count(definition: Object) -> None:
    _structure(definition)["rootComponent"]["scaleDefinition"]["replicasPath"] = ".spec.replica"


def _maximum_for_hosts(definition: Object) -> None:
    scale = _child(definition, "worker")["scaleDefinition"]
    scale["podsPerReplicaPath"] = ".spec.workerGroupSpecs[] | .maxReplicas // 1"


def _minimum_for_replicas(definition: Object) -> None:
    scale = _child(definition, "worker")["scaleDefinition"]
    scale["replicasPath"] = ".spec.workerGroupSpecs[].minReplicas"


def _wrong_replica_label(definition: Object) -> None:
    selector = _child(definition, "group")["podSelector"]["replicaSelector"]
    selector["keyPath"] = '.metadata.labels["leaderworkerset.sigs.k8s.io/group-idx"]'


def _failed_while_available(definition: Object) -> None:
    mappings = _structure(definition)["rootComponent"]["statusDefinition"]["statusMappings"]
    mappings["failed"] = [{"byConditions": [{"type": "Available", "status": "True"}]}]


def _no_sidecar(definition: Object) -> None:
    del _child(definition, "head")["specDefinition"]["injectedContainersPath"]


def _no_init_container(definition: Object) -> None:
    del _child(definition, "worker")["specDefinition"]["injectedInitContainersPath"]


def _no_kind_between(definition: Object) -> None:
    del _structure(definition)["additionalChildKinds"]


class Fault(NamedTuple):
    """A fault in a built-in definition: how it is planted, and the row that is to tell it."""

    kind: str
    target: str
    plant: Callable[[Object], None]
    check: str
    row: dict[str, str]


FAULTS = {
    "a wrong instance label": Fault(
        "raycluster",
        "raycluster/tune",
        _wrong_label,
        "labels",
        {"subject": "worker", "expected": '.metadata.labels["ray.io/gruop"]', "found": "nothing"},
    ),
    "a wrong value of a role label": Fault(
        "raycluster",
        "raycluster/tune",
        _wrong_role,
        "labels",
        {
            "subject": "head",
            "expected": '.metadata.labels["ray.io/node-type"] = haed',
            "found": "head, worker",
        },
    ),
    "a wrong replica path": Fault(
        "deployment",
        "deployment/serve",
        _wrong_count,
        "pods",
        {"subject": "deployment", "expected": "1", "found": "2"},
    ),
    "the maximum for hosts of a replica": Fault(
        "raycluster",
        "raycluster/tune",
        _maximum_for_hosts,
        "pods",
        {"subject": "worker workers", "expected": "6", "found": "2"},
    ),
    "the minimum for replicas, beside an autoscaler": Fault(
        "raycluster",
        "raycluster/tune",
        _minimum_for_replicas,
        "pods",
        {"subject": "worker workers", "expected": "1", "found": "2"},
    ),
    "a wrong label of replicas, which others inherit": Fault(
        "leaderworkerset",
        "leaderworkerset/groups",
        _wrong_replica_label,
        "labels",
        {
            "subject": "leader",
            "expected": '.metadata.labels["leaderworkerset.sigs.k8s.io/group-idx"]',
            "found": "nothing",
        },
    ),
    "a service that failed while all its pods are ready": Fault(
        "deployment",
        "deployment/serve",
        _failed_while_available,
        "phase",
        {"expected": "Failed", "found": "2 ready of 2"},
    ),
    "a forgotten sidecar": Fault(
        "raycluster",
        "raycluster/tune",
        _no_sidecar,
        "requests",
        {"subject": "head", "expected": "cpu=1, memory=1Gi", "found": "cpu=1500m, memory=1536Mi"},
    ),
    "a forgotten init container": Fault(
        "raycluster",
        "raycluster/tune",
        _no_init_container,
        "requests",
        {
            "subject": "worker workers",
            "expected": "cpu=100m, memory=64Mi",
            "found": "cpu=200m, memory=256Mi",
        },
    ),
    "a missing child kind": Fault(
        "leaderworkerset",
        "leaderworkerset/groups",
        _no_kind_between,
        "kinds",
        {"subject": "StatefulSet.apps", "expected": "not named", "found": "above 6 pods"},
    ),
}


def _with_fault(kind: str, plant: Callable[[Object], None], folder: Path) -> str:
    """The path of a built-in definition with a fault."""
    definition = yaml.safe_load((CATALOG / kind / "definition.yaml").read_text())
    plant(definition)
    file = folder / "wrong.yaml"
    file.write_text(yaml.safe_dump(definition))
    return str(file)


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS.keys())
def test_a_planted_fault_is_found_and_named(wmap: Wmap, trials: str, tmp_path: Path, fault: Fault) -> None:
    call = ("check", fault.target, "-n", trials, "-o", "json")
    assert wmap(*call)[0] == 0
    code, out, _ = wmap(*call, "--definitions", _with_fault(fault.kind, fault.plant, tmp_path))
    (found,) = json.loads(out)["items"]
    differing = [row for row in found["rows"] if row["verdict"] == "differs"]
    assert code == 1
    told = [{key: row[key] for key in fault.row} for row in differing if row["check"] == fault.check]
    assert fault.row in told, differing


def test_the_sidecar_is_called_by_its_name(wmap: Wmap, trials: str, tmp_path: Path) -> None:
    file = _with_fault("raycluster", _no_sidecar, tmp_path)
    _, out, _ = wmap("check", "raycluster/tune", "-n", trials, "--definitions", file)
    assert "containers that the definition does not know: autoscaler" in out


def test_an_update_that_is_stuck_is_no_fault_of_a_definition(
    wmap: Wmap, cluster: Cluster, namespace: str
) -> None:
    """One pod of the new template waits for a node with 9 GPUs; both of the old one stay meanwhile."""
    (made,) = cluster.apply([deployment("serve", 2)], namespace)
    cluster.wait_for(made, lambda found: found.get("status", {}).get("readyReplicas") == 2)
    container = {**template()["spec"]["containers"][0], "resources": {"limits": {"nvidia.com/gpu": "9"}}}
    cluster.client.patch(made, {"spec": {"template": {"spec": {"containers": [container]}}}})
    cluster.wait_for(made, lambda found: found["status"].get("replicas") == 3)
    cluster.wait_for_pods(namespace, lambda pods: len(pods) == 3)
    code, out, _ = wmap("check", "deployment/serve", "-n", namespace, "-o", "json")
    (found,) = json.loads(out)["items"]
    told = {(row["check"], row["verdict"]) for row in found["rows"]}
    assert (code, found["differs"]) == (0, False)
    assert {("pods", "open"), ("requests", "open")} < told
