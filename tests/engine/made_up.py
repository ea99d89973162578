"""Definitions of made-up kinds, and objects and pods for them: short, so that a test shows its point."""

from __future__ import annotations

from typing import Any

import msgspec
import yaml

from workload_map.definition import DefinitionSet, Layer
from workload_map.definition.schema import Definition
from workload_map.engine import Workload, resolve

Object = dict[str, Any]


def definition(structure: str, *, name: str = "made-up", kind: str = "Thing") -> Definition:
    """A definition of `x.io/v1 Thing` (or another kind) from the YAML of its components.

    `structure` is the body of `structureDefinition`; the root gets a kind, a name and an empty status
    definition where it does not say its own.
    """
    body: Object = yaml.safe_load(structure) or {}
    root = body.setdefault("rootComponent", {})
    root.setdefault("name", "root")
    root.setdefault("kind", {"group": "x.io", "version": "v1", "kind": kind})
    root.setdefault("statusDefinition", {"statusMappings": {}})
    for child in body.get("childComponents", ()):
        child.setdefault("ownerRef", root["name"])
    document = {
        "apiVersion": "run.ai/v1alpha1",
        "kind": "Karta",
        "metadata": {"name": name},
        "spec": {"structureDefinition": body},
    }
    return msgspec.convert(document, Definition)


def definitions(*items: Definition) -> DefinitionSet:
    """A set of one layer."""
    return DefinitionSet([Layer.of(items, "file")])


def thing(spec: Any = None, *, status: Any = None, kind: str = "Thing", **meta: Any) -> Object:
    """An object of the made-up kind; a status of None is absent."""
    return of_kind("x.io/v1", kind, spec, status, **meta)


def of_kind(api_version: str, kind: str, spec: Any = None, status: Any = None, **meta: Any) -> Object:
    """An object of any kind; a status of None is absent."""
    obj: Object = {
        "apiVersion": api_version,
        "kind": kind,
        "metadata": {"name": "t", "namespace": "n", "uid": "uid-t", **meta},
        "spec": {} if spec is None else spec,
    }
    if status is not None:
        obj["status"] = status
    return obj


def template(gpus: int | None = None, *, cpu: str | None = None, image: str = "app:1") -> Object:
    """A pod template with one container."""
    amounts: Object = {}
    if gpus is not None:
        amounts["nvidia.com/gpu"] = gpus
    if cpu is not None:
        amounts["cpu"] = cpu
    return {"spec": {"containers": [{"name": "main", "image": image, "resources": {"limits": amounts}}]}}


def pod(
    name: str, *, owner: str = "uid-t", ready: bool = True, phase: str = "Running", **labels: str
) -> Object:
    """A pod that the made-up object controls; the labels are given as they are."""
    reference = {"apiVersion": "x.io/v1", "kind": "Thing", "name": "t", "uid": owner, "controller": True}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": name,
            "namespace": "n",
            "uid": f"uid-{name}",
            "labels": labels,
            "ownerReferences": [reference],
        },
        "spec": {"nodeName": "node-1", **template(1)["spec"]},
        "status": {"phase": phase, "conditions": [{"type": "Ready", "status": "True" if ready else "False"}]},
    }


def view(structure: str, obj: Object, pods: list[Object] | None = None, **options: Any) -> Workload:
    """The view of an object by a made-up definition."""
    return resolve(obj, definitions(definition(structure)), pods=pods, **options)


def codes(workload: Workload) -> list[str]:
    """The codes of the problems, in their order."""
    return [problem.code for problem in workload.problems]
