"""Resolving an object beside decoding its bytes with orjson: structure, scale, resources, phase; no JSON."""

from __future__ import annotations

from typing import Any

import orjson

import workload_map as wm
from benchmarks import objects
from benchmarks.measure import Row, seconds

_BARS = {"JobSet, 9 KB": 3.0}


def run() -> list[Row]:
    """One row an object. The bars tighten with the generated form of the engine."""
    catalog = wm.Catalog.builtin()
    made: dict[str, dict[str, Any]] = {
        "JobSet, 9 KB": objects.jobset(),
        "RayCluster, head and 3 groups": objects.raycluster(),
        "Deployment, 1.5 KB": objects.deployment(),
    }
    rows = []
    for name, obj in made.items():
        text = orjson.dumps(obj)
        wm.resolve(obj, catalog)
        ratio = seconds(lambda obj=obj: wm.resolve(obj, catalog)) / seconds(
            lambda text=text: orjson.loads(text)
        )
        rows.append(Row(f"resolve: {name} ({len(text)} bytes), to orjson.loads", ratio, _BARS.get(name, 10)))
    return rows
