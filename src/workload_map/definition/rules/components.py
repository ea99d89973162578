"""Rules on where pods come from and how many there are."""

from __future__ import annotations

from workload_map.definition.findings import Report, Steps
from workload_map.definition.schema import (
    Component,
    Definition,
    FragmentedPodSpec,
    ScaleDefinition,
    SpecDefinition,
)
from workload_map.definition.structure import ROOT, steps_of

MAX_REPLICAS = 2**31 - 1


def check(definition: Definition, report: Report) -> None:
    """Check the pod spec and the scale of each component."""
    for component, steps in steps_of(definition):
        _check_object(component, steps, report)
        if component.spec_definition is not None:
            _check_spec(component, component.spec_definition, (*steps, "specDefinition"), report)
        if component.scale_definition is not None:
            _check_scale(component, component.scale_definition, (*steps, "scaleDefinition"), report)
    _check_root(definition.root, report)


def _check_root(root: Component, report: Report) -> None:
    if root.scale_definition is not None and root.scale_definition.per_parent:
        report.add("per-parent-on-root", (*ROOT, "scaleDefinition", "perParent"), "the root has no parent")
    for name, value in (("parentInstancePath", root.parent_instance_path), ("objectPath", root.object_path)):
        if value is not None:
            report.add("not-for-root", (*ROOT, name), f"{name} means nothing on the root component")


def _check_object(component: Component, steps: Steps, report: Report) -> None:
    if component.object_path is not None and component.spec_definition is not None:
        message = "a component of whole manifests has no pod spec of its own"
        report.add(
            "object-with-pod-spec",
            (*steps, "specDefinition"),
            message,
            "remove it: their own definitions know",
        )


def _check_spec(component: Component, spec: SpecDefinition, steps: Steps, report: Report) -> None:
    shapes = {
        "podTemplateSpecPath": spec.pod_template_spec_path,
        "podSpecPath": spec.pod_spec_path,
        "fragmentedPodSpecDefinition": spec.fragmented_pod_spec_definition,
    }
    given = [name for name, value in shapes.items() if value is not None]
    if len(given) > 1:
        report.add(
            "pod-spec-ambiguous",
            steps,
            f"{' and '.join(given)} are set; exactly one says where the pod spec is",
        )
    if not given and component.present_path is None:
        hint = f"set one of {', '.join(shapes)}, or presentPath on the component if its object holds none"
        report.add("pod-spec-missing", steps, "nothing says where the pod spec is", hint)
    if spec.metadata_path is not None and spec.pod_spec_path is None:
        message = "metadataPath is read beside podSpecPath only"
        report.add("metadata-without-pod-spec", (*steps, "metadataPath"), message)
    if spec.fragmented_pod_spec_definition is not None:
        where = (*steps, "fragmentedPodSpecDefinition")
        _check_fragments(spec.fragmented_pod_spec_definition, where, report)
    for index, accelerator in enumerate(spec.accelerators):
        if not accelerator.resource:
            report.add(
                "resource-unnamed", (*steps, "accelerators", index, "resource"), "the resource has no name"
            )


def _check_fragments(fragments: FragmentedPodSpec, steps: Steps, report: Report) -> None:
    if fragments == FragmentedPodSpec():
        report.add("fragments-empty", steps, "no piece of the pod spec is named")
    if fragments.container_path is not None and fragments.containers_path is not None:
        message = "containerPath and containersPath exclude each other"
        report.add(
            "containers-ambiguous", (*steps, "containerPath"), message, "keep the one that the object has"
        )


def _check_scale(component: Component, scale: ScaleDefinition, steps: Steps, report: Report) -> None:
    if scale == ScaleDefinition():
        report.add(
            "scale-empty", steps, "it says nothing about how many there are", "remove it, or name a path"
        )
    if scale.pods_per_replica_path is not None and component.spec_definition is None:
        where = (*steps, "podsPerReplicaPath")
        report.add("pods-without-pod-spec", where, "the component has no pods of its own to count")
    _check_defaults(scale, (*steps, "defaults"), report)


def _check_defaults(scale: ScaleDefinition, steps: Steps, report: Report) -> None:
    defaults = scale.defaults
    if defaults is None:
        return
    named = {
        "replicas": (defaults.replicas, scale.replicas_path),
        "minReplicas": (defaults.min_replicas, scale.min_replicas_path),
        "maxReplicas": (defaults.max_replicas, scale.max_replicas_path),
    }
    for name, (value, path) in named.items():
        if value is None:
            continue
        if not 0 <= value <= MAX_REPLICAS:
            report.add("default-out-of-range", (*steps, name), f"{value} is not a number of replicas")
        if path is None:
            message = f"without {name}Path it is no default but the only value"
            report.add(
                "default-without-path", (*steps, name), message, f"name {name}Path, so that it can be changed"
            )
    low, high = defaults.min_replicas, defaults.max_replicas
    if low is not None and high is not None and low > high:
        report.add(
            "default-bounds-crossed",
            (*steps, "minReplicas"),
            f"the default minimum {low} is above the maximum {high}",
        )
