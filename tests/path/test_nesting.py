"""How deep an expression may be: 48 levels, of which the expression itself is the first."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from workload_map.path import PathSyntaxError, compile  # noqa: A004 - as in `re.compile`

NESTED: dict[str, Callable[[int], str]] = {
    "parentheses": lambda levels: "(" * levels + "." + ")" * levels,
    "arrays": lambda levels: "[" * levels + "." + "]" * levels,
    "signs": lambda levels: "-" * levels + "1",
    "handlers": lambda levels: "try " * levels + ".",
    "defaults": lambda levels: "." + " // ." * levels,
    "patterns": lambda levels: ". as " + "[" * levels + "$x" + "]" * levels + " | $x",
    "bindings": lambda levels: ". as $x | " * levels + ".",
}


@pytest.mark.parametrize("kind", NESTED)
def test_all_but_the_last_level_may_be_nested(kind: str) -> None:
    compile(NESTED[kind](47))


@pytest.mark.parametrize("kind", NESTED)
def test_one_more_is_refused_in_the_same_words(kind: str) -> None:
    with pytest.raises(PathSyntaxError, match="nested more than 48 levels deep"):
        compile(NESTED[kind](48))


@pytest.mark.parametrize("part", ["-1", "try .", ". // .", "(.)", "[.]", ". as [$x] | $x"])
def test_what_stands_side_by_side_is_not_nested(part: str) -> None:
    compile(", ".join([f"({part})"] * 60))
    compile(f"[{' + '.join([f'({part})'] * 60)}]")
