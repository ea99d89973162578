"""The interface of a compiled program: outputs, locations, facts, splitting, errors."""

from __future__ import annotations

import inspect
import sys
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from workload_map import path

WORKLOAD: dict[str, Any] = {
    "spec": {
        "jobs": [
            {"name": "driver", "replicas": 1},
            {"name": "worker", "replicas": 3, "parallelism": 2, "on": True},
            {"name": "cache", "on": True},
        ],
        "services": {"b": {"replicas": 2}, "a": {"replicas": 1}},
    }
}


@pytest.mark.parametrize(
    ("expression", "located"),
    [
        (".spec.jobs[].replicas", [
            (1, ("spec", "jobs", 0, "replicas"), 3),
            (3, ("spec", "jobs", 1, "replicas"), 3),
            (None, ("spec", "jobs", 2, "replicas"), 3),
        ]),
        (".spec.jobs[] | .replicas // 1", [
            (1, ("spec", "jobs", 0, "replicas"), 3),
            (3, ("spec", "jobs", 1, "replicas"), 3),
            (1, ("spec", "jobs", 2), 3),
        ]),
        (".spec.services | keys[]", [
            ("a", ("spec", "services", "a"), 3),
            ("b", ("spec", "services", "b"), 3),
        ]),
        (".spec.services | to_entries[] | .value.replicas", [
            (1, ("spec", "services", "a", "replicas"), 3),
            (2, ("spec", "services", "b", "replicas"), 3),
        ]),
        ("[.spec.jobs[] | select(.on)] | .[0].name", [("worker", ("spec", "jobs", 1, "name"), 3)]),
        (".spec.jobs | map(select(.on))[].name", [
            ("worker", ("spec", "jobs", 1, "name"), 3),
            ("cache", ("spec", "jobs", 2, "name"), 3),
        ]),
        (".spec.jobs[1] | .replicas * .parallelism", [(6, ("spec", "jobs", 1), 0)]),
        (".spec.jobs[-1].name", [("cache", ("spec", "jobs", 2, "name"), 0)]),
        (".spec.absent.deeper", [(None, ("spec", "absent", "deeper"), 0)]),
        (".spec.jobs | sort_by(.name)[] | .name", [
            ("cache", ("spec", "jobs", 2, "name"), 3),
            ("driver", ("spec", "jobs", 0, "name"), 3),
            ("worker", ("spec", "jobs", 1, "name"), 3),
        ]),
        ("def names: .[].name; .spec.jobs | names", [
            ("driver", ("spec", "jobs", 0, "name"), 3),
            ("worker", ("spec", "jobs", 1, "name"), 3),
            ("cache", ("spec", "jobs", 2, "name"), 3),
        ]),
        (".spec.jobs[] as $job | $job.name", [
            ("driver", ("spec", "jobs", 0, "name"), 3),
            ("worker", ("spec", "jobs", 1, "name"), 3),
            ("cache", ("spec", "jobs", 2, "name"), 3),
        ]),
        ("5", [(5, (), 0)]),
    ],
)  # fmt: skip
def test_locations(expression: str, located: list[path.Located]) -> None:
    assert path.compile(expression).locations(WORKLOAD) == located


def test_all_first_and_default() -> None:
    program = path.compile(".spec.jobs[].name")
    assert program.all(WORKLOAD) == ["driver", "worker", "cache"]
    assert program.first(WORKLOAD) == "driver"
    assert program.first({"spec": {"jobs": []}}, "none") == "none"


def test_first_stops_behind_the_first_output() -> None:
    assert path.compile('1, error("late")').first(None) == 1


def test_variables_are_given_by_position() -> None:
    program = path.compile("$low + $high * .", variables=("low", "high"))
    assert program.all(10, None, (1, 2)) == [21]


