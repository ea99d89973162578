"""A cluster as a source: each question is answered with as few requests as its definitions allow."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from itertools import chain

import msgspec

from workload_map.definition import DefinitionSet
from workload_map.definition.kind_names import KindNames
from workload_map.engine.objects import controller, owner_uid, text_of
from workload_map.engine.view import Problem
from workload_map.engine.waiting import Orphans
from workload_map.source.cluster.api import Api
from workload_map.source.cluster.discovery import Served, discover
from workload_map.source.cluster.errors import AbsentError, ClusterError, ForbiddenError, NotServedError
from workload_map.source.cluster.lists import Decode, Scope, list_all, metadata_only, whole
from workload_map.source.cluster.pages import narrow
from workload_map.source.cluster.parts import Part, Reader, Result
from workload_map.source.cluster.planning import Needs, adopting, best_version, needs_of
from workload_map.source.cluster.references import Finder
from workload_map.source.cluster.tasks import together
from workload_map.source.cluster.watching import Changes
from workload_map.source.crds import CRD
from workload_map.source.fields import Sharing, fields_of, pod_fields
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
_PODS = KindNames(group="", version="v1", kind="Pod", plural="pods", singular="pod")


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
        self.warnings: list[Problem] = []
        self._namespaces: list[str] | None = None
        self._reader = Reader(api, self.namespaces, chunk)
        served: list[Served] = []
        definitions: list[Object] = []
        together([lambda: served.append(discover(api)), lambda: definitions.extend(self._read_definitions())])
        self.warnings += served[0].problems
        self._names = served[0].names
        self._served = served[0].by_kind()
        self._definitions = definitions

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
        needs = self._needs(question, definitions)
        if needs.nothing:
            return Answer(objects=(), pods=())
        *others, pods = self._read(
            [*_asked(question, needs), *_beside(question, needs), _pods(question, needs)]
        )
        return Answer(
            objects=[value for result in others for value in result.objects],
            pods=None if pods.denied else pods.objects,
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
        needs = self._needs(question, definitions)
        if needs.nothing:
            return Following(batches=iter([[]]))
        parts = [*_asked(question, needs), *_beside(question, needs), _pods(question, needs)]
        besides = needs.referenced - {*needs.workloads, *needs.whole, *needs.bare}
        for kinds, quiet in ((besides, False), ({*CLAIMS} - besides, True)):
            versions = [best_version(kind, definitions, self._served) for kind in sorted(kinds)]
            scopes = [Scope(names=names, namespace=question.namespace) for names in versions if names]
            parts += [Part(scope=scope, quiet=quiet) for scope in scopes]
        # A list of one goes on as a watch; a single object does not.
        results = self._read([_as_list(part) for part in parts])
        stream = Changes(self._api, self.warnings.append)
        stream.follow(results)
        owners = self._following(question, definitions, needs, stream)
        return Following(
            batches=([*batch, *owners(batch)] for batch in chain([_added(results)], stream.batches())),
            pods_known=not any(result.denied for result in results if result.part.scope.names == _PODS),
        )

    def _needs(self, question: Question, definitions: DefinitionSet) -> Needs:
        needs = needs_of(question.targets, definitions, self._served)
        told = [f"the cluster has no {_shown(kind)} in a version that is covered" for kind in needs.absent]
        if question.names and {target.kind for target in question.targets} <= {*needs.absent}:
            raise NotServedError("; ".join(told))
        for message in told:
            self._warn(NotServedError.code, message)
        return needs

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
        (found,) = self._read([Part(scope=Scope(names=_PODS, namespace=namespace), name=name, asked=True)])
        objects: list[Object] = []
        if any(controller(value) is None for value in found.objects):
            kinds = adopting(definitions, self._served).values()
            scopes = [Scope(names=names, namespace=namespace) for names in kinds]
            objects = [
                value for part in self._read([Part(scope=one) for one in scopes]) for value in part.objects
            ]
        finder = self._finder(Question(names=(), namespace=namespace), definitions, by_name=True)
        return Answer(
            objects=objects,
            pods=found.objects,
            find=finder.find,
            owners=finder.owners,
        )

    def _read(self, parts: Sequence[Part]) -> list[Result]:
        with collector_paused():
            results = together([partial(self._reader.read, part) for part in parts])
        asked = [result for result in results if result.part.asked]
        denied = [result for result in asked if result.denied]
        if asked and len(denied) == len(asked):
            raise _nothing_read(denied)
        for problem in (each for result in results for each in result.problems()):
            self._tell(problem)
        return results

    def _finder(self, question: Question, definitions: DefinitionSet, *, by_name: bool = False) -> Finder:
        def version(kind: GroupKind) -> KindNames | None:
            return best_version(kind, definitions, self._served)

        return Finder(
            self._reader,
            version,
            self._tell,
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
        self._tell(Problem(code=code, location=None, message=message))

    def _tell(self, problem: Problem) -> None:
        """Warn, once: a kind may be asked for as workloads, and again as what others refer to."""
        if problem not in self.warnings:
            self.warnings.append(problem)


def _asked(question: Question, needs: Needs) -> Iterator[Part]:
    """The workloads: those that were named, or all of their kinds."""
    if question.names:
        for target, name in question.names:
            if (names := needs.workloads.get(target.kind)) is not None:
                scope = Scope(names=names, namespace=question.namespace)
                yield Part(scope=scope, name=name, asked=True)
        return
    for kind, names in needs.workloads.items():
        # What may stand between is needed whatever the selectors say of it.
        is_selected = bool(question.targets) and kind not in needs.below
        yield Part(
            scope=Scope(
                names=names,
                namespace=question.namespace,
                labels=question.labels if is_selected else "",
                fields=question.fields if is_selected else "",
            ),
            decode=whole if question.whole else _decode(kind, needs),
            asked=True,
        )


def _as_list(part: Part) -> Part:
    if part.name is None:
        return part
    scope = msgspec.structs.replace(part.scope, fields=f"metadata.name={part.name}")
    return msgspec.structs.replace(part, scope=scope, name=None)


def _decode(kind: GroupKind, needs: Needs) -> Decode:
    definition = needs.definitions.get(kind)
    # Paths of other kinds may read any field of what they refer to, and of claims devices are counted.
    is_read = kind in needs.referenced or kind in CLAIMS
    return whole if definition is None or is_read else narrow(lambda: fields_of(definition))


def _beside(question: Question, needs: Needs) -> Iterator[Part]:
    for names in needs.whole.values():
        yield Part(scope=Scope(names=names, namespace=question.namespace))
    for names in needs.bare.values():
        decode = whole if question.whole else metadata_only
        yield Part(scope=Scope(names=names, namespace=question.namespace), decode=decode)


def _pods(question: Question, needs: Needs) -> Part:
    # The pods of a workload that lies in no namespace may lie in any.
    is_namespaced = needs.pods or any(names.namespaced for names in needs.workloads.values())
    namespace = question.namespace if is_namespaced else None
    some = narrow(lambda: pod_fields(needs.definitions.values()), Sharing().pod)
    decode = whole if question.whole else some
    return Part(scope=Scope(names=_PODS, namespace=namespace), decode=decode, asked=needs.pods)


def _nothing_read(denied: Sequence[Result]) -> ClusterError:
    errors = [error for result in denied for error in result.errors]
    if len(errors) == 1:
        return errors[0]
    kind = ForbiddenError if all(isinstance(error, ForbiddenError) for error in errors) else ClusterError
    error = kind("nothing of what was asked for can be read", hint="each reason stands above")
    error.problems = tuple(problem for result in denied for problem in result.problems())
    return error


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
