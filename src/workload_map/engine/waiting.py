"""Objects whose controllers are not at hand."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from workload_map.engine.objects import Object, api_kind, controller, metadata, text_of


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


class Waiting:
    """Objects that wait for their controllers, by namespace, in the order in which they came."""

    def __init__(self) -> None:
        self._objects: dict[str | None, dict[int, Object]] = {}

    def add(self, obj: Object) -> None:
        """Let an object wait."""
        self._objects.setdefault(_namespace(obj), {})[id(obj)] = obj

    def discard(self, obj: Object) -> None:
        """Let an object (this very one) wait no more; it may not have waited at all."""
        self._objects.get(_namespace(obj), {}).pop(id(obj), None)

    @property
    def is_empty(self) -> bool:
        """Whether nothing waits."""
        return not any(self._objects.values())

    def orphans(self) -> Iterator[Orphans]:
        """What waits: one entry a kind and namespace, sorted."""
        for namespace in sorted(self._objects, key=lambda namespace: namespace or ""):
            yield from self.orphans_in(namespace)

    def orphans_in(self, namespace: str | None) -> list[Orphans]:
        """Those of one namespace."""
        found: dict[tuple[str, str], list[tuple[Object, str]]] = {}
        for obj in self._objects.get(namespace, {}).values():
            reference = controller(obj) or {}
            found.setdefault(api_kind(reference), []).append((obj, text_of(reference.get("name")) or ""))
        return [
            Orphans(
                api_version=api_version,
                kind=kind,
                namespace=namespace,
                objects=tuple(obj for obj, _ in pairs),
                owner_names=tuple(sorted({name for _, name in pairs})),
            )
            for (api_version, kind), pairs in sorted(found.items(), key=lambda item: item[0])
        ]


def _namespace(obj: Object) -> str | None:
    return text_of(metadata(obj).get("namespace"))