@pytest.mark.parametrize(
    "expression",
    [
        "$gone",
        "$gone // 1",
        "$gone.a? // 1",
        "try $gone.a catch 1",
        "($gone == 3)",
        "if $gone.a > 2 then 1 else 1 end",
        "[$gone] | length",
        "$gone as $told | 1",
        "first($gone[]?, 1)",
        "def f: $gone.a; f // 1",
        "def f($x): 1; f($gone)",
        ".a[$gone]?",
        "isempty($gone[]?)",
        ".b // $gone",
        "limit(2; $gone, .a)",
        "reduce .b[]? as $x ($gone; .)",
        '"\\($gone)"',
    ],
)
def test_what_reads_an_unknown_variable_gives_nothing_whatever_it_makes_of_it(expression: str) -> None:
    program = path.compile(expression, variables=("gone",), unknown=("gone",))
    for run in (program.all, program.first, program.locations):
        with pytest.raises(path.PathUnknownError):
            run({"a": 1}, variables=(None,))


@pytest.mark.parametrize(
    ("expression", "located"),
    [
        (".roles[] | .n // $gone", [(1, ("roles", "a", "n"), 2), (path.UNKNOWN, ("roles", "b"), 2)]),
        (
            ".one as $one | .roles | to_entries[] | {n: (.value.n // $gone), one: $one}",
            [({"n": 1, "one": 3}, ("roles", "a"), 2), (path.UNKNOWN, ("roles", "b"), 2)],
        ),
        (
            "(.roles[] | .n // $gone), .one",
            [(1, ("roles", "a", "n"), 2), (path.UNKNOWN, ("roles", "b"), 2), (3, ("one",), 0)],
        ),
        (
            ".roles[] | .in[]? | .n // $gone",
            [(path.UNKNOWN, ("roles", "b", "in", 0), 4), (5, ("roles", "b", "in", 1, "n"), 4)],
        ),
        (
            ".roles[] | .in[$gone]? | .n",
            [(path.UNKNOWN, ("roles", "a"), 2), (path.UNKNOWN, ("roles", "b"), 2)],
        ),
        (
            ".roles[] | select(.n == 1 or $gone) | 4",
            [(4, ("roles", "a"), 2), (path.UNKNOWN, ("roles", "b"), 2)],
        ),
    ],
)
def test_each_entry_that_reads_no_unknown_variable_is_located_as_ever(expression: str, located: Any) -> None:
    program = path.compile(expression, variables=("gone",), unknown=("gone",))
    value = {"one": 3, "roles": {"a": {"n": 1}, "b": {"in": [{}, {"n": 5}]}}}
    assert program.locations(value, variables=(None,)) == located
    with pytest.raises(path.PathUnknownError):
        program.all(value, variables=(None,))


@pytest.mark.parametrize(
    "expression",
    [
        ".roles[].n // $gone",
        "[.roles[] | .n // $gone] | add",
        "first(.roles[] | .n // $gone | select(. == 5))",
        "limit(2; .roles[] | .n // $gone)",
        ".roles | map(.n // $gone) | .[0]",
        "reduce .roles[] as $one (0; . + ($one.n // $gone))",
        "label $out | .roles[] | .n // $gone, break $out",
    ],
)
def test_what_collects_or_chooses_among_entries_knows_nothing_without_each(expression: str) -> None:
    program = path.compile(expression, variables=("gone",), unknown=("gone",))
    with pytest.raises(path.PathUnknownError):
        program.locations({"roles": [{"n": None}, {"n": None}]}, variables=(None,))


@pytest.mark.parametrize(
    ("expression", "outputs"),
    [
        (".a // $gone", [1]),
        (".a as $gone | $gone", [1]),
        ("def f($gone): $gone; f(.a)", [1]),
        ("if .a == 1 then .a else $gone end", [1]),
        (".a == 1 or $gone", [True]),
        (".b != null and $gone", [False]),
        ("first(.a, $gone)", [1]),
        ("limit(1; .a, $gone)", [1]),
        ("try .a catch $gone", [1]),
        ("any(.a, $gone; . == 1)", [True]),
        (".b[]? | $gone", []),
        ("def unknown: 1; unknown", [1]),
        ("def f(g): 1; f($gone)", [1]),
        ("$known // $gone", [7]),
    ],
)
def test_what_does_not_come_to_read_an_unknown_variable_is_as_ever(
    expression: str, outputs: list[Any]
) -> None:
    program = path.compile(expression, variables=("known", "gone"), unknown=("gone",))
    assert program.all({"a": 1}, variables=(7, None)) == outputs
    assert program.first({"a": 1}, "none", variables=(7, None)) == (outputs or ["none"])[0]
    assert [value for value, _, _ in program.locations({"a": 1}, variables=(7, None))] == outputs


