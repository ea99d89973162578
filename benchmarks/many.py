"""A whole cluster beside decoding its JSON: 10 000 workloads of mixed kinds and 50 000 pods."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from typing import Any

import orjson

import workload_map as wm
from benchmarks import objects
from benchmarks.measure import Row

WORKLOADS = 10_000
PODS_EACH = 5


def run() -> list[Row]:
    """Index and views, and the views alone where pods are not looked at, both to decoding with orjson."""
    texts = _texts()
    catalog = wm.Catalog.builtin()
    decode = min(_timed(lambda: [orjson.loads(text) for text in texts]) for _ in range(3))
    everything = [orjson.loads(text) for text in texts]
    workloads = everything[:WORKLOADS]

    def with_pods() -> list[wm.Workload]:
        return list(wm.resolve_many(workloads, catalog, index=wm.OwnerIndex(everything)))

    def alone() -> list[wm.Workload]:
        return list(wm.resolve_many(workloads, catalog))

    own = min(_timed(lambda: [orjson.loads(text) for text in texts[:WORKLOADS]]) for _ in range(3))
    return [
        Row(
            "10 000 workloads and 50 000 pods: index and views, to decoding", _timed(with_pods) / decode, 2.5
        ),
        Row("10 000 workloads without pods: views, to decoding", _timed(alone) / own, 2.5),
    ]


def _texts() -> list[bytes]:
    """The workloads, then the pods, each as the bytes of a document."""
    made: list[dict[str, Any]] = []
    pods: list[dict[str, Any]] = []
    kinds = (objects.jobset, objects.raycluster, objects.deployment, objects.deployment)
    for number in range(WORKLOADS):
        obj = kinds[number % len(kinds)]()
        obj["metadata"].update(name=f"w-{number}", uid=f"uid-{number}")
        made.append(obj)
        pods.extend(objects.pod(obj, index) for index in range(PODS_EACH))
    return [orjson.dumps(one) for one in (*made, *pods)]


def _timed(call: Callable[[], object]) -> float:
    gc.collect()
    gc.disable()
    try:
        start = time.perf_counter()
        kept = call()
        took = time.perf_counter() - start
        del kept
        return took
    finally:
        gc.enable()
