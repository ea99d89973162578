"""Whether a workload should have just the pods that it asks for, or has a reason for more or fewer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from workload_map.engine.objects import Object, metadata, text_of, uid_of
from workload_map.engine.owners import OwnerIndex
from workload_map.engine.view import Component, Pod, Workload

# With these problems pods may belong to a workload that it is not known to have.
_OUT_OF_SIGHT = ("owner-missing", "lookup-failed")
# Some of its pods may have failed, or be removed as its controller does with those of what has ended.
_ENDED = {
    "Completed": "which may be since pods may be removed once it is done",
    "Failed": "which may be since it has failed",
}


class Reasons(NamedTuple):
    """Why there may be other pods than are asked for, as the end of a sentence; None: no reason is known.

    Attributes:
        fewer: Why there may be fewer.
        more: Why there may be more.
    """

    fewer: str | None
    more: str | None

    @property
    def other(self) -> str | None:
        """Why some pods may have been made of something else than the workload says now."""
        return self.more or self.fewer


def reasons(view: Workload, index: OwnerIndex, pods: Sequence[Object]) -> Reasons:
    """What the objects tell of it.

    While it is Degraded there may be fewer or more: some may not come, an update that is stuck holds more.

    Args:
        view: The workload.
        index: Everything at hand.
        pods: Its pods.
    """
    passing = _passing(view, index, pods)
    if is_out_of_sight(view):
        return Reasons("which may be since not all controllers are at hand", passing)
    return Reasons(passing or _ENDED.get(view.phase or ""), passing)


def _passing(view: Workload, index: OwnerIndex, pods: Sequence[Object]) -> str | None:
    """Why its controllers may be about to make, or to remove, some."""
    if view.deleted_at is not None:
        return "which may pass while it is being deleted"
    if view.phase == "Undefined":
        return "which may be, since nobody knows its phase"
    if view.phase not in ("Running", *_ENDED):
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


def pods_in(view: Workload) -> list[Pod]:
    """All pods of a view, those without a place last."""
    return [*_members(view.components), *(view.unattributed or ())]


def _members(components: Sequence[Component]) -> Iterator[Pod]:
    for component in components:
        yield from component.members or ()
        yield from _members(component.components)
        for instance in component.instances:
            yield from _members(instance.components)


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
