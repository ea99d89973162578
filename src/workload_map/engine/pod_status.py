"""What a pod's own status says, in the words of `kubectl get pods`.

The STATUS column is that of kubectl's printer (k8s.io/kubernetes, `pkg/printers/internalversion`,
`printPod`). A malformed status never raises: what is not what the API says is as if it were absent.
"""

from __future__ import annotations

from typing import Any

import msgspec

from workload_map.engine.objects import Object, metadata, text_of


class PodStatus(msgspec.Struct, frozen=True):
    """The status of a pod.

    Attributes:
        phase: `Pending`, `Running`, `Succeeded`, `Failed` or `Unknown`; None without a status.
        reason: What kubectl's STATUS column says; None without a status.
        trouble: What is wrong with it in one word, for choosing the pod to look at; None if nothing is.
        message: The words that go with the trouble, if there are any.
        ready: The Ready condition is True.
        scheduled: It has a node.
        restarts: The sum over its containers, init containers included; None without container statuses.
    """

    phase: str | None
    reason: str | None
    trouble: str | None
    message: str | None
    ready: bool
    scheduled: bool
    restarts: int | None


def read(pod: Object) -> PodStatus:
    """The status of a pod as it stands in the object."""
    status = _object(pod.get("status"))
    spec = _object(pod.get("spec"))
    conditions = {text_of(one.get("type")): one for one in _objects(status.get("conditions"))}
    ready = _object(conditions.get("Ready")).get("status") == "True"
    statuses = [*_objects(status.get("initContainerStatuses")), *_objects(status.get("containerStatuses"))]
    phase = text_of(status.get("phase"))
    reason = _reason(pod, spec, status, conditions) if status else None
    trouble, message = _trouble(phase, reason, ready, status, conditions)
    return PodStatus(
        phase=phase,
        reason=reason,
        trouble=trouble,
        message=message,
        ready=ready,
        scheduled=bool(text_of(spec.get("nodeName"))),
        restarts=sum(_count(one.get("restartCount")) for one in statuses) if statuses else None,
    )


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _objects(value: Any) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _count(value: Any) -> int:
    return value if type(value) is int else 0


def _reason(
    pod: Object, spec: dict[str, Any], status: dict[str, Any], conditions: dict[str | None, dict[str, Any]]
) -> str:
    reason = text_of(status.get("reason")) or text_of(status.get("phase")) or "Unknown"
    if _object(conditions.get("PodScheduled")).get("reason") == "SchedulingGated":
        reason = "SchedulingGated"
    initializing = _init_reason(spec, status)
    if initializing is not None:
        reason = initializing
    if initializing is None or _object(conditions.get("Initialized")).get("status") == "True":
        reason = _containers_reason(status, conditions, reason)
    if metadata(pod).get("deletionTimestamp") is None:
        return reason
    if status.get("reason") == "NodeLost":
        return "Unknown"
    return reason if status.get("phase") in ("Succeeded", "Failed") else "Terminating"


def _init_reason(spec: dict[str, Any], status: dict[str, Any]) -> str | None:
    """`Init:…` for the first init container that is not done; None when all are."""
    inits = _objects(spec.get("initContainers"))
    sidecars = {one.get("name") for one in inits if one.get("restartPolicy") == "Always"}
    for index, container in enumerate(_objects(status.get("initContainerStatuses"))):
        state = _object(container.get("state"))
        terminated, waiting = state.get("terminated"), state.get("waiting")
        if isinstance(terminated, dict):
            if terminated.get("exitCode") == 0:
                continue
            return f"Init:{_ended(terminated)}"
        if container.get("name") in sidecars and container.get("started") is True:
            continue
        waiting_reason = text_of(_object(waiting).get("reason"))
        if waiting_reason and waiting_reason != "PodInitializing":
            return f"Init:{waiting_reason}"
        return f"Init:{index}/{len(inits)}"
    return None


