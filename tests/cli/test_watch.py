"""`-w`: what is shown while a cluster changes."""

from __future__ import annotations

import json
import os
import re
import sys
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import yaml

from tests.apiserver import ApiServer, serving
from tests.apiserver.server import Call, Kind, Reply, status
from tests.cli.interactive import Interactive
from tests.cli.objects import failed, job, pod, running
from workload_map.cli import watch
from workload_map.cli.commands import get
from workload_map.cli.entry import run
from workload_map.render.style import Style
from workload_map.source.cluster.tasks import THREAD


class _EnoughError(KeyboardInterrupt):
    """Ends a watch as Ctrl-C does."""


@pytest.fixture
def server() -> Iterator[ApiServer]:
    with serving([job("train"), running("other", "elsewhere")]) as running_server:
        yield running_server
        running_server.end_watches()
        for thread in threading.enumerate():
            if thread.name == THREAD:
                thread.join(timeout=10)


@pytest.fixture
def follow(
    server: ApiServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Any]:
    """Runs a command that watches; after each moment the next step is taken, after the last it is stopped."""

    def call(
        *arguments: str, steps: list[Callable[[], Any]], watches: int = 2
    ) -> tuple[int, list[str], str]:  # those of jobs and pods
        real = watch.moments
        left = [*steps]

        def moments(*given: Any, **named: Any) -> Iterator[Any]:
            for number, moment in enumerate(real(*given, **named)):
                yield moment
                if number and not moment.changed and not moment.gone:  # only warnings are new
                    continue
                if not left:
                    raise _EnoughError
                step = left.pop(0)

                def take(step: Callable[[], Any] = step) -> None:
                    server.wait_for_watches(watches)
                    step()

                threading.Thread(target=take, daemon=True).start()

        monkeypatch.setattr(watch, "moments", moments)
        capsys.readouterr()
        code = run([*arguments, "--server", server.url])
        captured = capsys.readouterr()
        return code, captured.out.splitlines(), captured.err

    return call


def test_rows_follow_that_change_and_ctrl_c_ends_it(follow: Any, server: ApiServer) -> None:
    steps = [
        lambda: server.event("MODIFIED", running("train")),
        lambda: server.event("ADDED", pod("train-0", "train")),
        lambda: server.event("DELETED", running("train")),
    ]
    code, lines, _ = follow("get", "jobs", "-n", "lab", "-w", steps=steps)
    assert code == 130
    # A mark says that the pods at hand contradict the status; here they come later.
    assert [line.replace("!", " ").split()[:4] for line in lines] == [
        ["NAME", "PHASE", "READY", "GPU"],
        ["train", "Initializing", "0/2", "4"],
        ["train", "Running", "0/2", "4"],
        ["train", "Running", "1/2", "4"],
        ["train", "Deleted", "1/2", "4"],
    ]


def test_the_headings_come_before_the_first_row_whenever_that_is(follow: Any, server: ApiServer) -> None:
    steps = [
        lambda: server.event("MODIFIED", running("train")),
        lambda: server.event("MODIFIED", running("train", spec={"parallelism": 1})),
    ]
    _, lines, _ = follow("get", "jobs", "-n", "lab", "-w", "--phase", "Running", steps=steps)
    assert [line.split()[0] for line in lines] == ["NAME", "train", "train"]


