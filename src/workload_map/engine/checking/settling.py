"""Whether a workload should have just the pods that it asks for, or is on its way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from workload_map.engine.objects import Object, metadata, text_of, uid_of
from workload_map.engine.owners import OwnerIndex
from workload_map.engine.view import Workload

# With these problems pods may belong to a workload that it is not known to have.
_OUT_OF_SIGHT = ("owner-missing", "lookup-failed")


def unsettled(view: Workload, index: OwnerIndex, pods: Sequence[Object]) -> str | None:
    """Why pods may be others than those that the workload asks for; None where they should not.

    While it is Degraded they may be too: some may not come, or an update that is stuck holds more.

    Args:
        view: The workload.
        index: Everything at hand.
        pods: Its pods.
    """
    if view.deleted_at is not None:
        return "which may pass while it is being deleted"
    if is_out_of_sight(view):
        return "which may be since not all controllers are at hand"
    if view.phase != "Running":
        return f"which may pass while it is {view.phase}"
    if view.stale:
        return "which may pass when its controller has seen its newest state"
    return "which may pass while its pods are updated" if _are_updated(index, pods) else None


def is_out_of_sight(view: Workload) -> bool:
    """Whether pods may belong to the workload that it is not known to have."""
    return any(problem.code in _OUT_OF_SIGHT for problem in view.problems)


def why_out_of_sight(view: Workload) -> str | None:
    """What stands in the way of knowing its pods, if anything does."""
    return next((problem.message for problem in view.problems if problem.code in _OUT_OF_SIGHT), None)


def _are_updated(index: OwnerIndex, pods: Sequence[Object]) -> bool:
    """Whether pods of one controller were made of several versions of its template."""
    versions: dict[tuple[str | None, str], str] = {}
    return any(
        versions.setdefault(controller, version) != version
        for pod in pods
        for controller, version in _versions(index, pod)
    )


def _versions(index: OwnerIndex, pod: Object) -> Iterator[tuple[tuple[str | None, str], str]]:
    """Whose template a pod was made of, and which version of it, as Kubernetes' own controllers label it."""
    labels = metadata(pod).get("labels")
    owners = index.chain(pod).owners
    # A Deployment has a ReplicaSet for each version, StatefulSets and DaemonSets make their pods themselves.
    for key, steps in (("pod-template-hash", 2), ("controller-revision-hash", 1)):
        version = text_of(labels.get(key)) if isinstance(labels, dict) else None
        if version and len(owners) >= steps:
            yield (uid_of(owners[steps - 1]), key), version
