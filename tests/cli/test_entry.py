"""How calls end: help, errors and their shapes, interruptions, encodings."""

from __future__ import annotations

import importlib
import json
import os
import pkgutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Wmap
from tests.cli.objects import job, running
from workload_map.cli import commands
from workload_map.cli.root import COMMANDS

WMAP = [sys.executable, "-c", "from workload_map.cli import main; main()"]


def test_the_help_lists_every_command_there_is(wmap: Wmap) -> None:
    assert set(COMMANDS) == {module.name for module in pkgutil.iter_modules(commands.__path__)}
    for arguments in ((), ("--help",), ("-h",)):
        result = wmap(*arguments)
        assert result.code == 0
        assert all(f"  {name} " in result.out for name in COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_has_help_with_examples(wmap: Wmap, name: str) -> None:
    command = importlib.import_module(f"workload_map.cli.commands.{name}").command
    result = wmap(name, "--help")
    assert (result.code, result.err) == (0, "")
    assert command.name == name
    assert "Examples:\n" in result.out
    assert f"  wmap {name}" in result.out or f"(wmap {name}" in result.out


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (("gett",), "did you mean get?"),
        (("zzz",), "`wmap --help`"),
        (("get", "--form", "x"), "did you mean --from?"),
        (("get", "--zzz", "x"), "`wmap get --help`"),
        (("schema", "vew"), "did you mean view?"),
        (("completion", "tcsh"), "`wmap completion --help`"),
        (("get", "all", "--phase", "Runing"), "did you mean Running?"),
        (("get", "all", "--sort-by", "gpus"), "did you mean gpu?"),
        (("owner",), "`wmap owner --help`"),
    ],
)
def test_a_wrong_call_hints_at_the_right_one(wmap: Wmap, arguments: tuple[str, ...], hint: str) -> None:
    result = wmap(*arguments)
    assert (result.code, result.out) == (2, "")
    error, hinted = result.err.splitlines()
    assert error.startswith("error: ")
    assert hinted.startswith("hint: ") and hint in hinted


@pytest.mark.parametrize(
    "flag", [("-o", "json"), ("-ojson",), ("-o=json",), ("--output=json",), ("--output", "json")]
)
def test_errors_are_json_where_json_was_asked_for(wmap: Wmap, flag: tuple[str, ...]) -> None:
    result = wmap("get", "job", "--bogus", *flag)
    assert (result.code, result.out) == (2, "")
    error = result.error()
    assert error["code"] == "usage"
    assert "--bogus" in error["message"]
    assert error["hint"] is not None


def test_short_options_take_an_equals_sign_as_kubectls_do(wmap: Wmap, put: Any) -> None:
    path = put("dump.yaml", [running("a"), running("b", metadata={"labels": {"team": "x"}})])
    result = wmap("get", "jobs", f"--from={path}", "-n=lab", "-l=team=x", "-o=name")
    assert result.out.splitlines() == ["job.batch/b"]
    assert wmap("get", f"--from={path}", "--", "-o=name").code == 4


def test_an_internal_error_is_a_line_and_with_v_a_traceback(
    wmap: Wmap, put: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr("workload_map.cli.commands.get.select", fail)
    path = put("dump.yaml", running("a"))
    result = wmap("get", "job", "--from", path)
    assert (result.code, result.out) == (1, "")
    assert result.err.startswith("error: internal error: ZeroDivisionError: oops\nhint: ")
    assert "-v" in result.err
    with pytest.raises(AssertionError, match="Traceback"):
        wmap("get", "job", "--from", path, "-v")


def test_an_interruption_ends_at_once(wmap: Wmap, put: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("workload_map.cli.commands.get.select", interrupt)
    assert wmap("get", "job", "--from", put("dump.yaml", running("a"))) == (130, "", "")


def test_ctrl_c_while_reading_ends_with_130() -> None:
    # What runs in the background of a script ignores the signal, and so would all that it starts.
    heed = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    process = subprocess.Popen(
        [sys.executable, "-c", heed + WMAP[2], "get", "all", "--from", "-", "-v"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None
    process.stdin.write(b" " * (1 << 20))  # more than a pipe holds: once it is taken, the process is reading
    process.stdin.flush()
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert err == b""


def test_ctrl_c_while_modules_are_imported_ends_without_a_word() -> None:
    call = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == "workload_map.cli.entry":
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupting())
import wmap
wmap.main()
"""
    done = subprocess.run([sys.executable, "-c", call], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, b"", b"")


def test_a_terminal_without_unicode_shows_ascii(put: Any) -> None:
    path = put("job.yaml", job("größe"))
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = subprocess.run([*WMAP, "describe", "-f", path], capture_output=True, env=environment, check=True)
    assert b"`-- job" in done.stdout
    assert rb"gr\xf6\xdfe" in done.stdout
    assert done.stderr == b""


def test_verbose_tells_what_was_read(wmap: Wmap, put: Any) -> None:
    path = put("dump.yaml", running("a"))
    assert wmap("get", "job", "--from", path, "-v").err.startswith(f"read {path} in ")


@pytest.mark.parametrize(("arguments", "code"), [(["version", "--client"], 0), (["get", "--zzz"], 2)])
def test_the_main_function_ends_the_process_after_what_is_to_be_done_then(
    arguments: list[str], code: int
) -> None:
    call = (
        "import atexit; atexit.register(print, 'at the end');"
        "from workload_map.cli import main; main(); print('not reached')"
    )
    done = subprocess.run(
        [sys.executable, "-c", call, *arguments], capture_output=True, text=True, check=False
    )
    assert done.returncode == code
    assert done.stdout.splitlines()[-1] == "at the end"


def test_rich_is_not_imported_for_plain_tables(example: str) -> None:
    code = (
        "import sys; from workload_map.cli.entry import run; "
        f"run(['get', 'all', '--from', {example!r}]); "
        f"run(['describe', 'jobset/train', '--from', {example!r}]); "
        "assert 'rich' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, cwd=Path(__file__).parent)


def test_documents_are_utf8_in_any_locale(put: Any) -> None:
    manifest = {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "Ünï"}, "spec": {}}
    file = put("job.yaml", json.dumps(manifest))
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(
        [*WMAP, "get", "-f", file, "-o", "json"], capture_output=True, env=environment, check=True
    )
    assert json.loads(done.stdout.decode("utf-8"))["items"][0]["name"] == "Ünï"
