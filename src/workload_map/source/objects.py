"""From documents to objects: lists and watch events are taken apart, what is no object is said."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, NamedTuple

from workload_map.documents import DocumentError, read
from workload_map.engine.view import Problem
from workload_map.source.blobs import Blob
from workload_map.source.kinds import GroupKind

Object = dict[str, Any]

_EVENT_TYPES = ("ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR")
# Lists of lists are a handful deep where tools nest them; deeper ones only serve to exhaust the stack.
_MOST_NESTED = 50
# A file with more than these says the same of everything in it; the rest is counted.
_MOST_PROBLEMS = 100


class Found(NamedTuple):
    """An object as it was read; `deleted` says that a watch saw it go."""

    value: Object
    deleted: bool


def group_kind(value: Object) -> GroupKind:
    """The kind of an object whatever its version."""
    return kind_named(value["apiVersion"], value["kind"])


@lru_cache(maxsize=1024)
def kind_named(api_version: str, kind: str) -> GroupKind:
    """A kind whatever its version."""
    group, slash, _ = api_version.partition("/")
    return GroupKind(group if slash else "", kind)


def name_of(value: Object) -> str:
    """The name of an object; of a manifest that leaves it to the API server, what it will begin with."""
    metadata = value["metadata"]
    name: str = metadata.get("name") or metadata["generateName"]
    return name


def namespace_of(value: Object) -> str | None:
    """The namespace of an object; None where it has none, or none that is a text."""
    namespace = value["metadata"].get("namespace")
    return namespace if isinstance(namespace, str) and namespace else None


def full_name_of(value: Object) -> str:
    """What to call an object in a message: `Pod research/train-0`."""
    namespace, name = namespace_of(value), name_of(value)
    return f"{value['kind']} {namespace}/{name}" if namespace else f"{value['kind']} {name}"


def labels_of(value: Object) -> dict[str, str]:
    """The labels of an object; none of those that are not as the API has them."""
    labels = value["metadata"].get("labels")
    if not isinstance(labels, dict):
        return {}
    return {key: label for key, label in labels.items() if isinstance(label, str)}


def in_namespace(value: Object, namespace: str | None) -> bool:
    """Whether an object is seen from a namespace: its own objects, and those that have none."""
    return namespace is None or (namespace_of(value) or namespace) == namespace


@contextmanager
def collector_paused() -> Iterator[None]:
    """Decoding makes millions of objects and no garbage; without the collector it takes half the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


class ObjectReader:
    """Takes objects out of files, one file after another.

    Args:
        strict: Refuse duplicate keys in JSON too, where looking for them takes longer than the decoding.

    Attributes:
        found: The objects, in the order in which they were read.
        problems: What was none, each in its place.
    """

    def __init__(self, *, strict: bool = False) -> None:
        self._strict = strict
        self.found: list[Found] = []
        self.problems: list[Problem] = []

    def read(self, blob: Blob) -> None:
        """Take all objects out of one file."""
        empty = True
        before = len(self.problems)
        for document in read(blob.data, blob.name, positions=self._strict):
            empty = False
            if isinstance(document, DocumentError):
                message = f"{document.message}; {document.hint}" if document.hint else document.message
                self.problem(document.code, document.location, message)
            else:
                self.take(document.value, f"{document.file}, document {document.index}")
        if empty:
            self.problem("empty-file", blob.name, "the file holds no document")
        self.shorten(before, blob.name)

    def take(self, value: object, place: str) -> None:
        """Take the objects out of one document, which stands at a place."""
        self._take(value, place)

    def problem(self, code: str, location: str | None, message: str) -> None:
        """Keep what the user should know."""
        self.problems.append(Problem(code=code, location=location, message=message))

    def take_item(self, value: object, place: str, parent: Object) -> None:
        """Take the objects out of one item of a list, which may tell its kind."""
        self._take(value, place, parent, depth=1)

    def shorten(self, before: int, name: str) -> None:
        """Count what one file has too much of, instead of telling it all.

        Args:
            before: How many problems there were before the file.
            name: The file.
        """
        self.problems[before:] = shortened(self.problems[before:], name)

    def _take(
        self,
        value: object,
        place: str,
        parent: Object | None = None,
        *,
        deleted: bool = False,
        depth: int = 0,
    ) -> None:
        """Take the objects out of one value.

        Args:
            value: An object, a list or a watch event.
            place: Where it stands.
            parent: The list that holds it and may tell its kind.
            deleted: Whether a watch saw it go.
            depth: In how many lists and events it stands.
        """
        if depth > _MOST_NESTED:
            self.problem("not-an-object", place, f"lists nested more than {_MOST_NESTED} levels deep")
        elif isinstance(value, list):
            self._take_items(value, place, None, deleted=deleted, depth=depth)
        elif not isinstance(value, dict):
            self.problem("not-an-object", place, f"{_shape(value)}, not a Kubernetes object")
        elif _is_event(value):
            if value["type"] != "BOOKMARK":
                self._take(value["object"], place, deleted=value["type"] == "DELETED", depth=depth + 1)
        elif not _is_list(value):
            self._take_object(value, place, parent, deleted=deleted)
        elif isinstance(value["items"], list):
            self._take_items(value["items"], place, value, deleted=deleted, depth=depth)
        elif value["items"] is not None:
            self.problem("not-an-object", place, f"`items` is {_shape(value['items'])}, not a list")

    def _take_items(
        self, items: list[Any], place: str, parent: Object | None, *, deleted: bool, depth: int
    ) -> None:
        for number, item in enumerate(items, 1):
            # Most items are plain good objects. For these no place is put into words, which costs more than
            # all the rest.
            if type(item) is dict and "items" not in item and "object" not in item and not fault_of(item):
                self._keep(item, deleted=deleted)
            else:
                self._take(item, f"{place}, item {number}", parent, deleted=deleted, depth=depth + 1)

    def _take_object(self, value: Object, place: str, parent: Object | None, *, deleted: bool) -> None:
        if parent is not None and "kind" not in value:
            _inherit_kind(value, parent)
        fault = fault_of(value)
        if fault is None:
            self._keep(value, deleted=deleted)
        else:
            self.problem(fault[0], place, fault[1])

    def _keep(self, value: Object, *, deleted: bool) -> None:
        value["metadata"].pop("managedFields", None)
        self.found.append(Found(value, deleted))


