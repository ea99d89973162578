"""Everything that a dump needs so that every command answers from it as from the cluster."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from workload_map.definition import CollisionError, DefinitionSet
from workload_map.engine import OwnerIndex, resolve_many
from workload_map.engine.finding import Failure, Lookup
from workload_map.source.kinds import GroupKind
from workload_map.source.objects import Object, group_kind, name_of, namespace_of
from workload_map.source.protocol import Question, Source
from workload_map.source.selection import index_of


def collect(source: Source, definitions: DefinitionSet, question: Question) -> list[Object]:
    """What a question is about, with all that belongs to it, by kind, namespace and name.

    That is the workloads, their pods, what stands between, what they refer to, and the source's definitions
    with the CustomResourceDefinitions of the covered kinds that are there.

    Raises:
        SourceError: Something that was asked for by name, or nothing of what was asked for, can be read.
    """
    answer = source.ask(msgspec.structs.replace(question, whole=True), definitions)
    for unread in answer.unread.values():
        raise unread.error
    everything = index_of(answer)
    meant = _meant(everything, definitions, question)
    referenced: list[Object] = []
    index = OwnerIndex(meant, _remembering(everything, referenced))
    # What workloads refer to is found while their views are made.
    for _ in resolve_many(_resolvable(meant, definitions), definitions, index=index):
        pass
    objects = [*meant, *referenced]
    # A schema is often larger than all objects of its kind: only those of kinds that are there.
    there = {group_kind(value) for value in objects}
    covered = {GroupKind(entry.kind.group, entry.kind.kind) for entry in definitions.entries()}
    found = {_key(value): value for value in (*source.definitions(), *source.crds(there & covered), *objects)}
    return [found[key] for key in sorted(found)]


def _meant(index: OwnerIndex, definitions: DefinitionSet, question: Question) -> list[Object]:
    """The workloads that were asked for and what they control; a source may have given more than that."""
    if not question.targets:
        return index.objects
    index.adopt(definitions)
    kinds = {target.kind for target in question.targets}
    names = {(target.kind, name) for target, name in question.names}
    workloads = {
        id(value)
        for value in index.objects
        if group_kind(value) in kinds and (not names or (group_kind(value), name_of(value)) in names)
    }
    return [
        value
        for value in index.objects
        if id(value) in workloads or any(id(owner) in workloads for owner in index.chain(value).owners)
    ]


def as_list(objects: Sequence[Object]) -> Object:
    """Objects as kubectl prints several of them: first what each is, which servers leave out in lists."""
    items = [{"apiVersion": value["apiVersion"], "kind": value["kind"], **value} for value in objects]
    return {"apiVersion": "v1", "kind": "List", "metadata": {}, "items": items}


def _remembering(index: OwnerIndex, into: list[Object]) -> Lookup:
    """Finds objects in an index, or where that finds them, and keeps those that were found."""

    def find(reference: Object) -> Object | None:
        namespace = reference.get("namespace")
        found = index.find(reference["apiVersion"], reference["kind"], namespace, reference["name"])
        if isinstance(found, Failure):
            raise LookupError(found.why)
        if found is not None:
            into.append(found)
        return found

    return find


def _resolvable(objects: Sequence[Object], definitions: DefinitionSet) -> list[Object]:
    """The covered objects, but for kinds that several definitions claim."""
    kept = []
    for value in objects:
        try:
            entry = definitions.get(value["apiVersion"], value["kind"])
        except CollisionError:
            continue
        if entry is not None:
            kept.append(value)
    return kept


def _key(value: Object) -> tuple[str, str, str, str]:
    return (*group_kind(value), namespace_of(value) or "", name_of(value))
