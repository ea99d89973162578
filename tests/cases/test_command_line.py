"""Definitions in layers, ambiguous words and findings, as a user of the command meets them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import msgspec
import pytest
import yaml

from tests.apiserver import serving
from tests.apiserver.server import COMMON, Call, Kind, Reply, status
from tests.cases.mark import case
from tests.cases.objects import condition, conditions, lws, pod
from tests.cli.conftest import Result
from tests.cli.objects import running
from tests.engine.made_up import Object, definition, of_kind, template
from workload_map.cli.entry import run

Wmap = Callable[..., Result]


@pytest.fixture
def wmap(capsys: pytest.CaptureFixture[str]) -> Wmap:
    def call(*arguments: str | Path) -> Result:
        code = run([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return Result(code, out, err)

    return call


def write(path: Path, *documents: Object) -> Path:
    path.write_text("---\n".join(yaml.safe_dump(document) for document in documents))
    return path


def karta(
    name: str, group: str = "jobset.x-k8s.io", version: str = "v1alpha2", kind: str = "JobSet"
) -> Object:
    """A definition of the kind that sees one pod in it."""
    structure = f"""
    rootComponent:
      kind: {{group: "{group}", version: {version}, kind: {kind}}}
      specDefinition: {{podTemplateSpecPath: .spec.template}}
      statusDefinition: {{conditionsDefinition: {{path: .status.conditions}}, statusMappings: {{}}}}
    """
    document: Object = msgspec.to_builtins(definition(structure, name=name))
    document["spec"]["structureDefinition"]["rootComponent"]["statusDefinition"]["statusMappings"] = {
        "running": [{"byConditions": [{"type": "Ready", "status": "True"}]}],
        "degraded": [{"byConditions": [{"type": "Limping", "status": "True"}]}],
    }
    return document


def jobset() -> Object:
    return of_kind("jobset.x-k8s.io/v1alpha2", "JobSet", {"template": template(3)}, conditions("Ready"))


@case("B27")
def test_a_definition_of_the_cluster_replaces_the_built_in_one(wmap: Wmap, tmp_path: Path) -> None:
    dump = write(tmp_path / "dump.yaml", karta("ours"), jobset())
    listed = wmap("definitions", "--from", dump)
    assert listed.code == 0
    assert [row for row in listed.rows() if "JobSet" in " ".join(row)] == [
        row for row in listed.rows() if row[0] == "ours"
    ]
    (ours,) = [row for row in listed.rows() if row[0] == "ours"]
    assert "cluster" in ours
    described = wmap("describe", "jobset/t", "--from", dump, "-o", "json").json("view")
    assert (described["definition"], described["origin"], described["totals"]["gpus"]) == (
        "ours",
        "cluster",
        3,
    )


@case("B27", "B29")
def test_two_definitions_of_the_cluster_for_one_kind_are_listed_and_refused(
    wmap: Wmap, tmp_path: Path
) -> None:
    dump = write(tmp_path / "dump.yaml", karta("first"), karta("second"), jobset())
    listed = wmap("definitions", "--from", dump)
    assert listed.code == 0
    assert {"first", "second"} <= {row[0] for row in listed.rows()}
    assert "warning" in listed.err
    for call in (("describe", "jobset/t"), ("get", "jobset/t")):
        refused = wmap(*call, "--from", dump)
        assert (refused.code, refused.out) == (2, "")
        assert "first" in refused.err
        assert "second" in refused.err


@case("B27")
def test_what_does_not_give_its_definitions_leaves_the_built_in_ones(wmap: Wmap) -> None:
    forbidden = Reply(403, status(403, "Forbidden", "kartas.run.ai is forbidden"))
    no_such_type = Reply(404, b"404 page not found")
    with serving([]) as server:
        for reply in (forbidden, no_such_type):
            server.before = partial(_instead_of_definitions, reply)
            _only_built_in(wmap("definitions", "--server", server.url))
    _only_built_in(wmap("definitions", "--server", server.url))  # nobody listens there any more


def _instead_of_definitions(reply: Reply, call: Call) -> Reply | None:
    return reply if call.path.endswith("/kartas") else None


def _only_built_in(listed: Result) -> None:
    assert listed.code == 0
    assert {row[3] for row in listed.rows()} == {"builtin"}
    assert [
        line for line in listed.err.splitlines() if line.startswith("warning: ")
    ] == listed.err.splitlines()
    assert len(listed.err.splitlines()) == 1


@case("B38")
def test_what_may_not_be_read_is_one_line_each_and_never_none(wmap: Wmap) -> None:
    kinds = (*COMMON, Kind("ray.io/v1", "RayCluster", "rayclusters"))
    spaces = [of_kind("v1", "Namespace") | {"metadata": {"name": name, "uid": name}} for name in ("a", "b")]
    jobs = [running(f"job-{space}", space) for space in ("a", "b")]
    with serving([*spaces, *jobs], kinds) as server:
        server.deny("rayclusters")
        of_clusters = server.before
        server.deny("jobs", namespaces=("b",))
        of_jobs = server.before
        assert of_clusters is not None and of_jobs is not None
        server.before = lambda call: of_clusters(call) or of_jobs(call)
        partly = wmap("get", "jobs,rayclusters", "-A", "--server", server.url)
        assert partly.code == 0
        assert [row[:2] for row in partly.rows()] == [["a", "job-a"]]
        told = [line for line in partly.err.splitlines() if "left out" in line]
        assert len(told) == 2
        assert any(line.startswith("warning: rayclusters.ray.io are left out: ") for line in told)
        assert any("jobs.batch" in line and 'namespace "b"' in line for line in told)
        denied = wmap("get", "rayclusters", "-A", "--server", server.url)
        assert (denied.code, denied.out) == (1, "")
        assert "error: " in denied.err


@case("B28")
def test_definitions_without_a_root_kind_are_refused_one_by_one(wmap: Wmap, tmp_path: Path) -> None:
    nameless = [karta(name) for name in ("first", "second")]
    for document in nameless:
        document["spec"]["structureDefinition"]["rootComponent"]["kind"] = {}
    file = write(tmp_path / "kartas.yaml", *nameless)
    ended = wmap("validate", file)
    assert ended.code == 1
    refusals = [line for line in ended.out.splitlines() if "root-kind-incomplete" in line]
    assert len({line.split(":")[1] for line in refusals}) == 2, ended.out


@case("B29")
def test_a_word_for_several_kinds_is_refused_with_the_words_that_work(wmap: Wmap, tmp_path: Path) -> None:
    core, knative = (
        karta("core", "", "v1", "Service"),
        karta("knative", "serving.knative.dev", "v1", "Service"),
    )
    kartas = write(tmp_path / "kartas.yaml", core, knative)
    dump = write(
        tmp_path / "dump.yaml", of_kind("serving.knative.dev/v1", "Service", {"template": template()})
    )
    ended = wmap("get", "service", "--from", dump, "--definitions", kartas)
    assert (ended.code, ended.out) == (2, "")
    assert {"services.serving.knative.dev", "services.v1"} <= set(ended.err.split())
    named = wmap("get", "services.serving.knative.dev", "--from", dump, "--definitions", kartas, "-o", "json")
    assert named.json("list")["count"] == 1
    other = wmap("get", "services.v1", "--from", dump, "--definitions", kartas, "-o", "json")
    assert other.json("list")["count"] == 0


@case("B29")
def test_a_phase_filter_looks_at_the_phase_that_is_shown(wmap: Wmap, tmp_path: Path) -> None:
    both = jobset() | {"status": conditions("Ready", "Limping")}
    dump = write(tmp_path / "dump.yaml", karta("ours"), both)

    def count(phase: str) -> int:
        ended = wmap("get", "jobset", "--from", dump, "--phase", phase, "-o", "json")
        found: int = ended.json("list")["count"]
        return found

    assert (count("Degraded"), count("Running"), count("Failed")) == (1, 0, 0)


@case("B13")
def test_a_row_whose_pods_say_otherwise_is_marked(wmap: Wmap, tmp_path: Path) -> None:
    one_group = lws(1, 4, conditions(condition("Available"), replicas=1, readyReplicas=1), gpus=1)
    names = {"leaderworkerset.sigs.k8s.io/group-index": "0", "leaderworkerset.sigs.k8s.io/worker-index": "0"}
    leader = pod("t-0", one_group, names, gpus=1)
    dump = write(tmp_path / "dump.yaml", one_group, leader)
    (row,) = wmap("get", "lws", "--from", dump, "--no-headers").out.splitlines()
    assert {"Running!", "1/4"} <= set(row.split())


THREE_MISTAKES = """\
apiVersion: run.ai/v1alpha1
kind: Karta
metadata: {name: first}
spec:
  structureDefinition:
    rootComponent:
      name: root
      kind: {group: x.io, version: v1, kind: Thing}
      statusDefinition:
        statusMappings: {running: [{byPhase: Running}]}
    childComponents:
    - name: worker
      ownerRef: rooot
      specDefinition: {podTemplateSpecPath: .spec.template}
