"""How long, and how large, the worst of the hostile programs gets before it ends."""

from __future__ import annotations

import json
import os
import resource
import time
from typing import Any

from tests.path import hostile
from tests.path.test_hostile import deep, wide

from benchmarks.measure import Row
from workload_map import path
from workload_map.path.library import native_function


def _measured(expression: str, value: Any) -> tuple[float, float]:
    """Seconds of processor time and MiB above the start, in a child."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        start = resource.getrusage(resource.RUSAGE_SELF)
        begun = time.process_time()
        try:
            path.compile(expression).all(value)
        except path.PathError:
            pass
        finally:
            used = time.process_time() - begun
            grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - start.ru_maxrss
            os.write(writer, json.dumps([used, grown / 1024]).encode())
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        used, grown = json.loads(pipe.read())
    os.waitpid(child, 0)
    return used, grown


def run() -> list[Row]:
    """The worst in time and in memory; children share what is loaded here."""
    for name in ("length/0", "split/1", "test/1", "floor/0", "mktime/0", "add/0"):
        native_function(name)
    path.compile('gsub("a"; "b")').all("a")
    values = {"wide": wide(), "deep": deep()}
    figures = [_measured(expression, None) for expression in hostile.PROGRAMS]
    figures += [_measured(expression, values[kind]) for expression, kind in hostile.VALUES]
    count = len(figures)
    return [
        Row(f"the slowest of {count} hostile programs", max(used for used, _ in figures), 0.5, "s"),
        Row(f"the largest of {count} hostile programs", max(grown for _, grown in figures), 64, "MiB"),
    ]
