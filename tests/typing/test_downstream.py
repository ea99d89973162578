"""What a user writes with the library runs, and its types are right for a user's own checker."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from tests.typing import downstream

import workload_map as wm

CONTAINER = {"name": "main", "resources": {"requests": {"cpu": "2"}, "limits": {"nvidia.com/gpu": 4}}}
JOB: dict[str, Any] = {
    "apiVersion": "batch/v1",
    "kind": "Job",
    "metadata": {"name": "fit", "namespace": "lab", "uid": "j"},
    "spec": {"parallelism": 2, "completions": 2, "template": {"spec": {"containers": [CONTAINER]}}},
    "status": {"active": 1, "ready": 1},
}
REFERENCE = {"apiVersion": "batch/v1", "kind": "Job", "name": "fit", "uid": "j", "controller": True}
POD: dict[str, Any] = {
    "apiVersion": "v1",
    "kind": "Pod",
    "metadata": {"name": "fit-0", "namespace": "lab", "uid": "p", "ownerReferences": [REFERENCE]},
    "spec": {"containers": [CONTAINER], "nodeName": "n"},
    "status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]},
}


def test_the_program_runs() -> None:
    (head, role) = downstream.report([POD, JOB])
    assert head.endswith("8 GPUs, 4 CPUs")
    assert role == "  job -: 1 of 2"
    assert downstream.owner(POD, [POD, JOB]) == "fit"
    assert downstream.owner(POD, [POD]) == "its controller Job fit is not at hand"
    assert downstream.one({"apiVersion": "x/v1", "kind": "X"}, []) is None
    assert downstream.one(JOB, [POD]) is not None
    assert (
        downstream.covers(wm.Catalog.builtin().find("batch/v1", "Job").definition) == "batch-job-v1: batch/v1"
    )
    assert downstream.problems(wm.resolve(JOB, wm.Catalog.builtin())) == {}
    lines = downstream.watch([("ADDED", POD), ("ADDED", JOB), ("DELETED", POD)])
    assert [line.partition(":")[0] for line in lines] == ["fit"]


def test_what_is_exported_is_there_and_explained() -> None:
    assert sorted(wm.__all__) == wm.__all__
    for name in wm.__all__:
        assert getattr(wm, name).__doc__, name
    assert (Path(wm.__file__).parent / "py.typed").exists()


def checked_by(command: list[str], folder: Path, text: str) -> subprocess.CompletedProcess[str]:
    """What a checker says of a program that stands alone in a folder."""
    (folder / "program.py").write_text(text)
    (folder / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict", "include": ["program.py"]}')
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


MYPY = [sys.executable, "-m", "mypy", "--strict", "--config-file", "", "--cache-dir", "cache", "program.py"]
PYRIGHT = [sys.executable, "-m", "basedpyright", "--pythonpath", sys.executable]
WRONG = """
wm.resolve(3, wm.Catalog.builtin())
text: str = wm.Catalog.builtin()
"""


@pytest.mark.slow
@pytest.mark.parametrize("checker", [MYPY, PYRIGHT], ids=["mypy", "pyright"])
def test_a_users_own_checker_is_content_and_sees_mistakes(checker: list[str], tmp_path: Path) -> None:
    if find_spec(checker[2]) is None:
        pytest.skip(f"{checker[2]} is not installed; `make lint` installs it")
    program = Path(downstream.__file__).read_text()
    done = checked_by(checker, tmp_path, program)
    assert done.returncode == 0, done.stdout
    done = checked_by(checker, tmp_path, program + WRONG)
    assert done.returncode == 1
    assert done.stdout.count("error:") == 2, done.stdout
