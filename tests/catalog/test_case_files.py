"""Reading cases, and telling where a view is not as expected."""

from pathlib import Path
from typing import Any

import pytest

from workload_map.catalog.cases import CaseError, differences, files, read_case, unexpected
from workload_map.documents import DocumentError


def shown(expected: Any, found: Any) -> list[str]:
    return [str(one) for one in differences(expected, found)]


@pytest.mark.parametrize(
    ("expected", "found"),
    [
        ({"a": 1}, {"a": 1, "b": 2}),
        ({"a": [{"x": 1}]}, {"a": [{"x": 1, "y": 2}]}),
        ({}, {"a": None}),
        ({"a": None}, {"a": None}),
        ([], []),
    ],
)
def test_what_is_expected_is_there(expected: Any, found: Any) -> None:
    assert shown(expected, found) == []


@pytest.mark.parametrize(
    ("expected", "found", "difference"),
    [
        ({"a": {"b": 1}}, {"a": {"b": 2}}, "a.b: expected 1, found 2"),
        ({"a": None}, {}, "a: expected null, found nothing"),
        ({"a": 0}, {"a": None}, "a: expected 0, found null"),
        ({"a": 1}, {"a": True}, "a: expected 1, found true"),
        ({"a": []}, {"a": None}, "a: expected [], found null"),
        ({"a": [1]}, {"a": [1, 2]}, "a[1]: expected nothing, found 2"),
        ({"a": [1, {"b": 2}]}, {"a": [1]}, 'a[1]: expected {"b":2}, found nothing'),
        ({"a": {"b": 1}}, {"a": 1}, 'a: expected {"b":1}, found 1'),
        (1, 2, ".: expected 1, found 2"),
    ],
)
def test_a_difference_names_its_place(expected: Any, found: Any, difference: str) -> None:
    assert shown(expected, found) == [difference]


def test_entries_with_ids_are_told_by_them_and_one_that_is_missing_shifts_no_other() -> None:
    expected = {"instances": [{"id": "head"}, {"id": "a", "pods": 1}, {"id": "b", "pods": 2}]}
    found = {"instances": [{"id": "a", "pods": 1}, {"id": "b", "pods": 3}, {"id": "c"}]}
    assert shown(expected, found) == [
        'instances[head]: expected {"id":"head"}, found nothing',
        "instances[b].pods: expected 2, found 3",
        'instances[c]: expected nothing, found {"id":"c"}',
    ]


def test_the_order_of_entries_with_ids_counts_too() -> None:
    expected, found = [{"name": "a"}, {"name": "b"}], [{"name": "b"}, {"name": "a"}]
    assert shown({"x": expected}, {"x": found}) == ['x[] in order: expected ["a","b"], found ["b","a"]']


def test_entries_of_one_id_are_told_by_their_places() -> None:
    assert shown([{"name": "a", "x": 1}, {"name": "a", "x": 2}], [{"name": "a", "x": 1}]) == [
        '[1]: expected {"name":"a","x":2}, found nothing'
    ]


def test_a_difference_can_be_read_line_by_line() -> None:
    (difference,) = differences({"a": {"b": 1}}, {"a": {"b": 2}})
    assert difference.lines == ("a.b", "  expected  1", "  found     2")


def test_of_long_values_the_part_is_shown_where_they_differ() -> None:
    (difference,) = differences("x" * 500 + "right", "x" * 500 + "wrong")
    place, expected, found = difference.lines
    assert place == "."
    assert expected.endswith('xright"') and found.endswith('xwrong"')
    assert len(expected) < 80 and len(found) < 80


def test_all_differences_are_told() -> None:
    assert len(shown({"a": 1, "b": [1, 2]}, {"a": 2, "b": [3, 4]})) == 3


def test_a_long_value_is_cut() -> None:
    (text,) = shown({"a": "x" * 500}, {"a": None})
    assert len(text) < 250


