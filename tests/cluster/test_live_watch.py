"""`-w` on a real cluster: what changes is shown until Ctrl-C."""

from __future__ import annotations

import itertools
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.cluster.cluster import Cluster
from tests.cluster.pods import has
from tests.cluster.test_workloads import deployment, jobset

_SECONDS = 60.0


class Following:
    """A `wmap` that goes on, and the lines that it has printed."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        self.seen: list[str] = []
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        for line in self._process.stdout or ():
            self._lines.put(line.rstrip("\n"))

    def until(self, holds: Callable[[str], bool]) -> None:
        """Wait for a line.

        Raises:
            queue.Empty: none came in time.
        """
        while not (self.seen and holds(self.seen[-1])):
            self.seen.append(self._lines.get(timeout=_SECONDS))

    def interrupt(self) -> int:
        """Press Ctrl-C; gives the exit code."""
        self._process.send_signal(signal.SIGINT)
        return self.end()

    def end(self) -> int:
        """Wait until it ends by itself; gives the exit code."""
        return self._process.wait(_SECONDS)


@contextmanager
def following(cluster: Cluster, *arguments: str, with_errors: bool = False) -> Iterator[Following]:
    """While the block lasts, `wmap` runs; its standard error may come among its lines."""
    call = [str(Path(sys.executable).with_name("wmap")), *arguments]
    environment = {**os.environ, "KUBECONFIG": str(cluster.kubeconfig), "PYTHONUTF8": "1"}
    stderr = subprocess.STDOUT if with_errors else None
    with subprocess.Popen(call, stdout=subprocess.PIPE, stderr=stderr, text=True, env=environment) as process:
        try:
            yield Following(process)
        finally:
            process.kill()


def _row(*cells: str) -> Callable[[str], bool]:
    return lambda line: line.split()[: len(cells)] == [*cells]


def test_rows_follow_a_deployment_from_its_start_to_its_end(cluster: Cluster, namespace: str) -> None:
    with following(cluster, "get", "deployment,jobset", "-n", namespace, "-w") as shown:
        (made,) = cluster.apply(deployment("serve", 2), namespace)
        shown.until(_row("serve", "Deployment", "Running", "2/2"))
        cluster.client.patch(made, {"spec": {"replicas": 3}})
        shown.until(_row("serve", "Deployment", "Running", "3/3"))
        cluster.apply(jobset("train", 2, after="0s"), namespace)
        shown.until(_row("train", "JobSet", "Completed"))
        cluster.client.delete(made)
        shown.until(_row("serve", "Deployment", "Deleted"))
        assert shown.interrupt() == 130
    # A row that looks as before is not told again.
    rows = [line.split()[:5] for line in shown.seen if line.startswith("serve")]
    assert all(first != second for first, second in itertools.pairwise(rows)), rows


def test_a_tree_is_drawn_anew_until_its_workload_is_gone(cluster: Cluster, namespace: str) -> None:
    (made,) = cluster.apply(jobset("train", 1), namespace)
    cluster.wait_for(made, lambda found: has(found, "Completed"))
    with following(cluster, "describe", "jobset/train", "-n", namespace, "-w") as shown:
        shown.until(lambda line: line == "Status: Completed")
        cluster.client.delete(made)
        assert shown.end() == 0
