"""What a workload waits in, and with which priority: the labels and fields of the ecosystem, one small table.

The object's own metadata is looked at first, then the fields that its kind has for a batch scheduler, then
the metadata of the first pod template: schedulers read it from the pods.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from workload_map.engine.objects import Object, api_kind, kind_of, metadata
from workload_map.engine.structure import InstanceDraft
from workload_map.engine.view import Queue

# Label or annotation that names the queue, and the system that reads it.
_QUEUE_SYSTEMS = {
    "kueue.x-k8s.io/queue-name": "kueue",
    "kai.scheduler/queue": "kai",
    "runai/queue": "kai",
    "scheduling.volcano.sh/queue-name": "volcano",
    "volcano.sh/queue-name": "volcano",
    "yunikorn.apache.org/queue": "yunikorn",
    "yunikorn.apache.org/queue-name": "yunikorn",
}

# Label that names the priority class where it is not that of the pods.
_PRIORITY_KEYS = ("kueue.x-k8s.io/priority-class", "priorityClassName")


class _Fields(NamedTuple):
    """Where a kind says what a batch scheduler is to know; `system` names another one than Volcano."""

    queue: tuple[str, ...]
    priority: tuple[str, ...] = ()
    system: tuple[str, ...] = ()


_POLICY = ("spec", "runPolicy", "schedulingPolicy")
_OF_KUBEFLOW = _Fields((*_POLICY, "queue"), (*_POLICY, "priorityClass"))
_FIELDS = {
    ("batch.volcano.sh", "Job"): _Fields(("spec", "queue"), ("spec", "priorityClassName")),
    ("sparkoperator.k8s.io", "SparkApplication"): _Fields(
        ("spec", "batchSchedulerOptions", "queue"), system=("spec", "batchScheduler")
    ),
    **{
        ("kubeflow.org", kind): _OF_KUBEFLOW
        for kind in ("JAXJob", "MPIJob", "PaddleJob", "PyTorchJob", "TFJob", "XGBoostJob")
    },
}
_KINDS_WITH_FIELDS = frozenset(kind for _, kind in _FIELDS)

_QUEUE_KEYS = tuple(_QUEUE_SYSTEMS)
_ALL_KEYS = frozenset((*_QUEUE_KEYS, *_PRIORITY_KEYS))

WORDS = _ALL_KEYS | {*_QUEUE_SYSTEMS.values()}
"""What is looked for in objects: the keys, and the systems that fields name."""


def find_waiting(
    obj: Object, instances: Sequence[InstanceDraft], suspended: bool | None
) -> tuple[Queue | None, str | None]:
    """The queue of a workload, and the name of its priority class; None for what it does not have.

    Args:
        obj: The workload.
        instances: Its instances, with their pod templates.
        suspended: What the spec asks for, None where the kind cannot be suspended. Kueue admits by resuming
            (kueue, `jobframework`), so for it `admitted` is known; other systems do not say it on the object.
    """
    holders = _holders(metadata(obj))
    queue = _entry(holders, _QUEUE_KEYS) if holders else None
    priority = _entry(holders, _PRIORITY_KEYS) if holders else None
    if obj["kind"] in _KINDS_WITH_FIELDS:
        in_fields = _in_fields(obj)
        queue, priority = queue or in_fields[0], priority or in_fields[1]
    for one in instances:
        spec = one.spec
        if queue is None and spec is not None and spec.metadata:
            queue = _entry(_holders(spec.metadata), _QUEUE_KEYS)
        if priority is None and spec is not None and spec.spec:
            given = spec.spec.get("priorityClassName")
            priority = ("", given) if given and isinstance(given, str) else None
    found = None
    if queue is not None:
        system = _QUEUE_SYSTEMS.get(queue[0], queue[0])
        found = Queue(queue[1], system, None if suspended is None or system != "kueue" else not suspended)
    return found, priority[1] if priority is not None else None


def _in_fields(obj: Object) -> tuple[tuple[str, str] | None, tuple[str, str] | None]:
    """As `_entry`, for the queue (with its system in place of a key) and the priority."""
    fields = _FIELDS.get(kind_of(*api_kind(obj)))
    if fields is None:
        return None, None
    queue, priority, system = (_text(obj, steps) for steps in fields)
    return (system or "volcano", queue) if queue else None, ("", priority) if priority else None


def _text(value: Any, steps: tuple[str, ...]) -> str | None:
    """The text at a place; None where there is none."""
    for step in steps:
        value = value.get(step) if isinstance(value, dict) else None
    return value if isinstance(value, str) else None


def _holders(meta: Object) -> list[Object]:
    """The labels and the annotations, those that have any of the keys; most objects have none of them."""
    labels, annotations = meta.get("labels"), meta.get("annotations")
    found = []
    if isinstance(labels, dict) and not _ALL_KEYS.isdisjoint(labels):
        found.append(labels)
    if isinstance(annotations, dict) and not _ALL_KEYS.isdisjoint(annotations):
        found.append(annotations)
    return found


def _entry(holders: list[Object], keys: tuple[str, ...]) -> tuple[str, str] | None:
    """The first of these keys that is there with a text, labels before annotations."""
    for key in keys:
        for entries in holders:
            name = entries.get(key)
            if name and isinstance(name, str):
                return key, name
    return None
