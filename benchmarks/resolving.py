"""Resolving an object beside decoding its bytes with orjson: structure, scale, resources, phase; no JSON."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from statistics import median
from typing import Any

import orjson

import workload_map as wm
from benchmarks import objects
from benchmarks.measure import Row, ratio, seconds
from workload_map.engine.generated.generation import generate
from workload_map.engine.plan import Plan
from workload_map.path import program

Object = dict[str, Any]


def run() -> list[Row]:
    """One row an object; then resources that were never seen, growth, and what a definition takes first."""
    catalog = wm.Catalog.builtin()
    return [
        _to_decoding("JobSet, 9 KB", objects.jobset(), catalog, bar=1),
        _to_decoding("RayCluster, head and 3 groups", objects.raycluster(), catalog, bar=2.5),
        _to_decoding("Deployment, 1.5 KB", objects.deployment(), catalog, bar=2),
        _never_seen(catalog),
        _instances(catalog),
        _pods(catalog),
        _compiling(catalog),
    ]


def _to_decoding(what: str, obj: Object, catalog: wm.Catalog, *, bar: float) -> Row:
    text = orjson.dumps(obj)
    figure = ratio(partial(wm.resolve, obj, catalog), partial(orjson.loads, text))
    return Row(f"resolve: {what} ({len(text)} bytes), to orjson.loads", figure, bar)


def _never_seen(catalog: wm.Catalog) -> Row:
    """JobSets of which each asks for other amounts than all before."""
    fresh = _fresh()
    few = [next(fresh) for _ in range(20)]
    texts = [orjson.dumps(one) for one in few]
    best, decode = float("inf"), seconds(lambda: list(map(orjson.loads, texts)), rounds=50)
    for _ in range(60):
        few = [next(fresh) for _ in range(20)]
        best = min(best, _once(lambda few=few: [wm.resolve(one, catalog) for one in few]))  # type: ignore[misc]
    return Row("resolve: JobSet, 9 KB, its resources never seen before", best / decode, 2)


def _fresh() -> Iterator[Object]:
    for number in count(1):
        obj = copy.deepcopy(objects.jobset())
        for index, job in enumerate(obj["spec"]["replicatedJobs"]):
            container = job["template"]["spec"]["template"]["spec"]["containers"][0]
            container["resources"]["requests"]["memory"] = f"{1000 * number + index}Mi"
        yield obj


def _once(call: Callable[[], object]) -> float:
    return seconds(call, rounds=1, at_least=0)


def _instances(catalog: wm.Catalog) -> Row:
    """What the last 100 of 200 groups take, beside the first 100."""
    one, some, all_ = (partial(wm.resolve, _groups(number), catalog) for number in (0, 100, 200))
    first, middle, last = (seconds(call, rounds=40, at_least=0.002) for call in (one, some, all_))
    return Row("RayCluster: the second 100 groups, to the first 100", (last - middle) / (middle - first), 1.5)


def _groups(number: int) -> Object:
    obj = objects.raycluster()
    group = obj["spec"]["workerGroupSpecs"][0]
    obj["spec"]["workerGroupSpecs"] = [{**group, "groupName": f"group-{index}"} for index in range(number)]
    return obj


def _pods(catalog: wm.Catalog) -> Row:
    """What the second 1 000 pods take, beside the first 1 000."""
    obj = objects.jobset()
    pods = [objects.pod(obj, number) for number in range(2_000)]
    times = [
        seconds(partial(wm.resolve, obj, catalog, pods=pods[:number]), rounds=10)
        for number in (0, 1_000, 2_000)
    ]
    return Row(
        "JobSet: the second 1 000 pods, to the first 1 000",
        (times[2] - times[1]) / (times[1] - times[0]),
        1.5,
    )


def _compiling(catalog: wm.Catalog) -> Row:
    """The median over the catalog: from the definition to its generated functions, nothing known before."""
    took = []
    for entry in catalog.entries():
        definition = entry.definition

        def compiled(definition: Any = definition) -> object:
            program._compiled.cache_clear()
            return generate(Plan(definition))

        took.append(seconds(compiled, rounds=5, at_least=0))
    return Row("a definition of the catalog compiles, median", median(took) * 1000, 5, "ms")
