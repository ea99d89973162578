"""A whole cluster, read live: 10 000 workloads and 50 000 pods from a server on loopback, in pages of 500.

The whole command stands beside a plain client, which does the same lists and only decodes them, both in
processor time. The server is a process of its own that sends pages made beforehand.
"""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing.connection import Connection
from typing import Any
from urllib.parse import parse_qs, urlsplit

import orjson

from benchmarks import objects
from benchmarks.many import PODS_EACH, WORKLOADS
from benchmarks.measure import Row, processor_seconds
from benchmarks.process import process, whole_command

PAGE = 500
_KINDS = {
    "/apis/apps/v1/deployments": ("apps/v1", "Deployment", objects.deployment),
    "/apis/jobset.x-k8s.io/v1alpha2/jobsets": ("jobset.x-k8s.io/v1alpha2", "JobSet", objects.jobset),
    "/apis/ray.io/v1/rayclusters": ("ray.io/v1", "RayCluster", objects.raycluster),
}
_PODS = "/api/v1/pods"


# What anybody would write who wants the plain objects: the HTTP library that the command has, too.
_PLAIN = """
import gc, os, sys
import httpx2, orjson

gc.disable()
client = httpx2.Client(base_url=sys.argv[1], headers={"Accept-Encoding": "identity"})
objects = []
for path in sys.argv[2:]:
    token = ""
    while True:
        answer = client.get(path, params={"limit": "500", "continue": token} if token else {"limit": "500"})
        page = orjson.loads(answer.content)
        objects += page["items"]
        token = page["metadata"].get("continue")
        if not token:
            break
assert len(objects) == 60_000
os._exit(0)
"""


def run() -> list[Row]:
    """The whole command beside a plain client and beside decoding the pages, and the most memory it takes."""
    pages = cluster_pages()
    decode = min(
        processor_seconds(lambda: [orjson.loads(page) for each in pages.values() for page in each])
        for _ in range(3)
    )
    with _serving(pages) as url:
        paths = list(pages)
        plain = min(process(sys.executable, "-c", _PLAIN, url, *paths).seconds for _ in range(3))
        command = [whole_command("get", "all", "-A", "--server", url) for _ in range(3)]
    took, peak = (min(one.seconds for one in command), min(one.peak for one in command))
    what = "`get all -A`, 10 000 workloads and 50 000 pods live"
    return [
        Row(f"{what}: to a plain client doing the same lists", took / plain, 2.5),
        # Without a client that fetches them: told beside it, since a dump is held to that.
        Row(f"{what}: to decoding the pages alone", took / decode, None),
        Row("the same: peak memory", peak, 400, unit="MB"),
    ]


def cluster_pages() -> dict[str, list[bytes]]:
    """The pages of each list, as an API server sends them: the kind is told once, by the list."""
    found: dict[str, list[bytes]] = {}
    pods: list[dict[str, Any]] = []
    shares = {"Deployment": 2, "JobSet": 4, "RayCluster": 4}
    for path, (version, kind, make) in _KINDS.items():
        made = []
        for number in range(WORKLOADS // shares[kind]):
            obj = make()
            name = f"{kind.lower()}-{number}"
            obj["metadata"].update(name=name, uid=f"uid-{name}")
            pods.extend(objects.pod(obj, index) for index in range(PODS_EACH))
            made.append(obj)
        found[path] = list(_paged(made, version, kind))
    found[_PODS] = list(_paged(pods, "v1", "Pod"))
    return found


def _paged(items: list[dict[str, Any]], version: str, kind: str) -> Iterator[bytes]:
    for item in items:
        del item["apiVersion"], item["kind"]
    for start in range(0, len(items), PAGE):
        more = start + PAGE < len(items)
        metadata = {"resourceVersion": "1"} | ({"continue": str(start // PAGE + 1)} if more else {})
        page = items[start : start + PAGE]
        yield orjson.dumps(
            {"apiVersion": version, "kind": f"{kind}List", "metadata": metadata, "items": page}
        )


_EMPTY = orjson.dumps({"kind": "List", "metadata": {}, "items": []})


def _discovery(core: bool) -> bytes:
    kinds = (
        [("v1", "Pod", "pods")]
        if core
        else [(version, kind, path.rpartition("/")[2]) for path, (version, kind, _) in _KINDS.items()]
    )
    items = [
        {
            "metadata": {"name": version.rpartition("/")[0]},
            "versions": [
                {
                    "version": version.rpartition("/")[2],
                    "resources": [
                        {
                            "resource": plural,
                            "responseKind": {"kind": kind},
                            "scope": "Namespaced",
                            "verbs": ["list"],
                        }
                    ],
                }
            ],
        }
        for version, kind, plural in kinds
    ]
    return orjson.dumps({"kind": "APIGroupDiscoveryList", "items": items})


@contextmanager
def _serving(pages: dict[str, list[bytes]]) -> Iterator[str]:
    here, there = multiprocessing.Pipe()
    process = multiprocessing.get_context("fork").Process(target=_serve, args=(pages, there), daemon=True)
    process.start()
    try:
        yield f"http://127.0.0.1:{here.recv()}"
    finally:
        process.terminate()
        process.join()


def _serve(pages: dict[str, list[bytes]], told: Connection) -> None:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            if parts.path in ("/api", "/apis"):
                body = _discovery(parts.path == "/api")
            else:
                number = int(parse_qs(parts.query).get("continue", ["0"])[0])
                body = pages[parts.path][number] if parts.path in pages else _EMPTY
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    told.send(server.server_port)
    server.serve_forever()
