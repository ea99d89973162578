"""A definition as typed, frozen values: one class for each object of the `Karta` schema.

The names are those of the YAML in Python's spelling (`podTemplateSpecPath` is `pod_template_spec_path`).
Fields marked *extension* are this project's own; the rest is the base schema of `run.ai/v1alpha1`.
A field whose name ends in `_path` holds the text of a path expression; it is compiled on first use,
elsewhere. Absent optional fields are None; lists are empty tuples where absent and empty mean the same.
"""

from __future__ import annotations

from typing import Any

import msgspec

API_VERSION = "run.ai/v1alpha1"
KIND = "Karta"


class _Object(
    msgspec.Struct, frozen=True, rename="camel", omit_defaults=True, kw_only=True, forbid_unknown_fields=True
):
    """What all parts of a definition share: frozen, camel case, absent when default, no unknown fields."""


class GroupVersionKind(_Object, frozen=True):
    """The identity of a Kubernetes kind; `group` is empty for the core group.

    `versions` (extension, root only) names further versions of the kind that the definition also fits.
    """

    group: str = ""
    version: str = ""
    kind: str = ""
    versions: tuple[str, ...] = ()

    @property
    def api_version(self) -> str:
        """`group/version`, or `version` alone for the core group, as `apiVersion` spells it."""
        return f"{self.group}/{self.version}" if self.group else self.version


class Accelerator(_Object, frozen=True):
    """An accelerator in a framework's own notation (extension): where its count is, and its resource name."""

    path: str
    resource: str


class FragmentedPodSpec(_Object, frozen=True):
    """Where the pieces of a pod spec lie when the object holds no whole one. The last five are extensions."""

    scheduler_name_path: str | None = None
    labels_path: str | None = None
    annotations_path: str | None = None
    resources_path: str | None = None
    resource_claims_path: str | None = None
    pod_affinity_path: str | None = None
    node_affinity_path: str | None = None
    containers_path: str | None = None
    container_path: str | None = None
    priority_class_name_path: str | None = None
    image_path: str | None = None
    node_selector_path: str | None = None
    tolerations_path: str | None = None
    init_containers_path: str | None = None
    env_path: str | None = None
    resource_names_path: str | None = None


class SpecDefinition(_Object, frozen=True):
    """Where the pod spec of a component lies: exactly one of three shapes.

    Extensions: `injected_containers_path` and `injected_init_containers_path` (containers that the operator
    adds), `incomplete_when` (true where what the pods need is decided elsewhere), `accelerators` (a
    framework's own resource notation).
    """

    pod_template_spec_path: str | None = None
    pod_spec_path: str | None = None
    metadata_path: str | None = None
    fragmented_pod_spec_definition: FragmentedPodSpec | None = None
    injected_containers_path: str | None = None
    injected_init_containers_path: str | None = None
    incomplete_when: str | None = None
    accelerators: tuple[Accelerator, ...] = ()


class ScaleDefaults(_Object, frozen=True):
    """The controller's values for absent scale fields (extension); None: the field has no default."""

    replicas: int | None = None
    min_replicas: int | None = None
    max_replicas: int | None = None


class ScaleDefinition(_Object, frozen=True):
    """Where replica counts lie. All but the first three are extensions.

    `defaults` keeps the paths writable; `pods_per_replica_path` counts the pods of one replica (absent: 1);
    `per_parent` says that counts are per parent replica, `keeps_within_bounds` that the controller brings the
    desired one between the bounds; `suspended_path` is true where one instance alone is suspended.
    """

    replicas_path: str | None = None
    min_replicas_path: str | None = None
    max_replicas_path: str | None = None
    defaults: ScaleDefaults | None = None
    pods_per_replica_path: str | None = None
    per_parent: bool = False
    keeps_within_bounds: bool = False
    suspended_path: str | None = None


class PhaseDefinition(_Object, frozen=True):
    """Where a phase string lies."""

    path: str


