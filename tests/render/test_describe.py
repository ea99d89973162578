"""The text of `describe`, and its tree."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec
import pytest

from tests.render.views import amounts, component, instance, jobset, observed, pod, totals, workload
from workload_map.engine.view import (
    Bound,
    Problem,
    Queue,
    Read,
    ReplicaGroup,
    UnattributedPod,
    Why,
    Workload,
)
from workload_map.render.describe import describe
from workload_map.render.style import PLAIN, Style
from workload_map.render.tree import Fold, tree

NOW = datetime(2025, 6, 4, 15, tzinfo=UTC)


def _lines(view: Workload, style: Style = PLAIN) -> list[str]:
    return list(describe(view, fold=Fold(), now=NOW, style=style))


DESCRIPTION = """\
JobSet/train   namespace: lab   definition: jobset-v1alpha2 (builtin)   age: 3d3h

NAME                             READY   STATUS                                   GPU   NODE
train                            2/3     Running                                  12
`-- job                          2/3                                              12    gpu-a1,gpu-a2,gpu-b1
    |-- leader                   1/1                                              4     gpu-a1
    |   `-- train-leader-0-0-a   1/1     Running                                  4     gpu-a1
    `-- worker                   1/2                                              8     gpu-a2,gpu-b1
        |-- train-worker-0-0-b   1/1     Running                                  4     gpu-a2
        `-- train-worker-1-0-c   0/1     Running (CrashLoopBackOff, 7 restarts)   4     gpu-b1

Status: Running
  decided by status.replicatedJobsStatus[0].ready = 1
  train-worker-1-0-c: CrashLoopBackOff: back-off 5m0s

Resources:
COMPONENT   PODS   GPU   CPU   MEMORY
job         3      12    24    0
  leader    1      4     8     0
  worker    2      8     16    0
