"""`wmap test`: cases beside definitions, what they reach, and the report for CI systems."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml

import pytest

from tests.cli.conftest import Wmap
from tests.cli.test_get import DEFINITION
from workload_map.catalog.building import FOLDER

CASE = """
description: A job with two pods.
object:
  apiVersion: acme.io/v1
  kind: Trainer
  metadata: {name: t}
  spec: {template: {spec: {containers: [{name: main}]}}}
expect: {phase: %s, totals: {pods: 1}}
"""
ROOT = "spec.structureDefinition.rootComponent"


@pytest.fixture
def mine(put: Any, tmp_path: Path) -> str:
    """A folder with a definition of one's own, and no cases."""
    put("mine/trainer/definition.yaml", DEFINITION % ("trainer", "acme.io", "Trainer"))
    return str(tmp_path / "mine")


def test_cases_beside_definitions_are_run(wmap: Wmap, put: Any, mine: str) -> None:
    right = put("mine/trainer/cases/right.yaml", CASE % "Completed")
    result = wmap("test", mine, "-v")
    assert (result.code, result.out) == (0, "")
    assert result.err == f"passed: {right}\n1 passed, 0 failed\n"


def test_a_view_that_is_not_as_expected_is_told_place_by_place(wmap: Wmap, put: Any, mine: str) -> None:
    put("mine/trainer/cases/right.yaml", CASE % "Completed")
    wrong = put("mine/trainer/cases/wrong.yaml", CASE % "Running")
    result = wmap("test", mine)
    assert result.code == 1
    assert result.out.splitlines() == [
        f"{wrong}: A job with two pods.",
        "  phase",
        '    expected  "Running"',
        '    found     "Completed"',
    ]
    assert result.err == "1 passed, 1 failed\n"


@pytest.mark.parametrize("content", ["description: only this\n", "a: [\n"])
def test_a_file_that_is_no_case_fails_and_the_others_run(
    wmap: Wmap, put: Any, mine: str, content: str
) -> None:
    put("mine/trainer/cases/right.yaml", CASE % "Completed")
    broken = put("mine/trainer/cases/broken.yaml", content)
    result = wmap("test", mine)
    assert (result.code, result.err) == (1, "1 passed, 1 failed\n")
    assert result.out.splitlines()[0] == broken
    assert len(result.out.splitlines()) == 2


def test_a_misspelt_key_is_told_with_its_line(wmap: Wmap, put: Any, mine: str) -> None:
    broken = put("mine/trainer/cases/broken.yaml", (CASE % "Completed").replace("expect:", "expct:"))
    line = CASE.splitlines().index("expect: {phase: %s, totals: {pods: 1}}") + 1
    assert wmap("test", mine).out.splitlines() == [
        broken,
        f"  unknown field ({broken}, line {line}, expct); did you mean expect?",
    ]


def test_a_folder_without_cases_is_an_error(wmap: Wmap, tmp_path: Path, mine: str) -> None:
    for path in (str(tmp_path), mine):
        result = wmap("test", path)
        assert (result.code, result.out) == (1, "")
        assert "there are no cases here" in result.err


@pytest.mark.parametrize("name", ["not-there", "x" * 300])
def test_a_folder_that_is_not_there_is_another_error(wmap: Wmap, tmp_path: Path, name: str) -> None:
    absent = str(tmp_path / name)
    result = wmap("test", absent)
    assert (result.code, result.out, result.err) == (
        1,
        "",
        f"error: there is no such file or folder ({absent})\nhint: check its path\n",
    )


def test_a_definition_without_cases_beside_one_that_has_some_is_told(wmap: Wmap, put: Any, mine: str) -> None:
    put("mine/trainer/cases/right.yaml", CASE % "Completed")
    other = put("mine/other/definition.yaml", DEFINITION % ("other", "acme.io", "Other"))
    result = wmap("test", mine)
    assert (result.code, result.err) == (0, f"warning: {other} has no cases\n1 passed, 0 failed\n")
    result = wmap("test", mine, "--coverage")
    assert result.code == 1
    assert result.out.splitlines()[:2] == [
        f"{other}: no case of other reaches",
        f"  component {ROOT}",
    ]


def test_a_folder_that_is_named_twice_is_run_once(wmap: Wmap, put: Any, mine: str) -> None:
    put("mine/trainer/cases/right.yaml", CASE % "Completed")
    assert wmap("test", mine, f"{mine}/trainer", f"{mine}/../mine").err == "1 passed, 0 failed\n"


