"""Manifests: objects not yet in any cluster, so without pods, in the order in which the files hold them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from workload_map.definition import DefinitionSet
from workload_map.definition.kind_names import KindNames
from workload_map.source.crds import CRD, names_of
from workload_map.source.kinds import GroupKind
from workload_map.source.loading import load
from workload_map.source.objects import Object, group_kind, in_namespace
from workload_map.source.protocol import DEFINITION


class Manifests:
    """The objects of manifest files, each as it is written; a name that is there twice is there twice.

    Args:
        paths: Files, folders, archives, or `-` for standard input.

    Raises:
        SourceError: A path cannot be read, or nothing but problems was found.
    """

    live = False

    def __init__(self, paths: Sequence[str]) -> None:
        found, self.warnings = load(paths, strict=True)
        self._objects = [item.value for item in found if not item.deleted]

    def kind_names(self) -> Sequence[KindNames]:
        """Those of the CustomResourceDefinitions among the manifests."""
        return [names for value in self._objects if group_kind(value) == CRD for names in names_of(value)]

    def kinds(self) -> Collection[GroupKind]:
        """Those of the objects, and of the CustomResourceDefinitions."""
        named = (GroupKind(names.group, names.kind) for names in self.kind_names())
        return {*map(group_kind, self._objects), *named}

    def definitions(self) -> Sequence[Object]:
        """The workload definitions among the manifests."""
        return [value for value in self._objects if group_kind(value) == DEFINITION]

    def objects(
        self,
        kinds: Collection[GroupKind],  # noqa: ARG002
        definitions: DefinitionSet,  # noqa: ARG002
        *,
        namespace: str | None = None,
    ) -> Iterator[Object]:
        """All manifests, in the order of the files."""
        return (value for value in self._objects if in_namespace(value, namespace))

    def pods(self, *, namespace: str | None = None) -> Iterator[Object] | None:
        """None: what is not in a cluster has no pods yet."""
