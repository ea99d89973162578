"""What an author is told: hints beside mistakes, and an expression in words."""

from __future__ import annotations

import pytest

from workload_map import path
from workload_map.path.explaining import explain


@pytest.mark.parametrize(
    ("expression", "hint"),
    [
        (".a?//1", "needs a space"),
        (".jobs[*].name", "all elements are `[]`"),
        ("select(.a == 'x')", "double quotes"),
        (".a && .b", "`and`"),
        (".a || .b", "`or`"),
        ("!.a", "not"),
        (".a === 1", "`==`"),
        (".a.1", ".[1]"),
        (".labels.app.kubernetes.io/name", "in quotes"),
        ("len(.a)", "`length`"),
        ("slect(.a)", "`select`"),
        ("spec.replicas", "`.spec`, with a dot"),
        ("$.spec", "the whole value is `.`"),
    ],
)
def test_a_habit_of_another_language_is_met_with_a_hint(expression: str, hint: str) -> None:
    with pytest.raises(path.PathSyntaxError) as caught:
        path.compile(expression)
    assert hint in str(caught.value)


def test_a_difference_is_no_name_in_quotes() -> None:
    with pytest.raises(path.PathSyntaxError) as caught:
        path.compile(".a - b")
    assert "quotes" not in str(caught.value)


@pytest.mark.parametrize(
    ("expression", "grade", "writable"),
    [
        (".spec.jobs[].name", "it only selects", "every output is at a place"),
        (".jobs[] | .n // 1", "it cannot loop", "`.n // 1` falls back"),
        ("reduce .[] as $x (0; . + $x)", "folds", "computes"),
        (".a[1:][0]", "it cannot loop", "`[1:]` is a slice"),
        ("getpath(.p)", "it cannot loop", "`getpath(.p)` may"),
        (".a | with_entries(.) | .b", "calls a function", "`with_entries(.)` computes"),
        ("(1 | empty), (.a | tostring)", "it cannot loop", "`tostring` computes"),
        ("def f: .a; .b | f", "`f` calls a function", "every output"),
        (".a[1:]", "it cannot loop", "`[1:]` is a slice"),
        (".[.k]", "it cannot loop", "`[.k]` may be a key"),
        (".a | [range(3)]", "`range(3)` may go on", "computes"),
        (".[] as $x | .[] | $x", "again and again", "`$x` is a variable"),
    ],
)
def test_the_reasons_of_grade_and_of_writing(expression: str, grade: str, writable: str) -> None:
    found = explain(path.compile(expression))
    assert grade in found.grade
    assert writable in found.writable


def test_stages_in_words() -> None:
    found = explain(path.compile(".spec.jobs[]? | select(.on) | {name, n: (.n // 1)} | tojson | .. | -1"))
    assert found.stages == (
        (".spec.jobs[]?", "field spec, field jobs, each element (or nothing, where that fails)"),
        ("select(.on)", "goes on only where `.on`"),
        ("{name, n: (.n // 1)}", "an object with name, n"),
        ("tojson", "the function tojson"),
        ("..", "the value and everything in it"),
        ("-1", "a number with the other sign"),
    )
