"""The examples in the page on definitions are right."""

from __future__ import annotations

import re
from pathlib import Path

from workload_map.definition import validate
from workload_map.documents import Document, read

PAGE = Path(__file__).parents[2] / "docs" / "definition.md"


def test_the_examples_are_definitions_without_findings() -> None:
    blocks = re.findall(r"^```yaml\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    assert blocks
    for block in blocks:
        for document in read(block, "definition.md", positions=True):
            assert isinstance(document, Document), document
            assert validate(document) == []


def test_the_message_that_is_shown_is_the_one_that_is_given() -> None:
    text = PAGE.read_text()
    (example,) = re.findall(r"^```yaml\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    before, _, after = example.rpartition("podSelector:")
    (shown,) = re.findall(r"^train\.yaml:.*$", text, re.MULTILINE)
    (document,) = read(f"{before}podSelectr:{after}", "train.yaml", positions=True)
    assert isinstance(document, Document)
    assert shown in map(str, validate(document))
