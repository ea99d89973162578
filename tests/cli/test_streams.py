"""Standard streams that are closed or full: a result that is lost is an error, a lost notice is none."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import EXAMPLE, validator
from tests.cli.objects import running
from tests.cli.test_entry import WMAP
from workload_map.cli.root import COMMANDS

TUTORIAL = str(Path(__file__).parents[2] / "examples" / "tutorial")
CALLS = {
    "get": ["all", "--from", EXAMPLE],
    "describe": ["jobset/train", "--from", EXAMPLE],
    "explain": ["jobset/train", "--from", EXAMPLE],
    "check": ["jobset/train", "--from", EXAMPLE],
    "draw": ["jobset/train", "--from", EXAMPLE],
    "owner": ["train-worker-0-0-l6r9s", "--from", EXAMPLE],
    "dump": ["jobset", "--from", EXAMPLE],
    "definitions": [],
    "validate": [EXAMPLE],
    "path": [".kind", "-f", EXAMPLE],
    "test": [TUTORIAL, "--coverage"],
    "crd": [],
    "rbac": [],
    "schema": ["view"],
    "completion": ["bash"],
    "version": ["--client"],
}
FULL = Path("/dev/full")
needs_full = pytest.mark.skipif(not FULL.exists(), reason="there is no device that is always full")


def _run(*arguments: str, redirected: str) -> subprocess.CompletedProcess[str]:
    call = ["sh", "-c", f'exec "$@" {redirected}', "sh", *WMAP, *arguments]
    environment = {**os.environ, "KUBECONFIG": str(Path(__file__).with_name("there-is-none"))}
    done = subprocess.run(call, capture_output=True, text=True, env=environment, check=False)
    assert "Traceback" not in done.stderr and "Exception" not in done.stderr
    return done


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize(
    ("redirected", "told"),
    [
        (">&-", "error: standard output is closed\n"),
        (">&- <&-", "error: standard output is closed\n"),
        pytest.param(
            ">/dev/full", "error: cannot write the output: No space left on device\n", marks=needs_full
        ),
    ],
)
def test_a_result_that_cannot_be_written_is_an_error(name: str, redirected: str, told: str) -> None:
    done = _run(name, *CALLS[name], redirected=redirected)
    assert done.returncode == 1
    assert told in done.stderr
    assert done.stderr.splitlines()[-1].startswith("hint: ")


@pytest.mark.parametrize("arguments", [["--help"], ["get", "--help"], ["--version"], []])
def test_so_is_help_that_cannot(arguments: list[str]) -> None:
    assert _run(*arguments, redirected=">&-").returncode == 1


def test_it_is_told_as_json_where_that_was_asked_for() -> None:
    done = _run("get", *CALLS["get"], "-o", "json", redirected=">&-")
    document = json.loads(done.stderr)
    validator("error").validate(document)
    assert document["error"]["code"] == "output"


@pytest.mark.parametrize("redirected", ["2>&-", pytest.param("2>/dev/full", marks=needs_full)])
def test_a_notice_that_cannot_be_written_changes_neither_result_nor_exit_code(redirected: str) -> None:
    absent = ["jobset/nobody", "--from", EXAMPLE, "-o", "json"]
    for arguments in (["get", *CALLS["get"], "-v"], ["get", "jobset/train", *absent], ["get", "nonsense"]):
        told, silent = _run(*arguments, redirected=""), _run(*arguments, redirected=redirected)
        assert told.stderr
        assert (silent.returncode, silent.stdout) == (told.returncode, told.stdout)


@pytest.mark.parametrize("redirected", [">&-", "2>&-", ">&- 2>&-"])
def test_nothing_to_write_is_no_error_of_a_closed_stream(redirected: str, put: Any) -> None:
    folder = Path(put("empty/there", "")).with_name("dump")
    done = _run("dump", *CALLS["dump"], "--folder", str(folder), redirected=redirected)
    assert (done.returncode, done.stdout) == (0, "")
    assert list(folder.iterdir())


@pytest.mark.parametrize("output", ["table", "json"])
def test_a_closed_pipe_ends_quietly(put: Any, output: str) -> None:
    path = put("dump.yaml", [running(f"job-{n}") for n in range(40)])
    reader, writer = os.pipe()
    os.close(reader)
    try:
        call = [*WMAP, "get", "job", "--from", path, "-o", output]
        done = subprocess.run(call, stdout=writer, stderr=subprocess.PIPE, check=False)
    finally:
        os.close(writer)
    assert b"Traceback" not in done.stderr and b"Exception" not in done.stderr
    assert b"error" not in done.stderr
    assert done.returncode == 141
