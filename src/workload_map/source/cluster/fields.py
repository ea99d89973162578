"""Which fields of a pod are kept: those that the engine reads, and those that some definition reads besides.

Most of a pod (environment, volumes, probes, tolerations) answers no question here. Left out while decoding,
it takes neither time nor room. A definition whose paths go over pods in a way that cannot be foreseen makes
its part of the pod be kept whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypedDict

import msgspec

from workload_map import path
from workload_map.definition import Definition
from workload_map.definition.slots import Expression, expressions
from workload_map.source.cluster.lists import Decode, Page, whole

Tree = dict[str, "Tree | None"]
"""Fields by name, `*` for the elements of a list; None: everything below is kept."""

_CONTAINER: Tree = {"name": None, "image": None, "restartPolicy": None, "resources": None}
_CONTAINER_STATUS: Tree = {
    "name": None,
    "ready": None,
    "started": None,
    "restartCount": None,
    "state": None,
    "lastState": None,
}
# What `engine` reads of every pod (`pod_status`, `resources`, `queues`, `owners`, `adoption`).
_OF_THE_ENGINE: Tree = {
    "metadata": {
        "name": None,
        "generateName": None,
        "namespace": None,
        "uid": None,
        "labels": None,
        "annotations": None,
        "ownerReferences": None,
        "creationTimestamp": None,
        "deletionTimestamp": None,
        "generation": None,
    },
    "spec": {
        "nodeName": None,
        "priorityClassName": None,
        "schedulerName": None,
        "containers": {"*": _CONTAINER},
        "initContainers": {"*": _CONTAINER},
        "resources": None,
        "overhead": None,
        "resourceClaims": None,
    },
    "status": {
        "phase": None,
        "reason": None,
        "message": None,
        "conditions": {"*": {"type": None, "status": None, "reason": None, "message": None}},
        "containerStatuses": {"*": _CONTAINER_STATUS},
        "initContainerStatuses": {"*": _CONTAINER_STATUS},
    },
}
# Of these the engine reads no more than it reads of every pod.
_POD_SLOTS = frozenset(["pod_spec_path", "pod_template_spec_path", "metadata_path"])


def pod_fields(definitions: Iterable[Definition]) -> Tree | None:
    """The fields of pods that count for these definitions; None: all of them."""
    tree = _copied(_OF_THE_ENGINE)
    for text in _read_on_pods(definitions):
        for pattern in path.check(text).reads:
            steps = ["*" if step is None else step for step in pattern.steps]
            if not steps and pattern.below:
                return None
            if steps:
                _keep(tree, steps)
    return tree


def decoder(tree: Tree | None) -> Decode:
    """Decodes pages of pods into those fields; a page that is not as the API has it, whole."""
    if tree is None:
        return whole
    narrow = msgspec.json.Decoder(Page[_type(tree, "Pod")])  # type: ignore[misc]  # a type made here

    def decode(data: bytes) -> Page[Any]:
        try:
            page: Page[Any] = narrow.decode(data)
            return page
        except msgspec.ValidationError:
            return whole(data)

    return decode


def _read_on_pods(definitions: Iterable[Definition]) -> Iterator[str]:
    for definition in definitions:
        kind = definition.root.kind
        is_of_pods = kind is not None and (kind.group, kind.kind) == ("", "Pod")
        for expression in expressions(definition):
            if expression.slot.on == "pod" or (is_of_pods and not _is_pod_itself(expression)):
                yield expression.text


def _is_pod_itself(expression: Expression) -> bool:
    """Whether an expression only says where the pod spec of a pod is."""
    return expression.steps[-1] in _NAMES and expression.text.strip() in (".", ".spec", ".metadata")


_NAMES = frozenset(
    "".join(part.title() if number else part for number, part in enumerate(name.split("_")))
    for name in _POD_SLOTS
)


def _keep(tree: Tree, steps: list[str]) -> None:
    """Add a place, with all below it."""
    here = tree
    for number, step in enumerate(steps):
        if step == "*" and "*" not in here:
            # Elements of what is not known to be a list, or keys of a map: all of it.
            return _keep(tree, steps[:number]) if number else None
        below = here.get(step, {})
        if below is None:
            return None
        if number == len(steps) - 1 or not isinstance(below, dict):
            here[step] = None
            return None
        here = here.setdefault(step, {}) or {}
    return None


def _copied(tree: Tree) -> Tree:
    return {name: None if below is None else _copied(below) for name, below in tree.items()}


def _type(tree: Tree | None, name: str) -> Any:
    if tree is None:
        return Any
    if "*" in tree:
        return list[_type(tree["*"], name)] | None  # type: ignore[misc]  # a type made here
    fields = {field: _type(below, f"{name}_{field}") for field, below in tree.items()}
    return TypedDict(name, fields, total=False) | None  # type: ignore[operator]  # a type made here
