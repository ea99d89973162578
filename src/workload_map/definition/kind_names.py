"""The names of a kind: what tables of built-in kinds and CustomResourceDefinitions both tell."""

from __future__ import annotations

import msgspec


class KindNames(msgspec.Struct, frozen=True, kw_only=True):
    """The names of one version of a kind.

    Attributes:
        group: Empty for the core group.
        version: One version of the kind.
        kind: In the spelling of manifests, `LeaderWorkerSet`.
        plural: Lower case, as `kubectl get` takes it.
        singular: Lower case.
        short_names: Lower case, such as `lws`.
        namespaced: Whether its objects live in a namespace.
    """

    group: str
    version: str
    kind: str
    plural: str
    singular: str
    short_names: tuple[str, ...] = ()
    namespaced: bool = True

    @property
    def api_version(self) -> str:
        """Group and version, as objects name them."""
        return f"{self.group}/{self.version}" if self.group else self.version

    @classmethod
    def guessed(cls, group: str, version: str, kind: str) -> KindNames:
        """The names that a kind most likely has, where nothing but the kind is known.

        The rule is that of `UnsafeGuessKindToResource` in Kubernetes' API machinery.
        """
        singular = kind.lower()
        if singular.endswith("s"):
            plural = f"{singular}es"
        elif singular.endswith("y"):
            plural = f"{singular[:-1]}ies"
        else:
            plural = f"{singular}s"
        return cls(group=group, version=version, kind=kind, plural=plural, singular=singular)
