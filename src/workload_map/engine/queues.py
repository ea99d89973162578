"""What a workload waits in, and with which priority: the labels and fields of the ecosystem, one small table.

The object's own metadata is looked at first, then that of the first pod template: schedulers read it from
the pods.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from workload_map.engine.objects import Object, metadata, text_of
from workload_map.engine.view import Queue

# Label or annotation that names the queue, and the system that reads it.
_QUEUE_KEYS = (
    ("kueue.x-k8s.io/queue-name", "kueue"),
    ("kai.scheduler/queue", "kai"),
    ("runai/queue", "kai"),
    ("scheduling.volcano.sh/queue-name", "volcano"),
    ("volcano.sh/queue-name", "volcano"),
    ("yunikorn.apache.org/queue", "yunikorn"),
    ("yunikorn.apache.org/queue-name", "yunikorn"),
)

# Label that names the priority class where it is not that of the pods.
_PRIORITY_KEYS = ("kueue.x-k8s.io/priority-class", "priorityClassName")


def find_queue(obj: Object, templates: Iterable[Object | None], suspended: bool | None) -> Queue | None:
    """The queue of a workload, or None.

    Args:
        obj: The workload.
        templates: Metadata of its pod templates.
        suspended: What the spec asks for, None where the kind cannot be suspended. Kueue admits by resuming
            (kueue, `jobframework`), so for it `admitted` is known; other systems do not say it on the object.
    """
    for meta in (metadata(obj), *templates):
        for key, system in _QUEUE_KEYS:
            name = _entry(meta, key)
            if name:
                admitted = None if suspended is None or system != "kueue" else not suspended
                return Queue(name=name, system=system, admitted=admitted)
    return None


def find_priority(obj: Object, specs: Iterable[Object | None]) -> str | None:
    """The name of the priority class of a workload, or None: its label, else that of the first pod spec."""
    for key in _PRIORITY_KEYS:
        name = _entry(metadata(obj), key)
        if name:
            return name
    for spec in specs:
        name = text_of(spec.get("priorityClassName")) if spec else None
        if name:
            return name
    return None


def _entry(meta: Object | None, key: str) -> str | None:
    for field in ("labels", "annotations"):
        entries: Any = meta.get(field) if meta else None
        name = text_of(entries.get(key)) if isinstance(entries, dict) else None
        if name:
            return name
    return None
