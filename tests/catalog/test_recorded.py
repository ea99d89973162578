"""Lives of workloads, recorded in clusters: every frame has one phase, that of `recorded.yaml`."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from workload_map.catalog import Catalog
from workload_map.engine.resolve import resolve

FOLDER = Path(__file__).parents[2].parent / "shared" / "recorded"
EXPECTED: dict[str, list[tuple[str, str]]] = yaml.safe_load(
    Path(__file__).with_name("recorded.yaml").read_text()
)
CATALOG = Catalog.builtin()

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="the recorded lives are not beside the checkout")


def merged(value: dict[str, Any], patch: dict[str, Any]) -> dict[str, Any]:
    """A JSON merge patch (RFC 7386): a frame tells what has changed since the one before."""
    result = dict(value)
    for key, change in patch.items():
        if change is None:
            result.pop(key, None)
        elif isinstance(change, dict):
            below = result.get(key)
            result[key] = merged(below if isinstance(below, dict) else {}, change)
        else:
            result[key] = change
    return result


def frames(recording: dict[str, Any]) -> list[dict[str, Any]]:
    objects = []
    current = recording["base"]
    for frame in recording["frames"]:
        current = merged(current, frame["merge"])
        objects.append(current)
    return objects


def recordings() -> dict[str, dict[str, Any]]:
    found = {}
    for file in sorted(FOLDER.glob("*/*.json")):
        recording = json.loads(file.read_text())
        if CATALOG.covers(recording["base"]["apiVersion"], recording["base"]["kind"]):
            found[f"{file.parent.name}/{file.name}"] = recording
    return found


def test_every_recording_of_a_built_in_kind_is_judged() -> None:
    judged = {name: len(phases) for name, phases in EXPECTED.items()}
    assert judged == {name: len(recording["frames"]) for name, recording in recordings().items()}


@pytest.mark.parametrize("name", EXPECTED)
def test_every_frame_has_the_phase_that_its_kind_means(name: str) -> None:
    objects = frames(json.loads((FOLDER / name).read_text()))
    views = [resolve(obj, CATALOG) for obj in objects]
    assert [view.phases for view in views] == [(phase,) for phase, _ in EXPECTED[name]]
    assert [problem for view in views for problem in view.problems] == []