def test_what_an_expectation_leaves_out() -> None:
    view = {"a": 1, "b": [{"x": 1, "y": 2}], "c": {"d": 1}}
    assert list(unexpected({"a": 1, "b": [{"x": 1}]}, view)) == ["b[0].y", "c"]
    assert list(unexpected(view, view)) == []


def test_a_case_with_pods_left_out_was_not_looked_at(tmp_path: Path) -> None:
    file = tmp_path / "plain.yaml"
    file.write_text("description: Plain.\nobject: {kind: Job}\nexpect: {phase: null}\n")
    case = read_case(file)
    assert (case.name, case.description, case.object) == ("plain", "Plain.", {"kind": "Job"})
    assert (case.pods, case.related, case.expect) == (None, [], {"phase": None})


def test_an_empty_list_of_pods_is_not_the_same(tmp_path: Path) -> None:
    file = tmp_path / "plain.yaml"
    file.write_text("{description: Plain., object: {}, pods: [], expect: {name: x}}")
    assert read_case(file).pods == []


def test_cases_may_be_in_yaml_or_json(tmp_path: Path) -> None:
    for name in ("c.yml", "a.json", "b.yaml", "notes.txt"):
        (tmp_path / name).touch()
    assert [file.name for file in files(tmp_path)] == ["a.json", "b.yaml", "c.yml"]
    assert files(tmp_path / "not-there") == []


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(CaseError, match="cannot be read") as caught:
        read_case(tmp_path)
    assert caught.value.location == str(tmp_path)


@pytest.mark.parametrize(
    ("text", "message", "place"),
    [
        ("description: x\nobject: {}\n", "expect is missing", ", line 1"),
        ("description: x\nobject: {}\nexpect: {}\nexpects: {}\n", "unknown field", ", line 4, expects"),
        ("description: x\nobject: {}\nexpect: {}\n", "cannot fail", ""),
        ("description: x\nobject: {}\nexpect: {origin: file}\n", "how the definition was found", ""),
        ("description: x\nobject: []\nexpect: {}\n", "expected a mapping, found a list", ", line 2, object"),
        ("description: 1\nobject: {}\nexpect: {}\n", "expected a string", ", line 1, description"),
        ("[]", "expected a mapping, found a list", ", line 1"),
        ("description: x\n---\nobject: {}\n", "one document, found 2", ""),
        ("# nothing\n", "one document, found 0", ""),
    ],
)
def test_a_file_that_is_no_case_is_named(tmp_path: Path, text: str, message: str, place: str) -> None:
    file = tmp_path / "bad.yaml"
    file.write_text(text)
    with pytest.raises(CaseError, match=message) as caught:
        read_case(file)
    assert caught.value.location == f"{file}{place}"


def test_a_misspelt_key_of_a_case_is_told_with_its_line_and_the_nearest(tmp_path: Path) -> None:
    file = tmp_path / "bad.yaml"
    file.write_text("description: x\nobject: {}\nexpct: {name: x}\n")
    with pytest.raises(CaseError, match="unknown field") as caught:
        read_case(file)
    assert (caught.value.location, caught.value.hint) == (f"{file}, line 3, expct", "did you mean expect?")


def test_a_key_that_the_view_does_not_have_is_told_with_the_nearest() -> None:
    view = {"phase": "Running", "totals": {"pods": 1}}
    assert [*map(str, differences({"phase": "Running", "totls": {"pods": 1}}, view))] == [
        'totls: expected {"pods":1}, found nothing; did you mean totals?'
    ]
    (far,) = differences({"totals": {"zzz": 1}}, view)
    assert str(far) == "totals.zzz: expected 1, found nothing"


def test_a_file_that_is_no_yaml_is_named(tmp_path: Path) -> None:
    file = tmp_path / "bad.yaml"
    file.write_text("a: [")
    with pytest.raises(DocumentError) as caught:
        read_case(file)
    assert str(file) in str(caught.value.location)
