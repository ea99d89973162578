"""Which documents a file has, and what becomes of those that cannot be read."""

from __future__ import annotations

import json
import tracemalloc
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workload_map.documents import Document, DocumentError, read


def values(data: bytes | str, **options: bool) -> list[Any]:
    """The values of all documents; an error fails the test."""
    found = list(read(data, "f", **options))
    assert all(isinstance(each, Document) for each in found), found
    return [each.value for each in found if isinstance(each, Document)]


def outline(data: bytes | str, **options: bool) -> list[Any]:
    """Values, and of errors their lines."""
    return [
        each.value if isinstance(each, Document) else f"line {each.position.line}" if each.position else "?"
        for each in read(data, "f", **options)
    ]


def only_error(data: bytes | str, **options: bool) -> DocumentError:
    (error,) = read(data, "f", **options)
    assert isinstance(error, DocumentError)
    return error


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("# only a comment\n", []),
        ("---\n---\n# nothing\n---\n", []),
        ("a: 1\n---\nb: 2\n", [{"a": 1}, {"b": 2}]),
        ("---\na: 1\n...\n---\nb: 2\n...\n", [{"a": 1}, {"b": 2}]),
        ("a: 1\r---\rb: 2\r", [{"a": 1}, {"b": 2}]),
        ("--- {a: 1}\n--- [b]\n", [{"a": 1}, ["b"]]),
        ("null\n---\n~\n", [None, None]),
        ("%YAML 1.1\n---\na: 1\n", [{"a": 1}]),
        ("# note\n%YAML 1.1\n# note\n---\na: 1\n---\nb: 2\n", [{"a": 1}, {"b": 2}]),
        ("a: 1\r\n---\r\nb: 2\r\n", [{"a": 1}, {"b": 2}]),
        ("text: |\n  ---\n  a\n", [{"text": "---\na\n"}]),
        ("a: ---b\nc: d---\n", [{"a": "---b", "c": "d---"}]),
        ('{"a": 1}', [{"a": 1}]),
        ('{"a": 1}\n---\n{"b": 2}', [{"a": 1}, {"b": 2}]),
        ('{"a": 1}\n{"b": 2}\n', [{"a": 1}, {"b": 2}]),
        ('{"a": 1}{"b": 2} [3]', [{"a": 1}, {"b": 2}, [3]]),
        ('{\n  "a": 1\n}\n{\n  "b": 2\n}\n', [{"a": 1}, {"b": 2}]),
        ('[{"a": 1}]', [[{"a": 1}]]),
        ("{a: 1, b: [c, d]}", [{"a": 1, "b": ["c", "d"]}]),
        ('{"a": yes} # flow style, not JSON', [{"a": True}]),
        ('{\n\t"a": 1\n}', [{"a": 1}]),
    ],
)
def test_documents_of_a_text(text: str, expected: list[Any]) -> None:
    assert values(text) == expected
    assert values(text.encode()) == expected
    assert values(text, positions=True) == expected


def test_empty_documents_are_not_counted() -> None:
    assert [
        each.index for each in read("---\n---\na: 1\n---\n---\nb: 2", "f") if isinstance(each, Document)
    ] == [1, 2]


@pytest.mark.parametrize(
    "data",
    [b"\xef\xbb\xbfa: 1", "a: 1".encode("utf-16"), b"\xfe\xff" + "a: 1".encode("utf-16-be"), "\ufeffa: 1"],
    ids=["utf-8", "utf-16-le", "utf-16-be", "str"],
)
def test_a_byte_order_mark_names_the_encoding(data: bytes | str) -> None:
    assert values(data) == [{"a": 1}]


