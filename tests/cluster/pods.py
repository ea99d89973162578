"""Pods for tests: their specs, and what a reader looks for in their status."""

from __future__ import annotations

from tests.cluster import stages
from tests.cluster.client import Object


def template(restart_policy: str = "Never", **annotations: str) -> Object:
    """A pod template with one container and one GPU; annotations are as in `stages`: `outcome="fail"`."""
    resources = {"limits": {"nvidia.com/gpu": "1"}}
    container = {"name": "main", "image": "example.org/main:1", "resources": resources}
    asked = {f"{stages.PREFIX}/{name.replace('_', '-')}": value for name, value in annotations.items()}
    return {
        "metadata": {"annotations": asked},
        "spec": {"restartPolicy": restart_policy, "containers": [container]},
    }


def pod(name: str, restart_policy: str = "Never", **annotations: str) -> Object:
    """A pod of that template."""
    made = template(restart_policy, **annotations)
    return {"apiVersion": "v1", "kind": "Pod", **made, "metadata": {**made["metadata"], "name": name}}


def has(obj: Object, condition: str, status: str = "True") -> bool:
    """Whether a condition of the object, a pod or any other, has that status."""
    conditions = obj.get("status", {}).get("conditions") or []
    return any(one["type"] == condition and one["status"] == status for one in conditions)


def container_state(obj: Object) -> tuple[str, Object]:
    """The state of a pod's only container: its name, such as `waiting`, and what is said of it."""
    (container,) = obj.get("status", {}).get("containerStatuses") or [{"state": {"absent": {}}}]
    ((name, details),) = container["state"].items()
    return name, details
