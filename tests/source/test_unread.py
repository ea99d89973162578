"""Large lists whose items are read when it is known what counts: no answer changes, and less is kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.source.conftest import Write
from tests.source.objects import job, names, owned, pod
from workload_map.catalog import Catalog
from workload_map.catalog.building import FOLDER
from workload_map.catalog.cases import Case, files, read_case
from workload_map.definition import DefinitionSet, load_objects
from workload_map.definition.kind_names import KindNames
from workload_map.engine import Workload
from workload_map.engine.explaining import explain, explain_pod
from workload_map.source import (
    EVERYTHING,
    Dump,
    Filters,
    GroupKind,
    KindTable,
    Question,
    SourceError,
    select,
    unread,
)

BUILTIN = Catalog.builtin()
FOLDERS = sorted(folder.name for folder in FOLDER.iterdir() if (folder / "cases").is_dir())


@pytest.fixture(autouse=True)
def every_list_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unread, "LARGE", 0)


def _list(*items: Any) -> str:
    return json.dumps({"apiVersion": "v1", "kind": "List", "items": items})


def _views(dump: Dump) -> list[Workload]:
    selection = select(dump, BUILTIN, KindTable(list[KindNames]()), EVERYTHING, Filters())
    return list(selection.views(BUILTIN))


def _cases(folder: str) -> list[Case]:
    return [read_case(file) for file in files(FOLDER / folder / "cases")]


@pytest.mark.parametrize("folder", FOLDERS)
def test_workloads_look_as_in_a_small_file(
    folder: str, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    for case in _cases(folder):
        path = write("all.json", _list(case.object, *(case.pods or ()), *case.related))
        lazily = Dump([path])
        views, warnings = _views(lazily), lazily.warnings
        monkeypatch.setattr(unread, "LARGE", 1 << 40)
        at_once = Dump([path])
        assert views == _views(at_once)
        assert warnings == at_once.warnings
        monkeypatch.setattr(unread, "LARGE", 0)


@pytest.mark.parametrize("folder", FOLDERS)
def test_explanations_are_those_of_a_small_file(
    folder: str, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    for case in _cases(folder):
        everything = [_with_more(value) for value in (case.object, *(case.pods or ()), *case.related)]
        path = write("all.json", _list(*everything))
        told = _explanations(path)
        monkeypatch.setattr(unread, "LARGE", 1 << 40)
        assert told == _explanations(path)
        monkeypatch.setattr(unread, "LARGE", 0)


def _explanations(path: str) -> list[Any]:
    selection = select(Dump([path]), BUILTIN, KindTable(list[KindNames]()), EVERYTHING, Filters())
    index = selection.index
    workloads = [
        explain(value, BUILTIN, index)
        for value in index.objects
        if BUILTIN.covers(value["apiVersion"], value["kind"])
    ]
    pods = [explain_pod(value, BUILTIN, index) for value in index.objects if value["kind"] == "Pod"]
    return [*workloads, *pods]


def _with_more(value: Any) -> Any:
    """An object whose pod specs also have what answers nothing, though it looks like what does."""
    if isinstance(value, list):
        return [_with_more(entry) for entry in value]
    if not isinstance(value, dict):
        return value
    more = {name: _with_more(entry) for name, entry in value.items()}
    if isinstance(value.get("containers"), list):
        amounts = {"limits": {"cpu": "1"}, "requests": {"nvidia.com/gpu": 1}}
        claim = {"volumeClaimTemplate": {"spec": {"resources": amounts}}}
        more["volumes"] = [{"name": "scratch", "ephemeral": claim}]
        more["ephemeralContainers"] = [{"name": "debugger", "resources": amounts}]
    return more


def test_what_answers_nothing_is_not_kept_unless_all_is_asked_for(write: Write) -> None:
    made = pod("p", managedFields=[{"manager": "kubectl"}])
    made["spec"] = {"containers": [{"name": "c", "env": [{"name": "A", "value": "b"}]}], "volumes": []}
    dump = Dump([write("a.json", _list(job("j"), made))])
    assert dump.kinds() == {GroupKind("batch", "Job"), GroupKind("", "Pod")}
    (some,) = dump.ask(Question(), BUILTIN).pods or ()
    assert some["spec"] == {"containers": [{"name": "c"}]}
    (whole,) = dump.ask(Question(whole=True), BUILTIN).pods or ()
    assert whole["spec"] == made["spec"]
    assert "managedFields" not in whole["metadata"]
    (again,) = dump.ask(Question(), BUILTIN).pods or ()
    assert again is whole


def _own(root: Any, **more: Any) -> Any:
    structure = {"rootComponent": root, **more}
    own = {"apiVersion": "run.ai/v1alpha1", "kind": "Karta", "metadata": {"name": root["name"]}}
    return {**own, "spec": {"structureDefinition": structure}}


def _root(name: str, group: str, kind: str, **more: Any) -> Any:
    status = {
        "phaseDefinition": {"path": ".status.phase"},
        "statusMappings": {"running": [{"byPhase": "Up"}]},
    }
    named = {"group": group, "version": "v1", "kind": kind}
    return {"name": name, "kind": named, "statusDefinition": status, **more}


def _object(api_version: str, kind: str, spec: Any, **metadata: Any) -> Any:
    return {
        "apiVersion": api_version,
        "kind": kind,
        "metadata": {"namespace": "lab", **metadata},
        "spec": spec,
    }


def test_what_names_its_workload_in_its_spec_is_kept_whole(write: Write) -> None:
    template = {"spec": {"containers": [{"name": "c"}]}}
    worker = {
        "name": "worker",
        "ownerRef": "own",
        "kind": {"group": "apps", "version": "v1", "kind": "Deployment"},
        "specDefinition": {"podTemplateSpecPath": ".spec.template"},
        "podSelector": {"ownership": "label", "workloadPath": ".spec.selector.matchLabels.own"},
    }
    deployment = _object(
        "apps/v1", "Deployment", {"selector": {"matchLabels": {"own": "a"}}}, name="d", uid="d"
    )
    own = _object("example.com/v1", "Own", {"template": template}, name="a", uid="a")
    items = [
        _own(_root("own", "example.com", "Own"), childComponents=[worker]),
        own,
        deployment,
        pod("p", uid="p", ownerReferences=owned("d", "Deployment", "apps/v1", "d")),
    ]
    layer, _ = load_objects(items[:1], "cluster")
    definitions = BUILTIN.with_layer(layer)
    selection = select(
        Dump([write("a.json", _list(*items))]),
        definitions,
        KindTable(list[KindNames]()),
        EVERYTHING,
        Filters(),
    )
    (view,) = selection.views(definitions)
    assert view.observed is not None and view.observed.pods == 1


def test_devices_of_claims_are_counted_whatever_covers_claims(write: Write) -> None:
    requests = [{"name": "r", "exactly": {"deviceClassName": "gpu.example.com", "count": 3}}]
    claim = _object("resource.k8s.io/v1", "ResourceClaim", {"devices": {"requests": requests}}, name="c")
    layer, _ = load_objects([_own(_root("claim", "resource.k8s.io", "ResourceClaim"))], "file")
    (found,) = Dump([write("a.json", _list(claim))]).ask(Question(), DefinitionSet([layer])).objects
    assert found["spec"] == claim["spec"]


@pytest.mark.parametrize("text", [".metadata.managedFields | length", ".metadata | length"])
def test_who_changed_what_is_left_out_whatever_paths_read(text: str, write: Write) -> None:
    root = _root("job", "batch", "Job", scaleDefinition={"replicasPath": text})
    layer, _ = load_objects([_own(root)], "file")
    dump = Dump([write("a.json", _list(job("j", managedFields=[{"manager": "kubectl"}])))])
    (found,) = dump.ask(Question(), DefinitionSet([layer])).objects
    assert found["metadata"] == job("j")["metadata"]


def test_an_object_that_is_not_as_the_api_has_it_is_kept_whole(write: Write) -> None:
    odd = pod("p", labels=["no", "map"])
    odd["spec"] = {"containers": "none", "volumes": []}
    (found,) = Dump([write("a.json", _list(odd))]).ask(Question(), BUILTIN).pods or ()
    assert (found["spec"], found["metadata"]["labels"]) == (odd["spec"], ["no", "map"])


def test_the_newest_of_several_versions_counts_wherever_it_stands(write: Write) -> None:
    paths = [
        write("a.json", _list(job("j", version="9"), pod("p", version="1"))),
        write("b.yaml", [job("j", version="10"), pod("p", version="2")]),
        write("c.json", _list(job("j", version="8"), pod("p", version="3"))),
    ]
    answer = Dump(paths).ask(Question(), BUILTIN)
    assert [value["metadata"]["resourceVersion"] for value in answer.objects] == ["10"]
    assert [value["metadata"]["resourceVersion"] for value in answer.pods or ()] == ["3"]


def test_a_number_that_is_none_is_told_with_its_item_and_the_rest_is_there(write: Write) -> None:
    text = _list(job("one"), job("two", odd="@"), job("three")).replace('"@"', "1e999")
    dump = Dump([write("a.json", text)])
    assert names(dump.objects()) == ["one", "three"]
    (warning,) = dump.warnings
    assert warning.code == "unreadable-document"
    assert warning.location is not None and warning.location.endswith("a.json, document 1, item 2")


@pytest.mark.parametrize("kind", ["Job", "Pod", "Status"])
def test_of_a_kind_that_is_told_twice_the_last_one_counts(kind: str, write: Write) -> None:
    text = _list(pod("p")).replace('"kind": "Pod",', f'"kind": "Pod", "kind": "{kind}",')
    answer = Dump([write("a.json", text)]).ask(Question(), BUILTIN)
    (found,) = (*answer.objects, *(answer.pods or ()))
    assert found == {**pod("p"), "kind": kind}


@pytest.mark.parametrize("large", [True, False])
def test_nothing_but_what_cannot_be_read_is_an_error_and_not_an_empty_cluster(
    large: bool, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unread, "LARGE", 0 if large else 1 << 40)
    path = write("a.json", _list(*[{"apiVersion": "v1", "kind": "Pod", "metadata": {}} for _ in range(200)]))
    with pytest.raises(SourceError, match="no object could be read") as caught:
        Dump([path]).ask(Question(), BUILTIN)
    *told, more = caught.value.problems
    assert [problem.code for problem in told] == ["name-missing"] * 100
    assert (more.code, more.message) == ("more-problems", "100 more problems like these")


def test_bytes_that_are_no_utf8_are_told_with_their_place(write: Write) -> None:
    text = _list(job("one", annotations={"a": "@"})).encode().replace(b"@", b"\xff")
    with pytest.raises(SourceError, match="UTF-8"):
        Dump([write("a.json", text)])


ITEMS = st.sampled_from(
    [
        job("j", uid="u"),
        pod("p", uid="u"),
        pod("p", namespace=None),
        pod(""),
        {"kind": "List", "items": [pod("in")]},
        {"kind": "PodList", "apiVersion": "v1", "items": [{"metadata": {"name": "typed"}}]},
        {"kind": "Status", "status": "Failure", "message": "no"},
        {"kind": "Pod", "apiVersion": "v1", "metadata": {"generateName": "made-"}},
        {"apiVersion": "v1", "kind": "Pod", "metadata": {"generateName": "made-"}},
        *[
            {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}}
            for name in (5, ["x"], {"a": 1}, None)
        ],
        {"kind": "Pod", "apiVersion": "v1", "metadata": None},
        {"kind": "Pod", "metadata": {"name": "x"}},
        {"kind": 7, "apiVersion": "v1", "metadata": {"name": "x"}},
        {"type": "DELETED", "object": job("j", version="3")},
        {"type": "BOOKMARK", "object": {}},
        {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "o"}, "object": 1},
        {"metadata": {"name": "x"}},
        {},
        [],
        None,
        "text",
    ]
)


@given(st.lists(ITEMS, max_size=6), st.sampled_from(["List", "PodList", "JobList"]))
def test_whatever_stands_in_a_list_is_taken_as_in_a_small_file(
    tmp_path_factory: pytest.TempPathFactory, items: list[Any], kind: str
) -> None:
    path = Path(tmp_path_factory.mktemp("lists"), "a.json")
    path.write_text(json.dumps({"apiVersion": "v1", "kind": kind, "items": [pod("first"), *items]}))
    lazily = Dump([str(path)])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(unread, "LARGE", 1 << 40)
        at_once = Dump([str(path)])
    told = sorted(map(str, lazily.objects())), sorted(map(str, lazily.pods() or ()))
    assert told == (sorted(map(str, at_once.objects())), sorted(map(str, at_once.pods() or ())))
    assert sorted(map(str, lazily.warnings)) == sorted(map(str, at_once.warnings))
