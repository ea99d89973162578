"""Commands on a cluster: what is asked of it, what is shown of it, and what cannot be."""

from __future__ import annotations

import importlib
import json
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.apiserver import ApiServer, serving
from tests.apiserver.server import COMMON, Call, Kind, Reply, status
from tests.cli.conftest import Result, Wmap
from tests.cli.objects import failed, job, pod, running
from workload_map.cli.root import COMMANDS

CRON = Kind("batch/v1", "CronJob", "cronjobs")


def _namespace(name: str) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "uid": f"ns-{name}"}}


OBJECTS = [
    _namespace("lab"),
    _namespace("other"),
    running("steady", metadata={"labels": {"team": "a"}}),
    failed("broken"),
    running("twin", "other"),
    *(pod(f"steady-{number}", "steady") for number in range(2)),
    pod("twin-0", "twin", "other"),
]


@pytest.fixture
def server() -> Iterator[ApiServer]:
    with serving([*OBJECTS]) as running_server:
        yield running_server


def _warnings(result: Result) -> list[str]:
    return [line for line in result.err.splitlines() if line.startswith("warning: ")]


def test_a_type_is_listed_in_its_namespace(live: Any) -> None:
    result = live("get", "jobs", "-n", "lab")
    assert result.code == 0
    assert [row[:4] for row in result.rows()] == [
        ["broken", "Failed", "0/2", "4"],
        ["steady", "Running", "2/2", "4"],
    ]


@pytest.mark.parametrize(
    ("token", "near"),
    [
        ("jobsett", "did you mean jobset?"),
        # Neither can be shown: of services nothing is covered, and Ray's clusters are not served.
        ("servic", None),
        ("rayclustr", None),
    ],
)
def test_a_type_that_is_suggested_can_be_shown(live: Any, token: str, near: str | None) -> None:
    result = live("get", token)
    assert result.code == 4
    hint = f"an object is TYPE/NAME; `wmap get all --field-selector metadata.name={token}` finds it"
    assert result.err.splitlines()[1] == f"hint: {f'{near} {hint}' if near else hint}"
    assert near is None or live("get", near.removeprefix("did you mean ").rstrip("?")).code == 0


def test_all_namespaces_have_a_column(live: Any) -> None:
    result = live("get", "all", "-A")
    assert [row[:3] for row in result.rows()] == [
        ["lab", "broken", "Job"],
        ["lab", "steady", "Job"],
        ["other", "twin", "Job"],
    ]


def test_the_namespace_is_that_of_the_context(wmap: Wmap, server: ApiServer, put: Any) -> None:
    config = {
        "clusters": [{"name": "c", "cluster": {"server": server.url}}],
        "contexts": [{"name": "x", "context": {"cluster": "c", "namespace": "other"}}],
        "current-context": "x",
    }
    result = wmap("get", "jobs", "--kubeconfig", put("config", config))
    assert [row[0] for row in result.rows()] == ["twin"]


def test_jobsets_take_three_requests(wmap: Wmap) -> None:
    jobset = {
        "apiVersion": "jobset.x-k8s.io/v1alpha2",
        "kind": "JobSet",
        "metadata": {"name": "train", "namespace": "x", "uid": "js"},
        "spec": {"replicatedJobs": [{"name": "a", "template": {"spec": job("j")["spec"]}}]},
    }
    owner = {"apiVersion": jobset["apiVersion"], "kind": "JobSet", "name": "train", "uid": "js"}
    between = job("train-a-0", "x", metadata={"ownerReferences": [{**owner, "controller": True}]})
    labels = {"jobset.sigs.k8s.io/replicatedjob-name": "a"}
    pods = [pod(f"p-{number}", "train-a-0", "x", metadata={"labels": labels}) for number in range(2)]
    with serving([jobset, between, *pods]) as server:
        result = wmap("get", "jobset", "-n", "x", "--server", server.url)
        assert [(row[0], row[2]) for row in result.rows()] == [("train", "2/2")]
        assert sorted(server.paths(besides_discovery=True)) == [
            "/api/v1/namespaces/x/pods",
            "/apis/batch/v1/namespaces/x/jobs",
            "/apis/jobset.x-k8s.io/v1alpha2/namespaces/x/jobsets",
        ]
        bare = [call.path.rpartition("/")[2] for call in server.calls if call.accepts_bare]
        assert bare == ["jobs"]
        assert len(server.paths()) == 6


