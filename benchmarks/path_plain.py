"""The path language: a plain path and a condition, against hand-written Python, jq and gojq, in one run."""

from __future__ import annotations

import json
import subprocess
from typing import Any

import jq
from tests.path.oracles import gojq_command

from benchmarks.measure import Row, ratio, seconds
from workload_map import path
from workload_map.path import program as programs

_PLAIN = ".spec.replicatedJobs[].template.spec.template"
_RUNNING = (
    'any(.status.conditions[]; .type == "Running" and .status == "True") '
    "and all(.status.replicatedJobsStatus[]; .ready > 0)"
)
# As many variables as a training job has, so that the object weighs what a JobSet does: 9 KB.
_ENV = [{"name": f"NCCL_OPTION_{number}", "value": f"value-{number}"} for number in range(40)]
_OBJECT: dict[str, Any] = {
    "spec": {
        "replicatedJobs": [
            {
                "name": f"job-{number}",
                "replicas": number,
                "template": {
                    "spec": {
                        "parallelism": 2,
                        "template": {
                            "spec": {"containers": [{"name": "main", "image": "app:1", "env": _ENV}]}
                        },
                    }
                },
            }
            for number in range(4)
        ]
    },
    "status": {
        "replicatedJobsStatus": [{"name": f"job-{number}", "ready": 1} for number in range(4)],
        "conditions": [{"type": "Completed", "status": "False"}, {"type": "Running", "status": "True"}],
    },
}


def _by_hand(value: dict[str, Any]) -> list[Any]:
    return [job["template"]["spec"]["template"] for job in value["spec"]["replicatedJobs"]]


def _running_by_hand(value: dict[str, Any]) -> bool:
    status = value["status"]
    return any(one["type"] == "Running" and one["status"] == "True" for one in status["conditions"]) and all(
        one["ready"] > 0 for one in status["replicatedJobsStatus"]
    )


def _compiled() -> list[Any]:
    """Parse, check, compile to Python and run once, nothing remembered."""
    programs._compiled.cache_clear()
    return path.compile(_PLAIN).all(_OBJECT)


def _gojq(expression: str) -> float | None:
    """Seconds of one run of a compiled program in gojq; None where there is no Go."""
    command = gojq_command()
    if command is None:
        return None
    request = json.dumps({"P": expression, "V": _OBJECT})
    return int(subprocess.run([command, request], capture_output=True, check=True).stdout) / 1e9


def run() -> list[Row]:
    """Ratios of one run each, and the time to compile."""
    plain, running, bound = path.compile(_PLAIN), path.compile(_RUNNING), jq.compile(_PLAIN)
    if not plain.all(_OBJECT) == _by_hand(_OBJECT) == bound.input_value(_OBJECT).all():
        raise AssertionError("the engines differ")
    if running.first(_OBJECT) is not _running_by_hand(_OBJECT):
        raise AssertionError("the condition differs")
    plain.locations(_OBJECT)
    rows = [
        Row(
            "a plain path against hand-written Python",
            ratio(lambda: plain.all(_OBJECT), lambda: _by_hand(_OBJECT)),
            3,
        ),
        Row(
            "its locations against its values",
            ratio(lambda: plain.locations(_OBJECT), lambda: plain.all(_OBJECT)),
            2,
        ),
        Row(
            "a condition over two lists against hand-written Python",
            ratio(lambda: running.first(_OBJECT), lambda: _running_by_hand(_OBJECT)),
            5,
        ),
        Row(
            "jq (PyPI) against a plain path, given the decoded object",
            ratio(lambda: bound.input_value(_OBJECT).all(), lambda: plain.all(_OBJECT), rounds=50),
            300,
            at_least=True,
        ),
        Row(
            "parse, check, compile and run a plain path once",
            1000 * seconds(_compiled, rounds=100, at_least=0.001),
            0.5,
            "ms",
        ),
    ]
    # In turn, since the machine is not as fast at one moment as at another, and in rounds as short as gojq's.
    turns = [
        (_gojq(_PLAIN), seconds(lambda: plain.all(_OBJECT), rounds=10, at_least=0.002)) for _ in range(20)
    ]
    theirs = [gojq for gojq, _ in turns if gojq is not None]
    if theirs:
        best = min(theirs) / min(own for _, own in turns)
        rows.append(Row("gojq, compiled, against a plain path", best, 1, at_least=True))
    return rows
