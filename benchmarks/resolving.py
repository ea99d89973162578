"""Resolving an object beside decoding its bytes with orjson: structure, scale, resources, phase; no JSON."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import count
from statistics import median
from typing import Any

import orjson

import workload_map as wm
from benchmarks import objects
from benchmarks.measure import Row, in_turn, once, processor_seconds, ratio
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
        *_never_seen(
            "JobSet, 9 KB, its resources never seen before", objects.other_jobset, catalog, bars=(2, 2.5)
        ),
        *_never_seen(
            "Deployment, 1.5 KB, nothing of it seen before", objects.other_deployment, catalog, bars=(12, 13)
        ),
        _instances(catalog),
        _pods(catalog),
        _compiling(catalog),
    ]


def _to_decoding(what: str, obj: Object, catalog: wm.Catalog, *, bar: float) -> Row:
    text = orjson.dumps(obj)
    figure = ratio(partial(wm.resolve, obj, catalog), partial(orjson.loads, text))
    return Row(f"resolve: {what} ({len(text)} bytes), to orjson.loads", figure, bar)


def _never_seen(
    what: str, make: Callable[[int], Object], catalog: wm.Catalog, *, bars: tuple[float, float]
) -> list[Row]:
    """Objects that are each made anew, in some way that none had before: resolved, and their amounts read."""
    numbers = count(1)
    resolve = partial(wm.resolve, definitions=catalog)
    best = [float("inf")] * 3
    for _ in range(400):  # short rounds, so that some of them are not interrupted
        few = [[make(next(numbers)) for _ in range(5)] for _ in range(2)]
        texts = [orjson.dumps(one) for one in few[0]]
        calls = (
            partial(_each, resolve, few[0]),
            partial(_each, lambda obj: _read_amounts(resolve(obj)), few[1]),
            partial(_each, orjson.loads, texts),
        )
        best = [min(known, once(call)) for known, call in zip(best, calls, strict=True)]
    return [
        Row(f"resolve: {what}", best[0] / best[2], bars[0]),
        Row("the same, and all of its requests and limits read", best[1] / best[2], bars[1]),
    ]


def _read_amounts(view: wm.Workload) -> None:
    """Read every list of a view; sums and multiples are worked out only then."""
    _read(view.totals.requests, view.totals.limits)
    for component in view.components:
        _read(component.requests, component.limits)
        for instance in component.instances:
            _read(instance.requests, instance.limits)


def _read(*lists: wm.ResourceList | None) -> None:
    for amounts in lists:
        if amounts is not None:
            amounts.items()


def _each(call: Callable[[Any], object], values: list[Any]) -> None:
    for value in values:
        call(value)


def _instances(catalog: wm.Catalog) -> Row:
    """What the last 100 of 200 groups take, beside the first 100."""
    calls = [partial(wm.resolve, _groups(number), catalog) for number in (0, 100, 200)]
    first, middle, last = in_turn(*calls, rounds=100)
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
    calls = [partial(wm.resolve, obj, catalog, pods=pods[:number]) for number in (0, 1_000, 2_000)]
    first, middle, last = in_turn(*calls, rounds=30)
    return Row("JobSet: the second 1 000 pods, to the first 1 000", (last - middle) / (middle - first), 1.5)


def _compiling(catalog: wm.Catalog) -> Row:
    """The median over the catalog: from the definition to its generated functions, nothing known before."""
    took = []
    for entry in catalog.entries():
        definition = entry.definition

        def compiled(definition: Any = definition) -> object:
            program._compiled.cache_clear()
            return generate(Plan(definition))

        took.append(min(processor_seconds(compiled) for _ in range(10)))
    return Row("a definition of the catalog compiles, median", median(took) * 1000, 5, "ms")