def test_a_named_object_is_asked_for_alone(live: Any, server: ApiServer) -> None:
    assert live("get", "job/steady", "-n", "lab").rows()[0][:3] == ["steady", "Running", "2/2"]
    assert sorted(server.paths(besides_discovery=True)) == [
        "/api/v1/namespaces/lab/pods",
        "/apis/batch/v1/namespaces/lab/jobs/steady",
    ]


def test_a_selector_is_the_servers_matter(live: Any, server: ApiServer) -> None:
    assert [row[0] for row in live("get", "jobs", "-n", "lab", "-l", "team=a").rows()] == ["steady"]
    (call,) = [call for call in server.calls if call.path.endswith("/jobs")]
    assert call.query["labelSelector"] == "team=a"


def test_verbose_tells_each_request_with_its_time_and_size(live: Any, server: ApiServer) -> None:
    lines = [
        line for line in live("get", "jobs", "-n", "lab", "-v").err.splitlines() if line.startswith("GET ")
    ]
    assert len(lines) == len(server.calls) == 5
    (pods,) = [line for line in lines if "/pods" in line]
    assert pods.startswith("GET /api/v1/namespaces/lab/pods?limit=500 200 in 0.")
    assert pods.endswith(" bytes")


def test_a_missing_object_is_3_and_an_uncovered_kind_4(live: Any) -> None:
    assert live("get", "job/absent", "-n", "lab").code == 3
    assert live("get", "services", "-n", "lab").code == 4
    nonsense = live("describe", "nonsense", "-n", "lab")
    assert nonsense.code == 4
    assert "`wmap get all --field-selector metadata.name=nonsense` finds it" in nonsense.err


def test_a_kind_that_is_not_served_is_an_empty_list_or_no_object(live: Any) -> None:
    result = live("get", "rayjobs", "-n", "lab")
    assert (result.code, result.out) == (0, "")
    assert _warnings(result) == ["warning: the cluster has no RayJob of ray.io in a version that is covered"]
    for name in (("rayjob/x",), ("rayjob/x", "rayservice/y")):
        named = live("describe", *name, "-n", "lab")
        assert (named.code, named.out, _warnings(named)) == (3, "", [])
        error, hint = named.err.splitlines()
        assert error.startswith("error: the cluster has no RayJob of ray.io in a version that is covered")
        assert hint == "hint: `kubectl api-resources` lists the kinds that the cluster serves"
    # What is there is shown.
    both = live("get", "rayjob/x", "job/steady", "-n", "lab")
    assert both.code == 3 and both.rows()[0][0] == "steady"
    assert _warnings(both) == _warnings(result)


def test_a_version_that_no_definition_covers_is_not_read(wmap: Wmap) -> None:
    with serving([], (*COMMON, Kind("ray.io/v9", "RayJob", "rayjobs"))) as server:
        result = wmap("get", "rayjobs", "-A", "--server", server.url)
        assert (result.code, result.out) == (0, "")
        assert not [path for path in server.paths() if "rayjobs" in path]


def test_a_forbidden_kind_is_one_line_and_the_others_show(live: Any, server: ApiServer) -> None:
    server.deny("jobs")
    result = live("get", "job,deployment", "-n", "lab")
    assert (result.code, result.out) == (0, "")
    (line,) = _warnings(result)
    assert 'cannot list resource "jobs"' in line and 'namespace "lab"' in line


def test_a_forbidden_kind_that_others_refer_to_is_one_line(live: Any, server: ApiServer) -> None:
    # A JobSet is a workload of its own, and what a TrainJob says of its pods is read from it.
    train = {
        "apiVersion": "trainer.kubeflow.org/v1alpha1",
        "kind": "TrainJob",
        "metadata": {"name": "tune", "namespace": "lab", "uid": "tj"},
        "spec": {"runtimeRef": {"name": "torch"}},
        "status": {"jobsStatus": [{"name": "node", "active": 1}]},
    }
    server.objects.append(train)
    server.kinds = (*server.kinds, Kind("trainer.kubeflow.org/v1alpha1", "TrainJob", "trainjobs"))
    server.deny("jobsets")
    result = live("get", "jobset,trainjob", "-n", "lab")
    assert result.code == 0
    assert "tune" in result.out
    assert len(_warnings(result)) == 1


