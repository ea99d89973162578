"""Makes what differs from run to run the same in each, so that two recordings of a scenario can be compared.

- names with a suffix by chance or by the clock are numbered, in the order in which the objects were made
- UIDs follow from kind and name; nodes are numbered as they are met; every IPv4 address is `10.0.0.1`
- a time is a minute for each step that changed something, and a second for each change of its object
- versions, managed fields, members that are null, and the volume of a pod's token go
- conditions and the roles in a JobSet's status are sorted, since their order is by chance and means nothing
"""

from __future__ import annotations

import json
import re
import uuid
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.cluster.client import Object
from tests.cluster.record.observing import Change, State

_DROPPED = {"managedFields", "resourceVersion"}
_UNORDERED = {"conditions": "type", "replicatedJobsStatus": "name"}
_BY_CHANCE = "[bcdfghjklmnpqrstvwxz2456789]{5}"  # the letters that the API server draws from
_UID = re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b")
_NODE = re.compile(r"(?<![\w-])node-\d+(?![\w-])")  # alone: a role may be called `node`, too
_ADDRESS = re.compile(r"\b(?:\d{1,3}\.){3}\d{1,3}\b")
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z")
_MOUNTED = "kube-api-access-"
_START = datetime(2026, 1, 1, tzinfo=UTC)


class Nodes:
    """Numbers nodes as they are met: which one the scheduler takes is by chance."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def renumbered(self, text: str) -> str:
        """The text with the new names of all nodes in it."""
        return _NODE.sub(lambda found: self._names.setdefault(found[0], f"node-{len(self._names) + 1}"), text)


def numbered(_: str, number: int) -> str:
    """What stands for a suffix by chance: which one it is of those with the same stem."""
    return f"{number:05}"


def without_chance(changes: list[Change], suffix: Callable[[str, int], str] = numbered) -> list[Change]:
    """The same changes without what is by chance; times stay.

    `suffix` makes the end of a name from its stem and its number among those with that stem.
    """
    names = _names(changes, suffix)
    replaced = names | _told_by_ray_jobs(changes, names) | _uids(changes, names)
    nodes = Nodes()
    words = re.compile("|".join(rf"\b{re.escape(one)}\b" for one in sorted(replaced, key=len, reverse=True)))

    def stable(obj: Object) -> Object:
        text = json.dumps(_clean(obj))
        text = words.sub(lambda found: replaced[found[0]], text)
        made: Object = json.loads(_ADDRESS.sub("10.0.0.1", nodes.renumbered(text)))
        return made

    return [change._replace(object=stable(change.object)) for change in changes]


def without_times(value: Any) -> Any:
    """The value with every time the same, to tell whether anything else changed."""
    return json.loads(TIME.sub("", json.dumps(value)))


def with_counted_times(frames: list[tuple[int, State]]) -> list[State]:
    """The frames with their times counted: by the step that goes with each, and the changes of each object.

    Not by the frame, since what happens to different objects at once comes in any order.
    """
    clocks: dict[str, _Clock] = {}

    def counted(name: str, step: int, obj: Object | None) -> Object | None:
        return None if obj is None else clocks.setdefault(name, _Clock()).counted(step, obj)

    return [
        {
            "object": counted("", step, frame["object"]),
            "pods": {name: counted(f"Pod/{name}", step, one) for name, one in frame["pods"].items()},
            "related": {name: counted(name, step, one) for name, one in frame["related"].items()},
        }
        for step, frame in frames
    ]


class _Clock:
    """Counts the times of one object: one that is new in its place is now."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, ...], tuple[str, str]] = {}
        self._changes = -1
        self._before: Any = None

    def counted(self, step: int, obj: Object) -> Object:
        visible = without_times(obj)
        if visible != self._before:
            self._changes += 1
            self._before = visible
        now = (_START + timedelta(minutes=step, seconds=self._changes)).strftime("%Y-%m-%dT%H:%M:%SZ")
        made: Object = self._stamped(obj, now, ())
        return made

    def _stamped(self, value: Any, now: str, place: tuple[str, ...]) -> Any:
        if isinstance(value, dict):
            return {key: self._stamped(one, now, (*place, key)) for key, one in value.items()}
        if isinstance(value, list):
            return [self._stamped(one, now, (*place, _element(one, at))) for at, one in enumerate(value)]
        if not (isinstance(value, str) and TIME.fullmatch(value)):
            return value
        if self._known.get(place, ("", ""))[0] != value:
            self._known[place] = (value, now)
        return self._known[place][1]


