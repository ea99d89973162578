"""Follows everything that belongs to one life, by watch events, and keeps each change."""

from __future__ import annotations

import copy
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from tests.cluster.client import ApiError, Client, Object
from tests.cluster.record.scenario import ScenarioError

State = dict[str, Any]
"""What a frame holds: `object`, and `pods` and `related` by name."""


class Change(NamedTuple):
    """An object as it became, or as it last was if it is `gone`.

    Versions of one server grow across all kinds, so that they put changes of several watches in order.
    """

    version: int
    gone: bool
    object: Object


def new_state() -> State:
    """The state before anything is there."""
    return {"object": None, "pods": {}, "related": {}}


def update(state: State, change: Change, root: tuple[str, str]) -> None:
    """Bring a state up to date with a change; `root` is kind and name of the object."""
    kind, name = change.object["kind"], change.object["metadata"]["name"]
    after = None if change.gone else change.object
    if (kind, name) == root:
        state["object"] = after
        return
    group, key = ("pods", name) if kind == "Pod" else ("related", f"{kind}/{name}")
    if after is None:
        state[group].pop(key, None)
    else:
        state[group][key] = after


class Observer:
    """Watches collections from now on until `stop`; `root` is kind and name of the object."""

    def __init__(self, client: Client, collections: Iterable[str], root: tuple[str, str]):
        self._root = root
        self._changes: list[Change] = []
        self._state = new_state()
        self._changed = threading.Condition()
        self._last_change = time.monotonic()
        self._stopped = False
        self._error: Exception | None = None
        for collection in collections:
            since = client.get(collection)["metadata"]["resourceVersion"]
            arguments = (client, collection, since)
            threading.Thread(target=self._follow, args=arguments, daemon=True).start()

    def version(self) -> int:
        """The version of the newest change; 0 before the first."""
        with self._changed:
            return max((change.version for change in self._changes), default=0)

    def stop(self) -> list[Change]:
        """All changes so far, in their order; those to come are dropped."""
        with self._changed:
            self._stopped = True
            return sorted(self._changes, key=lambda change: change.version)

    def wait(self, holds: Callable[[State], bool], seconds: float) -> bool:
        """Whether a state came in time of which it holds; each is looked at as it comes.

        Raises:
            ScenarioError: a watch ended.
        """
        with self._changed:
            return self._changed.wait_for(lambda: holds(self._newest()), seconds)

    def settle(self, quiet: float, seconds: float) -> bool:
        """Whether nothing changed for `quiet` seconds from now on, before `seconds` were over."""
        start = time.monotonic()
        with self._changed:
            while (rest := max(start, self._last_change) + quiet - time.monotonic()) > 0:
                if time.monotonic() > start + seconds:
                    return False
                self._changed.wait(rest)
        return True

    def newest(self) -> State:
        """The newest state.

        Raises:
            ScenarioError: a watch ended.
        """
        with self._changed:
            return copy.deepcopy(self._newest())

    def _newest(self) -> State:
        if self._error is not None:
            raise ScenarioError(f"a watch ended: {self._error}")
        return self._state

    def _follow(self, client: Client, collection: str, since: str) -> None:
        try:
            while not self._stopped:
                for event in client.events(collection, since, 60):
                    since = event["object"]["metadata"]["resourceVersion"]
                    self._keep(event)
        except (ApiError, OSError, ValueError) as error:
            with self._changed:
                self._error = error
                self._changed.notify_all()

    def _keep(self, event: Mapping[str, Any]) -> None:
        version = int(event["object"]["metadata"]["resourceVersion"])
        with self._changed:
            change = Change(version, event["type"] == "DELETED", event["object"])
            self._changes.append(change)
            update(self._state, change, self._root)
            self._last_change = time.monotonic()
            self._changed.notify_all()
