"""The server and what it knows."""

from __future__ import annotations

import json
import queue
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit

Object = dict[str, Any]
_BARE = "PartialObjectMetadata"


class Kind(NamedTuple):
    """A kind that is served."""

    api_version: str
    kind: str
    plural: str
    namespaced: bool = True
    short: tuple[str, ...] = ()

    @property
    def group(self) -> str:
        return self.api_version.rpartition("/")[0]

    @property
    def version(self) -> str:
        return self.api_version.rpartition("/")[2]

    @property
    def root(self) -> str:
        return f"/apis/{self.api_version}" if self.group else f"/api/{self.version}"


COMMON = (
    Kind("v1", "Pod", "pods", short=("po",)),
    Kind("v1", "Service", "services", short=("svc",)),
    Kind("v1", "Namespace", "namespaces", namespaced=False, short=("ns",)),
    Kind("v1", "Event", "events", short=("ev",)),
    Kind("batch/v1", "Job", "jobs"),
    Kind("apps/v1", "Deployment", "deployments", short=("deploy",)),
    Kind("apps/v1", "ReplicaSet", "replicasets", short=("rs",)),
    Kind("jobset.x-k8s.io/v1alpha2", "JobSet", "jobsets"),
    Kind("run.ai/v1alpha1", "Karta", "kartas", namespaced=False, short=("krt",)),
)


class Call(NamedTuple):
    """A request as it came."""

    path: str
    query: dict[str, str]
    headers: dict[str, str]

    @property
    def accepts_bare(self) -> bool:
        return _BARE in self.headers.get("accept", "")


class Reply(NamedTuple):
    """An answer in the place of what would be answered."""

    status: int
    body: Any = None
    headers: dict[str, str] = {}  # noqa: RUF012  # a tuple's default, never changed


Before = Callable[[Call], Reply | None]


