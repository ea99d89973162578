"""Pods and GPUs of real workloads, counted in two ways that must agree, and the problems that they have."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import pytest

from tests.real.counting import Around, Count, count
from tests.real.shared import BUILTIN, Object, manifests, needs_shared, recordings, samples
from workload_map.documents import Document
from workload_map.engine import Workload, resolve

# The files that are at fault themselves: the codes of all that is told of them, and why it is right.
AT_FAULT = {
    "jobset/site__static__examples__workload-aware-scheduling__dra__jobset.yaml": (
        {"not-at-hand"},
        "its claim template stands in another file",
    ),
    "sandbox/examples__vscode-sandbox__overlays__gvisor__patch-gvisor.yaml": (
        {"no-containers"},
        "a patch of kustomize, which has no containers of its own",
    ),
    "skyray/deploy-scripts__nim-service.sample.yaml": ({"replicas-invalid"}, "a placeholder for its count"),
    "skyray/deploy-scripts__ray-job.batch-inference.yaml": ({"bad-quantity"}, "placeholders for its sizes"),
    "skyray/supernova-examples__ray-job.text-summarizer.cpu.snova.1.3.2.http.yaml": (
        {"bad-quantity", "replicas-invalid"},
        "placeholders for its sizes and counts",
    ),
    "skyray/supernova-examples__ray-job.text-summarizer.cpu.snova.1.3.2.submitter.yaml": (
        {"bad-quantity", "replicas-invalid"},
        "placeholders for its sizes and counts",
    ),
    "skyray/supernova-examples__ray-service.text-summarizer.cpu.snova.yaml": (
        {"bad-quantity", "replicas-invalid"},
        "placeholders for its sizes and counts",
    ),
    "skyray/supernova-examples__ray-service.text-summarizer.gpu.1.4.2.yaml": (
        {"bad-quantity", "replicas-invalid"},
        "placeholders for its sizes and counts",
    ),
    "trainer/examples__flux__flux-interactive.yaml": (
        {"reference-missing"},
        "its runtime is installed with the operator",
    ),
    "trainer/examples__flux__lammps-train-gpus.yaml": (
        {"reference-missing"},
        "its runtime is installed with the operator",
    ),
    "trainer/examples__flux__lammps-train-job.yaml": (
        {"reference-missing"},
        "its runtime is installed with the operator",
    ),
    "trainer/examples__yaml__02-runtime-patches.yaml": (
        {"reference-missing"},
        "its runtime is installed with the operator",
    ),
    "trainer/examples__yaml__03-kueue-integration.yaml": (
        {"reference-missing"},
        "its runtime is installed with the operator",
    ),
    "volcano/example__invalid_jobs__duplicatedTaskName-webhook-deny.yaml": (
        {"id-duplicate"},
        "two tasks of one name, which Volcano refuses, as the file is to show",
    ),
}
# Recordings hold one object each; what it refers to is not among them.
NOT_RECORDED = {"kserve/inferenceservice-running-v0.20.0": {"reference-missing"}}
# The documents that cannot be read.
UNREADABLE = {"skyray/deploy-scripts__ray-job.train.yaml": "a key is there twice"}

# Where the view knows less than can be counted by hand, and says so; it counts as no agreement.
KNOWS_LESS = {
    "nim/config__samples__nim__serving__kserve__knative__multi-llm.yaml": (
        "what a NIMService asks for on KServe is unknown as a whole, as the sidecar's CPU is"
    ),
}

AT_LEAST = 350
"""So many real workloads are counted in two ways, with both figures known."""


class Checked(NamedTuple):
    """A real workload with its two counts."""

    where: str
    object: Object
    view: Workload
    counted: Count | None

    @property
    def seen(self) -> Count:
        """What the view says."""
        return Count(self.view.totals.pods, self.view.totals.gpus)

    @property
    def label(self) -> str:
        """What it is, for messages."""
        name = (self.object.get("metadata") or {}).get("name")
        return f"{self.where}: {self.object['kind']} {name}"


@cache
def in_samples() -> list[Checked]:
    return [_check(one.file, one.object, Around(live=False, others=one.beside)) for one in manifests()]


@cache
def in_recordings() -> list[list[Checked]]:
    return [
        [_check(f"{flow}[{index}]", obj, Around(live=True, others=[])) for index, obj in enumerate(frames)]
        for flow, frames in recordings().items()
    ]


def _check(where: str, obj: Object, around: Around) -> Checked:
    view = resolve(obj, BUILTIN, related=around.others, live=around.live)
    return Checked(where, obj, view, count(obj, around))


@needs_shared
def test_every_sample_can_be_read_but_those_that_are_at_fault() -> None:
    broken = {
        file
        for file, documents in samples().items()
        if any(not isinstance(document, Document) for document in documents)
    }
    assert len(samples()) > 400
    assert broken == UNREADABLE.keys()


@needs_shared
def test_a_sample_has_problems_only_where_it_is_at_fault_itself() -> None:
    told: dict[str, set[str]] = {}
    for one in in_samples():
        for problem in one.view.problems:
            told.setdefault(one.where, set()).add(problem.code)
    assert told == {file: codes for file, (codes, _) in AT_FAULT.items()}


@needs_shared
def test_a_recorded_object_has_no_problems_but_that_it_was_recorded_alone() -> None:
    told: dict[str, set[str]] = {}
    for one in itertools.chain.from_iterable(in_recordings()):
        for problem in one.view.problems:
            told.setdefault(one.where.partition("[")[0], set()).add(problem.code)
    assert told == NOT_RECORDED


@needs_shared
def test_there_is_a_counter_for_every_kind_that_is_covered() -> None:
    every = [*in_samples(), *itertools.chain.from_iterable(in_recordings())]
    assert {one.object["kind"] for one in every if one.counted is None} == set()


@needs_shared
def test_both_ways_agree_on_every_sample() -> None:
    differing = {
        one.where: f"{one.label}: counted {one.counted}, seen {one.seen}"
        for one in in_samples()
        if one.counted != one.seen
    }
    assert differing.keys() == KNOWS_LESS.keys(), "\n".join(differing.values())


@needs_shared
@pytest.mark.parametrize("file", KNOWS_LESS)
def test_where_the_view_knows_less_it_says_nothing_wrong(file: str) -> None:
    for one in in_samples():
        if one.where == file and one.counted is not None:
            for counted, seen in zip(one.counted, one.seen, strict=True):
                assert seen in (counted, None)


@needs_shared
def test_both_ways_agree_on_every_recorded_frame() -> None:
    for one in itertools.chain.from_iterable(in_recordings()):
        assert one.counted == one.seen, one.label


@needs_shared
def test_enough_real_workloads_are_counted_in_two_ways(
    record_property: Callable[[str, object], None],
) -> None:
    # Of a recording one frame counts: they are of one workload.
    every = [*in_samples(), *(flow[-1] for flow in in_recordings())]
    agreed = [one for one in every if one.counted == one.seen]
    known = Counter(one.object["kind"] for one in agreed if None not in one.seen)
    unknown = Counter(one.object["kind"] for one in agreed if None in one.seen)
    record_property("counted in two ways", dict(known))
    record_property("unknown in both", dict(unknown))
    print(f"{known.total()} real workloads counted in two ways, {unknown.total()} in part unknown in both")  # noqa: T201
    assert known.total() >= AT_LEAST
