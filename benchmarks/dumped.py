"""A whole cluster out of a dump in one JSON file: 10 000 workloads and 50 000 pods.

The whole command stands beside a script that reads and decodes the file and does nothing else.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import orjson

from benchmarks.live import cluster_pages
from benchmarks.measure import Row, processor_seconds
from benchmarks.process import process, whole_command

_PLAIN = """
import gc, os, sys
import orjson

gc.disable()
with open(sys.argv[1], "rb") as file:
    objects = orjson.loads(file.read())["items"]
assert len(objects) == 60_000
os._exit(0)
"""
_MB = 1 << 20


def run() -> list[Row]:
    """The whole command beside the script and beside decoding the bytes, and its memory above the file."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "cluster.json")
        file.write_bytes(_dump())
        decode, size = _decoded(file.read_bytes())
        plain = min(process(sys.executable, "-c", _PLAIN, str(file)).seconds for _ in range(3))
        command = [whole_command("get", "all", "-A", "--from", str(file)) for _ in range(3)]
    took, peak = (min(one.seconds for one in command), min(one.peak for one in command))
    what = "`get all -A`, 10 000 workloads and 50 000 pods in one JSON file"
    return [
        Row(f"{what}: to a script that only decodes it", took / plain, 2.5),
        Row(f"{what}: to decoding its bytes alone", took / decode, 2.5),
        Row("the same: peak memory above the file's size", peak - size, 400, unit="MB"),
    ]


def _decoded(data: bytes) -> tuple[float, float]:
    """How long it takes to decode a text, in seconds, and its size in MB."""
    return min(processor_seconds(lambda: orjson.loads(data)) for _ in range(3)), len(data) / _MB


def _dump() -> bytes:
    """One list, each object with its kind, without blanks between."""
    items = []
    for pages in cluster_pages().values():
        for page in map(orjson.loads, pages):
            kind = {"apiVersion": page["apiVersion"], "kind": page["kind"].removesuffix("List")}
            items += [kind | item for item in page["items"]]
    return orjson.dumps({"apiVersion": "v1", "kind": "List", "items": items})