def test_when_all_is_forbidden_it_is_an_error_and_never_an_empty_list(live: Any, server: ApiServer) -> None:
    server.deny("jobs")
    result = live("get", "jobs", "-n", "lab")
    assert (result.code, result.out) == (1, "")
    error, hint = result.err.splitlines()
    assert error.startswith("error: the API server says: jobs is forbidden")
    assert hint.startswith("hint: `wmap rbac`")
    assert live("get", "job/steady", "-n", "lab").code == 1
    server.deny(*(kind.plural for kind in COMMON if kind.plural != "kartas"))
    result = live("get", "all", "-n", "lab")
    assert (result.code, result.out) == (1, "")
    # A namespace in which nothing may be read is one line, and what to do about it.
    error, hint = result.err.splitlines()
    assert error.startswith("error: nothing of what was asked for may be read")
    assert 'in the namespace "lab"' in error and hint.startswith("hint: `wmap rbac`")


def test_a_forbidden_namespace_is_one_line_and_the_others_show(live: Any, server: ApiServer) -> None:
    server.deny("jobs", namespaces=("other",))
    result = live("get", "jobs", "-A")
    assert [row[:2] for row in result.rows()] == [["lab", "broken"], ["lab", "steady"]]
    assert _warnings(result) == [
        'warning: jobs.batch are left out in the namespace "other": they may not be listed there'
    ]


def test_without_pods_it_is_not_known_how_many_are_ready(live: Any, server: ApiServer) -> None:
    server.deny("pods")
    result = live("get", "jobs", "-n", "lab")
    assert [row[2] for row in result.rows()] == ["?/2", "?/2"]
    (line,) = _warnings(result)
    assert 'cannot list resource "pods"' in line


@pytest.mark.parametrize("code", [429, 500, 503])
def test_a_busy_server_is_asked_again(live: Any, server: ApiServer, code: int) -> None:
    refused: list[str] = []

    def before(call: Call) -> Reply | None:
        if call.path.endswith("/jobs") and not refused:
            refused.append(call.path)
            return Reply(code, status(code, "Busy", "later"), {"Retry-After": "0"})
        return None

    server.before = before
    assert len(live("get", "jobs", "-n", "lab").rows()) == 2
    assert refused


def test_a_server_that_stays_busy_is_given_up_and_told(live: Any, server: ApiServer) -> None:
    asked: list[str] = []

    def before(call: Call) -> Reply | None:
        if call.path.endswith("/jobs"):
            asked.append(call.path)
            return Reply(429, status(429, "TooManyRequests", "too many requests"), {"Retry-After": "0"})
        return None

    server.before = before
    result = live("get", "jobs", "-n", "lab")
    assert (result.code, result.out) == (1, "")
    assert "the API server says: too many requests (429)" in result.err
    assert len(asked) == 5


def _takes_chunks(name: str) -> bool:
    command = importlib.import_module(f"workload_map.cli.commands.{name}").command
    return any("--chunk-size" in parameter.opts for parameter in command.params)


@pytest.mark.parametrize("name", [name for name in COMMANDS if _takes_chunks(name)])
def test_the_size_of_pages_counts_wherever_it_can_be_given(live: Any, server: ApiServer, name: str) -> None:
    what = {"get": "jobs", "dump": "jobs", "owner": "steady-0"}.get(name, "job/steady")
    # A pod is looked up by its name, which is a list where its namespace is not known.
    where = ["-A"] if name == "owner" else ["-n", "lab"]
    assert live(name, what, *where, "--chunk-size", "1").code == 0
    assert "1" in {call.query.get("limit") for call in server.calls}


def test_pages_are_followed_and_a_list_that_grew_too_old_is_begun_again(live: Any, server: ApiServer) -> None:
    gone: list[str] = []

    def before(call: Call) -> Reply | None:
        if call.path.endswith("/jobs") and call.query.get("continue") and not gone:
            gone.append(call.query["continue"])
            return Reply(410, status(410, "Expired", "the continue token is too old"))
        return None

    server.before = before
    result = live("get", "jobs", "-n", "lab", "--chunk-size", "1")
    assert [row[0] for row in result.rows()] == ["broken", "steady"]
    continues = [call.query.get("continue") for call in server.calls if call.path.endswith("/jobs")]
    assert continues == [None, "1", None, "1"]


def test_several_kinds_are_read_at_once_and_of_each_one_page_after_the_other(
    live: Any, server: ApiServer
) -> None:
    """Each first page waits until that of every kind was asked for: one after the other, none would come."""
    server.objects += [running(f"more-{number}") for number in range(4)]
    server.page = 2
    first_pages = threading.Barrier(2, timeout=30)
    asked: dict[str, list[str]] = {"jobs": [], "pods": []}

    def before(call: Call) -> Reply | None:
        plural = call.path.rpartition("/")[2]
        if plural in asked:
            asked[plural].append(call.query.get("continue", "0"))
            if asked[plural] == ["0"]:
                first_pages.wait()
        return None

    server.before = before
    assert len(live("get", "jobs", "-n", "lab").rows()) == 6
    assert not first_pages.broken
    # A page is asked for by what the one before says, so that there is one at a time.
    assert asked == {"jobs": ["0", "2", "4"], "pods": ["0"]}


