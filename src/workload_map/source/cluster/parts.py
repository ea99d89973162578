"""The parts of an answer: a list or a single object each, with what stood in the way of reading it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from workload_map.source.cluster.api import Api
from workload_map.source.cluster.errors import AbsentError, ClusterError, ForbiddenError
from workload_map.source.cluster.lists import Decode, Listing, Scope, get_one, list_all, whole
from workload_map.source.cluster.rights import Rights
from workload_map.source.objects import Object

# With more namespaces than these, trying each one would be a burden to the server.
_MOST_NAMESPACES = 100


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """Something to be read.

    Attributes:
        scope: Which objects.
        name: The name of one of them; None: all.
        decode: What is kept of each.
        asked: Whether it is what the user asked for, and not only what goes with it.
        quiet: Whether it may be needed by nothing, so that nobody wants to hear why it cannot be read.
    """

    scope: Scope
    name: str | None = None
    decode: Decode = whole
    asked: bool = False
    quiet: bool = False


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """What was read of a part.

    Attributes:
        part: What was to be read.
        objects: What there is of it.
        versions: Where a watch goes on, by namespace; None: all of them.
        errors: Why some of it could not be read, but for `refused`.
        refused: The namespaces in which it may not be read, where it may be in others.
        denied: Whether nothing of it could be read; `errors` tells why.
    """

    part: Part
    objects: Sequence[Object] = ()
    versions: dict[str | None, str] = {}
    errors: Sequence[ClusterError] = ()
    refused: Sequence[str] = ()
    denied: bool = False


class Reader:
    """Reads parts. What the user may not read in all namespaces is read in those where it is allowed.

    Args:
        api: The API server.
        namespaces: The names of all namespaces, as far as the user may know them.
        chunk: How many objects a page may have.
    """

    def __init__(self, api: Api, namespaces: Callable[[], Sequence[str]], chunk: int) -> None:
        self._api = api
        self._namespaces = namespaces
        self._rights = Rights(api, namespaces)
        self._chunk = chunk

    def read(self, part: Part) -> Result:
        """Read a part; never raises for what the server says about it."""
        try:
            if part.name is not None and not _is_everywhere(part):
                return Result(part=part, objects=[self._one(part, part.name)])
            return _read(part, self._list(part, part.scope.namespace))
        except AbsentError:
            return Result(part=part)
        except ForbiddenError as error:
            return self._where_allowed(part, error)
        except ClusterError as error:
            return Result(part=part, errors=[error], denied=True)

    def _one(self, part: Part, name: str) -> Object:
        return get_one(self._api, part.scope.names, part.scope.namespace, name)

    def _list(self, part: Part, namespace: str | None) -> Listing:
        scope = msgspec.structs.replace(as_list(part).scope, namespace=namespace)
        return list_all(self._api, scope, part.decode, chunk=self._chunk)

    def _where_allowed(self, part: Part, error: ForbiddenError) -> Result:
        denied = Result(part=part, errors=[error], denied=True)
        if not _is_everywhere(part):
            return denied
        namespaces = self._namespaces()
        if not namespaces or len(namespaces) > _MOST_NAMESPACES:
            return denied
        objects: list[Object] = []
        errors: list[ClusterError] = []
        refused: list[str] = []
        versions: dict[str | None, str] = {}
        for namespace in namespaces:
            if not self._rights.may_list(namespace, part.scope.names, part.name):
                refused.append(namespace)
                continue
            try:
                listing = self._list(part, namespace)
            except ForbiddenError:
                refused.append(namespace)
            except ClusterError as failure:
                errors.append(failure)
            else:
                objects += listing.objects
                versions[namespace] = listing.version
        if not versions:
            return msgspec.structs.replace(denied, errors=[error, *errors])
        return Result(part=part, objects=objects, versions=versions, errors=errors, refused=refused)


def as_list(part: Part) -> Part:
    """The same as a list, also of what bears one name: a list can be asked of all namespaces, and watched."""
    if part.name is None:
        return part
    scope = msgspec.structs.replace(part.scope, fields=f"metadata.name={part.name}")
    return msgspec.structs.replace(part, scope=scope, name=None)


def _is_everywhere(part: Part) -> bool:
    return part.scope.names.namespaced and part.scope.namespace is None


def _read(part: Part, listing: Listing) -> Result:
    return Result(part=part, objects=listing.objects, versions={part.scope.namespace: listing.version})
