"""What holds for any text and any value."""

from __future__ import annotations

import json
import re
from typing import Any

import yaml
from hypothesis import given
from hypothesis import strategies as st

from workload_map.render.machine import to_json, to_yaml
from workload_map.render.table import Cell, lines
from workload_map.render.text import printable, width, wrapped

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)


@given(st.text())
def test_any_text_becomes_one_that_a_terminal_only_shows(text: str) -> None:
    shown = printable(text)
    assert shown.isprintable()
    assert printable(shown) == shown


@given(st.lists(st.tuples(st.text(max_size=8), st.text(max_size=8), st.text(max_size=8)), min_size=1))
def test_columns_begin_where_those_above_do(rows: list[tuple[str, ...]]) -> None:
    cells = [[Cell.plain(printable(text)) for text in row] for row in rows]
    marked = [[row[0], Cell.plain("|"), *row[1:]] for row in cells]
    positions = set()
    for row, line in zip(marked, lines(marked), strict=True):
        assert line == line.rstrip() or row[-1].text != row[-1].text.rstrip() or row[-1].text == ""
        before = row[0].text
        assert line.startswith(before)
        positions.add(width(before) + line[len(before) :].index("|"))
    assert len(positions) == 1


@given(VALUES)
def test_yaml_and_json_hold_the_value(value: Any) -> None:
    for text, load in ((to_json(value), json.loads), (to_yaml(value), yaml.safe_load)):
        assert load(text) == value
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", text)


@given(st.lists(st.text(" \n\t\r-:#|>'\"%a日\u2028"), max_size=3))
def test_yaml_holds_texts_of_several_lines(texts: list[str]) -> None:
    value = {"texts": texts, **dict.fromkeys(texts, texts)}
    assert yaml.safe_load(to_yaml(value)) == value
    assert yaml.safe_load(to_yaml([[[value]]])) == [[[value]]]


@given(st.text(), st.integers(2, 30))
def test_a_wrapped_text_fits_and_loses_only_blanks(text: str, columns: int) -> None:
    text = printable(text)
    parts = wrapped(text, columns)
    assert max(map(width, parts)) <= columns
    assert "".join(parts).replace(" ", "") == text.replace(" ", "")
