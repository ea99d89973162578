"""Definitions in a cluster: they win over built-in ones, and what is wrong with reading them is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cluster.client import Object
from tests.cluster.cluster import Cluster
from tests.cluster.conftest import Wmap
from tests.cluster.test_workloads import deployment
from workload_map import catalog

BUILT_IN = Path(catalog.__file__).parent / "deployment" / "definition.yaml"
NO_CRD = (
    "warning: the cluster has no kartas.run.ai, so no definitions of its own: "
    "the built-in ones count, and those of files"
)


def definition(name: str, **root: Any) -> Object:
    """The built-in definition of Deployments under another name, with other parts of its root."""
    made: Object = yaml.safe_load(BUILT_IN.read_text())
    made["metadata"] = {"name": name}
    made["spec"]["structureDefinition"]["rootComponent"] |= root
    return made


@pytest.fixture
def serving(cluster: Cluster, namespace: str) -> str:
    (made,) = cluster.apply(deployment("serve", 2), namespace)
    cluster.wait_for(made, lambda found: found.get("status", {}).get("readyReplicas") == 2)
    return namespace


def test_without_the_kind_the_others_count(wmap: Wmap, serving: str) -> None:
    code, out, error = wmap("get", "deployments", "-n", serving)
    assert (code, error) == (0, "")
    assert out.splitlines()[1].split()[:3] == ["serve", "Running", "2/2"]
    code, out, error = wmap("definitions", "-o", "name")
    assert (code, error.splitlines()) == (0, [NO_CRD])
    assert "apps-deployment-v1" in out.split()


@pytest.mark.usefixtures("definitions_kind")
def test_one_in_the_cluster_replaces_the_built_in_one(wmap: Wmap, cluster: Cluster, serving: str) -> None:
    assert "builtin" in wmap("get", "deployments", "-n", serving, "-o", "wide")[1]
    cluster.apply(definition("our-deployments", scaleDefinition={"replicasPath": ".spec.replicas * 5"}))
    code, out, error = wmap("get", "deployments", "-n", serving, "-o", "wide")
    row = out.splitlines()[1].split()
    assert (code, error) == (0, "")
    assert row[2] == "2/10"
    assert row[-2:] == ["our-deployments", "cluster"]
    code, out, _ = wmap("definitions", "our-deployments", "-o", "json")
    assert (code, json.loads(out)["metadata"]["name"]) == (0, "our-deployments")
    listed = [line.split() for line in wmap("definitions")[1].splitlines()]
    assert [line[0] for line in listed if "Deployment" in line] == ["our-deployments"]


@pytest.mark.usefixtures("definitions_kind")
def test_a_file_wins_over_the_cluster(wmap: Wmap, cluster: Cluster, serving: str, tmp_path: Path) -> None:
    cluster.apply(definition("our-deployments"))
    file = tmp_path / "definition.yaml"
    file.write_text(yaml.safe_dump(definition("of-a-file")))
    call = ("get", "deployments", "-n", serving, "-o", "wide", "--definitions", str(file))
    assert wmap(*call)[1].splitlines()[1].split()[-2:] == ["of-a-file", "file"]


@pytest.mark.usefixtures("definitions_kind")
def test_two_for_one_kind_are_listed_and_neither_is_used(wmap: Wmap, cluster: Cluster, serving: str) -> None:
    cluster.apply([definition("second"), definition("first")])
    for word in ("deployment", "deployments", "deploy"):
        code, out, error = wmap("get", word, "-n", serving)
        assert (code, out) == (2, "")
        assert error.index("first") < error.index("second")
    assert wmap("describe", "deployment/serve", "-n", serving)[0] == 2
    listed = wmap("definitions", "-o", "name")[1].split()
    assert {"first", "second"} <= {*listed}
    # Others are shown as ever, and one warning tells why this one is not.
    code, _, error = wmap("get", "jobs", "-n", serving)
    assert code == 0
    assert len([line for line in error.splitlines() if "first" in line and "second" in line]) == 1


@pytest.mark.usefixtures("definitions_kind")
def test_whoever_may_not_list_them_is_told_what_it_takes(wmap: Wmap, cluster: Cluster, serving: str) -> None:
    cluster.apply(definition("our-deployments"))
    role = {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "RoleBinding",
        "metadata": {"name": "view"},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "view"},
        "subjects": [{"kind": "User", "apiGroup": "rbac.authorization.k8s.io", "name": "visitor"}],
    }
    cluster.apply(role, serving)
    code, out, error = wmap("get", "deployments", "-n", serving, "-o", "wide", "--as", "visitor")
    assert code == 0
    assert out.splitlines()[1].split()[-1] == "builtin"
    (line,) = error.splitlines()
    assert line.startswith("warning: ")
    assert all(word in line for word in ("list", "kartas.run.ai", "forbidden"))


def test_a_cluster_that_is_down_leaves_the_built_in_ones(wmap: Wmap) -> None:
    code, out, error = wmap("definitions", "--server", "https://127.0.0.1:1", "-o", "name")
    assert code == 0
    assert "apps-deployment-v1" in out.split()
    (line,) = error.splitlines()
    assert line.startswith("warning: definitions in the cluster are left out: ")


@pytest.mark.usefixtures("definitions_kind")
def test_versions_tell_whether_the_cluster_has_them(wmap: Wmap) -> None:
    server = json.loads(wmap("version", "-o", "json")[1])["server"]
    assert server["version"].startswith("v1.")
    assert server["definitions"] == "v1alpha1"