class ApiServer:
    """What the server knows, and what it was asked.

    Attributes:
        kinds: What it serves.
        objects: What lies in it.
        calls: All requests, in the order in which they came.
        before: Looked at for each request; gives an answer in the place of the usual one, or None.
        aggregated: Whether discovery tells everything at once.
        page: The most objects a page has, whatever was asked for.
        stale: Versions of groups whose kinds the server does not know now.
        rules: What the user may do, by namespace, as a SelfSubjectRulesReview tells it; None: nobody may ask.
        incomplete: Whether that is not all.
    """

    def __init__(self, url: str, objects: list[Object], kinds: tuple[Kind, ...]) -> None:
        self.url = url
        self.kinds = kinds
        self.objects = objects
        self.calls: list[Call] = []
        self.before: Before = lambda _: None
        self.aggregated = True
        self.page: int | None = None
        self.stale: set[str] = set()
        self.rules: dict[str, list[dict[str, Any]]] | None = None
        self.incomplete = False
        self.version = 100
        self._watchers: list[tuple[Call, Kind, str | None, queue.Queue[Any]]] = []
        self._lock = threading.Lock()

    def deny(self, *plurals: str, namespaces: tuple[str, ...] = ()) -> None:
        """Forbid these kinds, everywhere or in some namespaces (and in all of them together)."""

        def before(call: Call) -> Reply | None:
            kind, namespace, _ = self._of_path(call.path) or (None, None, None)
            if kind is None or kind.plural not in plurals:
                return None
            if namespaces and namespace is not None and namespace not in namespaces:
                return None
            where = f' in the namespace "{namespace}"' if namespace else " at the cluster scope"
            message = (
                f'{kind.plural} is forbidden: User "eve" cannot list resource "{kind.plural}" in API group '
                f'"{kind.group}"{where}'
            )
            return Reply(403, status(403, "Forbidden", message))

        self.before = before

    def paths(self, *, besides_discovery: bool = False) -> list[str]:
        """The paths that were asked for; without those that each command asks for first."""
        first = ("/api", "/apis", "/apis/run.ai/v1alpha1/kartas")
        return [call.path for call in self.calls if not besides_discovery or call.path not in first]

    def event(self, kind: str, value: Object) -> None:
        """Tell all who watch that an object was ADDED, MODIFIED or DELETED, and change what lies here."""
        key = _key(value)
        self.version += 1
        value = {**value, "metadata": {**value["metadata"], "resourceVersion": str(self.version)}}
        with self._lock:
            self.objects[:] = [one for one in self.objects if _key(one) != key]
            if kind != "DELETED":
                self.objects.append(value)
            for call, served, namespace, waiting in self._watchers:
                if _is_of(value, served, namespace):
                    waiting.put({"type": kind, "object": _bare(value) if call.accepts_bare else value})

    def end_watches(self, last: Any = None) -> None:
        """Break off all watches, after a last line."""
        with self._lock:
            for *_, waiting in self._watchers:
                if last is not None:
                    waiting.put(last)
                waiting.put(None)
            self._watchers.clear()

    def wait_for_watches(self, count: int) -> None:
        """Wait until so many watch at once."""
        for _ in range(1000):
            if len(self._watchers) >= count:
                return
            time.sleep(0.01)
        raise AssertionError(f"{len(self._watchers)} watches, not {count}")

    def answer(self, call: Call) -> Reply:
        """The answer to a request."""
        self.calls.append(call)
        given = self.before(call)
        if given is not None:
            return given
        if call.path in ("/api", "/apis"):
            return Reply(200, self._discovery(call))
        if call.path == "/version":
            return Reply(200, {"major": "1", "minor": "34", "gitVersion": "v1.34.0-test"})
        for kind in self.kinds:
            if call.path == kind.root and kind.api_version in self.stale:
                return Reply(503, status(503, "ServiceUnavailable", "down"), {"Retry-After": "0"})
            if call.path == kind.root:
                return Reply(200, self._resources(kind.api_version))
        found = self._of_path(call.path)
        if found is None:
            return Reply(404, status(404, "NotFound", "the server could not find the requested resource"))
        kind, namespace, name = found
        here = [value for value in self.objects if _is_of(value, kind, namespace)]
        if name is None:
            return Reply(200, self._list(call, kind, here))
        for value in here:
            if value["metadata"]["name"] == name:
                return Reply(200, _bare(value) if call.accepts_bare else value)
        return Reply(404, status(404, "NotFound", f'{kind.plural} "{name}" not found'))

    def review(self, call: Call, namespace: str) -> Reply:
        """The answer to the question what the user may do in a namespace."""
        self.calls.append(call)
        if (given := self.before(call)) is not None:
            return given
        if self.rules is None:
            return Reply(403, status(403, "Forbidden", "reviews are forbidden"))
        rules = self.rules.get(namespace, [])
        told = {"resourceRules": rules, "nonResourceRules": [], "incomplete": self.incomplete}
        return Reply(201, {"kind": "SelfSubjectRulesReview", "status": told})

    def watch(self, call: Call) -> queue.Queue[Any] | None:
        """Where the lines of a watch come from; None if the request is no watch."""
        found = self._of_path(call.path)
        if call.query.get("watch") not in ("1", "true") or found is None:
            return None
        waiting: queue.Queue[Any] = queue.Queue()
        with self._lock:
            self._watchers.append((call, found[0], found[1], waiting))
        return waiting

    def _of_path(self, path: str) -> tuple[Kind, str | None, str | None] | None:
        for kind in self.kinds:
            rest = path.removeprefix(kind.root + "/")
            if rest == path:
                continue
            parts = rest.split("/")
            namespace = parts[1] if parts[0] == "namespaces" and len(parts) > 2 else None
            plural, *name = parts[2:] if namespace else parts
            if plural == kind.plural and (kind.namespaced or namespace is None):
                return kind, namespace, name[0] if name else None
        return None

    def _list(self, call: Call, kind: Kind, here: list[Object]) -> Any:
        here = [value for value in here if _selected(value, call.query)]
        start = int(call.query.get("continue", "0"))
        size = self.page or int(call.query.get("limit", "0")) or len(here)
        page, more = here[start : start + size], start + size < len(here)
        metadata = {"resourceVersion": str(self.version)} | ({"continue": str(start + size)} if more else {})
        if call.accepts_bare:
            return {
                "kind": f"{_BARE}List",
                "apiVersion": "meta.k8s.io/v1",
                "metadata": metadata,
                "items": [_bare(value) for value in page],
            }
        items = [
            {key: part for key, part in value.items() if key not in ("apiVersion", "kind")} for value in page
        ]
        return {
            "kind": f"{kind.kind}List",
            "apiVersion": kind.api_version,
            "metadata": metadata,
            "items": items,
        }

    def _discovery(self, call: Call) -> Any:
        core = call.path == "/api"
        kinds = [kind for kind in self.kinds if (not kind.group) == core]
        versions = list(dict.fromkeys(kind.api_version for kind in kinds))
        if self.aggregated and "apidiscovery" in call.headers["accept"]:
            groups: dict[str, list[Any]] = {}
            for version in versions:
                group, _, short = version.rpartition("/")
                is_stale = version in self.stale
                groups.setdefault(group, []).append(
                    {"version": short, "freshness": "Stale" if is_stale else "Current"}
                    | {"resources": [] if is_stale else self._aggregated(version)}
                )
            items = [{"metadata": {"name": name}, "versions": each} for name, each in groups.items()]
            return {"kind": "APIGroupDiscoveryList", "apiVersion": "apidiscovery.k8s.io/v2", "items": items}
        if core:
            return {"kind": "APIVersions", "versions": versions}
        named: dict[str, list[Any]] = {}
        for version in versions:
            named.setdefault(version.partition("/")[0], []).append({"groupVersion": version})
        listed = [
            {"name": name, "versions": each, "preferredVersion": each[0]} for name, each in named.items()
        ]
        return {"kind": "APIGroupList", "groups": listed}

    def _aggregated(self, api_version: str) -> list[Any]:
        return [
            {
                "resource": kind.plural,
                "responseKind": {"group": "", "version": "", "kind": kind.kind},
                "scope": "Namespaced" if kind.namespaced else "Cluster",
                "singularResource": kind.kind.lower(),
                "shortNames": list(kind.short),
                "verbs": ["get", "list", "watch"],
            }
            for kind in self.kinds
            if kind.api_version == api_version
        ]

    def _resources(self, api_version: str) -> Any:
        resources = [
            {
                "name": kind.plural,
                "kind": kind.kind,
                "namespaced": kind.namespaced,
                "singularName": kind.kind.lower(),
                "shortNames": list(kind.short),
                "verbs": ["get", "list", "watch"],
            }
            for kind in self.kinds
            if kind.api_version == api_version
        ]
        return {"kind": "APIResourceList", "groupVersion": api_version, "resources": resources}


