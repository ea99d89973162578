"""The rights that reading takes: which verbs on which resources, and no more."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from workload_map.definition import CollisionError, DefinitionSet
from workload_map.engine.plan import Plan, plan_of
from workload_map.source.crds import CRD
from workload_map.source.kinds import GroupKind, KindTable
from workload_map.source.protocol import CLAIMS, DEFINITION, POD

_EVENT = GroupKind("", "Event")
READ, CHANGE = ("get", "list", "watch"), ("patch",)


def cluster_role(definitions: DefinitionSet, table: KindTable, *, edit: bool, name: str) -> dict[str, Any]:
    """The ClusterRole that allows every command on the covered kinds.

    Args:
        definitions: What is covered.
        table: The names of kinds.
        edit: Whether workloads are to be changed as well.
        name: The name of the role.
    """
    plans = [plan for entry in definitions.entries() if (plan := _plan(entry.key, definitions)) is not None]
    workloads = {_kind(plan) for plan in plans}
    between = {GroupKind(*kind) for plan in plans for kind in plan.created_kinds} - workloads
    referenced = {
        GroupKind(reference.api_version.rpartition("/")[0], reference.kind)
        for plan in plans
        for reference in plan.references.values()
    } - workloads
    rules = [
        *_rules(workloads | {POD}, table, (*READ, *CHANGE) if edit else READ),
        *_rules(between - {POD}, table, READ),
        *_rules({*referenced, *CLAIMS} - between, table, READ),
        *_rules({_EVENT, DEFINITION}, table, ("list",)),
        *_rules({CRD}, table, ("get",)),
    ]
    return {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "ClusterRole",
        "metadata": {"name": name},
        "rules": rules,
    }


def _rules(kinds: Iterable[GroupKind], table: KindTable, verbs: tuple[str, ...]) -> list[dict[str, Any]]:
    """A rule for each group, by its name."""
    plurals: dict[str, list[str]] = {}
    for kind in sorted(kinds):
        plurals.setdefault(kind.group, []).append(table.plural(kind))
    return [
        {"apiGroups": [group], "resources": sorted(names), "verbs": list(verbs)}
        for group, names in sorted(plurals.items())
    ]


def _plan(key: tuple[str, str], definitions: DefinitionSet) -> Plan | None:
    try:
        entry = definitions.get(*key)
    except CollisionError:
        return None
    return plan_of(entry.definition) if entry is not None else None


def _kind(plan: Plan) -> GroupKind:
    kind = plan.definition.root.kind
    return GroupKind(kind.group, kind.kind) if kind is not None else POD
