"""What YAML scalars mean: as kubectl reads them, on both parsers of events."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workload_map.documents import Document, read, yaml_text


@pytest.fixture(params=["libyaml", "pure Python"], autouse=True)
def _parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "pure Python":
        monkeypatch.setattr(yaml_text, "_Parser", yaml_text.PurePythonParser)


def value(text: str) -> Any:
    (document,) = read(text, "f")
    assert isinstance(document, Document), document
    return document.value


def same(left: Any, right: Any) -> bool:
    return left == right and type(left) is type(right)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-01-01", "2026-01-01"),
        ("2026-01-01T10:00:00Z", "2026-01-01T10:00:00Z"),
        ("1:20", "1:20"),
        ("190:20:30", "190:20:30"),
        ("yes", True),
        ("On", True),
        ("y", True),
        ("TRUE", True),
        ("no", False),
        ("off", False),
        ("N", False),
        ("yEs", "yEs"),
        ("'yes'", "yes"),
        ("~", None),
        ("null", None),
        ("NULL", None),
        ('""', ""),
        ("012", 10),
        ("0o14", 12),
        ("08", 8),
        ("0x1F", 31),
        ("0b101", 5),
        ("-0x10", -16),
        ("+12", 12),
        ("1_000", 1000),
        ("0", 0),
        ("-0", 0),
        ("1e3", 1000),
        ("1.0", 1),
        ("1.5", 1.5),
        (".5", 0.5),
        ("5.", 5),
        ("1e-3", 0.001),
        ("1e21", 1e21),
        ("1e999", "1e999"),
        ("1.2.3", "1.2.3"),
        ("4Gi", "4Gi"),
        ("-", [None]),
        ("--", "--"),
        ("+", "+"),
        (".", "."),
        ("9007199254740993", 9007199254740993),
        ("123456789012345678901234567890", 123456789012345678901234567890),
        ("NaN", "NaN"),
        ("!!str 12", "12"),
        ("! 12", "12"),
        ("!!int '12'", 12),
        ("!!float 1", 1),
        ("!!bool 'yes'", True),
        ("!!null ''", None),
        ("|\n  12\n", "12\n"),
        (">-\n  a\n  b\n", "a b"),
    ],
)
def test_scalars(text: str, expected: Any) -> None:
    assert same(value(f"a: {text}")["a"] if text != "-" else value(text), expected)


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("true", "true"),
        ("on", "true"),
        ("No", "false"),
        ("1", "1"),
        ("012", "10"),
        ("1.5", "1.5"),
        ("'1'", "1"),
        ("!!str 1", "1"),
    ],
)
def test_keys_become_strings(key: str, expected: str) -> None:
    assert value(f"{key}: x") == {expected: "x"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: &a {x: 1}\nb: *a", {"a": {"x": 1}, "b": {"x": 1}}),
        ("a: &a yes\nb: *a\n*a : 1", {"a": True, "b": True, "true": 1}),
        ("&k 1: *k", {"1": 1}),
        ("a: &a {x: 1, z: 2}\nb: {<<: *a, z: 3}", {"a": {"x": 1, "z": 2}, "b": {"x": 1, "z": 3}}),
        ("b: {z: 3, <<: {x: 1, z: 2}}", {"b": {"x": 1, "z": 3}}),
        ("b: {<<: [{x: 1}, {x: 2, z: 3}]}", {"b": {"x": 1, "z": 3}}),
        ("b: {<<: []}", {"b": {}}),
        ("b: {'<<': {x: 1}}", {"b": {"<<": {"x": 1}}}),
        ("a: <<", {"a": "<<"}),
        ("a: &a 1\nb: &a 2\nc: *a", {"a": 1, "b": 2, "c": 2}),
    ],
)
def test_aliases_and_merges(text: str, expected: Any) -> None:
    assert value(text) == expected


@given(st.text())
def test_no_text_is_lost_in_double_quotes(text: str) -> None:
    escaped = "".join(f"\\U{ord(each):08X}" for each in text if not "\ud800" <= each <= "\udfff")
    plain = "".join(each for each in text if not "\ud800" <= each <= "\udfff")
    assert value(f'a: "{escaped}"') == {"a": plain}
