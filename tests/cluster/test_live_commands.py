"""Commands on a real cluster: what they show of it, with which rights, and that a dump answers the same."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cluster.cluster import Cluster
from tests.cluster.pods import has
from tests.cluster.test_workloads import deployment, jobset
from workload_map.cli.entry import run

Wmap = Callable[..., tuple[int, str, str]]
USER = "reader"


@pytest.fixture
def wmap(cluster: Cluster, capsys: pytest.CaptureFixture[str]) -> Wmap:
    def call(*arguments: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = run([*arguments, "--kubeconfig", str(cluster.kubeconfig)])
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return code, captured.out, captured.err

    return call


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


@pytest.fixture
def role(wmap: Wmap, cluster: Cluster) -> Iterator[Any]:
    """The printed role, bound to a user who has no other rights."""
    made = json.loads(wmap("rbac", "-o", "json")[1])
    binding = {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "ClusterRoleBinding",
        "metadata": {"name": made["metadata"]["name"]},
        "roleRef": {
            "apiGroup": "rbac.authorization.k8s.io",
            "kind": "ClusterRole",
            "name": made["metadata"]["name"],
        },
        "subjects": [{"kind": "User", "apiGroup": "rbac.authorization.k8s.io", "name": USER}],
    }
    cluster.apply([made, binding])
    yield made
    cluster.client.delete(binding)
    cluster.client.delete(made)


def _calls(namespace: str, pod: str) -> list[tuple[str, ...]]:
    return [
        ("get", "all", "-n", namespace),
        ("get", "all", "-A"),
        ("get", "jobset/train", "-n", namespace),
        ("describe", "jobset/train", "-n", namespace, "--events"),
        ("describe", "deployment/serve", "-n", namespace, "--events"),
        ("owner", pod, "-n", namespace),
        ("definitions",),
        ("dump", "-n", namespace),
    ]


def _troubles(wmap: Wmap, calls: list[tuple[str, ...]]) -> list[str]:
    """What of these calls fails or is left out."""
    found = []
    for call in calls:
        code, _, error = wmap(*call, "--as", USER)
        told = [line for line in error.splitlines() if "forbidden" in line]
        if code or told:
            found.append(f"{call}: {code} {told}")
    return found


def test_the_role_is_enough_and_no_line_of_it_too_much(
    wmap: Wmap, settled: str, cluster: Cluster, role: Any
) -> None:
    (pod, *_) = cluster.client.get(f"/api/v1/namespaces/{settled}/pods")["items"]
    calls = _calls(settled, pod["metadata"]["name"])
    assert _troubles(wmap, calls) == []
    served = {"", "apps", "batch", "jobset.x-k8s.io", "leaderworkerset.x-k8s.io"}
    for number, rule in enumerate(role["rules"]):
        if rule["apiGroups"][0] in served:
            rest = [*role["rules"][:number], *role["rules"][number + 1 :]]
            cluster.apply({**role, "rules": rest})
            assert _troubles(wmap, calls) != [], rule
    cluster.apply(role)
    assert wmap("get", "all", "-n", settled, "--as", "nobody")[0] == 1
