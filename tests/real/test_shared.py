"""Manifests and recordings of other projects resolve: none fails, and each has its phase."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from tests.real.recorded import FLOWS
from tests.real.shared import BUILTIN, Object, manifests, needs_shared, recordings
from workload_map.engine import Workload, resolve, resolve_many

BROKEN = {"path-failed", "path-budget", "status-failed"}


def broken(workload: Workload) -> list[str]:
    return [f"{one.code}: {one.location}: {one.message}" for one in workload.problems if one.code in BROKEN]


def has_template(obj: Object) -> bool:
    """Whether a manifest says anything about its pods; some samples are scaffolds, never filled in."""
    return '"containers"' in json.dumps(obj)


@needs_shared
def test_every_manifest_of_a_built_in_kind_has_a_view() -> None:
    kinds: Counter[str] = Counter()
    views = resolve_many([one.object for one in manifests()], BUILTIN, live=False)
    for (file, obj, _), workload in zip(manifests(), views, strict=True):
        kinds[workload.kind] += 1
        assert broken(workload) == [], file
        assert workload.phase != "Undefined", file
        assert workload.components or not has_template(obj), file
        assert json.loads(json.dumps(workload.to_dict()))["schemaVersion"] == "1"
    assert kinds.keys() >= {"JobSet", "LeaderWorkerSet", "PyTorchJob", "RayCluster", "Job", "CronJob"}
    assert kinds.keys() >= {"Deployment", "StatefulSet", "DaemonSet", "Pod"}


@needs_shared
def test_a_manifest_has_a_phase_only_where_it_has_a_status() -> None:
    for file, obj, _ in manifests():
        workload = resolve(obj, BUILTIN, live=False)
        if not obj.get("status"):
            assert (workload.phase, workload.phases, workload.why) == (None, (), ()), file


@needs_shared
def test_every_recording_of_a_built_in_kind_is_judged() -> None:
    assert {name: len(frames) for name, frames in recordings().items()} == {
        name: len(frames) for name, frames in FLOWS.items()
    }


@needs_shared
@pytest.mark.parametrize(
    ("flow", "number"), [(flow, number) for flow, frames in FLOWS.items() for number in range(len(frames))]
)
def test_a_recorded_frame_has_the_one_phase_that_it_should_have(flow: str, number: int) -> None:
    expected = FLOWS[flow][number]
    workload = resolve(recordings()[flow][number], BUILTIN)
    assert workload.phases == (expected.phase,), expected.because
    assert workload.stale is expected.stale
    assert broken(workload) == []
    (why,) = workload.why
    assert why.phase == expected.phase
    assert json.loads(json.dumps(workload.to_dict()))["phase"] == expected.phase
