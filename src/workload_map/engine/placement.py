"""Where one pod belongs: the top-most covered object above it, and its place in that workload."""

from __future__ import annotations

from collections.abc import Collection

from workload_map.definition import DefinitionSet
from workload_map.engine.nodes import MAX_DEPTH, OwnerChain
from workload_map.engine.objects import Object, metadata, text_of
from workload_map.engine.owners import OwnerIndex, is_covered
from workload_map.engine.resolve import resolve_many
from workload_map.engine.resource_list import ACCELERATORS
from workload_map.engine.view import Component, Pod, View, Workload


class WorkloadName(View, frozen=True):
    """Which workload.

    Attributes:
        kind: Its kind.
        api_version: Group and version of its kind.
        namespace: None for a cluster-scoped object.
        name: Its name.
        definition: The definition that covers it.
    """

    kind: str
    api_version: str
    namespace: str | None
    name: str
    definition: str


class ChainLink(View, frozen=True):
    """One object of a chain of controllers.

    Attributes:
        kind: Its kind.
        api_version: Group and version of its kind.
        name: Its name.
        uid: Its UID.
        covered: A definition covers its kind.
    """

    kind: str
    api_version: str
    name: str
    uid: str | None
    covered: bool


class Placement(View, frozen=True):
    """Where a pod belongs.

    Attributes:
        pod: The name of the pod.
        namespace: Its namespace.
        workload: The top-most covered object above it.
        component: The component that has it.
        instance: The id of its instance.
        replica_group: The key of its replica.
        chain: The pod and its controllers, nearest first.
        because: Why a part of the answer is missing.
    """

    pod: str
    namespace: str | None
    workload: WorkloadName | None
    component: str | None
    instance: str | None
    replica_group: str | None
    chain: tuple[ChainLink, ...]
    because: str | None


def place(
    pod: Object,
    definitions: DefinitionSet,
    index: OwnerIndex,
    *,
    accelerators: Collection[str] = ACCELERATORS,
) -> Placement:
    """The place of a pod, with the chain of controllers that shows it.

    Args:
        pod: A pod of the index.
        definitions: What is covered. Of several covered objects above the pod the top-most is its workload.
        index: Everything at hand.
        accelerators: The resource names whose amounts are whole accelerators.
    """
    index.adopt(definitions)
    chain = index.chain(pod)
    links = [pod, *chain.owners]
    covered = [one for one in links if is_covered(one, definitions)]
    views = resolve_many(covered[-1:], definitions, index=index, accelerators=accelerators)
    workload = next(views, None)
    name = text_of(metadata(pod).get("name")) or ""
    found = _find(workload, name) if workload else None
    member = found[2] if found else None
    return Placement(
        pod=name,
        namespace=text_of(metadata(pod).get("namespace")),
        workload=name_of(workload) if workload else None,
        component=found[0] if found else None,
        instance=member.instance if member else None,
        replica_group=member.replica_group if member else None,
        chain=tuple(_link(one, is_covered=any(one is other for other in covered)) for one in links),
        because=_because(chain, index, workload, found),
    )


_Found = tuple[str | None, str | None, Pod]
"""Component, reason for none, and the pod as the view has it."""


def _because(
    chain: OwnerChain, index: OwnerIndex, workload: Workload | None, found: _Found | None
) -> str | None:
    """Why a part of the answer is missing."""
    if chain.missing is not None:
        kind, name = (text_of(chain.missing.get(field)) or "?" for field in ("kind", "name"))
        whys = [one.why for one in index.owner_failures if one[:1] + one[2:3] == (kind, name)]
        failed = f": looking for it failed: {whys[0]}" if whys else ""
        return f"its controller {kind} {name} is not at hand{failed}"
    if chain.cycle:
        return "its controllers lead back to each other"
    if chain.too_deep:
        return f"more than {MAX_DEPTH} controllers are above it"
    if workload is None:
        return "no definition covers the pod or any of its controllers"
    return found[1] if found else None


def name_of(workload: Workload) -> WorkloadName:
    """Which workload a view is of."""
    return WorkloadName(
        kind=workload.kind,
        api_version=workload.api_version,
        namespace=workload.namespace,
        name=workload.name,
        definition=workload.definition,
    )


def _link(obj: Object, *, is_covered: bool) -> ChainLink:
    return ChainLink(
        kind=text_of(obj.get("kind")) or "",
        api_version=text_of(obj.get("apiVersion")) or "",
        name=text_of(metadata(obj).get("name")) or "",
        uid=text_of(metadata(obj).get("uid")),
        covered=is_covered,
    )


def _find(workload: Workload, name: str) -> _Found | None:
    for component in _walk(workload.components):
        for pod in component.members or ():
            if pod.name == name:
                return component.name, None, pod
    for stray in workload.unattributed or ():
        if stray.name == name:
            return None, stray.unattributed_because, stray
    return None


def _walk(components: tuple[Component, ...]) -> list[Component]:
    found = []
    for component in components:
        found.append(component)
        found.extend(_walk(component.components))
        for instance in component.instances:
            found.extend(_walk(instance.components))
    return found