@pytest.mark.parametrize(
    ("expression", "keys"),
    [
        (".g[].r[]", ["a", "b"]),
        (".g | to_entries[] | .value.r[]", ["a", "b"]),
        (".g | map(.r[])[]", ["a", "b"]),
        (".g[] | .r | to_entries | sort_by(.key)[] | .value", ["a", "b"]),
        (". as $all | .g | keys[] | $all.g[.].r[]", []),
        (".g.a.r[]", []),
        ("[.g.a, .g.b][].r[]", []),
    ],
)
def test_a_location_tells_the_keys_that_were_gone_through_from_fields(
    expression: str, keys: list[str]
) -> None:
    found = path.compile(expression).locations({"g": {"a": {"r": [1]}, "b": {"r": [2]}}})
    assert [one for _, location, _ in found for one in location if type(one) is path.Entry] == keys
    assert all(type(one) in (str, int) for one in path.compile("[paths]").first({"g": {"a": {"r": [1]}}})[-1])


def test_paths_as_values_have_plain_keys() -> None:
    for expression in (
        "path(.g[])",
        "paths",
        "path(..)",
        "path(.g | to_entries[] | .value)?",
        "[.g[]] | path(.[])",
    ):
        for found in path.compile(expression).all({"g": {"a": 1}}):
            assert all(type(one) in (str, int) for one in found)
    ((_, location, _),) = path.compile('.["odd name"][]').locations({"odd name": {"b c": 1}})
    assert path.location_text(location) == '.["odd name"]["b c"]'


@pytest.mark.parametrize("expression", ["keys", "tojson", "[..]", ".[]", "to_entries", "add"])
def test_a_key_that_is_no_string_is_a_typed_error(expression: str) -> None:
    for form in ("all", "first", "locations"):
        with pytest.raises(path.PathRuntimeError, match="no string but 1"):
            getattr(path.compile(f".a | {expression}"), form)({"a": {"b": 1, 1: 2}})


def test_a_wrong_call_is_python_s_own_error() -> None:
    with pytest.raises(TypeError, match="1 variables"):
        path.compile("$x", variables=("x",)).all({"a": 1})


def test_half_a_character_is_matched_by_no_regular_expression() -> None:
    with pytest.raises(path.PathRuntimeError, match="half a character"):
        path.compile('test("x")').all("\ud800x")


def test_a_shared_budget_has_its_nesting_back_after_a_run_that_spent_it() -> None:
    budget = path.Budget()
    with pytest.raises(path.PathBudgetError):
        path.compile("def f: [f]; f").all(None, budget)
    assert budget.nesting == path.Budget().nesting


def test_null_is_empty_only_changes_iteration() -> None:
    assert path.compile(".a[].b", null_is_empty=True).all({}) == []
    assert path.compile(".a[].b", null_is_empty=True).locations({}) == []
    with pytest.raises(path.PathRuntimeError):
        path.compile(".a[].b").all({})
    with pytest.raises(path.PathRuntimeError):
        path.compile(".a[].b", null_is_empty=True).all({"a": 1})


@pytest.mark.parametrize(
    ("expression", "front", "rest"),
    [
        (".spec.jobs[] | .replicas // 1", [WORKLOAD["spec"]["jobs"][0]], 1),
        (".spec.jobs[].name", [WORKLOAD["spec"]["jobs"][0]], "driver"),
    ],
)
def test_split_gives_elements_and_the_rest(expression: str, front: list[Any], rest: Any) -> None:
    parts = path.compile(expression).split()
    assert parts is not None
    assert parts[0].all(WORKLOAD)[:1] == front
    assert parts[1].all(front[0]) == [rest]
    assert parts[0].locations(WORKLOAD)[2][1:] == (("spec", "jobs", 2), 3)


