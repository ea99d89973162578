"""`-w` while the cluster does not answer, or will not: it says so at once, and no more often than that."""

from __future__ import annotations

import os
import re
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest

from tests.apiserver import ApiServer, serving
from tests.apiserver.server import Call, Reply, status
from tests.cli.interactive import Interactive
from tests.cli.objects import job, pod
from workload_map.cli.watch import fitting
from workload_map.engine.view import Problem

WMAP = [sys.executable, "-c", "from workload_map.cli import main; main()"]
TROUBLE = "warning: changes are not heard of now, the cluster is asked again: "


@pytest.fixture
def server() -> Iterator[ApiServer]:
    with serving([job("train"), *(pod(f"p-{number}", "train") for number in range(4))]) as running_server:
        yield running_server


class _Piped:
    """A command whose standard error is read as it comes."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [*WMAP, *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "KUBECONFIG": os.devnull},
        )
        self.told = ""

    def wait_for(self, text: str) -> None:
        assert self.process.stderr is not None
        end = time.monotonic() + 60
        while text not in self.told:
            ready, _, _ = select.select([self.process.stderr], [], [], max(end - time.monotonic(), 0))
            assert ready, self.told
            self.told += os.read(self.process.stderr.fileno(), 65536).decode()

    def close(self) -> str:
        """End it; gives what it had said on standard error."""
        self.process.kill()
        _, rest = self.process.communicate()
        return self.told + rest.decode()


def _refusing_watches(code: int) -> Any:
    def before(call: Call) -> Reply | None:
        return Reply(code, status(code, "Odd", "odd")) if call.query.get("watch") else None

    return before


def _attempts(server: ApiServer, count: int) -> None:
    """Wait until each kind was asked for so often that it is watched."""
    tried: dict[str, int] = {}
    real = server.before

    def before(call: Call) -> Reply | None:
        if call.query.get("watch"):
            tried[call.path] = tried.get(call.path, 0) + 1
        return real(call)

    server.before = before
    end = time.monotonic() + 60
    while len(tried) < 2 or min(tried.values()) < count:
        assert time.monotonic() < end, tried
        time.sleep(0.02)


@pytest.mark.parametrize(
    ("code", "reason"), [(401, "the API server does not accept the credentials"), (500, "odd")]
)
@pytest.mark.parametrize("command", [["get", "jobs"], ["describe", "job/train"]], ids=["get", "describe"])
def test_trouble_with_watches_is_a_line_at_once_however_often_they_are_tried(
    server: ApiServer, command: list[str], code: int, reason: str
) -> None:
    server.before = _refusing_watches(code)
    piped = _Piped(*command, "-n", "lab", "-w", "--server", server.url)
    try:
        piped.wait_for(reason)
        _attempts(server, 2)
        server.before = lambda _: None
        piped.wait_for("changes are heard of again\n")
    finally:
        told = piped.close()
    lines = told.splitlines()
    assert len(lines) == 2, told
    assert lines[0].startswith(TROUBLE) and reason in lines[0] and lines[0].endswith(")")


def test_a_server_that_is_gone_is_one_line_for_all_kinds() -> None:
    with serving([job("train")]) as server:
        piped = _Piped("get", "jobs", "-n", "lab", "-w", "--server", server.url)
        server.wait_for_watches(2)
    try:
        piped.wait_for("cannot reach the API server")
        time.sleep(2)  # each kind is tried again meanwhile
    finally:
        told = piped.close()
    assert told.count("\n") == told.count(TROUBLE) == 1, told


def _screens(shown: str) -> list[str]:
    """What a terminal showed, drawing by drawing."""
    return [re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", text) for text in shown.split("\x1b[H")[1:]]


@pytest.mark.parametrize("lines", [12, 40])
def test_on_a_terminal_the_trouble_stands_below_the_workload_until_it_is_over(
    server: ApiServer, lines: int
) -> None:
    server.before = _refusing_watches(401)
    call = [*WMAP, "describe", "job/train", "-n", "lab", "-w", "--server", server.url]
    environment = {
        **os.environ,
        "KUBECONFIG": os.devnull,
        "TERM": "xterm",
        "LINES": str(lines),
        "COLUMNS": "200",
    }
    terminal = Interactive(call, environment)
    try:
        shown = terminal.wait_until(lambda text: text.endswith(")\r\n") and TROUBLE in text)
        _attempts(server, 2)
        server.before = lambda _: None
        shown += terminal.wait_until(lambda text: text.count("\x1b[J") and TROUBLE not in _screens(text)[-1])
    finally:
        terminal.close()
    drawn = _screens(shown)
    troubled = [text for text in drawn if TROUBLE in text]
    assert troubled and all(text.count(TROUBLE) == 1 for text in troubled)
    for text in drawn:
        rows = text.splitlines()
        assert rows[0].startswith("Job/train ")
        assert len(rows) < lines
    # The workload keeps at least two thirds of the room.
    assert min(len(text.splitlines()) for text in troubled) >= lines * 2 // 3 - 2 or lines == 40


def test_many_warnings_leave_most_of_a_terminal_to_the_workload() -> None:
    size = os.terminal_size((40, 12))
    warnings = [Problem(code="x", location=None, message=f"number {number}") for number in range(9)]
    assert fitting(warnings, 30, size) == [
        "… 6 more warnings",
        *(f"warning: number {at}" for at in (6, 7, 8)),
    ]
    # With a short text there is room for all.
    assert len(fitting(warnings, 2, size)) == 9
    # One that alone takes more than its room is cut.
    (long,) = fitting([Problem(code="x", location=None, message="a" * 1000)], 30, size)
    assert len(long) == 4 * 40 and long.endswith("…")


def _denying_watches(*plurals: str) -> Any:
    def before(call: Call) -> Reply | None:
        plural = call.path.rpartition("/")[2]
        if not call.query.get("watch") or plural not in plurals:
            return None
        message = f'{plural} is forbidden: User "eve" cannot watch resource "{plural}"'
        return Reply(403, status(403, "Forbidden", message))

    return before


@pytest.mark.parametrize(
    "command", [["get", "jobs"], ["get", "job/train"], ["describe", "job/train"]], ids=" ".join
)
def test_where_the_workloads_may_not_be_watched_it_ends(server: ApiServer, command: list[str]) -> None:
    """As `kubectl get -w`: what there is, then why it does not go on."""
    server.before = _denying_watches("jobs")
    piped = _Piped(*command, "-n", "lab", "-w", "--server", server.url)
    out, error = piped.process.communicate(timeout=60)
    assert piped.process.returncode == 1
    assert b"train" in out
    told, hint = error.decode().splitlines()
    path = "/apis/batch/v1/namespaces/lab/jobs"
    assert told == (
        'error: the API server says: jobs is forbidden: User "eve" cannot watch resource "jobs" (403) '
        f"({path})"
    )
    assert hint.startswith("hint: `wmap rbac`")


def test_where_none_of_several_kinds_may_be_watched_it_ends_with_one_error(server: ApiServer) -> None:
    server.before = _denying_watches("jobs", "deployments", "jobsets")
    piped = _Piped("get", "jobs,deployments,jobsets", "-n", "lab", "-w", "--server", server.url)
    _, error = piped.process.communicate(timeout=60)
    assert piped.process.returncode == 1
    (told, _) = error.decode().splitlines()
    assert told.startswith("error: nothing of what was asked for may be followed")


def test_where_some_of_several_kinds_may_be_watched_it_goes_on(server: ApiServer) -> None:
    server.before = _denying_watches("deployments")
    piped = _Piped("get", "jobs,deployments", "-n", "lab", "-w", "--server", server.url)
    try:
        piped.wait_for(
            "deployments.apps are no longer followed: the API server says: deployments is forbidden"
        )
        assert piped.process.poll() is None
    finally:
        piped.close()
