"""What a view takes that is kept, without pods, once its object is gone: its own texts included."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable
from typing import Any

import orjson

import workload_map as wm
from benchmarks import objects
from benchmarks.measure import Row

VIEWS = 1_000


def run() -> list[Row]:
    """One row a kind, and one for objects of which each has an image and a status of its own."""
    catalog = wm.Catalog.builtin()
    return [
        _kept("JobSet", lambda _: objects.jobset(), catalog),
        _kept("RayCluster, head and 3 groups", lambda _: objects.raycluster(), catalog),
        _kept("Deployment", lambda _: objects.deployment(), catalog),
        _kept("Deployment, of another image and generation", _another, catalog),
    ]


def _another(number: int) -> dict[str, Any]:
    obj = objects.other_deployment(number)
    container = obj["spec"]["template"]["spec"]["containers"][0]
    container["resources"] = objects.deployment()["spec"]["template"]["spec"]["containers"][0]["resources"]
    return obj


def _kept(what: str, make: Callable[[int], dict[str, Any]], catalog: wm.Catalog) -> Row:
    for _ in range(3):  # the first ones compile what all others need
        wm.resolve(make(0), catalog)
    texts = [orjson.dumps(make(number)) for number in range(1, VIEWS + 1)]
    gc.collect()
    tracemalloc.start()
    try:
        views = [wm.resolve(orjson.loads(text), catalog) for text in texts]
        gc.collect()
        taken = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    return Row(f"a view that is kept: {what}", taken / len(views) / 1024, 4, "KB")