def test_json_behind_a_byte_order_mark() -> None:
    assert values(b'\xef\xbb\xbf{"a": 1}') == [{"a": 1}]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: 1\n---\nb: [\n---\nc: 3\n", [{"a": 1}, "line 4", {"c": 3}]),
        ("a: 'open\n---\nb: 2\n", ["line 2", {"b": 2}]),
        ("a: 1\na: 2\n---\nb: 2\n", ["line 2", {"b": 2}]),
        ('{"a": 1}\n{"b":}\n{"c": 3}\n', [{"a": 1}, "line 2", {"c": 3}]),
        ('{"a": 1}\n---\n{"b":\n---\n{"c": 3}\n', [{"a": 1}, "line 3", {"c": 3}]),
        # A list cut off: what follows the break are not documents of their own.
        ('{"items": [\n{"a": 1},\n{"b": 2},\n', ["line 3", "line 2"]),
    ],
)
def test_a_broken_document_does_not_hide_the_others(text: str, expected: list[Any]) -> None:
    assert outline(text) == expected


def test_a_file_full_of_errors_is_given_up_with_a_word() -> None:
    found = list(read("a: 1\n---\n" + "b: [\n---\n" * 1_500, "f"))
    assert len(found) == 1 + 1_000 + 1
    assert isinstance(found[-1], DocumentError)
    assert "the rest is not tried" in found[-1].message


def test_documents_are_read_lazily() -> None:
    documents = read("a: 1\n---\nb: [\n", "f")
    first = next(documents)
    assert isinstance(first, Document)
    assert first.value == {"a": 1}


def test_invalid_utf8_in_one_document_leaves_the_others() -> None:
    found = list(read(b"a: 1\n---\nb: \xff\n---\nc: 3\n", "f"))
    assert isinstance(found[1], DocumentError)
    assert found[1].position == (3, 4)
    assert "0xFF" in found[1].message
    assert [each.value for each in found if isinstance(each, Document)] == [{"a": 1}, {"c": 3}]


@pytest.mark.parametrize(
    ("data", "place", "words"),
    [
        ("a:\n  b: 1\n\tc: 2\n", (3, 1), "tab"),
        ("a: \x00", (1, 4), "NUL"),
        ("ä: \x00", (1, 4), "NUL"),
        ("a: \x1b[31m", (1, 4), "U+001B"),
        ("a: b: c", (1, 5), "mapping values are not allowed"),
        (b'{"a": "\xff"}', (1, 8), "UTF-8"),
        (b"\xff\xfea", None, "UTF-16-LE"),
        ("a: 1\nb:\n  a: 1\n  a: 2\n", (4, 3), "'a' is there twice"),
        ("1: a\n'1': b\n", (2, 1), "'1' is there twice"),
        ("a: .nan", (1, 4), ".nan"),
        ("a:\n- -.inf", (2, 3), "-.inf"),
        ('{"a": NaN}', (1, 7), "NaN"),
        ('{"a": [1, -Infinity]}', (1, 12), "Infinity"),
        ('{"a": 1e999}', (1, 7), "out of range"),
        ('{\n "a": 1,\n "b" 2}', (3, 6), "not valid JSON"),
        ('{"a": 1', (1, 8), "ends inside"),
        ('{"a": 1}}', (1, 9), "trailing"),
        ("a: !secret x", (1, 4), "!secret"),
        ("a: !!python/object:os.system {}", (1, 4), "python/object"),
        ("a: !!binary aGk=", (1, 4), "!!binary"),
        ("a: !!int x", (1, 4), "!!int"),
        ("a: *b", (1, 4), "names nothing"),
        ("a: &a [*a]", (1, 8), "inside of what it names"),
        ("? {a: 1}\n: 2", (1, 3), "a key is a mapping"),
        ("? &a [1]\n: 2", (1, 3), "a key is a mapping"),
        ("a: &a [1]\n*a : 2", (2, 1), "a key is a mapping"),
        ("null: 1", (1, 1), "a key is null"),
        ("a:\n  <<: 3", (2, 7), "'<<' takes"),
        ("a: {<<: {b: 1}, <<: {c: 1}}", (1, 17), "'<<' is there twice"),
        ("a: " + "9" * 2_000, (1, 4), "2000 digits"),
    ],
)
def test_refused_with_its_place(data: bytes | str, place: tuple[int, int] | None, words: str) -> None:
    error = only_error(data)
    assert words in error.message
    assert error.position == place