def test_a_row_of_several_lines_is_told_whole(
    follow: Any, server: ApiServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(get, "style", lambda _: Style(columns=60))
    steps = [lambda: server.event("MODIFIED", running("train"))]
    _, lines, _ = follow("get", "jobs", "-n", "lab", "-w", "-o", "wide", steps=steps)
    lines = [line.replace("!", " ") for line in lines]
    height = next(number for number, line in enumerate(lines) if line.startswith("train"))
    assert height > 1 and len(lines) == 3 * height
    assert [lines[at].split()[0] for at in (0, height, 2 * height)] == ["NAME", "train", "train"]
    assert lines[-1].split() == lines[2 * height - 1].split() == ["batch-job-v1", "builtin"]


@pytest.mark.parametrize("command", [["get", "jobs"], ["describe", "job/train"]], ids=["get", "describe"])
def test_without_pods_it_is_not_known_how_many_are_ready(
    follow: Any, server: ApiServer, command: list[str]
) -> None:
    server.deny("pods")
    steps = [lambda: server.event("MODIFIED", running("train"))]
    _, lines, error = follow(*command, "-n", "lab", "-w", steps=steps, watches=1)
    if command[0] == "get":
        assert [line.split()[:3] for line in lines[1:]] == [
            ["train", "Initializing", "?/2"],
            ["train", "Running", "?/2"],
        ]
    else:
        assert lines[2].split() == ["NAME", "PODS", "GPU"]
    assert error.count("pods is forbidden") == 1


WRAPPER = Kind("workload.codeflare.dev/v1beta2", "AppWrapper", "appwrappers")
BETWEEN = Kind("between.test/v1", "Between", "betweens")
CLAIM = Kind("resource.k8s.io/v1", "ResourceClaim", "resourceclaims")


def _owned(kind: Kind, name: str, owner: tuple[Kind, str] | None, **given: Any) -> dict[str, Any]:
    made: dict[str, Any] = {"apiVersion": kind.api_version, "kind": kind.kind, **given}
    made["metadata"] = {"name": name, "namespace": "lab", "uid": f"uid-{name}"}
    if owner is not None:
        reference = {"apiVersion": owner[0].api_version, "kind": owner[0].kind, "name": owner[1]}
        made["metadata"]["ownerReferences"] = [{**reference, "uid": f"uid-{owner[1]}", "controller": True}]
    return made


def test_pods_below_kinds_that_no_definition_foresees_are_followed_too(
    follow: Any, server: ApiServer
) -> None:
    """What an AppWrapper wraps is known when it is there; one list tells it, and one for what is above."""
    template = {key: value for key, value in job("inner").items() if key != "metadata"}
    spec = {"components": [{"template": {**template, "metadata": {"name": "inner"}}}]}
    between = _owned(BETWEEN, "between", (WRAPPER, "outer"))
    inner = running("inner", metadata=_owned(BETWEEN, "inner", (BETWEEN, "between"))["metadata"])
    inner["metadata"]["uid"] = "job-lab-inner"
    server.kinds = (*server.kinds, WRAPPER, BETWEEN)
    server.objects += [
        _owned(WRAPPER, "outer", None, spec=spec, status={"phase": "Running"}),
        *(between, inner, pod("inner-0", "inner")),
    ]
    steps = [lambda: server.event("ADDED", pod("inner-1", "inner"))]
    _, lines, _ = follow("get", "appwrappers", "-n", "lab", "-w", "--no-headers", steps=steps)
    assert [line.split()[2] for line in lines] == ["1/2", "2/2"]


@pytest.mark.parametrize("may_read", [True, False])
def test_devices_that_pods_claim_are_followed_too(follow: Any, server: ApiServer, may_read: bool) -> None:
    device = {"name": "card", "exactly": {"deviceClassName": "gpu.test"}}
    claim = _owned(CLAIM, "cards", None, spec={"devices": {"requests": [device]}})
    lone = _owned(Kind("v1", "Pod", "pods"), "lone", None, spec={"containers": [{"name": "main"}]})
    lone["spec"]["resourceClaims"] = [{"name": "one", "resourceClaimName": "cards"}]
    lone["spec"]["containers"][0]["resources"] = {"claims": [{"name": "one"}]}
    server.kinds = (*server.kinds, CLAIM)
    server.objects += [lone, claim]
    if not may_read:
        server.deny("resourceclaims")
    _, lines, error = follow("get", "pod", "-n", "lab", "-w", "-o", "json", steps=[])
    (view,) = [json.loads(line) for line in lines]
    known = {"name": "cards", "deviceClass": "gpu.test", "count": 1}
    assert view["totals"]["claims"] == [known if may_read else {**known, "deviceClass": None, "count": None}]
    assert [problem["code"] for problem in view["problems"]] == ([] if may_read else ["not-at-hand"])
    assert "forbidden" not in error  # the view tells what is missing, if anything is


@pytest.mark.parametrize(
    ("call", "code"),
    [(["get", "raycluster"], 0), (["get", "raycluster/tune"], 3), (["describe", "raycluster/tune"], 3)],
    ids=["a type", "a name", "described"],
)
def test_a_kind_that_the_cluster_does_not_have_is_not_waited_for(
    server: ApiServer, capsys: pytest.CaptureFixture[str], call: list[str], code: int
) -> None:
    assert run([*call, "-n", "lab", "-w", "--server", server.url]) == code
    captured = capsys.readouterr()
    assert captured.out == ""
    told = "the cluster has no RayCluster of ray.io in a version that is covered"
    assert captured.err.splitlines()[0] == f"{'error' if code else 'warning'}: {told}"


def test_what_looks_the_same_is_not_told_again(follow: Any, server: ApiServer) -> None:
    same = job("train", metadata={"annotations": {"seen": "1"}})

    def change() -> None:
        server.event("MODIFIED", same)
        server.event("MODIFIED", running("train"))

    _, lines, _ = follow("get", "jobs", "-n", "lab", "-w", "--no-headers", steps=[change])
    assert [line.split()[1] for line in lines] == ["Initializing", "Running!"]


def test_a_broken_connection_is_made_again_where_it_was(follow: Any, server: ApiServer) -> None:
    def after_the_break() -> None:
        server.end_watches()
        server.wait_for_watches(2)
        server.event("MODIFIED", running("train"))

    _, lines, error = follow("get", "jobs", "-n", "lab", "-w", steps=[after_the_break])
    assert [line.split()[1] for line in lines[1:]] == ["Initializing", "Running!"]
    assert "is asked again" not in error
    versions = [call.query["resourceVersion"] for call in server.calls if call.query.get("watch")]
    assert versions[:4] == ["100"] * 4


def test_an_expired_version_is_listed_anew_and_what_went_is_told(follow: Any, server: ApiServer) -> None:
    def expire() -> None:
        # While nobody watches, one goes and another comes.
        server.objects[:] = [failed("later")]
        server.version = 200
        server.end_watches({"type": "ERROR", "object": status(410, "Expired", "too old resource version")})

    _, lines, _ = follow("get", "jobs", "-n", "lab", "-w", steps=[expire])
    assert [line.split()[:2] for line in lines[1:]] == [
        ["train", "Initializing"],
        ["later", "Failed"],
        ["train", "Deleted"],
    ]


def test_json_is_a_line_each_time(follow: Any, server: ApiServer) -> None:
    import json  # noqa: PLC0415

    steps = [lambda: server.event("MODIFIED", running("train"))]
    _, lines, _ = follow("get", "job/train", "-n", "lab", "-w", "-o", "json", steps=steps)
    assert [json.loads(line)["phase"] for line in lines] == ["Initializing", "Running"]


def _coming_and_going(server: ApiServer) -> list[Callable[[], Any]]:
    return [
        lambda: server.event("MODIFIED", running("train")),
        lambda: server.event("ADDED", failed("later")),
        lambda: server.event("DELETED", running("train")),
    ]


def test_what_went_is_told_to_programs_as_it_was(follow: Any, server: ApiServer) -> None:
    """That it went is no phase; kubectl prints the last state, too, and tells events where it is asked to."""
    told = [("train", "Initializing"), ("train", "Running"), ("later", "Failed"), ("train", "Running")]
    call = ("get", "jobs", "-n", "lab", "-w")
    _, lines, _ = follow(*call, "-o", "json", steps=_coming_and_going(server))
    views = [json.loads(line) for line in lines]
    assert [(view["name"], view["phase"]) for view in views] == told
    assert [view["phases"] for view in views] == [[phase] for _, phase in told]


@pytest.mark.parametrize("form", ["custom-columns=A:.name,B:.phase", 'jsonpath={.name} {.phase}{"\\n"}'])
def test_what_went_has_no_other_phase_in_forms_of_the_users_own(
    follow: Any, server: ApiServer, form: str
) -> None:
    _, lines, _ = follow("get", "jobs", "-n", "lab", "-w", "-o", form, steps=_coming_and_going(server))
    assert lines[-1].split() == ["train", "Running"]


@pytest.mark.parametrize("output", ["json", "yaml"])
def test_events_say_what_has_happened(follow: Any, server: ApiServer, output: str) -> None:
    call = ("get", "jobs", "-n", "lab", "-w", "-o", output, "--output-watch-events")
    _, lines, _ = follow(*call, steps=_coming_and_going(server))
    if output == "json":
        events = [json.loads(line) for line in lines]
    else:
        events = list(yaml.safe_load_all("\n".join(lines)))
    assert [[*event] for event in events] == [["type", "object"]] * 4
    assert [(event["type"], event["object"]["name"]) for event in events] == [
        ("ADDED", "train"),
        ("MODIFIED", "train"),
        ("ADDED", "later"),
        ("DELETED", "train"),
    ]


def test_events_of_what_is_made_anew_come_in_the_order_of_the_api(follow: Any, server: ApiServer) -> None:
    def anew() -> None:
        server.event("DELETED", running("train"))
        server.event("ADDED", running("train", metadata={"uid": "second"}))

    call = ("get", "jobs", "-n", "lab", "-w", "-o", "json", "--output-watch-events")
    _, lines, _ = follow(*call, steps=[anew])
    told = [(event["type"], event["object"]["uid"]) for event in map(json.loads, lines)]
    assert told == [("ADDED", "job-lab-train"), ("DELETED", "job-lab-train"), ("ADDED", "second")]


def test_events_go_by_what_is_shown(follow: Any, server: ApiServer) -> None:
    steps = [
        lambda: server.event("MODIFIED", running("train")),
        lambda: server.event("MODIFIED", failed("train")),
        lambda: server.event("MODIFIED", running("train")),
        lambda: server.event("MODIFIED", failed("train")),
        lambda: server.event("DELETED", failed("train")),
        lambda: server.event("ADDED", running("last")),
    ]
    call = ("get", "jobs", "-n", "lab", "-w", "-o", "json", "--output-watch-events", "--phase", "Running")
    _, lines, _ = follow(*call, steps=steps)
    told = [(event["type"], event["object"]["name"]) for event in map(json.loads, lines)]
    assert told == [*[("ADDED", "train"), ("DELETED", "train")] * 2, ("ADDED", "last")]


def test_events_are_no_part_of_other_outputs(server: ApiServer, capsys: pytest.CaptureFixture[str]) -> None:
    for call in (["-w"], ["-o", "json"], ["-w", "-o", "name"]):
        assert run(["get", "jobs", *call, "--output-watch-events", "--server", server.url]) == 2
        assert "--output-watch-events takes -w, and -o json or yaml" in capsys.readouterr().err


def test_describe_is_drawn_anew_until_it_is_gone(follow: Any, server: ApiServer) -> None:
    steps = [
        lambda: server.event("MODIFIED", running("train")),
        lambda: server.event("DELETED", running("train")),
    ]
    code, lines, error = follow("describe", "job/train", "-n", "lab", "-w", steps=steps)
    assert code == 0
    assert [line for line in lines if line.startswith("Status:")] == [
        "Status: Initializing",
        "Status: Running",
    ]
    assert "it is gone" in error


def _describing(server: ApiServer, **environment: str) -> Interactive:
    """A job that is followed on a terminal."""
    wmap = [sys.executable, "-c", "from workload_map.cli import main; main()"]
    call = [*wmap, "describe", "job/train", "-n", "lab", "-w", "--server", server.url]
    return Interactive(call, {**os.environ, "KUBECONFIG": os.devnull, **environment})


def test_ages_go_on_in_a_terminal_while_nothing_changes() -> None:
    created = datetime.now(UTC) - timedelta(seconds=20)
    born = {"creationTimestamp": f"{created:%Y-%m-%dT%H:%M:%SZ}"}
    with serving([job("train", metadata=born)]) as server:
        terminal = _describing(server, TERM="xterm")
        try:
            shown = terminal.wait_until(lambda text: len(set(re.findall(r"age: (\d+)s", text))) == 2)
        finally:
            terminal.close()
    assert shown.count("Job/train") == 2
    ages = [int(age) for age in re.findall(r"age: (\d+)s", shown)]
    assert 20 <= ages[0] < ages[1]


@pytest.mark.parametrize("lines", [10, 40])
def test_a_terminal_shows_the_upper_lines_that_it_has_room_for_and_keeps_what_it_showed(lines: int) -> None:
    pods = [pod(f"p-{number}", "train", "lab") for number in range(9)]
    with serving([job("train"), *pods]) as server:
        terminal = _describing(server, TERM="xterm", NO_COLOR="1", LINES=str(lines))
        try:
            shown = terminal.wait_for("\x1b[J")
        finally:
            terminal.close()
    before, _, drawn = shown.partition("\x1b[H")
    assert before.count("\n") >= lines
    assert "\x1b[2J" not in shown and "\x1b[3J" not in shown
    rows = drawn.partition("\x1b[J")[0].splitlines()
    assert rows[0].startswith("Job/train ")
    assert len(rows) < lines
    assert (rows[-1].startswith("… ") and " more lines" in rows[-1]) is (lines == 10)


def test_nothing_is_drawn_over_on_a_terminal_that_cannot_do_it() -> None:
    with serving([job("train")]) as server:
        terminal = _describing(server, TERM="dumb")
        try:
            shown = terminal.wait_for("TOTAL")
        finally:
            terminal.close()
    assert "\x1b" not in shown


def test_a_watch_that_is_denied_is_told_once_and_the_rest_goes_on(follow: Any, server: ApiServer) -> None:
    def before(call: Call) -> Reply | None:
        if call.query.get("watch") and call.path.endswith("/pods"):
            return Reply(403, status(403, "Forbidden", 'pods is forbidden: User "eve" cannot watch'))
        return None

    server.before = before
    steps = [
        lambda: server.event("MODIFIED", running("train")),
        lambda: server.event("MODIFIED", failed("train")),
    ]
    _, lines, error = follow("get", "jobs", "-n", "lab", "-w", steps=steps)
    assert [line.split()[1] for line in lines[1:]] == ["Initializing", "Running!", "Failed"]
    assert error.count("pods are no longer followed") == 1


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"metadata": ["train"]},
        {"metadata": {"name": ["train"], "uid": "job-lab-train"}},
        {"metadata": {"name": "train", "uid": ["job-lab-train"]}},
    ],
    ids=["empty", "metadata", "name", "uid"],
)
@pytest.mark.parametrize("event", ["MODIFIED", "DELETED", "BOOKMARK"])
def test_an_event_that_cannot_be_read_does_not_end_the_watch(
    follow: Any, server: ApiServer, event: str, value: Any
) -> None:
    def hostile() -> None:
        server.end_watches({"type": event, "object": value})
        server.wait_for_watches(2)
        server.event("MODIFIED", running("train"))

    _, lines, error = follow("get", "jobs", "-n", "lab", "-w", steps=[hostile])
    assert [line.split()[1] for line in lines[1:]] == ["Initializing", "Running!"]
    # At a bookmark that tells no version everything is listed again.
    told = {line.partition(":")[2].partition(":")[0] for line in error.splitlines()}
    assert told == (
        set() if event == "BOOKMARK" else {" changes are not heard of now, the cluster is asked again"}
    )


