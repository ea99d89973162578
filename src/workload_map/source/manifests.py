"""Manifests: objects not yet in any cluster, so without pods, in the order in which the files hold them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from workload_map.definition import DefinitionSet
from workload_map.definition.kind_names import KindNames
from workload_map.source.crds import CRD, names_of, of_kinds
from workload_map.source.errors import TargetError
from workload_map.source.kinds import GroupKind
from workload_map.source.loading import load
from workload_map.source.objects import Object, group_kind, in_namespace, name_of, namespace_of
from workload_map.source.protocol import DEFINITION, Answer, Following, Question


class Manifests:
    """The objects of manifest files, each as it is written; a name that is there twice is there twice.

    Args:
        paths: Files, folders, archives, or `-` for standard input.

    Raises:
        SourceError: A path cannot be read, or nothing but problems was found.
    """

    live = False
    default_namespace = None
    silent = ()

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

    def crds(self, kinds: Collection[GroupKind]) -> Sequence[Object]:
        """Those of these kinds that are among the manifests."""
        return of_kinds((value for value in self._objects if group_kind(value) == CRD), kinds)

    def ask(self, question: Question, definitions: DefinitionSet) -> Answer:  # noqa: ARG002
        """All manifests of the namespace; what is not in a cluster has no pods yet."""
        return Answer(objects=self.objects(namespace=question.namespace), pods=None)

    def follow(self, question: Question, definitions: DefinitionSet) -> Following:  # noqa: ARG002
        """Refused: what lies in files does not change."""
        raise TargetError("files do not change", hint="-w follows a cluster: leave out --from and -f")

    def ask_about_pod(self, name: str, definitions: DefinitionSet, *, namespace: str | None) -> Answer:  # noqa: ARG002
        """Everything that is seen from the namespace."""
        return self.ask(Question(namespace=namespace), definitions)

    def events(self, namespace: str | None) -> Iterator[Object]:  # noqa: ARG002
        """None: nothing has happened to them yet."""
        return iter(())

    def namespaces(self) -> Iterator[str]:
        """Those that manifests name."""
        return (namespace for value in self._objects if (namespace := namespace_of(value)) is not None)

    def names(self, kind: GroupKind, namespace: str | None) -> Iterator[str]:
        """The names of the manifests of a kind."""
        return (name_of(value) for value in self.objects(namespace=namespace) if group_kind(value) == kind)

    def objects(self, *, namespace: str | None = None) -> Iterator[Object]:
        """All manifests, in the order of the files."""
        return (value for value in self._objects if in_namespace(value, namespace))
