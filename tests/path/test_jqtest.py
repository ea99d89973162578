"""Groups of jq's test format: the runner itself, and jq's own suite where it lies beside the checkout."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from tests.path.jqtest import SHARED, Group, groups, judge

DIFFERENCES = Path(__file__).parent / "differences.yaml"
# The suite may grow; these may only get better.
LEAST_PASSED = 514
MOST_REFUSED = 17

SMALL = r"""
# comments and blank lines part groups

.a
{"a": 1}
1

.[]
[1,2]
1
2

try error("x") catch .
null
"Cannot do this"

%%FAIL
.a[
an error, whatever it says

env
null
{}

.b
{"b": 2}
3
"""


def test_the_runner_tells_passed_refused_and_failed_groups_apart() -> None:
    found = [(group.line, judge(group).outcome) for group in groups(SMALL)]
    assert found == [(4, "pass"), (8, "pass"), (13, "pass"), (17, "pass"), (21, "refused"), (25, "fail")]


def suite() -> list[Group]:
    if not SHARED.exists():
        pytest.skip("jq's test suite is not beside this checkout")
    return groups(SHARED.read_text(encoding="utf-8"))


def test_each_group_of_jq_passes_is_refused_or_is_a_listed_difference() -> None:
    listed = {
        program for programs in yaml.safe_load(DIFFERENCES.read_text()).values() for program in programs
    }
    verdicts = [(group, judge(group)) for group in suite()]
    failed = {group.program for group, verdict in verdicts if verdict.outcome == "fail"}
    assert failed - listed == set(), "groups that fail and are not listed"
    assert listed - failed == set(), "listed groups that pass: take them off the list"
    assert sum(verdict.outcome == "pass" for _, verdict in verdicts) >= LEAST_PASSED
    refused = {verdict.found for _, verdict in verdicts if verdict.outcome == "refused"}
    assert sum(verdict.outcome == "refused" for _, verdict in verdicts) <= MOST_REFUSED
    assert all("not allowed" in reason or "modules" in reason for reason in refused)
