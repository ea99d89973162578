"""Views built by hand: what an engine would say of made-up workloads."""

from __future__ import annotations

from typing import Any

from workload_map.engine.quantity import parse
from workload_map.engine.resource_list import ResourceList
from workload_map.engine.view import (
    SCHEMA_VERSION,
    Bound,
    Component,
    Instance,
    Observed,
    PerPod,
    Pod,
    Read,
    Totals,
    Why,
    Workload,
    Worst,
)

NOTHING = ResourceList({})


def amounts(**given: str) -> ResourceList:
    """`cpu="4", memory="1Gi", gpu="2"`; the last is nvidia's."""
    names = {"gpu": "nvidia.com/gpu", "rdma": "rdma/hca"}
    return ResourceList({names.get(name, name): parse(text) for name, text in given.items()})


def observed(**given: Any) -> Observed:
    known = {"pods": 0, "scheduled": 0, "ready": 0, "succeeded": 0, "gpus": 0, "nodes": (), "worst": None}
    return Observed(**{**known, **given})


def pod(name: str, **given: Any) -> Pod:
    known = {
        "phase": "Running",
        "ready": True,
        "node": "node-1",
        "reason": "Running",
        "message": None,
        "restarts": 0,
        "instance": None,
        "replica_group": None,
        "requests": NOTHING,
        "deleted_at": None,
    }
    return Pod(name=name, **{**known, **given})


def instance(**given: Any) -> Instance:
    known = {
        "id": None,
        "suspended": False,
        "replicas": 1,
        "min": None,
        "max": None,
        "pods_per_replica": 1,
        "pods": 1,
        "gpus": 0,
        "requests": NOTHING,
        "limits": NOTHING,
        "per_pod": PerPod(requests=NOTHING, limits=NOTHING, image="image"),
        "observed": None,
        "replica_groups": None,
        "components": (),
    }
    return Instance(**{**known, **given})


def component(name: str, **given: Any) -> Component:
    known = {
        "kind": None,
        "pods": 1,
        "replicas": 1,
        "min": None,
        "max": None,
        "pods_per_replica": 1,
        "gpus": 0,
        "requests": NOTHING,
        "limits": NOTHING,
        "per_pod": PerPod(requests=NOTHING, limits=NOTHING, image="image"),
        "observed": None,
        "phase": None,
        "instances": (instance(),),
        "members": None,
        "components": (),
    }
    return Component(name=name, **{**known, **given})


def totals(**given: Any) -> Totals:
    pods, gpus = given.get("pods", 1), given.get("gpus", 0)
    known = {
        "pods": pods,
        "gpus": gpus,
        "requests": NOTHING,
        "limits": NOTHING,
        "claims": (),
        "at_min": Bound(pods=pods, gpus=gpus),
        "at_max": Bound(pods=pods, gpus=gpus),
    }
    return Totals(**{**known, **given})


def workload(name: str = "w", **given: Any) -> Workload:
    known = {
        "schema_version": SCHEMA_VERSION,
        "namespace": "lab",
        "kind": "Job",
        "api_version": "batch/v1",
        "uid": "u",
        "created_at": "2025-06-01T12:00:00Z",
        "deleted_at": None,
        "definition": "batch-job-v1",
        "origin": "builtin",
        "phase": "Running",
        "phases": ("Running",),
        "stale": False,
        "suspended": False,
        "why": (),
        "queue": None,
        "priority": None,
        "restarts": None,
        "totals": totals(),
        "observed": observed(),
        "components": (),
        "unattributed": (),
        "problems": (),
        "disagreements": (),
    }
    return Workload(name=name, **{**known, **given})


def jobset() -> Workload:
    """A training run: one leader, two workers of which one does not start."""
    leader, worker = amounts(cpu="8", gpu="4"), amounts(cpu="16", gpu="8")
    members = (
        pod("train-leader-0-0-a", instance="leader", node="gpu-a1", requests=leader),
        pod("train-worker-0-0-b", instance="worker", node="gpu-a2", requests=leader),
        pod(
            "train-worker-1-0-c",
            instance="worker",
            ready=False,
            reason="CrashLoopBackOff",
            restarts=7,
            node="gpu-b1",
            requests=leader,
        ),
    )
    worst = Worst(reason="CrashLoopBackOff", pod="train-worker-1-0-c", message="back-off 5m0s")
    seen = observed(pods=3, scheduled=3, ready=2, gpus=12, nodes=("gpu-a1", "gpu-a2", "gpu-b1"), worst=worst)
    jobs = component(
        "job",
        kind="Job",
        pods=3,
        replicas=3,
        gpus=12,
        requests=leader.plus(worker),
        observed=seen,
        members=members,
        instances=(
            instance(
                id="leader", gpus=4, requests=leader, observed=observed(pods=1, ready=1, nodes=("gpu-a1",))
            ),
            instance(
                id="worker",
                replicas=2,
                pods=2,
                gpus=8,
                requests=worker,
                observed=observed(pods=2, ready=1, nodes=("gpu-a2", "gpu-b1")),
            ),
        ),
    )
    return workload(
        "train",
        kind="JobSet",
        api_version="jobset.x-k8s.io/v1alpha2",
        definition="jobset-v1alpha2",
        why=(
            Why(
                phase="Running",
                rule="spec.structureDefinition.rootComponent.statusDefinition.statusMappings.running[0]",
                reads=(Read(path="status.replicatedJobsStatus[0].ready", value=1),),
                reason=None,
                message=None,
            ),
        ),
        totals=totals(pods=3, gpus=12, requests=leader.plus(worker)),
        observed=seen,
        components=(jobs,),
    )
