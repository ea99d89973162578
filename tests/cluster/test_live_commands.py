"""Commands on a real cluster: what they show of it, with which rights, and that a dump answers the same."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cluster.cluster import Cluster
from tests.cluster.conftest import Wmap
from tests.cluster.pods import has
from tests.cluster.test_workloads import deployment, jobset


@pytest.fixture
def settled(cluster: Cluster, namespace: str) -> str:
    """A namespace with a finished JobSet and a running Deployment."""
    made = cluster.apply([jobset("train", 2, after="0s"), deployment("serve", 2)], namespace)
    cluster.wait_for(made[0], lambda found: has(found, "Completed"))
    cluster.wait_for(made[1], lambda found: found.get("status", {}).get("readyReplicas") == 2)
    return namespace


def test_what_runs_is_listed(wmap: Wmap, settled: str) -> None:
    code, out, _ = wmap("get", "all", "-n", settled)
    rows = [line.split()[:4] for line in out.splitlines()[1:]]
    assert code == 0
    assert rows == [["serve", "Deployment", "Running", "2/2"], ["train", "JobSet", "Completed", "0/2"]]


def test_a_listed_kind_takes_three_requests(wmap: Wmap, settled: str) -> None:
    _, _, error = wmap("get", "jobset", "-n", settled, "-v")
    asked = [line.split()[1].partition("?")[0] for line in error.splitlines() if line.startswith("GET ")]
    first = {"/api", "/apis", "/apis/run.ai/v1alpha1/kartas"}
    assert sorted(set(asked) - first) == [
        f"/api/v1/namespaces/{settled}/pods",
        f"/apis/batch/v1/namespaces/{settled}/jobs",
        f"/apis/jobset.x-k8s.io/v1alpha2/namespaces/{settled}/jobsets",
    ]
    assert len(asked) == 6


def test_the_owner_of_a_pod_is_found(wmap: Wmap, settled: str, cluster: Cluster) -> None:
    pods = cluster.client.get(f"/api/v1/namespaces/{settled}/pods")["items"]
    for pod in pods:
        code, out, _ = wmap("owner", pod["metadata"]["name"], "-n", settled, "-o", "json")
        kind = json.loads(out)["workload"]["kind"]
        assert code == 0
        assert kind == ("JobSet" if "job-name" in pod["metadata"]["labels"] else "Deployment")


def _ageless(text: str) -> str:
    return re.sub(r" +", " ", re.sub(r"\b(?:\d+[smhd]){1,2}\b", "AGE", text))


def test_dumps_of_both_tools_and_the_cluster_give_the_same_answers(
    wmap: Wmap, settled: str, cluster: Cluster, tmp_path: Path
) -> None:
    ours, theirs = tmp_path / "ours.yaml", tmp_path / "theirs.yaml"
    ours.write_text(wmap("dump", "-n", settled)[1])
    kinds = "jobsets,jobs,deployments,replicasets,pods"
    theirs.write_text(cluster.kubectl("get", kinds, "-n", settled, "-o", "yaml"))
    for call in (
        ("get", "all", "-n", settled, "-o", "wide"),
        ("get", "jobs", "-n", settled),
        ("describe", "jobset/train", "-n", settled),
        ("describe", "deployment/serve", "-n", settled),
        ("describe", "deployment/serve", "-n", settled, "-o", "json"),
    ):
        code, live, _ = wmap(*call)
        first, second = (wmap(*call, "--from", str(dump))[1] for dump in (ours, theirs))
        assert code == 0 and live
        assert _ageless(first) == _ageless(second) == _ageless(live)
