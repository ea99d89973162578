"""Whether a selector of a definition takes a pod."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from workload_map.engine.fields import Field
from workload_map.engine.objects import Object, metadata
from workload_map.engine.plan import SelectorPlan


def is_selected(selector: SelectorPlan, pod: Object, first: Callable[[Field, Object], Any]) -> bool:
    """Whether the type selector of a component takes a pod: all labels are equal, and the key is there.

    Args:
        selector: A selector that has a type selector.
        pod: The pod.
        first: Gives the first output of a field on the pod.
    """
    if selector.type_labels:
        labels = metadata(pod).get("labels")
        labels = labels if isinstance(labels, dict) else {}
        if any(labels.get(name) != value for name, value in selector.type_labels.items()):
            return False
    if selector.type_key is None:
        return bool(selector.type_labels)
    found = first(selector.type_key, pod)
    return found is not None if selector.type_value is None else bool(found == selector.type_value)
