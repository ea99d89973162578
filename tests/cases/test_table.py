"""The table of cases is whole and true."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

from tests.cases.table import CASES

FIELD_CASES = Path(__file__).parents[2].parent / "shared" / "cases.md"
MODULES = sorted(file.stem for file in Path(__file__).parent.glob("test_*.py") if file.stem != "test_table")


def marked() -> dict[str, tuple[str, ...]]:
    """The tests of this folder that bear a case, by module and name."""
    found = {}
    for name in MODULES:
        module = importlib.import_module(f"tests.cases.{name}")
        for function, value in vars(module).items():
            if function.startswith("test_") and hasattr(value, "cases"):
                found[f"{name}.{function}"] = value.cases
    return found


@pytest.mark.parametrize("case_id", CASES)
def test_a_case_names_its_tests_or_what_it_waits_for(case_id: str) -> None:
    row = CASES[case_id]
    assert row.tests or row.waits_for
    tests = marked()
    for name in row.tests:
        assert name in tests, "there is no such test, or it bears no case"
        assert case_id in tests[name], f"{name} does not bear the case"


def test_every_test_that_bears_a_case_stands_in_its_row() -> None:
    missing = [
        (case_id, name)
        for name, ids in marked().items()
        for case_id in ids
        if case_id not in CASES or name not in CASES[case_id].tests
    ]
    assert missing == []


@pytest.mark.skipif(not FIELD_CASES.is_file(), reason="the list of field cases is not beside the checkout")
def test_no_field_case_is_missing() -> None:
    listed = re.findall(r"^### (B\d+) ", FIELD_CASES.read_text(), re.MULTILINE)
    assert len(listed) > 50
    assert sorted(CASES) == sorted(listed)