@pytest.mark.parametrize(
    "expression", [".spec.name", "[.spec.jobs[].name]", "reduce .spec.jobs[] as $j (0; . + 1)"]
)
def test_no_split_where_nothing_is_iterated_at_the_top(expression: str) -> None:
    assert path.compile(expression).split() is None


def test_runtime_error_says_what_and_where() -> None:
    with pytest.raises(path.PathRuntimeError) as caught:
        path.compile(".spec.jobs[] | .name[]").all(WORKLOAD)
    error = caught.value
    assert (error.kind, error.found, error.at) == ("iterate", "string", ("spec", "jobs", 0, "name"))
    assert (error.line, error.column) == (1, 21)
    assert "expected an array or an object, found string 'driver'" in error.message


FAULTY = {"spec": {"jobs": [{"name": "a", "n": 1}, {"name": 3, "n": "x"}], "of": {"a": 1}}}


@pytest.mark.parametrize(
    ("expression", "at"),
    [
        (".spec.jobs[] | select(.name.x)", ("spec", "jobs", 0, "name")),
        ('.spec | all(.jobs[]; .name | test("a"))', ("spec", "jobs", 1, "name")),
        ("[.spec.jobs[] | if .n > 0 then .n else 1 end] | all(.[]; .x)", ("spec", "jobs", 0, "n")),
        (".spec.jobs | sort_by(-.n)", ("spec", "jobs", 1, "n")),
        (".spec.jobs[] | .n + 1", ("spec", "jobs", 1, "n")),
        (".spec.jobs[] | 1 + .n", ("spec", "jobs", 1, "n")),
        (".spec.jobs[1] | -.n", ("spec", "jobs", 1, "n")),
        (".spec | .jobs[0] as [$first] | $first", ("spec", "jobs", 0)),
        (".spec | .jobs[0] as {name: {$x}} | $x", ("spec", "jobs", 0, "name")),
        (".spec.of | with_entries(.value |= .x)", ("spec", "of", "a")),
        (".spec | .of.a.b = 1", ("spec",)),
        (".spec.jobs[] | {(.n): 1}", ("spec", "jobs", 0)),
        (".spec.of | map_values(.x)", ("spec", "of")),
        ("def f($a): .jobs[$a].name.x; .spec | f(1)", ("spec", "jobs", 1, "name")),
        ("null | keys", ()),
    ],
)
def test_an_error_is_located_in_the_object(expression: str, at: path.Location) -> None:
    with pytest.raises(path.PathRuntimeError) as caught:
        path.compile(expression).all(FAULTY)
    assert caught.value.at == at


def test_raised_values_are_kept() -> None:
    with pytest.raises(path.PathRuntimeError) as caught:
        path.compile("error({code: 7})").all(None)
    assert (caught.value.kind, caught.value.value) == ("raised", {"code": 7})


@pytest.mark.parametrize(
    ("expression", "column", "part"),
    [
        ("spec.replicas", 1, "`.spec`, with a dot"),
        (".a | lenght", 6, "did you mean `length`"),
        (".a | env", 6, "`env` is not allowed"),
        ("$ENV.HOME", 1, "`$ENV` is not allowed"),
        (".a[", 4, "the end of the expression"),
        ('"abc', 1, "has no end"),
        ("$x", 1, "no variable $x"),
    ],
)
def test_syntax_errors_have_their_place(expression: str, column: int, part: str) -> None:
    with pytest.raises(path.PathSyntaxError) as caught:
        path.compile(expression)
    assert (caught.value.line, caught.value.column) == (1, column)
    assert part in str(caught.value)
    assert caught.value.caret.split("\n")[1].index("^") == column - 1


