"""Who owns whom: controller owner references among the objects at hand, followed by UID.

Belonging goes by the reference that says `controller: true`, of which an object has at most one
(apimachinery, `metav1.GetControllerOf`); labels and names say nothing here, but where a definition says that
pods name their workload (`adoption`). Owners may come in any order, and may be pods.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from operator import attrgetter
from typing import Any

from workload_map.definition import DefinitionSet
from workload_map.engine import nodes
from workload_map.engine.adoption import Adoption, rules_for
from workload_map.engine.finding import Failure, Finder, Lookup
from workload_map.engine.nodes import MAX_DEPTH, Node, OwnerChain
from workload_map.engine.objects import Object, ObjectKey, api_kind, key_of, kind_of, metadata
from workload_map.engine.tops import Tops
from workload_map.engine.view import Problem
from workload_map.engine.waiting import Orphans, Waiting


class OwnerIndex:
    """The objects at hand, by UID and by owner.

    Args:
        objects: Everything at hand: workloads, pods, and what stands between. Objects without a UID
            (manifests) own nothing and are only kept. Never changed.
        lookup: Finds an owner that is not among them (a cache, a client of the caller's), or gives None.
    """

    def __init__(self, objects: Iterable[Any], lookup: Lookup | None = None) -> None:
        self._nodes: dict[int, Node] = {}
        self._by_uid: dict[str, Node] = {}
        self._sharing: dict[str, list[Node]] = {}
        self._owned: dict[str, dict[int, Node]] = {}
        self._waiting: Waiting | None = None
        self._named: dict[tuple[str, str, str | None], dict[str, Node]] | None = None
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
        return [node.obj for node in self._nodes.values()]

    def add(self, obj: Object) -> None:
        """Take in one more object. Those that wait for it by its UID are below it from now on."""
        node = nodes.read(obj)
        uid = node.uid
        if uid and self._by_uid.setdefault(uid, node) is not node and not self._shares(node):
            return
        self._nodes[id(obj)] = node
        if not node.is_pod:
            self._kinds.add(node.api)
        if node.controller is not None:
            siblings = self._owned.get(node.controller_uid)
            if siblings is None:
                self._owned[node.controller_uid] = {id(obj): node}
            else:
                siblings[id(obj)] = node
        elif self._adoption is not None and self._adoption.may_claim(obj):
            self._adoption.add(obj)
        if self._named is not None:
            key = node.key
            self._named.setdefault(key[:3], {}).setdefault(key[3], node)
        if self._waiting is not None:
            self._park(node, self._waiting)
            for child in self._owned_by(uid):
                if self._controller(child) is not None:
                    self._waiting.discard(child.obj)

    def _shares(self, node: Node) -> bool:
        """Whether an object is kept whose UID another one bears; one that is given twice counts once."""
        uid = node.uid
        known = self._by_uid[uid]
        if _is_same(known.obj, node.obj):
            return False
        self.shared_uids.append(uid)
        if known.key == node.key:
            return False
        self._sharing.setdefault(uid, []).append(node)
        return True

    def remove(self, obj: Object) -> None:
        """Forget an object that was added (this very one). What it controls waits for its UID again."""
        node = self._nodes.pop(id(obj), None)
        if node is None:
            return
        if node.controller is not None:
            self._owned[node.controller_uid].pop(id(obj), None)
        elif self._adoption is not None:
            self._adoption.remove(obj)
        key = node.key
        if self._named is not None and self._named[key[:3]].get(key[3]) is node:
            del self._named[key[:3]][key[3]]
        if node.uid:
            self._release(node.uid, node)
        if self._waiting is not None:
            self._waiting.discard(obj)
            for child in self._owned_by(node.uid):
                self._park(child, self._waiting)

    def _release(self, uid: str, node: Node) -> None:
        sharing = self._sharing.get(uid, [])
        if self._by_uid.get(uid) is not node:
            sharing[:] = [one for one in sharing if one is not node]
        elif sharing:
            self._by_uid[uid] = sharing.pop(0)
        else:
            del self._by_uid[uid]
        if uid in self.shared_uids:
            self.shared_uids = [one for one in self.shared_uids if one != uid] + [uid] * len(sharing)

    def _park(self, node: Node, waiting: Waiting) -> None:
        """Let an object wait for its controller, where that is not at hand."""
        if node.controller is not None and self._controller(node) is None:
            waiting.add(node.obj)

    def _fetch_owners(self, lookup: Finder) -> None:
        asked: set[str] = set()
        waiting = list(self._nodes.values())
        # The list grows while it is walked: owners that were found have owners of their own.
        for node in waiting:
            uid = node.controller_uid
            if node.controller is None or not uid or uid in self._by_uid or uid in asked:
                continue
            asked.add(uid)
            found = lookup({**node.controller, "namespace": node.namespace})
            if lookup.failed is not None:
                self.owner_failures.append(lookup.failed)
            if isinstance(found, dict) and metadata(found).get("uid") == uid:
                self.add(found)
                waiting.append(self._node(found))

    def _node(self, obj: Object) -> Node:
        """What ties an object to others, which need not be at hand itself."""
        return self._nodes.get(id(obj)) or nodes.read(obj)

    # Finding objects

    def find(self, api_version: str, kind: str, namespace: str | None, name: str) -> Object | Failure | None:
        """The object of a name, among those at hand or by the lookup. The version of the kind may differ.

        Where the lookup fails, why it did.
        """
        group_kind = kind_of(api_version, kind)
        found = self._names().get((*group_kind, namespace), {}).get(name)
        if found is not None:
            return found.obj
        if self._lookup is None:
            return None
        reference = {"apiVersion": api_version, "kind": kind, "namespace": namespace, "name": name}
        answer = self._lookup(reference)
        if self._lookup.failed is not None:
            return self._lookup.failed
        # What answers with another object is not believed.
        is_it = isinstance(answer, dict) and key_of(answer) == (*group_kind, namespace, name)
        return answer if is_it else None

    def with_uid(self, uid: str) -> Object | None:
        """The object of a UID, the first of several; None where none is at hand."""
        found = self._by_uid.get(uid)
        return found.obj if found is not None else None

    def owned_by(self, uid: str) -> list[Object]:
        """The objects that a controller of this UID controls, whether it is at hand or not."""
        return [node.obj for node in self._owned_by(uid)]

    def _owned_by(self, uid: str) -> Iterable[Node]:
        return self._owned.get(uid, {}).values() if uid else ()

    def of_kind(self, api_version: str, kind: str, namespace: str | None) -> list[Object]:
        """The objects of a kind in a namespace, and those that lie in none, by name."""
        group_kind = kind_of(api_version, kind)
        found = dict(self._names().get((*group_kind, None), {}))
        found.update(self._names().get((*group_kind, namespace), {}))
        return [found[name].obj for name in sorted(found)]

    def _names(self) -> dict[tuple[str, str, str | None], dict[str, Node]]:
        if self._named is None:
            self._named = {}
            for node in self._nodes.values():
                key = node.key
                self._named.setdefault(key[:3], {}).setdefault(key[3], node)
        return self._named

    # Owners above, pods below

    def controller_of(self, obj: Object) -> Object | None:
        """The controller of an object, if it is at hand."""
        owner = self._controller(self._node(obj))
        return owner.obj if owner is not None else None

    def _controller(self, node: Node) -> Node | None:
        owner = self._by_uid.get(node.controller_uid)
        return owner if owner is not None and _may_own(owner, node) else None

    def _owner(self, node: Node) -> Node | None:
        """The controller of an object, or the workload that it names, if it is at hand."""
        if node.controller is None:
            return self._adopter(node.obj) if self._adoption is not None else None
        return self._controller(node)

    def chain(self, obj: Object) -> OwnerChain:
        """The controllers above an object."""
        return self._chain(self._node(obj))

    def _chain(self, node: Node) -> OwnerChain:
        owners: list[Object] = []
        current = node
        while True:
            owner = self._owner(current)
            if owner is None:
                return OwnerChain(tuple(owners), missing=current.controller)
            # Chains are short: looking through one is quicker than keeping a set of it.
            returns = node.uid and owner.uid == node.uid
            if returns or any(owner.obj is one for one in owners):
                return OwnerChain(tuple(owners), cycle=True)
            if len(owners) == MAX_DEPTH:
                return OwnerChain(tuple(owners), too_deep=True)
            owners.append(owner.obj)
            current = owner

    def is_in_cycle(self, obj: Object) -> bool:
        """Whether the controllers above an object lead back to it, or to one of them."""
        node = self._node(obj)
        is_below = node.controller is not None or self._adoption is not None
        return is_below and self._chain(node).cycle

    def pods_under(self, obj: Object) -> list[Object]:
        """The pods whose controllers lead to an object, by name; of a pod, that pod alone."""
        return self.below(obj)[0]

    def below(self, obj: Object) -> tuple[list[Object], bool]:
        """As `pods_under`, and whether something lies so deep that it is not followed."""
        node = self._node(obj)
        if node.is_pod:  # what it owns, as a leader its workers, is no part of it
            return [obj], False
        # What has a controller has one, so it is met again in a circle only, through the object.
        known = self._by_uid.get(node.uid, node)
        may_return = known is not node or node.controller is not None or self._adoption is not None
        seen = {id(obj), id(known.obj)}
        owned, depth = self._owned, 0
        pods: list[Node] = []
        level = self._below(node)
        while level and depth <= MAX_DEPTH:
            depth += 1
            if may_return:
                level = [one for one in level if id(one.obj) not in seen]
                seen.update([id(one.obj) for one in level])
            pods += [one for one in level if one.is_pod]
            # Most of what there is are pods that own nothing.
            owners = level if self._adoption is not None else [one for one in level if one.uid in owned]
            level = [one for owner in owners for one in self._below(owner)]
        pods.sort(key=_name_and_uid)
        return [one.obj for one in pods], bool(level)

    def _below(self, owner: Node) -> list[Node]:
        uid = owner.uid
        owned = self._owned.get(uid) if uid else None
        if not owned or (uid in self._sharing and self._by_uid.get(uid) is not owner):
            below = []
        else:
            below = list(owned.values())
            namespace = owner.namespace
            if namespace is not None:  # as `_may_own`
                below = [one for one in below if one.namespace == namespace]
        if self._adoption is not None:
            below.extend(self._adopted(owner.key, self._adoption))
        return below

    def _adopted(self, key: ObjectKey, adoption: Adoption) -> Iterator[Node]:
        """The pods that name a workload, and no other that comes before it."""
        for pod in adoption.pods(key):
            adopter = self._adopter(pod)
            if adopter is not None and adopter.key == key:
                yield self._node(pod)

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
        for node in self._nodes.values():
            if node.controller is None and self._adoption.may_claim(node.obj):
                self._adoption.add(node.obj)

    def may_claim(self, obj: Object) -> bool:
        """Whether an object is of a kind that names its workload, where it has no controller."""
        return self._adoption is not None and self._adoption.may_claim(obj)

    def is_named_by_pods(self, obj: Object) -> bool:
        """Whether a pod without a controller names an object as its workload."""
        return self._adoption is not None and any(True for _ in self._adoption.pods(key_of(obj)))

    def adoption_problems(self, obj: Object) -> Iterable[Problem]:
        """One for each pod that may name a workload but cannot be read."""
        return self._adoption.problems(key_of(obj)) if self._adoption else ()

    def _adopter(self, pod: Object) -> Node | None:
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
        is_named = None if self._adoption is None else self.is_named_by_pods
        tops = Tops(definitions, chain=self._chain, owners=self._owned, is_named=is_named)
        return tops.among(self._nodes.values())

    @property
    def orphans(self) -> list[Orphans]:
        """What hangs on controllers that are not at hand: one entry a kind and namespace, sorted."""
        return list(self._all_waiting().orphans())

    @property
    def is_complete(self) -> bool:
        """Whether all controllers are at hand."""
        return self._all_waiting().is_empty

    def orphans_in(self, namespace: str | None) -> list[Orphans]:
        """Those of one namespace."""
        return self._all_waiting().orphans_in(namespace)

    def _all_waiting(self) -> Waiting:
        """The objects that wait for their controllers: looked for when first asked for, then kept."""
        if self._waiting is None:
            self._waiting = Waiting()
            for node in self._nodes.values():
                # Most lie where their owner does, which is quicker to see here than by a call.
                owner = self._by_uid.get(node.controller_uid)
                if owner is None or owner.namespace != node.namespace:
                    self._park(node, self._waiting)
        return self._waiting


def _may_own(owner: Node, node: Node) -> bool:
    """Whether an owner lies where owners of an object can: in its own namespace, or in none.

    The garbage collector takes a reference across namespaces for one to an owner that is not there; and who
    may create pods in one namespace must not change what is said of a workload in another.
    """
    return owner.namespace is None or bool(owner.namespace == node.namespace)


def is_covered(obj: Object, definitions: DefinitionSet) -> bool:
    """Whether a definition covers an object, or what a reference names."""
    return definitions.covers(*api_kind(obj))


def _is_same(one: Object, other: Object) -> bool:
    try:
        return one == other
    except RecursionError:  # nested too deep for Python to compare
        return False


_name_and_uid = attrgetter("name", "uid")
