"""What people see at a terminal, and pipes do not: a fitted table, colours, a line while it takes long."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path
from typing import Any

import pytest

from tests.cli.objects import pod, running

WMAP = [sys.executable, "-c", "from workload_map.cli import main; main()"]
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def _seen(call: list[str], *, columns: int = 80, **environment: str) -> str:
    """What a terminal of so many columns shows of both streams."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    inherited = {name: text for name, text in os.environ.items() if name not in ("COLUMNS", "NO_COLOR")}
    environment = {**inherited, "TERM": "xterm", "PYTHONUTF8": "1", **environment}
    with subprocess.Popen(call, stdin=theirs, stdout=theirs, stderr=theirs, env=environment):
        os.close(theirs)
        pieces = []
        while True:
            try:
                piece = os.read(ours, 65536)
            except OSError:  # nobody writes any more
                break
            if not piece:
                break
            pieces.append(piece)
    os.close(ours)
    return b"".join(pieces).decode().replace("\r\n", "\n")


@pytest.fixture
def dump(put: Any) -> str:
    long = "the-name-that-is-much-longer-than-any-screen-of-this-test-is-wide-enough-to-show"
    return str(
        put(
            "dump.yaml",
            [running("short"), running(long), pod(f"{long}-0", long), pod("evil\x1b[2J", "short")],
        )
    )


def test_a_table_fits_the_terminal(dump: str) -> None:
    for columns in (90, 110):
        lines = _COLOUR.sub(
            "", _seen([*WMAP, "get", "job", "-n", "lab", "--from", dump], columns=columns)
        ).splitlines()
        assert [line.split()[0] for line in lines[:2]] == ["NAME", "short"]
        assert "…" in lines[2] and lines[2].endswith("<unknown>")
        assert max(map(len, lines)) == columns


@pytest.mark.parametrize("words", [["get", "all", "-o", "wide", "--show-labels"], ["definitions"]], ids=str)
def test_a_table_with_too_many_columns_is_told_in_several_lines_a_row(words: list[str], example: str) -> None:
    call = [*WMAP, *words, "--from", example]
    narrow = _COLOUR.sub("", _seen(call, columns=80))
    wide = _COLOUR.sub("", _seen(call, columns=400))
    assert max(map(len, narrow.splitlines())) <= 80 < max(map(len, wide.splitlines()))
    assert narrow.split() == wide.split()


def test_a_tree_fits_the_terminal_and_shows_no_escape_sequence_of_a_name(dump: str) -> None:
    shown = _seen([*WMAP, "describe", "job/short", "--from", dump, "--color", "never"], columns=60)
    assert r"evil\x1b[2J" in shown and "\x1b" not in shown
    assert max(map(len, shown.partition("\n\n")[2].partition("\n\n")[0].splitlines())) <= 60


@pytest.mark.parametrize(
    "words",
    [
        ["check", "job/short"],
        ["check", "deployment/gateway"],
        ["describe", "job/short", "--events"],
        ["describe", "leaderworkerset/llama"],
        ["explain", "jobset/train"],
    ],
    ids=" ".join,
)
def test_sentences_and_their_tables_fit_the_terminal(
    words: list[str], dump: str, example: str, put: Any
) -> None:
    event = {
        "apiVersion": "v1",
        "kind": "Event",
        "metadata": {"name": "e", "namespace": "lab"},
        "involvedObject": {"kind": "Job", "namespace": "lab", "name": "short", "uid": "job-lab-short"},
        "type": "Warning",
        "reason": "Because",
        "message": "there is a long story behind it " * 5 + "THE-END",
        "lastTimestamp": "2026-01-01T00:00:00Z",
    }
    sources = ["--from", dump, "--from", example, "--from", put("event.yaml", event)]
    shown = _seen([*WMAP, *words, *sources, "--color", "never"], columns=70)
    assert max(map(len, shown.splitlines())) <= 70
    assert "--events" not in words or "THE-END" in shown


def test_a_pipe_gets_everything_and_no_colours(dump: str) -> None:
    environment = {**os.environ, "COLUMNS": "40", "PYTHONUTF8": "1"}
    done = subprocess.run(
        [*WMAP, "get", "job", "-n", "lab", "--from", dump],
        capture_output=True,
        text=True,
        env=environment,
        check=True,
    )
    assert "…" not in done.stdout and "\x1b" not in done.stdout
    assert len(done.stdout.splitlines()[2].split()[0]) > 60


def test_colours_are_for_terminals_that_want_them(dump: str) -> None:
    call = [*WMAP, "get", "job", "-n", "lab", "--from", dump]
    assert "\x1b[32mRunning" in _seen(call)
    assert "\x1b" not in _seen(call, NO_COLOR="1")
    assert "\x1b" not in _seen(call, TERM="dumb")
    assert "\x1b" not in _seen([*call, "--color", "never"])
    assert "\x1b[32mRunning" in _seen([*call, "--color", "always"], NO_COLOR="1")


def test_a_template_shows_no_escape_sequence_of_a_name(dump: str) -> None:
    template = '{range .components[*].instances[*]}{.observed.worst}{end}{.observed.nodes[*]} {.name}{"\\n"}'
    call = [*WMAP, "get", "job/short", "--from", dump, "-o", f"jsonpath={template}"]
    assert "\x1b" not in _seen(call)


SLOW = """
import sys, time
from workload_map.cli import live, main
from workload_map.cli import session
live._PATIENCE = {patience}
real = session.Dump
def slow(paths):
    time.sleep(0.5)
    return real(paths)
session.Dump = slow
main()
"""


def test_a_line_tells_what_takes_long_and_goes_away(dump: str) -> None:
    call = [
        sys.executable,
        "-c",
        SLOW.format(patience=0.05),
        "get",
        "job",
        "-n",
        "lab",
        "--from",
        dump,
        "-o",
        "name",
    ]
    shown = _seen(call, columns=300)
    before, _, after = shown.rpartition("\r\x1b[K")
    assert f"working through {dump}: 0 s" in before
    assert after.splitlines()[0] == "job.batch/short"
    narrow = _seen(call, columns=30)
    assert all(len(piece) < 30 for piece in narrow.rpartition("\r\x1b[K")[0].split("\r\x1b[K"))
    patient = [sys.executable, "-c", SLOW.format(patience=60), *call[3:]]
    assert "working" not in _seen(patient)
    assert "working" not in _seen([*call, "-v"])
    piped = subprocess.run(call, capture_output=True, check=True, text=True)
    assert piped.stderr == "" and piped.stdout.startswith("job.batch/short\n")


def test_the_terminal_is_left_as_it_was_found(tmp_path: Path) -> None:
    assert _seen([*WMAP, "get", "job", "--from", str(tmp_path / "absent")]).startswith("error: ")
