"""Everything that a dump needs so that every command answers from it as from the cluster."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from workload_map.definition import CollisionError, DefinitionSet
from workload_map.engine import resolve_many
from workload_map.engine.finding import Lookup
from workload_map.source.kinds import GroupKind
from workload_map.source.objects import Object, group_kind, name_of, namespace_of
from workload_map.source.protocol import Question, Source
from workload_map.source.selection import index_of


def collect(source: Source, definitions: DefinitionSet, question: Question) -> list[Object]:
    """What a question is about, with all that belongs to it, by kind, namespace and name.

    That is the workloads, their pods, what stands between, what they refer to, and the source's definitions
    with the CustomResourceDefinitions of the covered kinds that are there.

    Raises:
        SourceError: Nothing of what was asked for can be read.
    """
    answer = source.ask(msgspec.structs.replace(question, whole=True), definitions)
    referenced: list[Object] = []
    if answer.find is not None:
        answer = msgspec.structs.replace(answer, find=_remembering(answer.find, referenced))
    index = index_of(answer)
    # What workloads refer to is found while their views are made.
    for _ in resolve_many(_resolvable(index.objects, definitions), definitions, index=index):
        pass
    objects = [*index.objects, *referenced]
    # A schema is often larger than all objects of its kind: only those of kinds that are there.
    there = {group_kind(value) for value in objects}
    covered = {GroupKind(entry.kind.group, entry.kind.kind) for entry in definitions.entries()}
    found = {_key(value): value for value in (*source.definitions(), *source.crds(there & covered), *objects)}
    return [found[key] for key in sorted(found)]


def as_list(objects: Sequence[Object]) -> Object:
    """Objects as kubectl prints several of them."""
    return {"apiVersion": "v1", "kind": "List", "metadata": {}, "items": list(objects)}


def _remembering(find: Lookup, into: list[Object]) -> Lookup:
    def remembering(reference: Object) -> Object | None:
        found = find(reference)
        if found is not None:
            into.append(found)
        return found

    return remembering


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
