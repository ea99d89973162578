"""Commands on a real cluster: what they show of it, with which rights, and that a dump answers the same."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cluster.cluster import Cluster
from tests.cluster.conftest import StartOperators, Wmap
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


def test_columns_and_templates_of_ones_own_are_filled(wmap: Wmap, settled: str) -> None:
    inside = ("-n", settled)
    template = '{range .items[?(@.phase=="Running")]}{.name} {.observed.ready}/{.totals.pods}{"\\n"}{end}'
    assert wmap("get", "all", *inside, "-o", f"jsonpath={template}")[1] == "serve 2/2\n"
    assert wmap("get", "jobset/train", *inside, "-o", "jsonpath={.totals.gpus}")[1] == "2"
    columns = wmap("get", "all", *inside, "-o", "custom-columns=NAME:.name,GPU:.totals.gpus")[1]
    assert [line.split() for line in columns.splitlines()] == [
        ["NAME", "GPU"],
        ["serve", "2"],
        ["train", "2"],
    ]


def test_a_picture_is_drawn_of_what_runs(cluster: Cluster, settled: str) -> None:
    call = [str(Path(sys.executable).with_name("wmap")), "draw", "deployment/serve", "-n", settled, "-o"]
    environment = {**os.environ, "KUBECONFIG": str(cluster.kubeconfig)}

    def draw(form: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run([*call, form], env=environment, capture_output=True, check=False)

    assert b"2/2 ready" in draw("svg").stdout
    drawn = draw("png")
    if b"no font" in drawn.stderr:
        pytest.skip("there is no font on this machine")
    assert (drawn.returncode, drawn.stderr) == (0, b"")
    assert drawn.stdout.startswith(b"\x89PNG")


QUEUES = """
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: held}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: held}
spec:
  namespaceSelector: {}
  resourceGroups:
  - coveredResources: [nvidia.com/gpu]
    flavors:
    - {name: held, resources: [{name: nvidia.com/gpu, nominalQuota: 1}]}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: team}
spec: {clusterQueue: held}
"""


def test_a_jobset_that_a_queue_holds_is_suspended_and_queued(
    wmap: Wmap, cluster: Cluster, namespace: str, operators: StartOperators
) -> None:
    # Kueue refuses TrainJobs for good where their kind is younger than itself, so that comes first.
    operators("trainer", "kueue")
    cluster.apply(QUEUES, namespace)
    held = jobset("held", 2)
    held["metadata"]["labels"] = {"kueue.x-k8s.io/queue-name": "team"}
    (made,) = cluster.apply([held], namespace)
    cluster.wait_for(made, lambda found: has(found, "Suspended"))
    row = wmap("get", "jobset", "-n", namespace, "-o", "wide")[1].splitlines()[1].split()
    assert row[:4] == ["held", "Suspended", "0/2", "2"]
    shown = wmap("describe", "jobset/held", "-n", namespace)[1]
    assert "Status: Suspended, queued in team" in shown.splitlines()
    view = json.loads(wmap("get", "jobset/held", "-n", namespace, "-o", "json")[1])["items"][0]
    assert view["queue"] == {"name": "team", "system": "kueue", "admitted": False}
    assert (view["suspended"], view["totals"]["pods"], view["observed"]["pods"]) == (True, 2, 0)
    assert wmap("check", "jobset/held", "-n", namespace)[0] == 0


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
