"""Each block of the docs is run, or held against the files that it is taken from; none is left to itself."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.docs.console import ROOT
from workload_map.definition import validate
from workload_map.documents import Document, read

_BLOCK = re.compile(r"^```([\w-]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

RUN_ELSEWHERE = {
    "console": "test_docs.py",
    "shell-session": "test_add_a_kind.py",
    "concepts/python": "test_concepts.py",
    "path-language.md/python": "tests/path/test_docs.py",
    "path-language.md/text": "tests/path/test_docs.py",
    "add-a-kind.md/yaml": "test_add_a_kind.py",
    "definition.md/yaml": "tests/definition/test_docs.py",
    "definition.md/text": "tests/definition/test_docs.py",
    "README.md/sh": "tests/cluster/test_live_docs.py",
    "how-to.md/sh": "tests/cluster/test_live_docs.py",
    "tutorial-cluster.md/sh": "tests/cluster/test_live_docs.py",
    "reference/text": "generated",
    "reference/yaml": "generated",
    "cluster.md/sh": "sets up the cluster that tests/cluster works with",
    "CONTRIBUTING.md/sh": "sets up what the tests run in",
    "generated-engine.md/python": "what a program wrote for one kind, shortened",
}
"""What runs blocks: by language, by folder and language, or by page and language."""

RUN_HERE = {
    "README.md/python",
    "how-to.md/python",
    "definition.md/python",
    "tutorial.md/yaml",
    "catalog.md/text",
    "catalog.md/yaml",
}


def _pages() -> list[Path]:
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def _blocks(page: str, language: str) -> list[str]:
    text = (ROOT / page).read_text()
    return [block for name, block in _BLOCK.findall(text) if name == language]


def test_every_block_is_run_by_a_test() -> None:
    run = RUN_ELSEWHERE.keys() | RUN_HERE
    used = set()
    for page in _pages():
        folder = page.relative_to(ROOT / "docs").parts[0] if page.is_relative_to(ROOT / "docs") else ""
        for language, _ in _BLOCK.findall(page.read_text()):
            ways = {language, f"{folder}/{language}", f"{page.name}/{language}"} & run
            assert ways, f"{page}: nothing runs its blocks of {language or 'no language'}"
            used |= ways
    assert used == run


def _example() -> list[dict[str, Any]]:
    (document,) = read((ROOT / "examples" / "dump.yaml").read_bytes(), "dump.yaml")
    assert isinstance(document, Document)
    found: list[dict[str, Any]] = document.value["items"]
    return found


def test_the_readme_in_a_program_gives_what_it_says() -> None:
    (block,) = _blocks("README.md", "python")
    *statements, last = ast.parse(block).body
    assert isinstance(last, ast.Expr)
    objects = _example()
    by_name = {(one["kind"], one["metadata"]["name"]): one for one in objects}
    names: dict[str, Any] = {
        "obj": by_name["JobSet", "train"],
        "pods": [one for one in objects if one["kind"] == "Pod"],
        "jobs": [one for one in objects if one["kind"] == "Job"],
    }
    exec(compile(ast.Module(statements, []), "README.md", "exec"), names)  # noqa: S102
    found = eval(compile(ast.Expression(last.value), "README.md", "eval"), names)  # noqa: S307
    said = block.rstrip().rpartition("# ")[2]
    assert found == ast.literal_eval(said)


def test_a_whole_dump_is_read_in_a_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (block,) = _blocks("docs/how-to.md", "python")
    (tmp_path / "dump.json").write_text(json.dumps({"kind": "List", "items": _example()}))
    monkeypatch.chdir(tmp_path)
    exec(compile(block, "how-to.md", "exec"), {})  # noqa: S102
    lines = capsys.readouterr().out.splitlines()
    assert "research train Running 12 ()" in lines
    assert (
        len(lines)
        == len((ROOT / "README.md").read_text().partition("NAMESPACE")[2].partition("\n\n")[0].splitlines())
        - 1
    )


def test_findings_are_told_in_a_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (block,) = _blocks("docs/definition.md", "python")
    (definition,) = _blocks("docs/definition.md", "yaml")
    (tmp_path / "train.yaml").write_text(definition.replace("podSelector", "podSelectr", 1))
    (tmp_path / "crds").mkdir()
    monkeypatch.chdir(tmp_path)
    exec(compile(block, "definition.md", "exec"), {})  # noqa: S102
    assert "unknown field; did you mean podSelector?" in capsys.readouterr().out


def test_the_tutorial_shows_parts_of_its_files() -> None:
    folder = ROOT / "examples" / "tutorial"
    run, definition, case = (
        yaml.safe_load((folder / name).read_text())
        for name in ("run.yaml", "definition.yaml", "cases/training.yaml")
    )
    shown = [yaml.safe_load(block.replace(", ...}", "}")) for block in _blocks("docs/tutorial.md", "yaml")]
    wholes = [run, definition, _mappings(definition), case]
    for part, whole in zip(shown, wholes, strict=True):
        assert _lacking(part, whole) == []


def test_the_files_of_the_catalog_are_there() -> None:
    (block,) = _blocks("docs/catalog.md", "text")
    top, *files = block.splitlines()
    assert top == "catalog/" and files
    for line in files:
        assert (ROOT / "src" / "workload_map" / "catalog" / line.split()[0]).is_file()


def test_the_catalog_shows_a_status_that_can_be_used() -> None:
    (block,) = _blocks("docs/catalog.md", "yaml")
    definition = yaml.safe_load((ROOT / "examples" / "tutorial" / "definition.yaml").read_text())
    root = definition["spec"]["structureDefinition"]["rootComponent"]
    root["statusDefinition"] = {
        "conditionsDefinition": {"path": ".status.conditions"},
        "statusMappings": yaml.safe_load(block),
    }
    (document,) = read(json.dumps(definition).encode(), "catalog.md")
    assert isinstance(document, Document)
    assert [finding for finding in validate(document) if finding.severity == "error"] == []


def _mappings(definition: dict[str, Any]) -> Any:
    return definition["spec"]["structureDefinition"]["rootComponent"]["statusDefinition"]["statusMappings"]


def _lacking(part: Any, whole: Any, place: str = "") -> list[str]:
    """Where a part has something that the whole does not have."""
    if isinstance(part, dict) and isinstance(whole, dict):
        return [
            lack for key, value in part.items() for lack in _lacking(value, whole.get(key), f"{place}.{key}")
        ]
    if isinstance(part, list) and isinstance(whole, list) and len(part) <= len(whole):
        return [
            lack
            for index, value in enumerate(part)
            for lack in _lacking(value, whole[index], f"{place}[{index}]")
        ]
    return [] if part == whole else [place]
