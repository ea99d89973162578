# ruff: noqa: E501 - tables read better in long lines
"""How many outputs a program gives, told before it runs."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings

from tests.path.programs import programs, values
from workload_map import path
from workload_map.path.outputs import count_of
from workload_map.path.resolver import resolve

# How many at least and at most, 2 for several.
COUNTS = {
    (0, 0): ["empty", "empty, empty", "empty | .a", ".a | empty", "def f(g): g; f(empty)", "[.[]] | empty"],
    (0, 1): [
        ".a?", "select(.a)", ".a | strings", "first(.a[])", "last(.[])", "limit(1; .a[])", "try .a",
        "if .a then .b else empty end", 'match("a")', 'capture("(?<x>a)").x', ".a // empty", "def f: select(.a); f | f", "def f(g): first(g); f(.[])",
    ],
    (1, 1): [
        ".", ".a.b[0]", "1", '"\\(.a) \\(.b)"', "[.a[]]", "{a: [.[]]}", ".a // 1", "reduce .[] as $x (0; . + $x)",
        ".a as $x | $x", "if .a then 1 else 2 end", "if .a then 1 end", "try .a catch 0", "[.[]] | map(.a) | add",
        "any(.[]; .a)", "sort_by(.a, .b)", ".a |= (1, 2)", "def f: .a; f", "def f(g): [.[] | g]; f(.a, .b)",
        "def f($x): . + $x; f(1)", "def f: [.a[]?]; def g: f | length; g + g", 'sub("a"; "b")', "with_entries(.value += 1)",
        "IN(.a[])", "getpath([\"a\"])", "until(. > 3; . + 1)", ". as [$a, $b] | $a", "not", "error", "todate",
        "def f(g): def h: g; h; f(.a)",
    ],
    (0, 2): [
        ".[]", ".a[]?", "..", "range(3)", "recurse", ".a[] | select(.b)", "limit(2; .[])", "label $f | .a, break $f",
        "foreach .[] as $x (0; . + $x)", "def f: f, 1; f", "def f: .[]; f", "def f(g): g | g; f(.[])",
        "def f($x): $x; f(.[])", ".[] as $x | $x", ". as [$a] ?// $a | $a", "scan(\"a\")", "paths", "skip(1; .[])",
        "{a: .[]}", ".a + .b[]", "if .[] then 1 else 2 end", ".[.a[]]", ".[1:.b[]]", ".a = .[]", '"\\(.[])"',
        'match("a"; "g")', 'match(["a", "g"])', 'sub("a"; .[])', 'def sub(a; b): .[]; sub("a"; "b")', "def f(g): def h: g; h; f(.[])", ".[] // 1 | select(.)",
    ],
    (1, 2): [".[] // 1", "[.[]] | first, .[]", "if .a then .b, .c else 1 end", "try (.a, .b) catch 0 | ., empty"],
    (2, 2): [".a, .b", "def f: .a, .b; f", "def f(g): g, g; f(.a)", "(1, 2) as $x | $x", ".a = (1, 2)", "[], {}"],
}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "count"), [(text, count) for count, texts in COUNTS.items() for text in texts]
)
def test_how_many_outputs_there_are(text: str, count: tuple[int, int]) -> None:
    assert count_of(resolve(text)) == count


def test_what_lies_too_deep_to_be_looked_into_may_give_any_number() -> None:
    functions = "".join(f"def f{number}: f{number - 1} | .a;" for number in range(1, 200))
    assert count_of(resolve(f"def f0: .; {functions} f199")) == (0, 2)
    assert count_of(resolve(f"def f0: .; {functions} [f199]")) == (1, 1)


def test_functions_that_call_one_twice_each_are_looked_into_once() -> None:
    """Or looking would take 2 to the power of 20 steps, and this test for ever."""
    functions = "".join(f"def f{number}: f{number - 1} | f{number - 1};" for number in range(1, 20))
    assert count_of(resolve(f"def f0: .; {functions} f19")) == (1, 1)


@settings(max_examples=400, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(programs, values)
def test_no_program_gives_more_or_fewer(text: str, value: Any) -> None:
    try:
        count = count_of(resolve(text))
        found = len(path.compile(text).all(value))
    except path.PathError:
        assume(False)
        raise
    assert count.least <= min(found, 2) <= count.most
