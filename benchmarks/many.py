"""A whole cluster beside decoding its JSON: 10 000 workloads of mixed kinds and 50 000 pods."""

from __future__ import annotations

from typing import Any

import orjson

import workload_map as wm
from benchmarks import objects
from benchmarks.measure import Row, in_turn

WORKLOADS = 10_000
PODS_EACH = 5


def run() -> list[Row]:
    """Index and views, and the views alone where pods are not looked at, both to decoding with orjson."""
    texts = _texts()
    catalog = wm.Catalog.builtin()
    everything = [orjson.loads(text) for text in texts]
    workloads = everything[:WORKLOADS]

    def with_pods() -> list[wm.Workload]:
        return list(wm.resolve_many(workloads, catalog, index=wm.OwnerIndex(everything)))

    def alone() -> list[wm.Workload]:
        return list(wm.resolve_many(workloads, catalog))

    all_views, views, decode, own = in_turn(
        with_pods,
        alone,
        lambda: [orjson.loads(text) for text in texts],
        lambda: [orjson.loads(text) for text in texts[:WORKLOADS]],
    )
    return [
        Row("10 000 workloads and 50 000 pods: index and views, to decoding", all_views / decode, 2.5),
        Row("10 000 workloads without pods: views, to decoding", views / own, 2.5),
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
