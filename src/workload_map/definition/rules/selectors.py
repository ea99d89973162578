"""Rules on how pods find their component, instance and replica."""

from __future__ import annotations

from itertools import combinations

from workload_map import path
from workload_map.definition.findings import Report, Steps, did_you_mean, shown
from workload_map.definition.schema import Component, ComponentTypeSelector, Definition, PodSelector
from workload_map.definition.structure import ROOT, steps_of
from workload_map.path import syntax
from workload_map.path.parser import parse

_OWNERSHIPS = ("label",)


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
    if selector == PodSelector():
        report.add("selector-empty", steps, "it selects nothing", "remove it")
    if selector.ownership is not None and selector.ownership not in _OWNERSHIPS:
        message = f"{shown(selector.ownership)} is no way of owning pods"
        hint = (
            did_you_mean(selector.ownership, _OWNERSHIPS)
            or "only `label` is; leave it out for owner references"
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
    selected = [(kind, each, steps) for each, steps in bearing if (kind := _type_of(each)) is not None]
    for (first, earlier, _), (second, _, steps) in combinations(selected, 2):
        if _covers(first, second):  # the other way round, the special one first, is as it should be
            where = (*steps, "podSelector", "componentTypeSelector")
            message = f"all pods that it selects go to {earlier.name!r}, which is declared before"
            report.add(
                "selectors-overlap", where, message, "select by another key or value, or declare it first"
            )


def _type_of(component: Component) -> ComponentTypeSelector | None:
    return component.pod_selector.component_type_selector if component.pod_selector else None


def _covers(general: ComponentTypeSelector, special: ComponentTypeSelector) -> bool:
    """Whether each pod that `special` selects is certainly selected by `general` too."""
    asked = _asked(special)
    return all(place in asked and value in (None, asked[place]) for place, value in _asked(general).items())


def _asked(selector: ComponentTypeSelector) -> dict[object, str | None]:
    """What a selector asks for: a place on the pod and its value, None where any value is right."""
    asked: dict[object, str | None] = {
        ("metadata", "labels", name): value for name, value in selector.match_labels.items()
    }
    if selector.key_path is not None:
        asked.setdefault(_place(selector.key_path), selector.value)
    return asked


def _place(key_path: str) -> object:
    """The fields that a plain path leads through, however it is written; of more than that, its text."""
    try:
        tree = parse(key_path)
    except path.PathSyntaxError:
        return key_path
    fields = _fields(tree)
    return key_path if fields is None else fields


def _fields(node: syntax.Node) -> tuple[object, ...] | None:
    if isinstance(node, syntax.Identity):
        return ()
    if not isinstance(node, syntax.Access):
        return None
    head = _fields(node.head)
    fields = tuple(step.key for step in node.steps if isinstance(step, syntax.Field))
    return None if head is None or len(fields) < len(node.steps) else (*head, *fields)
