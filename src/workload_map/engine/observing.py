"""What the pods at hand say together: how many there are, ready and done, where, and which needs a look."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from workload_map.engine import pod_status
from workload_map.engine.structure import PlacedPod
from workload_map.engine.view import Observed, Worst

_ENDED = ("Succeeded", "Failed")


def mark_history(members: list[PlacedPod], desired: int | None) -> None:
    """Mark the pods of one instance that are history.

    A failed pod is, once as many others as are desired (any other, where that is unknown) stand or are done.
    """
    failed = [placed for placed in members if placed.status.phase == "Failed"]
    if failed and len(members) - len(failed) >= (1 if desired is None else max(desired, 1)):
        for placed in failed:
            placed.history = True


def observe(seen: Collection[PlacedPod], accelerators: frozenset[str]) -> Observed:
    """Count pods. Accelerators are in use by pods that have a node and have not ended."""
    scheduled = ready = succeeded = gpus = 0
    nodes: set[str] = set()
    is_troubled = is_unknown = False
    known, each = None, None  # most pods of a workload ask for the same, which is one value then
    for placed in seen:
        status, pod = placed.status, placed.pod
        if status.ready:
            ready += 1
        if status.trouble is not None:
            is_troubled = True
        phase = status.phase
        if phase == "Succeeded":
            succeeded += 1
        node = pod.node
        if node is None:
            continue
        scheduled += 1
        nodes.add(node)
        if phase in _ENDED:
            continue
        if pod.requests is not known:
            known, each = pod.requests, pod.requests.accelerators(accelerators)
        if each is None:
            is_unknown = True
        else:
            gpus += each
    names = tuple(sorted(nodes))
    worst = _worst(seen) if is_troubled else None
    return Observed(len(seen), scheduled, ready, succeeded, None if is_unknown else gpus, names, worst)


def together(parts: Sequence[Observed]) -> Observed:
    """What was observed of several groups of pods, none of which is in two of them, as of one."""
    if len(parts) == 1:
        return parts[0]
    pods = scheduled = ready = succeeded = 0
    gpus: int | None = 0
    nodes: set[str] = set()
    worst: Worst | None = None
    for part in parts:
        pods += part.pods
        scheduled += part.scheduled
        ready += part.ready
        succeeded += part.succeeded
        gpus = None if gpus is None or part.gpus is None else gpus + part.gpus
        nodes.update(part.nodes)
        if part.worst is not None and (worst is None or _badness(part.worst) < _badness(worst)):
            worst = part.worst
    return Observed(pods, scheduled, ready, succeeded, gpus, tuple(sorted(nodes)), worst)


def _badness(worst: Worst) -> tuple[int, str]:
    return pod_status.rank(worst.reason), worst.pod


def _worst(seen: Collection[PlacedPod]) -> Worst | None:
    """The pod in the worst trouble, by name among equals."""
    found: tuple[int, str, PlacedPod] | None = None
    for placed in seen:
        trouble = placed.status.trouble
        if trouble is None or placed.history:
            continue
        key = (pod_status.rank(trouble), placed.pod.name, placed)
        if found is None or key[:2] < found[:2]:
            found = key
    if found is None:
        return None
    worst = found[2]
    return Worst(reason=worst.status.trouble or "", pod=worst.pod.name, message=worst.status.message)
