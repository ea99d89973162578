"""Training: the jobs of Kubeflow, Ray, Volcano, Spark."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.real.counting.counts import (
    NONE,
    UNKNOWN,
    Around,
    Count,
    Object,
    at,
    gpus_of_pod,
    number,
    of_template,
    times,
    total,
)


def by_role(field: str, **defaults: int) -> Callable[[Object, Around], Count]:
    """A job of Kubeflow: a pod template and a count for each role; 1 where left out, or what is said here."""

    def count(obj: Object, _: Around) -> Count:
        return total(
            times(number(at(role, "replicas"), defaults.get(name, 1)), of_template(at(role, "template")))
            for name, role in (at(obj, "spec", field) or {}).items()
        )

    return count


def train_job(obj: Object, around: Around) -> Count:
    """What it needs stands in its runtime; `numNodes` is the size of the step that trains."""
    ref = at(obj, "spec", "runtimeRef") or {}
    kind = ref.get("kind") or "ClusterTrainingRuntime"
    for other in around.others:
        if other.get("kind") == kind and at(other, "metadata", "name") == ref.get("name"):
            patched = at(obj, "spec", "runtimePatches") or at(obj, "spec", "podTemplateOverrides")
            launched = at(other, "spec", "mlPolicy", "mpi")  # counted otherwise, and in no sample
            return UNKNOWN if patched or launched else _with_runtime(obj, other)
    return UNKNOWN


def _with_runtime(obj: Object, runtime: Object) -> Count:
    nodes = at(obj, "spec", "trainer", "numNodes") or at(runtime, "spec", "mlPolicy", "numNodes") or 1
    resources = at(obj, "spec", "trainer", "resourcesPerNode")
    counts = []
    for one in at(runtime, "spec", "template", "spec", "replicatedJobs") or []:
        spec = at(one, "template", "spec", "template", "spec")
        labels = at(one, "template", "metadata", "labels") or {}
        trains = labels.get("trainer.kubeflow.org/trainjob-ancestor-step") == "trainer"
        if trains and resources is not None:
            first, *rest = spec["containers"]
            spec = {**spec, "containers": [{**first, "resources": resources}, *rest]}
        counts.append(times(nodes if trains else 1, Count(1, gpus_of_pod(spec))))
    return total(counts)


def volcano_job(obj: Object, _: Around) -> Count:
    """A plain number in Go: a task without `replicas` has none."""
    return total(
        times(number(task.get("replicas"), 0), of_template(task.get("template")))
        for task in at(obj, "spec", "tasks") or []
    )


def ray_cluster(obj: Object, _: Around) -> Count:
    return ray_cluster_of(obj.get("spec"))


def ray_cluster_of(spec: Any) -> Count:
    """A head, and groups of `replicas` (0, brought between the bounds) times `numOfHosts` (1) pods."""
    head = of_template(at(spec, "headGroupSpec", "template"))
    return total([head, *(_ray_group(group) for group in at(spec, "workerGroupSpecs") or [])])


def _ray_group(group: Object) -> Count:
    if group.get("suspend"):
        return NONE
    asked = number(group.get("replicas"), 0)
    least, most = number(group.get("minReplicas"), 0), number(group.get("maxReplicas"), 2**31 - 1)
    wanted = None
    if asked is not None and least is not None and most is not None:
        wanted = min(max(asked, least), most)
    hosts = number(group.get("numOfHosts"), 1)
    one = times(hosts, of_template(group.get("template")))
    return times(wanted, one)


def ray_job(obj: Object, _: Around) -> Count:
    """Its cluster, unless it picks one that is there, and the pod of the Job that submits it."""
    spec = obj.get("spec") or {}
    cluster = NONE if spec.get("clusterSelector") else ray_cluster_of(spec.get("rayClusterSpec"))
    if (spec.get("submissionMode") or "K8sJobMode") != "K8sJobMode":
        return cluster
    # Without a template of one's own the operator makes a pod with CPU and memory alone.
    own = spec.get("submitterPodTemplate")
    return total([cluster, of_template(own) if own else Count(1, 0)])


def ray_service(obj: Object, _: Around) -> Count:
    """One cluster, as nothing is being upgraded here."""
    return ray_cluster_of(at(obj, "spec", "rayClusterConfig"))


def ray_cron_job(obj: Object, around: Around) -> Count:
    """Its runs, jobs that bear its name; one that has ended keeps its pods unless told otherwise."""
    counts = []
    for other in around.others:
        if at(other, "metadata", "labels", "ray.io/cronjob-name") == obj["metadata"]["name"]:
            ended = at(other, "status", "jobDeploymentStatus") in {"Complete", "Failed", "ValidationFailed"}
            if not ended or not at(other, "spec", "shutdownAfterJobFinishes"):
                counts.append(ray_job(other, around))
    return total(counts)


def spark_application(obj: Object, _: Around) -> Count:
    """A driver and `instances` executors: the field, what the configuration says, or the operator's 1."""
    spec = obj.get("spec") or {}
    if at(spec, "dynamicAllocation", "enabled"):
        return UNKNOWN
    instances = at(spec, "executor", "instances")
    if instances is None:
        instances = at(spec, "sparkConf", "spark.executor.instances")
    executors = number(None if instances is None else int(instances), 1)
    driver = Count(1, _spark_gpus(at(spec, "driver")))
    return total([driver, times(executors, Count(1, _spark_gpus(at(spec, "executor"))))])


def _spark_gpus(role: Any) -> int:
    return int(at(role, "gpu", "quantity") or 0)
