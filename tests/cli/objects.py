"""Small workloads and pods for the tests of commands."""

from __future__ import annotations

from typing import Any

POD_SPEC = {
    "containers": [
        {"name": "main", "image": "busybox", "resources": {"limits": {"cpu": "1", "nvidia.com/gpu": "2"}}}
    ]
}


def job(name: str, namespace: str = "lab", **given: Any) -> dict[str, Any]:
    """A Job of two pods with two GPUs each."""
    metadata = {
        "name": name,
        "namespace": namespace,
        "uid": f"job-{namespace}-{name}",
        **given.pop("metadata", {}),
    }
    spec = {"parallelism": 2, "completions": 2, "template": {"spec": POD_SPEC}, **given.pop("spec", {})}
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": metadata, "spec": spec, **given}


def running(name: str, namespace: str = "lab", **given: Any) -> dict[str, Any]:
    """A Job whose two pods are ready."""
    return job(
        name, namespace, status={"active": 2, "ready": 2, "startTime": "2025-06-01T00:00:00Z"}, **given
    )


def failed(name: str, namespace: str = "lab") -> dict[str, Any]:
    """A Job that has failed."""
    condition = {"type": "Failed", "status": "True", "reason": "BackoffLimitExceeded", "message": "too many"}
    return job(name, namespace, status={"failed": 1, "conditions": [condition]})


def pod(name: str, owner: str, namespace: str = "lab", **given: Any) -> dict[str, Any]:
    """A ready pod of a Job."""
    reference = {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "name": owner,
        "uid": f"job-{namespace}-{owner}",
        "controller": True,
    }
    metadata = {
        "name": name,
        "namespace": namespace,
        "uid": f"pod-{namespace}-{name}",
        "ownerReferences": [reference],
        **given.pop("metadata", {}),
    }
    status = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}
    spec = {**POD_SPEC, "nodeName": "node-1"}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec, "status": status, **given}
