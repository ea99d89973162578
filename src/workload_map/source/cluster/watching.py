"""Changes of a cluster: what a question is about, kept up to date until the reader stops.

Each list goes on as a watch where it ended. A watch that breaks or is ended by the server begins again where
it was; when that place is no longer kept, the list is read anew and what has gone meanwhile is told.
Bookmarks keep the place young. A stream on which nothing comes for longer than a bookmark takes is begun
again too: a connection may be dead without saying so.
"""

from __future__ import annotations

import queue
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import msgspec

from workload_map.engine.objects import text_of
from workload_map.engine.view import Problem
from workload_map.source.cluster.api import Api
from workload_map.source.cluster.discovery import path_of
from workload_map.source.cluster.errors import (
    UNREADABLE,
    AbsentError,
    ClusterError,
    ForbiddenError,
    GoneError,
    SilentError,
)
from workload_map.source.cluster.lists import METADATA_LIST, Scope, list_all, metadata_only, of_kind
from workload_map.source.cluster.parts import Part, Result
from workload_map.source.cluster.tasks import start
from workload_map.source.objects import Object, name_of, namespace_of
from workload_map.source.protocol import Change

_SETTLE = 0.1
_FIRST_DELAY, _LONGEST_DELAY = 0.5, 30.0
_LASTS = 300  # seconds, then the server ends a watch and it begins again


class _Event(msgspec.Struct, frozen=True):
    type: str
    object: dict[str, Any]


_Key = tuple[str | None, str]


class Changes:
    """The changes that follow on what was read.

    Args:
        api: Where they come from.
        tell: Told when a stream has to begin again because of an error.
    """

    def __init__(self, api: Api, tell: Callable[[Problem], None]) -> None:
        self._api = api
        self._tell = tell
        self._waiting: queue.SimpleQueue[Change | Exception] = queue.SimpleQueue()

    def follow(self, results: Sequence[Result]) -> None:
        """Follow what was read; each part goes on from the versions where its lists ended."""
        for result in results:
            for namespace, version in result.versions.items():
                scope = msgspec.structs.replace(result.part.scope, namespace=namespace)
                known = {
                    _key(value): value for value in result.objects if namespace in (None, namespace_of(value))
                }
                follower = _Follower(self._api, result.part, scope, known, self._waiting.put, self._tell)
                start(partial(_follow, follower, version, self._waiting))

    def batches(self) -> Iterator[list[Change]]:
        """What has changed, without end; raises what ends it."""
        while True:
            batch = [_next(self._waiting)]
            # What happens together is told together: a Job and its pods, say.
            until = time.monotonic() + _SETTLE
            while (left := until - time.monotonic()) > 0:
                try:
                    batch.append(_next(self._waiting, left))
                except queue.Empty:
                    break
            yield batch


def _follow(follower: _Follower, version: str, waiting: queue.SimpleQueue[Change | Exception]) -> None:
    try:
        follower.follow(version)
    except Exception as error:  # it is raised where the changes are awaited
        waiting.put(error)


def _next(waiting: queue.SimpleQueue[Change | Exception], timeout: float | None = None) -> Change:
    found = waiting.get(timeout=timeout)
    if isinstance(found, Exception):
        raise found
    return found


class _Follower:
    """Follows one kind in one namespace, or in all."""

    def __init__(
        self,
        api: Api,
        part: Part,
        scope: Scope,
        known: dict[_Key, Object],
        put: Callable[[Change], None],
        tell: Callable[[Problem], None],
    ) -> None:
        self._api = api
        self._part = part
        self._scope = scope
        self._known = known
        self._put = put
        self._tell = tell
        self._version = ""
        self._delay = _FIRST_DELAY

    def follow(self, version: str) -> None:
        """Tell changes from a version on, for as long as the user may and the connection is wanted."""
        self._version, self._delay = version, _FIRST_DELAY
        while not self._api.is_closed():
            try:
                if not self._version:
                    self._list_again()
                self._watch()
                time.sleep(_SETTLE)  # a server that ends each watch at once is not asked without end
            except SilentError:
                continue
            except GoneError:
                self._version = ""
            except (AbsentError, ForbiddenError) as error:
                self._tell(_broken(self._scope, error, "is no longer followed"))
                return
            except ClusterError as error:
                if self._api.is_closed():
                    return
                if self._delay > _FIRST_DELAY:  # one that breaks once and goes on is no news
                    self._tell(_broken(self._scope, error, f"is asked again in {self._delay:.0f} s"))
                time.sleep(self._delay)
                self._delay = min(self._delay * 2, _LONGEST_DELAY)

    def _watch(self) -> None:
        """Tell what comes, until the stream ends."""
        parameters: dict[str, str | int | None] = {
            "watch": "1",
            "allowWatchBookmarks": "true",
            "timeoutSeconds": _LASTS,
            "resourceVersion": self._version,
            "labelSelector": self._scope.labels,
            "fieldSelector": self._scope.fields,
        }
        path = path_of(self._scope.names, self._scope.namespace)
        accept = METADATA_LIST if self._part.decode is metadata_only else "application/json"
        with self._api.stream(path, parameters, accept) as lines:
            for line in lines:
                event = _event(line)
                if event.type == "ERROR":
                    raise _told(event.object)
                if event.type != "BOOKMARK":
                    self._take(of_kind(event.object, self._scope), deleted=event.type == "DELETED")
                self._version = _version(event.object)
                self._delay = _FIRST_DELAY

    def _list_again(self) -> None:
        listing = list_all(self._api, self._scope, self._part.decode)
        now = {_key(value): value for value in listing.objects}
        for key, value in list(self._known.items()):
            if key not in now:
                self._take(value, deleted=True)
        for value in now.values():
            self._take(value, deleted=False)
        self._version = listing.version

    def _take(self, value: Object, *, deleted: bool) -> None:
        if deleted:
            self._known.pop(_key(value), None)
        else:
            self._known[_key(value)] = value
        self._put(Change(value, deleted))


def _key(value: Object) -> _Key:
    return namespace_of(value), name_of(value)


def _event(line: bytes) -> _Event:
    try:
        return msgspec.json.decode(line, type=_Event)
    except UNREADABLE as error:
        raise ClusterError(f"a line of a watch cannot be read: {error}") from error


def _version(value: Object) -> str:
    """Where a watch goes on after an event; empty where that is not told."""
    metadata = value.get("metadata")
    return (text_of(metadata.get("resourceVersion")) or "") if isinstance(metadata, dict) else ""


def _told(status: Object) -> ClusterError:
    message = f"the API server ends the watch: {status.get('message')}"
    return GoneError(message) if status.get("code") == 410 else ClusterError(message)


def _broken(scope: Scope, error: ClusterError, what: str) -> Problem:
    return Problem(code="watch-broken", location=None, message=f"{scope.resource} {what}: {error.message}")
