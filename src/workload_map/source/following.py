"""Workloads as they change: what was asked for, kept up to date, with what is new at each moment."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from workload_map.definition import DefinitionSet
from workload_map.engine import Attributor, ObjectError, Workload
from workload_map.engine.view import Problem
from workload_map.source.errors import NotFoundError
from workload_map.source.kinds import GroupKind
from workload_map.source.objects import Object, group_kind, name_of
from workload_map.source.protocol import Question, Source, Unread
from workload_map.source.selection import Filters, covered
from workload_map.source.wanted import Wanted


class Followed(msgspec.Struct, frozen=True):
    """A workload at a moment: its object and its view."""

    value: Object
    view: Workload


class Moment(msgspec.Struct, frozen=True):
    """What was asked for, after something has changed: if none of it, then what the source warns of.

    Attributes:
        current: All of it.
        changed: Those whose view is new or another one than a moment ago.
        gone: Those that are no longer there, as they were.
    """

    current: list[Followed]
    changed: list[Followed]
    gone: list[Followed]


def follow(source: Source, definitions: DefinitionSet, wanted: Wanted, filters: Filters) -> Iterator[Moment]:
    """The moments of what the arguments and filters mean: first what is there, then each change, without end.

    Raises:
        NotFoundError: A named object is not there at the beginning.
        SourceError: It cannot be told whether it is, or nothing can be read of what is asked for.
    """
    question = Question(
        targets=wanted.targets,
        names=wanted.names,
        namespace=filters.namespace,
        labels=filters.labels.text,
        fields=filters.fields.text,
    )
    stream = source.follow(question, definitions)
    attributor = Attributor(definitions, pods_known=stream.pods_known)
    workloads: dict[str, Object] = {}
    known: dict[str, Followed] = {}
    warnings: list[Problem] = []
    for number, batch in enumerate(stream.batches):
        for change in batch:
            _take(change.value, attributor, workloads, definitions, deleted=change.deleted)
        now = {
            uid: Followed(value, view)
            for uid, value, view in _views(attributor, workloads, wanted)
            if filters.match(value)
        }
        if number == 0:
            _refuse_missing(wanted, now, filters, stream.unread)
        changed = [one for uid, one in now.items() if uid not in known or known[uid].view != one.view]
        gone = [one for uid, one in known.items() if uid not in now]
        known = now
        before, warnings = warnings, [*source.warnings]
        if number == 0 or changed or gone or warnings != before:
            yield Moment(list(now.values()), changed, gone)


def _take(
    value: Object,
    attributor: Attributor,
    workloads: dict[str, Object],
    definitions: DefinitionSet,
    *,
    deleted: bool,
) -> None:
    uid = value["metadata"].get("uid")
    try:
        if deleted:
            attributor.delete(value)
            workloads.pop(uid, None)
        else:
            attributor.put(value)
            if covered(value, definitions):
                workloads[uid] = value
    except ObjectError:
        return  # an API server tells no object without a name and a UID


def _views(
    attributor: Attributor, workloads: dict[str, Object], wanted: Wanted
) -> Iterator[tuple[str, Object, Workload]]:
    if not wanted.targets:
        for view in attributor.views():
            if view.uid in workloads:
                yield view.uid, workloads[view.uid], view
        return
    kinds = {target.kind for target in wanted.targets}
    names = {(target.kind, name) for target, name in wanted.names}
    for uid, value in workloads.items():
        kind = group_kind(value)
        if kind not in kinds or (names and (kind, name_of(value)) not in names):
            continue
        found = attributor.view(uid)
        if found is not None:
            yield uid, value, found


def _refuse_missing(
    wanted: Wanted, now: dict[str, Followed], filters: Filters, unread: Mapping[GroupKind, Unread]
) -> None:
    if not wanted.names and unread:
        raise next(iter(unread.values())).error
    there = {(group_kind(one.value), name_of(one.value)) for one in now.values()}
    for target, name in wanted.names:
        if (target.kind, name) in there:
            continue
        if target.kind in unread:  # that it is not there nobody can tell
            raise unread[target.kind].error
        raise NotFoundError(
            f"there is no {target.kind.kind} {name!r}",
            location=f"namespace {filters.namespace}" if filters.namespace else None,
        )
