"""Many objects by kind, each once: of two versions of one object the newer is kept."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from workload_map.engine.view import Problem
from workload_map.source.kinds import GroupKind
from workload_map.source.objects import Found, Object, full_name_of, kind_named, namespace_of

_Name = tuple[str | None, str]


class Store:
    """The objects that remain of all that was read, in the order in which they first came.

    Args:
        found: Objects, and objects that a watch saw go.
    """

    def __init__(self, found: Iterable[Found]) -> None:
        self.problems: list[Problem] = []
        self._kinds: dict[GroupKind, dict[_Name, Object]] = {}
        # What a watch saw go, so that an older version met later does not bring it back.
        gone: dict[tuple[GroupKind, _Name], Object] = {}
        for item in found:
            self._take(item, gone)
        self._tell_shared_uids()

    def kinds(self) -> Iterator[GroupKind]:
        """The kinds of which there are objects."""
        return (kind for kind, objects in self._kinds.items() if objects)

    def of(self, kind: GroupKind) -> Collection[Object]:
        """The objects of a kind."""
        return self._kinds.get(kind, {}).values()

    def _take(self, item: Found, gone: dict[tuple[GroupKind, _Name], Object]) -> None:
        value, deleted = item
        metadata = value["metadata"]
        own = metadata.get("name")
        if not own:
            self.problems.append(_nameless(value))
            return
        kind = kind_named(value["apiVersion"], value["kind"])
        objects = self._kinds.get(kind)
        if objects is None:
            objects = self._kinds[kind] = {}
        name = (namespace_of(value), own)
        if not deleted and not gone and objects.setdefault(name, value) is value:
            return  # of nearly all there is one version
        known = objects.get(name) or gone.get((kind, name))
        if known is not None and _is_newer(known, value):
            return
        if deleted:
            objects.pop(name, None)
            gone[kind, name] = value
        else:
            objects[name] = value

    def _tell_shared_uids(self) -> None:
        everything = [value for objects in self._kinds.values() for value in objects.values()]
        uids = [uid for value in everything if isinstance(uid := value["metadata"].get("uid"), str)]
        if len(set(uids)) == len(uids):
            return
        seen: dict[str, Object] = {}
        for objects in self._kinds.values():
            for value in objects.values():
                uid = value["metadata"].get("uid")
                if not isinstance(uid, str):
                    continue
                first = seen.setdefault(uid, value)
                if first is not value:
                    self.problems.append(_shared(uid, first, value))


def _nameless(value: Object) -> Problem:
    return Problem(
        code="name-missing",
        location=full_name_of(value),
        message="has a generateName only, so it is in no cluster yet; read it with -f",
    )


def _shared(uid: str, first: Object, second: Object) -> Problem:
    return Problem(
        code="uid-duplicate",
        location=full_name_of(second),
        message=f"has the same uid as {full_name_of(first)} ({uid}); what the two own cannot be told apart",
    )


def _is_newer(known: Object, other: Object) -> bool:
    """Whether `known` is the newer of two versions; where they do not say, the one read later is."""
    versions = known["metadata"].get("resourceVersion"), other["metadata"].get("resourceVersion")
    if not all(isinstance(version, str) and version.isascii() and version.isdigit() for version in versions):
        return False
    # As the API server compares them: whole numbers of any size, so the longer one is the larger.
    first, second = (version.lstrip("0") for version in versions)
    return (len(first), first) > (len(second), second)