TWO = """\
apiVersion: run.ai/v1alpha1
kind: Karta
metadata: {name: trainer}
spec:
  structureDefinition:
    rootComponent:
      name: root
      kind: {group: acme.io, version: v1, kind: Trainer}
      statusDefinition:
        phaseDefinition: {path: .status.state}
        statusMappings: {running: [{byPhase: Up}], failed: [{byPhase: Down}]}
    childComponents:
      - name: driver
        ownerRef: root
        kind: {version: v1, kind: Pod}
        specDefinition: {podTemplateSpecPath: .spec.driver}
        podSelector: {componentTypeSelector: {keyPath: .metadata.labels.role, value: driver}}
      - name: worker
        ownerRef: root
        kind: {version: v1, kind: Pod}
        specDefinition: {podTemplateSpecPath: .spec.worker}
        podSelector: {componentTypeSelector: {keyPath: .metadata.labels.role, value: worker}}
"""
POD = {"spec": {"containers": [{"name": "main", "image": "main"}]}}


def case(state: str, phase: str, *, pods: list[Any] | None = None, **roles: Any) -> str:
    obj = {"apiVersion": "acme.io/v1", "kind": "Trainer", "metadata": {"name": "t", "uid": "u"}}
    content = {
        "description": "One.",
        "object": obj | {"spec": roles, "status": {"state": state}},
        "expect": {"phase": phase},
    }
    return json.dumps(content | ({} if pods is None else {"pods": pods}))


def pod(role: str) -> Any:
    owner = {"apiVersion": "acme.io/v1", "kind": "Trainer", "name": "t", "uid": "u", "controller": True}
    meta = {"name": role, "uid": role, "labels": {"role": role}, "ownerReferences": [owner]}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": meta} | POD


def test_what_no_case_reaches_is_listed_and_fails(wmap: Wmap, put: Any, tmp_path: Path) -> None:
    definition = put("two/definition.yaml", TWO)
    put("two/cases/on.yaml", case("Up", "Running", pods=[pod("driver")], driver=POD))
    result = wmap("test", str(tmp_path / "two"), "--coverage")
    child = "spec.structureDefinition.childComponents"
    assert result.code == 1
    assert result.out.splitlines() == [
        f"{definition}: no case of trainer reaches",
        f"  component {child}[1]",
        f"  selector  {child}[1].podSelector.componentTypeSelector",
        f"  path      {child}[1].specDefinition.podTemplateSpecPath",
        f"  matcher   {ROOT}.statusDefinition.statusMappings.failed[0]",
    ]
    # 3 components, 3 paths, 2 matchers, 2 selectors.
    assert result.err == "1 passed, 0 failed, 4 of 10 parts not reached\n"


def test_cases_that_reach_all_of_a_definition_pass(wmap: Wmap, put: Any, tmp_path: Path) -> None:
    put("two/definition.yaml", TWO)
    put("two/cases/on.yaml", case("Up", "Running", pods=[pod("driver")], driver=POD))
    put("two/cases/off.yaml", case("Down", "Failed", pods=[pod("worker")], worker=POD))
    result = wmap("test", str(tmp_path / "two"), "--coverage")
    assert (result.code, result.out) == (0, "")
    assert result.err == "2 passed, 0 failed, 0 of 10 parts not reached\n"


def test_a_case_without_a_view_reaches_nothing(wmap: Wmap, put: Any, tmp_path: Path) -> None:
    put("two/definition.yaml", TWO)
    put("two/cases/on.yaml", case("Up", "Running").replace("Trainer", "Nobody"))
    result = wmap("test", str(tmp_path / "two"), "--coverage")
    assert result.code == 1
    assert result.err == "0 passed, 1 failed, 10 of 10 parts not reached\n"


# What CI systems read of the format, and which of it they cannot do without.
ATTRIBUTES = {
    "testsuites": {"name", "tests", "failures", "errors", "time"},
    "testsuite": {"name", "tests", "failures", "errors", "skipped", "time"},
    "testcase": {"name", "classname", "file", "time"},
    "failure": {"type", "message"},
    "error": {"type", "message"},
}
INSIDE = {
    "testsuites": {"testsuite"},
    "testsuite": {"testcase"},
    "testcase": {"failure", "error"},
    "failure": set(),
    "error": set(),
}


