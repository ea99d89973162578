"""The names of kinds: what a TYPE on the command line means when no API server is there to say it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from workload_map.definition import NoDefinitionError
from workload_map.definition.kind_names import KindNames
from workload_map.source.errors import AmbiguousError, TargetError
from workload_map.spelling import did_you_mean


class GroupKind(NamedTuple):
    """A kind whatever its version: what names an object together with its namespace and name."""

    group: str
    kind: str


class Target(NamedTuple):
    """What a TYPE stands for: a kind, and a version where the user named one."""

    kind: GroupKind
    version: str | None = None


class KindTable:
    """All kinds that can be named.

    Args:
        names: The names of kinds; several versions of a kind, and several tellers of one, add up.
        known: The kinds that are known to be there; None: all. One that only might be there, since a built-in
            definition covers it, makes no name ambiguous that another one bears.
        shown: The kinds of which there may be something to show, so that they are suggested; None: all.
    """

    def __init__(
        self,
        names: Iterable[KindNames],
        known: Collection[GroupKind] | None = None,
        shown: Collection[GroupKind] | None = None,
    ) -> None:
        self._known = known
        self._shown = shown
        self._full: dict[str, dict[GroupKind, None]] = {}
        self._short: dict[str, dict[GroupKind, None]] = {}
        self._versions: dict[GroupKind, set[str]] = {}
        self._plurals: dict[GroupKind, str] = {}
        for each in names:
            self._add(each)

    def resolve(self, token: str) -> Target:
        """The kind that a TYPE means.

        A TYPE is a plural, singular, short name or kind, alone or with `.group` or `.version.group`, in upper
        or lower case.

        Raises:
            TargetError: The token is empty.
            AmbiguousError: It fits several kinds; the hint lists a token for each that can be shown.
            NoDefinitionError: No kind that can be shown is among several of this name, or no kind has it; the
                hint tells the nearest one, if any is near.
        """
        if not token:
            raise TargetError("the TYPE is empty", hint="give a type such as job, or `all`")
        found = self._matches(token)
        shown = [target.kind for target in found if self._is_shown(target.kind)]
        if len(found) > 1 and shown:
            forms = " ".join(sorted(map(self.unambiguous, shown)))
            raise AmbiguousError(f"the type {token!r} fits several kinds", hint=f"say which: {forms}")
        if len(found) != 1:
            raise NoDefinitionError(f"no definition covers the type {token!r}", hint=self._nearest(token))
        return found[0]

    def unambiguous(self, kind: GroupKind) -> str:
        """The shortest of the full forms of a kind's name that no other kind shares."""
        version = min(self._versions[kind])
        for form in (
            f"{self._plurals[kind]}.{kind.group}" if kind.group else f"{self._plurals[kind]}.{version}",
            f"{kind.kind.lower()}.{kind.group}" if kind.group else f"{kind.kind.lower()}.{version}",
        ):
            if len(self._matches(form)) == 1:
                break
        return form

    def tokens(self) -> Iterator[str]:
        """A name for each kind that can be shown, for completion; with its group only where it needs it."""
        for kind in filter(self._is_shown, self._plurals):
            singular = kind.kind.lower()
            alone = [target.kind for target in self._matches(singular)] == [kind]
            yield singular if alone else self.unambiguous(kind)

    def shared_kinds(self) -> frozenset[str]:
        """The kinds of which there are several, in different groups, under one name."""
        counts = Counter(kind.kind for kind in self._plurals if self._is_known(kind))
        return frozenset(kind for kind, count in counts.items() if count > 1)

    def versions(self, kind: GroupKind) -> list[str]:
        """The versions of a kind that are known, sorted."""
        return sorted(self._versions.get(kind, ()))

    def plural(self, kind: GroupKind) -> str:
        """The plural of a kind, as `kubectl get` takes it; of an unknown kind the likely one."""
        return self._plurals.get(kind) or KindNames.guessed(kind.group, "", kind.kind).plural

    def _add(self, names: KindNames) -> None:
        kind = GroupKind(names.group, names.kind)
        for name in (names.plural, names.singular, names.kind):
            self._full.setdefault(name.lower(), {})[kind] = None
        for name in names.short_names:
            self._short.setdefault(name.lower(), {})[kind] = None
        self._versions.setdefault(kind, set()).add(names.version)
        self._plurals.setdefault(kind, names.plural)

    def _matches(self, token: str) -> list[Target]:
        name, dot, rest = token.lower().partition(".")
        # A full name wins over another kind's short one, as it does for kubectl.
        kinds = self._full.get(name) or self._short.get(name) or {}
        if not dot:
            # The group of a custom kind has a dot: without one it is a kind that every cluster has.
            common = [kind for kind in kinds if "." not in kind.group]
            return [Target(kind) for kind in [*filter(self._is_known, kinds)] or common or kinds]
        return [target for kind in kinds if (target := self._qualified(kind, rest)) is not None]

    def _is_known(self, kind: GroupKind) -> bool:
        return self._known is None or kind in self._known

    def _is_shown(self, kind: GroupKind) -> bool:
        return self._shown is None or kind in self._shown

    def _qualified(self, kind: GroupKind, rest: str) -> Target | None:
        """The target if `rest` is the kind's group, its version and group, or of a core kind its version."""
        if rest == kind.group.lower():
            return Target(kind)
        for version in self._versions[kind]:
            if rest.rstrip(".") == f"{version}.{kind.group}".lower().rstrip("."):
                return Target(kind, version)
        return None

    def _nearest(self, token: str) -> str | None:
        name = token.lower().partition(".")[0]
        names = [full for full, kinds in self._full.items() if any(map(self._is_shown, kinds))]
        return did_you_mean(name, names)
