"""Where keys and entries stand."""

from __future__ import annotations

import pytest

from workload_map.documents import Document, Position, read

YAML = """\
# a note
kind: X
spec:
  jobs:
    - name: a
      "size": {cpu: 1, mem: [1,
        2]}
    - &b
      name: b
  <<: {more: 1}
"""
JSON = """\
{
  "kind": "X",
  "spec": {"jobs": [
    {"name": "a"}, {"näme": "b",
      "x": [1, [2]]}
  ], "e": {}, "l": []}
}
"""


def document(text: str, number: int = 0) -> Document:
    found = list(read(text, "f", positions=True))[number]
    assert isinstance(found, Document)
    return found


@pytest.mark.parametrize(
    ("steps", "line", "column"),
    [
        ((), 2, 1),
        (("kind",), 2, 1),
        (("spec", "jobs"), 4, 3),
        (("spec", "jobs", 0), 5, 7),
        (("spec", "jobs", 0, "name"), 5, 7),
        (("spec", "jobs", 0, "size"), 6, 7),
        (("spec", "jobs", 0, "size", "mem"), 6, 24),
        (("spec", "jobs", 0, "size", "mem", 1), 7, 9),
        (("spec", "jobs", 1, "name"), 9, 7),
        (("spec", "more"), 10, 8),
        (("spec", "absent", "deeper"), 3, 1),
        (("spec", "jobs", 7), 4, 3),
    ],
)
def test_places_in_yaml(steps: tuple[str | int, ...], line: int, column: int) -> None:
    assert document(YAML).position(steps) == Position(line, column)
    assert document(f"a: 1\n---\n{YAML}", 1).position(steps) == Position(line + 2, column)


@pytest.mark.parametrize(
    ("steps", "line", "column"),
    [
        ((), 1, 1),
        (("kind",), 2, 3),
        (("spec", "jobs", 1), 4, 20),
        (("spec", "jobs", 1, "näme"), 4, 21),
        (("spec", "jobs", 1, "x"), 5, 7),
        (("spec", "jobs", 1, "x", 1, 0), 5, 17),
        (("spec", "e"), 6, 6),
        (("spec", "l", 0), 6, 15),
    ],
)
def test_places_in_json(steps: tuple[str | int, ...], line: int, column: int) -> None:
    assert document(JSON).position(steps) == Position(line, column)
    assert document(f"a: 1\n---\n{JSON}", 1).position(steps) == Position(line + 2, column)
    assert document(f"{{}}\n{JSON}", 1).position(steps) == Position(line + 1, column)


def test_json_behind_its_marker_keeps_its_columns() -> None:
    assert document('--- {"a": 1}').position(("a",)) == Position(1, 6)


def test_no_places_unless_asked_for() -> None:
    (found,) = read(YAML, "f")
    assert isinstance(found, Document)
    assert found.position(()) is None


def test_places_on_one_endless_line_are_counted_on_from_each_other() -> None:
    """Each from the line's begin would take a minute; characters count, not bytes."""
    entries = 30_000
    text = "[" + ",".join('{"ä": 1}' for _ in range(entries)) + "]"
    (document,) = read(text, "f", positions=True)
    assert isinstance(document, Document)
    last = entries - 1
    assert document.position((last, "ä")) == (1, 2 + 9 * last + 1)
    assert document.position((0,)) == (1, 2)
    assert document.position((1, "ä")) == (1, 12)
