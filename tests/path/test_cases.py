"""The cases of `cases.yaml`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from workload_map import path
from workload_map.path.values import compare

_FILE = Path(__file__).parent / "cases.yaml"
CASES: dict[str, list[dict[str, Any]]] = yaml.safe_load(_FILE.read_text("utf-8"))
ALL = [case for group in CASES.values() for case in group]


def same(left: Any, right: Any) -> bool:
    return compare(left, right, path.Budget()) == 0


def before_the_error(expression: str, value: Any) -> list[Any]:
    """The outputs before an error, one more asked for at a time."""
    found: list[Any] = []
    while True:
        try:
            found = path.compile(f"[limit({len(found) + 1}; {expression}\n)]").first(value)
        except path.PathRuntimeError:
            return found


@pytest.mark.parametrize("case", ALL, ids=lambda case: case["program"])
def test_case(case: dict[str, Any]) -> None:
    program, value = path.compile(case["program"]), case["value"]
    if "error" in case:
        with pytest.raises(path.PathRuntimeError) as caught:
            program.all(value)
        assert caught.value.kind == case["error"], str(caught.value)
        found = before_the_error(case["program"], value)
    else:
        found = program.all(value)
        located = [output for output, _, _ in program.locations(value)]
        assert same(located, found), "the located form gives other values"
    assert len(found) == len(case["outputs"]), found
    for output, wanted in zip(found, case["outputs"], strict=True):
        assert same(output, wanted), output
    if "locations" in case:
        assert [list(location) for _, location, _ in program.locations(value)] == case["locations"]