class ConditionsDefinition(_Object, frozen=True):
    """Where the condition list lies, and how its fields are called."""

    path: str
    type_field_name: str = "type"
    status_field_name: str = "status"
    message_field_name: str = "message"
    reason_field_name: str = "reason"


class ConditionMatcher(_Object, frozen=True):
    """A condition that must be present with these values; None does not look at the field."""

    type: str
    status: str | None = None
    reason: str | None = None


class ExpressionMatcher(_Object, frozen=True):
    """An expression on the workload whose first result, as text, must equal `expected_result`."""

    expression: str
    expected_result: str


class StatusMatcher(_Object, frozen=True):
    """All parts that are set must hold."""

    by_phase: str | None = None
    by_conditions: tuple[ConditionMatcher, ...] = ()
    by_expression: ExpressionMatcher | None = None


class StatusMappings(_Object, frozen=True):
    """For each phase the matchers of which one suffices."""

    initializing: tuple[StatusMatcher, ...] = ()
    running: tuple[StatusMatcher, ...] = ()
    completed: tuple[StatusMatcher, ...] = ()
    failed: tuple[StatusMatcher, ...] = ()
    degraded: tuple[StatusMatcher, ...] = ()
    suspended: tuple[StatusMatcher, ...] = ()
    suspending: tuple[StatusMatcher, ...] = ()
    resuming: tuple[StatusMatcher, ...] = ()


class StatusDefinition(_Object, frozen=True):
    """How the status of the framework becomes a phase.

    Extensions: `message_path` and `restarts_path` (what to show beside the phase).
    """

    phase_definition: PhaseDefinition | None = None
    conditions_definition: ConditionsDefinition | None = None
    status_mappings: StatusMappings = StatusMappings()
    message_path: str | None = None
    restarts_path: str | None = None


class SuspendAction(_Object, frozen=True):
    """A write: `value` is JSON text, written through `path`."""

    path: str
    value: str


class SuspendDefinition(_Object, frozen=True):
    """The writes that suspend and resume a workload, in order."""

    suspend_actions: tuple[SuspendAction, ...] = ()
    resume_actions: tuple[SuspendAction, ...] = ()


class ComponentTypeSelector(_Object, frozen=True):
    """Which pods bear the role: `key_path` exists (or equals `value`), and all `match_labels` equal."""

    key_path: str | None = None
    value: str | None = None
    match_labels: dict[str, str] = {}


class ComponentInstanceSelector(_Object, frozen=True):
    """Which instance a pod belongs to: the id that `id_path` gives on the pod."""

    id_path: str


class ReplicaSelector(_Object, frozen=True):
    """Which replica a pod belongs to: the key that `key_path` gives on the pod."""

    key_path: str


class PodSelector(_Object, frozen=True):
    """How a pod finds its component, instance and replica; every path runs on the pod.

    Extensions: `ownership` (`label` for operators whose pods carry no owner references) with `workload_path`
    (names the workload), and `parent_instance_path`.
    """

    component_type_selector: ComponentTypeSelector | None = None
    component_instance_selector: ComponentInstanceSelector | None = None
    replica_selector: ReplicaSelector | None = None
    ownership: str | None = None
    workload_path: str | None = None
    parent_instance_path: str | None = None


class Component(_Object, frozen=True):
    """A role of the workload.

    Extensions: `present_path` (true where the role exists without a pod spec in the object),
    `parent_instance_path` (the parent's instance that an instance belongs to), `object_path` (whole
    manifests).
    """

    name: str
    kind: GroupVersionKind | None = None
    owner_ref: str | None = None
    spec_definition: SpecDefinition | None = None
    scale_definition: ScaleDefinition | None = None
    status_definition: StatusDefinition | None = None
    suspend_definition: SuspendDefinition | None = None
    instance_id_path: str | None = None
    pod_selector: PodSelector | None = None
    present_path: str | None = None
    parent_instance_path: str | None = None
    object_path: str | None = None