def _element(value: Any, at: int) -> str:
    """What tells an element of a list from the others when the list changes."""
    if isinstance(value, dict):
        return str(value.get("type") or value.get("name") or at)
    return str(at)


def _clean(value: Any) -> Any:
    if isinstance(value, list):
        return [_clean(one) for one in value if not _is_mounted_account(one)]
    if not isinstance(value, dict):
        return value
    cleaned = {key: _clean(one) for key, one in value.items() if key not in _DROPPED and one is not None}
    for key, by in _UNORDERED.items():
        if isinstance(cleaned.get(key), list):
            cleaned[key] = sorted(cleaned[key], key=lambda one: str(one.get(by)))
    return cleaned


def _is_mounted_account(value: Any) -> bool:
    # The volume, or the mount of it, that every pod gets, with a name by chance.
    return isinstance(value, dict) and str(value.get("name", "")).startswith(_MOUNTED)


def _names(changes: list[Change], suffix: Callable[[str, int], str]) -> dict[str, str]:
    """A stable name for each that is not."""
    names: dict[str, str] = {}
    count: Counter[str] = Counter()
    for obj in _first_of_each(changes):
        name = obj["metadata"]["name"]
        prefix = _fixed_part(obj)
        if prefix is not None and name not in names:
            stem = _renamed(prefix.removesuffix("-"), names)
            count[stem] += 1
            names[name] = f"{stem}-{suffix(stem, count[stem])}"
    return names


def _renamed(text: str, names: dict[str, str]) -> str:
    """The text with the name that it begins with, that of an owner mostly, made stable."""
    for name, stable in names.items():
        if f"{text}-".startswith(f"{name}-"):
            return stable + text.removeprefix(name)
    return text


def _fixed_part(obj: Object) -> str | None:
    """What of a name is the same in each run, if not all of it is."""
    metadata = obj["metadata"]
    name: str = metadata["name"]
    prefix = metadata.get("generateName")
    # Pods of a StatefulSet have a prefix, too, and an ordinal behind it; a long one is cut to make room.
    if prefix and re.fullmatch(_BY_CHANCE, name[-5:]) and prefix.startswith(name[:-5]):
        return name[:-5]
    for owner in metadata.get("ownerReferences") or []:
        # KubeRay draws a name itself; CronJob numbers by minutes; Kueue hashes the UID.
        drawn = rf"({re.escape(owner['name'])}-){_BY_CHANCE}"
        minutes = rf"({re.escape(owner['name'])}-)\d{{8}}"
        hashed = rf"({owner['kind'].lower()}-{re.escape(owner['name'])}-)[0-9a-f]{{5}}"
        found = re.fullmatch(f"{drawn}|{minutes}|{hashed}", name)
        if found:
            return next(one for one in found.groups() if one)
    return None


def _told_by_ray_jobs(changes: list[Change], names: dict[str, str]) -> dict[str, str]:
    """A stable name for each that a RayJob drew and no object has: its job, a cluster that it never made."""
    told: dict[str, str] = {}
    for change in changes:
        name, status = change.object["metadata"]["name"], change.object.get("status") or {}
        for key, what in (("jobId", "job"), ("rayClusterName", "cluster")):
            drawn = status.get(key) or ""
            if drawn not in names | told and re.fullmatch(rf"{re.escape(name)}-{_BY_CHANCE}", drawn):
                told[drawn] = f"{name}-{what}-{len(told) + 1:05}"
    return told


def _uids(changes: list[Change], names: dict[str, str]) -> dict[str, str]:
    """A stable UID for each; those of objects that were not recorded are numbered."""
    uids: dict[str, str] = {}
    count: Counter[str] = Counter()

    def add(uid: str, what: str) -> None:
        count[what] += 1
        uids[uid] = str(uuid.uuid5(uuid.NAMESPACE_OID, f"{what} {count[what]}"))

    for obj in _first_of_each(changes):
        name = obj["metadata"]["name"]
        add(obj["metadata"]["uid"], f"{obj['kind']} {names.get(name, name)}")
    for change in changes:
        for uid in _UID.findall(json.dumps(_clean(change.object))):
            if uid not in uids:
                add(uid, "other")
    return uids


def _first_of_each(changes: list[Change]) -> list[Object]:
    """Every object as it was first seen, in the order in which they were made."""
    seen: dict[str, Object] = {}
    for change in changes:
        seen.setdefault(change.object["metadata"]["uid"], change.object)
    return list(seen.values())
