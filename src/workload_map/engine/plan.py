"""A definition made ready to run: its components as a tree, each with its compiled paths.

A path is compiled on first use. A plan belongs to one definition, holds no object, and is shared by all
resolves.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from workload_map.definition.schema import (
    Component,
    Definition,
    FragmentedPodSpec,
    PodSelector,
    ScaleDefinition,
    SpecDefinition,
)
from workload_map.engine.fields import Field, optional_field
from workload_map.engine.status_plan import StatusPlan


class SpecPlan:
    """Where the pod specs of a component are read: one of the three shapes, and the extensions beside it.

    `paths` are those of the shape, by their name in the definition; which of the three it is, `shape` says.
    """

    def __init__(self, spec: SpecDefinition, place: str) -> None:
        place = f"{place}.specDefinition"
        self.template = optional_field(spec.pod_template_spec_path, f"{place}.podTemplateSpecPath")
        self.pod_spec = optional_field(spec.pod_spec_path, f"{place}.podSpecPath")
        self.metadata = optional_field(spec.metadata_path, f"{place}.metadataPath")
        fragments = spec.fragmented_pod_spec_definition
        self.fragments = _fragments(fragments, place) if fragments else {}
        self.injected = optional_field(spec.injected_containers_path, f"{place}.injectedContainersPath")
        self.incomplete = optional_field(spec.incomplete_when, f"{place}.incompleteWhen")
        self.accelerators = tuple(
            (Field(one.path, f"{place}.accelerators[{index}].path"), one.resource)
            for index, one in enumerate(spec.accelerators)
        )

    @property
    def whole(self) -> Field | None:
        """The path of a whole pod template or pod spec, if the object holds one."""
        return self.template or self.pod_spec


def _fragments(fragments: FragmentedPodSpec, place: str) -> dict[str, Field]:
    place = f"{place}.fragmentedPodSpecDefinition"
    texts = {
        name: getattr(fragments, attribute)
        for attribute, name in zip(
            fragments.__struct_fields__, fragments.__struct_encode_fields__, strict=True
        )
    }
    return {name: Field(text, f"{place}.{name}") for name, text in texts.items() if text is not None}


class ScalePlan:
    """Where the counts of a component are read, and what the controller takes for absent ones."""

    def __init__(self, scale: ScaleDefinition, place: str) -> None:
        place = f"{place}.scaleDefinition"
        defaults = scale.defaults
        self.replicas = optional_field(scale.replicas_path, f"{place}.replicasPath")
        self.minimum = optional_field(scale.min_replicas_path, f"{place}.minReplicasPath")
        self.maximum = optional_field(scale.max_replicas_path, f"{place}.maxReplicasPath")
        self.pods_per_replica = optional_field(scale.pods_per_replica_path, f"{place}.podsPerReplicaPath")
        self.suspended = optional_field(scale.suspended_path, f"{place}.suspendedPath")
        self.per_parent = scale.per_parent
        self.default_replicas = defaults.replicas if defaults else None
        self.default_minimum = defaults.min_replicas if defaults else None
        self.default_maximum = defaults.max_replicas if defaults else None


class SelectorPlan:
    """How pods find their place in a component; every path runs on the pod."""

    def __init__(self, selector: PodSelector | None, place: str) -> None:
        place = f"{place}.podSelector"
        kind = selector.component_type_selector if selector else None
        instance = selector.component_instance_selector if selector else None
        replica = selector.replica_selector if selector else None
        self.has_type = kind is not None
        self.type_key = (
            optional_field(kind.key_path, f"{place}.componentTypeSelector.keyPath") if kind else None
        )
        self.type_value = kind.value if kind else None
        self.type_labels = kind.match_labels if kind else {}
        self.instance_id = (
            Field(instance.id_path, f"{place}.componentInstanceSelector.idPath") if instance else None
        )
        self.replica_key = Field(replica.key_path, f"{place}.replicaSelector.keyPath") if replica else None


class ComponentPlan:
    """One component with its children; `parent` is None for the root and for the components below it.

    The root stands for the object itself: the components that it owns are the top level of the view.
    """

    def __init__(self, component: Component, place: str) -> None:
        self.name = component.name
        self.place = place
        self.component = component
        self.kind = component.kind.kind if component.kind else None
        self.ids = optional_field(component.instance_id_path, f"{place}.instanceIdPath")
        self.present = optional_field(component.present_path, f"{place}.presentPath")
        self.parent_instance = optional_field(component.parent_instance_path, f"{place}.parentInstancePath")
        spec, scale = component.spec_definition, component.scale_definition
        self.spec = SpecPlan(spec, place) if spec else None
        self.scale = ScalePlan(scale, place) if scale else None
        self.selector = SelectorPlan(component.pod_selector, place)
        self.is_root = component.owner_ref is None
        self.parent: ComponentPlan | None = None
        self.children: list[ComponentPlan] = []

    @cached_property
    def replica_key(self) -> Field | None:
        """The replica selector of this component, or the nearest one above it: descendants inherit it."""
        if self.selector.replica_key or self.parent is None:
            return self.selector.replica_key
        return self.parent.replica_key

    def walk(self) -> Iterator[ComponentPlan]:
        """This component, then everything below it, in declared order."""
        yield self
        for child in self.children:
            yield from child.walk()


class Plan:
    """A definition as the engine runs it.

    Attributes:
        definition: The definition.
        root: The root component. It is a component of the view only if it bears pods.
        top: The components at the top level of the view besides the root, in declared order.
        bearers: The components that bear pods, root first, in declared order.
    """

    def __init__(self, definition: Definition) -> None:
        self.definition = definition
        structure = definition.spec.structure_definition
        prefix = "spec.structureDefinition."
        self.root = ComponentPlan(structure.root_component, f"{prefix}rootComponent")
        plans = {self.root.name: self.root}
        declared = [
            ComponentPlan(component, f"{prefix}childComponents[{index}]")
            for index, component in enumerate(structure.child_components)
        ]
        plans.update((plan.name, plan) for plan in declared)
        for plan in declared:
            owner = plans[plan.component.owner_ref or ""]
            owner.children.append(plan)
            plan.parent = None if owner is self.root else owner
        self.top = self.root.children
        self.bearers = [plan for plan in (self.root, *declared) if plan.spec is not None]
        root = structure.root_component
        status, suspend = root.status_definition, root.suspend_definition
        self.status = StatusPlan(status, self.root.place) if status else None
        self.suspend_actions = [
            (
                Field(action.path, f"{self.root.place}.suspendDefinition.suspendActions[{index}].path"),
                action.value,
            )
            for index, action in enumerate(suspend.suspend_actions if suspend else ())
        ]

    @cached_property
    def created_kinds(self) -> frozenset[tuple[str, str]]:
        """Group and kind of everything that may stand between the workload and its pods."""
        structure = self.definition.spec.structure_definition
        kinds = [component.kind for component in structure.child_components if component.kind]
        return frozenset((kind.group, kind.kind) for kind in (*kinds, *structure.additional_child_kinds))