def test_what_is_not_there_cannot_be_followed(server: ApiServer, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["get", "job/absent", "-n", "lab", "-w", "--server", server.url]) == 3
    assert run(["get", "jobs", "-w", "--limit", "3", "--server", server.url]) == 2


def test_files_do_not_change(example_dump: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["get", "jobs", "-w", "--from", example_dump]) == 2
    assert "files do not change" in capsys.readouterr().err


@pytest.fixture
def example_dump() -> str:
    from tests.cli.conftest import EXAMPLE  # noqa: PLC0415

    assert get.command is not None
    return EXAMPLE


def test_a_template_is_applied_to_each_workload_that_changes(follow: Any, server: ApiServer) -> None:
    steps = [lambda: server.event("MODIFIED", running("train"))]
    template = 'jsonpath={.name} {.phase}{"\\n"}'
    _, lines, _ = follow("get", "jobs", "-n", "lab", "-w", "-o", template, steps=steps)
    assert lines == ["train Initializing", "train Running"]


@pytest.mark.parametrize("output", ["table", "custom-columns=NAME:.name,PHASE:.phase,READY:.kind"])
def test_columns_stay_where_they_are_when_what_was_wide_is_gone(
    follow: Any, server: ApiServer, output: str
) -> None:
    # The first phase is Initializing, which is wider than all that follow.
    steps = [
        lambda: server.event("MODIFIED", running("train")),
        lambda: server.event("ADDED", pod("train-0", "train")),
    ]
    _, lines, _ = follow("get", "jobs", "-n", "lab", "-w", "-o", output, steps=steps)
    starts = [[word.start() for word in re.finditer(r"\S+", line)][:3] for line in lines]
    assert len(starts) == 4
    assert starts == [starts[0]] * 4


def test_a_mark_is_explained_once_to_people(
    follow: Any, server: ApiServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    steps = [
        lambda: server.event("MODIFIED", running("train")),
        lambda: server.event("ADDED", pod("train-0", "train")),
    ]
    _, lines, error = follow("get", "jobs", "-n", "lab", "-w", steps=steps)
    assert [line.split()[1] for line in lines[1:]] == ["Initializing", "Running!", "Running!"]
    assert error == "! the pods contradict the status; `wmap describe` tells how\n"


def test_columns_of_the_users_own_go_on(follow: Any, server: ApiServer) -> None:
    steps = [lambda: server.event("MODIFIED", running("train"))]
    columns = "custom-columns=A:.name,B:.phase"
    _, lines, _ = follow("get", "jobs", "-n", "lab", "-w", "-o", columns, steps=steps)
    assert [line.split() for line in lines] == [["A", "B"], ["train", "Initializing"], ["train", "Running"]]
