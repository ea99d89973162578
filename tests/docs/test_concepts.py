"""The Python in the docs runs, and gives what is written beside it."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.docs.console import ROOT

PAGES = sorted((ROOT / "docs" / "concepts").glob("*.md"))
_BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_SHOWN = re.compile(r"\s*# -> (.*)$")


class Step(NamedTuple):
    """A statement, and what it is said to give; None where nothing is said."""

    code: ast.stmt
    shown: str | None


def steps(page: Path) -> list[Step]:
    """The statements of a page in order. What is shown stands behind a statement or on the next line."""
    found = []
    for block in _BLOCK.findall(page.read_text()):
        lines = block.splitlines()
        for statement in ast.parse(block).body:
            last = statement.end_lineno or 0
            shown = _SHOWN.search(lines[last - 1])
            if shown is None and last < len(lines):
                shown = _SHOWN.fullmatch(lines[last])
            found.append(Step(statement, shown[1] if shown else None))
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_examples_of_a_page_give_what_they_show(page: Path) -> None:
    names: dict[str, Any] = {}
    for step in steps(page):
        place = f"{page.name}: {ast.unparse(step.code)[:80]}"
        if isinstance(step.code, ast.Expr):
            value = eval(compile(ast.Expression(step.code.value), page.name, "eval"), names)  # noqa: S307
            # A call that gives nothing shows nothing.
            assert (None if value is None and step.shown is None else repr(value)) == step.shown, place
        else:
            assert step.shown is None, f"{place}: gives nothing that could be shown"
            exec(compile(ast.Module([step.code], []), page.name, "exec"), names)  # noqa: S102


def test_every_page_has_examples_and_is_listed() -> None:
    index = (ROOT / "docs" / "concepts" / "README.md").read_text()
    for page in PAGES:
        if page.stem != "README":
            assert f"({page.name})" in index
            assert any(step.shown is not None for step in steps(page))