def shortened(problems: list[Problem], name: str) -> list[Problem]:
    """The first ones of the problems of one file, and how many more there are like these."""
    left_out = len(problems) - _MOST_PROBLEMS
    if left_out <= 1:
        return problems
    more = Problem(code="more-problems", location=name, message=f"{left_out} more problems like these")
    return [*problems[:_MOST_PROBLEMS], more]


class Named(NamedTuple):
    """A value as it was read, and what to call it in a message."""

    value: Any
    name: str


class ValueReader(ObjectReader):
    """Takes whatever values files hold: each document, but of lists and watch events what is in them.

    Attributes:
        values: The values, in the order in which they were read.
    """

    def __init__(self) -> None:
        super().__init__(strict=True)
        self.values: list[Named] = []

    def take(self, value: object, place: str) -> None:
        """Take the values out of one document; whether they are objects does not matter."""
        self.values.extend(_values(value, place, 0))


def _values(value: Any, place: str, depth: int) -> Iterator[Named]:
    within = isinstance(value, dict) and depth <= _MOST_NESTED
    if within and _is_event(value):
        yield from _values(value["object"], place, depth + 1)
    elif within and _is_list(value) and isinstance(value["items"], list):
        for number, item in enumerate(value["items"], 1):
            yield from _values(item, f"{place}, item {number}", depth + 1)
    else:
        is_object = isinstance(value, dict) and fault_of(value) is None
        yield Named(value, full_name_of(value) if is_object else place)


def _is_list(value: Object) -> bool:
    kind = value.get("kind")
    return "items" in value and isinstance(kind, str) and kind.endswith("List")


def _is_event(value: Object) -> bool:
    return "object" in value and value.get("type") in _EVENT_TYPES and "kind" not in value


def _inherit_kind(value: Object, parent: Object) -> None:
    """Items of a typed list, as the API server sends it, say neither kind nor version: the list does."""
    kind = parent["kind"].removesuffix("List")
    if kind:
        value["kind"] = kind
        value.setdefault("apiVersion", parent.get("apiVersion"))


def fault_of(value: Object) -> tuple[str, str] | None:
    """Why a JSON object is no Kubernetes object: the code of a problem and its message; None if it is one."""
    kind = value.get("kind")
    if not isinstance(kind, str) or not kind:
        return "kind-missing", "the object has no `kind`"
    if kind == "Status" and value.get("status") == "Failure":
        return "server-error", f"an error of the API server instead of objects: {value.get('message')}"
    api_version = value.get("apiVersion")
    if not isinstance(api_version, str) or not api_version:
        return "api-version-missing", f"the {kind} has no `apiVersion`"
    metadata = value.get("metadata")
    name = metadata.get("name") or metadata.get("generateName") if isinstance(metadata, dict) else None
    if not isinstance(name, str) or not name:
        if kind.endswith("List"):
            return "not-an-object", f"the {kind} has no `items`"
        return "name-missing", f"the {kind} has no `metadata.name`"
    return None


def _shape(value: object) -> str:
    names = {str: "a string", bool: "a boolean", int: "a number", float: "a number", dict: "a mapping"}
    return "null" if value is None else names.get(type(value), "a list")
