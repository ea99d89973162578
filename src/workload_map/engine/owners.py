"""Who owns whom: controller owner references among the objects at hand, followed by UID.

Belonging goes by the reference that says `controller: true`, of which an object has at most one
(apimachinery, `metav1.GetControllerOf`); labels and names say nothing here. Owners may come in any order,
and may be pods.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any

import msgspec

from workload_map.definition import DefinitionSet

Object = dict[str, Any]
Lookup = Callable[[Object], Object | None]
"""From an owner reference, with the `namespace` of the owned object added, to the owner or None."""

MAX_DEPTH = 32
"""How many owners above one another are followed. Real chains have up to six."""


class OwnerChain(msgspec.Struct, frozen=True):
    """The controllers above an object, nearest first.

    Attributes:
        owners: Those at hand.
        missing: The owner reference at which the chain ends because its object is not at hand.
        cycle: The chain comes back to itself.
        too_deep: The chain is longer than `MAX_DEPTH`.
    """

    owners: tuple[Object, ...]
    missing: Object | None = None
    cycle: bool = False
    too_deep: bool = False


class Orphans(msgspec.Struct, frozen=True):
    """Objects whose controller is not at hand, by the kind of that controller.

    Attributes:
        api_version: Of the missing controllers.
        kind: Of the missing controllers.
        namespace: Where they would be.
        objects: Those that they control.
        owner_names: Their names, sorted.
    """

    api_version: str
    kind: str
    namespace: str | None
    objects: tuple[Object, ...]
    owner_names: tuple[str, ...]


def metadata(obj: Object) -> Object:
    """The metadata of an object; empty where it is absent or no object."""
    meta = obj.get("metadata")
    return meta if isinstance(meta, dict) else {}


def controller(obj: Object) -> Object | None:
    """The owner reference of the controller; None without one."""
    references = metadata(obj).get("ownerReferences")
    if not isinstance(references, list):
        return None
    for reference in references:
        if isinstance(reference, dict) and reference.get("controller") is True:
            return reference
    return None


def is_pod(obj: Object) -> bool:
    """Whether an object is a core Pod."""
    return obj.get("kind") == "Pod" and obj.get("apiVersion") == "v1"


def text_of(value: Any) -> str | None:
    """A text as it is; None for anything else."""
    return value if isinstance(value, str) else None


class OwnerIndex:
    """The objects at hand, by UID and by owner.

    Args:
        objects: Everything at hand: workloads, pods, and what stands between. Objects without a UID
            (manifests) own nothing and are only kept. Never changed.
        lookup: Finds an owner that is not among them (a cache, a client of the caller's), or gives None.
    """

    def __init__(self, objects: Iterable[Object], lookup: Lookup | None = None) -> None:
        self.objects: list[Object] = []
        self._by_uid: dict[str, Object] = {}
        self._owned: dict[str, list[Object]] = {}
        self._lookup = lookup
        self.shared_uids: list[str] = []
        """UIDs that two different objects bear. The first one owns; a second of the same name is left out."""
        for obj in objects:
            self._add(obj)
        if lookup is not None:
            self._fetch_owners(lookup)

    def _add(self, obj: Object) -> None:
        uid = metadata(obj).get("uid")
        if isinstance(uid, str) and uid:
            known = self._by_uid.setdefault(uid, obj)
            if known is not obj:
                if known == obj:
                    return
                self.shared_uids.append(uid)
                if _name(known) == _name(obj):
                    return
        self.objects.append(obj)
        reference = controller(obj)
        if reference is not None and isinstance(reference.get("uid"), str):
            self._owned.setdefault(reference["uid"], []).append(obj)

    def _fetch_owners(self, lookup: Lookup) -> None:
        asked: set[str] = set()
        # The list grows while it is walked: owners that were found have owners of their own.
        for obj in self.objects:
            reference = controller(obj)
            uid = reference.get("uid") if reference else None
            if reference is None or not isinstance(uid, str) or uid in self._by_uid or uid in asked:
                continue
            asked.add(uid)
            found = lookup({**reference, "namespace": metadata(obj).get("namespace")})
            if found is not None and metadata(found).get("uid") == uid:
                self._add(found)

    def find(self, api_version: str, kind: str, namespace: str | None, name: str) -> Object | None:
        """The object of a name, among those at hand or by the lookup. The version of the kind may differ."""
        found = self._by_name.get((*kind_of(api_version, kind), namespace, name))
        if found is None and self._lookup is not None:
            reference = {"apiVersion": api_version, "kind": kind, "namespace": namespace, "name": name}
            found = self._lookup(reference)
        return found

    @cached_property
    def _by_name(self) -> dict[tuple[str, str, Any, Any], Object]:
        found: dict[tuple[str, str, Any, Any], Object] = {}
        for obj in self.objects:
            key = (*kind_of(str(obj.get("apiVersion")), str(obj.get("kind"))), *_name(obj)[1:])
            if all(isinstance(part, str | None) for part in key):
                found.setdefault(key, obj)
        return found

    def chain(self, obj: Object) -> OwnerChain:
        """The controllers above an object."""
        owners: list[Object] = []
        seen = {metadata(obj).get("uid")}
        current = obj
        while (reference := controller(current)) is not None:
            uid = reference.get("uid")
            if uid in seen:
                return OwnerChain(tuple(owners), cycle=True)
            owner = self._by_uid.get(uid) if isinstance(uid, str) else None
            if owner is None:
                return OwnerChain(tuple(owners), missing=reference)
            if len(owners) == MAX_DEPTH:
                return OwnerChain(tuple(owners), too_deep=True)
            seen.add(uid)
            owners.append(owner)
            current = owner
        return OwnerChain(tuple(owners))

    def pods_under(self, obj: Object) -> list[Object]:
        """The pods whose controllers lead to an object, and the object itself if it is a pod; by name."""
        uid = metadata(obj).get("uid")
        pods = [obj] if is_pod(obj) else []
        if not isinstance(uid, str) or not uid:
            return pods
        seen = {uid}
        level = [uid]
        for _ in range(MAX_DEPTH + 1):
            below = [one for owner in level for one in self._owned.get(owner, ())]
            level = []
            for one in below:
                child = metadata(one).get("uid")
                if child in seen and not is_pod(one):
                    continue
                if is_pod(one) and one is not obj:
                    pods.append(one)
                if isinstance(child, str) and child not in seen:
                    seen.add(child)
                    level.append(child)
            if not level:
                break
        return sorted(pods, key=lambda pod: str(metadata(pod).get("name")))

    def top_level(self, definitions: DefinitionSet) -> list[Object]:
        """The covered objects that no other covered object controls, in the order in which they were given.

        A controller that is covered counts by its reference alone, at hand or not. A pod whose controller
        is not at hand is left out: with the controller it would count twice (`orphans` names what is
        missing).
        """
        return [obj for obj in self.objects if self._is_top(obj, definitions)]

    def _is_top(self, obj: Object, definitions: DefinitionSet) -> bool:
        if not _is_covered(obj, definitions):
            return False
        chain = self.chain(obj)
        if any(_is_covered(owner, definitions) for owner in chain.owners):
            # Of objects that control each other none is on top; the first one stands for them.
            return chain.cycle and self._is_first_of_cycle(obj, chain)
        if chain.missing is None:
            return True
        return not is_pod(obj) and not _is_covered(chain.missing, definitions)

    def _is_first_of_cycle(self, obj: Object, chain: OwnerChain) -> bool:
        closing = controller(chain.owners[-1])
        if closing is None or closing.get("uid") != metadata(obj).get("uid"):
            return False
        positions = {id(one): index for index, one in enumerate(self.objects)}
        return all(positions[id(obj)] < positions[id(owner)] for owner in chain.owners)

    @cached_property
    def orphans(self) -> list[Orphans]:
        """What hangs on controllers that are not at hand: one entry a kind and namespace, sorted."""
        found: dict[tuple[str, str, str], list[tuple[Object, str]]] = {}
        for obj in self.objects:
            reference = controller(obj)
            if reference is None or str(reference.get("uid")) in self._by_uid:
                continue
            namespace = text_of(metadata(obj).get("namespace")) or ""
            key = (namespace, str(reference.get("apiVersion")), str(reference.get("kind")))
            found.setdefault(key, []).append((obj, str(reference.get("name"))))
        return [
            Orphans(
                api_version=api_version,
                kind=kind,
                namespace=namespace or None,
                objects=tuple(obj for obj, _ in pairs),
                owner_names=tuple(sorted({name for _, name in pairs})),
            )
            for (namespace, api_version, kind), pairs in sorted(found.items(), key=lambda item: item[0])
        ]

    def orphans_in(self, namespace: str | None) -> list[Orphans]:
        """Those of one namespace."""
        return self._orphans_by_namespace.get(namespace, [])

    @cached_property
    def _orphans_by_namespace(self) -> dict[str | None, list[Orphans]]:
        found: dict[str | None, list[Orphans]] = {}
        for orphans in self.orphans:
            found.setdefault(orphans.namespace, []).append(orphans)
        return found


def kind_of(api_version: str, kind: str) -> tuple[str, str]:
    """Group and kind; the version of a kind says nothing about what it is."""
    group, slash, _ = api_version.partition("/")
    return (group if slash else "", kind)


def _name(obj: Object) -> tuple[Any, Any, Any]:
    meta = metadata(obj)
    return obj.get("kind"), meta.get("namespace"), meta.get("name")


def _is_covered(obj: Object, definitions: DefinitionSet) -> bool:
    return definitions.covers(str(obj.get("apiVersion")), str(obj.get("kind")))
