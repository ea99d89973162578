"""What no owner reference ties to its workload, where the definition says how it is named there.

That is a pod, or an object of a kind between the workload and its pods: an operator may own it without being
its controller. It is claimed by the name that it carries, in its own namespace, whether that workload is at
hand or not; so it does not matter which of the two comes first.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from workload_map import path
from workload_map.definition import CollisionError, DefinitionSet
from workload_map.engine.fields import Field
from workload_map.engine.objects import (
    Object,
    ObjectKey,
    api_kind,
    is_pod,
    kind_of,
    metadata,
    place_of_pod,
    text_of,
)
from workload_map.engine.plan import Plan, SelectorPlan, plan_of
from workload_map.engine.selecting import is_selected
from workload_map.engine.view import Problem


class Rule(NamedTuple):
    """How workloads of a kind are named.

    Attributes:
        selectors: Those of its components that say where the name stands.
        between: Group and kind of what may stand between such a workload and its pods.
    """

    selectors: list[SelectorPlan]
    between: set[tuple[str, str]]


class Adoption:
    """The claims of pods without controllers, and of what else without one stands above pods.

    Args:
        rules: One for each kind (group, kind) of workload that is named by what is below it.
    """

    def __init__(self, rules: dict[tuple[str, str], Rule]) -> None:
        self._rules = rules
        self._between = {kind for rule in rules.values() for kind in rule.between}
        self._pods: dict[ObjectKey, dict[int, Object]] = {}
        self._claims: dict[int, tuple[list[ObjectKey], list[tuple[str, str]]]] = {}
        self._failures: dict[tuple[str, str, str | None], dict[int, Problem]] = {}

    def may_claim(self, obj: Object) -> bool:
        """Whether an object is of a kind that can name a workload."""
        return is_pod(obj) or kind_of(*api_kind(obj)) in self._between

    def add(self, pod: Object) -> None:
        """Read which workloads a pod, or what else may claim one, names."""
        keys: list[ObjectKey] = []
        failed: list[tuple[str, str]] = []
        namespace = text_of(metadata(pod).get("namespace"))
        own_kind = None if is_pod(pod) else kind_of(*api_kind(pod))
        for kind, rule in self._rules.items():
            if own_kind is not None and own_kind not in rule.between:
                continue
            try:
                names = _names(pod, rule.selectors)
            except path.PathError as error:
                message = f"whether it belongs to a {kind[1]} cannot be told: {error.message}"
                problem = Problem(code="path-failed", location=place_of_pod(pod), message=message)
                self._failures.setdefault((*kind, namespace), {})[id(pod)] = problem
                failed.append(kind)
                continue
            keys.extend((*kind, namespace, name) for name in names)
        for key in keys:
            self._pods.setdefault(key, {})[id(pod)] = pod
        if keys or failed:
            self._claims[id(pod)] = keys, failed

    def remove(self, pod: Object) -> None:
        """Forget a pod."""
        keys, failed = self._claims.pop(id(pod), ([], []))
        for key in keys:
            self._pods[key].pop(id(pod), None)
        for kind in failed:
            self._failures[(*kind, text_of(metadata(pod).get("namespace")))].pop(id(pod), None)

    def claims(self, pod: Object) -> list[ObjectKey]:
        """The workloads that a pod names, in the order of the definitions."""
        return self._claims.get(id(pod), ([], []))[0]

    def pods(self, workload: ObjectKey) -> Iterable[Object]:
        """The pods that name a workload."""
        return self._pods.get(workload, {}).values()

    def problems(self, workload: ObjectKey) -> Iterable[Problem]:
        """One for each pod of the namespace that may name the workload but cannot be read."""
        return self._failures.get(workload[:3], {}).values()


def _names(pod: Object, selectors: list[SelectorPlan]) -> list[str]:
    """The names that a pod gives for workloads of one kind: one, or none."""
    for selector in selectors:
        if selector.workload is None or (selector.has_type and not is_selected(selector, pod, _first)):
            continue
        name = _first(selector.workload, pod)
        if isinstance(name, str) and name:
            return [name]
    return []


def _first(field: Field, pod: Object) -> Any:
    return field.program.first(pod, None, path.Budget())


def rules_for(kinds: Iterable[tuple[str, str]], definitions: DefinitionSet) -> dict[tuple[str, str], Rule]:
    """How workloads are named by what is below them, by group and kind of the workload."""
    rules: dict[tuple[str, str], Rule] = {}
    for api_version, kind in sorted(kinds):
        plan = _plan_for(api_version, kind, definitions)
        if plan is not None and plan.by_label:
            rule = rules.setdefault(kind_of(api_version, kind), Rule([], set()))
            rule.selectors.extend(bearer.selector for bearer in plan.bearers if bearer.selector.workload)
            rule.between.update(plan.created_kinds)
    return rules


def _plan_for(api_version: str, kind: str, definitions: DefinitionSet) -> Plan | None:
    try:
        entry = definitions.get(api_version, kind)
    except CollisionError:
        return None
    return plan_of(entry.definition) if entry else None
