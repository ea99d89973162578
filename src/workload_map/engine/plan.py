"""A definition made ready to run: its components as a tree, each with its compiled paths.

A path is compiled on first use. A plan belongs to one definition, holds no object, and is shared by all
resolves.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from workload_map.definition.schema import (
    Component,
    Definition,
    FragmentedPodSpec,
    PodSelector,
    Reference,
    ReferenceList,
    ScaleDefinition,
    SpecDefinition,
)
from workload_map.definition.slots import is_expression
from workload_map.engine.fields import Field, Fields, optional_field
from workload_map.engine.objects import kind_of
from workload_map.engine.status_plan import StatusPlan

if TYPE_CHECKING:
    from workload_map.engine.generated.generation import Generated


class SpecPlan:
    """Where the pod specs of a component are read: one of the three shapes, and the extensions beside it.

    `paths` are those of the shape, by their name in the definition; which of the three it is, `shape` says.
    """

    def __init__(self, spec: SpecDefinition, place: str, fields: Fields) -> None:
        place = f"{place}.specDefinition"
        self.template = fields.optional(spec.pod_template_spec_path, f"{place}.podTemplateSpecPath")
        self.pod_spec = fields.optional(spec.pod_spec_path, f"{place}.podSpecPath")
        self.metadata = fields.optional(spec.metadata_path, f"{place}.metadataPath")
        fragments = spec.fragmented_pod_spec_definition
        self.fragments = _fragments(fragments, place, fields) if fragments else {}
        self.injected = fields.optional(spec.injected_containers_path, f"{place}.injectedContainersPath")
        self.injected_inits = fields.optional(
            spec.injected_init_containers_path, f"{place}.injectedInitContainersPath"
        )
        self.incomplete = fields.optional(spec.incomplete_when, f"{place}.incompleteWhen")
        self.accelerators = tuple(
            (fields.make(one.path, f"{place}.accelerators[{index}].path"), one.resource)
            for index, one in enumerate(spec.accelerators)
        )

    @property
    def whole(self) -> Field | None:
        """The path of a whole pod template or pod spec, if the object holds one."""
        return self.template or self.pod_spec

    @property
    def added(self) -> list[Field]:
        """The paths of what the operator adds to the pod specs."""
        return [field for field in (self.injected, self.injected_inits) if field is not None]


def _fragments(fragments: FragmentedPodSpec, place: str, fields: Fields) -> dict[str, Field]:
    place = f"{place}.fragmentedPodSpecDefinition"
    texts = {
        name: getattr(fragments, attribute)
        for attribute, name in zip(
            fragments.__struct_fields__, fragments.__struct_encode_fields__, strict=True
        )
    }
    return {name: fields.make(text, f"{place}.{name}") for name, text in texts.items() if text is not None}


class ScalePlan:
    """Where the counts of a component are read, and what the controller takes for absent ones."""

    def __init__(self, scale: ScaleDefinition, place: str, fields: Fields) -> None:
        place = f"{place}.scaleDefinition"
        defaults = scale.defaults
        self.replicas = fields.optional(scale.replicas_path, f"{place}.replicasPath")
        self.minimum = fields.optional(scale.min_replicas_path, f"{place}.minReplicasPath")
        self.maximum = fields.optional(scale.max_replicas_path, f"{place}.maxReplicasPath")
        self.pods_per_replica = fields.optional(scale.pods_per_replica_path, f"{place}.podsPerReplicaPath")
        self.suspended = fields.optional(scale.suspended_path, f"{place}.suspendedPath")
        self.per_parent = scale.per_parent
        self.keeps_within_bounds = scale.keeps_within_bounds
        self.default_replicas = defaults.replicas if defaults else None
        self.default_minimum = defaults.min_replicas if defaults else None
        self.default_maximum = defaults.max_replicas if defaults else None

    @property
    def tells_replicas(self) -> bool:
        """Whether it says how many there are, and not only which of them are suspended, say."""
        return self.replicas is not None or self.default_replicas is not None


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
        self.parent_instance = optional_field(
            selector.parent_instance_path if selector else None, f"{place}.parentInstancePath"
        )
        by_label = selector is not None and selector.ownership == "label"
        self.workload = (
            optional_field(selector.workload_path, f"{place}.workloadPath") if selector and by_label else None
        )
        """The name of the workload on a pod that no owner reference ties to it; None where owners do."""


class ReferencePlan:
    """Another object (or a list of them) that the paths of a definition may read as `$name`."""

    def __init__(self, reference: Reference, place: str) -> None:
        self.name = reference.name
        self.place = place
        self.api_version = reference.gvk.api_version
        self.kind = reference.gvk.kind
        self.namespace = optional_field(reference.namespace_expression, f"{place}.namespaceExpression")
        lookup = reference.lookup
        self.object_name = Field(lookup.name_expression, f"{place}.lookup.nameExpression") if lookup else None
        self.labels = _label_terms(reference.list, f"{place}.list") if reference.list else []


Term = tuple[str, str, list[str | Field]]
"""One requirement on labels: the key, the operator, and literals or fields that give the values."""


def _label_terms(selected: ReferenceList, place: str) -> list[Term]:
    terms: list[Term] = [
        (key, "In", [_literal_or_field(value, f"{place}.matchLabels.{key}")])
        for key, value in selected.match_labels.items()
    ]
    for index, requirement in enumerate(selected.match_expressions):
        where = f"{place}.matchExpressions[{index}].values"
        values = [
            _literal_or_field(value, f"{where}[{number}]") for number, value in enumerate(requirement.values)
        ]
        terms.append((requirement.key, requirement.operator, values))
    return terms


def _literal_or_field(value: str, place: str) -> str | Field:
    return Field(value, place) if is_expression(value) else value


class ComponentPlan:
    """One component with its children.

    The root stands for the object itself: the components that it owns are the top level of the view.

    Attributes:
        owner: The component above, None for the root.
        parent: The component above in the view: None for the root and for the components right below it.
        objects: Where whole manifests lie that stand for this component's instances.
        status: Its own status definition; the root's is the workload's.
    """

    def __init__(self, component: Component, place: str, fields: Fields) -> None:
        self.name = component.name
        self.place = place
        self.component = component
        self.kind = component.kind.kind if component.kind else None
        self.ids = fields.optional(component.instance_id_path, f"{place}.instanceIdPath")
        self.present = fields.optional(component.present_path, f"{place}.presentPath")
        self.parent_instance = fields.optional(component.parent_instance_path, f"{place}.parentInstancePath")
        self.objects = fields.optional(component.object_path, f"{place}.objectPath")
        spec, scale, status = (
            component.spec_definition,
            component.scale_definition,
            component.status_definition,
        )
        self.spec = SpecPlan(spec, place, fields) if spec else None
        self.scale = ScalePlan(scale, place, fields) if scale else None
        self.status = StatusPlan(status, place, fields) if status else None
        self.selector = SelectorPlan(component.pod_selector, place)
        self.is_root = component.owner_ref is None
        self.owner: ComponentPlan | None = None
        self.parent: ComponentPlan | None = None
        self.children: list[ComponentPlan] = []

    @cached_property
    def replica_key(self) -> Field | None:
        """The replica selector of this component, or the nearest one above it: descendants inherit it."""
        if self.selector.replica_key or self.owner is None:
            return self.selector.replica_key
        return self.owner.replica_key

    @cached_property
    def parent_key(self) -> Field | None:
        """Where a pod names the instance of the parent: by its own selector, else by the parent's."""
        if self.selector.parent_instance or self.parent is None:
            return self.selector.parent_instance
        return self.parent.selector.instance_id

    @property
    def is_per_parent(self) -> bool:
        """Whether its counts are for each replica of the component above."""
        return self.scale is not None and self.scale.per_parent

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
        references: What its paths may read besides the object, by name.
        components: All of them.
        wraps: Whether some component holds whole manifests.
        has_component_phases: Whether some component besides the root has a status definition.
        by_label: Whether pods of some component name their workload themselves.
        generated: The functions generated from the definition, once `engine.generated` was asked for them.
    """

    def __init__(self, definition: Definition) -> None:
        self.definition = definition
        self.generated: Generated | None = None
        structure = definition.spec.structure_definition
        prefix = "spec.structureDefinition."
        self.references = {
            reference.name: ReferencePlan(reference, f"{prefix}references[{index}]")
            for index, reference in enumerate(structure.references)
        }
        fields = Fields(tuple(self.references))
        self.root = ComponentPlan(structure.root_component, f"{prefix}rootComponent", fields)
        plans = {self.root.name: self.root}
        declared = [
            ComponentPlan(component, f"{prefix}childComponents[{index}]", fields)
            for index, component in enumerate(structure.child_components)
        ]
        plans.update((plan.name, plan) for plan in declared)
        for plan in declared:
            owner = plan.owner = plans.get(plan.component.owner_ref or "", self.root)
            owner.children.append(plan)
            plan.parent = None if owner is self.root else owner
        self.top = self.root.children
        self.bearers = [plan for plan in (self.root, *declared) if plan.spec is not None]
        self.components = frozenset((self.root, *declared))
        self.wraps = any(plan.objects for plan in declared)
        self.has_component_phases = any(plan.status for plan in declared)
        self.by_label = any(plan.selector.workload for plan in self.bearers)
        self.status = self.root.status
        suspend = structure.root_component.suspend_definition
        self.suspend_actions = [
            (
                fields.make(action.path, f"{self.root.place}.suspendDefinition.suspendActions[{index}].path"),
                action.value,
            )
            for index, action in enumerate(suspend.suspend_actions if suspend else ())
        ]

    @cached_property
    def counts_per_root(self) -> bool:
        """Whether some component right below the root is counted for each replica of the root."""
        scale = self.root.scale
        return scale is not None and scale.tells_replicas and any(one.is_per_parent for one in self.top)

    @cached_property
    def place_labels(self) -> tuple[str, ...] | None:
        """The labels that tell which component and instance a pod is of; None where labels are not all."""
        names: dict[str, None] = {}
        for bearer in self.bearers:
            selector = bearer.selector
            names.update(dict.fromkeys(selector.type_labels))
            for field in (selector.type_key, selector.instance_id, bearer.replica_key):
                if field is not None and field.label is None:
                    return None
                names.update({field.label: None} if field is not None and field.label else {})
        return tuple(names)

    @cached_property
    def has_replica_groups(self) -> bool:
        """Whether pods, also those of a whole object in here, may tell which replica they belong to."""
        return self.wraps or any(bearer.replica_key is not None for bearer in self.bearers)

    @cached_property
    def created_kinds(self) -> frozenset[tuple[str, str]]:
        """Group and kind of everything that may stand between the workload and its pods."""
        structure = self.definition.spec.structure_definition
        kinds = [component.kind for component in structure.child_components if component.kind]
        return frozenset((kind.group, kind.kind) for kind in (*kinds, *structure.additional_child_kinds))

    @cached_property
    def read_kinds(self) -> frozenset[tuple[str, str]]:
        """Group and kind of other objects than pods of which its paths may read more than the metadata."""
        kinds = {kind_of(one.api_version, one.kind) for one in self.references.values()}
        if self._is_named_outside_metadata():
            kinds |= self.created_kinds - {("", "Pod")}
        return frozenset(kinds)

    def _is_named_outside_metadata(self) -> bool:
        """Whether what stands between names its workload elsewhere than in its metadata."""
        naming = [bearer.selector for bearer in self.bearers if bearer.selector.workload is not None]
        fields = [field for one in naming for field in (one.workload, one.type_key) if field is not None]
        return any(read.steps[:1] != ("metadata",) for field in fields for read in field.program.reads)


# A plan keeps its definition alive, so an id in here stands for that definition and no other.
_PLANS: dict[int, Plan] = {}
_PLANS_LIMIT = 1024


def plan_of(definition: Definition) -> Plan:
    """The plan of a definition; made on first use and kept."""
    plan = _PLANS.get(id(definition))
    if plan is None:
        if len(_PLANS) >= _PLANS_LIMIT:
            _PLANS.clear()
        plan = _PLANS[id(definition)] = Plan(definition)
    return plan
