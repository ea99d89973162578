"""Dumps: what `kubectl get -o yaml|json` or a watch wrote, treated as the cluster that it came from."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import starmap

from workload_map.definition import DefinitionSet
from workload_map.definition.kind_names import KindNames
from workload_map.engine.view import Problem
from workload_map.source.crds import CRD, names_of, of_kinds
from workload_map.source.errors import TargetError
from workload_map.source.kinds import GroupKind
from workload_map.source.loading import load_lazily, nothing_read
from workload_map.source.objects import (
    Found,
    Object,
    collector_paused,
    in_namespace,
    kind_named,
    name_of,
    namespace_of,
)
from workload_map.source.protocol import DEFINITION, EVENTS, POD, Answer, Following, Question
from workload_map.source.store import Store
from workload_map.source.unread import Decoding, Unread

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
    silent = ()

    def __init__(self, paths: Sequence[str]) -> None:
        reader = load_lazily(paths)
        self._everything, self._problems = reader.everything, reader.problems
        self._undecoded: list[Problem] = []
        found = [item for item in self._everything if isinstance(item, Found)]
        self._is_whole = len(found) == len(self._everything)
        with collector_paused():
            self._store = Store(found)

    @property
    def warnings(self) -> list[Problem]:
        """What could not be read so far, each with its place."""
        return [*self._problems, *self._undecoded, *self._store.problems]

    def kind_names(self) -> Sequence[KindNames]:
        """Those of the CustomResourceDefinitions in the dump."""
        return [names for value in self._store.of(CRD) for names in names_of(value)]

    def kinds(self) -> Collection[GroupKind]:
        """Those of the objects, and of the CustomResourceDefinitions."""
        named = (GroupKind(names.group, names.kind) for names in self.kind_names())
        unread = {item[:2] for item in self._everything if isinstance(item, Unread)}
        return {*self._store.kinds(), *starmap(kind_named, unread), *named}

    def definitions(self) -> Sequence[Object]:
        """The workload definitions in the dump."""
        return list(self._store.of(DEFINITION))

    def crds(self, kinds: Collection[GroupKind]) -> Sequence[Object]:
        """Those of these kinds that are in the dump."""
        return of_kinds(self._store.of(CRD), kinds)

    def ask(self, question: Question, definitions: DefinitionSet) -> Answer:
        """Everything that is seen from the namespace.

        Raises:
            SourceError: There is nothing but what cannot be read.
        """
        self._read(None if question.whole else definitions)
        return Answer(
            objects=self._objects(question.namespace),
            pods=self._pods(question.namespace),
            without_pods=None if self._store.of(POD) else _NO_PODS,
        )

    def follow(self, question: Question, definitions: DefinitionSet) -> Following:  # noqa: ARG002
        """Refused: what lies in files does not change."""
        raise TargetError("files do not change", hint="-w follows a cluster: leave out --from and -f")

    def ask_about_pod(self, name: str, definitions: DefinitionSet, *, namespace: str | None) -> Answer:  # noqa: ARG002
        """Everything that is seen from the namespace."""
        return self.ask(Question(namespace=namespace), definitions)

    def events(self, namespace: str | None) -> Iterator[Object]:
        """Those in the dump, whichever API they were read from."""
        self._read(None)
        return (value for kind in EVENTS for value in self._seen(kind, namespace))

    def namespaces(self) -> Iterator[str]:
        """Those that objects lie in."""
        self._read(None)
        everything = (value for kind in self._store.kinds() for value in self._store.of(kind))
        return (namespace for value in everything if (namespace := namespace_of(value)) is not None)

    def names(self, kind: GroupKind, namespace: str | None) -> Iterator[str]:
        """The names of the objects of a kind."""
        self._read(None)
        return map(name_of, self._seen(kind, namespace))

    def objects(self, *, namespace: str | None = None) -> Iterator[Object]:
        """All objects but pods, kind after kind."""
        self._read(None)
        return self._objects(namespace)

    def pods(self, *, namespace: str | None = None) -> Iterator[Object] | None:
        """The pods; None if the dump holds none: then it was made without them, whether they exist or not."""
        self._read(None)
        return self._pods(namespace)

    def _read(self, definitions: DefinitionSet | None) -> None:
        """Read what was left unread: what counts for the views by these definitions; None: all of it."""
        if self._is_whole:
            return
        decoding = Decoding(definitions, self._kinds())
        with collector_paused():
            self._store = Store(decoding.read(self._everything))
        self._undecoded = decoding.problems
        if self._undecoded and not any(self._store.kinds()):
            raise nothing_read([*self._problems, *self._undecoded])
        self._is_whole = definitions is None

    def _kinds(self) -> set[tuple[str, str]]:
        """The `apiVersion` and kind of all objects."""
        return {
            (item.value["apiVersion"], item.value["kind"]) if isinstance(item, Found) else item[:2]
            for item in self._everything
        }

    def _objects(self, namespace: str | None) -> Iterator[Object]:
        return (value for kind in self._store.kinds() if kind != POD for value in self._seen(kind, namespace))

    def _pods(self, namespace: str | None) -> Iterator[Object] | None:
        return self._seen(POD, namespace) if self._store.of(POD) else None

    def _seen(self, kind: GroupKind, namespace: str | None) -> Iterator[Object]:
        found = self._store.of(kind)
        return iter(found) if namespace is None else (one for one in found if in_namespace(one, namespace))
