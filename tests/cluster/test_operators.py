"""Every operator that can be started on demand starts, and brings one object of its kind where it belongs."""

from __future__ import annotations

import json

import pytest

from tests.cluster.client import Object
from tests.cluster.cluster import Cluster
from tests.cluster.conftest import StartOperators
from tests.cluster.pods import has, pod, template


def _named(api_version: str, kind: str, spec: Object) -> Object:
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": "one"}, "spec": spec}


def _with_container(name: str, restart_policy: str = "Never", **annotations: str) -> Object:
    made = template(restart_policy, **annotations)
    made["spec"]["containers"][0]["name"] = name
    return made


def test_kuberay_brings_a_ray_cluster_up(cluster: Cluster, namespace: str, operators: StartOperators) -> None:
    operators("kuberay")
    (made,) = cluster.apply(_named("ray.io/v1", "RayCluster", _ray_cluster()), namespace)
    found = cluster.wait_for(made, lambda found: has(found, "RayClusterProvisioned"))
    assert found["status"]["state"] == "ready"
    assert found["status"]["readyWorkerReplicas"] == 2


@pytest.mark.parametrize(("job_id", "status"), [("one", "SUCCEEDED"), ("fail-one", "FAILED")])
def test_kuberay_follows_a_ray_job_to_its_end(
    cluster: Cluster, namespace: str, operators: StartOperators, job_id: str, status: str
) -> None:
    operators("kuberay")
    spec = {"entrypoint": "python main.py", "jobId": job_id, "rayClusterSpec": _ray_cluster()}
    (made,) = cluster.apply(_named("ray.io/v1", "RayJob", spec), namespace)
    cluster.wait_for(made, lambda found: found.get("status", {}).get("jobStatus") == status)


def test_kuberay_brings_a_ray_service_up(cluster: Cluster, namespace: str, operators: StartOperators) -> None:
    operators("kuberay")
    applications = {
        "applications": [{"name": "text", "import_path": "m:app", "deployments": [{"name": "A"}]}]
    }
    head = _ray_cluster()
    ports = {"gcs-server": 6379, "dashboard": 8265, "client": 10001, "serve": 8000}
    head["headGroupSpec"]["template"]["spec"]["containers"][0]["ports"] = [
        {"name": name, "containerPort": port} for name, port in ports.items()
    ]
    spec = {"serveConfigV2": json.dumps(applications), "rayClusterConfig": head}
    (made,) = cluster.apply(_named("ray.io/v1", "RayService", spec), namespace)

    def runs(found: Object) -> bool:
        """Whether the operator says so of the application, too: it is Ready while that is still deployed."""
        active = found.get("status", {}).get("activeServiceStatus", {})
        told = active.get("applicationStatuses", {}).get("text", {}).get("status")
        return has(found, "Ready") and bool(told == "RUNNING")

    cluster.wait_for(made, runs)


def _ray_cluster() -> Object:
    workers = {
        "groupName": "workers",
        "replicas": 2,
        "minReplicas": 0,
        "maxReplicas": 4,
        "rayStartParams": {},
        "template": _with_container("worker", "Always"),
    }
    head = {"rayStartParams": {}, "template": _with_container("head", "Always")}
    return {"headGroupSpec": head, "workerGroupSpecs": [workers]}


def test_training_operator_runs_a_pytorch_job(
    cluster: Cluster, namespace: str, operators: StartOperators
) -> None:
    operators("training-operator")
    replicas = {
        "Master": {"replicas": 1, "template": _with_container("pytorch", outcome="succeed", after="1s")},
        "Worker": {"replicas": 2, "template": _with_container("pytorch", outcome="succeed", after="1s")},
    }
    job = _named("kubeflow.org/v1", "PyTorchJob", {"pytorchReplicaSpecs": replicas})
    (made,) = cluster.apply(job, namespace)
    found = cluster.wait_for(made, lambda found: has(found, "Succeeded"))
    assert found["status"]["replicaStatuses"]["Master"]["succeeded"] == 1


def test_mpi_operator_runs_an_mpi_job(cluster: Cluster, namespace: str, operators: StartOperators) -> None:
    operators("mpi-operator")
    replicas = {
        "Launcher": {"replicas": 1, "template": _with_container("launcher", after="1s")},
        "Worker": {"replicas": 2, "template": _with_container("worker")},
    }
    job = _named("kubeflow.org/v2beta1", "MPIJob", {"slotsPerWorker": 1, "mpiReplicaSpecs": replicas})
    (made,) = cluster.apply(job, namespace)
    cluster.wait_for(made, lambda found: has(found, "Succeeded"))


def test_trainer_runs_a_train_job_by_a_runtime_of_its_own(
    cluster: Cluster, namespace: str, operators: StartOperators
) -> None:
    operators("trainer")
    spec = {"runtimeRef": {"name": "torch-distributed"}, "trainer": {"numNodes": 2}}
    (made,) = cluster.apply(_named("trainer.kubeflow.org/v1alpha1", "TrainJob", spec), namespace)
    cluster.wait_for(made, lambda found: has(found, "Complete"))
    jobset = cluster.client.read({**made, "apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet"})
    assert jobset["metadata"]["ownerReferences"][0]["uid"] == made["metadata"]["uid"]


def test_appwrapper_runs_what_it_wraps(cluster: Cluster, namespace: str, operators: StartOperators) -> None:
    operators("appwrapper")
    wrapped = pod("inside", outcome="succeed", after="1s")
    wrapper = _named("workload.codeflare.dev/v1beta2", "AppWrapper", {"components": [{"template": wrapped}]})
    (made,) = cluster.apply(wrapper, namespace)
    # Its webhook notes who made it.
    assert made["metadata"]["labels"]["workload.codeflare.dev/user"] == "admin"
    cluster.wait_for(made, lambda found: found.get("status", {}).get("phase") == "Succeeded")


def test_kueue_admits_one_job_and_lets_the_next_wait(
    cluster: Cluster, namespace: str, operators: StartOperators
) -> None:
    operators("kueue")
    api = "kueue.x-k8s.io/v1beta1"
    quota = {"name": "nvidia.com/gpu", "nominalQuota": 1}
    group = {"coveredResources": ["nvidia.com/gpu"], "flavors": [{"name": "one", "resources": [quota]}]}
    cluster.apply(
        [
            _named(api, "ResourceFlavor", {}),
            _named(api, "ClusterQueue", {"namespaceSelector": {}, "resourceGroups": [group]}),
            _named(api, "LocalQueue", {"clusterQueue": "one"}),
        ],
        namespace,
    )
    (first,) = cluster.apply(_queued_job("first"), namespace)
    # Its webhook suspends what comes in through a queue.
    assert first["spec"]["suspend"] is True
    cluster.wait_for(first, _runs)
    (second,) = cluster.apply(_queued_job("second"), namespace)
    workloads = cluster.client.collection(api, "Workload", namespace)
    cluster.client.wait_for_all(
        "the second waits for quota",
        workloads,
        lambda found: any(has(one, "QuotaReserved", "False") for one in found),
    )
    assert cluster.client.read(second)["spec"]["suspend"] is True
    cluster.client.delete(first)
    cluster.wait_for(second, _runs)


def _queued_job(name: str) -> Object:
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": name, "labels": {"kueue.x-k8s.io/queue-name": "one"}},
        "spec": {"template": template(outcome="run")},
    }


def _runs(found: Object) -> bool:
    return not found["spec"]["suspend"] and found["status"].get("ready") == 1
