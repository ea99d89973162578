"""Rules on pods that are placed together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from workload_map.definition.findings import Report, Steps, shown
from workload_map.definition.schema import Definition, GangScheduling, Group, Topology
from workload_map.definition.structure import report_unknown, steps_of
from workload_map.spelling import did_you_mean

GANGS: Steps = ("spec", "optimizationInstructions", "gangScheduling")
PER = ("workload", "instance", "replica")


def check(definition: Definition, report: Report) -> None:
    """Check the forms of gang scheduling, and that they name components that are there."""
    instructions = definition.spec.optimization_instructions
    if instructions is None or instructions.gang_scheduling is None:
        return
    gangs = instructions.gang_scheduling
    _check_forms(gangs, report)
    _check_names(gangs, report)
    _check_components(definition, gangs, report)
    for group, steps in _all_groups(gangs.groups, (*GANGS, "groups")):
        _check_group(group, steps, report)
    for topology, steps in _topologies(gangs):
        _check_topology(topology, steps, report)


def _check_forms(gangs: GangScheduling, report: Report) -> None:
    if gangs.pod_groups and gangs.pod_group is not None:
        message = "podGroups and podGroup say the same in two ways"
        report.add("gang-forms", GANGS, message, "keep podGroup, or podGroups if it groups by keys of pods")
    if not gangs.pod_groups and gangs.pod_group is None and not gangs.groups:
        report.add("gang-empty", GANGS, "no pods are named that belong together")
    for index, group in enumerate(gangs.pod_groups):
        if not group.members:
            report.add("gang-empty", (*GANGS, "podGroups", index), "the group has no members")


def _check_names(gangs: GangScheduling, report: Report) -> None:
    _check_unique(
        [(group.name, (*GANGS, "podGroups", n)) for n, group in enumerate(gangs.pod_groups)], report
    )
    _check_unique(
        [(group.name, steps) for group, steps in _all_groups(gangs.groups, (*GANGS, "groups"))], report
    )
    if gangs.pod_group is not None:
        _check_unique([(gangs.pod_group.name, (*GANGS, "podGroup"))], report)


def _check_unique(named: Iterable[tuple[str, Steps]], report: Report) -> None:
    seen: set[str] = set()
    for name, steps in named:
        if not name:
            report.add("group-unnamed", (*steps, "name"), "the group has no name")
        elif name in seen:
            report.add("group-duplicate", (*steps, "name"), f"{name!r} is the name of another group too")
        seen.add(name)


def _check_components(definition: Definition, gangs: GangScheduling, report: Report) -> None:
    known = [component.name for component, _ in steps_of(definition)]
    for name, steps in _component_names(gangs):
        if name not in known:
            report_unknown("gang-component-unknown", name, steps, definition, report)
    for names, where in _component_lists(gangs):
        for index, name in enumerate(names):
            if name in names[:index]:
                steps = (*where, index, "componentName")
                report.add("group-duplicate", steps, f"{name!r} is in this list already")


def _component_lists(gangs: GangScheduling) -> Iterator[tuple[list[str], Steps]]:
    """The components that one group of the base schema is made of: a list keyed by their names."""
    for number, pod_group in enumerate(gangs.pod_groups):
        names = [member.component_name for member in pod_group.members]
        yield names, (*GANGS, "podGroups", number, "members")
    if gangs.pod_group is not None:
        names = [sub_group.component_name for sub_group in gangs.pod_group.sub_groups]
        yield names, (*GANGS, "podGroup", "subGroups")


def _component_names(gangs: GangScheduling) -> Iterator[tuple[str, Steps]]:
    for names, where in _component_lists(gangs):
        for index, name in enumerate(names):
            yield name, (*where, index, "componentName")
    for group, steps in _all_groups(gangs.groups, (*GANGS, "groups")):
        if group.component_name is not None:
            yield group.component_name, (*steps, "componentName")


def _all_groups(groups: tuple[Group, ...], steps: Steps) -> Iterator[tuple[Group, Steps]]:
    for index, group in enumerate(groups):
        where = (*steps, index)
        yield group, where
        yield from _all_groups(group.sub_groups, (*where, "subGroups"))


def _check_group(group: Group, steps: Steps, report: Report) -> None:
    if group.component_name is None and not group.sub_groups:
        report.add(
            "gang-empty",
            steps,
            "the group has neither pods nor groups in it",
            "set componentName or subGroups",
        )
    if group.per is not None and group.per not in PER:
        message = f"{shown(group.per)} is nothing that there is a group for"
        hint = did_you_mean(group.per, PER) or f"write one of {', '.join(PER)}"
        report.add("value-unknown", (*steps, "per"), message, hint)
    if group.minimum is not None and group.minimum < 0:
        report.add("minimum-invalid", (*steps, "minimum"), f"{group.minimum} is not a number of pods")
    if group.minimum is not None and group.minimum_path is not None:
        message = "minimum and minimumPath exclude each other"
        report.add("minimum-invalid", (*steps, "minimum"), message, "keep the one that holds")


def _topologies(gangs: GangScheduling) -> Iterator[tuple[Topology, Steps]]:
    single = gangs.pod_group
    if single is not None:
        if single.topology is not None:
            yield single.topology, (*GANGS, "podGroup", "topology")
        for index, sub_group in enumerate(single.sub_groups):
            if sub_group.topology is not None:
                yield sub_group.topology, (*GANGS, "podGroup", "subGroups", index, "topology")
    for group, steps in _all_groups(gangs.groups, (*GANGS, "groups")):
        if group.topology is not None:
            yield group.topology, (*steps, "topology")


def _check_topology(topology: Topology, steps: Steps, report: Report) -> None:
    if not topology.topology_name:
        report.add("topology-incomplete", (*steps, "topologyName"), "the topology has no name")
    levels = {
        "preferredTopologyLevel": topology.preferred_topology_level,
        "requiredTopologyLevel": topology.required_topology_level,
    }
    missing = [name for name, level in levels.items() if not level]
    if len(missing) == len(levels):
        message = "it asks for no level, so that it places nothing together"
        report.add("topology-incomplete", steps, message, f"set {' or '.join(levels)}")
    elif missing:
        message = f"the base schema requires {missing[0]} as well"
        report.add("topology-not-portable", steps, message, "set both levels, to the same if need be")
