"""A made-up framework: a Farm makes a Batch (its own kind) a role, and each Batch makes pods."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from workload_map.definition import DefinitionSet, load_objects
from workload_map.engine import OwnerIndex
from workload_map.engine.checking import Check, check

DEFINITION: dict[str, Any] = {
    "apiVersion": "run.ai/v1alpha1",
    "kind": "Karta",
    "metadata": {"name": "farm"},
    "spec": {
        "structureDefinition": {
            "rootComponent": {
                "name": "farm",
                "kind": {"group": "farm.test", "version": "v1", "kind": "Farm"},
                "statusDefinition": {
                    "phaseDefinition": {"path": ".status.state"},
                    "statusMappings": {
                        "running": [{"byPhase": "Up"}],
                        "initializing": [{"byPhase": "Starting"}],
                        "suspended": [{"byPhase": "Paused"}],
                    },
                },
            },
            "childComponents": [
                {
                    "name": "role",
                    "ownerRef": "farm",
                    "kind": {"group": "farm.test", "version": "v1", "kind": "Batch"},
                    "instanceIdPath": ".spec.roles[].name",
                    "specDefinition": {"podTemplateSpecPath": ".spec.roles[].template"},
                    "scaleDefinition": {"replicasPath": ".spec.roles[].count"},
                    "podSelector": {
                        "componentTypeSelector": {
                            "keyPath": '.metadata.labels["farm.test/part"]',
                            "value": "role",
                        },
                        "componentInstanceSelector": {"idPath": '.metadata.labels["farm.test/role"]'},
                    },
                }
            ],
        }
    },
}
SPEC = {
    "containers": [
        {"name": "main", "resources": {"requests": {"cpu": "2"}, "limits": {"nvidia.com/gpu": "1"}}}
    ]
}


def owned(kind: str, version: str, name: str, owner: dict[str, Any] | None, **more: Any) -> dict[str, Any]:
    """An object that another one controls."""
    meta: dict[str, Any] = {"name": name, "namespace": "lab", "uid": name}
    if owner is not None:
        reference = {
            "apiVersion": owner["apiVersion"],
            "kind": owner["kind"],
            "name": owner["metadata"]["name"],
        }
        meta["ownerReferences"] = [{**reference, "uid": owner["metadata"]["uid"], "controller": True}]
    return {"apiVersion": version, "kind": kind, "metadata": meta, **more}


def world(counts: dict[str, int], state: str = "Up") -> list[dict[str, Any]]:
    """A Farm as its controller would make it: roles with so many pods, all ready."""
    roles = [{"name": name, "count": count, "template": {"spec": SPEC}} for name, count in counts.items()]
    farm = owned("Farm", "farm.test/v1", "farm", None, spec={"roles": roles}, status={"state": state})
    objects = [farm]
    for name, count in counts.items():
        batch = owned("Batch", "farm.test/v1", f"farm-{name}", farm)
        objects.append(batch)
        for number in range(count):
            status = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}
            pod = owned("Pod", "v1", f"farm-{name}-{number}", batch, spec=deepcopy(SPEC), status=status)
            pod["spec"]["nodeName"] = "n"
            pod["metadata"]["labels"] = {"farm.test/part": "role", "farm.test/role": name}
            objects.append(pod)
    return objects


def check_farm(objects: list[dict[str, Any]], definition: dict[str, Any] = DEFINITION) -> Check:
    """The trial of a definition on the first of the objects."""
    layer, findings = load_objects([definition])
    assert findings == []
    return check(objects[0], DefinitionSet([layer]), OwnerIndex(objects))


def component(definition: dict[str, Any]) -> dict[str, Any]:
    """The role in a definition, to be changed."""
    found: dict[str, Any] = definition["spec"]["structureDefinition"]["childComponents"][0]
    return found
