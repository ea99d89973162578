"""A small right definition that tests change in one place."""

from __future__ import annotations

import copy
from typing import Any

import pytest

BASE: dict[str, Any] = {
    "apiVersion": "run.ai/v1alpha1",
    "kind": "Karta",
    "metadata": {"name": "example-train-v1"},
    "spec": {
        "structureDefinition": {
            "rootComponent": {
                "name": "train",
                "kind": {"group": "example.org", "version": "v1", "kind": "Train"},
                "statusDefinition": {
                    "conditionsDefinition": {"path": ".status.conditions"},
                    "statusMappings": {
                        "running": [{"byConditions": [{"type": "Running", "status": "True"}]}],
                        "failed": [{"byConditions": [{"type": "Failed", "status": "True"}]}],
                    },
                },
            },
            "childComponents": [
                {
                    "name": "wagon",
                    "ownerRef": "train",
                    "kind": {"group": "batch", "version": "v1", "kind": "Job"},
                    "specDefinition": {"podTemplateSpecPath": ".spec.wagons[].template"},
                    "scaleDefinition": {"replicasPath": ".spec.wagons[].replicas"},
                    "instanceIdPath": ".spec.wagons[].name",
                    "podSelector": {
                        "componentTypeSelector": {"keyPath": '.metadata.labels["wagon"]'},
                        "componentInstanceSelector": {"idPath": '.metadata.labels["wagon"]'},
                    },
                },
            ],
        },
    },
}


@pytest.fixture
def base() -> dict[str, Any]:
    """A definition that is right, as a document's value; a copy for each test."""
    return copy.deepcopy(BASE)


@pytest.fixture
def root(base: dict[str, Any]) -> dict[str, Any]:
    """The root component of `base`."""
    found: dict[str, Any] = base["spec"]["structureDefinition"]["rootComponent"]
    return found


@pytest.fixture
def child(base: dict[str, Any]) -> dict[str, Any]:
    """The child component of `base`."""
    found: dict[str, Any] = base["spec"]["structureDefinition"]["childComponents"][0]
    return found
