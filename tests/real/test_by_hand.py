"""Manifests of every built-in kind against figures worked out on paper.

The files in `by_hand` hold them: an object, its figures, and beside each figure how it comes about.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cases.objects import names, part
from tests.real.shared import BUILTIN
from workload_map.engine import Workload, resolve

FOLDER = Path(__file__).parent / "by_hand"


def documents() -> Iterator[Any]:
    for file in sorted(FOLDER.glob("*.yaml")):
        for document in yaml.safe_load_all(file.read_text()):
            obj = document["object"]
            yield pytest.param(document, id=f"{obj['kind']}-{obj['metadata']['name']}")


DOCUMENTS = list(documents())


def as_json(workload: Workload) -> Any:
    return json.loads(json.dumps(workload.to_dict()))


def walk(components: Any) -> Iterator[Any]:
    for one in components:
        yield one
        yield from walk(one["components"])
        for instance in one["instances"]:
            yield from walk(instance["components"])


def shown(workload: Workload, component: str) -> Any:
    found = [one for one in walk(as_json(workload)["components"]) if one["name"] == component]
    assert len(found) == 1, f"{component} in {names(workload)}"
    return found[0]


def test_all_kinds_are_among_them() -> None:
    kinds = {parameter.values[0]["object"]["kind"] for parameter in DOCUMENTS}
    assert len(DOCUMENTS) >= 20
    assert kinds == {entry.kind.kind for entry in BUILTIN.entries()}


@pytest.mark.parametrize("document", DOCUMENTS)
def test_the_figures_are_those_worked_out_by_hand(document: Any) -> None:
    figures = document["figures"]
    related = document.get("related", [])
    workload = resolve(document["object"], BUILTIN, related=related, live=not document.get("manifest", False))
    totals = as_json(workload)["totals"]
    if totals["requests"] is not None:
        # The needs of a role that was turned off come to nothing: no figure of their own here.
        totals["requests"] = {name: amount for name, amount in totals["requests"].items() if amount != "0"}
    bounds = {"pods": figures["pods"], "gpus": figures["gpus"]}
    expected = {
        **bounds,
        "requests": figures["requests"],
        "claims": [],
        "atMin": figures.get("atMin", bounds),
        "atMax": figures.get("atMax", bounds),
    }
    if "limits" in figures:
        expected["limits"] = figures["limits"]
    assert {key: totals[key] for key in expected} == expected
    assert workload.problems == ()
    assert names(workload) == list(figures["components"])
    for name, wanted in figures["components"].items():
        component = shown(workload, name)
        assert {key: component[key] for key in wanted} == wanted
    for name, instances in figures.get("instances", {}).items():
        found = {one["id"]: one for one in shown(workload, name)["instances"]}
        assert {
            id_: {key: found[id_][key] for key in wanted} for id_, wanted in instances.items()
        } == instances
        assert list(found) == list(instances)
    for name, requests in figures.get("perPod", {}).items():
        assert part(workload, name).per_pod.requests is not None
        assert shown(workload, name)["perPod"]["requests"] == requests
