"""Writing through a path: what changes, and that nothing else does."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from tests.path.programs import path_programs, values
from tests.path.test_properties import FEW, compiled, same
from workload_map import path
from workload_map.path import Change

JOBS: dict[str, Any] = {"jobs": [{"name": "a", "n": 1}, {"name": "b"}], "labels": {"x": "1"}}


def _set(expression: str, value: Any, new: Any) -> list[Change]:
    return path.changes(path.compile(expression), value, lambda _: new)


@pytest.mark.parametrize(
    ("expression", "value", "new", "changes"),
    [
        (".jobs[].n", JOBS, 2, [("replace", ("jobs", 0, "n"), 2), ("add", ("jobs", 1, "n"), 2)]),
        (".jobs[].n", JOBS, 1, [("add", ("jobs", 1, "n"), 1)]),
        (".jobs[].n", JOBS, 1.0, [("add", ("jobs", 1, "n"), 1.0)]),
        (".jobs[0].n", JOBS, True, [("replace", ("jobs", 0, "n"), True)]),
        ('.jobs[] | select(.name == "b").n', JOBS, None, [("add", ("jobs", 1, "n"), None)]),
        (".labels", JOBS, {"x": "1", "y": "2"}, [("add", ("labels", "y"), "2")]),
        (".labels", JOBS, {}, [("remove", ("labels", "x"), None)]),
        (".labels.x", JOBS, "1", []),
        (".meta.labels.a", {}, 1, [("add", ("meta",), {"labels": {"a": 1}})]),
        (".meta.labels.a", {"meta": {"labels": None}}, 1, [("replace", ("meta", "labels"), {"a": 1})]),
        (".a[2]", {"a": [0]}, 5, [("add", ("a", 1), None), ("add", ("a", 2), 5)]),
        (".a[-1]", {"a": [0, 1]}, 5, [("replace", ("a", 1), 5)]),
        (".a", {"a": [1, 2, 3, 4]}, [1, 3, 4], [("remove", ("a", 1), None)]),
        (".a", {"a": [1, 3, 4]}, [1, 2, 3, 4], [("add", ("a", 1), 2)]),
        (".a", {"a": [{"k": 1, "v": 1}, 9]}, [{"k": 1, "v": 2}, 9], [("replace", ("a", 0, "v"), 2)]),
        (".", {"a": 1}, [1], [("replace", (), [1])]),
        (".a // .b", {"b": 1}, 2, [("replace", ("b",), 2)]),
        (".a, .a", {"a": 1}, 2, [("replace", ("a",), 2)]),
        (".jobs[]?", {"jobs": 3}, 2, []),
    ],
)
def test_only_what_differs_changes(expression: str, value: Any, new: Any, changes: list[Any]) -> None:
    found = _set(expression, value, new)
    assert [tuple(one) for one in found] == changes
    assert [type(one.value) for one in found] == [type(value) for _, _, value in changes]


def test_the_new_value_is_made_from_the_old_one() -> None:
    program = path.compile(".jobs[].n")
    found = path.changes(program, JOBS, lambda old: (old or 0) + 1)
    assert [tuple(one) for one in found] == [("replace", ("jobs", 0, "n"), 2), ("add", ("jobs", 1, "n"), 1)]


@pytest.mark.parametrize("expression", [".a + 1", ".a // 1", "[.a]", ".a[1:3]", "{a}", "map(.a)"])
def test_what_cannot_be_written_is_refused_before_anything_is_looked_at(expression: str) -> None:
    program = path.compile(expression)
    assert not program.writable
    with pytest.raises(path.PathNotWritableError) as caught:
        path.changes(program, object(), lambda _: pytest.fail("nothing is asked"))
    assert caught.value.hint


@pytest.mark.parametrize(
    ("expression", "value"), [(".a.b", {"a": 1}), (".a[0]", {"a": {}}), (".[]", 1), (".a[-1]", {"a": []})]
)
def test_what_is_in_the_way_is_an_error(expression: str, value: Any) -> None:
    with pytest.raises(path.PathRuntimeError):
        _set(expression, value, 1)


def test_no_array_grows_without_bound() -> None:
    with pytest.raises(path.PathError):
        _set(".a[1000000000]", {}, 1)


@given(path_programs, values, values)
@example(".[]", [[1], [1, 2]], [1])
@FEW
def test_the_changes_give_what_jq_assigns_and_each_is_needed(expression: str, value: Any, new: Any) -> None:
    program = compiled(expression)
    assume(program.writable)
    before = copy.deepcopy(value)
    try:
        found = path.changes(program, value, lambda _: new)
    except path.PathError:
        return
    assert same(value, before)
    result = path.applied(value, found)
    assert same(value, before)
    try:
        assigned = path.compile(f"({expression}) = $new", variables=("new",)).all(value, None, (new,))
    except path.PathError:
        assigned = []  # jq looks for the next place in what was set already: that may fail, ours does not
    if assigned and not _within_each_other(program, value):
        assert same(result, assigned[0])
    assert bool(found) != same(result, value)
    for number in range(len(found)):
        if len(found) > 1 and not any(step.kind != "replace" for step in found):
            assert not same(path.applied(value, found[:number] + found[number + 1 :]), result)


def _within_each_other(program: path.Program, value: Any) -> bool:
    places = [location for _, location, _ in program.locations(value)]
    return any(one != other and other[: len(one)] == one for one in places for other in places)


@given(path_programs, values, values)
@FEW
def test_changes_are_at_or_below_what_is_written_or_make_its_parents(
    expression: str, value: Any, new: Any
) -> None:
    program = compiled(expression)
    assume(program.writable)
    try:
        found = path.changes(program, value, lambda _: new)
    except path.PathError:
        return
    places = [location for _, location, _ in program.locations(value)]
    for change in found:
        depth = len(change.location)
        below = any(change.location[: len(one)] == one for one in places)
        parent = any(one[:depth] == change.location for one in places)
        grown = change.kind == "add" and change.value is None and isinstance(change.location[-1], int)
        assert below or parent or grown, change


@given(values, values)
@FEW
def test_changes_lead_from_any_value_to_any_other(before: Any, after: Any) -> None:
    found = path.changes(path.compile("."), before, lambda _: after)
    assert same(path.applied(before, found), after)
    assert path.changes(path.compile("."), before, lambda _: copy.deepcopy(before)) == []


@given(st.lists(st.integers(0, 3), max_size=8), st.integers(0, 8), st.integers(0, 3))
def test_one_element_more_or_less_is_one_change(before: list[int], at: int, new: int) -> None:
    longer = [*before[:at], new, *before[at:]]
    assert len(_set(".", before, longer)) == 1
    assert len(_set(".", longer, before)) == 1
