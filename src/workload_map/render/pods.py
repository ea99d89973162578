"""Pods as people look at them: which belong together, in which order, and trouble first where not all fit."""

from __future__ import annotations

from collections.abc import Sequence

from workload_map.engine.pod_status import broken
from workload_map.engine.view import Component, Instance, Pod
from workload_map.render.rows import NONE
from workload_map.render.text import natural, printable

_SAYS_NO_MORE = {"Succeeded": ("Succeeded", "Completed")}


def of(instance: Instance, members: Sequence[Pod]) -> list[Pod]:
    """Those of a component's pods that are of one instance."""
    return [pod for pod in members if pod.instance == instance.id]


def strays(component: Component) -> list[Pod]:
    """The pods of a component that are of none of its instances."""
    ids = {instance.id for instance in component.instances}
    return [pod for pod in component.members or () if pod.instance not in ids]


def folded(members: Sequence[Pod], most: int) -> tuple[list[Pod], list[Pod]]:
    """The pods that are shown, and the others.

    Args:
        members: All of them.
        most: At most so many are shown; 0: all.

    Returns:
        All in the order of their groups and names where they fit; otherwise those that fail come first, then
        the others that want attention.
    """
    if not most or len(members) <= most:
        return sorted(members, key=_by_group), []
    ranked = sorted(members, key=lambda pod: (not failing(pod), not troubled(pod), *_by_group(pod)))
    return ranked[:most], ranked[most:]


def troubled(pod: Pod) -> bool:
    """Whether a pod wants attention: it is not ready and has not ended well."""
    return not pod.ready and pod.phase != "Succeeded"


def failing(pod: Pod) -> bool:
    """Whether a pod will not get well by mere waiting."""
    if not troubled(pod) or pod.deleted_at is not None:
        return False
    return pod.phase == "Failed" or (pod.reason is not None and broken(pod.reason))


def status(pod: Pod) -> str:
    """The phase, and the reason where it says more: `Running (CrashLoopBackOff, 7 restarts)`."""
    says_no_more = _SAYS_NO_MORE.get(pod.phase or "", (pod.phase,))
    details = [pod.reason] if pod.reason and pod.reason not in says_no_more else []
    if pod.restarts:
        details.append("1 restart" if pod.restarts == 1 else f"{pod.restarts} restarts")
    phase = printable(pod.phase or NONE)
    return f"{phase} ({printable(', '.join(details))})" if details else phase


def _by_group(pod: Pod) -> tuple[list[tuple[int, str]], list[tuple[int, str]]]:
    return natural(pod.replica_group or ""), natural(pod.name)
