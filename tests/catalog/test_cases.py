"""Every case of every built-in kind holds."""

import pytest

from workload_map.catalog import Catalog
from workload_map.catalog.building import FOLDER
from workload_map.catalog.cases import Case, check, files, read_case

CATALOG = Catalog.builtin()
CASES = [case for folder in sorted(FOLDER.glob("*/cases")) for case in map(read_case, files(folder))]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.file.parent.parent.name}/{case.name}")
def test_a_case_holds(case: Case) -> None:
    differences = check(case, CATALOG)
    assert not differences, "\n".join([case.description, *map(str, differences)])


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.file.parent.parent.name}/{case.name}")
def test_a_case_is_a_sentence_and_says_something(case: Case) -> None:
    assert case.description.endswith(".")
    assert case.expect