def _containers_reason(
    status: dict[str, Any], conditions: dict[str | None, dict[str, Any]], reason: str
) -> str:
    running = False
    # The first container has the last word, as in kubectl.
    for container in reversed(_objects(status.get("containerStatuses"))):
        state = _object(container.get("state"))
        waiting, terminated = _object(state.get("waiting")), state.get("terminated")
        if text_of(waiting.get("reason")):
            reason = waiting["reason"]
        elif isinstance(terminated, dict):
            reason = _ended(terminated)
        elif container.get("ready") is True and isinstance(state.get("running"), dict):
            running = True
    if reason == "Completed" and running:
        return "Running" if _object(conditions.get("Ready")).get("status") == "True" else "NotReady"
    return reason


def _ended(terminated: dict[str, Any]) -> str:
    reason = text_of(terminated.get("reason"))
    if reason:
        return reason
    signal = terminated.get("signal")
    return (
        f"Signal:{signal}" if type(signal) is int and signal else f"ExitCode:{terminated.get('exitCode', 0)}"
    )


# The order in which trouble is told: the first words are the worst. An `Init:` before a word does not
# change it.
_RANKS = (
    ("Evicted", "NodeLost", "NodeAffinity", "NodeShutdown", "Shutdown", "Preempting", "Unknown"),
    ("OOMKilled",),
    ("Error", "ContainerCannotRun", "DeadlineExceeded", "StartError", "Failed"),
    ("CrashLoopBackOff",),
    (
        "ErrImagePull",
        "ImagePullBackOff",
        "ErrImageNeverPull",
        "InvalidImageName",
        "ImageInspectError",
        "RegistryUnavailable",
        "CreateContainerConfigError",
        "CreateContainerError",
        "RunContainerError",
        "PreCreateHookError",
        "PreStartHookError",
        "PostStartHookError",
    ),
    ("Unschedulable", "SchedulingGated"),
    ("NotReady", "Running"),
    ("ContainerCreating", "PodInitializing", "Pending"),
)
_RANK_OF = {word: rank for rank, words in enumerate(_RANKS) for word in words}
_FAILED_RANK = 2
_WAITING_RANK = len(_RANKS) - 1


def rank(trouble: str) -> int:
    """How bad a trouble is; 0 is the worst."""
    word = trouble.removeprefix("Init:")
    known = _RANK_OF.get(word)
    if known is not None:
        return known
    if word.startswith(("Signal:", "ExitCode:")):
        return _FAILED_RANK
    # `Init:1/2` waits; any other word is a container's own reason for not running.
    return _WAITING_RANK if "/" in word or word == "Terminating" else _FAILED_RANK


def broken(trouble: str) -> bool:
    """Whether a trouble does not end by mere waiting: what failed, crashes or cannot start."""
    return rank(trouble) < _RANK_OF["Unschedulable"]


def _trouble(
    phase: str | None,
    reason: str | None,
    ready: bool,
    status: dict[str, Any],
    conditions: dict[str | None, dict[str, Any]],
) -> tuple[str | None, str | None]:
    """What is wrong, in one word and its message: None where the pod is ready or has succeeded."""
    if ready or phase == "Succeeded":
        return None, None
    scheduled = _object(conditions.get("PodScheduled"))
    if scheduled.get("status") == "False" and phase == "Pending":
        return text_of(scheduled.get("reason")) or "Unschedulable", text_of(scheduled.get("message"))
    containers = [*_objects(status.get("containerStatuses")), *_objects(status.get("initContainerStatuses"))]
    for container in containers:
        last = _object(_object(container.get("lastState")).get("terminated"))
        waiting = _object(_object(container.get("state")).get("waiting"))
        # A container that waits to be started again hides what killed it.
        if last.get("reason") == "OOMKilled" and waiting.get("reason") == "CrashLoopBackOff":
            return "OOMKilled", text_of(waiting.get("message")) or text_of(last.get("message"))
    message = text_of(status.get("message"))
    for container in containers:
        state = _object(container.get("state"))
        said = _object(state.get("waiting")) or _object(state.get("terminated"))
        message = message or text_of(said.get("message"))
    message = message or text_of(_object(conditions.get("Ready")).get("message"))
    return ("NotReady" if reason == "Running" else reason) or "Pending", message
