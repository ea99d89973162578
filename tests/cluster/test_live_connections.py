"""Ways to a real API server: the account of a pod, several kubeconfig files, a proxy, names of others."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cluster import components
from tests.cluster.client import Object
from tests.cluster.cluster import Cluster
from tests.cluster.conftest import Wmap
from tests.cluster.test_workloads import deployment

RBAC = "rbac.authorization.k8s.io"
# A mount namespace of its own, in which the files of a pod's account are where kubelets put them.
POD = """
set -e
mount -t tmpfs account /run
folder=/var/run/secrets/kubernetes.io/serviceaccount
mkdir -p $folder
cp "$ACCOUNT"/* $folder
unset KUBECONFIG
export HOME=/nowhere
exec "$@"
"""


@pytest.fixture
def serving(cluster: Cluster, namespace: str) -> str:
    """The namespace of a Deployment that its service account `reader` and the group `readers` may read."""
    account = {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "reader"}}
    binding = {
        "apiVersion": f"{RBAC}/v1",
        "kind": "RoleBinding",
        "metadata": {"name": "readers"},
        "roleRef": {"apiGroup": RBAC, "kind": "ClusterRole", "name": "view"},
        "subjects": [
            {"kind": "ServiceAccount", "name": "reader", "namespace": namespace},
            {"kind": "Group", "apiGroup": RBAC, "name": "readers"},
        ],
    }
    *_, made = cluster.apply([account, binding, deployment("serve", 1)], namespace)
    cluster.wait_for(made, lambda found: found.get("status", {}).get("readyReplicas") == 1)
    return namespace


def _shows_it(answer: tuple[int, str, str]) -> bool:
    code, out, _ = answer
    return code == 0 and out.splitlines()[1].split()[:3] == ["serve", "Running", "1/1"]


def test_in_a_pod_its_account_its_authority_and_its_namespace_count(
    cluster: Cluster, serving: str, tmp_path: Path
) -> None:
    path = f"/api/v1/namespaces/{serving}/serviceaccounts/reader/token"
    answer = cluster.client.request("POST", path, {"spec": {"expirationSeconds": 600}})
    (tmp_path / "token").write_text(answer["status"]["token"])
    (tmp_path / "ca.crt").write_text(Path(cluster.certificates.path("ca.crt")).read_text())
    (tmp_path / "namespace").write_text(serving)
    environment = {
        **os.environ,
        "ACCOUNT": str(tmp_path),
        "KUBERNETES_SERVICE_HOST": components.HOST,
        "KUBERNETES_SERVICE_PORT": str(components.API_PORT),
    }
    inside = ["unshare", "--mount", "sh", "-c", POD, "sh", str(Path(sys.executable).with_name("wmap"))]

    def call(*arguments: str) -> tuple[int, str, str]:
        done = subprocess.run(
            [*inside, *arguments], env=environment, capture_output=True, text=True, check=False
        )
        return done.returncode, done.stdout, done.stderr

    assert _shows_it(call("get", "deployments"))
    code, out, error = call("get", "deployments", "-n", "default")
    assert (code, out) == (1, "")
    assert f"system:serviceaccount:{serving}:reader" in error
    (tmp_path / "token").write_text("stale")
    code, _, error = call("get", "deployments")
    assert (code, error.splitlines()[0].split(" (")[0]) == (
        1,
        "error: the API server does not accept the credentials",
    )


def test_contexts_of_several_files_are_those_of_one(
    wmap: Wmap, cluster: Cluster, serving: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = yaml.safe_load(cluster.kubeconfig.read_text())
    (user,) = whole["users"]

    def context(name: str, namespace: str) -> Object:
        cluster_name = whole["clusters"][0]["name"]
        named = {"cluster": cluster_name, "user": user["name"], "namespace": namespace}
        return {"name": name, "context": named}

    first, second = tmp_path / "first", tmp_path / "second"
    first.write_text(yaml.safe_dump({"clusters": whole["clusters"], "contexts": [context("here", serving)]}))
    others = [context("here", "default"), context("there", "default")]
    second.write_text(yaml.safe_dump({"users": [user], "contexts": others, "current-context": "here"}))
    monkeypatch.setenv("KUBECONFIG", f"{first}{os.pathsep}{tmp_path / 'none'}{os.pathsep}{second}")
    assert _shows_it(wmap("get", "deployments"))
    code, out, error = wmap("get", "deployments", "--context", "there")
    assert (code, out, error) == (0, "", "no workloads found in namespace default\n")
    code, _, error = wmap("get", "deployments", "--context", "nowhere")
    assert code == 1
    assert "hint: there are: here, there" in error.splitlines()


def test_who_is_impersonated_may_what_their_groups_may(wmap: Wmap, serving: str) -> None:
    call = ("get", "deployments", "-n", serving, "--as", "zoë")
    code, out, error = wmap(*call)
    assert (code, out) == (1, "")
    assert 'User "zoë"' in error
    assert _shows_it(wmap(*call, "--as-group", "others", "--as-group", "readers"))


def test_a_certificate_that_is_for_another_name_is_told_with_the_flags_for_it(wmap: Wmap) -> None:
    code, out, told = wmap("get", "jobs", "--tls-server-name", "other")
    error, hint = told.splitlines()
    assert (code, out) == (1, "")
    assert "its certificate is not trusted" in error
    assert "--tls-server-name" in hint


@pytest.fixture
def proxy() -> Iterator[tuple[str, list[bytes]]]:
    """A proxy that opens tunnels: its URL, and the first line of each call."""
    asked: list[bytes] = []

    def pump(source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                target.sendall(data)
        with suppress(OSError):
            target.shutdown(socket.SHUT_WR)

    def serve(client: socket.socket) -> None:
        line = client.recv(65536).splitlines()[0]
        asked.append(line)
        host, _, port = line.split()[1].decode().rpartition(":")
        with client, socket.create_connection((host, int(port))) as server:
            client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
            threading.Thread(target=pump, args=(server, client), daemon=True).start()
            pump(client, server)

    def accept() -> None:
        with suppress(OSError):
            while True:
                threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=accept, daemon=True).start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}", asked


def test_a_proxy_is_gone_through_to_the_end(
    wmap: Wmap, cluster: Cluster, serving: str, proxy: Any, tmp_path: Path
) -> None:
    url, asked = proxy
    config = yaml.safe_load(cluster.kubeconfig.read_text())
    config["clusters"][0]["cluster"]["proxy-url"] = url
    file = tmp_path / "kubeconfig"
    file.write_text(yaml.safe_dump(config))
    assert _shows_it(wmap("get", "deployments", "-n", serving, "--kubeconfig", str(file)))
    assert {*asked} == {f"CONNECT {components.HOST}:{components.API_PORT} HTTP/1.1".encode()}


def test_what_is_on_this_machine_is_reached_without_the_proxy_of_the_environment(
    wmap: Wmap, serving: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    assert _shows_it(wmap("get", "deployments", "-n", serving))
