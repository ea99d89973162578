"""`wmap validate --objects`: definitions against real objects."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Wmap
from tests.cli.objects import POD_SPEC, pod
from workload_map.definition.codes import CODES

TRAINER = """\
apiVersion: run.ai/v1alpha1
kind: Karta
metadata: {name: trainer}
spec:
  structureDefinition:
    rootComponent:
      name: trainer
      kind: {group: acme.io, version: v1, kind: Trainer}
      statusDefinition:
        phaseDefinition: {path: .status.phase}
        statusMappings:
          running: [{byPhase: Training}]
    childComponents:
      - name: worker
        ownerRef: trainer
        specDefinition: {podTemplateSpecPath: .spec.template}
        podSelector:
          componentTypeSelector: {keyPath: .metadata.labels.role, value: worker}
"""
WRONG = TRAINER.replace(".status.phase", ".status.fase").replace("value: worker", "value: wrker")


def trainer(**given: Any) -> dict[str, Any]:
    return {
        "apiVersion": "acme.io/v1",
        "kind": "Trainer",
        "metadata": {"name": "t", "namespace": "lab", "uid": "job-lab-t"},
        "spec": {"template": {"spec": POD_SPEC}},
        "status": {"phase": "Training"},
        **given,
    }


OBJECTS = [trainer(), pod("t-0", "t", metadata={"labels": {"role": "worker"}})]


def test_what_gives_something_is_a_table_without_findings(wmap: Wmap, put: Any) -> None:
    path = put("trainer.yaml", TRAINER)
    result = wmap("validate", path, "--objects", put("dump.yaml", OBJECTS))
    assert (result.code, result.err) == (0, "0 errors, 0 warnings\n")
    assert result.out.splitlines() == [
        f"{path}: 1 object of Trainer (acme.io/v1), 1 pod",
        "COMPONENT   PART                                         GAVE   OF",
        "trainer     component                                    1/1    objects",
        "trainer     statusDefinition.phaseDefinition.path        1/1    objects",
        "trainer     statusDefinition.statusMappings.running[0]   1/1    objects",
        "worker      component                                    1/1    objects",
        "worker      specDefinition.podTemplateSpecPath           1/1    objects",
        "worker      podSelector.componentTypeSelector            1/1    pods",
    ]


def test_what_never_gives_anything_is_marked_and_found_with_its_line(wmap: Wmap, put: Any) -> None:
    path, dump = put("trainer.yaml", WRONG), put("dump.yaml", OBJECTS)
    result = wmap("validate", path, "--objects", dump)
    assert (result.code, result.err) == (0, "0 errors, 3 warnings\n")
    status = "spec.structureDefinition.rootComponent.statusDefinition"
    selector = "spec.structureDefinition.childComponents[0].podSelector.componentTypeSelector"
    told = [("path", "10:27", f"{status}.phaseDefinition.path: it gives nothing on the one object")]
    told += [("matcher", "12:21", f"{status}.statusMappings.running[0]: it does not match the one object")]
    told += [("selector", "18:11", f"{selector}: it does not take the one pod")]
    lines = [
        f"{path}:{place}: warning[{what}-silent]: {message}; {CODES[f'{what}-silent'].hint}"
        for what, place, message in told
    ]
    assert result.out.splitlines()[:3] == lines
    marked = [line.split() for line in result.out.splitlines()[3:] if line.startswith("!")]
    assert marked == [
        ["!", "trainer", "statusDefinition.phaseDefinition.path", "0/1", "objects"],
        ["!", "trainer", "statusDefinition.statusMappings.running[0]", "0/1", "objects"],
        ["!", "worker", "podSelector.componentTypeSelector", "0/1", "pods"],
    ]
    assert wmap("validate", path, "--objects", dump, "--strict").code == 1
    assert "\x1b[31m!" in wmap("validate", path, "--objects", dump, "--color", "always").out


def test_the_counts_are_json_of_the_published_schema(wmap: Wmap, put: Any) -> None:
    path, dump = put("trainer.yaml", WRONG), put("dump.yaml", OBJECTS)
    document = wmap("validate", path, "--objects", dump, "-o", "json").json("findings")
    assert document["count"] == 3
    assert document["warnings"] == []
    (usage,) = document["usage"]
    parts = usage.pop("parts")
    assert usage == {
        "definition": "trainer",
        "file": path,
        "apiVersion": "acme.io/v1",
        "kind": "Trainer",
        "objects": 1,
        "pods": 1,
        "problems": [],
    }
    assert parts[-1] == {
        "what": "selector",
        "component": "worker",
        "location": "spec.structureDefinition.childComponents[0].podSelector.componentTypeSelector",
        "of": "pods",
        "gave": 0,
        "chances": 1,
        "silent": True,
    }
    assert [part["silent"] for part in parts].count(True) == 3
    plain = wmap("validate", path, "-o", "json").json("findings")
    assert (plain["count"], plain["usage"], plain["warnings"]) == (0, None, [])


def test_what_never_gives_anything_is_in_sarif_too(wmap: Wmap, put: Any) -> None:
    call = ("validate", put("trainer.yaml", WRONG), "--objects", put("dump.yaml", OBJECTS), "-o", "sarif")
    results = json.loads(wmap(*call).out)["runs"][0]["results"]
    assert [one["ruleId"] for one in results] == ["path-silent", "matcher-silent", "selector-silent"]


def test_without_an_object_of_the_kind_one_line_says_so(wmap: Wmap, put: Any) -> None:
    path = put("trainer.yaml", WRONG)
    result = wmap("validate", path, "--objects", put("dump.yaml", OBJECTS[1:]))
    assert result.out == f"{path}: no object of Trainer (acme.io/v1), so nothing can be told\n"
    assert result.err == "0 errors, 0 warnings\n"


def test_each_definition_has_a_table(wmap: Wmap, put: Any) -> None:
    other = put("other.yaml", TRAINER.replace("Trainer", "Tester").replace("name: trainer}", "name: tester}"))
    path = put("trainer.yaml", TRAINER)
    result = wmap("validate", other, path, "--objects", put("dump.yaml", OBJECTS))
    assert result.out.splitlines()[:3] == [
        f"{other}: no object of Tester (acme.io/v1), so nothing can be told",
        "",
        f"{path}: 1 object of Trainer (acme.io/v1), 1 pod",
    ]


def test_problems_of_the_views_are_counted(wmap: Wmap, put: Any) -> None:
    text = TRAINER.replace(
        "        podSelector:", "        scaleDefinition: {replicasPath: .spec.count}\n        podSelector:"
    )
    broken = trainer(spec={"template": {"spec": POD_SPEC}, "count": "\x1b[2J"})
    result = wmap("validate", put("trainer.yaml", text), "--objects", put("dump.yaml", [broken, OBJECTS[1]]))
    assert "\x1b" not in result.out
    heading, row = result.out.splitlines()[-2:]
    assert heading.split() == ["PROBLEM", "COUNT", "OBJECTS", "FIRST"]
    assert row.split()[:4] == ["replicas-invalid", "1", "1", "lab/t:"]


@pytest.mark.parametrize("form", ["folder", "archive", "stdin", "json"])
def test_objects_come_from_all_that_a_dump_can_be(form: str, wmap: Wmap, put: Any, tmp_path: Path) -> None:
    path = put("trainer.yaml", TRAINER)
    dump = put("objects/dump.yaml", OBJECTS)
    given, stdin = dump, None
    if form == "folder":
        given = str(tmp_path / "objects")
    elif form == "archive":
        given = str(tmp_path / "dump.tar.gz")
        with tarfile.open(given, "w:gz") as archive:
            archive.add(dump, "dump.yaml")
    elif form == "stdin":
        given, stdin = "-", Path(dump).read_bytes()
    else:
        given = put("dump.json", json.dumps({"apiVersion": "v1", "kind": "List", "items": OBJECTS}))
    result = wmap("validate", path, "--objects", given, stdin=stdin)
    assert result.code == 0
    assert result.out.splitlines()[0] == f"{path}: 1 object of Trainer (acme.io/v1), 1 pod"


def test_definitions_with_errors_are_not_tried(wmap: Wmap, put: Any) -> None:
    path = put("trainer.yaml", WRONG.replace("value: wrker", "value: wrker, valu: 1"))
    result = wmap("validate", path, "--objects", put("dump.yaml", OBJECTS))
    assert result.code == 1
    assert [line.partition("[")[2].partition("]")[0] for line in result.out.splitlines()] == ["unknown-field"]


def test_objects_that_cannot_be_read_are_told(wmap: Wmap, put: Any) -> None:
    path = put("trainer.yaml", TRAINER)
    missing = wmap("validate", path, "--objects", "/nowhere/dump.yaml")
    assert (missing.code, missing.out) == (1, "")
    assert missing.err.startswith("error: cannot read the file") and "/nowhere/dump.yaml" in missing.err
    dump = put("dump.yaml", [*OBJECTS, {"apiVersion": "v1", "kind": "Pod"}])
    result = wmap("validate", path, "--objects", dump)
    assert result.code == 0
    assert "warning: the Pod has no `metadata.name`" in result.err
    document = wmap("validate", path, "--objects", dump, "-o", "json").json("findings")
    assert [warning["code"] for warning in document["warnings"]] == ["name-missing"]


def test_standard_input_is_read_for_one_thing(wmap: Wmap) -> None:
    result = wmap("validate", "-", "--objects", "-", stdin=TRAINER.encode())
    assert (result.code, result.out) == (2, "")
    assert "only one path may be -" in result.err