def status(code: int, reason: str, message: str) -> Any:
    """A failure as API servers tell it."""
    return {
        "kind": "Status",
        "apiVersion": "v1",
        "status": "Failure",
        "code": code,
        "reason": reason,
        "message": message,
    }


def _key(value: Object) -> tuple[Any, ...]:
    return value["kind"], value["metadata"].get("namespace"), value["metadata"]["name"]


def _is_of(value: Object, kind: Kind, namespace: str | None) -> bool:
    is_here = namespace is None or value["metadata"].get("namespace") == namespace
    return is_here and (value["kind"], value["apiVersion"].rpartition("/")[0]) == (kind.kind, kind.group)


def _selected(value: Object, query: dict[str, str]) -> bool:
    labels = value["metadata"].get("labels", {})
    wanted = [pair.split("=", 1) for pair in query.get("labelSelector", "").split(",") if pair]
    fields = [pair.split("=", 1) for pair in query.get("fieldSelector", "").split(",") if pair]
    return all(labels.get(key) == label for key, label in wanted) and all(
        value["metadata"].get(field.removeprefix("metadata.")) == text for field, text in fields
    )


def _bare(value: Object) -> Object:
    return {"kind": _BARE, "apiVersion": "meta.k8s.io/v1", "metadata": value["metadata"]}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if not self.path.endswith("/selfsubjectrulesreviews"):
            self._reply(Reply(405, status(405, "MethodNotAllowed", "nothing is made here")))
            return
        self._reply(self.server.api.review(self._call(), body["spec"]["namespace"]))

    def _call(self) -> Call:
        parts = urlsplit(self.path)
        return Call(
            parts.path,
            {name: values[0] for name, values in parse_qs(parts.query).items()},
            {name.lower(): ", ".join(self.headers.get_all(name) or ()) for name in self.headers},
        )

    def do_GET(self) -> None:
        call = self._call()
        waiting = self.server.api.watch(call)
        if waiting is not None and (given := self.server.api.before(call)) is None:
            self.server.api.calls.append(call)
            self._stream(waiting)
            return
        self._reply(self.server.api.answer(call) if waiting is None else given)

    def _reply(self, reply: Reply | None) -> None:
        if reply is None or reply.status == 0:  # break the connection off
            self.close_connection = True
            return
        body = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
        self.send_response(reply.status)
        for name, text in {"Content-Type": "application/json", **reply.headers}.items():
            self.send_header(name, text)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _stream(self, waiting: queue.Queue[Any]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        while (line := waiting.get()) is not None:
            self.wfile.write(json.dumps(line).encode() + b"\n")
            self.wfile.flush()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    api: ApiServer

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: clients that go away are what tests are about."""


@contextmanager
def serving(objects: list[Object] | None = None, kinds: tuple[Kind, ...] = COMMON) -> Iterator[ApiServer]:
    """A server, for as long as this lasts."""
    server = _Server(("127.0.0.1", 0), _Handler)
    server.api = ApiServer(
        f"http://127.0.0.1:{server.server_port}", objects if objects is not None else [], kinds
    )
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server.api
    finally:
        server.api.end_watches()
        server.shutdown()
        server.server_close()
