"""Rules on how pods find their component, instance and replica."""

from __future__ import annotations

from itertools import combinations

from workload_map import path
from workload_map.definition.findings import Report, Steps, shown
from workload_map.definition.rules.overlaps import Selector, collide
from workload_map.definition.rules.probes import Trial
from workload_map.definition.rules.results import check_result, forms_of, strings
from workload_map.definition.schema import Component, ComponentTypeSelector, Definition, PodSelector
from workload_map.definition.structure import ROOT, steps_of
from workload_map.spelling import did_you_mean

OWNERSHIPS = ("label",)


def check(definition: Definition, report: Report) -> None:
    """Check the selector of each component, and those of all components that bear pods against each other."""
    for component, steps in steps_of(definition):
        where = (*steps, "podSelector")
        if component.pod_selector is not None:
            _check_selector(component.pod_selector, where, report)
        _check_instances(component, steps, report)
    bearing = [(each, steps) for each, steps in steps_of(definition) if each.spec_definition is not None]
    if len(bearing) > 1:
        _check_leaves(bearing, report)


def _check_selector(selector: PodSelector, steps: Steps, report: Report) -> None:
    kind = selector.component_type_selector
    if kind is not None:
        where = (*steps, "componentTypeSelector")
        if kind.key_path is None and not kind.match_labels:
            report.add("type-selector-empty", where, "it selects by nothing", "set keyPath or matchLabels")
        if kind.value is not None and kind.key_path is None:
            report.add("value-without-key", (*where, "value"), "there is no keyPath whose value it could be")
        if kind.value is not None and kind.key_path is not None:
            check_result(kind.value, strings(forms_of(kind.key_path)), (*where, "value"), report)
    if selector == PodSelector():
        report.add("selector-empty", steps, "it selects nothing", "remove it")
    if selector.ownership is not None and selector.ownership not in OWNERSHIPS:
        message = f"{shown(selector.ownership)} is no way of owning pods"
        hint = (
            did_you_mean(selector.ownership, OWNERSHIPS)
            or "write `label`, or leave it out for owner references"
        )
        report.add("value-unknown", (*steps, "ownership"), message, hint)
    if selector.ownership is not None and selector.workload_path is None:
        message = "nothing says which workload a pod names"
        report.add("ownership-incomplete", (*steps, "ownership"), message, "set workloadPath")
    if selector.workload_path is not None and selector.ownership is None:
        message = "workloadPath is read only with ownership: label"
        report.add("ownership-incomplete", (*steps, "workloadPath"), message)


def _check_instances(component: Component, steps: Steps, report: Report) -> None:
    selector = component.pod_selector
    by_instance = selector.component_instance_selector if selector else None
    if component.instance_id_path is None:
        if by_instance is not None:
            where = (*steps, "podSelector", "componentInstanceSelector")
            report.add(
                "selector-without-ids",
                where,
                "the component has no ids to compare with",
                "set instanceIdPath",
            )
    elif by_instance is None and component.object_path is None:
        message = "nothing tells which instance a pod belongs to"
        hint = "set podSelector.componentInstanceSelector"
        report.add("ids-without-selector", (*steps, "instanceIdPath"), message, hint)


def _check_leaves(bearing: list[tuple[Component, Steps]], report: Report) -> None:
    without = [(each, steps) for each, steps in bearing if _type_of(each) is None]
    if len(without) == 1:
        (component, steps), *_ = without
        message = f"{component.name!r} takes what the others leave; elsewhere it gets nothing"
        report.add("selector-not-portable", steps, message, "set podSelector.componentTypeSelector")
    for component, steps in without:
        if len(without) > 1 and steps != ROOT:
            others = ", ".join(other.name for other, _ in without if other is not component)
            message = f"no type selector tells its pods from those of {others}"
            report.add("type-selector-missing", steps, message, "set podSelector.componentTypeSelector")
    _check_overlaps(bearing, report)


def _check_overlaps(bearing: list[tuple[Component, Steps]], report: Report) -> None:
    trial = Trial((), path.Budget())
    selected = [(kind, each, steps) for each, steps in bearing if (kind := _type_of(each)) is not None]
    compiled = [(found, each, steps) for kind, each, steps in selected if (found := _compiled(kind))]
    for (first, earlier, _), (second, _, steps) in combinations(compiled, 2):
        if first.covers(second):
            message = f"all pods that it selects go to {earlier.name!r}, which is declared before"
        elif collide(first, second, trial):
            message = (
                f"a pod can have what both it and {earlier.name!r} select, and is then of {earlier.name!r}"
            )
        else:
            continue  # the special one before the general one is as it should be
        report.add("selectors-overlap", (*steps, "podSelector", "componentTypeSelector"), message)


def _type_of(component: Component) -> ComponentTypeSelector | None:
    return component.pod_selector.component_type_selector if component.pod_selector else None


def _compiled(selector: ComponentTypeSelector) -> Selector | None:
    try:
        return Selector(selector)
    except path.PathSyntaxError:
        return None  # told as such
