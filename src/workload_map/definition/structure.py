"""Whether a definition can be used at all: it has a name and a kind, and its components form a tree."""

from __future__ import annotations

from workload_map.definition.findings import Report, Steps
from workload_map.definition.limits import excesses
from workload_map.definition.schema import Component, Definition, Group, GroupVersionKind
from workload_map.spelling import did_you_mean

STRUCTURE: Steps = ("spec", "structureDefinition")
ROOT: Steps = (*STRUCTURE, "rootComponent")
CHILDREN: Steps = (*STRUCTURE, "childComponents")

# All kinds of the core group: the only ones whose group is empty.
CORE_KINDS = frozenset(
    [
        "Binding",
        "ComponentStatus",
        "ConfigMap",
        "Endpoints",
        "Event",
        "LimitRange",
        "Namespace",
        "Node",
        "PersistentVolume",
        "PersistentVolumeClaim",
        "Pod",
        "PodTemplate",
        "ReplicationController",
        "ResourceQuota",
        "Secret",
        "Service",
        "ServiceAccount",
    ]
)
# How deep groups may lie in each other: workload, instance, replica, role, and one to spare.
MAX_GROUP_DEPTH = 5


def check(definition: Definition, report: Report) -> bool:
    """Report all that keeps a definition from being used.

    Returns:
        Whether it is small enough to be looked into further.
    """
    if not definition.metadata.name:
        report.add("definition-unnamed", ("metadata", "name"), "the definition has no name")
    too_large = list(excesses(definition.spec, ("spec",)))
    for steps, message in too_large:
        report.add("too-large", steps, message)
    if too_large:
        return False
    _check_names(definition, report)
    _check_root(definition.root, report)
    _check_owners(definition, report)
    instructions = definition.spec.optimization_instructions
    if instructions is not None and instructions.gang_scheduling is not None:
        groups = ("spec", "optimizationInstructions", "gangScheduling", "groups")
        _check_depth(instructions.gang_scheduling.groups, groups, MAX_GROUP_DEPTH, report)
    return True


def steps_of(definition: Definition) -> list[tuple[Component, Steps]]:
    """Each component, the root first, with where it stands."""
    children = definition.spec.structure_definition.child_components
    return [(definition.root, ROOT), *((child, (*CHILDREN, index)) for index, child in enumerate(children))]


def report_unknown(code: str, name: str, steps: Steps, definition: Definition, report: Report) -> None:
    """Report the name of no component, unless it may be one that could not be read."""
    hint = did_you_mean(name, filter(None, (component.name for component in definition.components)))
    places = [place for _, place in steps_of(definition)]
    # One behind the last child is read unless the list itself is not.
    names_are_read = all(report.was_read((*place, "name")) for place in [*places, (*CHILDREN, len(places))])
    if hint or names_are_read:
        report.add(code, steps, f"there is no component {name!r}", hint)


def check_kind(kind: GroupVersionKind, steps: Steps, report: Report) -> None:
    """Report a kind without group that is not of the core group."""
    if kind.kind and not kind.group and kind.kind not in CORE_KINDS:
        report.add("group-empty", (*steps, "group"), f"{kind.kind} is not a kind of the core group")


def _check_names(definition: Definition, report: Report) -> None:
    seen: set[str] = set()
    for component, steps in steps_of(definition):
        where = (*steps, "name")
        if not component.name:
            report.add("component-unnamed", where, "the component has no name")
        elif component.name in seen:
            report.add(
                "component-duplicate", where, f"{component.name!r} is the name of another component too"
            )
        seen.add(component.name)


def _check_root(root: Component, report: Report) -> None:
    if root.owner_ref is not None:
        report.add("root-with-owner", (*ROOT, "ownerRef"), "the root component has no owner", "remove it")
    steps = (*ROOT, "kind")
    if root.kind is None:
        report.add("root-kind-incomplete", steps, "the root component has no kind")
        return
    if not root.kind.version:
        report.add("root-kind-incomplete", (*steps, "version"), "the kind of the root has no version")
    if not root.kind.kind:
        report.add("root-kind-incomplete", (*steps, "kind"), "the kind of the root has no name")
    check_kind(root.kind, steps, report)


def _check_owners(definition: Definition, report: Report) -> None:
    owners: dict[str, set[str]] = {component.name: set() for component in definition.components}
    for component in definition.spec.structure_definition.child_components:
        if component.owner_ref:
            owners[component.name].add(component.owner_ref)
    owners[definition.root.name] = set()  # who names it means the root, and not a child that bears its name
    for component, steps in steps_of(definition)[1:]:
        where = (*steps, "ownerRef")
        if not component.owner_ref:
            report.add("owner-missing", where, "the component has no owner", "name its parent in ownerRef")
        elif component.owner_ref not in owners:
            report_unknown("owner-unknown", component.owner_ref, where, definition, report)
        elif component.name in _above(component.owner_ref, owners) - {definition.root.name}:
            report.add("owner-cycle", where, f"{component.name!r} is among its own owners")


def _above(name: str, owners: dict[str, set[str]]) -> set[str]:
    """All components that are reached from a name over owners; several may bear one name."""
    reached, left = set[str](), {name}
    while left:
        reached |= left
        left = {above for one in left for above in owners.get(one, ())} - reached
    return reached


def _check_depth(groups: tuple[Group, ...], steps: Steps, depth: int, report: Report) -> None:
    if groups and depth == 0:
        report.add("too-deep", steps, f"groups lie in each other more than {MAX_GROUP_DEPTH} deep")
        return
    for index, group in enumerate(groups):
        _check_depth(group.sub_groups, (*steps, index, "subGroups"), depth - 1, report)