def read_report(path: str) -> Xml.Element:
    """A report whose form is right and whose counts are those of what is in it."""
    top = Xml.parse(path).getroot()  # noqa: S314 - written by the code under test
    assert top.tag == "testsuites"
    for element in top.iter():
        assert set(element.attrib) == ATTRIBUTES[element.tag]
        assert {inner.tag for inner in element} <= INSIDE[element.tag]
        if "tests" in element.attrib:
            assert int(element.attrib["tests"]) == len(list(element.iter("testcase")))
            assert int(element.attrib["failures"]) == len(list(element.iter("failure")))
            assert int(element.attrib["errors"]) == len(list(element.iter("error")))
        if "time" in element.attrib:
            assert float(element.attrib["time"]) >= 0
    names = [(one.get("classname"), one.get("name")) for one in top.iter("testcase")]
    assert len(names) == len(set(names))
    return top


def test_a_report_for_ci_has_a_test_case_for_each_case(
    wmap: Wmap, put: Any, tmp_path: Path, mine: str
) -> None:
    put("mine/trainer/cases/right.yaml", CASE % "Completed")
    wrong = put("mine/trainer/cases/wrong.yaml", (CASE % "Running").replace("two", "<two> & more"))
    put("mine/trainer/cases/broken.yaml", "a: [")
    report = str(tmp_path / "report.xml")
    assert wmap("test", mine, "--junit", report).code == 1
    top = read_report(report)
    assert [one.get("name") for one in top] == ["trainer"]
    cases = {one.get("name"): one for one in top.iter("testcase")}
    assert list(cases) == ["broken", "right", "wrong"]
    assert len(cases["right"]) == 0
    assert cases["wrong"].get("file") == wrong
    (failure,) = cases["wrong"]
    assert (failure.tag, failure.get("message")) == (
        "failure",
        'phase: expected "Running", found "Completed"',
    )
    assert str(failure.text).splitlines() == [
        "A job with <two> & more pods.",
        "phase",
        '  expected  "Running"',
        '  found     "Completed"',
    ]
    (error,) = cases["broken"]
    assert (error.tag, error.get("type")) == ("error", "unreadable-document")


def test_in_a_report_what_no_case_reaches_is_a_failure(wmap: Wmap, put: Any, tmp_path: Path) -> None:
    put("two/definition.yaml", TWO)
    put("two/cases/on.yaml", case("Up", "Running", pods=[pod("driver")], driver=POD))
    report = str(tmp_path / "report.xml")
    assert wmap("test", str(tmp_path / "two"), "--junit", report, "--coverage").code == 1
    top = read_report(report)
    on, reached = top.iter("testcase")
    assert (on.get("name"), len(on)) == ("on", 0)
    assert reached.get("name") == "coverage of trainer"
    assert reached[0].get("message") == "4 of 10 parts are reached by no case"


def test_what_xml_cannot_hold_is_spelled_out_in_a_report(
    wmap: Wmap, put: Any, tmp_path: Path, mine: str
) -> None:
    put(
        "mine/trainer/cases/odd.json",
        json.dumps(
            {
                "description": "a\x1b[2J\x00\ufffe",
                "object": {"apiVersion": "v1", "kind": "Pod"},
                "expect": {"name": "x\x01"},
            }
        ),
    )
    report = str(tmp_path / "report.xml")
    assert wmap("test", mine, "--junit", report).code == 1
    (failure,) = read_report(report).iter("failure")
    assert str(failure.text).splitlines()[0] == r"a\u001b[2J\u0000\ufffe"


@pytest.mark.parametrize("name", ["not-there/report.xml", "", "nul\0"])
def test_a_report_that_cannot_be_written_is_an_error(
    wmap: Wmap, put: Any, tmp_path: Path, mine: str, name: str
) -> None:
    put("mine/trainer/cases/right.yaml", CASE % "Completed")
    result = wmap("test", mine, "--junit", f"{tmp_path}/{name}" if name else "")
    assert result.code in (1, 2)
    assert "rror: " in result.err


def test_built_in_cases_hold_by_their_path_too(wmap: Wmap) -> None:
    result = wmap("test", str(FOLDER / "job"))
    assert (result.code, result.out) == (0, "")


def test_without_a_path_the_built_in_cases_are_run(wmap: Wmap, tmp_path: Path) -> None:
    report = str(tmp_path / "report.xml")
    wmap("test", "--junit", report)
    folders = {file.parent.name for file in FOLDER.glob("*/definition.yaml")}
    assert {one.get("name") for one in read_report(report)} == folders
