"""Each phase against what the pods say, in both directions."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from tests.engine.farm import DEFINITION, check_farm, component, world
from workload_map.engine.checking import Row

PHASES = (
    *("Initializing", "Running", "Degraded", "Completed", "Failed"),
    *("Suspending", "Suspended", "Resuming"),
)


def _definition(*, may_end: bool = True) -> dict[str, Any]:
    """The state is the phase itself; what may not end is never Completed."""
    definition = deepcopy(DEFINITION)
    names = [name for name in PHASES if may_end or name != "Completed"]
    status = definition["spec"]["structureDefinition"]["rootComponent"]["statusDefinition"]
    status["statusMappings"] = {name.lower(): [{"byPhase": name}] for name in names}
    component(definition)["scaleDefinition"]["minReplicasPath"] = ".spec.roles[].least"
    return definition


READY = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}
STATUSES: dict[str, Any] = {
    "ready": READY,
    "starting": {"phase": "Running", "conditions": [{"type": "Ready", "status": "False"}]},
    "pending": {"phase": "Pending"},
    "done": {"phase": "Succeeded"},
    "failed": {"phase": "Failed"},
    "leaving": READY,
}


def _row(phase: str, pods: str, *, may_end: bool = True, count: int | str = 2, **role: Any) -> Row:
    """The row on the phase of a farm of two with these pods."""
    words = pods.split()
    objects = world({"a": len(words)}, phase)
    (given,) = objects[0]["spec"]["roles"]
    given |= {"count": count, **role}
    for pod, word in zip(objects[2:], words, strict=True):
        pod["status"] = deepcopy(STATUSES[word])
        if word == "leaving":
            pod["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z"
    (row,) = [row for row in check_farm(objects, _definition(may_end=may_end)).rows if row.check == "phase"]
    return row


@pytest.mark.parametrize(
    ("phase", "pods", "verdict"),
    [
        ("Initializing", "", "agrees"),
        ("Initializing", "pending starting", "agrees"),
        ("Initializing", "ready starting", "agrees"),
        ("Initializing", "done starting", "agrees"),
        ("Initializing", "ready ready", "differs"),
        ("Initializing", "done done", "differs"),
        ("Running", "ready ready", "agrees"),
        ("Running", "ready done", "agrees"),
        ("Running", "ready starting", "differs"),
        ("Running", "starting starting", "differs"),
        ("Running", "", "differs"),
        # Until its controller has seen it.
        ("Running", "done done", "open"),
        ("Degraded", "ready starting", "agrees"),
        ("Degraded", "ready", "agrees"),
        ("Degraded", "ready failed", "agrees"),
        ("Degraded", "ready ready", "differs"),
        ("Degraded", "starting starting", "open"),
        ("Degraded", "ready done", "open"),
        ("Degraded", "", "open"),
        ("Completed", "done done", "agrees"),
        ("Completed", "done failed", "agrees"),
        ("Completed", "ready ready", "differs"),
        ("Completed", "failed failed", "differs"),
        ("Completed", "done pending", "open"),
        ("Completed", "", "open"),
        ("Failed", "failed failed", "agrees"),
        ("Failed", "failed done", "agrees"),
        ("Failed", "failed ready", "agrees"),
        ("Failed", "starting starting", "agrees"),
        ("Failed", "done done", "differs"),
        # Jobs may leave pods behind.
        ("Failed", "ready ready", "open"),
        ("Failed", "ready starting", "open"),
        ("Failed", "", "open"),
        ("Suspending", "leaving leaving", "agrees"),
        ("Suspending", "ready leaving", "agrees"),
        ("Suspending", "ready ready", "open"),
        ("Suspending", "", "open"),
        ("Suspended", "", "agrees"),
        ("Suspended", "leaving", "agrees"),
        ("Suspended", "done", "agrees"),
        ("Suspended", "ready", "differs"),
        ("Suspended", "pending", "open"),
        ("Resuming", "", "agrees"),
        ("Resuming", "ready starting", "agrees"),
        ("Resuming", "ready ready", "differs"),
        ("Resuming", "done done", "differs"),
        ("Odd", "ready ready", "differs"),
        ("Odd", "", "differs"),
    ],
)
def test_a_phase_agrees_only_where_the_pods_bear_it_out(phase: str, pods: str, verdict: str) -> None:
    row = _row(phase, pods)
    assert (row.verdict, row.expected) == (verdict, "Undefined" if phase == "Odd" else phase), row.message


@pytest.mark.parametrize(
    ("pods", "verdict", "message"),
    [
        ("ready ready", "differs", "it says Failed, but 2 of 2 pods are ready"),
        ("ready starting", "open", "1 pods are ready, and may be left from before"),
        ("starting failed", "agrees", "nothing that the pods say is against it"),
    ],
)
def test_a_service_that_still_serves_has_not_failed(pods: str, verdict: str, message: str) -> None:
    row = _row("Failed", pods, may_end=False)
    assert (row.verdict, row.message) == (verdict, message)


def test_as_few_as_a_service_can_do_with_serve() -> None:
    assert _row("Failed", "ready starting", may_end=False, least=1).verdict == "differs"
    assert _row("Running", "ready starting", least=1).verdict == "open"
    assert _row("Running", "starting starting", least=1).verdict == "differs"


@pytest.mark.parametrize("phase", ["Initializing", "Degraded", "Resuming"])
def test_what_lacks_cannot_be_told_where_the_number_is_not_known(phase: str) -> None:
    assert _row(phase, "ready ready", count="many").verdict == "open"
    assert _row("Running", "ready", count="many").verdict == "agrees"
    assert _row("Running", "starting", count="many").verdict == "open"


def test_what_asks_for_nothing_has_no_pods_that_could_tell() -> None:
    assert _row("Running", "", count=0).verdict == "open"
    assert _row("Suspended", "", count=0).verdict == "agrees"


@pytest.mark.parametrize(
    ("meta", "verdict"), [({"deletionTimestamp": "2026-01-01T00:00:00Z"}, "open"), ({}, "differs")]
)
def test_the_phase_of_what_is_being_deleted_is_that_of_before(meta: dict[str, Any], verdict: str) -> None:
    objects = world({"a": 2}, "Initializing")
    objects[0]["metadata"] |= meta
    (row,) = [row for row in check_farm(objects, _definition()).rows if row.check == "phase"]
    assert row.verdict == verdict


def test_a_status_of_an_older_spec_may_be_behind_the_pods() -> None:
    objects = world({"a": 2}, "Initializing")
    objects[0]["metadata"]["generation"] = 2
    objects[0]["status"]["observedGeneration"] = 1
    (row,) = [row for row in check_farm(objects, _definition()).rows if row.check == "phase"]
    assert (row.verdict, row.message) == (
        "open",
        "it says Initializing, but 2 of 2 pods are ready, and its status is older than its spec",
    )
