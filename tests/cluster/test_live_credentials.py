"""Credentials on a real API server: tokens from files and plugins, certificates, and what it refuses."""

from __future__ import annotations

import base64
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cluster.client import Object
from tests.cluster.cluster import Cluster
from tests.cluster.conftest import Wmap
from tests.cluster.test_workloads import deployment

# Gives what lies in the file of its argument, and writes a line for each run beside it.
PLUGIN = """\
import json, os, pathlib, sys
info = json.loads(os.environ["KUBERNETES_EXEC_INFO"])
assert info["spec"]["interactive"] is False
given = pathlib.Path(sys.argv[1])
with open(given.with_suffix(".runs"), "a") as runs:
    runs.write("run\\n")
number = len(given.with_suffix(".runs").read_text().splitlines())
statuses = json.loads(given.read_text())
status = statuses[min(number, len(statuses)) - 1]
print(json.dumps({"apiVersion": info["apiVersion"], "kind": "ExecCredential", "status": status}))
"""


@pytest.fixture
def reader(cluster: Cluster, namespace: str) -> str:
    """The namespace of a Deployment that its service account `reader`, and the user `carol`, may read."""
    account = {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "reader"}}
    binding = {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "RoleBinding",
        "metadata": {"name": "readers"},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "view"},
        "subjects": [
            {"kind": "ServiceAccount", "name": "reader", "namespace": namespace},
            {"kind": "User", "apiGroup": "rbac.authorization.k8s.io", "name": "carol"},
        ],
    }
    *_, made = cluster.apply([account, binding, deployment("serve", 1)], namespace)
    cluster.wait_for(made, lambda found: found.get("status", {}).get("readyReplicas") == 1)
    return namespace


@pytest.fixture
def token(cluster: Cluster, reader: str) -> str:
    """A token of that account."""
    path = f"/api/v1/namespaces/{reader}/serviceaccounts/reader/token"
    answer = cluster.client.request("POST", path, {"spec": {"expirationSeconds": 600}})
    text: str = answer["status"]["token"]
    return text


@pytest.fixture
def listing(wmap: Wmap, cluster: Cluster, reader: str, tmp_path: Path) -> Callable[..., Any]:
    """Lists the Deployments with a kubeconfig whose user has these credentials."""

    def call(user: Object, namespace: str = reader) -> tuple[int, str, str]:
        config = yaml.safe_load(cluster.kubeconfig.read_text())
        config["users"] = [{"name": config["users"][0]["name"], "user": user}]
        file = tmp_path / "kubeconfig"
        file.write_text(yaml.safe_dump(config))
        return wmap("get", "deployments", "-n", namespace, "--kubeconfig", str(file))

    return call


def _is_let_in(answer: tuple[int, str, str]) -> bool:
    code, out, _ = answer
    return code == 0 and out.splitlines()[1].split()[:3] == ["serve", "Running", "1/1"]


def test_a_token_from_a_file_counts_as_it_is_now(listing: Any, token: str, tmp_path: Path) -> None:
    file = tmp_path / "token"
    user = {"tokenFile": "token"}
    file.write_text("stale")
    code, out, error = listing(user)
    assert (code, out) == (1, "")
    assert "401" in error or "credentials" in error
    file.write_text(f"{token}\n")
    assert _is_let_in(listing(user))
    # It is this account, not the administrator: it may read nothing elsewhere.
    code, out, error = listing(user, "default")
    assert (code, out) == (1, "")
    assert "forbidden" in error


@pytest.fixture
def plugin(tmp_path: Path) -> Callable[..., Object]:
    """Credentials by a plugin that gives these, one after the other."""

    def made(*statuses: Object) -> Object:
        code, given = tmp_path / "plugin.py", tmp_path / "given.json"
        code.write_text(PLUGIN)
        given.write_text(json.dumps(statuses))
        return {
            "exec": {
                "apiVersion": "client.authentication.k8s.io/v1",
                "command": sys.executable,
                "args": [str(code), str(given)],
                "interactiveMode": "Never",
            }
        }

    return made


def test_a_plugin_runs_again_when_the_server_refuses_its_token(
    listing: Any, plugin: Any, token: str, tmp_path: Path
) -> None:
    assert _is_let_in(listing(plugin({"token": "stale"}, {"token": token})))
    assert len((tmp_path / "given.runs").read_text().splitlines()) == 2


def test_a_plugin_runs_again_when_its_token_is_over(
    listing: Any, plugin: Any, token: str, tmp_path: Path
) -> None:
    over = {"token": token, "expirationTimestamp": "2020-01-01T00:00:00Z"}
    lasting = {"token": token, "expirationTimestamp": "2120-01-01T00:00:00Z"}
    assert _is_let_in(listing(plugin(over, over, lasting)))
    assert len((tmp_path / "given.runs").read_text().splitlines()) == 3


def test_a_plugin_that_never_gives_a_good_token_is_told(listing: Any, plugin: Any, tmp_path: Path) -> None:
    code, out, error = listing(plugin({"token": "stale"}))
    assert (code, out) == (1, "")
    assert "401" in error or "credentials" in error


def test_a_plugin_gives_a_client_certificate(
    listing: Any, plugin: Any, cluster: Cluster, certificate: tuple[str, str]
) -> None:
    status = {"clientCertificateData": certificate[0], "clientKeyData": certificate[1]}
    assert _is_let_in(listing(plugin(status)))


@pytest.fixture
def certificate(cluster: Cluster) -> tuple[str, str]:
    """The certificate of the user `carol` and its key."""
    certificate, key = cluster.certificates.client("carol")
    return Path(certificate).read_text(), Path(key).read_text()


def test_a_client_certificate_may_stand_in_the_kubeconfig(listing: Any, certificate: tuple[str, str]) -> None:
    first, second = (base64.b64encode(text.encode()).decode() for text in certificate)
    user = {"client-certificate-data": first, "client-key-data": second}
    assert _is_let_in(listing(user))
    code, _, error = listing(user, "default")
    assert code == 1
    assert "carol" in error


def test_the_certificate_of_the_server_is_checked(wmap: Wmap, reader: str) -> None:
    code, out, error = wmap("get", "deployments", "-n", reader, "--tls-server-name", "other.example")
    assert (code, out) == (1, "")
    assert "certificate" in error
    assert wmap("get", "deployments", "-n", reader, "--tls-server-name", "localhost")[0] == 0
    skipping = ("--tls-server-name", "other.example", "--insecure-skip-tls-verify")
    assert wmap("get", "deployments", "-n", reader, *skipping)[0] == 0
