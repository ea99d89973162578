"""Which kinds a question needs besides the workloads: what stands between these and pods, what they name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from workload_map.definition import CollisionError, Definition, DefinitionSet
from workload_map.definition.kind_names import KindNames
from workload_map.engine.plan import Plan, plan_of
from workload_map.source.kinds import GroupKind, Target
from workload_map.source.protocol import POD

Kinds = dict[GroupKind, list[KindNames]]
"""The versions in which a server has each kind, the one that it prefers first."""


class Needs(msgspec.Struct, frozen=True):
    """What is to be read for a question.

    Attributes:
        workloads: The kinds that are asked for, in the version to read; pods are not among them.
        pods: Whether pods are asked for as workloads.
        whole: Other kinds of which paths may read any field.
        bare: Kinds that stand between, of which the metadata is enough.
        below: All kinds that stand between, also those that are asked for.
        absent: Kinds that are asked for and covered, but not served in a version that a definition covers.
        follows: Whether the kinds between cannot all be foreseen, so that owners are to be followed.
        definitions: Those that are used, by the kinds that they are used for.
        referenced: The kinds whose objects the paths of other kinds read.
    """

    workloads: dict[GroupKind, KindNames]
    pods: bool
    whole: dict[GroupKind, KindNames]
    bare: dict[GroupKind, KindNames]
    below: frozenset[GroupKind]
    absent: tuple[GroupKind, ...]
    follows: bool
    definitions: dict[GroupKind, Definition]
    referenced: frozenset[GroupKind]

    @property
    def nothing(self) -> bool:
        """Whether the server has nothing of what is asked for."""
        return not self.workloads and not self.pods


def needs_of(targets: Iterable[Target], definitions: DefinitionSet, served: Kinds) -> Needs:
    """What a question needs.

    Args:
        targets: The kinds that it asks for; none: all that are covered and served.
        definitions: What is covered.
        served: What the server has.
    """
    asked = list(targets)
    wanted = asked or [Target(kind) for kind in served]
    covered = {target.kind: _covered(target, definitions, served) for target in wanted}
    workloads = {kind: names for kind, names in covered.items() if names is not None}
    absent = [
        target.kind
        for target in asked
        if target.kind not in workloads and _is_covered(target.kind, definitions)
    ]
    below = _below(workloads, definitions, served)
    plans = {kind: _plan(names, definitions) for kind, names in {**below, **workloads}.items()}
    used = {kind: plan for kind, plan in plans.items() if plan is not None}
    read, listed = _referenced(used.values(), served)
    pods = workloads.pop(POD, None)
    between = {kind: names for kind, names in below.items() if kind not in workloads and kind != POD}
    # Of what paths read the metadata alone would be taken for the whole.
    whole = {kind: names for kind, names in between.items() if kind in read} | listed
    return Needs(
        workloads=workloads,
        pods=pods is not None,
        whole={kind: names for kind, names in whole.items() if kind not in workloads},
        bare={kind: names for kind, names in between.items() if kind not in whole},
        below=frozenset(below),
        absent=tuple(absent),
        follows=not asked or any(map(_wraps_anything, used.values())),
        definitions={kind: plan.definition for kind, plan in used.items()},
        referenced=frozenset(read),
    )


def adopting(definitions: DefinitionSet, served: Kinds) -> dict[GroupKind, KindNames]:
    """The kinds whose pods name their workload themselves, without an owner reference."""
    found = {kind: _covered(Target(kind), definitions, served) for kind in served}
    return {
        kind: names
        for kind, names in found.items()
        if names is not None and (plan := _plan(names, definitions)) is not None and plan.by_label
    }


def best_version(kind: GroupKind, definitions: DefinitionSet, served: Kinds) -> KindNames | None:
    """The version of a kind to read: the first one that is covered, else the one that the server prefers."""
    found = _covered(Target(kind), definitions, served)
    return found or next(iter(served.get(kind, ())), None)


def _covered(target: Target, definitions: DefinitionSet, served: Kinds) -> KindNames | None:
    for names in served.get(target.kind, ()):
        is_meant = target.version is None or names.version.lower() == target.version.lower()
        if is_meant and definitions.covers(names.api_version, names.kind):
            return names
    return None


def _is_covered(kind: GroupKind, definitions: DefinitionSet) -> bool:
    return any((entry.kind.group, entry.kind.kind) == kind for entry in definitions.entries())


def _below(
    workloads: dict[GroupKind, KindNames], definitions: DefinitionSet, served: Kinds
) -> dict[GroupKind, KindNames]:
    """The kinds that these create, and those create, as far as the server has them."""
    found: dict[GroupKind, KindNames] = {}
    waiting = list(workloads.values())
    for names in waiting:
        plan = _plan(names, definitions)
        for created in plan.created_kinds if plan else ():
            kind = GroupKind(*created)
            version = best_version(kind, definitions, served)
            if version is not None and kind not in found:
                found[kind] = version
                waiting.append(version)
    return found


def _wraps_anything(plan: Plan) -> bool:
    """Whether objects of any kind may lie in the workload: whole ones, of which no kind is declared."""
    return any(one.objects is not None and one.component.kind is None for one in plan.components)


def _referenced(plans: Iterable[Plan], served: Kinds) -> tuple[set[GroupKind], dict[GroupKind, KindNames]]:
    """The kinds that paths read, and those of them of which they read all that labels select."""
    read: set[GroupKind] = set()
    listed: dict[GroupKind, KindNames] = {}
    for plan in plans:
        read.update(GroupKind(*kind) for kind in plan.read_kinds)
        for reference in plan.references.values():
            if reference.object_name is not None:
                continue
            group, slash, version = reference.api_version.rpartition("/")
            kind = GroupKind(group if slash else "", reference.kind)
            for names in _this_version_first(served.get(kind, ()), version):
                listed.setdefault(kind, names)
    return read, listed


def _this_version_first(versions: Iterable[KindNames], wanted: str) -> Iterator[KindNames]:
    yield from sorted(versions, key=lambda names: names.version != wanted)


def _plan(names: KindNames, definitions: DefinitionSet) -> Plan | None:
    try:
        entry = definitions.get(names.api_version, names.kind)
    except CollisionError:
        return None
    return plan_of(entry.definition) if entry else None
