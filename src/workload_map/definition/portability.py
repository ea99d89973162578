"""Definitions without this project's extensions, for other readers of the base schema.

Leaving fields out is not all: a path may name an object that a reference looks up, and ids may be those of
whole manifests inside, which other readers refuse. Both are mended, so that what is written loads everywhere.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import msgspec

from workload_map.definition import schema
from workload_map.definition.findings import Steps, field_text
from workload_map.definition.schema import Component, Definition
from workload_map.definition.slots import SLOTS

# Each extension, and what is not known or done where a reader does not know it.
EXTENSIONS: dict[tuple[type, str], str] = {
    (schema.GroupVersionKind, "versions"): "objects of these versions are not covered",
    (schema.Component, "presentPath"): "the role is not seen where the object holds no pod spec of it",
    (schema.Component, "parentInstancePath"): "instances hang below all instances of their parent",
    (schema.Component, "objectPath"): "the manifests inside are not seen, nor their pods",
    (schema.SpecDefinition, "injectedContainersPath"): "what these containers need is not counted",
    (schema.SpecDefinition, "injectedInitContainersPath"): "what these init containers need is not counted",
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
    (schema.ScaleDefinition, "keepsWithinBounds"): "a count outside of its bounds counts as it is",
    (schema.ScaleDefinition, "suspendedPath"): "an instance that is suspended on its own counts as if it ran",
    (schema.StatusDefinition, "messagePath"): "no message stands beside the phase",
    (schema.StatusDefinition, "restartsPath"): "restarts of the workload are not shown",
    (schema.PodSelector, "ownership"): "pods without owner references are not found",
    (schema.PodSelector, "workloadPath"): "pods without owner references are not found",
    (schema.PodSelector, "parentInstancePath"): "pods hang below all instances of the parent",
    (schema.StructureDefinition, "references"): "paths that read other objects read as where none is at hand",
    (schema.GangScheduling, "groups"): "pods are not grouped, unless another form says how",
}


_HOLDERS = (schema.GangScheduling, schema.OptimizationInstructions)
"""What may not be empty, and so goes with the last extension in it."""


_LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"


class Loss(NamedTuple):
    """What a definition loses with an extension.

    Attributes:
        location: The field that is left out.
        consequence: What is not known or done without it.
    """

    location: str
    consequence: str


def portable(definition: Definition) -> tuple[Definition, list[Loss]]:
    """A definition without extensions, as the base schema knows it, and without what a cluster keeps of it.

    Returns:
        The definition, and what it loses: nothing if it uses no extension.
    """
    writer = _Writer(definition)
    return _alone(writer.write(definition, ())), writer.losses


def _alone(definition: Definition) -> Definition:
    """Without what controllers say of it, and without the copy of itself that `kubectl apply` keeps in it."""
    metadata = definition.metadata
    own = {key: text for key, text in metadata.annotations.items() if key != _LAST_APPLIED}
    return msgspec.structs.replace(
        definition, metadata=msgspec.structs.replace(metadata, annotations=own), status=None
    )


class _Writer:
    """Writes one definition.

    Args:
        definition: The definition.

    Attributes:
        losses: What was left out so far.
    """

    def __init__(self, definition: Definition) -> None:
        references = definition.spec.structure_definition.references
        self._nothing = {one.name: "[]" if one.list is not None else "null" for one in references}
        """What stands for each reference where nothing was found."""
        self.losses: list[Loss] = []

    def write(self, value: Any, steps: Steps) -> Any:
        """A part of the definition without extensions."""
        if isinstance(value, tuple):
            return tuple(self.write(each, (*steps, index)) for index, each in enumerate(value))
        if not isinstance(value, msgspec.Struct):
            return value
        changed = {}
        for field in msgspec.structs.fields(value):
            inner = getattr(value, field.name)
            where = (*steps, field.encode_name)
            consequence = _consequence(value, field.encode_name)
            slot = SLOTS.get((type(value), field.name))
            if consequence is not None:
                if inner != field.default:
                    self.losses.append(Loss(field_text(where), consequence))
                    changed[field.name] = field.default
            elif slot is not None and slot.on == "workload" and inner is not None:
                changed[field.name] = self._bound(inner)
            else:
                changed[field.name] = self.write(inner, where)
        written = msgspec.structs.replace(value, **changed)
        gone = isinstance(value, _HOLDERS) and written != value and written == type(value)()
        return None if gone else written

    def _bound(self, text: str) -> str:
        """A path with the references that it reads bound to what they are where nothing was found."""
        read = [name for name in self._nothing if re.search(rf"\${name}\b", text)]
        return "".join(f"{self._nothing[name]} as ${name} | " for name in read) + text


def _consequence(value: msgspec.Struct, field: str) -> str | None:
    """What is lost with a field; None where it belongs to the base schema."""
    if field == "instanceIdPath" and isinstance(value, Component) and value.object_path is not None:
        selector = value.pod_selector
        if selector is None or selector.component_instance_selector is None:
            return "the manifests inside are not told apart"
    return EXTENSIONS.get((type(value), field))
