"""The table of a check."""

from __future__ import annotations

from workload_map.engine.checking import Check, Row
from workload_map.engine.placement import WorkloadName
from workload_map.render.check import check, summary
from workload_map.render.style import PLAIN, Style

NAME = WorkloadName(kind="Farm", api_version="farm.test/v1", namespace="lab", name="f\x1b", definition="farm")
ROWS = (
    Row(check="pods", subject=None, expected="4", found="4", verdict="agrees", message="as many"),
    Row(
        check="kinds", subject="Gang\n", expected=None, found="above", verdict="differs", message="not named"
    ),
    Row(check="pods", subject="role a", expected="2", found="0", verdict="open", message="fewer"),
)
FOUND = Check(workload=NAME, origin="file", phase="Running", differs=True, rows=ROWS)


def test_each_row_has_a_mark() -> None:
    assert list(check(FOUND, PLAIN)) == [
        r"Farm/f\x1b   definition: farm (file)   phase: Running",
        "     CHECK   OF       EXPECTED   FOUND   WHAT IT MEANS",
        "ok   pods    <none>   4          4       as many",
        r"!!   kinds   Gang\n   <none>     above   not named",
        "?    pods    role a   2          0       fewer",
    ]


def test_the_summary_counts_what_could_be_compared_and_what_differs() -> None:
    agrees = Check(workload=NAME, origin="file", phase="Running", differs=False, rows=ROWS[:1])
    unknown = Check(workload=NAME, origin="file", phase="Running", differs=False, rows=ROWS[2:])
    assert summary([agrees]) == "1 workload compared, 0 differ"
    assert summary([FOUND]) == "1 workload compared, 1 differ, 1 of 3 rows could not be compared"
    assert (
        summary([agrees, FOUND, agrees])
        == "3 workloads compared, 1 differ, 1 of 5 rows could not be compared"
    )
    assert summary([agrees, unknown]) == (
        "1 of 2 workloads compared, 0 differ, 1 of 2 rows could not be compared"
    )
    assert summary([unknown]) == "0 of 1 workload compared, 0 differ, 1 of 1 row could not be compared"


def test_colour_is_not_the_only_sign() -> None:
    text = "\n".join(check(FOUND, Style(colour=True, unicode=True)))
    assert "✓" in text
    assert "\x1b[31m✗\x1b[0m" in text


def test_in_a_narrow_terminal_what_differs_is_shown_whole() -> None:
    rows = (
        Row(check="pods", subject="role worker", expected="4", found="4", verdict="agrees", message="x" * 40),
        Row(
            check="requests",
            subject="role worker",
            expected="cpu=1, memory=1Gi",
            found="cpu=1, memory=2Gi",
            verdict="differs",
            message="the pods ask for something else",
        ),
    )
    found = Check(workload=NAME, origin="file", phase="Running", differs=True, rows=rows)
    lines = list(check(found, Style(unicode=True, columns=58)))
    # 1 + 8 + 11 and what is between leave 13 for each of two columns that are wider.
    assert lines[1:] == [
        "    CHECK      OF            EXPECTED        FOUND",
        "✓   pods       role worker   4               4",
        "✗   requests   role worker   cpu=1,          cpu=1,",
        "                             memory=1Gi      memory=2Gi",
        "    the pods ask for something else",
    ]