def test_a_connection_that_breaks_is_made_again(live: Any, server: ApiServer) -> None:
    broken: list[str] = []

    def before(call: Call) -> Reply | None:
        if call.path.endswith("/pods") and not broken:
            broken.append(call.path)
            return Reply(0)
        return None

    server.before = before
    assert len(live("get", "jobs", "-n", "lab").rows()) == 2


def test_an_unreachable_server_is_one_error(wmap: Wmap) -> None:
    result = wmap("get", "all", "--server", "http://127.0.0.1:1")
    assert (result.code, result.out) == (1, "")
    assert result.err.splitlines()[0] == (
        "error: cannot reach the API server: Connection refused (http://127.0.0.1:1)"
    )
    assert len(result.err.splitlines()) == 2


def test_an_answer_that_is_none_of_an_api_server_is_told(live: Any, server: ApiServer) -> None:
    server.before = lambda _: Reply(200, b"<html>please log in</html>", {"Content-Type": "text/html"})
    result = live("get", "all")
    assert result.code == 1
    assert "no answer of an API server" in result.err


_NESTED = b"[" * 100_000 + b"]" * 100_000
_UNREADABLE = {
    "nested too deep": Reply(200, b'{"kind": "JobList", "more": ' + _NESTED + b"}"),
    "not compressed": Reply(200, {"items": []}, {"Content-Encoding": "gzip"}),
    "a failure": Reply(200, status(500, "InternalError", "a proxy's")),
    "an object without metadata": Reply(200, {"items": [{}]}),
    "an object without a name": Reply(200, {"items": [{"metadata": {"name": ["a"]}}]}),
    "a UID that is no text": Reply(200, {"items": [{"metadata": {"name": "a", "uid": ["a"]}}]}),
    "pages in a circle": Reply(200, {"metadata": {"continue": "1"}, "items": []}),
}


@pytest.mark.parametrize("reply", _UNREADABLE.values(), ids=_UNREADABLE)
@pytest.mark.parametrize("command", [["get", "jobs"], ["dump", "job"]], ids=" ".join)
def test_a_list_that_cannot_be_read_is_told(
    live: Any, server: ApiServer, reply: Reply, command: list[str]
) -> None:
    server.before = lambda call: reply if call.path.endswith("/jobs") else None
    result = live(*command, "-n", "lab")
    assert (result.code, result.out) == (1, "")
    assert result.err.startswith("error: ") and "internal" not in result.err


@pytest.mark.parametrize(
    "body",
    [{}, [], {"metadata": {"name": ["a"]}}, b'{"a":' + _NESTED + b"}"],
    ids=["empty", "list", "name", "nested"],
)
@pytest.mark.parametrize("command", ["get", "describe", "explain", "draw"])
def test_an_object_that_cannot_be_read_is_told(live: Any, server: ApiServer, command: str, body: Any) -> None:
    server.before = lambda call: Reply(200, body) if call.path.endswith("/jobs/steady") else None
    result = live(command, "job/steady", "-n", "lab")
    assert (result.code, result.out) == (1, "")
    assert "jobs.batch cannot be read" in result.err


@pytest.mark.parametrize("path", ["/api", "/version"])
@pytest.mark.parametrize(
    "body", [b"<html>", [], b'{"kind": "x", "more": ' + _NESTED + b"}"], ids=["html", "list", "nested"]
)
def test_discovery_and_version_that_cannot_be_read_are_told(
    live: Any, server: ApiServer, path: str, body: Any
) -> None:
    server.before = lambda call: Reply(200, body) if call.path == path else None
    result = live("version", "-o", "json") if path == "/version" else live("get", "jobs", "-o", "json")
    assert (result.code, result.out, result.error()["code"]) == (1, "", "cluster")


def test_wrong_credentials_are_told(live: Any, server: ApiServer) -> None:
    server.before = lambda _: Reply(401, status(401, "Unauthorized", "Unauthorized"))
    result = live("get", "all", "-o", "json")
    assert result.code == 1
    assert "does not accept the credentials (401)" in result.error()["message"]


def test_older_servers_tell_their_kinds_group_by_group(live: Any, server: ApiServer) -> None:
    server.aggregated = False
    assert [row[0] for row in live("get", "jobs", "-n", "lab").rows()] == ["broken", "steady"]


