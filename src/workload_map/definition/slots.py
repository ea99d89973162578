"""Every expression that a definition can hold: what it runs on, and what is made of its outputs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import msgspec

from workload_map.definition import schema
from workload_map.definition.findings import Steps
from workload_map.definition.schema import Component, Definition
from workload_map.definition.structure import STRUCTURE, steps_of

Kind = Literal["string", "integer", "boolean", "object", "array", "any"]
On = Literal["workload", "pod"]


class Slot(msgspec.Struct, frozen=True):
    """What a field of the schema does with its expression.

    Attributes:
        on: `workload` or `pod`: what it runs on.
        gives: The type of an output; `array` and `object` are those of the pod's API.
        outputs: `one`; `instance`: one for each instance of the component; `many`: as many as there are.
        written: What cannot be done where it cannot be written through; None if nothing is written.
    """

    on: On
    gives: Kind
    outputs: Literal["one", "instance", "many"] = "one"
    written: str | None = None


class Expression(msgspec.Struct, frozen=True):
    """An expression of a definition.

    Attributes:
        text: The expression.
        steps: Where it stands.
        slot: What it is for.
        component: The component that it belongs to; None for those of groups and references.
    """

    text: str
    steps: Steps
    slot: Slot
    component: Component | None

    @property
    def sees_references(self) -> bool:
        """Whether it may use the references of the definition as variables."""
        return self.component is not None and self.slot.on == "workload"


def _edited(what: str, gives: Kind) -> Slot:
    return Slot("workload", gives, "instance", what)


_ANY_OF_POD = Slot("pod", "any")
_TEXT_OF_POD = Slot("pod", "string")
_LABEL_VALUE = Slot("workload", "string")  # of the labels that a reference selects by

SLOTS: dict[tuple[type[msgspec.Struct], str], Slot] = {
    (schema.SpecDefinition, "pod_template_spec_path"): _edited("the pod template", "object"),
    (schema.SpecDefinition, "pod_spec_path"): _edited("the pod spec", "object"),
    (schema.SpecDefinition, "metadata_path"): _edited("labels and annotations", "object"),
    (schema.SpecDefinition, "injected_containers_path"): Slot("workload", "any", "many"),
    (schema.SpecDefinition, "injected_init_containers_path"): Slot("workload", "any", "many"),
    (schema.SpecDefinition, "incomplete_when"): Slot("workload", "boolean", "instance"),
    (schema.Accelerator, "path"): Slot("workload", "any", "instance"),
    (schema.FragmentedPodSpec, "scheduler_name_path"): _edited("the scheduler", "string"),
    (schema.FragmentedPodSpec, "labels_path"): _edited("labels", "object"),
    (schema.FragmentedPodSpec, "annotations_path"): _edited("annotations", "object"),
    (schema.FragmentedPodSpec, "resources_path"): _edited("resources", "object"),
    (schema.FragmentedPodSpec, "resource_claims_path"): _edited("resource claims", "array"),
    (schema.FragmentedPodSpec, "pod_affinity_path"): _edited("the affinity to pods", "object"),
    (schema.FragmentedPodSpec, "node_affinity_path"): _edited("the affinity to nodes", "object"),
    (schema.FragmentedPodSpec, "containers_path"): _edited("containers", "array"),
    (schema.FragmentedPodSpec, "container_path"): _edited("the container", "object"),
    (schema.FragmentedPodSpec, "priority_class_name_path"): _edited("the priority class", "string"),
    (schema.FragmentedPodSpec, "image_path"): _edited("the image", "string"),
    (schema.FragmentedPodSpec, "node_selector_path"): _edited("the node selector", "object"),
    (schema.FragmentedPodSpec, "tolerations_path"): _edited("tolerations", "array"),
    (schema.FragmentedPodSpec, "init_containers_path"): _edited("init containers", "array"),
    (schema.FragmentedPodSpec, "env_path"): _edited("the environment of containers", "array"),
    (schema.FragmentedPodSpec, "resource_names_path"): Slot("workload", "any", "instance"),
    (schema.ScaleDefinition, "replicas_path"): _edited("the number of replicas", "integer"),
    (schema.ScaleDefinition, "min_replicas_path"): _edited("the minimum of replicas", "integer"),
    (schema.ScaleDefinition, "max_replicas_path"): _edited("the maximum of replicas", "integer"),
    (schema.ScaleDefinition, "pods_per_replica_path"): Slot("workload", "integer", "instance"),
    (schema.ScaleDefinition, "suspended_path"): Slot("workload", "boolean", "instance"),
    (schema.PhaseDefinition, "path"): Slot("workload", "string"),
    (schema.ConditionsDefinition, "path"): Slot("workload", "array", "many"),
    (schema.ExpressionMatcher, "expression"): Slot("workload", "any"),
    (schema.StatusDefinition, "message_path"): Slot("workload", "string"),
    (schema.StatusDefinition, "restarts_path"): Slot("workload", "integer"),
    (schema.SuspendAction, "path"): Slot("workload", "any", "many", "the action"),
    (schema.ComponentTypeSelector, "key_path"): Slot("pod", "any", "many"),
    (schema.ComponentInstanceSelector, "id_path"): _TEXT_OF_POD,
    (schema.ReplicaSelector, "key_path"): _TEXT_OF_POD,
    (schema.PodSelector, "workload_path"): _TEXT_OF_POD,
    (schema.PodSelector, "parent_instance_path"): _TEXT_OF_POD,
    (schema.Component, "instance_id_path"): Slot("workload", "string", "many"),
    (schema.Component, "present_path"): Slot("workload", "boolean", "instance"),
    (schema.Component, "parent_instance_path"): Slot("workload", "string", "instance"),
    (schema.Component, "object_path"): Slot("workload", "any", "many"),
    (schema.PodGroupMember, "group_by_key_paths"): _ANY_OF_POD,
    (schema.PodGroupMember, "filters"): _ANY_OF_POD,
    (schema.Reference, "namespace_expression"): Slot("workload", "string"),
    (schema.ReferenceLookup, "name_expression"): Slot("workload", "string"),
    (schema.Group, "minimum_path"): Slot("workload", "integer", "many"),
}


def is_expression(value: str) -> bool:
    """Whether a value that a reference asks of a label is read on the workload, and no literal.

    A path begins with a dot, and no label value does.
    """
    return value.startswith(".")


def expressions(definition: Definition) -> Iterator[Expression]:
    """All expressions of a definition, in no order that matters."""
    for component, steps in steps_of(definition):
        yield from _inside(component, steps, component)
    for index, reference in enumerate(definition.spec.structure_definition.references):
        yield from _inside(reference, (*STRUCTURE, "references", index), None)
    instructions = definition.spec.optimization_instructions
    if instructions is not None:
        yield from _inside(instructions, ("spec", "optimizationInstructions"), None)


def _inside(value: Any, steps: Steps, component: Component | None) -> Iterator[Expression]:
    if isinstance(value, tuple):
        for index, entry in enumerate(value):
            yield from _inside(entry, (*steps, index), component)
    if not isinstance(value, msgspec.Struct):
        return
    if isinstance(value, schema.ReferenceList):
        yield from _label_values(value, steps)
        return
    names = zip(value.__struct_fields__, value.__struct_encode_fields__, strict=True)
    for attribute, name in names:
        inner, where = getattr(value, attribute), (*steps, name)
        slot = SLOTS.get((type(value), attribute))
        if slot is None:
            yield from _inside(inner, where, component)
        elif isinstance(inner, str):
            yield Expression(inner, where, slot, component)
        elif isinstance(inner, tuple):
            for index, text in enumerate(inner):
                yield Expression(text, (*where, index), slot, component)


def _label_values(selected: schema.ReferenceList, steps: Steps) -> Iterator[Expression]:
    """The values that a reference asks of labels, as far as they are read on the workload."""
    labels: list[tuple[Steps, str]] = [
        ((*steps, "matchLabels", name), value) for name, value in selected.match_labels.items()
    ]
    for index, requirement in enumerate(selected.match_expressions):
        where = (*steps, "matchExpressions", index, "values")
        labels += [((*where, number), value) for number, value in enumerate(requirement.values)]
    for place, value in labels:
        if is_expression(value):
            yield Expression(value, place, _LABEL_VALUE, None)
