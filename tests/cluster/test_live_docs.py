"""What the docs have one type on a cluster works there: each line of their `sh` blocks is run, in order."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from tests.cluster import build
from tests.cluster.cluster import Cluster
from tests.cluster.pods import has
from tests.cluster.test_workloads import deployment, jobset
from tests.docs.console import ROOT

PAGES = ("README.md", "docs/how-to.md", "docs/tutorial-cluster.md")
_BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_ELSEWHERE = ("make ", "pipx ")  # sets up what the tests run in
_SECONDS = 60


def lines(page: str) -> list[str]:
    """The commands of a page."""
    text = "".join(_BLOCK.findall((ROOT / page).read_text()))
    return [line for line in text.splitlines() if line and not line.startswith(_ELSEWHERE)]


@pytest.fixture
def research(cluster: Cluster) -> Iterator[None]:
    """The namespace of the docs with a JobSet, and beside it a Deployment."""
    cluster.create_namespace("research")
    made = cluster.apply([jobset("train", 2, after="0s"), deployment("serve", 2)], "research")
    cluster.wait_for(made[0], lambda found: has(found, "Completed"))
    cluster.wait_for(made[1], lambda found: found.get("status", {}).get("readyReplicas") == 2)
    yield
    for kind, name in (("ClusterRole", "workload-map"), *BINDINGS):
        metadata = {"name": name}
        cluster.client.delete(
            {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": kind, "metadata": metadata}
        )
    for name in ("research", "tools"):
        space = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
        cluster.client.delete(space)
        cluster.client.wait_until_gone(space)  # the next page makes it anew
    crd = "customresourcedefinitions.apiextensions.k8s.io/kartas.run.ai"
    cluster.kubectl("delete", crd, "--ignore-not-found")


BINDINGS = [("ClusterRoleBinding", name) for name in ("alice-reads-workloads", "workload-reader")]


@pytest.fixture
def environment(cluster: Cluster, tmp_path: Path) -> dict[str, str]:
    """That of a shell, in a folder that has what the pages speak of."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    (tmp_path / "deployment.yaml").write_text(yaml.safe_dump(deployment("serve", 2)))
    config = yaml.safe_load(cluster.kubeconfig.read_text())
    (context,) = config["contexts"]
    config["contexts"].append({**context, "name": "staging"})
    (tmp_path / "kubeconfig").write_text(yaml.safe_dump(config))
    tools = [str(Path(sys.executable).parent), str(build.binary("kubectl").parent)]
    return {
        **os.environ,
        "PATH": ":".join([*tools, os.environ["PATH"]]),
        "KUBECONFIG": str(tmp_path / "kubeconfig"),
        "PYTHONUTF8": "1",
    }


@pytest.mark.usefixtures("research")
@pytest.mark.parametrize("page", PAGES)
def test_what_is_typed_works(page: str, environment: dict[str, str], tmp_path: Path) -> None:
    commands = lines(page)
    assert commands
    for command in commands:
        is_endless = command.endswith(" -w")
        shell = ["sh", "-c", f"exec {command}" if is_endless else f"set -e; {command}"]
        with subprocess.Popen(
            shell,
            cwd=tmp_path,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        ) as process:
            first = ""
            if is_endless and process.stdout is not None:
                first = process.stdout.readline()
                process.send_signal(signal.SIGINT)
            try:
                said = process.communicate(timeout=_SECONDS)[0]
            finally:
                process.kill()
        assert process.returncode == (130 if is_endless else 0), (command, first + said)
        assert "error" not in said, (command, said)
