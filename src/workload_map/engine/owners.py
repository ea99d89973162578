"""Who owns whom: controller owner references among the objects at hand, followed by UID.

Belonging goes by the reference that says `controller: true`, of which an object has at most one
(apimachinery, `metav1.GetControllerOf`); labels and names say nothing here, but where a definition says that
pods name their workload (`adoption`). Owners may come in any order, and may be pods.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from workload_map.definition import DefinitionSet
from workload_map.engine.adoption import Adoption, rules_for
from workload_map.engine.finding import Failure, Finder, Lookup
from workload_map.engine.objects import (
    Object,
    ObjectKey,
    api_kind,
    controller,
    is_pod,
    key_of,
    kind_of,
    metadata,
    owner_uid,
    text_of,
    uid_of,
)
from workload_map.engine.view import Problem
from workload_map.engine.waiting import Orphans, Waiting

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


class OwnerIndex:
    """The objects at hand, by UID and by owner.

    Args:
        objects: Everything at hand: workloads, pods, and what stands between. Objects without a UID
            (manifests) own nothing and are only kept. Never changed.
        lookup: Finds an owner that is not among them (a cache, a client of the caller's), or gives None.
    """

    def __init__(self, objects: Iterable[Any], lookup: Lookup | None = None) -> None:
        self._objects: dict[int, Object] = {}
        self._by_uid: dict[str, Object] = {}
        self._sharing: dict[str, list[Object]] = {}
        self._owned: dict[str, dict[int, Object]] = {}
        self._waiting: Waiting | None = None
        self._named: dict[tuple[str, str, str | None], dict[str, Object]] | None = None
        self._lookup = Finder(lookup) if lookup is not None else None
        self.owner_failures: list[Failure] = []
        """The owners that were asked for in vain, since the caller's function raised something."""
        self._adoption: Adoption | None = None
        self._adopting: DefinitionSet | None = None
        self._adopted_kinds = 0
        self._kinds: set[tuple[str, str]] = set()
        self.shared_uids: list[str] = []
        """UIDs that two different objects bear. The first one owns; a second of the same name is left out."""
        self.malformed = 0
        """How many of those given are no objects at all."""
        for obj in objects:
            if isinstance(obj, dict):
                self.add(obj)
            else:
                self.malformed += 1
        if self._lookup is not None:
            self._fetch_owners(self._lookup)

    @property
    def objects(self) -> list[Object]:
        """Everything at hand, in the order in which it was given."""
        return list(self._objects.values())

    def add(self, obj: Object) -> None:
        """Take in one more object. Those that wait for it by its UID are below it from now on."""
        uid = uid_of(obj)
        if uid is not None and self._by_uid.setdefault(uid, obj) is not obj and not self._shares(uid, obj):
            return
        self._objects[id(obj)] = obj
        if not is_pod(obj):
            self._kinds.add(api_kind(obj))
        reference = controller(obj)
        if reference is not None:
            self._owned.setdefault(owner_uid(reference), {})[id(obj)] = obj
        elif self._adoption is not None and self._adoption.may_claim(obj):
            self._adoption.add(obj)
        if self._named is not None:
            key = key_of(obj)
            self._named.setdefault(key[:3], {}).setdefault(key[3], obj)
        if self._waiting is not None:
            self._park(obj, self._waiting)
            for child in self.owned_by(uid) if uid else ():
                if self.controller_of(child) is not None:
                    self._waiting.discard(child)

    def _shares(self, uid: str, obj: Object) -> bool:
        """Whether an object is kept whose UID another one bears; one that is given twice counts once."""
        known = self._by_uid[uid]
        if _is_same(known, obj):
            return False
        self.shared_uids.append(uid)
        if key_of(known) == key_of(obj):
            return False
        self._sharing.setdefault(uid, []).append(obj)
        return True

    def remove(self, obj: Object) -> None:
        """Forget an object that was added (this very one). What it controls waits for its UID again."""
        if self._objects.pop(id(obj), None) is None:
            return
        reference = controller(obj)
        if reference is not None:
            self._owned[owner_uid(reference)].pop(id(obj), None)
        elif self._adoption is not None:
            self._adoption.remove(obj)
        key = key_of(obj)
        if self._named is not None and self._named[key[:3]].get(key[3]) is obj:
            del self._named[key[:3]][key[3]]
        uid = uid_of(obj)
        if uid is not None:
            self._release(uid, obj)
        if self._waiting is not None:
            self._waiting.discard(obj)
            for child in self.owned_by(uid) if uid else ():
                self._park(child, self._waiting)

    def _release(self, uid: str, obj: Object) -> None:
        sharing = self._sharing.get(uid, [])
        if self._by_uid.get(uid) is not obj:
            sharing[:] = [one for one in sharing if one is not obj]
        elif sharing:
            self._by_uid[uid] = sharing.pop(0)
        else:
            del self._by_uid[uid]
        if uid in self.shared_uids:
            self.shared_uids = [one for one in self.shared_uids if one != uid] + [uid] * len(sharing)

    def _park(self, obj: Object, waiting: Waiting) -> None:
        """Let an object wait for its controller, where that is not at hand."""
        if controller(obj) is not None and self.controller_of(obj) is None:
            waiting.add(obj)

    def _fetch_owners(self, lookup: Finder) -> None:
        asked: set[str] = set()
        waiting = list(self._objects.values())
        # The list grows while it is walked: owners that were found have owners of their own.
        for obj in waiting:
            reference = controller(obj)
            uid = owner_uid(reference) if reference else ""
            if reference is None or not uid or uid in self._by_uid or uid in asked:
                continue
            asked.add(uid)
            found = lookup({**reference, "namespace": metadata(obj).get("namespace")})
            if lookup.failed is not None:
                self.owner_failures.append(lookup.failed)
            if isinstance(found, dict) and metadata(found).get("uid") == uid:
                self.add(found)
                waiting.append(found)

    # Finding objects

    def find(self, api_version: str, kind: str, namespace: str | None, name: str) -> Object | Failure | None:
        """The object of a name, among those at hand or by the lookup. The version of the kind may differ.

        Where the lookup fails, why it did.
        """
        group_kind = kind_of(api_version, kind)
        found = self._names().get((*group_kind, namespace), {}).get(name)
        if found is not None or self._lookup is None:
            return found
        reference = {"apiVersion": api_version, "kind": kind, "namespace": namespace, "name": name}
        answer = self._lookup(reference)
        if self._lookup.failed is not None:
            return self._lookup.failed
        # What answers with another object is not believed.
        is_it = isinstance(answer, dict) and key_of(answer) == (*group_kind, namespace, name)
        return answer if is_it else None

    def with_uid(self, uid: str) -> Object | None:
        """The object of a UID, the first of several; None where none is at hand."""
        return self._by_uid.get(uid)

    def owned_by(self, uid: str) -> Iterable[Object]:
        """The objects that a controller of this UID controls, whether it is at hand or not."""
        return self._owned.get(uid, {}).values()

    def of_kind(self, api_version: str, kind: str, namespace: str | None) -> list[Object]:
        """The objects of a kind in a namespace, and those that lie in none, by name."""
        group_kind = kind_of(api_version, kind)
        found = dict(self._names().get((*group_kind, None), {}))
        found.update(self._names().get((*group_kind, namespace), {}))
        return [found[name] for name in sorted(found)]

    def _names(self) -> dict[tuple[str, str, str | None], dict[str, Object]]:
        if self._named is None:
            self._named = {}
            for obj in self._objects.values():
                key = key_of(obj)
                self._named.setdefault(key[:3], {}).setdefault(key[3], obj)
        return self._named

    # Owners above, pods below

    def controller_of(self, obj: Object) -> Object | None:
        """The controller of an object, if it is at hand."""
        reference = controller(obj)
        owner = self._by_uid.get(owner_uid(reference)) if reference is not None else None
        if owner is None or not _may_own(metadata(owner).get("namespace"), obj):
            return None
        return owner

    def chain(self, obj: Object) -> OwnerChain:
        """The controllers above an object."""
        owners: list[Object] = []
        start, current = uid_of(obj), obj
        while True:
            reference = controller(current)
            if reference is None:
                owner = self._adopter(current) if self._adoption is not None else None
            else:
                owner = self.controller_of(current)
            if owner is None:
                return OwnerChain(tuple(owners), missing=reference)
            # Chains are short: looking through one is quicker than keeping a set of it.
            returns = start is not None and uid_of(owner) == start
            if returns or any(owner is one for one in owners):
                return OwnerChain(tuple(owners), cycle=True)
            if len(owners) == MAX_DEPTH:
                return OwnerChain(tuple(owners), too_deep=True)
            owners.append(owner)
            current = owner

    def pods_under(self, obj: Object) -> list[Object]:
        """The pods whose controllers lead to an object, and the object itself if it is a pod; by name."""
        return self.below(obj)[0]

    def below(self, obj: Object) -> tuple[list[Object], bool]:
        """As `pods_under`, and whether something lies so deep that it is not followed."""
        pods = [obj] if is_pod(obj) else []
        depth = 0
        for depth, level in enumerate(self._levels(obj), start=1):
            if depth > MAX_DEPTH + 1:
                break
            pods.extend(one for one in level if is_pod(one))
        return sorted(pods, key=_name_and_uid), depth > MAX_DEPTH + 1

    def _levels(self, obj: Object) -> Iterator[list[Object]]:
        """What lies below an object, level by level, each once."""
        seen = {id(obj), id(self._by_uid.get(uid_of(obj) or "", obj))}
        level = [obj]
        while level:
            level = [one for owner in level for one in self._below(owner) if id(one) not in seen]
            seen.update(map(id, level))
            if level:
                yield level

    def _below(self, owner: Object) -> Iterable[Object]:
        meta = metadata(owner)
        uid = meta.get("uid")
        owned = self._owned.get(uid) if uid and isinstance(uid, str) else None
        if not owned or (uid in self._sharing and self._by_uid.get(uid) is not owner):
            below = []
        else:
            namespace = meta.get("namespace")
            below = [one for one in owned.values() if _may_own(namespace, one)]
        if self._adoption is not None:
            below.extend(self._adopted(key_of(owner), self._adoption))
        return below

    def _adopted(self, key: ObjectKey, adoption: Adoption) -> Iterator[Object]:
        """The pods that name a workload, and no other that comes before it."""
        for pod in adoption.pods(key):
            adopter = self._adopter(pod)
            if adopter is not None and key_of(adopter) == key:
                yield pod

    # Pods that name their workload

    def adopt(self, definitions: DefinitionSet) -> None:
        """Follow pods that name their workload, where the definition of a kind at hand says that they do."""
        if self._adopting is definitions and self._adopted_kinds == len(self._kinds):
            return
        self._adopting, self._adopted_kinds = definitions, len(self._kinds)
        rules = rules_for(self._kinds, definitions)
        self._adoption = Adoption(rules) if rules else None
        if self._adoption is None:
            return
        for obj in self._objects.values():
            if controller(obj) is None and self._adoption.may_claim(obj):
                self._adoption.add(obj)

    def may_claim(self, obj: Object) -> bool:
        """Whether an object is of a kind that names its workload, where it has no controller."""
        return self._adoption is not None and self._adoption.may_claim(obj)

    def is_named_by_pods(self, obj: Object) -> bool:
        """Whether a pod without a controller names an object as its workload."""
        return self._adoption is not None and any(True for _ in self._adoption.pods(key_of(obj)))

    def adoption_problems(self, obj: Object) -> Iterable[Problem]:
        """One for each pod that may name a workload but cannot be read."""
        return self._adoption.problems(key_of(obj)) if self._adoption else ()

    def _adopter(self, pod: Object) -> Object | None:
        """The workload that a pod without a controller names: the first one at hand."""
        for group, kind, namespace, name in self._adoption.claims(pod) if self._adoption else ():
            found = self._names().get((group, kind, namespace), {}).get(name)
            if found is not None:
                return found
        return None

    # What is on top, and what is missing

    def top_level(self, definitions: DefinitionSet) -> list[Object]:
        """The covered objects that no other covered object controls, in the order in which they were given.

        A controller that is covered counts by its reference alone, at hand or not. A pod whose controller
        is not at hand is left out: with the controller it would count twice (`orphans` names what is
        missing).
        """
        self.adopt(definitions)
        positions = {key: number for number, key in enumerate(self._objects)}
        return [obj for obj in self._objects.values() if self._is_top(obj, definitions, positions)]

    def _is_top(self, obj: Object, definitions: DefinitionSet, positions: dict[int, int]) -> bool:
        if not is_covered(obj, definitions):
            return False
        chain = self.chain(obj)
        if any(is_covered(owner, definitions) for owner in chain.owners):
            # Of objects that control each other none is on top; the first one stands for them.
            return chain.cycle and self._is_first_of_cycle(obj, chain, positions)
        if chain.missing is None:
            return True
        return not is_pod(obj) and not is_covered(chain.missing, definitions)

    @staticmethod
    def _is_first_of_cycle(obj: Object, chain: OwnerChain, positions: dict[int, int]) -> bool:
        closing = controller(chain.owners[-1])
        if closing is None or owner_uid(closing) != uid_of(obj):
            return False
        return all(positions[id(obj)] < positions[id(owner)] for owner in chain.owners)

    @property
    def orphans(self) -> list[Orphans]:
        """What hangs on controllers that are not at hand: one entry a kind and namespace, sorted."""
        return list(self._all_waiting().orphans())

    def orphans_in(self, namespace: str | None) -> list[Orphans]:
        """Those of one namespace."""
        return self._all_waiting().orphans_in(namespace)

    def _all_waiting(self) -> Waiting:
        """The objects that wait for their controllers: looked for when first asked for, then kept."""
        if self._waiting is None:
            self._waiting = Waiting()
            for obj in self._objects.values():
                self._park(obj, self._waiting)
        return self._waiting


def _may_own(namespace: Any, obj: Object) -> bool:
    """Whether an owner in this namespace lies where owners of an object can: in its own, or in none.

    The garbage collector takes a reference across namespaces for one to an owner that is not there; and who
    may create pods in one namespace must not change what is said of a workload in another.
    """
    return namespace is None or namespace == metadata(obj).get("namespace")


def is_covered(obj: Object, definitions: DefinitionSet) -> bool:
    """Whether a definition covers an object, or what a reference names."""
    return definitions.covers(*api_kind(obj))


def _is_same(one: Object, other: Object) -> bool:
    try:
        return one == other
    except RecursionError:  # nested too deep for Python to compare
        return False


def _name_and_uid(pod: Object) -> tuple[str, str]:
    meta = metadata(pod)
    return text_of(meta.get("name")) or "", text_of(meta.get("uid")) or ""
