"""What a workload waits in, and with which priority: the labels and fields of the ecosystem, one small table.

The object's own metadata is looked at first, then that of the first pod template: schedulers read it from
the pods.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from workload_map.engine.objects import Object, metadata, text_of
from workload_map.engine.specs import PodSpec
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


class _Keys(NamedTuple):
    """Keys in the order in which they count; most objects have none of them, which the set tells at once."""

    ordered: tuple[str, ...]
    all: frozenset[str]


_QUEUES = _Keys(tuple(_QUEUE_SYSTEMS), frozenset(_QUEUE_SYSTEMS))
_PRIORITIES = _Keys(_PRIORITY_KEYS, frozenset(_PRIORITY_KEYS))


def find_queue(obj: Object, templates: Sequence[PodSpec], suspended: bool | None) -> Queue | None:
    """The queue of a workload, or None.

    Args:
        obj: The workload.
        templates: Its pod templates.
        suspended: What the spec asks for, None where the kind cannot be suspended. Kueue admits by resuming
            (kueue, `jobframework`), so for it `admitted` is known; other systems do not say it on the object.
    """
    found = _entry(metadata(obj), _QUEUES)
    if found is None:
        for template in templates:
            found = found or _entry(template.metadata, _QUEUES)
        if found is None:
            return None
    key, name = found
    system = _QUEUE_SYSTEMS[key]
    admitted = None if suspended is None or system != "kueue" else not suspended
    return Queue(name=name, system=system, admitted=admitted)


def find_priority(obj: Object, templates: Sequence[PodSpec]) -> str | None:
    """The name of the priority class of a workload, or None: its label, else that of the first pod spec."""
    found = _entry(metadata(obj), _PRIORITIES)
    if found is not None:
        return found[1]
    for template in templates:
        given = template.spec.get("priorityClassName") if template.spec else None
        if given and isinstance(given, str):
            return given
    return None


def _entry(meta: Object | None, keys: _Keys) -> tuple[str, str] | None:
    """The first of these keys that is there with a text, labels before annotations."""
    if not meta:
        return None
    labels, annotations = meta.get("labels"), meta.get("annotations")
    holders = []
    if isinstance(labels, dict) and not keys.all.isdisjoint(labels):
        holders.append(labels)
    if isinstance(annotations, dict) and not keys.all.isdisjoint(annotations):
        holders.append(annotations)
    for key in keys.ordered if holders else ():
        for entries in holders:
            name = text_of(entries.get(key))
            if name:
                return key, name
    return None
