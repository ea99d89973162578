"""What a misspelt word is taken for."""

from __future__ import annotations

import pytest

from workload_map.spelling import did_you_mean

KNOWN = ("replicas", "podSelector", "JobSet")


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("replica", "did you mean replicas?"),
        ("PODSELECTR", "did you mean podSelector?"),
        ("jobset", "did you mean JobSet?"),
        ("template", None),
        ("", None),
    ],
)
def test_the_nearest_word_is_named_as_it_is_spelt(word: str, hint: str | None) -> None:
    assert did_you_mean(word, KNOWN) == hint


def test_where_nothing_is_known_nothing_is_near() -> None:
    assert did_you_mean("replicas", ()) is None


def test_a_text_that_is_no_word_is_not_compared() -> None:
    assert did_you_mean("a" * 100_000, ["a" * 100_000]) is None
