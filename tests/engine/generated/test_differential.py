"""The generated form says what the per-path form says: on all cases, and on random changes of them."""

from __future__ import annotations

import random

import pytest

from tests.engine.generated.comparing import Object, generated, per_path
from tests.engine.generated.definitions import PER_PATH_ONLY, THING, definitions
from tests.engine.generated.mutating import ODD, mutated, objects
from workload_map import Catalog
from workload_map.engine.generated.generation import generate
from workload_map.engine.plan import Plan
from workload_map.engine.reading import Reader

MADE_UP = sorted(definitions())
KINDS = sorted(objects())


def _built_in(kind: str) -> Plan:
    obj = objects()[kind][0]
    return Plan(Catalog.builtin().find(obj["apiVersion"], obj["kind"]).definition)


def _assert_agree(plan: Plan, seeds: list[Object], count: int, seed: int) -> None:
    """Compare the objects as they are, then so many that are changed."""
    rng = random.Random(seed)  # noqa: S311
    for number in range(len(seeds) + count):
        obj = seeds[number] if number < len(seeds) else mutated(rng, rng.choice(seeds))
        assert generated(plan, obj) == per_path(plan, obj), obj


@pytest.mark.parametrize("kind", KINDS)
def test_built_in_definitions_agree(kind: str) -> None:
    _assert_agree(_built_in(kind), objects()[kind], count=2_000 // len(KINDS), seed=1)


@pytest.mark.parametrize("name", MADE_UP)
def test_made_up_definitions_agree(name: str) -> None:
    _assert_agree(Plan(definitions()[name]), [THING], count=150, seed=2)


_FIELDS = [
    *(
        ("spec", name)
        for name in ("replicas", "min", "max", "size", "template", "workers", "roles", "suspend")
    ),
    *(("status", name) for name in ("ready", "failed", "phase", "conditions", "jobs", "counts", "message")),
    ("metadata", "generation"),
]


@pytest.mark.parametrize("name", MADE_UP)
def test_odd_values_where_it_matters_agree(name: str) -> None:
    plan = Plan(definitions()[name])
    for value in ODD:
        for part, field in _FIELDS:
            obj = {**THING, part: {**THING[part], field: value}}
            assert generated(plan, obj) == per_path(plan, obj), (part, field, value)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_built_in_definitions_agree_on_many_objects(kind: str) -> None:
    _assert_agree(_built_in(kind), objects()[kind], count=20_000 // len(KINDS), seed=3)


@pytest.mark.slow
@pytest.mark.parametrize("name", MADE_UP)
def test_made_up_definitions_agree_on_many_objects(name: str) -> None:
    _assert_agree(Plan(definitions()[name]), [THING], count=2_000, seed=4)


@pytest.mark.parametrize(
    "kind", ["deployment", "job", "jobset", "leaderworkerset", "pytorchjob", "raycluster"]
)
def test_built_in_definitions_have_a_generated_form(kind: str) -> None:
    """And it answers for ordinary objects: were it given up for all, the comparison would say nothing."""
    plan = _built_in(kind)
    answered = sum(_answers(plan, obj) for obj in objects()[kind])
    assert answered > len(objects()[kind]) / 2


@pytest.mark.parametrize("name", sorted(set(MADE_UP) - PER_PATH_ONLY))
def test_made_up_definitions_have_a_generated_form(name: str) -> None:
    assert _answers(Plan(definitions()[name]), THING)


@pytest.mark.parametrize("name", sorted(PER_PATH_ONLY))
def test_what_is_not_certain_when_compiling_is_not_generated(name: str) -> None:
    assert generate(Plan(definitions()[name])).structure is None


def _answers(plan: Plan, obj: Object) -> bool:
    functions = generate(plan)
    assert functions.structure is not None
    assert functions.status is not None
    if functions.structure(obj, Reader(obj)) is None:
        return False
    return functions.status(obj, Reader(obj)) is not None