def test_the_owner_of_a_pod_is_followed_object_by_object(live: Any, server: ApiServer) -> None:
    result = live("owner", "steady-1", "-n", "lab")
    assert result.code == 0
    assert ["Workload:", "Job/steady"] in [line.split() for line in result.out.splitlines()]
    assert server.paths(besides_discovery=True) == [
        "/api/v1/namespaces/lab/pods/steady-1",
        "/apis/batch/v1/namespaces/lab/jobs/steady",
    ]


def test_who_is_impersonated_is_told_to_the_server(live: Any, server: ApiServer) -> None:
    live("get", "jobs", "-n", "lab", "--as", "eve", "--as-group", "a", "--as-group", "b", "--token", "t")
    for call in server.calls:
        assert call.headers["impersonate-user"] == "eve"
        assert call.headers["impersonate-group"] == "a, b"
        assert call.headers["authorization"] == "Bearer t"


def test_a_dump_is_no_reason_to_ask_a_cluster(wmap: Wmap, server: ApiServer, example: str) -> None:
    assert wmap("get", "all", "--from", example, "--server", server.url).code == 0
    assert server.calls == []


def test_completion_offers_what_the_cluster_has(server: ApiServer) -> None:
    from workload_map.cli import complete  # noqa: PLC0415
    from workload_map.cli.commands.get import command  # noqa: PLC0415

    def offered(*words: str, last: str) -> list[str]:
        context = command.make_context("get", [*words, "--server", server.url], resilient_parsing=True)
        return complete.types(context, command.params[0], last)

    assert offered("-n", "lab", "job", last="st") == ["steady"]
    assert offered("-n", "other", last="job/") == ["job/twin"]
    context = command.make_context("get", ["--server", server.url], resilient_parsing=True)
    assert complete.namespaces(context, command.params[0], "") == ["lab", "other"]


def test_a_folder_for_no_kubeconfig_is_no_cluster(wmap: Wmap, tmp_path: Path) -> None:
    result = wmap("get", "all", "--kubeconfig", str(tmp_path))
    assert result.code == 1
    assert "cannot read the kubeconfig" in result.err


DEFINITION = """\
apiVersion: run.ai/v1alpha1
kind: Karta
metadata: {name: own-job}
spec:
  structureDefinition:
    rootComponent:
      name: job
      kind: {group: batch, version: v1, kind: Job}
      specDefinition: {podTemplateSpecPath: .spec.template}
      scaleDefinition: {replicasPath: .spec.parallelism}
      statusDefinition:
        phaseDefinition: {path: .metadata.name}
        statusMappings: {running: [{byPhase: steady}], failed: [{byPhase: broken}]}
"""


def _definition(name: str) -> Any:
    return {**yaml.safe_load(DEFINITION), "metadata": {"name": name, "uid": f"karta-{name}"}}


def test_a_definition_in_the_cluster_replaces_the_built_in_one(live: Any, server: ApiServer) -> None:
    server.objects.append(_definition("own-job"))
    result = live("get", "jobs", "-n", "lab", "-o", "json").json("list")
    assert {(item["definition"], item["origin"]) for item in result["items"]} == {("own-job", "cluster")}
    listed = live("definitions", "-o", "name").out.split()
    assert "own-job" in listed and "batch-job-v1" not in listed


def test_definitions_that_collide_are_both_listed_and_used_by_nothing(live: Any, server: ApiServer) -> None:
    server.objects += [_definition("one"), _definition("two")]
    result = live("get", "jobs", "-n", "lab")
    assert (result.code, result.out) == (2, "")
    assert "one (cluster)" in result.err and "two (cluster)" in result.err
    listed = live("definitions", "-o", "name")
    assert {"one", "two"} <= set(listed.out.split())
    assert listed.code == 0 and len(_warnings(listed)) == 1


def test_a_definition_that_cannot_be_used_hides_no_other(live: Any, server: ApiServer) -> None:
    broken = _definition("broken")
    broken["spec"]["structureDefinition"]["rootComponent"]["replica"] = 1
    server.objects += [broken, _definition("own-job")]
    listed = live("definitions", "-o", "name")
    assert "own-job" in listed.out.split() and "broken" not in listed.out.split()
    assert "replica" in listed.err


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (Reply(404, b"404 page not found"), "the cluster has no kartas.run.ai"),
        (Reply(403, status(403, "Forbidden", "kartas is forbidden")), "listing kartas.run.ai is forbidden"),
        (Reply(400, status(400, "BadRequest", "odd")), "definitions in the cluster are left out: "),
    ],
)
def test_without_the_clusters_definitions_the_others_count(
    live: Any, server: ApiServer, reply: Reply, told: str
) -> None:
    server.before = lambda call: reply if call.path.endswith("/kartas") else None
    for call in (("get", "jobs", "-n", "lab"), ("definitions",), ("rbac",)):
        result = live(*call)
        assert result.code == 0 and result.out
        # Nothing has to be installed in a cluster: that nothing is, only those tell who list definitions.
        expected = [] if reply.status == 404 and call[0] == "get" else [told]
        assert [told for line in _warnings(result) if told in line] == expected
        assert len(_warnings(result)) == len(expected)


