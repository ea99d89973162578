"""What may not be read: told once, never taken for what is not there, and found with few requests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.apiserver import ApiServer, serving
from tests.apiserver.server import Call, Reply, status
from tests.cli.objects import job, pod, running
from workload_map.cli import watch

MANY = [f"n-{number:02}" for number in range(12)]
READS = {"verbs": ["get", "list", "watch"], "apiGroups": ["*"], "resources": ["*"]}
REVIEWS = "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews"


def _namespace(name: str) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "uid": f"ns-{name}"}}


@pytest.fixture
def server() -> Iterator[ApiServer]:
    objects = [*map(_namespace, MANY), running("steady", "n-03"), pod("steady-0", "steady", "n-03")]
    with serving([*objects, job("hidden", "n-05")]) as running_server:
        yield running_server


def _only_in(server: ApiServer, allowed: dict[str, set[str]]) -> None:
    """Allow to list these resources, by their namespace, and namespaces themselves; `*` is any resource."""

    def before(call: Call) -> Reply | None:
        parts = call.path.split("/")
        if call.path.endswith(("/namespaces", "/kartas", "rulesreviews")) or len(parts) < 5 - (
            "api" in parts
        ):
            return None
        inside = parts[parts.index("namespaces") + 1] if "namespaces" in parts else None
        plural = parts[parts.index("namespaces") + 2] if inside else parts[-1]
        if inside is not None and {plural, "*"} & allowed.get(inside, set()):
            return None
        where = f'in the namespace "{inside}"' if inside else "at the cluster scope"
        message = f'{plural} is forbidden: User "alice" cannot list resource "{plural}" {where}'
        return Reply(403, status(403, "Forbidden", message))

    server.before = before


def test_a_namespace_in_which_nothing_may_be_read_is_no_line_for_each_kind(
    live: Any, server: ApiServer
) -> None:
    _only_in(server, {"n-03": {"*"}})
    server.rules = {"n-03": [READS]}
    result = live("get", "all", "-A")
    assert (result.code, [row[:2] for row in result.rows()]) == (0, [["n-03", "steady"]])
    assert result.err.splitlines() == [
        "warning: nothing may be read in the namespaces n-00, n-01, n-02, n-04, n-05 and 6 more: left out"
    ]
    # Each kind everywhere, the namespaces, the rights in each, and each kind where it may be read.
    kinds = {"pods", "jobs", "deployments", "replicasets", "jobsets"}
    asked = server.paths(besides_discovery=True)
    assert asked.count(REVIEWS) == len(MANY)
    assert len(asked) == 2 * len(kinds) + 1 + len(MANY)
    inside = [path for path in asked if path.startswith(("/api/v1/namespaces/", "/apis/")) and "/n-" in path]
    assert {path.rpartition("/")[2] for path in inside} == kinds
    assert all("/namespaces/n-03/" in path for path in inside)


@pytest.mark.parametrize("incomplete", [True, False], ids=["incomplete", "refused"])
def test_where_rights_are_not_told_everything_is_found_all_the_same(
    live: Any, server: ApiServer, incomplete: bool
) -> None:
    _only_in(server, {"n-03": {"*"}, "n-05": {"jobs"}})
    server.incomplete, server.rules = incomplete, ({} if incomplete else None)
    result = live("get", "all", "-A")
    assert [row[:2] for row in result.rows()] == [["n-03", "steady"], ["n-05", "hidden"]]
    nothing, *others = result.err.splitlines()
    assert nothing.startswith("warning: nothing may be read in the namespaces n-00, n-01, n-02, n-04, n-06 ")
    # Of n-05 jobs may be read.
    assert sorted(others) == [
        f'warning: {kind} are left out in the namespace "n-05": they may not be listed there'
        for kind in ("deployments.apps", "jobsets.jobset.x-k8s.io", "pods", "replicasets.apps")
    ]
    assert server.paths().count(REVIEWS) == 1


@pytest.mark.parametrize(
    ("rule", "is_read"),
    [
        ({}, True),
        ({"resources": ["jobs"], "apiGroups": ["batch"]}, True),
        ({"resources": ["jobs"], "apiGroups": ["apps"]}, False),
        ({"resources": ["jobs/status"]}, False),
        ({"verbs": ["get", "watch"]}, False),
        ({"verbs": ["*"]}, True),
        ({"resourceNames": ["steady"]}, False),
    ],
)
def test_rights_are_read_as_the_server_means_them(
    live: Any, server: ApiServer, rule: Any, is_read: bool
) -> None:
    _only_in(server, {"n-03": {"*"}})
    server.rules = {"n-03": [{**READS, **rule}]}
    live("get", "jobs", "-A")
    assert ("/apis/batch/v1/namespaces/n-03/jobs" in server.paths()) is is_read


def test_one_name_may_be_all_that_may_be_listed(live: Any, server: ApiServer) -> None:
    _only_in(server, {"n-03": {"*"}})
    server.rules = {"n-03": [{**READS, "resourceNames": ["steady"]}]}
    assert [row[1] for row in live("get", "job/steady", "-A").rows()] == ["steady"]
    (call,) = [call for call in server.calls if call.path.endswith("/n-03/jobs")]
    assert call.query["fieldSelector"] == "metadata.name=steady"


def test_a_kind_that_may_be_read_nowhere_is_one_line(live: Any, server: ApiServer) -> None:
    _only_in(server, {name: {"jobs", "jobsets", "replicasets", "deployments"} for name in MANY})
    server.rules = {name: [{**READS, "apiGroups": ["batch", "jobset.x-k8s.io", "apps"]}] for name in MANY}
    result = live("get", "all", "-A")
    assert [row[:2] for row in result.rows()] == [["n-03", "steady"], ["n-05", "hidden"]]
    (line,) = result.err.splitlines()
    assert line.startswith("warning: pods are left out: the API server says: pods is forbidden")


@pytest.mark.parametrize("command", ["get", "describe", "check"])
def test_what_may_not_be_read_is_not_said_to_be_absent(live: Any, server: ApiServer, command: str) -> None:
    server.deny("jobsets")
    result = live(command, "job/steady", "jobset/one", "jobset/two", "-n", "n-03")
    assert result.code == 1
    assert "steady" in result.out
    assert "there is no" not in result.err
    errors = [line for line in result.err.splitlines() if line.startswith(("error", "warning"))]
    assert len(errors) == 1 and errors[0].startswith("error: the API server says: jobsets is forbidden")


def test_a_name_that_is_absent_beside_one_that_may_not_be_read_is_said_to_be(
    live: Any, server: ApiServer
) -> None:
    server.deny("jobsets")
    result = live("get", "job/absent", "jobset/one", "-n", "n-03")
    assert "error: there is no Job 'absent'" in result.err and "no JobSet" not in result.err


def test_a_name_may_lie_where_nothing_may_be_read(live: Any, server: ApiServer) -> None:
    _only_in(server, {"n-03": {"*"}})
    server.rules = {"n-03": [READS]}
    for call in (("get", "job/hidden"), ("owner", "hidden-0")):
        result = live(*call, "-A")
        assert (result.code, result.out) == (1, ""), call
        assert "may not be listed there" in result.err and "there is no" not in result.err, call
    found = live("get", "job/steady", "-A")
    assert found.code == 0
    told = "jobs.batch are left out in the namespaces n-00, n-01, n-02, n-04, n-05 and 6 more"
    assert f"warning: {told}: they may not be listed there" in found.err.splitlines()


def test_a_failure_of_a_kind_is_not_its_absence_either(live: Any, server: ApiServer) -> None:
    def before(call: Call) -> Reply | None:
        return Reply(400, status(400, "Odd", "odd")) if "/jobsets" in call.path else None

    server.before = before
    result = live("get", "job/steady", "jobset/one", "-n", "n-03")
    assert result.code == 1 and result.rows()[0][0] == "steady"
    path = "/apis/jobset.x-k8s.io/v1alpha2/namespaces/n-03/jobsets/one"
    assert result.err.splitlines()[0] == f"error: the API server says: odd (400) ({path})"


def test_a_name_that_is_followed_may_lie_elsewhere_too(
    live: Any, server: ApiServer, monkeypatch: Any
) -> None:
    _only_in(server, {"n-03": {"*"}})
    server.rules = {"n-03": [READS]}
    real = watch.moments

    def moments(*given: Any, **named: Any) -> Iterator[Any]:
        for number, moment in enumerate(real(*given, **named)):
            yield moment
            if number:
                raise KeyboardInterrupt
            server.wait_for_watches(2)
            server.event("MODIFIED", running("steady", "n-03", spec={"parallelism": 1}))

    monkeypatch.setattr(watch, "moments", moments)
    result = live("get", "job/steady", "-A", "-w")
    assert result.rows()[0][1] == "steady"
    (told,) = [line for line in result.err.splitlines() if line.startswith("warning: ")]
    assert told.startswith("warning: nothing may be read in the namespaces n-00, ")


def test_what_may_not_be_read_cannot_be_followed(live: Any, server: ApiServer) -> None:
    server.deny("jobsets")
    result = live("get", "job/steady", "jobset/one", "-n", "n-03", "-w")
    assert (result.code, result.out) == (1, "")
    assert result.err.startswith("error: the API server says: jobsets is forbidden")
