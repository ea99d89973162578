"""Objects that workloads or their owners refer to, found when they are first needed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from workload_map.definition.kind_names import KindNames
from workload_map.engine.objects import controller, owner_uid, text_of
from workload_map.engine.waiting import Orphans
from workload_map.source.cluster.lists import Scope
from workload_map.source.cluster.parts import Part, Reader, Result
from workload_map.source.cluster.tasks import together
from workload_map.source.kinds import GroupKind
from workload_map.source.objects import Object, group_kind, name_of, namespace_of

_Key = tuple[GroupKind, str | None, str | None]


class Finder:
    """Finds single objects, each asked for once.

    Args:
        reader: Reads them.
        version: The version in which a kind is read; None where the cluster has no such kind.
        tell: Told what was read, and so what could not be.
        namespace: Where the question looks; None: everywhere.
        by_name: Whether each object is asked for alone, for a question about few; else a list of its kind
            answers for all that follow.
    """

    def __init__(
        self,
        reader: Reader,
        version: Callable[[GroupKind], KindNames | None],
        tell: Callable[[Sequence[Result]], None],
        *,
        namespace: str | None,
        by_name: bool,
    ) -> None:
        self._reader = reader
        self._version = version
        self._tell = tell
        self._namespace = namespace
        self._by_name = by_name
        self._known: dict[_Key, dict[tuple[str | None, str], Object]] = {}

    def find(self, reference: Object) -> Object | None:
        """The object of a reference; None for what is not there, and for owners, which lists find."""
        if "uid" in reference:
            return None
        namespace, name = text_of(reference.get("namespace")), text_of(reference.get("name"))
        kind = group_kind(reference)
        names = self._version(kind)
        # Asked with and without a namespace, since a definition does not say whether the kind lies in one.
        if names is None or not name or names.namespaced != (namespace is not None):
            return None
        key = (kind, namespace, name) if self._by_name else (kind, self._scope(namespace), None)
        if key not in self._known:
            result = self._reader.read(Part(scope=Scope(names=names, namespace=key[1]), name=key[2]))
            self._take(key, result)
        return self._known[key].get((namespace, name))

    def owners(self, orphans: Sequence[Orphans]) -> list[Object]:
        """The controllers of objects, each read alone; one of the same name may be another one by its UID."""
        wanted: dict[_Key, tuple[KindNames, str]] = {}
        for one in orphans:
            kind = group_kind({"apiVersion": one.api_version, "kind": one.kind})
            names = self._version(kind)
            for value in one.objects if names else ():
                reference = controller(value) or {}
                namespace = one.namespace if names and names.namespaced else None
                key = (kind, namespace, text_of(reference.get("name")))
                if names and key[2] and key not in self._known:
                    wanted[key] = names, owner_uid(reference)
        results = together(
            [partial(self._reader.read, _part(key, names)) for key, (names, _) in wanted.items()]
        )
        found: list[Object] = []
        for (key, (_, uid)), result in zip(wanted.items(), results, strict=True):
            self._take(key, result)
            found += [value for value in result.objects if value["metadata"].get("uid") == uid]
        return found

    def _scope(self, namespace: str | None) -> str | None:
        """Where to list: all namespaces only if the question does."""
        return namespace if self._namespace is not None else None

    def _take(self, key: _Key, result: Result) -> None:
        self._tell([result])
        self._known[key] = {(namespace_of(value), name_of(value)): value for value in result.objects}


def _part(key: _Key, names: KindNames) -> Part:
    return Part(scope=Scope(names=names, namespace=key[1]), name=key[2])
