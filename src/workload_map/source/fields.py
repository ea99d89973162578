"""Which fields of an object are kept: those that the engine reads of every kind, and those that paths read.

Most of a pod or a pod template (environment, volumes, probes, tolerations) answers no question here. Left out
while decoding, it takes neither time nor room. Where a path goes over an object in a way that cannot be
foreseen, that part of the object is kept whole; so is an object in which something is not as it was expected.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any, Literal, TypedDict

import msgspec

from workload_map import path
from workload_map.definition import Definition
from workload_map.definition.slots import Expression, On, expressions
from workload_map.path import ReadPattern

Tree = dict[str, "Tree | None"]
"""Fields by name, `*` for the elements of a list or a map; None: everything below is kept."""

# All of `ObjectMeta` but `managedFields`, which tell who changed what.
_METADATA: Tree = dict.fromkeys(
    [
        "name",
        "generateName",
        "namespace",
        "uid",
        "resourceVersion",
        "generation",
        "creationTimestamp",
        "deletionTimestamp",
        "labels",
        "annotations",
        "ownerReferences",
        "finalizers",
    ]
)
_CONTAINER: Tree = dict.fromkeys(["name", "image", "restartPolicy", "resources"])
_POD_SPEC: Tree = {
    "containers": {"*": _CONTAINER},
    "initContainers": {"*": _CONTAINER},
    **dict.fromkeys(["resources", "overhead", "resourceClaims", "priorityClassName", "schedulerName"]),
}
_STATE: Tree = {
    "waiting": {"reason": None, "message": None},
    "running": {},
    "terminated": {"reason": None, "message": None, "exitCode": None, "signal": None},
}
_CONTAINER_STATUS: Tree = {
    **dict.fromkeys(["name", "ready", "started", "restartCount"]),
    "state": _STATE,
    "lastState": _STATE,
}
_CONDITION: Tree = dict.fromkeys(["type", "status", "reason", "message", "observedGeneration"])
# Besides the metadata: where kinds name a queue and a priority, and whether a status is old.
_OF_EVERY_KIND: Tree = {
    "metadata": _METADATA,
    "spec": {
        "queue": None,
        "priorityClassName": None,
        "batchScheduler": None,
        "batchSchedulerOptions": {"queue": None},
        "runPolicy": {"schedulingPolicy": {"queue": None, "priorityClass": None}},
    },
    "status": {"observedGeneration": None},
}
_OF_PODS: Tree = {
    "metadata": _METADATA,
    "spec": {**_POD_SPEC, "nodeName": None},
    "status": {
        **dict.fromkeys(["phase", "reason", "message", "observedGeneration"]),
        "conditions": {"*": _CONDITION},
        "containerStatuses": {"*": _CONTAINER_STATUS},
        "initContainerStatuses": {"*": _CONTAINER_STATUS},
    },
}
_MOST_SHARED = 50_000
# What the engine reads below the output of a path, by the field of the definition that the path stands in.
_BELOW: dict[object, Tree] = {
    "podSpecPath": _POD_SPEC,
    "podTemplateSpecPath": {"metadata": _METADATA, "spec": _POD_SPEC},
}
# A path that only leads somewhere, so that nothing but the place it leads to is looked at.
_PLAIN = re.compile(r"\.|(?:\.[A-Za-z_]\w*(?:\[\])?)+")


def fields_of(definition: Definition) -> Tree | None:
    """The fields of the objects of a kind that count for its view; None: all of them."""
    tree: Tree | None = _copied(_OF_EVERY_KIND)
    for expression, reads in _expressions(definition, "workload"):
        # How pods are placed together is no part of the view.
        if "optimizationInstructions" not in expression.steps:
            tree = _with(tree, expression, reads)
    return tree


def pod_fields(definitions: Iterable[Definition]) -> Tree | None:
    """The fields of pods that count for these definitions, also as workloads; None: all of them."""
    tree: Tree | None = _copied(_OF_PODS)
    for definition in definitions:
        kind = definition.root.kind
        is_of_pods = kind is not None and (kind.group, kind.kind) == ("", "Pod")
        for expression, reads in _expressions(definition, None if is_of_pods else "pod"):
            tree = _with(tree, expression, reads)
    return tree


def object_type(tree: Tree, *kind: str) -> Any:
    """The type by which an object is decoded into these fields; `msgspec` passes over the others.

    Args:
        tree: The fields.
        kind: The `apiVersion` and kind that the object must have; none, where it need not say them.
    """
    said = {name: Literal[word] for name, word in zip(("apiVersion", "kind"), kind, strict=False)}
    return _dict_type(tree, "Object", **said)


class Sharing:
    """Lets pods that say the same of their containers and their status have that in common.

    That halves the room they take, and what it says is worked out once. Objects are never changed, so nobody
    can tell.
    """

    def __init__(self) -> None:
        self._known: dict[bytes, tuple[Any, Any, Any]] = {}

    def pod(self, value: Any) -> None:
        """Take over what an earlier pod has in the same form."""
        status, spec = value.get("status"), value.get("spec")
        containers = spec.get("containers") if spec else None
        if not status or not containers:
            return
        inits = spec.get("initContainers")
        try:
            key = msgspec.msgpack.encode((status, containers, inits))  # in bytes 1 and True are two
        except OverflowError:  # of a number that is too large for these bytes
            return
        known = self._known.get(key)
        if known is None:
            if len(self._known) < _MOST_SHARED:
                self._known[key] = status, containers, inits
            return
        value["status"], spec["containers"], inits = known
        if inits is not None:
            spec["initContainers"] = inits


def _expressions(definition: Definition, on: On | None) -> Iterator[tuple[Expression, Sequence[ReadPattern]]]:
    """Its expressions with what each may read; those that do not compile read nothing, the engine says so."""
    references = tuple(reference.name for reference in definition.spec.structure_definition.references)
    for expression in expressions(definition):
        if on not in (None, expression.slot.on):
            continue
        variables = references if expression.sees_references else ()
        # Compiled as the engine does, which then finds it done.
        with suppress(path.PathSyntaxError):
            yield expression, path.compile(expression.text, variables=variables, null_is_empty=True).reads


def _with(tree: Tree | None, expression: Expression, reads: Sequence[ReadPattern]) -> Tree | None:
    """The fields, and those that an expression reads."""
    below = _BELOW.get(expression.steps[-1]) if _PLAIN.fullmatch(expression.text.strip()) else None
    for pattern in reads:
        steps = ["*" if step is None else step for step in pattern.steps]
        tree = _kept(tree, steps, below)
    return tree


def _kept(tree: Tree | None, steps: list[str], below: Tree | None) -> Tree | None:
    """The fields with one more place, and what is kept below it."""
    if tree is None or not steps:
        return None if tree is None or below is None else _merged(tree, below)
    step, rest = steps[0], steps[1:]
    if tree and (step == "*") != ("*" in tree):
        return None  # some fields by name and all of them: which of the two it is, is not worth telling
    tree[step] = _kept(tree.get(step, {}), rest, below)
    return tree


def _merged(tree: Tree, other: Tree) -> Tree | None:
    if tree and other and ("*" in tree) != ("*" in other):
        return None
    for name, below in other.items():
        known = tree.get(name, {})
        tree[name] = None if known is None or below is None else _merged(known, below)
    return tree


def _copied(tree: Tree) -> Tree:
    return {name: None if below is None else _copied(below) for name, below in tree.items()}


def _type(tree: Tree | None, name: str) -> Any:
    if tree is None:
        return Any
    if "*" in tree:
        element = _type(tree["*"], name)
        return list[element] | dict[str, element] | None  # type: ignore[valid-type]  # a type made here
    return _dict_type(tree, name) | None


def _dict_type(tree: Tree, name: str, **more: Any) -> Any:
    fields = {field: _type(below, f"{name}_{field}") for field, below in tree.items()}
    return TypedDict(name, fields | more, total=False)  # type: ignore[operator]  # a type made here
