"""Asking a source for workloads: the objects that are meant, and the owners and pods that go with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

import msgspec

from workload_map.definition import CollisionError, DefinitionSet
from workload_map.engine import OwnerIndex, Problem, Workload, resolve_many
from workload_map.engine.nodes import MAX_DEPTH
from workload_map.errors import WorkloadMapError
from workload_map.source.crds import CRD
from workload_map.source.errors import AmbiguousError, NotFoundError, TargetError
from workload_map.source.kinds import GroupKind, KindTable, Target
from workload_map.source.objects import Object, group_kind, name_of, namespace_of
from workload_map.source.protocol import DEFINITION, POD, Answer, Question, Source, Unread
from workload_map.source.selectors import FieldSelector, LabelSelector
from workload_map.source.wanted import Wanted
from workload_map.spelling import did_you_mean


class Filters(msgspec.Struct, frozen=True, kw_only=True):
    """Which of the objects that the arguments name are meant."""

    namespace: str | None = None
    labels: LabelSelector = LabelSelector("")
    fields: FieldSelector = FieldSelector("")

    def match(self, value: Object) -> bool:
        """Whether the selectors let an object through."""
        return self.labels.matches(value) and self.fields.matches(value)


class Selection(msgspec.Struct, frozen=True, kw_only=True):
    """The objects that were asked for.

    Attributes:
        objects: Covered objects, in the order of the source, or of the names where those were given.
        index: All owners and pods at hand.
        pods_known: Whether pods were looked at at all.
        live: Whether the objects exist; manifests do not.
        missing: One error for each name that is not there, and for each kind of which that cannot be told.
        problems: What the user should know besides: kinds to fetch, objects that no definition covers.
    """

    objects: list[Object]
    index: OwnerIndex
    pods_known: bool
    live: bool
    missing: list[WorkloadMapError]
    problems: list[Problem]

    def views(self, definitions: DefinitionSet) -> Iterator[Workload]:
        """The views of the objects, in their order; raises as `resolve_many` does."""
        return resolve_many(
            self.objects, definitions, index=self.index, pods_known=self.pods_known, live=self.live
        )

    def parts(self, objects: Iterable[Object]) -> list[bool]:
        """For each of some of the objects, whether it belongs to another one of them."""
        listed = list(objects)
        known = set(map(id, listed))
        return [any(id(owner) in known for owner in self.index.chain(value).owners) for value in listed]


def select(
    source: Source,
    definitions: DefinitionSet,
    table: KindTable,
    wanted: Wanted,
    filters: Filters,
    *,
    whole: bool = False,
) -> Selection:
    """The workloads that the arguments and filters mean, with all that shows which pods are theirs.

    Args:
        source: Where they are.
        definitions: What is covered.
        table: The names of kinds.
        wanted: What the arguments mean.
        filters: Which of these objects.
        whole: Whether what no definition foresees is read as well.

    Raises:
        NoDefinitionError: No definition covers what was asked for.
        CollisionError: Two definitions of one layer claim a kind that was asked for.
    """
    question = Question(
        targets=wanted.targets,
        names=wanted.names,
        namespace=filters.namespace,
        labels=filters.labels.text,
        fields=filters.fields.text,
        whole=whole,
    )
    answer = source.ask(question, definitions)
    index = index_of(answer)
    problems: list[Problem] = []
    if wanted.targets:
        found = _of_targets(index, definitions, table, wanted)
        uncovered = [value for value in found if not covered(value, definitions)]
    else:
        found = _without_collisions(index.top_level(definitions), definitions)
        # In a cluster most objects are no workloads; in a file that the user wrote each is meant.
        uncovered = (
            [] if source.live else [value for value in index.objects if _is_unused(value, definitions)]
        )
        problems = _to_fetch(index, definitions, table)
    found = [value for value in found if covered(value, definitions)]
    if uncovered and not found:
        definitions.find(uncovered[0]["apiVersion"], uncovered[0]["kind"])
    if found and answer.without_pods is not None:
        problems.append(answer.without_pods)
    objects = [value for value in found if filters.match(value)]
    missing: list[WorkloadMapError] = [] if wanted.names else [one.error for one in answer.unread.values()]
    if wanted.names:
        objects, missing = _named(objects, wanted, filters, answer.unread)
        told = [one for one in answer.unread.values() if one.error not in missing]
        problems += [problem for one in told for problem in one.problems]
    return Selection(
        objects=objects,
        index=index,
        pods_known=answer.pods is not None,
        live=source.live,
        missing=missing,
        problems=[*problems, *_not_covered(uncovered)],
    )


def gather(source: Source, question: Question, definitions: DefinitionSet) -> tuple[OwnerIndex, bool]:
    """All owners and pods that the source gives, and whether pods could be looked at.

    Raises:
        SourceError: Nothing of what was asked for can be read.
    """
    answer = source.ask(question, definitions)
    return index_of(answer), answer.pods is not None


def index_of(answer: Answer) -> OwnerIndex:
    """Everything in an answer, and the owners that it still can find."""
    everything = answer.objects if answer.pods is None else chain(answer.objects, answer.pods)
    index = OwnerIndex(everything, answer.find)
    for _ in range(MAX_DEPTH if answer.owners else 0):
        # Owners that were found have owners of their own.
        found = list(answer.owners(index.orphans)) if answer.owners else []
        for value in found:
            index.add(value)
        if not found:
            break
    return index


def _is_unused(value: Object, definitions: DefinitionSet) -> bool:
    """Whether nothing is made of a manifest: it is no workload, and says nothing about kinds."""
    return not covered(value, definitions) and group_kind(value) not in (DEFINITION, CRD)


def refuse_ambiguous(objects: list[Object]) -> None:
    """Refuse a name that several namespaces have, where one workload was asked for.

    Raises:
        AmbiguousError: Two objects differ only in their namespace; the hint lists the namespaces.
    """
    seen: dict[tuple[GroupKind, str], list[str]] = {}
    for value in objects:
        seen.setdefault((group_kind(value), name_of(value)), []).append(namespace_of(value) or "")
    for (kind, name), namespaces in seen.items():
        if len(namespaces) > 1:
            raise AmbiguousError(
                f"several namespaces have a {kind.kind} {name!r}",
                hint=f"say which: {' '.join(f'-n {namespace}' for namespace in sorted(namespaces))}",
            )


def find_pod(
    source: Source, definitions: DefinitionSet, name: str, namespace: str | None
) -> tuple[Object, OwnerIndex]:
    """The pod of a name, which may be written as `pod/NAME`, and what is known of its owners.

    Raises:
        TargetError: The name is empty, or that of another kind.
        NotFoundError: There is none.
        AmbiguousError: Several namespaces have one.
        SourceError: It cannot be read.
    """
    kind, slash, rest = name.partition("/")
    if slash and kind.lower() in ("pod", "pods", "po"):
        name = rest
    if not name or "/" in name:
        raise TargetError(f"{name!r} is no name of a pod", hint="give POD or pod/POD")
    answer = source.ask_about_pod(name, definitions, namespace=namespace)
    index = index_of(answer)
    pods = [value for value in index.objects if group_kind(value) == POD and name_of(value) == name]
    if not pods and POD in answer.unread:
        raise answer.unread[POD].error
    if not pods:
        raise _not_found(POD, name, namespace)
    refuse_ambiguous(pods)
    return pods[0], index


def _not_found(kind: GroupKind, name: str, namespace: str | None, names: Iterable[str] = ()) -> NotFoundError:
    return NotFoundError(
        f"there is no {kind.kind} {name!r}",
        location=f"namespace {namespace}" if namespace else None,
        hint=did_you_mean(name, names),
    )


def covered(value: Object, definitions: DefinitionSet) -> bool:
    """Whether a definition covers an object."""
    return definitions.covers(value["apiVersion"], value["kind"])


def _of_targets(
    index: OwnerIndex, definitions: DefinitionSet, table: KindTable, wanted: Wanted
) -> list[Object]:
    """The objects of the kinds, type after type as they were asked for."""
    by_kind: dict[GroupKind, list[Object]] = {target.kind: [] for target in wanted.targets}
    for value in index.objects:
        if (kind := group_kind(value)) in by_kind:
            by_kind[kind].append(value)
    for target in wanted.targets:
        if not by_kind[target.kind]:
            _refuse_uncovered(target.kind, definitions, table)
    return list(chain.from_iterable(_of_version(target, by_kind[target.kind]) for target in wanted.targets))


def _without_collisions(objects: list[Object], definitions: DefinitionSet) -> list[Object]:
    """The objects without those of kinds that several definitions claim; the definitions tell which."""
    kinds = {(value["apiVersion"], value["kind"]) for value in objects}
    claimed = {kind for kind in kinds if _is_claimed(*kind, definitions)}
    if not claimed:
        return objects
    return [value for value in objects if (value["apiVersion"], value["kind"]) not in claimed]


def _is_claimed(api_version: str, kind: str, definitions: DefinitionSet) -> bool:
    try:
        definitions.get(api_version, kind)
    except CollisionError:
        return True
    return False


def _of_version(target: Target, objects: list[Object]) -> Iterator[Object]:
    for value in objects:
        if target.version is None or value["apiVersion"].rpartition("/")[2].lower() == target.version.lower():
            yield value


def _refuse_uncovered(kind: GroupKind, definitions: DefinitionSet, table: KindTable) -> None:
    versions = [f"{kind.group}/{version}" if kind.group else version for version in table.versions(kind)]
    if not any(definitions.covers(version, kind.kind) for version in versions):
        definitions.find(versions[-1], kind.kind)


def _named(
    objects: list[Object], wanted: Wanted, filters: Filters, unread: Mapping[GroupKind, Unread]
) -> tuple[list[Object], list[WorkloadMapError]]:
    found: list[Object] = []
    missing: dict[object, WorkloadMapError] = {}
    for target, name in wanted.names:
        hits = [value for value in objects if name_of(value) == name and group_kind(value) == target.kind]
        found += _of_version(target, hits)
        if hits:
            continue
        if target.kind in unread:  # that it is not there nobody can tell
            missing[target.kind] = unread[target.kind].error
            continue
        names = [name_of(value) for value in objects if group_kind(value) == target.kind]
        missing[target, name] = _not_found(target.kind, name, filters.namespace, names)
    return found, list(missing.values())


def _to_fetch(index: OwnerIndex, definitions: DefinitionSet, table: KindTable) -> list[Problem]:
    """One problem that names the kinds whose absence leaves pods or workloads without a row."""
    left_out: Counter[str] = Counter()
    missing: set[GroupKind] = set()
    for orphans in index.orphans:
        # A workload has no row of its own where a covered kind controls it; a pod, where anything does.
        controlled = definitions.covers(orphans.api_version, orphans.kind)
        for value in orphans.objects:
            if group_kind(value) == POD or (controlled and covered(value, definitions)):
                left_out[value["kind"]] += 1
                missing.add(group_kind({"apiVersion": orphans.api_version, "kind": orphans.kind}))
    if not left_out:
        return []
    counts = ", ".join(f"{count} {kind}" for kind, count in sorted(left_out.items()))
    plurals = ",".join(sorted(table.plural(kind) for kind in missing))
    message = f"left out, since what controls them is not at hand: {counts}; fetch {plurals} too"
    return [Problem(code="owner-missing", location=None, message=message)]


def _not_covered(objects: list[Object]) -> list[Problem]:
    counts = Counter((value["apiVersion"], value["kind"]) for value in objects)
    return [
        Problem(
            code="not-covered",
            location=None,
            message=f"no definition covers {kind} of {api_version}: {count} left out",
        )
        for (api_version, kind), count in counts.items()
    ]


def related(index: OwnerIndex, value: Object) -> list[Object]:
    """An object, its pods, and what stands between them."""
    found = {id(value): value}
    for pod in index.pods_under(value):
        found[id(pod)] = pod
        for owner in index.chain(pod).owners:
            if owner is value:
                break
            found[id(owner)] = owner
    return list(found.values())


def events_about(events: Iterable[Object], objects: Iterable[Object]) -> list[Object]:
    """The events that are about one of these objects: by UID, or by name where an event tells none."""
    uids: set[object] = set()
    names: set[tuple[object, ...]] = set()
    for value in objects:
        uids.add(value["metadata"].get("uid"))
        names.add((value["kind"], namespace_of(value), name_of(value)))
    found = []
    for event in events:
        about = event.get("involvedObject") or event.get("regarding")
        if not isinstance(about, dict):
            continue
        name = (about.get("kind"), about.get("namespace"), about.get("name"))
        if about["uid"] in uids if isinstance(about.get("uid"), str) else name in names:
            found.append(event)
    return found
