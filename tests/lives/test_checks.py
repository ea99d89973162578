"""The trial of definitions on recorded lives: right ones never differ from settled pods, wrong ones do."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from tests.lives.life import FOLDER, State
from tests.lives.test_lives import every_life, judged, life, pods_of
from tests.real.shared import BUILTIN
from workload_map import catalog
from workload_map.definition import DefinitionSet, load_objects
from workload_map.engine import OwnerIndex
from workload_map.engine.checking import Check, Row, check

# What is open in settled frames too, by a part of the sentence.
OPEN = (
    # Only replicas of several hosts bear it.
    "replicaSelector.keyPath gives nothing on any of its pods",
    # All pods are done, and the status does not say so yet.
    "it may end, since",
)


def _check(frame: State, definitions: DefinitionSet) -> Check:
    obj = frame["object"]
    beside = [pod for pod in pods_of(frame) if pod is not obj]
    return check(obj, definitions, OwnerIndex([obj, *beside, *frame["related"].values()]))


@every_life
def test_a_right_definition_never_differs_from_settled_pods(file: Path) -> None:
    for number, (frame, right) in enumerate(zip(life(file).frames, judged(file), strict=True)):
        rows = _check(frame, BUILTIN).rows if right.settled else ()
        odd = [row for row in rows if row.verdict != "agrees" and not any(one in row.message for one in OPEN)]
        assert odd == [], number


def _structure(definition: Any) -> Any:
    return definition["spec"]["structureDefinition"]


def _child(definition: Any, name: str) -> Any:
    return next(one for one in _structure(definition)["childComponents"] if one["name"] == name)


def _scale(definition: Any, name: str, **scale: Any) -> None:
    _child(definition, name)["scaleDefinition"] |= scale


def _no_scale(definition: Any, name: str) -> None:
    del _child(definition, name)["scaleDefinition"]


class Fault(NamedTuple):
    """A wrong definition of a kind, a settled moment of a life, and the counts that are told of a subject."""

    kind: str
    name: str
    plant: Callable[[Any], None]
    subject: str | None
    expected: str
    found: str


WORKERS = ".spec.workerGroupSpecs[]"
FAULTS = {
    "the maximum for hosts of a replica": Fault(
        "raycluster",
        "runs",
        lambda one: _scale(one, "worker", podsPerReplicaPath=f"{WORKERS} | .maxReplicas // 1"),
        "worker workers",
        "8",
        "2",
    ),
    "the minimum for replicas": Fault(
        "raycluster",
        "runs",
        lambda one: _scale(one, "worker", replicasPath=f"{WORKERS}.minReplicas"),
        "worker workers",
        "0",
        "2",
    ),
    "the maximum for replicas": Fault(
        "raycluster",
        "runs",
        lambda one: _scale(one, "worker", replicasPath=f"{WORKERS}.maxReplicas"),
        None,
        "5",
        "3",
    ),
    "no count of workers": Fault(
        "paddlejob", "completes", lambda one: _no_scale(one, "worker"), "worker", "1", "2"
    ),
}


@cache
def _definition(kind: str) -> Any:
    file = Path(catalog.__file__).parent / kind / "definition.yaml"
    return yaml.safe_load(file.read_text())


def _settled(fault: Fault) -> State:
    """The first moment at which all its pods are there and ready."""
    file = FOLDER / fault.kind / f"{fault.name}.json"
    return next(frame for frame, right in zip(life(file).frames, judged(file), strict=True) if right.settled)


def _planted(fault: Fault) -> DefinitionSet:
    definition = deepcopy(_definition(fault.kind))
    fault.plant(definition)
    layer, findings = load_objects([definition])
    assert findings == []
    return DefinitionSet([*BUILTIN.layers, layer])


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS.keys())
def test_a_wrong_count_differs_where_bounds_would_allow_it(fault: Fault) -> None:
    rows = _check(_settled(fault), _planted(fault)).rows
    told = [
        (row.expected, row.found, row.verdict)
        for row in rows
        if (row.check, row.subject) == ("pods", fault.subject)
    ]
    assert told == [(fault.expected, fault.found, "differs")]


def _pods(rows: tuple[Row, ...]) -> list[tuple[str | None, str | None, str]]:
    return [(row.subject, row.expected, row.verdict) for row in rows if row.check == "pods"]


def test_finished_pods_of_a_jobset_are_held_against_its_count() -> None:
    """Jobs may make several rounds of pods, and what is read of them does not tell: no tick, though."""
    file = FOLDER / "jobset" / "normal.json"
    frame = life(file).frames[-1]
    fault = Fault("jobset", "normal", lambda one: _no_scale(one, "replicatedjob"), None, "", "")
    assert _pods(_check(frame, BUILTIN).rows) == [
        (None, "3", "agrees"),
        ("replicatedjob leader", "1", "agrees"),
        ("replicatedjob worker", "2", "agrees"),
    ]
    assert _pods(_check(frame, _planted(fault)).rows) == [
        (None, "2", "open"),
        ("replicatedjob leader", "1", "agrees"),
        ("replicatedjob worker", "1", "open"),
    ]


def test_a_deployment_whose_pods_are_ready_has_not_failed() -> None:
    def plant(definition: Any) -> None:
        mappings = _structure(definition)["rootComponent"]["statusDefinition"]["statusMappings"]
        mappings["failed"] = [{"byConditions": [{"type": "Available", "status": "True"}]}]

    fault = Fault("deployment", "normal", plant, None, "", "")
    (row,) = [row for row in _check(_settled(fault), _planted(fault)).rows if row.check == "phase"]
    assert (row.expected, row.verdict) == ("Failed", "differs")
