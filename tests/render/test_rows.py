"""The table of `get`."""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime
from typing import Any

from tests.render.views import amounts, component, instance, jobset, observed, totals, workload
from workload_map.engine.view import Bound, Problem, Queue, Why, Workload
from workload_map.render.order import arranged
from workload_map.render.rows import Options, Row, marks, table
from workload_map.render.style import PLAIN, Style

NOW = datetime(2025, 6, 4, 15, tzinfo=UTC)
DISAGREEMENT = Problem(code="not-enough-ready", location=None, message="1 of 2 pods is ready")


def _table(*views: Workload, style: Style = PLAIN, **options: Any) -> list[str]:
    rows = [Row(view, {"example.com/app": view.name}) for view in views]
    return list(table(rows, Options(**options), NOW, style))


def test_the_plain_table() -> None:
    assert _table(jobset(), workload(observed=observed(ready=1))) == [
        "NAME    PHASE     READY   GPU   AGE",
        "train   Running   2/3     12    3d3h",
        "w       Running   1/1     0     3d3h",
    ]


def test_no_rows_are_no_lines() -> None:
    assert _table(sums=True) == []


def test_the_wide_table_tells_the_rest() -> None:
    assert _cells(jobset(), wide=True, namespace=True, types=True) == {
        "NAMESPACE": "lab",
        "NAME": "train",
        "TYPE": "JobSet",
        "PHASE": "Running",
        "READY": "2/3",
        "GPU": "12",
        "AGE": "3d3h",
        "COMPONENTS": "leader:1,worker:2",
        "IN-USE": "12",
        "CPU": "24",
        "MEMORY": "0",
        "NODES": "gpu-a1,gpu-a2,gpu-b1",
        "QUEUE": "<none>",
        "REASON": "CrashLoopBackOff",
        "DEFINITION": "jobset-v1alpha2",
        "ORIGIN": "builtin",
    }


def _cells(view: Workload, **options: Any) -> dict[str, str]:
    headings, row = (line.split() for line in _table(view, **options))
    return dict(zip(headings, row, strict=True))


def test_what_is_not_known_is_a_question_mark() -> None:
    elastic = workload(
        observed=None,
        phase=None,
        created_at=None,
        totals=totals(
            pods=None, gpus=None, requests=None, at_min=Bound(pods=2, gpus=4), at_max=Bound(pods=5, gpus=None)
        ),
    )
    cells = _cells(elastic, wide=True)
    assert cells["PHASE"] == "<none>"
    assert cells["READY"] == "?/2..5"
    assert cells["GPU"] == "4..?"
    assert cells["AGE"] == "<unknown>"
    assert (cells["IN-USE"], cells["CPU"], cells["MEMORY"], cells["NODES"]) == ("?", "?", "?", "?")


def test_marks_say_that_the_phase_is_old_or_contradicted() -> None:
    stale, wrong = workload(stale=True), workload(disagreements=(DISAGREEMENT,))
    both = workload(stale=True, disagreements=(DISAGREEMENT,))
    assert [_cells(view)["PHASE"] for view in (stale, wrong, both)] == ["Running*", "Running!", "Running*!"]
    assert marks([Row(both, {})]) == ["*", "!"]
    assert marks([Row(wrong, {}), Row(workload(), {})]) == ["!"]
    assert marks([Row(workload(), {})]) == []


def test_a_kind_of_several_groups_names_its_group_and_a_core_kind_none() -> None:
    views = [workload(kind="Service", api_version=version) for version in ("v1", "serving.knative.dev/v1")]
    shown = [_cells(view, types=True, shared_kinds={"Service"})["TYPE"] for view in views]
    assert shown == ["Service", "Service.serving.knative.dev"]


def test_the_reason_is_that_of_the_pods_or_else_of_the_phase() -> None:
    why = Why(phase="Failed", rule="r", reads=(), reason="DeadlineExceeded", message=None)
    other = Why(phase="Running", rule="r", reads=(), reason="Started", message=None)
    view = workload(phase="Failed", why=(other, why))
    assert _cells(view, wide=True)["REASON"] == "DeadlineExceeded"
    assert _cells(jobset(), wide=True)["REASON"] == "CrashLoopBackOff"


