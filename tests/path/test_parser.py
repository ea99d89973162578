"""What the grammar makes of a text, and what it refuses, beside what the programs of the suites tell."""

from __future__ import annotations

import pytest

from workload_map.path import PathSyntaxError, syntax
from workload_map.path.parser import parse


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{("a")}', "expected `:` after the computed key, found `}`"),
        (
            "{$x: 1, 2: 3}",
            "expected a key (a name, a string, a variable or an expression in parentheses), found `2`",
        ),
        (".[:]", "expected an end of the slice, found `]`"),
        ("foreach . as $x (0; 1; 2; 3)", "`foreach` takes two or three parts, not 4"),
        ("foreach . as $x (0)", "`foreach` takes two or three parts, not 1"),
        ("reduce . as $x (0; 1; 2)", "`reduce` takes two parts, not 3"),
    ],
)
def test_refused(text: str, expected: str) -> None:
    with pytest.raises(PathSyntaxError) as caught:
        parse(text)
    assert caught.value.message == expected


@pytest.mark.parametrize(
    ("text", "key"), [(".a", "a"), ('."a"', "a"), ('.["a"]', "a"), (".[1]", 1), (".[-1]", -1)]
)
def test_a_constant_key_is_a_field_however_it_is_spelt(text: str, key: str | int) -> None:
    node = parse(text)
    assert isinstance(node, syntax.Access)
    (step,) = node.steps
    assert isinstance(step, syntax.Field)
    assert step.key == key


@pytest.mark.parametrize("text", [".[.a]", ".[-.a]", ".[1.5]", ".[null]"])
def test_a_key_that_is_computed_or_odd_is_none(text: str) -> None:
    node = parse(text)
    assert isinstance(node, syntax.Access)
    assert [type(step) for step in node.steps] == [syntax.Index]
