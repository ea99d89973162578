"""The pages of the docs that the code tells."""

from __future__ import annotations

import re

from workload_map.definition.codes import CODES
from workload_map.definition.descriptions import DESCRIPTIONS
from workload_map.definition.pages import codes_page, fields_page


def test_the_page_lists_each_code_once() -> None:
    rows = [line.split("|")[1:3] for line in codes_page().splitlines() if line.startswith("| `")]
    assert rows == [[f" `{code.code}` ", f" {code.severity} "] for code in CODES.values()]
    assert all(code.meaning.endswith(".") and code.why.endswith(".") for code in CODES.values())
    cells = {
        len(re.split(r"(?<!\\)\|", line)) for line in codes_page().splitlines() if line.startswith("| `")
    }
    assert cells == {7}


def test_each_object_of_the_schema_has_its_section_and_each_link_leads_to_one() -> None:
    page = fields_page()
    headings = re.findall(r"^## (\w+)$", page, re.MULTILINE)
    assert sorted(headings) == sorted(struct.__name__ for struct in DESCRIPTIONS)
    assert set(re.findall(r"\(#(\w+)\)", page)) <= {heading.lower() for heading in headings}


def test_the_page_says_what_a_field_is() -> None:
    page = fields_page()
    assert "| `replicasPath` | path | The desired number of replicas. |" in page
    assert "| `reasonFieldName` | string | The field that holds its reason. Default: `reason`. |" in page
    assert "*Extension; without it an absent count is unknown.*" in page