def test_components_are_named_with_their_pods_and_long_lists_cut() -> None:
    plain = workload(components=(component("master"), component("worker", pods=None)))
    assert _cells(plain, wide=True)["COMPONENTS"] == "master:1,worker:?"
    many = component("group", instances=tuple(instance(id=f"g{n}", pods=n) for n in range(5)))
    assert _cells(workload(components=(many,)), wide=True)["COMPONENTS"] == "g0:0,g1:1,g2:2,+2"


def test_the_queue_is_shown() -> None:
    view = workload(queue=Queue(name="team-a", system="kueue", admitted=False))
    assert _cells(view, wide=True)["QUEUE"] == "team-a"


def test_labels_get_columns() -> None:
    assert _cells(workload("x"), labels=("example.com/app", "none"))["APP"] == "x"
    assert _cells(workload("x"), labels=("none",))["NONE"] == "<none>"
    rows = [Row(workload("x"), {"b": "2", "a": "1"}), Row(workload("y"), {})]
    shown = list(table(rows, Options(all_labels=True), NOW, PLAIN))
    assert [line.split()[-1] for line in shown] == ["LABELS", "a=1,b=2", "<none>"]


def test_sums_stop_at_what_is_unknown() -> None:
    known = workload(
        totals=totals(pods=2, gpus=8, requests=amounts(gpu="8")), observed=observed(ready=1, gpus=4)
    )
    unknown = workload(totals=totals(pods=None, gpus=1), observed=None)
    assert _table(known, known, sums=True)[-1].split() == ["TOTAL", "2/4", "16"]
    assert _table(known, unknown, sums=True)[-1].split() == ["TOTAL", "?/?", "9"]


def test_without_headings() -> None:
    assert _table(workload(), headings=False) == ["w   Running   0/1   0   3d3h"]


def test_hostile_names_are_escaped_and_colours_are_only_added() -> None:
    view = workload("a\x1b[2J", phase="Failed")
    plain = _table(view)
    painted = _table(view, style=Style(colour=True))
    assert plain[1] == r"a\x1b[2J   Failed   0/1     0     3d3h"
    assert painted[1] == "a\\x1b[2J   \x1b[31mFailed\x1b[0m   0/1     0     3d3h"


def _names(
    *views: Workload, phases: Collection[str] = (), sort_by: str | None = None, **given: Any
) -> list[str]:
    options = {"limit": None, "keep_order": False, **given}
    return [row.view.name for row in arranged([Row(view, {}) for view in views], phases, sort_by, **options)]


def test_rows_are_ordered_by_namespace_and_name() -> None:
    views = [workload("b", namespace="x"), workload("a", namespace="y"), workload("a", namespace="x")]
    assert _names(*views) == ["a", "b", "a"]
    assert _names(*views, keep_order=True) == ["b", "a", "a"]
    assert _names(*views, limit=1) == ["a"]


def test_rows_are_filtered_by_the_phase_that_is_shown() -> None:
    views = [
        workload("a", phases=("Degraded", "Running"), phase="Degraded"),
        workload("b"),
        workload("c", phase=None),
    ]
    assert _names(*views, phases={"Running"}) == ["b"]
    assert _names(*views, phases={"Degraded", "Running"}) == ["a", "b"]


def test_rows_are_sorted_as_asked() -> None:
    old = workload("old", created_at="2025-01-01T00:00:00Z", totals=totals(pods=9, gpus=1))
    new = workload("new", created_at="2025-06-01T00:00:00Z", totals=totals(pods=2, gpus=8), phase="Failed")
    none = workload("none", created_at=None, totals=totals(pods=None, gpus=None), phase="Completed")
    views = (none, old, new)
    assert _names(*views, sort_by="age") == ["new", "old", "none"]
    assert _names(*views, sort_by="gpu") == ["new", "old", "none"]
    assert _names(*views, sort_by="pods") == ["old", "new", "none"]
    assert _names(*views, sort_by="name") == ["new", "none", "old"]
    assert _names(*views, sort_by="phase") == ["new", "old", "none"]
