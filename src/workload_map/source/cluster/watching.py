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
from typing import Any, NamedTuple

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
    UnreachableError,
)
from workload_map.source.cluster.lists import METADATA_LIST, Scope, list_all, metadata_only, of_kind
from workload_map.source.cluster.parts import Part, Result
from workload_map.source.cluster.tasks import start
from workload_map.source.cluster.troubles import Refusals, Troubles
from workload_map.source.objects import Object, name_of, namespace_of
from workload_map.source.protocol import Change

_SETTLE = 0.1
_FIRST_DELAY, _LONGEST_DELAY = 0.5, 30.0
_STEADY = 5.0  # seconds; a stream that was open for so long was none that breaks at once
_LASTS = 300  # seconds, then the server ends a watch and it begins again


class _Event(msgspec.Struct, frozen=True):
    type: str
    object: dict[str, Any]


_Key = tuple[str | None, str]


class Changes:
    """The changes that follow on what was read.

    Args:
        api: Where they come from.
        tell: Told which kind is followed no longer.
    """

    def __init__(self, api: Api, tell: Callable[[Problem], None]) -> None:
        self._api = api
        self._waiting: queue.SimpleQueue[Change | Exception | None] = queue.SimpleQueue()
        self._troubles = Troubles(self._wake)
        self._refusals = Refusals(self._end, self._waiting.put)
        self._tell = tell

    def follow(self, results: Sequence[Result]) -> None:
        """Follow what was read; each part goes on from the versions where its lists ended."""
        outlet = _Outlet(self._waiting.put, self._troubles, self._refusals)
        begun: list[Callable[[], None]] = []
        for result in results:
            for namespace, version in result.versions.items():
                scope = msgspec.structs.replace(result.part.scope, namespace=namespace)
                known = {
                    _key(value): value for value in result.objects if namespace in (None, namespace_of(value))
                }
                if result.part.asked:
                    self._refusals.expect()
                follower = _Follower(self._api, result.part, scope, known, outlet)
                begun.append(partial(_follow, follower, version, self._waiting))
        for stream in begun:
            start(stream)

    def troubles(self) -> list[Problem]:
        """What stands in the way now."""
        return self._troubles.problems()

    def batches(self) -> Iterator[list[Change]]:
        """What has changed, without end; also nothing, where it is only the troubles. Raises what ends it."""
        while True:
            found = [_next(self._waiting)]
            # What happens together is told together: a Job and its pods, say.
            until = time.monotonic() + _SETTLE
            while (left := until - time.monotonic()) > 0:
                try:
                    found.append(_next(self._waiting, left))
                except queue.Empty:
                    break
            yield [change for change in found if change is not None]

    def _wake(self) -> None:
        self._waiting.put(None)

    def _end(self, problem: Problem) -> None:
        self._tell(problem)
        self._wake()


def _follow(follower: _Follower, version: str, waiting: queue.SimpleQueue[Change | Exception | None]) -> None:
    try:
        follower.follow(version)
    except Exception as error:  # it is raised where the changes are awaited
        waiting.put(error)


def _next(
    waiting: queue.SimpleQueue[Change | Exception | None], timeout: float | None = None
) -> Change | None:
    found = waiting.get(timeout=timeout)
    if isinstance(found, Exception):
        raise found
    return found


class _Outlet(NamedTuple):
    """Where streams tell what they hear, and what they do not."""

    put: Callable[[Change], None]
    troubles: Troubles
    refusals: Refusals


class _Follower:
    """Follows one kind in one namespace, or in all."""

    def __init__(
        self,
        api: Api,
        part: Part,
        scope: Scope,
        known: dict[_Key, Object],
        outlet: _Outlet,
    ) -> None:
        self._api = api
        self._part = part
        self._scope = scope
        self._known = known
        self._put, self._troubles, self._refusals = outlet
        self._version = ""
        self._delay = _FIRST_DELAY
        self._failures = 0
        self._opened_at: float | None = None
        """When the stream was opened that is tried now; None if it has not been."""

    def follow(self, version: str) -> None:
        """Tell changes from a version on, for as long as the user may and the connection is wanted."""
        self._version = version
        while not self._api.is_closed():
            was_opened = self._begin()
            try:
                if not self._version:
                    self._list_again()
                self._watch(after_one=was_opened)
                time.sleep(_SETTLE)  # a server that ends each watch at once is not asked without end
            except GoneError:
                self._version = ""
            except (AbsentError, ForbiddenError) as error:
                self._troubles.end(self)
                self._refusals.refused(self._scope, error, asked=self._part.asked)
                return
            except ClusterError as error:
                if self._api.is_closed():
                    return
                if isinstance(error, SilentError) and self._opened_at is not None:
                    continue
                self._fail(error)

    def _begin(self) -> bool:
        """Begin anew; gives whether a stream was open right before."""
        was_opened, self._opened_at = self._opened_at is not None, None
        return was_opened

    def _fail(self, error: ClusterError) -> None:
        """Wait before it is tried again; a connection that breaks is no trouble if it can be made again."""
        if self._opened_at is not None and time.monotonic() - self._opened_at > _STEADY:
            self._heard()
        self._failures += 1
        if self._failures > 1 or not isinstance(error, UnreachableError):
            self._troubles.begin(self, error)
        time.sleep(self._delay)
        self._delay = min(self._delay * 2, _LONGEST_DELAY)

    def _heard(self) -> None:
        """The server answers as it should."""
        self._failures, self._delay = 0, _FIRST_DELAY
        self._troubles.end(self)

    def _open(self, *, after_one: bool) -> None:
        """A stream has been opened: that mends what stood in its way, not what was wrong in one before."""
        if not after_one:
            self._heard()
        self._opened_at = time.monotonic()
        if self._part.asked:
            self._refusals.opened()

    def _watch(self, *, after_one: bool) -> None:
        """Tell what comes, until the stream ends; `after_one`: whether one was open right before."""
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
            self._open(after_one=after_one)
            for line in lines:
                event = _event(line)
                if event.type == "ERROR":
                    raise _told(event.object)
                if event.type != "BOOKMARK":
                    self._take(of_kind(event.object, self._scope), deleted=event.type == "DELETED")
                self._version = _version(event.object)
                self._heard()

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