@pytest.mark.parametrize(
    ("expression", "grade", "writable", "many"),
    [
        (".spec.jobs[].replicas", "path", True, True),
        (".a.b", "path", True, False),
        (".jobs[] | select(.on) | .name", "path", True, True),
        (".a // 1", "total", False, False),
        ("[.jobs[] | .replicas] | add", "total", False, False),
        ("reduce .[] as $x (0; . + $x)", "general", False, False),
        ("def f: 1, f; f", "general", False, True),
        ("def f: .a; f", "general", True, False),
        (".a?", "path", True, False),
        ("range(10)", "general", False, True),
    ],
)
def test_facts(expression: str, grade: str, writable: bool, many: bool) -> None:
    facts = path.check(expression)
    assert (facts.grade, facts.writable, facts.many) == (grade, writable, many)


def test_facts_asked_for_where_no_stack_is_left_are_a_typed_error() -> None:
    program = path.compile("[" * 30 + ".only.here" + "]" * 30)

    def reads(calls: int) -> object:
        return reads(calls - 1) if calls else program.reads

    left = sys.getrecursionlimit() - len(inspect.stack())
    with pytest.raises(path.PathSyntaxError, match="what is left of the stack"):
        reads(left - 30)
    assert list(map(str, program.reads)) == ["only.here.**"]


def test_endless_programs_end_in_a_budget_error() -> None:
    for expression in (
        "def f: f; f",
        "last(repeat(1))",
        "[range(1e18)]",
        "def f: f, 1; f",
        'reduce range(60) as $i ("ab"; . + .)',
    ):
        with pytest.raises(path.PathBudgetError):
            path.compile(expression).all(None)


def test_programs_are_cached_by_their_arguments() -> None:
    assert path.compile(".cached") is path.compile(".cached")
    assert path.compile(".cached") is not path.compile(".cached", null_is_empty=True)


def test_programs_are_shared_between_threads() -> None:
    value = {"items": list(range(50))}

    def work(number: int) -> list[Any]:
        expression = f".items | map(. + {number % 7}) | add"
        return [path.compile(expression).first(value), path.compile(expression).locations(value)[0][0]]

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(work, range(200)))
    assert found == [[1225 + 50 * (number % 7)] * 2 for number in range(200)]


@pytest.mark.parametrize(
    ("expression", "part"),
    [
        (" " * 20_000 + ".", "characters"),
        ("(" * 60 + "." + ")" * 60, "levels"),
        ("[" + "1," * 2000 + "1]", "tokens"),
        (".a" + " + .a" * 150, "operators in a row"),
        ("if . then 1 " + "elif . then 1 " * 80 + "end", "branches"),
    ],
)
def test_the_size_of_an_expression_is_bounded(expression: str, part: str) -> None:
    with pytest.raises(path.PathSyntaxError, match=part):
        path.check(expression)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (".a |", "an expression"),
        (".a as x | 1", "a pattern"),
        ("if . then 1", "`end`"),
        ("{a: 1", "`}`"),
        ("[1, 2", "`]`"),
        ("reduce .a (0; 1)", "`as`"),
        ("reduce .a as $x (0)", "two parts"),
        (". == 1 == 2", "parentheses"),
        ("@nosuch", "no format @nosuch"),
        ("split(1; 2; 3)", "takes 1 or 2 arguments, not 3"),
        ("break $x", "no label $x"),
        ("{(1): 2}", "must be a string"),
        ("selct(.a)", "did you mean `select`"),
        ("sort_on(.a)", "did you mean `sort`"),
        ("", "the expression is empty"),
    ],
)
def test_what_was_expected_is_said(expression: str, expected: str) -> None:
    with pytest.raises(path.PathSyntaxError) as caught:
        path.check(expression)
    assert expected in str(caught.value)


@pytest.mark.parametrize(
    "expression", ["recurse(.b)", "limit(30000; recurse(.b))", "def f: ., (.b | f); f", "recurse(.b, .c)"]
)
def test_locations_that_grow_without_end_are_charged(expression: str) -> None:
    program = path.compile(expression)
    tracemalloc.start()
    try:
        with pytest.raises(path.PathBudgetError):
            program.locations({"b": None})
        assert tracemalloc.get_traced_memory()[1] < 64 * 1024 * 1024
    finally:
        tracemalloc.stop()
