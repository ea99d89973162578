"""From documents to objects: lists and watch events are taken apart, what is no object is said."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, NamedTuple

from workload_map.documents import Document, DocumentError, read
from workload_map.engine.view import Problem
from workload_map.source.blobs import Blob
from workload_map.source.kinds import GroupKind

Object = dict[str, Any]

_EVENT_TYPES = frozenset({"ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR"})


class Found(NamedTuple):
    """An object as it was read; `deleted` says that a watch saw it go."""

    value: Object
    deleted: bool = False


def group_kind(value: Object) -> GroupKind:
    """The kind of an object whatever its version."""
    return _group_kind(value["apiVersion"], value["kind"])


@lru_cache(maxsize=1024)
def _group_kind(api_version: str, kind: str) -> GroupKind:
    group, slash, _ = api_version.partition("/")
    return GroupKind(group if slash else "", kind)


def name_of(value: Object) -> str:
    """The name of an object; of a manifest that leaves it to the API server, what it will begin with."""
    metadata = value["metadata"]
    name: str = metadata.get("name") or metadata["generateName"]
    return name


def full_name_of(value: Object) -> str:
    """What to call an object in a message: `Pod research/train-0`."""
    namespace, name = value["metadata"].get("namespace"), name_of(value)
    return f"{value['kind']} {namespace}/{name}" if namespace else f"{value['kind']} {name}"


def labels_of(value: Object) -> dict[str, str]:
    """The labels of an object; none of those that are not as the API has them."""
    labels = value["metadata"].get("labels")
    if not isinstance(labels, dict):
        return {}
    return {key: label for key, label in labels.items() if isinstance(label, str)}


def in_namespace(value: Object, namespace: str | None) -> bool:
    """Whether an object is seen from a namespace: its own objects, and those that have none."""
    return namespace is None or (value["metadata"].get("namespace") or namespace) == namespace


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


def read_objects(blob: Blob) -> Iterator[Found | Problem]:
    """All objects of one file, in order; what is none comes as a problem in its place."""
    empty = True
    for document in read(blob.data, blob.name):
        empty = False
        if isinstance(document, DocumentError):
            yield Problem(code=document.code, location=document.location, message=_with_hint(document))
        else:
            yield from _objects(document.value, _place(document), None)
    if empty:
        yield Problem(code="empty-file", location=blob.name, message="the file holds no document")


def _with_hint(error: DocumentError) -> str:
    return f"{error.message}; {error.hint}" if error.hint else error.message


def _place(document: Document) -> str:
    return f"{document.file}, document {document.index}"


def _objects(value: object, place: str, parent: Object | None) -> Iterator[Found | Problem]:
    """The objects in one value; `parent` is the list that holds it, whose items may leave their kind out."""
    if isinstance(value, list):
        yield from _items(value, place, None)
    elif not isinstance(value, dict):
        yield Problem(
            code="not-an-object", location=place, message=f"{_shape(value)}, not a Kubernetes object"
        )
    elif _is_event(value):
        yield from _event(value, place)
    elif _is_list(value):
        items = value["items"]
        if isinstance(items, list):
            yield from _items(items, place, value)
        elif items is not None:
            message = f"`items` is {_shape(items)}, not a list"
            yield Problem(code="not-an-object", location=place, message=message)
    else:
        yield _object(value, place, parent)


def _items(items: list[Any], place: str, parent: Object | None) -> Iterator[Found | Problem]:
    for number, item in enumerate(items):
        # The common case first: a whole object, which needs no name for its place.
        if isinstance(item, dict) and "items" not in item and "object" not in item:
            yield _object(item, place, parent, number)
        else:
            yield from _objects(item, f"{place}, item {number + 1}", parent)


def _is_list(value: Object) -> bool:
    kind = value.get("kind")
    return "items" in value and isinstance(kind, str) and kind.endswith("List")


def _is_event(value: Object) -> bool:
    return "object" in value and value.get("type") in _EVENT_TYPES and "kind" not in value


def _event(event: Object, place: str) -> Iterator[Found | Problem]:
    if event["type"] == "BOOKMARK":
        return
    for found in _objects(event["object"], place, None):
        yield found._replace(deleted=event["type"] == "DELETED") if isinstance(found, Found) else found


def _object(value: Object, place: str, parent: Object | None, number: int | None = None) -> Found | Problem:
    if parent is not None and "kind" not in value:
        _inherit_kind(value, parent)
    problem = _fault(value)
    if problem is not None:
        if number is not None:
            place = f"{place}, item {number + 1}"
        return Problem(code=problem[0], location=place, message=problem[1])
    value["metadata"].pop("managedFields", None)
    return Found(value)


def _inherit_kind(value: Object, parent: Object) -> None:
    """Items of a typed list, as the API server sends it, say neither kind nor version: the list does."""
    kind = parent["kind"].removesuffix("List")
    if kind:
        value["kind"] = kind
        value.setdefault("apiVersion", parent.get("apiVersion"))


def _fault(value: Object) -> tuple[str, str] | None:
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
        return "name-missing", f"the {kind} has no `metadata.name`"
    return None


def _shape(value: object) -> str:
    names = {str: "a string", bool: "a boolean", int: "a number", float: "a number", dict: "a mapping"}
    return "null" if value is None else names.get(type(value), "a list")
