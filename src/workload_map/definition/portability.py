"""Definitions without this project's extensions, for other readers of the base schema."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from workload_map.definition import schema
from workload_map.definition.findings import field_text
from workload_map.definition.schema import Definition

# Each extension, and what is not known or done where a reader does not know it.
EXTENSIONS: dict[tuple[type, str], str] = {
    (schema.GroupVersionKind, "versions"): "objects of these versions are not covered",
    (schema.Component, "presentPath"): "the role is not seen where the object holds no pod spec of it",
    (schema.Component, "parentInstancePath"): "instances hang below all instances of their parent",
    (schema.Component, "objectPath"): "the manifests inside are not seen, nor their pods",
    (schema.SpecDefinition, "injectedContainersPath"): "what these containers need is not counted",
    (schema.SpecDefinition, "incompleteWhen"): "what pods need is counted although it is not all there",
    (schema.SpecDefinition, "accelerators"): "these accelerators are not counted",
    (schema.FragmentedPodSpec, "nodeSelectorPath"): "the node selector can be neither read nor changed",
    (schema.FragmentedPodSpec, "tolerationsPath"): "tolerations can be neither read nor changed",
    (schema.FragmentedPodSpec, "initContainersPath"): "what init containers need is not counted",
    (schema.FragmentedPodSpec, "envPath"): "the environment can be neither read nor changed",
    (schema.FragmentedPodSpec, "resourceNamesPath"): "these resources are not counted",
    (schema.ScaleDefinition, "defaults"): "an absent count is unknown",
    (schema.ScaleDefinition, "podsPerReplicaPath"): "a replica counts as one pod",
    (schema.ScaleDefinition, "perParent"): "counts are taken for those of the whole workload",
    (schema.ScaleDefinition, "suspendedPath"): "an instance that is suspended on its own counts as if it ran",
    (schema.StatusDefinition, "messagePath"): "no message stands beside the phase",
    (schema.StatusDefinition, "restartsPath"): "restarts of the workload are not shown",
    (schema.PodSelector, "ownership"): "pods without owner references are not found",
    (schema.PodSelector, "workloadPath"): "pods without owner references are not found",
    (schema.PodSelector, "parentInstancePath"): "pods hang below all instances of the parent",
    (schema.StructureDefinition, "references"): "paths cannot read other objects; those that do fail",
    (schema.GangScheduling, "groups"): "pods are not grouped, unless another form says how",
}


class Loss(NamedTuple):
    """What a definition loses with an extension.

    Attributes:
        location: The field that is left out.
        consequence: What is not known or done without it.
    """

    location: str
    consequence: str


def portable(definition: Definition) -> tuple[Definition, list[Loss]]:
    """A definition without extensions, as the base schema knows it.

    Returns:
        The definition, and what it loses: nothing if it uses no extension.
    """
    losses: list[Loss] = []
    return _without_extensions(definition, (), losses), losses


def _without_extensions(value: Any, steps: tuple[str | int, ...], losses: list[Loss]) -> Any:
    if isinstance(value, tuple):
        return tuple(_without_extensions(each, (*steps, index), losses) for index, each in enumerate(value))
    if not isinstance(value, msgspec.Struct):
        return value
    changed = {}
    for field in msgspec.structs.fields(value):
        inner = getattr(value, field.name)
        where = (*steps, field.encode_name)
        consequence = EXTENSIONS.get((type(value), field.encode_name))
        if consequence is None:
            changed[field.name] = _without_extensions(inner, where, losses)
        elif inner != field.default:
            losses.append(Loss(field_text(where), consequence))
            changed[field.name] = field.default
    return msgspec.structs.replace(value, **changed)
