"""What recording is made of, without a cluster: scenarios, stable states, and lives as files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cluster.record.observing import Change
from tests.cluster.record.scenario import Scenario, ScenarioError, read_all
from tests.cluster.record.steps import Seen, frames
from tests.lives.life import FOLDER, Life, difference
from tests.real.shared import merged

Object = dict[str, Any]
UID = "0f8fad5b-d9cb-469f-a165-70867728950e"

values = st.recursive(
    st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=3),
    max_leaves=12,
)
objects = st.dictionaries(st.text(max_size=2), values, max_size=4)


@given(objects, objects)
def test_a_difference_leads_from_one_state_to_the_other(before: Object, after: Object) -> None:
    assert merged(before, difference(before, after)) == after


def test_a_difference_says_nothing_of_what_is_the_same() -> None:
    before = {"a": 1, "b": {"c": 2, "d": 3}, "e": [1, 2]}
    assert difference(before, {"a": 1, "b": {"c": 2}, "e": [1]}) == {"b": {"d": None}, "e": [1]}


def test_a_life_is_the_same_when_it_is_read_back(tmp_path: Path) -> None:
    states = [{"object": {"n": number}, "pods": {}, "related": {}} for number in range(3)]
    for stands_in in (None, "a stand-in"):
        life = Life("A life.", {"kubernetes": "v1"}, stands_in, states)
        life.write(tmp_path / "kind" / "life.json")
        assert Life.read(tmp_path / "kind" / "life.json") == life


def test_a_life_that_no_merge_patch_can_say_is_not_written(tmp_path: Path) -> None:
    # A member that is null is one that goes, in a merge patch.
    states: list[Object] = [{"object": {}}, {"object": {"a": None}}]
    with pytest.raises(ValueError, match="no merge patch"):
        Life("A life.", {}, None, states).write(tmp_path / "life.json")


def test_every_scenario_can_be_read_and_every_life_has_one() -> None:
    scenarios = {one.name for one in read_all([])}
    assert {f"{file.parent.name}/{file.stem}" for file in FOLDER.glob("*/*.json")} <= scenarios


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{about: A., manifest: [], steps: [{wait: .a, patch: {}}]}", "a step has one of wait"),
        ("{about: A., manifest: [], steps: [{delete: .object, secnds: 3}]}", "a step has no secnds"),
        ("{about: A., manifest: [], steps: [{wait: '.a ||'}]}", r"\.a \|\|"),
        ("{about: A., manifest: [], stepz: []}", "a scenario has no stepz"),
        ("{about: A.}", "manifest"),
        ("{", "line 1"),
    ],
)
def test_a_scenario_that_is_none_is_refused_with_its_place(tmp_path: Path, text: str, says: str) -> None:
    file = tmp_path / "bad.yaml"
    file.write_text(text)
    with pytest.raises(ScenarioError, match=says) as refused:
        Scenario.read(file)
    assert str(file) in str(refused.value)


def test_there_is_no_scenario_of_that_name() -> None:
    with pytest.raises(ScenarioError, match="nothing/such"):
        read_all(["nothing/such"])


class Run:
    """One run of a scenario, with a Job that makes pods; what is by chance is given."""

    def __init__(self, uid: str, suffix: str, minute: int, node: str):
        self.version = minute * 100
        self.uid, self.suffix, self.minute, self.node = uid, suffix, minute, node
        self.changes: list[Change] = []

    def at(self, kind: str, name: str, gone: bool = False, status: Any = None, **metadata: Any) -> None:
        self.version += 3
        uid = self.uid if kind == "Job" else self.uid[:-2] + "ff"
        own = {"name": name, "uid": uid, "resourceVersion": str(self.version), "managedFields": [1]}
        obj = {"kind": kind, "metadata": own | metadata, "status": status}
        self.changes.append(Change(self.version, gone, obj))

    def play(self) -> list[Object]:
        owner = {"kind": "Job", "name": "train", "uid": self.uid, "controller": True}
        pod: dict[str, Any] = {"generateName": "train-", "ownerReferences": [owner]}
        name = f"train-{self.suffix}"
        self.at("Job", "train", creationTimestamp=self.time(0))
        self.at("Pod", name, **pod, creationTimestamp=self.time(1))
        self.at("Job", "train", creationTimestamp=self.time(0), status={"message": f"made {name}"})
        after = self.version
        self.at(
            "Pod", name, **pod, creationTimestamp=self.time(1), status={"node": self.node, "at": self.time(7)}
        )
        self.at(
            "Pod", name, **pod, creationTimestamp=self.time(1), status={"node": self.node, "at": self.time(9)}
        )
        self.at("Pod", name, gone=True, **pod)
        self.at("Job", "train", gone=True)
        self.at("Job", "train")
        manifest = {"kind": "Job", "metadata": {"name": "train"}}
        scenario = Scenario("job/made-up", "A run.", [manifest], [])
        return frames(scenario, Seen(self.changes, [after]))

    def time(self, second: int) -> str:
        return f"2026-05-04T10:{self.minute:02}:{second:02}Z"


FIRST = Run(UID, "x7k2p", 5, "node-7").play()


def test_two_runs_of_a_scenario_are_the_same() -> None:
    assert Run("7c9e6679-7425-40de-944b-e07fc1f90ae7", "bb4zq", 44, "node-3").play() == FIRST


def test_frames_end_with_the_object_and_show_each_visible_change_once() -> None:
    # Made, its pod, its message, the pod's node, the pod gone; a time that alone moves on shows nothing.
    assert [sorted(frame["pods"]) for frame in FIRST] == [[], *[["train-00001"]] * 3, []]
    assert FIRST[2]["object"]["status"] == {"message": "made train-00001"}


def test_times_count_the_steps_and_the_changes_of_an_object() -> None:
    pod = FIRST[3]["pods"]["train-00001"]
    assert pod["metadata"]["creationTimestamp"] == "2026-01-01T00:00:00Z"
    assert pod["status"] == {"node": "node-1", "at": "2026-01-01T00:01:01Z"}


def test_an_ordinal_stays_and_what_is_below_a_name_by_chance_is_named_after_it() -> None:
    def obj(kind: str, name: str, **metadata: Any) -> Object:
        uid = f"{UID[:-2]}{sum(name.encode()) % 100:02}"
        return {"kind": kind, "metadata": {"name": name, "uid": uid} | metadata}

    owned = [{"kind": "RayJob", "name": "ray", "uid": "u"}]
    made = [
        obj("RayJob", "ray"),
        obj("RayCluster", "ray-x7k2p", ownerReferences=owned),
        obj("Pod", "ray-x7k2p-head-bb4zq", generateName="ray-x7k2p-head-"),
        obj("Pod", "web-0", generateName="web-"),
        # Of a role that is called `node`; it is no node.
        obj("Pod", "torch-node-7-0-x7k2p", generateName="torch-node-7-0-"),
    ]
    changes = [Change(number, False, one) for number, one in enumerate(made)]
    scenario = Scenario("rayjob/made-up", "A run.", [obj("RayJob", "ray")], [])
    last = frames(scenario, Seen(changes, []))[-1]
    assert list(last["related"]) == ["RayCluster/ray-00001"]
    assert list(last["pods"]) == ["ray-00001-head-00001", "web-0", "torch-node-7-0-00001"]