def test_without_any_definitions_it_is_told_that_the_cluster_has_none(live: Any, server: ApiServer) -> None:
    server.before = lambda call: Reply(404, b"404 page not found") if call.path.endswith("/kartas") else None
    result = live("get", "all", "--no-builtin")
    assert (result.code, result.out) == (4, "")
    assert [line.split(":")[0] for line in result.err.splitlines()] == ["warning", "error", "hint"]


def test_the_definitions_of_a_cluster_that_is_down_are_a_warning(wmap: Wmap) -> None:
    result = wmap("definitions", "-o", "name", "--server", "http://127.0.0.1:1")
    assert result.code == 0
    assert "batch-job-v1" in result.out.split()
    (line,) = _warnings(result)
    assert "cannot reach the API server" in line


def test_the_version_of_the_cluster_is_told(live: Any, server: ApiServer, wmap: Wmap) -> None:
    assert live("version").out.splitlines()[2:] == [
        "server v1.34.0-test",
        "definitions in the cluster: v1alpha1",
    ]
    server.calls.clear()
    assert live("version", "--client").out.startswith("wmap ")
    assert server.calls == []
    assert wmap("version", "--server", "http://127.0.0.1:1").code == 1


@pytest.mark.parametrize(("code", "told"), [(404, None), (403, "forbidden"), (500, "cluster")])
def test_that_a_cluster_has_no_definitions_is_told_where_it_says_so(
    live: Any, server: ApiServer, code: int, told: str | None
) -> None:
    reply = Reply(code, status(code, "Odd", "odd"))
    server.before = lambda call: reply if call.path == "/apis/run.ai/v1alpha1" else None
    result = live("version", "-o", "json")
    if told is None:
        assert json.loads(result.out)["server"]["definitions"] is None
    else:
        assert (result.code, result.out, result.error()["code"]) == (1, "", told)


def test_the_version_of_a_hostile_cluster_reaches_no_terminal(live: Any, server: ApiServer) -> None:
    hostile = {"gitVersion": "v1\x1b[2J"}
    server.before = lambda call: Reply(200, hostile) if call.path == "/version" else None
    assert "server v1\\x1b[2J\n" in live("version").out


def test_a_dump_answers_as_the_cluster_does(live: Any, wmap: Wmap, put: Any, tmp_path: Path) -> None:
    dump = put("dump.yaml", live("dump", "-n", "lab").out)
    folder = str(tmp_path / "folder")
    assert live("dump", "-n", "lab", "--folder", folder, "-o", "json").out == ""
    for call in (("get", "all", "-n", "lab", "-o", "wide"), ("describe", "job/steady", "-n", "lab")):
        shown = live(*call).out
        assert shown
        assert wmap(*call, "--from", dump).out == shown
        assert wmap(*call, "--from", folder).out == shown


def test_an_object_of_a_dump_begins_with_what_it_is(live: Any) -> None:
    for item in json.loads(live("dump", "job", "-n", "lab", "-o", "json").out)["items"]:
        assert [*item][:2] == ["apiVersion", "kind"]


def test_a_kind_does_not_choose_where_a_dump_is_written(wmap: Wmap, put: Any, tmp_path: Path) -> None:
    definition = yaml.safe_load(wmap("definitions", "batch-job-v1", "-o", "yaml").out)
    definition["metadata"]["name"] = "hostile"
    definition["spec"]["structureDefinition"]["rootComponent"]["kind"]["kind"] = "../Évil"
    hostile = put("hostile.yaml", yaml.safe_dump_all([definition, running("steady") | {"kind": "../Évil"}]))
    folder = tmp_path / "folder"
    assert wmap("dump", "--from", hostile, "--folder", str(folder)).code == 0
    assert "..__vil.batch.yaml" in {file.name for file in folder.iterdir()}
    assert {file.name for file in tmp_path.iterdir()} == {"hostile.yaml", "folder"}


