"""What of a definition no case reaches: components, expressions, rules and selectors that nothing would miss.

A definition is code: what no case reaches may as well be wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from workload_map import path
from workload_map.catalog.cases import Case
from workload_map.definition import Definition, DefinitionSet
from workload_map.definition.slots import Expression, expressions
from workload_map.engine.reading import field_path
from workload_map.engine.resolve import resolve
from workload_map.engine.status_plan import StatusPlan
from workload_map.engine.view import Component, Workload


def unreached(definition: Definition, cases: Sequence[Case], definitions: DefinitionSet) -> list[str]:
    """The parts of a definition that no case reaches, by their location in it.

    An expression is reached where it gives something that is neither null nor false; a rule where it decides
    a phase; a component where it is in a view; a selector where it gives its component a pod.

    Args:
        definition: The definition.
        cases: Its cases.
        definitions: The set that the cases are resolved with.
    """
    views = [resolve(one.object, definitions, pods=one.pods, related=one.related) for one in cases]
    missing = list(_silent_expressions(definition, cases))
    missing += _undeciding_rules(definition, views)
    missing += _unseen_components(definition, views)
    return sorted(missing)


def _silent_expressions(definition: Definition, cases: Sequence[Case]) -> Iterator[str]:
    objects = [one.object for one in cases]
    pods = [pod for one in cases for pod in one.pods or ()]
    for expression in expressions(definition):
        if _is_rule(expression):
            continue
        if not any(
            _speaks(expression, value) for value in (objects if expression.slot.on == "workload" else pods)
        ):
            yield field_path(expression.steps)


def _is_rule(expression: Expression) -> bool:
    """Rules give a phase or none: whether they do is seen in the views."""
    return "statusMappings" in expression.steps


def _speaks(expression: Expression, value: Any) -> bool:
    try:
        outputs = path.compile(expression.text, null_is_empty=True).all(value)
    except path.PathError:
        return False
    return any(output is not None and output is not False for output in outputs)


def _undeciding_rules(definition: Definition, views: Iterable[Workload]) -> Iterator[str]:
    deciding = {why.rule for view in views for why in view.why}
    status = definition.root.status_definition
    if status is None:
        return
    plan = StatusPlan(status, "spec.structureDefinition.rootComponent")
    yield from (rule.place for rules in plan.rules for rule in rules if rule.place not in deciding)


def _unseen_components(definition: Definition, views: Iterable[Workload]) -> Iterator[str]:
    seen: set[str] = set()
    with_pods: set[str] = set()
    for shown in (one for view in views for top in view.components for one in _walk(top)):
        seen.add(shown.name)
        if shown.members:
            with_pods.add(shown.name)
    for component in definition.components:
        if component.name not in seen and (component is not definition.root or component.spec_definition):
            yield f"component {component.name}"
        selector = component.pod_selector
        if selector and selector.component_type_selector and component.name not in with_pods:
            yield f"component {component.name}: podSelector.componentTypeSelector"


def _walk(component: Component) -> Iterator[Component]:
    yield component
    for below in (*component.components, *(one for each in component.instances for one in each.components)):
        yield from _walk(below)
