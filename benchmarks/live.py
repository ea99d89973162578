"""A whole cluster, read live: 10 000 workloads and 50 000 pods from a server on loopback, in pages of 500.

The server is a process of its own that sends pages made beforehand, so that what is measured is the reader,
in processor time.
"""

from __future__ import annotations

import multiprocessing
import os
import subprocess
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

PAGE = 500
_KINDS = {
    "/apis/apps/v1/deployments": ("apps/v1", "Deployment", objects.deployment),
    "/apis/jobset.x-k8s.io/v1alpha2/jobsets": ("jobset.x-k8s.io/v1alpha2", "JobSet", objects.jobset),
    "/apis/ray.io/v1/rayclusters": ("ray.io/v1", "RayCluster", objects.raycluster),
}
_PODS = "/api/v1/pods"


def run() -> list[Row]:
    """The whole command beside decoding the same pages, and the most memory that it takes."""
    pages = _pages()
    decode = min(
        processor_seconds(lambda: [orjson.loads(page) for each in pages.values() for page in each])
        for _ in range(3)
    )
    with _serving(pages) as url:
        took, peak = min(_measured(["get", "all", "-A", "--server", url]) for _ in range(3))
    return [
        Row("`get all -A`, 10 000 workloads and 50 000 pods live: to decoding the pages", took / decode, 2.5),
        Row("the same: peak memory", peak, 400, unit="MB"),
    ]


# The most memory of a process is asked of the process itself: its parent is told its own, if that is more.
_CALL = """
import atexit, sys
from workload_map.cli import main

@atexit.register
def told():
    with open("/proc/self/status") as status:
        print(*[line.split()[1] for line in status if line.startswith("VmHWM")], file=sys.stderr, flush=True)

main(sys.argv[1:])
"""


def _measured(arguments: list[str]) -> tuple[float, float]:
    """The processor time in seconds, and the most memory in MB, of a process that reads the cluster."""
    call = [sys.executable, "-c", _CALL, *arguments]
    process = subprocess.Popen(call, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    told = process.stderr.read().splitlines() if process.stderr else []
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"the command failed: {told}")
    return usage.ru_utime + usage.ru_stime, int(told[-1]) / 1024


def _pages() -> dict[str, list[bytes]]:
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
