"""Programs beside the tests: how their end is told, and that they have one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cluster.processes import ClusterError, Process, wait_until

pytestmark = pytest.mark.skipif(shutil.which("setpriv") is None, reason="needs setpriv, of util-linux")


def test_a_program_that_ended_is_told_with_its_last_lines(tmp_path: Path) -> None:
    process = Process("broken", ["sh", "-c", "echo first; echo the reason >&2; exit 3"], tmp_path / "log")
    with pytest.raises(ClusterError, match=r"^broken ended with 3(.|\n)*first\nthe reason$"):
        wait_until("it works", lambda: False, [process])


def test_what_does_not_come_in_time_is_told_with_the_place_of_the_log(tmp_path: Path) -> None:
    process = Process("slow", ["sleep", "60"], tmp_path / "log")
    with pytest.raises(ClusterError, match=r"^it works: not within 0 s") as told:
        wait_until("it works", lambda: False, [process], seconds=0)
    assert str(tmp_path / "log") in str(told.value)
    process.stop()
    with pytest.raises(ClusterError, match=r"^slow ended with -15"):
        process.check()


def test_a_program_ends_with_the_one_that_started_it(tmp_path: Path) -> None:
    starter = f"""
import os, signal
from pathlib import Path
from tests.cluster.processes import Process
print(Process("child", ["sleep", "60"], Path({str(tmp_path / "log")!r})).pid, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""
    done = subprocess.run([sys.executable, "-c", starter], capture_output=True, text=True, check=False)
    child = int(done.stdout)
    wait_until("the child is gone", lambda: not is_running(child), [], seconds=10)


def test_a_program_whose_starter_is_gone_already_does_not_begin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "getpid", lambda: 1 << 30)
    process = Process("orphan", ["touch", str(tmp_path / "began")], tmp_path / "log")
    with pytest.raises(ClusterError, match=r"^orphan ended with 1;"):
        wait_until("it works", lambda: False, [process], seconds=10)
    assert not (tmp_path / "began").exists()


def is_running(pid: int) -> bool:
    """Whether it does anything: one that ended may wait to be asked for its exit code."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