class MatchExpression(_Object, frozen=True):
    """One requirement of a label selector of a reference; `values` are literals or expressions."""

    key: str
    operator: str
    values: tuple[str, ...] = ()


class ReferenceLookup(_Object, frozen=True):
    """A reference to one object by name: the expression gives the name on the workload."""

    name_expression: str


class ReferenceList(_Object, frozen=True):
    """A reference to all objects that the labels select."""

    match_labels: dict[str, str] = {}
    match_expressions: tuple[MatchExpression, ...] = ()


class Reference(_Object, frozen=True):
    """Another object that paths may read as the variable `$name` (extension)."""

    name: str
    gvk: GroupVersionKind
    namespace_expression: str | None = None
    lookup: ReferenceLookup | None = None
    list: ReferenceList | None = None


class StructureDefinition(_Object, frozen=True):
    """The tree of components. `references` is an extension."""

    root_component: Component
    child_components: tuple[Component, ...] = ()
    additional_child_kinds: tuple[GroupVersionKind, ...] = ()
    references: tuple[Reference, ...] = ()


class Topology(_Object, frozen=True):
    """Where the pods of a group should be placed together."""

    topology_name: str | None = None
    preferred_topology_level: str | None = None
    required_topology_level: str | None = None


class PodGroupMember(_Object, frozen=True):
    """A component of a pod group (older form): which keys of its pods make groups, which pods count."""

    component_name: str
    group_by_key_paths: tuple[str, ...] = ()
    filters: tuple[str, ...] = ()


class PodGroup(_Object, frozen=True):
    """A pod group of the older form."""

    name: str
    members: tuple[PodGroupMember, ...] = ()


class SubGroup(_Object, frozen=True):
    """A component of the one pod group of the newer form."""

    component_name: str
    topology: Topology | None = None


class SinglePodGroup(_Object, frozen=True):
    """The newer form: one group a workload, a sub-group a component."""

    name: str
    sub_groups: tuple[SubGroup, ...] = ()
    topology: Topology | None = None


class Group(_Object, frozen=True):
    """A group as a tree (extension): how many of it, of what, and how many pods at the least."""

    name: str
    component_name: str | None = None
    per: str | None = None
    minimum_path: str | None = None
    minimum: int | None = None
    elastic: bool = False
    sub_groups: tuple[Group, ...] = ()
    topology: Topology | None = None


class GangScheduling(_Object, frozen=True):
    """Which pods must be placed together. `groups` is an extension."""

    pod_groups: tuple[PodGroup, ...] = ()
    pod_group: SinglePodGroup | None = None
    groups: tuple[Group, ...] = ()


class OptimizationInstructions(_Object, frozen=True):
    """Hints for schedulers."""

    gang_scheduling: GangScheduling | None = None


class DefinitionSpec(_Object, frozen=True):
    """What a definition says."""

    structure_definition: StructureDefinition
    optimization_instructions: OptimizationInstructions | None = None


class Metadata(_Object, frozen=True, forbid_unknown_fields=False):
    """The metadata that this library reads; the rest is the API server's and is passed over."""

    name: str = ""
    labels: dict[str, str] = {}
    annotations: dict[str, str] = {}


class Definition(_Object, frozen=True):
    """One `Karta` document."""

    api_version: str
    kind: str
    metadata: Metadata
    spec: DefinitionSpec
    status: dict[str, Any] | None = None

    @property
    def name(self) -> str:
        """The name of the definition in listings and in the `definition` key of a view."""
        return self.metadata.name

    @property
    def root(self) -> Component:
        """The component that stands for the workload object itself."""
        return self.spec.structure_definition.root_component

    @property
    def components(self) -> tuple[Component, ...]:
        """All components, the root first, the others as declared."""
        structure = self.spec.structure_definition
        return (structure.root_component, *structure.child_components)