def test_without_pods_nothing_is_checked(live: Any, server: ApiServer) -> None:
    server.deny("pods")
    result = live("check", "job/steady", "-n", "lab", "-o", "json")
    (checked,) = result.json("check")["items"]
    assert [(row["check"], row["verdict"]) for row in checked["rows"]] == [("pods", "open")]
    assert result.code == 1
    assert "pods is forbidden" in result.err
    assert result.error()["message"] == "nothing could be compared"


@pytest.mark.parametrize("form", ["svg", "html", "mermaid", "dot"])
def test_without_pods_none_is_drawn_as_missing(live: Any, server: ApiServer, form: str) -> None:
    server.deny("pods")
    result = live("draw", "job/steady", "-n", "lab", "-o", form)
    assert result.code == 0
    assert "not known if there" in result.out and "wanted, not there" not in result.out
    assert len(_warnings(result)) == 1


def test_a_dump_holds_whole_objects_and_what_they_refer_to(live: Any, server: ApiServer, put: Any) -> None:
    claim = {"resourceClaims": [{"name": "gpu", "resourceClaimTemplateName": "two"}], "containers": []}
    using = job("using", spec={"template": {"spec": {**claim, "volumes": [{"name": "v"}]}}})
    template = {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceClaimTemplate",
        "metadata": {"name": "two", "namespace": "lab", "uid": "rct"},
        "spec": {},
    }
    server.objects += [using, template, _definition("own-job")]
    server.kinds = (
        *server.kinds,
        Kind("resource.k8s.io/v1", "ResourceClaimTemplate", "resourceclaimtemplates"),
    )
    items = yaml.safe_load(live("dump", "jobs", "-n", "lab").out)["items"]
    names = {(item["kind"], item["metadata"]["name"]) for item in items}
    assert {("ResourceClaimTemplate", "two"), ("Karta", "own-job"), ("Pod", "steady-0")} <= names
    (kept,) = [item for item in items if item["metadata"]["name"] == "using"]
    assert kept["spec"]["template"]["spec"]["volumes"] == [{"name": "v"}]


def _crd(plural: str, group: str, kind: str) -> dict[str, Any]:
    names = {"plural": plural, "singular": kind.lower(), "kind": kind}
    versions = [{"name": "v1", "served": True, "storage": True}]
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{plural}.{group}", "uid": f"crd-{plural}"},
        "spec": {"group": group, "names": names, "scope": "Namespaced", "versions": versions},
    }


CRDS = Kind("apiextensions.k8s.io/v1", "CustomResourceDefinition", "customresourcedefinitions")
JOBSET = {
    "apiVersion": "jobset.x-k8s.io/v1alpha2",
    "kind": "JobSet",
    "metadata": {"name": "set", "namespace": "lab", "uid": "set"},
    "spec": {"replicatedJobs": []},
}


def test_a_dump_holds_the_crds_of_the_covered_kinds_in_it(
    live: Any, server: ApiServer, wmap: Wmap, put: Any
) -> None:
    server.kinds = (*server.kinds, CRDS)
    server.objects += [_crd("jobsets", "jobset.x-k8s.io", "JobSet"), _crd("others", "x.io", "Other"), JOBSET]
    result = live("dump", "-n", "lab")
    items = yaml.safe_load(result.out)["items"]
    crds = [item["metadata"]["name"] for item in items if item["kind"] == "CustomResourceDefinition"]
    assert crds == ["jobsets.jobset.x-k8s.io"]
    again = wmap("dump", "--from", put("dump.yaml", result.out))
    assert yaml.safe_load(again.out)["items"] == items
    # They are large: those of other kinds are not asked for.
    asked = [
        call.path.rpartition("/")[2] for call in server.calls if "/customresourcedefinitions" in call.path
    ]
    assert asked == ["jobsets.jobset.x-k8s.io"]
    only_jobs = yaml.safe_load(live("dump", "jobs", "-n", "lab").out)["items"]
    assert "CustomResourceDefinition" not in {item["kind"] for item in only_jobs}


def test_crds_that_may_not_be_read_are_one_line(live: Any, server: ApiServer) -> None:
    server.kinds = (*server.kinds, CRDS)
    server.objects.append(JOBSET)
    server.deny("customresourcedefinitions")
    result = live("dump", "-n", "lab")
    assert (result.code, len(yaml.safe_load(result.out)["items"])) == (0, 5)
    (line,) = [line for line in _warnings(result) if "CustomResourceDefinition" in line]
    assert line.startswith("warning: CustomResourceDefinitions are left out: ")


