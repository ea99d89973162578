"""Views that are kept right while objects and pods come, change and go, in any order."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from workload_map.definition import CollisionError, DefinitionSet
from workload_map.engine.objects import (
    Object,
    ObjectKey,
    api_kind,
    controller,
    key_of,
    metadata,
    text_of,
    uid_of,
)
from workload_map.engine.owners import OwnerIndex, is_covered
from workload_map.engine.placement import Placement, place
from workload_map.engine.resolve import ObjectError, Resolver
from workload_map.engine.resource_list import ACCELERATORS
from workload_map.engine.surroundings import Surroundings
from workload_map.engine.view import Workload


class Attributor:
    """A live index of objects, with the views of the covered ones.

    It is told what a watch tells: `put` for what was added or changed, `delete` for what is gone. A pod may
    come before its controller; it waits for that by its UID. A view is resolved when it is asked for, and
    kept until an event concerns it. Not safe for several threads at once.

    Args:
        definitions: What is covered.
        accelerators: The resource names whose amounts are whole accelerators.
        pods_known: Whether it is told of pods at all; if not, what they say is unknown.
    """

    def __init__(
        self,
        definitions: DefinitionSet,
        *,
        accelerators: Collection[str] = ACCELERATORS,
        pods_known: bool = True,
    ) -> None:
        self._definitions = definitions
        self._accelerators = frozenset(accelerators)
        self._index = OwnerIndex(())
        around = Surroundings(definitions, self._index, listed=True)
        self._resolver = Resolver(around, pods_known=pods_known, accelerators=self._accelerators)
        self._known: dict[ObjectKey, Object] = {}
        self._covered: dict[str | None, dict[ObjectKey, Object]] = {}
        self._views: dict[ObjectKey, Workload] = {}
        self._far_reaching: dict[ObjectKey, Object] = {}
        """Views that depend on objects besides their own, their pods and the owners between."""
        self._changed: dict[str, None] = {}

    def put(self, obj: Object) -> None:
        """Take in an object that was added or changed. One of the same kind and name is replaced.

        Args:
            obj: A whole object, as JSON decoding gives it. Never changed, and not to be changed afterwards.

        Raises:
            ObjectError: It has no `apiVersion`, `kind`, name or UID.
        """
        if not isinstance(obj, dict) or not all((*api_kind(obj), key_of(obj)[3], uid_of(obj))):
            raise ObjectError("an object of a cluster has an apiVersion, a kind, a name and a UID")
        known = self._known.pop(key_of(obj), None)
        if known is not None:
            self._remove(known)
        self._known[key_of(obj)] = obj
        self._index.add(obj)
        self._index.adopt(self._definitions)
        if is_covered(obj, self._definitions):
            self._covered.setdefault(_namespace(obj), {})[key_of(obj)] = obj
        self._touch(obj)

    def delete(self, obj: Object) -> None:
        """Forget an object; what does not say more than its kind, name and UID is enough.

        An object that is not known, or of which only a later one of the same name is, is passed over.
        """
        known = self._known.get(key_of(obj))
        if known is None or uid_of(obj) not in (None, uid_of(known)):
            return
        del self._known[key_of(obj)]
        self._remove(known)

    def view(self, uid: str) -> Workload | None:
        """The view of a covered object; None where no such object is at hand.

        Raises:
            CollisionError: Several definitions of one layer cover its kind.
        """
        obj = self._index.with_uid(uid)
        if obj is None or not is_covered(obj, self._definitions):
            return None
        return self._view_of(obj)

    def views(self) -> Iterator[Workload]:
        """The views of all covered objects that no other covered object controls.

        Kinds that several definitions of one layer cover are left out.
        """
        for obj in self._index.top_level(self._definitions):
            if self._is_settled(obj):
                yield self._view_of(obj)

    def changed(self) -> list[str]:
        """The UIDs of covered objects whose views may be others than when this was last asked.

        Those that are gone are among them.
        """
        changed = list(self._changed)
        self._changed.clear()
        return changed

    def place(self, pod: Object) -> Placement:
        """Where a pod belongs, with the chain of controllers that shows it."""
        return place(pod, self._definitions, self._index, accelerators=self._accelerators)

    def _view_of(self, obj: Object) -> Workload:
        key = key_of(obj)
        view = self._views.get(key)
        if view is None:
            view, is_far_reaching = self._resolver.view_and_reach(obj)
            self._views[key] = view
            if is_far_reaching:
                self._far_reaching[key] = obj
        return view

    def _is_settled(self, obj: Object) -> bool:
        try:
            return self._definitions.get(*api_kind(obj)) is not None
        except CollisionError:
            return False

    def _remove(self, obj: Object) -> None:
        self._touch(obj)
        self._index.remove(obj)
        self._covered.get(_namespace(obj), {}).pop(key_of(obj), None)

    def _touch(self, obj: Object) -> None:
        """Drop the views that an object of the index has to do with, now that it is there, or still is."""
        chain = self._index.chain(obj)
        uid = uid_of(obj)
        if chain.too_deep or uid in self._index.shared_uids:
            self._drop_all()
            return
        for one in (obj, *chain.owners):
            if is_covered(one, self._definitions):
                self._drop(one)
        for far in list(self._far_reaching.values()):
            self._drop(far)
        for namespace in self._waiting_in(obj):
            self._drop_namespace(namespace)

    def _waiting_in(self, obj: Object) -> set[str | None]:
        """The namespaces in which this object changes what waits for a controller or for a workload."""
        namespaces = {_namespace(child) for child in self._index.owned_by(uid_of(obj) or "")}
        reference = controller(obj)
        if reference is not None:
            is_missing = self._index.controller_of(obj) is None
            return namespaces | ({_namespace(obj)} if is_missing else set())
        if self._index.may_claim(obj) or self._index.is_named_by_pods(obj):
            namespaces.add(_namespace(obj))
        return namespaces

    def _drop(self, obj: Object) -> None:
        key = key_of(obj)
        self._views.pop(key, None)
        self._far_reaching.pop(key, None)
        self._changed[uid_of(obj) or ""] = None

    def _drop_namespace(self, namespace: str | None) -> None:
        for obj in self._covered.get(namespace, {}).values():
            self._drop(obj)

    def _drop_all(self) -> None:
        for namespace in self._covered:
            self._drop_namespace(namespace)


def _namespace(obj: Object) -> str | None:
    return text_of(metadata(obj).get("namespace"))