TOTAL       3      12    24    0
"""


def test_the_whole_description() -> None:
    assert _lines(jobset()) == DESCRIPTION.splitlines()


def test_a_manifest_has_neither_status_nor_nodes() -> None:
    component_ = component("main", pods=2, gpus=2, requests=amounts(gpu="2"), instances=(instance(pods=2),))
    view = workload(
        phase=None, phases=(), observed=None, unattributed=None, created_at=None,
        components=(component_,), totals=totals(pods=2, gpus=2, requests=amounts(gpu="2")),
    )  # fmt: skip
    assert _lines(view) == [
        "Job/w   namespace: lab   definition: batch-job-v1 (builtin)",
        "",
        "NAME       PODS   GPU",
        "w          2      2",
        "`-- main   2      2",
        "",
        "Resources:",
        "COMPONENT   PODS   GPU   CPU   MEMORY",
        "main        2      2     0     0",
        "TOTAL       2      2     0     0",
    ]


def test_the_second_line_tells_queue_priority_and_what_was_asked_for() -> None:
    view = workload(
        queue=Queue(name="team-a", system="kueue", admitted=False),
        priority="high",
        restarts=2,
        suspended=True,
        deleted_at="2025-06-04T14:00:00Z",
    )
    assert _lines(view)[1] == (
        "queue: team-a (kueue, not admitted)   priority: high   restarts: 2   suspend: asked for   "
        "deletion: asked for at 2025-06-04T14:00:00Z"
    )


@pytest.mark.parametrize(("suspended", "lines"), [(False, []), (None, ["suspend: not known"])])
def test_what_is_asked_for_is_told_where_it_is_not_known_too(
    suspended: bool | None, lines: list[str]
) -> None:
    assert [line for line in _lines(workload(suspended=suspended)) if "suspend" in line] == lines


@pytest.mark.parametrize(("admitted", "text"), [(True, "q (kai, admitted)"), (None, "q (kai)")])
def test_a_queue_may_not_say_whether_it_admits(admitted: bool | None, text: str) -> None:
    assert _lines(workload(queue=Queue(name="q", system="kai", admitted=admitted)))[1] == f"queue: {text}"


def test_the_status_tells_each_phase_with_its_reason_and_what_was_read() -> None:
    failed = Why(
        phase="Failed",
        rule="r",
        reads=(
            Read(path="status.conditions[type=Failed].status", value="True"),
            Read(path="spec.x", value=None),
        ),
        reason="BackoffLimitExceeded",
        message="too\nmany",
    )
    running = Why(
        phase="Running", rule="r", reads=(Read(path="status.x", value=None),), reason=None, message=None
    )
    wrong = Problem(code="pods-running", location=None, message="it says Failed, but 2 pods still run")
    view = workload(
        phase="Failed",
        phases=("Failed", "Running"),
        stale=True,
        why=(failed, running),
        disagreements=(wrong,),
    )
    assert _lines(view)[2:] == [
        "Status: Failed, of an earlier generation of the object",
        r"  Failed: BackoffLimitExceeded: too\nmany",
        "  decided by status.conditions[type=Failed].status = True",
        "  Running",
        "  decided by status.x = absent",
        "  it says Failed, but 2 pods still run",
    ]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "absent"),
        ("", '""'),
        (0, "0"),
        (False, "false"),
        (True, "true"),
        ("x" * 70, "x" * 57 + "..."),
        ("\x1b", r"\x1b"),
    ],
)
def test_values_that_decided_are_told_apart(value: object, text: str) -> None:
    why = Why(
        phase="Running", rule="r", reads=(Read(path="status.x", value=value),), reason=None, message=None
    )
    assert f"  decided by status.x = {text}" in _lines(workload(why=(why,)))


def test_many_reads_are_counted() -> None:
    reads = tuple(Read(path=f"status.f{n}", value=n) for n in range(6))
    shown = _lines(workload(why=(Why(phase="Running", rule="r", reads=reads, reason=None, message=None),)))
    assert shown[3:7] == [
        "  decided by status.f0 = 0",
        "             status.f1 = 1",
        "             status.f2 = 2",
        "             and 3 more fields",
    ]


def test_what_tells_most_is_read_first() -> None:
    paths = (
        "spec.x",
        "status.conditions[0].type",
        "status.ready",
        "status.conditions[type=Ready].status",
        "status.y",
    )
    reads = tuple(Read(path=path, value=None if path == "status.y" else 1) for path in paths)
    shown = _lines(workload(why=(Why(phase="Running", rule="r", reads=reads, reason=None, message=None),)))
    assert [line.split()[-3] for line in shown[3:6]] == [
        "status.conditions[type=Ready].status",
        "status.ready",
        "spec.x",
    ]


def test_problems_have_their_code_and_place() -> None:
    problem = Problem(code="replicas-text", location="spec.replicas", message='"3" is read as 3')
    assert _lines(workload(problems=(problem,)))[-2:] == [
        "Problems:",
        '  replicas-text: "3" is read as 3 (spec.replicas)',
    ]


def test_each_resource_has_a_column_and_several_accelerators_have_their_own() -> None:
    one = component("a", gpus=2, requests=amounts(cpu="1", gpu="2", rdma="1"))
    view = workload(components=(one,), totals=totals(gpus=2, requests=one.requests))
    assert "COMPONENT   PODS   GPU   CPU   MEMORY   rdma/hca" in _lines(view)
    two = component("b", gpus=3, requests=amounts(**{"gpu": "2", "amd.com/gpu": "1"}))
    view = workload(components=(two,), totals=totals(gpus=3, requests=two.requests))
    assert "COMPONENT   PODS   GPU   CPU   MEMORY   amd.com/gpu   nvidia.com/gpu" in _lines(view)


def _tree(view: Workload, style: Style = PLAIN, **fold: int) -> list[str]:
    return list(tree(view, Fold(**fold), style))


def test_unicode_and_ascii_trees_have_the_same_shape() -> None:
    ascii_lines, unicode_lines = _tree(jobset()), _tree(jobset(), Style(unicode=True))
    glyphs = str.maketrans({"├": "|", "└": "`", "─": "-", "│": "|"})
    assert [line.translate(glyphs) for line in unicode_lines] == ascii_lines
    assert unicode_lines != ascii_lines


def test_no_line_ends_in_blanks() -> None:
    assert all(line == line.rstrip() for line in _tree(jobset()))


def test_unhealthy_pods_come_first_where_not_all_are_shown() -> None:
    pods = [pod(f"p-{n}") for n in range(1, 12)]
    bad = [
        pod("p-12", ready=False, reason="ContainerCreating"),
        pod("p-13", ready=False, phase="Pending", reason="Pending"),
    ]
    done = [pod("p-14", ready=False, phase="Succeeded", reason="Completed")]
    view = workload(
        components=(component("main", members=(*pods, *bad, *done), observed=observed(ready=11)),)
    )
    names = [line.split()[1] for line in _tree(view, pods=3)[3:]]
    assert names == ["p-12", "p-13", "p-1", "..."]
    assert _tree(view, pods=3)[-1].strip(" |`-") == "... 11 more"
    assert _tree(view, pods=1)[-1].strip(" |`-") == "... 13 more, 1 of them not ready"
    assert [line.split()[1] for line in _tree(view)[3:]] == [f"p-{n}" for n in range(1, 15)]
    assert "Succeeded" in _tree(view)[-1] and "(" not in _tree(view)[-1]


def test_deeper_levels_fold() -> None:
    assert [line.split()[0] for line in _tree(jobset(), depth=1)[1:]] == ["train", "`--"]
    assert [line.strip(" |`-").split()[0] for line in _tree(jobset(), depth=2)[1:]] == [
        "train",
        "job",
        "leader",
        "worker",
    ]


def test_pods_without_an_instance_or_a_component_are_shown() -> None:
    jobs = jobset().components[0]
    stray = pod("surge-0", instance=None)
    lost = UnattributedPod(
        **msgspec.structs.asdict(pod("lost-0")), unattributed_because="no selector takes it"
    )
    jobs = msgspec.structs.replace(jobs, members=(*jobs.members, stray))  # type: ignore[misc]
    view = msgspec.structs.replace(jobset(), components=(jobs,), unattributed=(lost,))
    shown = _tree(view)
    assert any(line.startswith("|   `-- surge-0") for line in shown)
    assert shown[-2].startswith("`-- (no component)")
    assert shown[-1].startswith("    `-- lost-0")


def test_replica_groups_are_told_where_they_hold_several_pods() -> None:
    def view(size: int) -> Workload:
        groups = (
            ReplicaGroup(key="10", observed=observed(pods=size)),
            ReplicaGroup(key="9", observed=observed(pods=1)),
        )
        members = (pod("b", replica_group="10"), pod("a", replica_group="9"))
        role = component(
            "role", members=members, observed=observed(), instances=(instance(replica_groups=groups),)
        )
        return workload(components=(role,))

    assert "GROUP" not in _tree(view(1))[0]
    headings, *rows = _tree(view(2))
    column = headings.index("GROUP")
    assert [row[column : column + 2].strip() for row in rows[2:]] == ["9", "10"]


def test_elastic_parts_show_their_bounds_and_suspended_ones_say_so() -> None:
    group = instance(id="gpu", replicas=None, min=1, max=4, pods_per_replica=2, pods=None, gpus=None)
    paused = instance(id="cpu", suspended=True, replicas=0, pods=0)
    role = component(
        "worker",
        pods=None,
        replicas=None,
        gpus=None,
        observed=observed(),
        instances=(group, paused),
        members=(),
    )
    view = workload(
        components=(role,),
        totals=totals(pods=None, gpus=None, at_min=Bound(pods=2, gpus=2), at_max=Bound(pods=8, gpus=8)),
    )
    shown = [line.split() for line in _tree(view)]
    assert shown[1] == ["w", "0/2..8", "Running", "2..8"]
    assert shown[3] == ["|--", "gpu", "?/2..8", "?"]
    assert shown[4] == ["`--", "cpu", "?/0", "suspended", "0"]


def test_finished_pods_are_told_beside_the_ready_ones() -> None:
    view = workload(observed=observed(pods=4, ready=1, succeeded=3), totals=totals(pods=4))
    assert _tree(view)[1].split() == ["w", "1/4,", "3", "done", "Running", "0"]


def test_hostile_names_cannot_move_the_cursor() -> None:
    evil = "\x1b[2J\u202e"
    members = (pod(evil, node=evil, reason=evil),)
    reads = (Read(path=evil, value=evil),)
    view = workload(
        evil,
        namespace=evil,
        definition=evil,
        priority=evil,
        components=(component(evil, members=members, observed=observed(nodes=(evil,))),),
        problems=(Problem(code="c", location=evil, message=evil),),
        why=(Why(phase="Running", rule="r", reads=reads, reason=evil, message=evil),),
    )
    assert all(line.isprintable() for line in _lines(view))
