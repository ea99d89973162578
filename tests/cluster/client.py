"""Talks to an API server over plain HTTPS, with nothing of the project in between: what it reads is raw."""

from __future__ import annotations

import http.client
import json
import ssl
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlencode

Object = dict[str, Any]
_JSON = "application/json"
_BUSY_SECONDS = 0.2
_MANAGER = "workload-map-tests"


class ApiError(Exception):
    """The API server refused a request."""

    def __init__(self, code: int, reason: str, message: str):
        super().__init__(f"{code} {reason}: {message}")
        self.code = code
        self.reason = reason
        self.message = message


class WaitError(Exception):
    """What was waited for did not come in time; the text shows the last state."""


@dataclass
class Client:
    """Requests to one API server as one user, over a connection of their own each."""

    host: str
    port: int
    tls: ssl.SSLContext
    _resources: dict[str, dict[str, Object]] = field(default_factory=dict)

    def request(
        self,
        method: str,
        path: str,
        body: object = None,
        content_type: str = _JSON,
        seconds: float = 60,
    ) -> Any:
        """The decoded answer to one request, which is repeated while the server asks for time.

        Raises:
            ApiError: the server says no.
        """
        end = time.monotonic() + seconds
        while True:
            try:
                with _answer(self, method, path, body, content_type, seconds) as response:
                    answer: Any = json.loads(response.read())
                    return answer
            except ApiError as error:
                # Such as in the first second of a new kind.
                if error.code != http.client.TOO_MANY_REQUESTS or time.monotonic() > end:
                    raise
            time.sleep(_BUSY_SECONDS)

    def get(self, path: str) -> Any:
        """What lies at a path such as `/apis/apps/v1/namespaces/x/deployments/y`."""
        return self.request("GET", path)

    def server_is_ready(self) -> bool:
        """Whether the server is up and has what it starts with, such as the roles of the scheduler."""
        try:
            with _answer(self, "GET", "/readyz", None, _JSON, 5):
                return True
        except (OSError, ApiError):
            return False

    def collection(self, api_version: str, kind: str, namespace: str = "") -> str:
        """The path of all objects of a kind, in one namespace or in all of them.

        Raises:
            ApiError: the server does not know the kind.
        """
        resource = self._resource(api_version, kind)
        inside = f"/namespaces/{namespace}" if namespace and resource["namespaced"] else ""
        return f"{_root(api_version)}{inside}/{resource['name']}"

    def path(self, obj: Mapping[str, Any], namespace: str = "default") -> str:
        """Where an object lies, by apiVersion, kind, name and namespace; `namespace` if it names none."""
        metadata = obj["metadata"]
        collection = self.collection(obj["apiVersion"], obj["kind"], metadata.get("namespace") or namespace)
        return f"{collection}/{quote(metadata['name'])}"

    def read(self, obj: Mapping[str, Any]) -> Object:
        """The object as it is now."""
        found: Object = self.get(self.path(obj))
        return found

    def apply(self, obj: Mapping[str, Any], namespace: str = "default") -> Object:
        """Server-side apply, which overrules other managers; gives the object as stored.

        `namespace` is where it goes if it names none.

        Raises:
            ApiError: the server, or a webhook, refuses it.
        """
        options = urlencode({"fieldManager": _MANAGER, "force": "true"})
        path = f"{self.path(obj, namespace)}?{options}"
        stored: Object = self.request("PATCH", path, obj, "application/apply-patch+yaml")
        return stored

    def patch(self, obj: Mapping[str, Any], change: object) -> Object:
        """A JSON merge patch; gives the object as stored."""
        stored: Object = self.request("PATCH", self.path(obj), change, "application/merge-patch+json")
        return stored

    def delete(self, obj: Mapping[str, Any], propagation: str = "Background") -> None:
        """Ask for the deletion; one that is gone already is fine."""
        try:
            self.request("DELETE", self.path(obj), {"propagationPolicy": propagation})
        except ApiError as error:
            if error.code != http.client.NOT_FOUND:
                raise

    def states(self, collection: str, seconds: float, **selectors: str) -> Iterator[list[Object]]:
        """All objects of a collection, first as they are and then after each change, until the time is over.

        `selectors` are the query's, such as `labelSelector` and `fieldSelector`.
        """
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            listed = self.get(f"{collection}?{urlencode(selectors)}")
            objects = {item["metadata"]["uid"]: _with_kind(item, listed) for item in listed["items"]}
            yield list(objects.values())
            since = listed["metadata"]["resourceVersion"]
            try:
                for event in self.events(collection, since, end - time.monotonic(), **selectors):
                    uid = event["object"]["metadata"]["uid"]
                    if event["type"] == "DELETED":
                        objects.pop(uid, None)
                    else:
                        objects[uid] = event["object"]
                    yield list(objects.values())
            except ApiError as error:
                if error.code != http.client.GONE:
                    raise

    def events(self, collection: str, since: str, seconds: float, **selectors: str) -> Iterator[Object]:
        """Watch events after a version, until the server or the time ends it.

        Raises:
            ApiError: the server does not allow it; with code 410 if it has forgotten the version.
        """
        query = {
            **selectors,
            "watch": "true",
            "resourceVersion": since,
            "timeoutSeconds": str(max(1, int(seconds))),
        }
        try:
            with _answer(
                self, "GET", f"{collection}?{urlencode(query)}", None, _JSON, max(0.1, seconds)
            ) as response:
                while line := response.readline():
                    event = json.loads(line)
                    if event["type"] == "ERROR":
                        status = event["object"]
                        raise ApiError(status["code"], status["reason"], status["message"])
                    yield event
        except TimeoutError:
            return

    def wait_for_all(
        self,
        what: str,
        collection: str,
        holds: Callable[[list[Object]], bool],
        seconds: float = 60,
        **selectors: str,
    ) -> list[Object]:
        """The objects of a collection as soon as `holds` of them, told by watch events.

        Raises:
            WaitError: not in time.
        """
        objects: list[Object] = []
        for objects in self.states(collection, seconds, **selectors):
            if holds(objects):
                return objects
        last = json.dumps([_short(one) for one in objects], indent=1)
        raise WaitError(f"{what}: not within {seconds:g} s; the last state was {last}")

    def wait_for(
        self, obj: Mapping[str, Any], holds: Callable[[Object], bool], seconds: float = 60
    ) -> Object:
        """The object as soon as it is there and `holds` of it.

        Raises:
            WaitError: not in time.
        """
        return self._wait_for_one(obj, lambda found: bool(found) and holds(found[0]), seconds)[0]

    def wait_until_gone(self, obj: Mapping[str, Any], seconds: float = 60) -> None:
        """Return as soon as the object is no more.

        Raises:
            WaitError: not in time.
        """
        self._wait_for_one(obj, lambda found: not found, seconds)

    def _wait_for_one(
        self, obj: Mapping[str, Any], holds: Callable[[list[Object]], bool], seconds: float
    ) -> list[Object]:
        collection, name = self.path(obj).rsplit("/", 1)
        what = f"{obj['kind']} {name}"
        return self.wait_for_all(what, collection, holds, seconds, fieldSelector=f"metadata.name={name}")

    def _resource(self, api_version: str, kind: str) -> Object:
        known = self._resources.get(api_version, {})
        if kind not in known:
            listed = self.get(_root(api_version))["resources"]
            known = {one["kind"]: one for one in reversed(listed) if "/" not in one["name"]}
            self._resources[api_version] = known
        if kind not in known:
            raise ApiError(
                http.client.NOT_FOUND, "NotFound", f"the server has no kind {kind} in {api_version}"
            )
        return known[kind]


