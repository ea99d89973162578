"""A cluster as a source: each question is answered with as few requests as its definitions allow."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from itertools import chain

from workload_map.definition import DefinitionSet
from workload_map.definition.kind_names import KindNames
from workload_map.engine.objects import controller, owner_uid, text_of
from workload_map.engine.view import Problem
from workload_map.engine.waiting import Orphans
from workload_map.source.cluster.api import Api
from workload_map.source.cluster.discovery import Served, discover
from workload_map.source.cluster.errors import AbsentError, ClusterError, ForbiddenError, NotServedError
from workload_map.source.cluster.lists import Scope, list_all, metadata_only
from workload_map.source.cluster.parts import Part, Reader, Result, as_list
from workload_map.source.cluster.planning import Needs, adopting, best_version, needs_of
from workload_map.source.cluster.questions import PODS, parts_of
from workload_map.source.cluster.references import Finder
from workload_map.source.cluster.tasks import together
from workload_map.source.cluster.telling import Told, nothing_read, unread
from workload_map.source.cluster.watching import Changes
from workload_map.source.crds import CRD
from workload_map.source.errors import SourceError
from workload_map.source.kinds import GroupKind
from workload_map.source.objects import Object, collector_paused, group_kind, name_of
from workload_map.source.protocol import (
    CLAIMS,
    DEFINITION,
    NO_DEFINITIONS,
    POD,
    Answer,
    Change,
    Following,
    Question,
    Unread,
)

_DEFINITIONS = KindNames(
    group=DEFINITION.group,
    version="v1alpha1",
    kind=DEFINITION.kind,
    plural="kartas",
    singular="karta",
    namespaced=False,
)
_NAMESPACES = KindNames(
    group="", version="v1", kind="Namespace", plural="namespaces", singular="namespace", namespaced=False
)
_CRDS = KindNames(
    group=CRD.group,
    version="v1",
    kind=CRD.kind,
    plural="customresourcedefinitions",
    singular="customresourcedefinition",
    namespaced=False,
)
_EVENTS = KindNames(group="", version="v1", kind="Event", plural="events", singular="event")


class Cluster:
    """The objects of a cluster. Which kinds it has, and its definitions, are asked once.

    Args:
        api: The API server.
        chunk: How many objects a page may have; 0: all in one.

    Raises:
        ClusterError: The server does not answer.
    """

    live = True

    def __init__(self, api: Api, *, chunk: int = 500) -> None:
        self._api = api
        self._told = Told()
        self._troubles: Callable[[], Sequence[Problem]] = tuple
        self._naming = threading.Lock()
        self._namespaces: list[str] | None = None
        self._reader = Reader(api, self.namespaces, chunk)
        served: list[Served] = []
        definitions: list[Object] = []
        together([lambda: served.append(discover(api)), lambda: definitions.extend(self._read_definitions())])
        self._silent = served[0].silent
        for error in self._silent:
            self._warn(error.code, error.message)
        self._names = served[0].names
        self._served = served[0].by_kind()
        self._definitions = definitions

    @property
    def warnings(self) -> list[Problem]:
        """What could not be read so far, each with its place, and what keeps changes from being heard of."""
        return [*self._told.problems, *self._troubles()]

    @property
    def silent(self) -> Sequence[SourceError]:
        """One error for each version of an API group that does not answer: its kinds are not known."""
        return self._silent

    @property
    def default_namespace(self) -> str:
        """That of the kubeconfig's context, else `default`."""
        return self._api.connection.namespace or "default"

    def kind_names(self) -> Sequence[KindNames]:
        """All kinds that the server lists."""
        return self._names

    def kinds(self) -> Collection[GroupKind]:
        """All kinds that the server lists."""
        return self._served.keys()

    def definitions(self) -> Sequence[Object]:
        """The workload definitions in the cluster."""
        return self._definitions

    def crds(self, kinds: Collection[GroupKind]) -> list[Object]:
        """The CustomResourceDefinitions of these kinds; the kinds of Kubernetes itself have none."""
        custom = sorted(kind for kind in self._served if kind in kinds and "." in kind.group)
        names = [f"{self._served[kind][0].plural}.{kind.group}" for kind in custom]
        parts = [Part(scope=Scope(names=_CRDS), name=name) for name in names]
        results = together([partial(self._reader.read, part) for part in parts])
        if denied := [error for result in results for error in result.errors]:
            self._warn("crds-unread", f"CustomResourceDefinitions are left out: {denied[0].message}")
        return [value for result in results for value in result.objects]

    def events(self, namespace: str | None) -> list[Object]:
        """The events of a namespace or of all; raises `ClusterError` where they may not be read."""
        (found,) = self._read([Part(scope=Scope(names=_EVENTS, namespace=namespace), asked=True)])
        return list(found.objects)

    def namespaces(self) -> list[str]:
        """The names of all namespaces; none where the user may not know them."""
        with self._naming:  # several kinds are refused at once
            if self._namespaces is None:
                found = self._reader.read(Part(scope=Scope(names=_NAMESPACES), decode=metadata_only))
                self._namespaces = [name_of(value) for value in found.objects]
            return self._namespaces

    def names(self, kind: GroupKind, namespace: str | None) -> Iterator[str]:
        """The names of the objects of a kind."""
        for names in self._served.get(kind, [])[:1]:
            scope = Scope(names=names, namespace=namespace)
            yield from map(name_of, self._reader.read(Part(scope=scope, decode=metadata_only)).objects)

    def ask(self, question: Question, definitions: DefinitionSet) -> Answer:
        """Read what a question needs, several kinds at once.

        Raises:
            ForbiddenError: The user may read nothing of what was asked for.
            ClusterError: Nothing of it can be read, for another reason.
        """
        needs, unknown = self._needs(question, definitions)
        if needs.nothing:
            return Answer(objects=(), pods=(), unread=unknown)
        results = self._read(
            parts_of(question, needs), untold=lambda result: bool(question.names) and result.part.asked
        )
        *others, pods = results
        return Answer(
            objects=[value for result in others for value in result.objects],
            pods=None if pods.denied else pods.objects,
            unread=unknown | _unread(results, question),
            find=self._finder(question, definitions).find,
            owners=self._owners(question, definitions, needs) if needs.follows or question.whole else None,
        )

    def follow(self, question: Question, definitions: DefinitionSet) -> Following:
        """Everything that answers a question, and then what changes.

        It has no end but where the cluster has nothing of what was asked for, in which nothing can change.

        Raises:
            ForbiddenError: The user may read nothing of what was asked for.
            ClusterError: Nothing of it can be read, for another reason.
        """
        needs, unknown = self._needs(question, definitions)
        if needs.nothing:
            return Following(batches=iter([[]]), unread=unknown)
        parts = parts_of(question, needs)
        besides = needs.referenced - {*needs.workloads, *needs.whole, *needs.bare}
        for kinds, quiet in ((besides, False), ({*CLAIMS} - besides, True)):
            versions = [best_version(kind, definitions, self._served) for kind in sorted(kinds)]
            scopes = [Scope(names=names, namespace=question.namespace) for names in versions if names]
            parts += [Part(scope=scope, quiet=quiet) for scope in scopes]
        # A list of one goes on as a watch; a single object does not.
        results = self._read(
            [as_list(part) for part in parts],
            untold=lambda result: bool(question.names) and result.part.asked and result.denied,
        )
        stream = Changes(self._api, self._told.tell)
        self._troubles = stream.troubles
        stream.follow(results)
        owners = self._following(question, definitions, needs, stream)
        return Following(
            batches=([*batch, *owners(batch)] for batch in chain([_added(results)], stream.batches())),
            pods_known=not any(result.denied for result in results if result.part.scope.names == PODS),
            unread=unknown | _unread(results, question),
        )

    def _needs(self, question: Question, definitions: DefinitionSet) -> tuple[Needs, dict[GroupKind, Unread]]:
        """What a question needs, and the kinds in it of which nobody knows whether they are there."""
        needs = needs_of(question.targets, definitions, self._served)
        asked = {target.kind for target in question.targets}
        doubtful = {*(asked - {*self._served}), *needs.absent}
        unknown = {kind: Unread(error) for kind in doubtful if (error := self._silence(kind.group))}
        if asked and asked <= {*unknown}:
            raise unknown[question.targets[0].kind].error
        absent = [kind for kind in needs.absent if kind not in unknown]
        told = [f"the cluster has no {_shown(kind)} in a version that is covered" for kind in absent]
        if question.names and asked <= {*absent}:
            raise NotServedError("; ".join(told))
        for message in told:
            self._warn(NotServedError.code, message)
        return needs, unknown

    def _silence(self, group: str) -> SourceError | None:
        """Why the kinds of a group are not known; None if they are."""
        return next((error for error in self._silent if error.group == group), None)

    def _following(
        self, question: Question, definitions: DefinitionSet, needs: Needs, stream: Changes
    ) -> Callable[[Sequence[Change]], list[Change]]:
        """Finds the controllers of what changes, of kinds that no definition foresees, and follows these."""
        followed = {POD, *needs.workloads, *needs.whole, *needs.bare}

        def owners(batch: Sequence[Change]) -> list[Change]:
            added: list[Change] = []
            found = batch if needs.follows else []
            while kinds := {kind for change in found for kind in _controllers(change.value)} - followed:
                followed.update(kinds)
                parts = self._bare_parts(kinds, question.namespace, definitions)
                results = self._read(parts) if parts else []
                stream.follow(results)
                found = _added(results)
                added += found
            return added

        return owners

    def ask_about_pod(self, name: str, definitions: DefinitionSet, *, namespace: str | None) -> Answer:
        """Read a pod, and for `owners` what controls it, object by object.

        Raises:
            ClusterError: The pod cannot be read.
        """
        (found,) = self._read([Part(scope=Scope(names=PODS, namespace=namespace), name=name, asked=True)])
        objects: list[Object] = []
        if any(controller(value) is None for value in found.objects):
            kinds = adopting(definitions, self._served).values()
            scopes = [Scope(names=names, namespace=namespace) for names in kinds]
            objects = [
                value for part in self._read([Part(scope=one) for one in scopes]) for value in part.objects
            ]
        finder = self._finder(Question(names=(), namespace=namespace), definitions, by_name=True)
        left = unread(found)
        return Answer(
            objects=objects,
            pods=found.objects,
            unread={POD: left} if left else {},
            find=finder.find,
            owners=finder.owners,
        )

    def _read(
        self, parts: Sequence[Part], *, untold: Callable[[Result], bool] = lambda _: False
    ) -> list[Result]:
        """Read parts at once, and tell what could not be, but for what an answer itself tells (`unread`)."""
        with collector_paused():
            results = together([partial(self._reader.read, part) for part in parts])
        asked = [result for result in results if result.part.asked]
        if asked and all(result.denied for result in asked):
            raise nothing_read(results)
        self._told.tell_of([result for result in results if not untold(result)])
        return results

    def _finder(self, question: Question, definitions: DefinitionSet, *, by_name: bool = False) -> Finder:
        def version(kind: GroupKind) -> KindNames | None:
            return best_version(kind, definitions, self._served)

        return Finder(
            self._reader,
            version,
            self._told.tell_of,
            namespace=question.namespace,
            by_name=by_name or bool(question.names),
        )

    def _owners(
        self, question: Question, definitions: DefinitionSet, needs: Needs
    ) -> Callable[[Sequence[Orphans]], list[Object]]:
        """Finds controllers of kinds that no definition foresees, by one list of metadata for each kind."""
        tried = {POD, *needs.workloads, *needs.whole, *needs.bare}

        def owners(orphans: Sequence[Orphans]) -> list[Object]:
            kinds = {_kind_of(one) for one in orphans} - tried
            tried.update(kinds)
            wanted = {owner_uid(controller(value) or {}) for one in orphans for value in one.objects}
            parts = self._bare_parts(kinds, question.namespace, definitions)
            found = [value for result in self._read(parts) for value in result.objects] if parts else []
            return [value for value in found if value["metadata"].get("uid") in wanted]

        return owners

    def _bare_parts(
        self, kinds: Collection[GroupKind], namespace: str | None, definitions: DefinitionSet
    ) -> list[Part]:
        """The metadata of all objects of those of these kinds that are served."""
        versions = [best_version(kind, definitions, self._served) for kind in sorted(kinds)]
        scopes = [Scope(names=names, namespace=namespace) for names in versions if names]
        return [Part(scope=scope, decode=metadata_only) for scope in scopes]

    def _read_definitions(self) -> list[Object]:
        """The definitions; a cluster without them, or that does not give them, is used without them."""
        try:
            return list_all(self._api, Scope(names=_DEFINITIONS), chunk=0).objects
        except AbsentError:
            message = (
                "the cluster has no kartas.run.ai, so no definitions of its own: "
                "the built-in ones count, and those of files"
            )
            self._warn(NO_DEFINITIONS, message)
        except ForbiddenError:
            message = "definitions in the cluster are left out: listing kartas.run.ai is forbidden"
            self._warn("definitions-forbidden", message)
        except ClusterError as error:
            self._warn("definitions-unreachable", f"definitions in the cluster are left out: {error.message}")
        return []

    def _warn(self, code: str, message: str) -> None:
        self._told.tell(Problem(code=code, location=None, message=message))


def _unread(results: Sequence[Result], question: Question) -> dict[GroupKind, Unread]:
    """The kinds of what was asked for by name of which not all could be read."""
    found: dict[GroupKind, Unread] = {}
    for result in results if question.names else ():
        names = result.part.scope.names
        if result.part.asked and (left := unread(result)):
            found.setdefault(GroupKind(names.group, names.kind), left)
    return found


def _added(results: Sequence[Result]) -> list[Change]:
    return [Change(value, deleted=False) for result in results for value in result.objects]


def _controllers(value: Object) -> Iterator[GroupKind]:
    """The kind of an object's controller, if it has one."""
    reference = controller(value) or {}
    api_version, kind = text_of(reference.get("apiVersion")), text_of(reference.get("kind"))
    if api_version and kind:
        yield group_kind({"apiVersion": api_version, "kind": kind})


def _kind_of(orphans: Orphans) -> GroupKind:
    return group_kind({"apiVersion": orphans.api_version, "kind": orphans.kind})


def _shown(kind: GroupKind) -> str:
    return f"{kind.kind} of {kind.group}" if kind.group else kind.kind
