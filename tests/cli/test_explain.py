"""`wmap explain`: what is explained, and how it is called."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

from tests.cli.conftest import Wmap


def _facts(document: Any) -> dict[str, Any]:
    return {fact["what"]: fact for fact in document["facts"]}


def test_without_a_field_phase_and_totals_are_explained(wmap: Wmap, example: str) -> None:
    document = wmap("explain", "jobset/train", "--from", example, "-o", "json").json("explanation")
    assert {what: fact["value"] for what, fact in _facts(document).items()} == {
        "phase": "Running",
        "pods": 3,
        "gpus": 12,
    }
    assert document["workload"]["name"] == "train"


def test_a_total_leads_to_lines_of_the_definition_and_fields_of_the_object(wmap: Wmap, example: str) -> None:
    lines = [
        line.strip(" │├└─")
        for line in wmap("explain", "jobset", "train", "pods", "--from", example).out.splitlines()
    ]
    assert lines[0].endswith("(builtin, catalog/jobset/definition.yaml)")
    at = lines.index("replicas = 2: read from the object")
    assert lines[at + 1].startswith("by childComponents[0].scaleDefinition.replicasPath, line ")
    assert lines[at + 2 : at + 4] == [
        ".spec.replicatedJobs[].replicas",
        "read spec.replicatedJobs[1].replicas = 2",
    ]


def test_a_component_is_a_field(wmap: Wmap, example: str) -> None:
    document = wmap("explain", "raycluster/tune", "worker", "--from", example, "-o", "json").json(
        "explanation"
    )
    (worker,) = document["facts"]
    assert [(fact["what"], fact["value"]) for fact in worker["facts"]][:2] == [("pods", 2), ("gpus", 2)]


def test_an_instance_is_a_field(wmap: Wmap, example: str) -> None:
    for words in (["jobset/train", "worker"], ["jobset", "train", "replicatedjob/worker"]):
        (worker,) = wmap("explain", *words, "--from", example, "-o", "json").json("explanation")["facts"]
        assert worker["what"] == "replicatedjob worker"
        assert [(fact["what"], fact["value"]) for fact in worker["facts"]] == [("pods", 2), ("gpus", 8)]


def test_a_pod_is_explained_by_its_owners_and_labels(wmap: Wmap, example: str) -> None:
    result = wmap("explain", "pod/train-worker-0-0-l6r9s", "--from", example, "-o", "json")
    facts = _facts(result.json("explanation"))
    assert facts["workload"]["value"] == "JobSet/train"
    assert facts["component"]["value"] == "replicatedjob"
    assert [fact["value"] for fact in facts["component"]["facts"] if fact["what"] == "instance"] == ["worker"]


def test_a_manifest_needs_no_name_and_has_no_phase(wmap: Wmap, example: str) -> None:
    manifest = example.replace("dump", "jobset")
    document = wmap("explain", "-f", manifest, "phase", "-o", "json").json("explanation")
    assert [(fact["what"], fact["value"]) for fact in document["facts"]] == [("phase", None)]
    assert _facts(wmap("explain", "-f", manifest, "-o", "json").json("explanation"))["gpus"]["value"] == 12


def test_wrong_calls(wmap: Wmap, example: str) -> None:
    unknown = wmap("explain", "jobset/train", "gpu", "--from", example)
    assert (unknown.code, unknown.out) == (2, "")
    assert "hint: did you mean gpus?" in unknown.err
    listed = wmap("explain", "jobset/train", "nonsense", "--from", example)
    assert "hint: there are phase, pods, gpus, replicatedjob, leader, worker\n" in listed.err
    assert wmap("explain", "jobset/nobody", "--from", example).code == 3
    assert wmap("explain", "jobset", "--from", example).code == 2
    assert wmap("explain", "jobset/train", "a", "b", "--from", example).code == 2
    assert wmap("explain", "pod/nobody", "--from", example).code == 3


def test_signs_are_words_of_ascii_where_they_cannot_be_shown(example: str) -> None:
    call = [sys.executable, "-c", "from workload_map.cli import main; main()", "explain"]
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    for words, told in (
        (["jobset/train", "pods"], b"replicas x pods of each: 1 x 1\n"),
        (
            ["pod/train-worker-0-0-l6r9s"],
            b"Pod train-worker-0-0-l6r9s <- Job train-worker-0 <- JobSet train\n",
        ),
    ):
        done = subprocess.run(
            [*call, *words, "--from", example], capture_output=True, env=environment, check=True
        )
        assert told in done.stdout
        assert b"\\" not in done.stdout
