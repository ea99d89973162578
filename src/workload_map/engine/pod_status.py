"""What a pod's own status says, in the words of `kubectl get pods`.

The STATUS column is that of kubectl's printer (k8s.io/kubernetes, `pkg/printers/internalversion`,
`printPod`). A malformed status never raises: what is not what the API says is as if it were absent.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from workload_map.engine.objects import Object, metadata, text_of


class PodStatus(msgspec.Struct, frozen=True, gc=False):
    """The status of a pod.

    Attributes:
        phase: `Pending`, `Running`, `Succeeded`, `Failed` or `Unknown`; None without a status.
        reason: What kubectl's STATUS column says; None where the status says nothing of it.
        trouble: What is wrong with it in one word, for choosing the pod to look at; None if nothing is.
        message: The words that go with the trouble, if there are any.
        ready: The Ready condition is True.
        restarts: The sum over its containers, init containers included; None without container statuses.
    """

    phase: str | None
    reason: str | None
    trouble: str | None
    message: str | None
    ready: bool
    restarts: int | None


def read(pod: Object) -> PodStatus:
    """The status of a pod as it stands in the object."""
    status, spec = _object(pod.get("status")), _object(pod.get("spec"))
    conditions = _by_type(status.get("conditions"))
    inits = _objects(status.get("initContainerStatuses"))
    containers = _objects(status.get("containerStatuses"))
    ready = conditions.get("Ready", _NOTHING).get("status") == "True"
    phase = text_of(status.get("phase"))
    # Whether there is something else in it must not matter: readers of large lists leave that out.
    says = phase or conditions or containers or inits or text_of(status.get("reason"))
    reason = _reason(pod, spec, status, conditions, inits, containers) if says else None
    trouble = message = None
    if not ready and phase != "Succeeded":
        trouble, message = _trouble(phase, reason, status, conditions, [*containers, *inits])
    restarts: int | None = None
    if inits or containers:
        restarts = 0
        for one in (*inits, *containers) if inits else containers:
            count = one.get("restartCount")
            if type(count) is int:
                restarts += count
    return PodStatus(phase, reason, trouble, message, ready, restarts)


_Objects = Sequence[dict[str, Any]]
_Conditions = dict[Any, dict[str, Any]]
_NOTHING: dict[str, Any] = {}


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _objects(value: Any) -> _Objects:
    if not isinstance(value, list):
        return ()
    # Most pods have one container, and its list is good as it is.
    if len(value) == 1 and isinstance(value[0], dict):
        return value
    return [one for one in value if isinstance(one, dict)]


def _by_type(value: Any) -> _Conditions:
    """The conditions by their type; of several of one type it is the last."""
    if not isinstance(value, list):
        return _NOTHING
    try:
        # What is no text is found under no name, so that it need not be looked for.
        return {one.get("type"): one for one in value}
    except (AttributeError, TypeError):  # something that is no object, or a type that is a list or an object
        return {one["type"]: one for one in _objects(value) if isinstance(one.get("type"), str)}


def _reason(
    pod: Object,
    spec: dict[str, Any],
    status: dict[str, Any],
    conditions: _Conditions,
    inits: _Objects,
    containers: _Objects,
) -> str:
    reason = text_of(status.get("reason")) or text_of(status.get("phase")) or "Unknown"
    if conditions.get("PodScheduled", _NOTHING).get("reason") == "SchedulingGated":
        reason = "SchedulingGated"
    initializing = _init_reason(spec, inits) if inits else None
    if initializing is not None:
        reason = initializing
    if initializing is None or conditions.get("Initialized", _NOTHING).get("status") == "True":
        reason = _containers_reason(containers, conditions, reason)
    if metadata(pod).get("deletionTimestamp") is None:
        return reason
    if status.get("reason") == "NodeLost":
        return "Unknown"
    return reason if status.get("phase") in ("Succeeded", "Failed") else "Terminating"


def _init_reason(spec: dict[str, Any], statuses: _Objects) -> str | None:
    """`Init:…` for the first init container that is not done; None when all are."""
    inits = _objects(spec.get("initContainers"))
    sidecars = {text_of(one.get("name")) for one in inits if one.get("restartPolicy") == "Always"}
    for index, container in enumerate(statuses):
        state = _object(container.get("state"))
        terminated, waiting = state.get("terminated"), state.get("waiting")
        if isinstance(terminated, dict) and not terminated.get("exitCode"):
            continue
        if text_of(container.get("name")) in sidecars and container.get("started") is True:
            continue
        if isinstance(terminated, dict):
            return f"Init:{_ended(terminated)}"
        waiting_reason = text_of(_object(waiting).get("reason"))
        if waiting_reason and waiting_reason != "PodInitializing":
            return f"Init:{waiting_reason}"
        return f"Init:{index}/{len(inits)}"
    return None


def _containers_reason(containers: _Objects, conditions: _Conditions, reason: str) -> str:
    running = False
    # The first container has the last word, as in kubectl.
    for container in reversed(containers):
        state = container.get("state")
        if not isinstance(state, dict):
            continue
        waiting, terminated = state.get("waiting"), state.get("terminated")
        why = waiting.get("reason") if isinstance(waiting, dict) else None
        if why and isinstance(why, str):
            reason = why
        elif isinstance(terminated, dict):
            reason = _ended(terminated)
        elif container.get("ready") is True and isinstance(state.get("running"), dict):
            running = True
    if reason == "Completed" and running:
        return "Running" if conditions.get("Ready", _NOTHING).get("status") == "True" else "NotReady"
    return reason


def _ended(terminated: dict[str, Any]) -> str:
    reason = text_of(terminated.get("reason"))
    if reason:
        return reason
    signal = terminated.get("signal")
    if type(signal) is int and signal:
        return f"Signal:{signal}"
    return f"ExitCode:{terminated.get('exitCode') or 0}"


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
    status: dict[str, Any],
    conditions: _Conditions,
    containers: _Objects,
) -> tuple[str, str | None]:
    """What is wrong with a pod that is not ready and has not succeeded, in one word, and its message."""
    scheduled = conditions.get("PodScheduled", _NOTHING)
    if scheduled.get("status") == "False" and phase == "Pending":
        return text_of(scheduled.get("reason")) or "Unschedulable", text_of(scheduled.get("message"))
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
    message = message or text_of(conditions.get("Ready", _NOTHING).get("message"))
    return ("NotReady" if reason == "Running" else reason) or "Pending", message
