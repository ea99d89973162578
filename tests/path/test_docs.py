"""Each example of the page runs."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.path.differential import theirs
from tests.path.oracles import Oracle
from workload_map import path
from workload_map.path.values import compare

PAGE = (Path(__file__).parents[2] / "docs" / "path-language.md").read_text(encoding="utf-8")


def rows(*headers: str) -> list[tuple[str, ...]]:
    """The rows of all tables with those columns behind `expression` and `value`."""
    found: list[tuple[str, ...]] = []
    inside = False
    for line in PAGE.split("\n"):
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)][1:-1]
        if len(cells) != 2 + len(headers):
            inside = False
        elif cells == ["expression", "value", *headers]:
            inside = True
        elif inside and not cells[0].startswith("---"):
            expression, value, *others = (cell.replace("\\|", "|") for cell in cells)
            found.append((expression.strip("`"), value.strip("`"), *others))
    return found


def quoted(cell: str) -> list[str]:
    return re.findall(r"`([^`]*)`", cell)


@pytest.mark.parametrize(("expression", "value", "outputs"), rows("outputs"))
def test_outputs(expression: str, value: str, outputs: str) -> None:
    found = path.compile(expression).all(json.loads(value))
    wanted = [json.loads(output) for output in quoted(outputs)]
    assert len(found) == len(wanted)
    assert all(compare(*pair, path.Budget()) == 0 for pair in zip(found, wanted, strict=True)), found


@pytest.mark.parametrize(("expression", "value", "locations"), rows("locations"))
def test_locations(expression: str, value: str, locations: str) -> None:
    found = [location for _, location, _ in path.compile(expression).locations(json.loads(value))]
    assert [", ".join(map(str, location)) for location in found] == quoted(locations)


@pytest.mark.parametrize(("expression", "value", "new", "changes"), rows("new value", "changes"))
def test_changes(expression: str, value: str, new: str, changes: str) -> None:
    (wanted,) = map(json.loads, quoted(new))
    found = path.changes(path.compile(expression), json.loads(value), lambda _: wanted)
    told = [f"{one.kind} `{', '.join(map(str, one.location))}`" for one in found]
    assert "; ".join(told) == changes


@pytest.mark.parametrize(("expression", "value", "why"), rows("why it counts as not writable"))
def test_forms_that_only_jq_writes_through(
    expression: str, value: str, why: str, engines: list[Oracle]
) -> None:
    assert not path.check(expression).writable
    paths = path.compile(f"[path({expression})]").first(json.loads(value))
    assert paths
    for engine in engines:
        assert theirs(engine, f"path({expression})", json.loads(value)).outputs == paths
    for writable in quoted(why):
        assert path.check(writable).writable


def test_the_first_block() -> None:
    block = PAGE.split("```python\n")[1].split("```")[0]
    names: dict[str, Any] = {}
    checked = 0
    for line in block.split("\n"):
        expression, mark, wanted = line.partition("  # ")
        if mark:
            assert eval(expression, names) == ast.literal_eval(wanted.strip())  # noqa: S307 - our own page
            checked += 1
        else:
            exec(expression, names)  # noqa: S102
    assert checked == 5


def test_the_errors_shown() -> None:
    with pytest.raises(path.PathSyntaxError) as caught:
        path.compile("spec.replicas")
    assert str(caught.value) in PAGE
    with pytest.raises(path.PathRuntimeError) as failed:
        path.compile(".spec.jobs[] | .name[]").all({"spec": {"jobs": [{"name": "driver"}]}})
    assert str(failed.value) in PAGE
