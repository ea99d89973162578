"""Nothing that a cluster started outlives the process that started it, however that one ends.

Each test runs a cluster of its own, in a namespace of its own beside the one of the run.
"""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cluster import build, isolation
from tests.cluster.cluster import Cluster
from tests.cluster.components import PROGRAMS
from tests.cluster.processes import wait_until
from tests.cluster.test_processes import is_running


def _children(parent: int) -> dict[str, int]:
    """The ids of the programs that a process started, by their names."""
    found = {}
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            lines = dict(line.split(":\t", 1) for line in status.read_text().splitlines() if ":\t" in line)
            command = (status.parent / "cmdline").read_bytes().split(b"\0")[0].decode()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(lines["PPid"]) == parent:
            found[Path(command).name] = int(lines["Pid"])
    return found


def _start() -> tuple[subprocess.Popen[str], Path, str]:
    """A cluster as `make cluster` runs it, once it is ready; its folder, and its line for a shell."""
    program = isolation.command([sys.executable, "-m", "tests.cluster", "--nodes", "1", "jobset"])
    running = subprocess.Popen(program, stdout=subprocess.PIPE, text=True, start_new_session=True)
    assert running.stdout is not None
    first = running.stdout.readline()
    assert "logs and configuration are in " in first
    shell = [running.stdout.readline() for _ in range(3)][-1]
    return running, Path(first.rsplit(" ", 1)[1].strip()), shell


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM], ids=["Ctrl-C", "terminated"])
def test_a_cluster_can_be_entered_and_leaves_nothing_when_told_to_end(
    cluster: Cluster, how: signal.Signals
) -> None:
    running, folder, shell = _start()
    with running:
        children = _children(running.pid)
        assert {*PROGRAMS, "jobset"} <= children.keys()
        get = f"{build.binary('kubectl')} get nodes -o name"
        inside = subprocess.run(
            ["sh", "-c", shell.replace("$SHELL", get)], capture_output=True, text=True, check=True
        )
        assert inside.stdout == "node/node-1\n"
        running.send_signal(how)
        assert running.wait(30) == 0
    assert not any(map(is_running, children.values()))
    assert not folder.exists()


def test_a_cluster_whose_starter_is_killed_goes_with_it(cluster: Cluster) -> None:
    running, folder, _ = _start()
    with running:
        children = _children(running.pid)
        assert {*PROGRAMS, "jobset"} <= children.keys()
        running.kill()
        running.wait(30)
        wait_until("all are gone", lambda: not any(map(is_running, children.values())), [], seconds=10)
    # Its logs may say why.
    assert (folder / "kube-apiserver.log").exists()
    shutil.rmtree(folder)