---
apiVersion: run.ai/v1alpha1
kind: Karta
metadata: {name: second}
spec:
  structureDefinition:
    rootComponent:
      name: root
      kind: {group: x.io, version: v1, kind: Other}
      specDefinition: {podTemplateSpecPath: .spec.template}
      podSelectr: {}
      statusDefinition:
        phaseDefinition: {path: .status.phase}
        statusMappings: {running: [{byPhase: Running}]}
"""


@case("B39")
def test_findings_are_lines_with_their_places(wmap: Wmap, tmp_path: Path) -> None:
    file = tmp_path / "kartas.yaml"
    file.write_text(THREE_MISTAKES)
    ended = wmap("validate", file)
    assert ended.code == 1
    lines = ended.out.splitlines()
    assert [line.split(":")[:2] for line in lines] == [
        [str(file), "10"],
        [str(file), "13"],
        [str(file), "25"],
    ]
    for line, field in zip(
        lines, ("statusMappings.running[0].byPhase", "ownerRef", "podSelectr"), strict=True
    ):
        assert field in line
    told = wmap("validate", file, "-o", "json").json("findings")
    assert [finding["document"] for finding in told["findings"]] == [1, 1, 2]


@case("B39")
def test_an_unknown_output_is_a_wrong_call_and_prints_nothing(wmap: Wmap, tmp_path: Path) -> None:
    file = tmp_path / "kartas.yaml"
    file.write_text(THREE_MISTAKES)
    ended = wmap("validate", file, "-o", "pictures")
    assert (ended.code, ended.out) == (2, "")
    assert "pictures" in ended.err