def test_the_place_is_told_with_file_and_document() -> None:
    error = list(read("a: 1\n---\n# note\nb: 1\nb: 2\n", "jobs.yaml"))[1]
    assert isinstance(error, DocumentError)
    assert error.location == "jobs.yaml, document 2, line 5, column 1"


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("a:\n\t- b", "spaces"),
        ("a: {{ .Values.a }}", "template"),
        ("{{ .Values.a }}", "template"),
        ("a: 'b\n", "begins on line 1"),
    ],
)
def test_hints(text: str, hint: str) -> None:
    assert hint in (only_error(text).hint or "")


def test_duplicate_keys_in_json_are_refused_where_places_are_asked_for() -> None:
    text = '{"a": {"b": 1, "c": 2,\n "b": 3}}'
    assert values(text) == [{"a": {"b": 3, "c": 2}}]
    assert only_error(text, positions=True).position == (2, 2)


def test_deep_nesting_is_an_error_of_ours() -> None:
    for text in [
        "[" * 100_000,
        "a: " + "[1," * 100_000,
        '{"a":' * 100_000,
        "\n".join(f"{' ' * n}a:" for n in range(400)),
    ]:
        assert "nested more than 200 levels" in only_error(text).message


def test_two_hundred_levels_are_fine() -> None:
    nested = "[" * 200 + "]" * 200
    assert len(values(nested)) == 1
    assert len(values(f"{nested} # YAML")) == 1
    assert len(values(nested, positions=True)) == 1
    assert "nested" in only_error(f"[{nested}]", positions=True).message


def test_alias_bombs_are_refused_by_counting() -> None:
    lines = ["a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    error = only_error("\n".join(lines))
    assert "aliases add more than" in error.message


def test_a_big_scalar_repeated_by_aliases_counts_as_written_out() -> None:
    text = f"a: &a {'x' * 2_000_000}\nb: [*a, *a, *a, *a]\n"
    assert len(values(text)) == 1
    assert "aliases add" in only_error(text.replace("*a]", "*a, *a, *a]")).message


def test_a_ten_megabyte_scalar_is_read() -> None:
    assert len(values("a: " + "x" * 10_000_000)[0]["a"]) == 10_000_000


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(st.lists(st.dictionaries(st.text(), JSON_VALUES, max_size=4), max_size=4), st.sampled_from([None, 2]))
def test_json_is_read_as_the_json_module_reads_it(documents: list[Any], indent: int | None) -> None:
    text = "\n".join(json.dumps(each, indent=indent) for each in documents)
    assert values(text) == [json.loads(json.dumps(each)) for each in documents]
    assert values(text, positions=True) == values(text)


@given(st.binary(max_size=60) | st.text(alphabet="{}[]:,-'\"&*!<?|>#%~ \n\tab1.", max_size=40))
def test_any_input_ends_in_documents_or_errors(data: bytes | str) -> None:
    for each in read(data, "f", positions=True):
        if isinstance(each, Document):
            assert each.position(()) is not None
        else:
            assert each.location is not None


def test_an_integer_beyond_all_bounds_has_its_place() -> None:
    error = only_error('{"a": 1, "b":\n [' + "9" * 5000 + "]}")
    assert error.position == (2, 3)
    assert error.message == "a number is out of range"


def test_empty_documents_take_no_parser() -> None:
    assert outline(b"---\n" * 200_000 + b"a: 1\n---\n\n---\n# x\n") == [{"a": 1}]


def test_many_documents_on_one_line_are_read_in_one_pass() -> None:
    assert len(values(b"[]" * 50_000)) == 50_000


@pytest.mark.parametrize(
    "text", ["!" + "x" * 100_000 + " 1", "*" + "x" * 100_000, '{"' + "x" * 100_000 + '": [*y]}']
)
def test_what_is_endless_is_cut_in_messages(text: str) -> None:
    assert len(str(only_error(text))) < 200


def test_a_text_is_there_once_while_it_is_read_and_a_key_once_for_all() -> None:
    data = b"kind: List\nitems:\n- {name: a}\n- {name: b}\n" + b"# a long text\n" * 100_000
    tracemalloc.start()
    try:
        (value,) = values(data)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 1.5 * len(data)  # besides what was given: what it is decoded to, to see that it can be
    (first,), (second,) = value["items"]
    assert first is second
