"""Definitions out of files, folders and lists of objects."""

from __future__ import annotations

import copy
import json
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from workload_map.definition import Finding, Layer, load, load_objects


def named(base: dict[str, Any], name: str) -> dict[str, Any]:
    other = copy.deepcopy(base)
    other["metadata"]["name"] = name
    return other


def names(layer: Layer) -> list[str]:
    return [entry.name for entry in layer.entries]


def told(findings: list[Finding]) -> list[tuple[str, str, int | None, str | None]]:
    return [(each.code, Path(each.file).name, each.document, each.location) for each in findings]


def write(path: Path, *documents: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(yaml.safe_dump_all(documents))
    return path


def test_a_file_of_several_documents(tmp_path: Path, base: dict[str, Any]) -> None:
    file = write(tmp_path / "a.yaml", named(base, "a"), named(base, "b"))
    layer, findings = load([file])
    assert names(layer) == ["a", "b"]
    assert findings == []
    assert {(entry.origin, entry.source) for entry in layer.entries} == {("file", str(file))}


def test_json_and_lists(tmp_path: Path, base: dict[str, Any]) -> None:
    file = tmp_path / "a.json"
    items = [named(base, "a"), named(base, "b") | {"spec": {}}, {"kind": "Karta"}]
    file.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
    layer, findings = load([file])
    assert names(layer) == ["a"]
    assert told(findings) == [
        ("missing-field", "a.json", 1, "items[1].spec"),
        ("not-a-definition", "a.json", 1, "items[2]"),
    ]


def test_a_broken_document_leaves_the_others(tmp_path: Path, base: dict[str, Any]) -> None:
    good, bad = yaml.safe_dump(named(base, "a")), yaml.safe_dump(named(base, "b") | {"spce": {}})
    file = tmp_path / "a.yaml"
    file.write_text(f"{good}---\na: [\n---\n{bad}---\n{good.replace('name: a', 'name: d')}")
    layer, findings = load([file])
    assert names(layer) == ["a", "d"]
    assert told(findings) == [
        ("unreadable-document", "a.yaml", 2, None),
        ("unknown-field", "a.yaml", 3, "spce"),
    ]
    assert all(each.line for each in findings)


def test_a_folder_is_read_with_its_folders_and_without_other_kinds(
    tmp_path: Path, base: dict[str, Any]
) -> None:
    write(tmp_path / "z.yaml", named(base, "z"), {"apiVersion": "v1", "kind": "Pod"}, [1])
    write(tmp_path / "deep" / "er" / "a.yml", named(base, "a"))
    write(tmp_path / ".hidden" / "b.yaml", named(base, "b"))
    (tmp_path / "notes.txt").write_text("a: [")
    write(
        tmp_path / "typo.yaml", named(base, "t") | {"kind": "Kartta"}, {"apiVersion": "a/v1", "kind": "Karta"}
    )
    layer, findings = load([str(tmp_path)])
    assert names(layer) == ["a", "z"]
    assert told(findings) == [
        ("not-a-definition", "typo.yaml", 1, "kind"),
        ("not-a-definition", "typo.yaml", 2, "apiVersion"),
    ]


def test_another_kind_in_a_file_that_was_named_is_told(tmp_path: Path) -> None:
    file = write(tmp_path / "pod.yaml", {"apiVersion": "v1", "kind": "Pod"})
    assert told(load([file])[1]) == [("not-a-definition", "pod.yaml", 1, "apiVersion")]


def test_paths_that_give_nothing_are_told(tmp_path: Path) -> None:
    empty = tmp_path / "empty.yaml"
    empty.write_text("# nothing\n")
    folder = tmp_path / "folder"
    folder.mkdir()
    binary = tmp_path / "binary.yaml"
    binary.write_bytes(b"\x1f\x8b\x00\x01")
    layer, findings = load([empty, folder, tmp_path / "absent.yaml", binary])
    assert names(layer) == []
    assert told(findings) == [
        ("unreadable-file", "absent.yaml", None, None),
        ("unreadable-document", "binary.yaml", 1, None),
        ("no-definitions", "empty.yaml", None, None),
        ("no-definitions", "folder", None, None),
    ]


def test_a_file_that_cannot_be_read_leaves_the_others_of_its_folder(
    tmp_path: Path, base: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "a.yaml", named(base, "a"))
    write(tmp_path / "b.yaml", named(base, "b"))
    readable = Path.read_bytes

    def read_bytes(path: Path) -> bytes:
        if path.name == "a.yaml":  # root may read every file, whatever its mode
            raise PermissionError(13, "Permission denied", str(path))
        return readable(path)

    monkeypatch.setattr(Path, "read_bytes", read_bytes)
    layer, findings = load([tmp_path])
    assert names(layer) == ["b"]
    assert told(findings) == [("unreadable-file", "a.yaml", None, None)]


def test_a_definition_that_cannot_be_used_is_not_kept(tmp_path: Path, base: dict[str, Any]) -> None:
    base["spec"]["structureDefinition"]["childComponents"][0]["ownerRef"] = "wagon"
    layer, findings = load([write(tmp_path / "a.yaml", base)])
    assert names(layer) == []
    assert [each.code for each in findings] == ["owner-cycle"]


@pytest.mark.parametrize("expression", [".spec[", ".spec | nonsense", "$other.spec", "input"])
def test_a_definition_whose_expression_does_not_compile_is_not_kept(
    tmp_path: Path, base: dict[str, Any], expression: str
) -> None:
    broken = named(base, "broken")
    broken["spec"]["structureDefinition"]["childComponents"][0]["instanceIdPath"] = expression
    place = "spec.structureDefinition.childComponents[0].instanceIdPath"
    for layer, findings in (load_objects([broken, base]), load([write(tmp_path / "a.yaml", broken)])):
        assert "broken" not in names(layer)
        assert [(each.code, each.location) for each in findings] == [("expression-invalid", place)]


def test_a_path_may_name_the_references_of_its_definition(base: dict[str, Any]) -> None:
    structure = base["spec"]["structureDefinition"]
    lookup = {"nameExpression": ".spec.runtime"}
    gvk = {"group": "x.io", "version": "v1", "kind": "Runtime"}
    structure["references"] = [{"name": "runtime", "gvk": gvk, "lookup": lookup}]
    structure["childComponents"][0]["presentPath"] = "$runtime != null"
    layer, findings = load_objects([base])
    assert (names(layer), findings) == (["example-train-v1"], [])


def test_definitions_of_a_cluster_come_as_objects(base: dict[str, Any]) -> None:
    layer, findings = load_objects([base, named(base, "bad") | {"spec": {}}, None, {"metadata": {"name": 3}}])
    assert names(layer) == ["example-train-v1"]
    assert layer.entries[0].origin == "cluster"
    assert [(each.code, each.file, each.line) for each in findings] == [
        ("not-a-definition", "a definition without a name", None),
        ("not-a-definition", "a definition without a name", None),
        ("missing-field", "bad", None),
    ]


def test_what_cannot_be_read_in_a_folder_is_told_beside_the_rest(tmp_path: Path, base: Any) -> None:
    write(tmp_path / "good.YAML", named(base, "good"))
    (tmp_path / "loop.yaml").symlink_to("loop.yaml")
    layer, findings = load([str(tmp_path)])
    assert names(layer) == ["good"]
    assert [(one.code, one.file) for one in findings] == [("unreadable-file", str(tmp_path / "loop.yaml"))]


@pytest.mark.parametrize(
    ("path", "reason"), [("x" * 5000, "File name too long"), ("a\0b", "embedded null byte")]
)
def test_a_path_that_cannot_be_one_is_told(path: str, reason: str) -> None:
    _, findings = load([path])
    assert [(one.code, one.message) for one in findings] == [("unreadable-file", reason)]


def test_standard_input_may_be_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    _, findings = load(["-"])
    assert [(one.code, one.message) for one in findings] == [("unreadable-file", "standard input is closed")]
