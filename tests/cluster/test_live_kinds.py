"""Commands on every kind that runs here: dumps answer as the cluster does, definitions fit what is there."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cluster.cluster import Cluster
from tests.cluster.conftest import StartOperators, Wmap
from tests.cluster.record.scenario import Scenario, read_all
from tests.cluster.settled import settled

GROUPS = {
    "kubernetes": [
        *("pod/normal", "pod/no-image", "pod/crash-loop", "job/normal", "cronjob/suspended"),
        "deployment/unready",
        *("deployment/normal", "replicaset/normal", "statefulset/normal", "daemonset/normal"),
    ],
    "sets": ["jobset/normal", "leaderworkerset/normal"],
    "ray": ["raycluster/runs", "rayjob/completes", "rayservice/runs"],
    "training": [
        *("pytorchjob/scaled", "tfjob/completes", "xgboostjob/completes", "jaxjob/completes"),
        *("paddlejob/completes", "mpijob/worker-lost", "mpijob/completes", "trainjob/completes"),
    ],
    "wrapped": ["appwrapper/completes"],
}


# What is restarted again and again: no two looks see the same.
RESTLESS = "pod/crash-loop"
# Where what is there is really other than what is asked for -> the check that tells it, and in which words.
DIFFERENT = {
    # Nothing stops its parameter server and workers when its chief is done.
    "tfjob/completes": ("phase", "it says Completed, but 3 pods still run"),
}


@pytest.fixture(scope="module", params=GROUPS.values(), ids=list(GROUPS))
def group(
    cluster: Cluster, operators: StartOperators, request: pytest.FixtureRequest
) -> Iterator[list[Scenario]]:
    """Scenarios that have come to their end."""
    scenarios = read_all(request.param)
    operators(*{name for one in scenarios for name in one.operators})
    with settled(cluster, scenarios):
        yield scenarios


def target(scenario: Scenario) -> str:
    """The workload, as a word of a call."""
    kind, group = scenario.object["kind"], scenario.object["apiVersion"].rpartition("/")[0]
    return f"{kind.lower()}{'.' if group else ''}{group}/{scenario.object['metadata']['name']}"


def dumps(wmap: Wmap, cluster: Cluster, scenario: Scenario, folder: Path) -> tuple[Path, Path]:
    """A dump by each tool, of the namespace of a scenario."""
    ours, theirs = folder / f"{scenario.slug}-ours.json", folder / f"{scenario.slug}-theirs.yaml"
    # With the kinds themselves it is large, and YAML takes long to read.
    ours.write_text(wmap("dump", "-n", scenario.slug, "-o", "json")[1])
    workload = scenario.object
    kinds = [f"{workload['apiVersion']}/{workload['kind']}", *scenario.between, "v1/Pod"]
    theirs.write_text(
        cluster.kubectl(
            "get", ",".join(dict.fromkeys(map(_resource, kinds))), "-n", scenario.slug, "-o", "yaml"
        )
    )
    return ours, theirs


def _resource(kind: str) -> str:
    """How kubectl calls a kind: `Job.v1.batch` for `batch/v1/Job`."""
    api_version, _, name = kind.rpartition("/")
    group, _, version = api_version.rpartition("/")
    return f"{name}.{version}.{group}" if group else name


def calls(scenario: Scenario) -> list[tuple[str, ...]]:
    """Each command about workloads, in each of its outputs."""
    name = target(scenario)
    return [
        *(("get", "all", "-o", output) for output in ("table", "wide", "json", "yaml", "csv", "name")),
        ("get", "all", "--sum-by", "phase"),
        ("get", name),
        *(("describe", name, "-o", output) for output in ("text", "json", "yaml")),
        *(("explain", name, field) for field in ("phase", "pods", "gpus")),
        ("check", name),
        ("check", name, "-o", "json"),
        *(("draw", name, "-o", output) for output in ("svg", "html", "mermaid", "dot")),
    ]


def ageless(text: str) -> str:
    """Without what grows while one looks, and the blanks that make room for it."""
    return re.sub(r"[ ─]+", " ", re.sub(r"\b(?:\d+[smhd]){1,2}\b", "AGE", text))


def _versions(cluster: Cluster, scenario: Scenario) -> str:
    words = ",".join(map(_resource, [f"{scenario.object['apiVersion']}/{scenario.object['kind']}", "v1/Pod"]))
    path = "jsonpath={.items[*].metadata.resourceVersion}"
    return cluster.kubectl("get", words, "-n", scenario.slug, "-o", path)


@pytest.mark.usefixtures("definitions_kind")
def test_dumps_of_both_tools_answer_as_the_cluster_does(
    wmap: Wmap, cluster: Cluster, group: list[Scenario], tmp_path: Path
) -> None:
    for scenario in group:
        if scenario.name == RESTLESS:
            continue
        # A controller may still write the same in another order.
        for _ in range(3):
            before = _versions(cluster, scenario)
            ours, theirs = dumps(wmap, cluster, scenario, tmp_path)
            live = {call: wmap(*call, "-n", scenario.slug) for call in calls(scenario)}
            if before == _versions(cluster, scenario):
                break
        for call, (code, out, error) in live.items():
            assert out, (scenario.name, call, error)
            for dump in (ours, theirs):
                again = wmap(*call, "-n", scenario.slug, "--from", str(dump))
                where = (scenario.name, call, dump.name)
                assert (again[0], *map(ageless, again[1:])) == (code, ageless(out), ageless(error)), where


def test_definitions_fit_what_is_there(wmap: Wmap, group: list[Scenario]) -> None:
    for scenario in group:
        code, out, _ = wmap("check", target(scenario), "-n", scenario.slug, "-o", "json")
        (found,) = json.loads(out)["items"]
        differing = [row for row in found["rows"] if row["verdict"] == "differs"]
        expected = DIFFERENT.get(scenario.name)
        assert code == (expected is not None), (scenario.name, differing)
        if expected is not None:
            (row,) = differing
            assert (row["check"], row["message"].endswith(expected[1])) == (expected[0], True), row


def test_each_pod_leads_to_its_workload(wmap: Wmap, cluster: Cluster, group: list[Scenario]) -> None:
    for scenario in group:
        workload = scenario.object
        pods = cluster.client.get(f"/api/v1/namespaces/{scenario.slug}/pods")["items"]
        for pod in pods:
            code, out, error = wmap("owner", pod["metadata"]["name"], "-n", scenario.slug, "-o", "json")
            found = json.loads(out)["workload"]
            assert code == 0, (scenario.name, error)
            assert (found["kind"], found["name"]) == (workload["kind"], workload["metadata"]["name"])