def test_an_anonymous_dump_gives_the_same_rows_under_other_names(live: Any, wmap: Wmap, put: Any) -> None:
    shown = live("get", "jobs", "-n", "lab").rows()
    dump = live("dump", "-n", "lab", "--anonymize").out
    assert not {"steady", "broken", "lab", "busybox", "node-1"} & set(dump.replace("-", " ").split())
    rows = wmap("get", "jobs", "--from", put("dump.yaml", dump)).rows()
    assert sorted(row[2:] for row in rows) == sorted(row[1:] for row in shown)
    assert {row[1] for row in rows}.isdisjoint(row[0] for row in shown)


def test_the_kubectl_call_names_the_kinds_that_are_there(live: Any, wmap: Wmap, server: ApiServer) -> None:
    assert live("dump", "jobset", "-n", "lab", "--print-kubectl").out == (
        "kubectl get jobs.batch,jobsets.jobset.x-k8s.io,kartas.run.ai,pods -n lab -o yaml\n"
    )
    assert not [path for path in server.paths() if path.endswith(("/jobs", "/pods", "/jobsets"))]
    everything = live("dump", "-A", "--print-kubectl").out
    assert everything.startswith("kubectl get deployments.apps,") and everything.endswith(" -A -o yaml\n")
    assert "rayjobs" not in everything
    # Without a cluster there is nobody to say which kinds it has.
    assert (
        wmap("dump", "cronjob", "--print-kubectl").out
        == "kubectl get cronjobs.batch,jobs.batch,pods -o yaml\n"
    )
    assert live("dump", "job/steady", "--print-kubectl").code == 2
    assert live("dump", "--print-kubectl", "--anonymize").code == 2


def test_the_role_names_what_is_read_and_no_more(wmap: Wmap) -> None:
    role = yaml.safe_load(wmap("rbac").out)
    rights = {
        (group, resource): rule["verbs"]
        for rule in role["rules"]
        for group in rule["apiGroups"]
        for resource in rule["resources"]
    }
    assert len(rights) == sum(len(rule["resources"]) for rule in role["rules"])
    assert rights["", "pods"] == rights["batch", "jobs"] == ["get", "list", "watch"]
    assert rights["", "events"] == rights["run.ai", "kartas"] == ["list"]
    assert ("", "secrets") not in rights and not any(verbs == ["*"] for verbs in rights.values())
    edit = yaml.safe_load(wmap("rbac", "--edit").out)
    assert {
        "apiGroups": ["batch"],
        "resources": ["cronjobs", "jobs"],
        "verbs": ["get", "list", "watch", "patch"],
    } in (edit["rules"])


def test_events_are_those_about_the_workload_and_its_pods(live: Any, server: ApiServer) -> None:
    def event(name: str, about: str, uid: str, kind: str = "Pod") -> Any:
        reference = {"kind": kind, "namespace": "lab", "name": about, "uid": uid}
        return {
            "apiVersion": "v1",
            "kind": "Event",
            "metadata": {"name": name, "namespace": "lab", "uid": f"event-{name}"},
            "involvedObject": reference,
            "type": "Warning",
            "reason": "Because",
            "message": f"about {about}",
            "lastTimestamp": "2026-01-01T00:00:00Z",
        }

    server.objects += [
        event("a", "steady-0", "pod-lab-steady-0"),
        event("b", "steady", "job-lab-steady", "Job"),
        event("c", "steady-0", "an-earlier-pod"),
        event("d", "broken", "job-lab-broken", "Job"),
    ]
    out = live("describe", "job/steady", "-n", "lab", "--events").out
    shown = [line.rpartition("   ")[2] for line in out.partition("Events:")[2].splitlines()[2:]]
    assert shown == ["about steady", "about steady-0"]
    assert live("describe", "job/steady", "-n", "lab", "--events", "-o", "json").code == 2


def test_ctrl_c_ends_a_call_that_waits_for_the_cluster(server: ApiServer) -> None:
    asked, released = threading.Event(), threading.Event()

    def before(call: Call) -> Reply | None:
        if call.path.endswith("/pods"):
            asked.set()
            released.wait(60)
        return None

    server.before = before
    # Where the signal is ignored, as in the background of a script, the process would inherit that.
    heed = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    code = f"{heed}; from workload_map.cli import main; main()"
    call = [sys.executable, "-c", code, "get", "all", "--server", server.url]
    with subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert asked.wait(60)
        process.send_signal(signal.SIGINT)
        out, error = process.communicate(timeout=60)
        assert not released.is_set()  # it did not wait for the answer
        released.set()
    assert (process.returncode, out, error) == (130, b"", b"")