@contextmanager
def _answer(
    client: Client, method: str, path: str, body: object, content_type: str, seconds: float
) -> Iterator[http.client.HTTPResponse]:
    """The answer to a request, on a connection that lasts as long as the block."""
    headers = {"Accept": "application/json", "Content-Type": content_type}
    text = None if body is None else json.dumps(body)
    with closing(
        http.client.HTTPSConnection(client.host, client.port, timeout=seconds, context=client.tls)
    ) as connection:
        connection.request(method, path, text, headers)
        response = connection.getresponse()
        if response.status >= http.client.BAD_REQUEST:
            raise _error(response.status, response.read().decode(errors="replace"))
        yield response


def _error(code: int, text: str) -> ApiError:
    try:
        status = json.loads(text)
    except ValueError:
        status = None
    if not isinstance(status, dict):
        return ApiError(code, http.client.responses.get(code, ""), text.strip())
    return ApiError(code, status.get("reason") or "", status.get("message") or text)


def _root(api_version: str) -> str:
    return f"/apis/{api_version}" if "/" in api_version else f"/api/{api_version}"


def _with_kind(item: Object, listed: Object) -> Object:
    """An item of a list, which alone does not say what it is, as the other answers give it."""
    return {"apiVersion": listed["apiVersion"], "kind": listed["kind"].removesuffix("List"), **item}


def _short(obj: Object) -> Object:
    return {"name": obj["metadata"]["name"], "status": obj.get("status")}
