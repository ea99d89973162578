"""Objects of the built-in kinds for the cases: as small as they can be, so that a test shows its point."""

from __future__ import annotations

from functools import cache
from typing import Any

from tests.engine.made_up import Object, of_kind, template
from workload_map.catalog import Catalog
from workload_map.definition import DefinitionSet
from workload_map.engine import Component, Workload, resolve


@cache
def builtin() -> DefinitionSet:
    """The built-in definitions."""
    return Catalog.builtin()


def job(status: Any = None, *, gpus: int | None = None, **spec: Any) -> Object:
    """A batch Job."""
    return of_kind("batch/v1", "Job", {"template": template(gpus), **spec}, status)


def jobset(*roles: Object, status: Any = None, **spec: Any) -> Object:
    """A JobSet of the given replicated jobs; without any, of one `w`."""
    jobs = list(roles) or [replicated_job("w")]
    return of_kind("jobset.x-k8s.io/v1alpha2", "JobSet", {"replicatedJobs": jobs, **spec}, status)


def replicated_job(
    name: str, replicas: int | None = None, gpus: int | None = None, **job_spec: Any
) -> Object:
    """An entry of a JobSet's `replicatedJobs`."""
    entry: Object = {"name": name, "template": {"spec": {"template": template(gpus), **job_spec}}}
    return entry if replicas is None else entry | {"replicas": replicas}


def lws(replicas: int | None, size: int | None, status: Any = None, *, gpus: int | None = None) -> Object:
    """A LeaderWorkerSet whose leader is made from the workers' template."""
    group: Object = {"workerTemplate": template(gpus)}
    if size is not None:
        group["size"] = size
    spec: Object = {"leaderWorkerTemplate": group}
    if replicas is not None:
        spec["replicas"] = replicas
    return of_kind("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", spec, status)


def raycluster(*groups: Object, status: Any = None, head: Object | None = None, **spec: Any) -> Object:
    """A RayCluster with these worker groups."""
    head_group = {"rayStartParams": {}, "template": head or template()}
    return of_kind(
        "ray.io/v1",
        "RayCluster",
        {"headGroupSpec": head_group, "workerGroupSpecs": list(groups), **spec},
        status,
    )


def rayjob(status: Any = None, **spec: Any) -> Object:
    """A RayJob on a cluster of its own: a head and one group of two workers."""
    cluster = raycluster(ray_group("g", 1, replicas=2))["spec"]
    return of_kind("ray.io/v1", "RayJob", {"rayClusterSpec": cluster, **spec}, status)


def ray_group(name: str, gpus: int | None = None, **fields: Any) -> Object:
    """An entry of a RayCluster's `workerGroupSpecs`."""
    return {"groupName": name, "rayStartParams": {}, "template": template(gpus), **fields}


def pytorchjob(master: Object | None, worker: Object | None, status: Any = None, **spec: Any) -> Object:
    """A PyTorchJob; a role that is None is absent."""
    roles = {name: role for name, role in (("Master", master), ("Worker", worker)) if role is not None}
    return of_kind("kubeflow.org/v1", "PyTorchJob", {"pytorchReplicaSpecs": roles, **spec}, status)


def mpijob(launcher: Object | None, worker: Object | None, status: Any = None, **spec: Any) -> Object:
    """An MPIJob of the newer version; a role that is None is absent."""
    roles = {name: role for name, role in (("Launcher", launcher), ("Worker", worker)) if role is not None}
    return of_kind("kubeflow.org/v2beta1", "MPIJob", {"mpiReplicaSpecs": roles, **spec}, status)


def inference_service(
    predictor: Object, status: Any = None, *, annotations: Object | None = None, **components: Object
) -> Object:
    """An InferenceService whose predictor has a container of its own with one GPU."""
    spec = {"predictor": {**template(1)["spec"], **predictor}, **components}
    meta = {"annotations": annotations} if annotations else {}
    return of_kind("serving.kserve.io/v1beta1", "InferenceService", spec, status, **meta)


def clique_set(clique: Object, status: Any = None, **spec: Any) -> Object:
    """A PodCliqueSet of one clique `c`, which stands alone."""
    template_of_all = {"cliques": [{"name": "c", "spec": clique}]}
    return of_kind("grove.io/v1alpha1", "PodCliqueSet", {"template": template_of_all, **spec}, status)


def role(replicas: int | None, gpus: int | None = None) -> Object:
    """A role of a PyTorchJob or another job of the same operator."""
    entry: Object = {"template": template(gpus)}
    return entry if replicas is None else entry | {"replicas": replicas}


def condition(kind: str, status: str = "True", reason: str | None = None, **more: Any) -> Object:
    """A condition."""
    given = {"type": kind, "status": status, **more}
    return given if reason is None else given | {"reason": reason}


def conditions(*entries: Object | str, **more: Any) -> Object:
    """A status with these conditions; a text is a condition that is True."""
    listed = [condition(entry) if isinstance(entry, str) else entry for entry in entries]
    return {"conditions": listed, **more}


def controlled(obj: Object, owner: Object) -> Object:
    """The object, controlled by the owner."""
    reference = {
        "apiVersion": owner["apiVersion"],
        "kind": owner["kind"],
        "name": owner["metadata"]["name"],
        "uid": owner["metadata"]["uid"],
        "controller": True,
    }
    return obj | {"metadata": obj["metadata"] | {"ownerReferences": [reference]}}


def pod(
    name: str,
    owner: Object | None = None,
    labels: Object | None = None,
    *,
    gpus: int | None = None,
    phase: str = "Running",
    ready: bool = True,
    waiting: str | None = None,
) -> Object:
    """A pod: running and ready; `waiting` is why its container does not run, or why it has no node."""
    spec = template(gpus)["spec"]
    status: Object = {"phase": phase, "conditions": [condition("Ready", "True" if ready else "False")]}
    if phase != "Pending":
        spec["nodeName"] = "node-1"
    if waiting == "Unschedulable":
        status["conditions"].append(condition("PodScheduled", "False", waiting))
    elif waiting is not None:
        state = {"waiting": {"reason": waiting}}
        status["containerStatuses"] = [{"name": "main", "ready": False, "restartCount": 3, "state": state}]
    meta = {"name": name, "namespace": "n", "uid": f"uid-{name}", "labels": labels or {}}
    made: Object = {"apiVersion": "v1", "kind": "Pod", "metadata": meta, "spec": spec, "status": status}
    return made if owner is None else controlled(made, owner)


def see(obj: Object, pods: list[Object] | None = None, **options: Any) -> Workload:
    """The view of an object by the built-in definitions."""
    return resolve(obj, builtin(), pods=pods, **options)


def phases(obj: Object) -> tuple[str, ...]:
    """All phases of an object by the built-in definitions."""
    return see(obj).phases


def part(view: Workload, name: str) -> Component:
    """The component of a name, at any depth."""
    (found,) = [one for one in _all(view.components) if one.name == name]
    return found


def names(view: Workload) -> list[str]:
    """The names of all components, those above before those below."""
    return [one.name for one in _all(view.components)]


def _all(components: tuple[Component, ...]) -> list[Component]:
    found = []
    for one in components:
        found.append(one)
        found.extend(_all(one.components))
        for instance in one.instances:
            found.extend(_all(instance.components))
    return found
