"""Lists of objects, page by page, each page decoded into what is kept of it before the next one is read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

import msgspec

from workload_map.definition.kind_names import KindNames
from workload_map.source.cluster.api import Api
from workload_map.source.cluster.discovery import path_of
from workload_map.source.cluster.errors import UNREADABLE, ClusterError, GoneError
from workload_map.source.objects import Object

METADATA_LIST = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json"
_METADATA = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json"
# So often a list that grew too old between two pages is begun again; then it is asked for in one piece.
_RESTARTS = 2

_Item = TypeVar("_Item")
_Decoded = TypeVar("_Decoded")


class _ListMetadata(msgspec.Struct, frozen=True, rename="camel"):
    resource_version: str = ""
    continue_: str = msgspec.field(name="continue", default="")


class Page(msgspec.Struct, Generic[_Item], frozen=True):
    """A page of a list; what else a list holds is passed over.

    Its items are always told, if as null: an answer without them is no list, and not an empty one.
    """

    items: list[_Item] | None
    metadata: _ListMetadata = _ListMetadata()


class _Bare(msgspec.Struct, frozen=True):
    """An object of which only the metadata is kept."""

    metadata: dict[str, Any]


class Listing(msgspec.Struct, frozen=True):
    """All objects of a kind.

    Attributes:
        objects: The objects, each with its kind.
        version: The resource version of the list, where a watch goes on.
    """

    objects: list[Object]
    version: str


Decode = Callable[[bytes], Page[Any]]
"""From the bytes of a page to its items, each a plain object."""


class Scope(msgspec.Struct, frozen=True, kw_only=True):
    """Which objects of a kind are listed.

    Attributes:
        names: The kind, in the version to ask for.
        namespace: The namespace; None: all.
        labels: A label selector, or empty.
        fields: A field selector, or empty.
    """

    names: KindNames
    namespace: str | None = None
    labels: str = ""
    fields: str = ""

    @property
    def resource(self) -> str:
        """The kind as kubectl's messages name it: `jobs.batch`."""
        return f"{self.names.plural}.{self.names.group}" if self.names.group else self.names.plural


_whole: Decode = msgspec.json.Decoder(Page[dict[str, Any]]).decode
_bare = msgspec.json.Decoder(Page[_Bare])
_object: Callable[[bytes], Object] = msgspec.json.Decoder(dict[str, Any]).decode


def whole(data: bytes) -> Page[Any]:
    """The objects as they are; what servers keep of who changed which field is dropped."""
    return _whole(data)


def metadata_only(data: bytes) -> Page[Any]:
    """Of each object its metadata alone, also where a server sends more."""
    page = _bare.decode(data)
    return Page([{"metadata": item.metadata} for item in page.items or ()], page.metadata)


def list_all(api: Api, scope: Scope, decode: Decode = whole, *, chunk: int = 500) -> Listing:
    """All objects of a scope.

    Args:
        api: Where they are.
        scope: Which ones.
        decode: What is kept of them; with `metadata_only` the server is asked for no more than that.
        chunk: How many objects a page may have; 0: all in one.

    Raises:
        ClusterError: A page cannot be read.
    """
    for attempt in range(_RESTARTS + 1):
        try:
            return _list(api, scope, decode, chunk if attempt < _RESTARTS else 0)
        except GoneError:
            if attempt == _RESTARTS:
                raise
    raise AssertionError  # the last attempt returns or raises


def _list(api: Api, scope: Scope, decode: Decode, chunk: int) -> Listing:
    path = path_of(scope.names, scope.namespace)
    accept = METADATA_LIST if decode is metadata_only else "application/json"
    objects: list[Object] = []
    token = ""
    followed: set[str] = set()
    while True:
        parameters = {
            "limit": chunk or None,
            "continue": token,
            "labelSelector": scope.labels,
            "fieldSelector": scope.fields,
        }
        page = _decoded(api.get(path, parameters, accept=accept), decode, scope)
        objects += [of_kind(item, scope) for item in page.items or ()]
        token = page.metadata.continue_
        if not token:
            return Listing(objects, page.metadata.resource_version)
        if token in followed:
            raise _no_object("its pages lead back to one before", scope)
        followed.add(token)


def get_one(api: Api, names: KindNames, namespace: str | None, name: str, *, bare: bool = False) -> Object:
    """One object by its name.

    Args:
        api: Where it is.
        names: Its kind, in the version to ask for.
        namespace: Its namespace.
        name: Its name.
        bare: Without anything but its metadata.

    Raises:
        AbsentError: There is none.
        ClusterError: It cannot be read.
    """
    scope = Scope(names=names, namespace=namespace)
    data = api.get(path_of(names, namespace, name), accept=_METADATA if bare else "application/json")
    value = _decoded(data, _object, scope)
    return of_kind({"metadata": value.get("metadata") or {}} if bare else value, scope)


def _decoded(data: bytes, decode: Callable[[bytes], _Decoded], scope: Scope) -> _Decoded:
    try:
        return decode(data)
    except UNREADABLE as error:
        raise _no_object(error, scope) from error


def _no_object(why: object, scope: Scope) -> ClusterError:
    return ClusterError(f"the API server's answer for {scope.resource} cannot be read: {why}")


def of_kind(item: Object, scope: Scope) -> Object:
    """An item as the object that it is: lists tell its kind once, and bare metadata has another.

    Raises:
        ClusterError: It has no name, or none that is a text, or its UID is none; API servers give each both.
    """
    metadata = item.get("metadata")
    name, uid = (metadata.get("name"), metadata.get("uid")) if isinstance(metadata, dict) else (None, None)
    if metadata is None or not name or not isinstance(name, str):
        raise _no_object("it holds an object without a name", scope)
    if uid is not None and not isinstance(uid, str):
        raise _no_object("it holds an object with a UID that is no text", scope)
    metadata.pop("managedFields", None)
    item["apiVersion"] = scope.names.api_version
    item["kind"] = scope.names.kind
    return item
