"""Dumps: what `kubectl get -o yaml|json` or a watch wrote, treated as the cluster that it came from."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from workload_map.definition import DefinitionSet
from workload_map.definition.kind_names import KindNames
from workload_map.engine.view import Problem
from workload_map.source.crds import CRD, names_of, of_kinds
from workload_map.source.errors import TargetError
from workload_map.source.kinds import GroupKind
from workload_map.source.loading import load
from workload_map.source.objects import Object, collector_paused, in_namespace, name_of, namespace_of
from workload_map.source.protocol import DEFINITION, EVENTS, POD, Answer, Change, Question
from workload_map.source.store import Store

_NO_PODS = Problem(code="no-pods", location=None, message="no pods are at hand, only what the objects say")


class Dump:
    """The objects of a dump, each in its newest version.

    Args:
        paths: Files, folders, archives, or `-` for standard input.

    Raises:
        SourceError: A path cannot be read, or nothing but problems was found.
    """

    live = True
    default_namespace = None

    def __init__(self, paths: Sequence[str]) -> None:
        found, problems = load(paths)
        with collector_paused():
            self._store = Store(found)
        self.warnings = [*problems, *self._store.problems]

    def kind_names(self) -> Sequence[KindNames]:
        """Those of the CustomResourceDefinitions in the dump."""
        return [names for value in self._store.of(CRD) for names in names_of(value)]

    def kinds(self) -> Collection[GroupKind]:
        """Those of the objects, and of the CustomResourceDefinitions."""
        return {*self._store.kinds(), *(GroupKind(names.group, names.kind) for names in self.kind_names())}

    def definitions(self) -> Sequence[Object]:
        """The workload definitions in the dump."""
        return list(self._store.of(DEFINITION))

    def crds(self, kinds: Collection[GroupKind]) -> Sequence[Object]:
        """Those of these kinds that are in the dump."""
        return of_kinds(self._store.of(CRD), kinds)

    def ask(self, question: Question, definitions: DefinitionSet) -> Answer:  # noqa: ARG002
        """Everything that is seen from the namespace."""
        return Answer(
            objects=self.objects(namespace=question.namespace),
            pods=self.pods(namespace=question.namespace),
            without_pods=None if self._store.of(POD) else _NO_PODS,
        )

    def follow(self, question: Question, definitions: DefinitionSet) -> Iterator[Sequence[Change]]:  # noqa: ARG002
        """Refused: what lies in files does not change."""
        raise TargetError("files do not change", hint="-w follows a cluster: leave out --from and -f")

    def ask_about_pod(self, name: str, definitions: DefinitionSet, *, namespace: str | None) -> Answer:  # noqa: ARG002
        """Everything that is seen from the namespace."""
        return self.ask(Question(namespace=namespace), definitions)

    def events(self, namespace: str | None) -> Iterator[Object]:
        """Those in the dump, whichever API they were read from."""
        return (value for kind in EVENTS for value in self._seen(kind, namespace))

    def namespaces(self) -> Iterator[str]:
        """Those that objects lie in."""
        return (namespace for value in self._everything() if (namespace := namespace_of(value)) is not None)

    def names(self, kind: GroupKind, namespace: str | None) -> Iterator[str]:
        """The names of the objects of a kind."""
        return map(name_of, self._seen(kind, namespace))

    def objects(self, *, namespace: str | None = None) -> Iterator[Object]:
        """All objects but pods, kind after kind."""
        for kind in self._store.kinds():
            if kind != POD:
                yield from self._seen(kind, namespace)

    def pods(self, *, namespace: str | None = None) -> Iterator[Object] | None:
        """The pods; None if the dump holds none: then it was made without them, whether they exist or not."""
        return self._seen(POD, namespace) if self._store.of(POD) else None

    def _everything(self) -> Iterator[Object]:
        return (value for kind in self._store.kinds() for value in self._store.of(kind))

    def _seen(self, kind: GroupKind, namespace: str | None) -> Iterator[Object]:
        return (value for value in self._store.of(kind) if in_namespace(value, namespace))
