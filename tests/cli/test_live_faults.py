"""What goes wrong on the way to a cluster: each line says what, of which kind, and where."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.apiserver import ApiServer, serving
from tests.apiserver.server import Call, Reply, status
from tests.cli.conftest import Wmap
from tests.cli.objects import pod, running


@pytest.fixture
def server() -> Iterator[ApiServer]:
    with serving([running("steady"), pod("steady-0", "steady")]) as running_server:
        yield running_server


@pytest.mark.parametrize("call", [("get", "jobs"), ("version",)], ids=" ".join)
@pytest.mark.parametrize("body", [b"404 page not found", status(404, "NotFound", "no such resource")])
def test_an_address_with_a_wrong_path_is_told_as_such(
    wmap: Wmap, server: ApiServer, call: tuple[str, ...], body: Any
) -> None:
    server.before = lambda call: Reply(404, body) if call.path.startswith("/wrong/") else None
    result = wmap(*call, "--server", f"{server.url}/wrong")
    error, hint = result.err.splitlines()
    assert result.code == 1
    assert error == f"error: there is no API server at this address (404) ({server.url}/wrong)"
    assert "path" in hint and "-n" not in hint


def test_an_address_without_scheme_is_one_of_http_without_settings_for_tls(
    wmap: Wmap, server: ApiServer
) -> None:
    address = server.url.removeprefix("http://")
    assert wmap("get", "jobs", "-n", "lab", "--server", address).rows()[0][0] == "steady"
    refused = wmap("get", "jobs", "--server", address, "--insecure-skip-tls-verify")
    assert refused.code == 1 and f"(https://{address})" in refused.err


def _failing(part: str, code: int = 400) -> Any:
    def before(call: Call) -> Reply | None:
        return Reply(code, status(code, "Odd", "odd")) if part in call.path else None

    return before


def test_an_error_says_which_path_it_is_about(live: Any, server: ApiServer) -> None:
    server.before = _failing("/jobs")
    for call, path in ((("get", "jobs"), "jobs"), (("describe", "job/steady"), "jobs/steady")):
        result = live(*call, "-n", "lab")
        assert (result.code, result.out) == (1, "")
        told = f"error: the API server says: odd (400) (/apis/batch/v1/namespaces/lab/{path})"
        assert result.err.splitlines()[0] == told
    server.before = _failing("/api/v1/namespaces/lab/events")
    told = live("describe", "job/steady", "-n", "lab", "--events").err
    assert told.startswith("error: the API server says: odd (400) (/api/v1/namespaces/lab/events)")


def test_what_is_left_out_is_named_with_its_path(live: Any, server: ApiServer) -> None:
    server.before = _failing("/pods")
    result = live("get", "jobs", "-n", "lab")
    assert result.code == 0
    told = "warning: pods are left out: the API server says: odd (400) (/api/v1/namespaces/lab/pods)"
    assert result.err.splitlines() == [told]
    server.deny("pods")
    (line,) = live("get", "jobs", "-n", "lab").err.splitlines()
    assert line.startswith("warning: pods are left out: the API server says: pods is forbidden")


SILENT = "the API group jobset.x-k8s.io/v1alpha2 does not answer"


@pytest.mark.parametrize("aggregated", [True, False])
def test_a_group_that_does_not_answer_has_not_no_kinds(
    live: Any, server: ApiServer, aggregated: bool
) -> None:
    server.aggregated, server.stale = aggregated, {"jobset.x-k8s.io/v1alpha2"}
    # A short name that nobody tells now may be one of its kinds; and so may any word.
    for call in (
        *(("get", "jobset"), ("get", "jobset/train"), ("describe", "jobset/train"), ("get", "js")),
        *(("get", "jobset", "-w"), ("dump", "jobset"), ("check", "jobset"), ("explain", "jobset/train")),
        *(("get", "jobset", "-o", "json"), ("get", "jobset/a", "jobset/b")),
    ):
        result = live(*call, "-n", "lab")
        assert (result.code, result.out) == (1, ""), call
        assert SILENT in result.err and len(result.err.splitlines()) == (1 if "json" in call else 2), call
    # What else was asked for is shown.
    for both in (("get", "jobset,job"), ("get", "jobset/train", "job/steady")):
        result = live(*both, "-n", "lab")
        assert result.code == 1 and result.rows()[0][0] == "steady"
        assert f"error: {SILENT}" in result.err and "there is no" not in result.err
    # Where it was not asked for, it is a warning.
    for others in (("get", "all"), ("get", "job")):
        result = live(*others, "-n", "lab")
        assert result.code == 0 and result.rows()[0][0] == "steady"
        assert result.err.startswith(f"warning: {SILENT}") and len(result.err.splitlines()) == 1
