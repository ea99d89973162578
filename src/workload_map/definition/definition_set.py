"""Definitions in layers: which one covers a kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Literal

from workload_map.definition.errors import CollisionError, NoDefinitionError
from workload_map.definition.findings import Finding
from workload_map.definition.schema import Definition, GroupVersionKind
from workload_map.spelling import did_you_mean

Origin = Literal["builtin", "cluster", "file"]
Key = tuple[str, str]  # apiVersion and kind


class Entry:
    """A definition in a set, read on first use where its layer is lazy.

    Attributes:
        name: The definition's name.
        kind: The kind that it covers, `versions` included.
        origin: Where it came from: `builtin`, `cluster` or `file`.
        source: The file that it stands in; None if it came from none.
    """

    __slots__ = ("_definition", "_load", "kind", "name", "origin", "source")

    def __init__(
        self,
        name: str,
        kind: GroupVersionKind,
        origin: Origin,
        load: Callable[[str], Definition],
        source: str | None = None,
    ) -> None:
        self.name = name
        self.kind = kind
        self.origin = origin
        self.source = source
        self._load = load
        self._definition: Definition | None = None

    @classmethod
    def of(cls, definition: Definition, origin: Origin, source: str | None = None) -> Entry:
        """The entry of a definition that is at hand."""
        kind = definition.root.kind or GroupVersionKind()
        return cls(definition.name, kind, origin, lambda _: definition, source)

    @property
    def definition(self) -> Definition:
        """The definition."""
        if self._definition is None:
            self._definition = self._load(self.name)
        return self._definition

    @property
    def api_version(self) -> str:
        """The group and version of the kind that it covers, as in `apiVersion`."""
        return self.kind.api_version

    @property
    def key(self) -> Key:
        """The kind that it covers, as objects name theirs."""
        return self.api_version, self.kind.kind

    def __repr__(self) -> str:
        return f"Entry({self.name!r}, {self.api_version!r}, {self.kind.kind!r}, {self.origin!r})"


class Layer:
    """The definitions of one origin, in no order.

    Args:
        entries: The definitions. Several may cover one kind; then none of them does.
    """

    __slots__ = ("entries",)

    def __init__(self, entries: Iterable[Entry]) -> None:
        self.entries = tuple(entries)

    @classmethod
    def of(
        cls, definitions: Iterable[Definition], origin: Origin = "file", source: str | None = None
    ) -> Layer:
        """A layer of definitions that are at hand."""
        return cls(Entry.of(definition, origin, source) for definition in definitions)

    @classmethod
    def lazy(
        cls,
        index: Iterable[tuple[str, str, str, str, Sequence[str]]],
        load: Callable[[str], Definition],
        origin: Origin = "builtin",
    ) -> Layer:
        """A layer of which only the names and kinds are at hand.

        Args:
            index: For each definition its name, and the group, version, kind and further versions that
                it covers.
            load: Gives the definition of a name; called once for each, on its first use.
            origin: Where the definitions come from.
        """
        return cls(
            Entry(
                name,
                GroupVersionKind(group=group, version=version, kind=kind, versions=tuple(more)),
                origin,
                load,
            )
            for name, group, version, kind, more in index
        )


class DefinitionSet:
    """All definitions at hand, and which one covers a kind.

    A definition replaces those of lower layers for exactly its group, version and kind. An exact version is
    preferred over one that a definition names among its further versions. Definitions of one layer that cover
    the same kind collide: all are listed, none is taken.

    Args:
        layers: From the lowest to the highest.
    """

    def __init__(self, layers: Sequence[Layer] = ()) -> None:
        self.layers = tuple(layers)
        exact = _grouped([(entry.key, entry) for entry in layer.entries] for layer in self.layers)
        self._entries = [entry for entries in exact.values() for entry in entries]
        kept = set(map(id, self._entries))
        further = _grouped(
            [
                (
                    (GroupVersionKind(group=entry.kind.group, version=version).api_version, entry.kind.kind),
                    entry,
                )
                for entry in layer.entries
                if id(entry) in kept
                for version in entry.kind.versions
            ]
            for layer in self.layers
        )
        self._covering: dict[Key, list[Entry]] = {**further, **exact}

    def find(self, api_version: str, kind: str) -> Entry:
        """The definition that covers a kind.

        Raises:
            NoDefinitionError: None does; the hint tells which versions or which similar kind are covered.
            CollisionError: Several of one layer do.
        """
        entry = self.get(api_version, kind)
        if entry is None:
            message = f"no definition covers {kind} of {api_version}"
            raise NoDefinitionError(message, hint=self._covered_instead(api_version, kind))
        return entry

    def get(self, api_version: str, kind: str) -> Entry | None:
        """As `find`, but None where no definition covers the kind.

        Raises:
            CollisionError: Several of one layer do.
        """
        entries = self._covering.get((api_version, kind))
        if entries is None:
            return None
        if len(entries) > 1:
            raise _collision(f"{kind} of {api_version}", entries)
        return entries[0]

    def covers(self, api_version: str, kind: str) -> bool:
        """Whether a definition covers a kind, or several do; none is read for it."""
        return (api_version, kind) in self._covering

    def entries(self) -> list[Entry]:
        """All definitions that no higher layer replaces, by the kind that they cover, then by name."""
        return sorted(self._entries, key=lambda entry: (_kind_text(entry), entry.name))

    def named(self, name: str) -> Entry:
        """The definition of a name (exact); of two layers the higher one's.

        Raises:
            NoDefinitionError: There is none; the hint tells the nearest name.
            CollisionError: Several of one layer have the name.
        """
        for layer in reversed(self.layers):
            found = [entry for entry in self._entries if entry.name == name and entry in layer.entries]
            if len(found) > 1:
                raise _collision(f"the name {name}", found)
            if found:
                return found[0]
        near = did_you_mean(name, [entry.name for entry in self._entries])
        hint = near or "`wmap definitions` lists them"
        raise NoDefinitionError(f"there is no definition {name!r}", hint=hint)

    @property
    def collisions(self) -> list[Finding]:
        """A warning for each kind that several definitions of one layer cover."""
        return [
            Finding.of(
                "definition-collision",
                _collision(f"{kind} of {api_version}", entries).message,
                entries[-1].source or entries[-1].name,
            )
            for (api_version, kind), entries in sorted(self._covering.items())
            if len(entries) > 1
        ]

    def with_layer(self, layer: Layer) -> DefinitionSet:
        """This set with one more layer on top."""
        return DefinitionSet((*self.layers, layer))

    def _covered_instead(self, api_version: str, kind: str) -> str | None:
        group = api_version.rpartition("/")[0]
        same_kind = sorted(covered for covered, name in self._covering if name.lower() == kind.lower())
        same_group = [covered for covered in same_kind if covered.rpartition("/")[0] == group]
        if same_kind:
            return f"covered: {kind} of {', '.join(same_group or same_kind)}"
        return did_you_mean(kind, sorted({name for _, name in self._covering}))


def _grouped(layers: Iterable[Iterable[tuple[Key, Entry]]]) -> dict[Key, list[Entry]]:
    """The entries of the highest layer that has any, by kind."""
    grouped: dict[Key, list[Entry]] = {}
    for layer in layers:
        own: dict[Key, list[Entry]] = {}
        for key, entry in layer:
            own.setdefault(key, []).append(entry)
        grouped.update(own)
    return grouped


def _collision(what: str, entries: Sequence[Entry]) -> CollisionError:
    names = ", ".join(sorted(f"{entry.name} ({entry.source or entry.origin})" for entry in entries))
    return CollisionError(
        f"{len(entries)} definitions cover {what}: {names}", hint="remove all but one of them"
    )


def _kind_text(entry: Entry) -> str:
    """The kind as Kubernetes' own libraries write it, which is what listings are sorted by."""
    return f"{entry.kind.group}/{entry.kind.version}, Kind={entry.kind.kind}"
