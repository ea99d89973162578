"""What is read from files, folders and standard input: objects, lists, events, and what is none of them."""

from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.source.conftest import Write
from tests.source.objects import job, names, pod
from workload_map.definition import DefinitionSet
from workload_map.source import Dump, Manifests, Question, SourceError, unread
from workload_map.source.files import read_paths


@pytest.fixture(params=[unread.LARGE, 0], ids=["at once", "when asked for"], autouse=True)
def large(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether items of lists are read at once, as in small files, or when they are asked for."""
    monkeypatch.setattr(unread, "LARGE", request.param)


def _all(dump: Dump) -> list[str]:
    return [*names(dump.objects()), *names(dump.pods() or ())]


def test_documents_of_a_file_are_objects(write: Write) -> None:
    dump = Dump([write("a.yaml", [job("one"), job("two"), pod("p")])])
    assert _all(dump) == ["one", "two", "p"]
    assert dump.warnings == []


def test_a_list_is_taken_apart(write: Write) -> None:
    dump = Dump([write("a.yaml", {"apiVersion": "v1", "kind": "List", "items": [job("one"), pod("p")]})])
    assert _all(dump) == ["one", "p"]


def test_lists_within_lists_and_bare_arrays_are_taken_apart(write: Write) -> None:
    inner = {"apiVersion": "v1", "kind": "List", "items": [job("one")]}
    outer = {"apiVersion": "v1", "kind": "List", "items": [inner, pod("p")]}
    assert _all(Dump([write("a.json", json.dumps(outer))])) == ["one", "p"]
    assert _all(Dump([write("b.json", json.dumps([job("one"), pod("p")]))])) == ["one", "p"]


def test_items_of_a_typed_list_take_its_kind(write: Write) -> None:
    item = {"metadata": {"name": "one", "namespace": "lab"}}
    dump = Dump([write("a.json", json.dumps({"apiVersion": "batch/v1", "kind": "JobList", "items": [item]}))])
    (found,) = dump.objects()
    assert (found["apiVersion"], found["kind"]) == ("batch/v1", "Job")


def test_an_item_of_a_plain_list_has_to_say_its_kind(write: Write) -> None:
    items = [{"metadata": {"name": "one"}}, pod("p")]
    dump = Dump([write("a.yaml", {"apiVersion": "v1", "kind": "List", "items": items})])
    assert _all(dump) == ["p"]
    (warning,) = dump.warnings
    assert warning.code == "kind-missing"
    assert warning.location is not None and warning.location.endswith("a.yaml, document 1, item 1")


def test_a_list_without_items_is_no_list(write: Write) -> None:
    value = {"apiVersion": "acme.io/v1", "kind": "AccessList", "metadata": {"name": "x"}, "spec": {}}
    assert _all(Dump([write("a.yaml", value)])) == ["x"]


@pytest.mark.parametrize("items", [None, []])
def test_an_empty_list_is_an_answer(write: Write, items: object) -> None:
    dump = Dump([write("a.yaml", {"apiVersion": "v1", "kind": "List", "items": items})])
    assert _all(dump) == []
    assert dump.warnings == []


def test_watch_events_add_change_and_remove(write: Write) -> None:
    events = [
        {"type": "ADDED", "object": pod("stays", version="1")},
        {"type": "ADDED", "object": pod("goes", version="2")},
        {"type": "MODIFIED", "object": pod("stays", version="3", labels={"a": "b"})},
        {"type": "DELETED", "object": pod("goes", version="4")},
        {
            "type": "BOOKMARK",
            "object": {"kind": "Pod", "apiVersion": "v1", "metadata": {"resourceVersion": "5"}},
        },
    ]
    dump = Dump([write("watch.json", "\n".join(json.dumps(event) for event in events))])
    (found,) = list(dump.pods() or ())
    assert found["metadata"]["name"] == "stays"
    assert found["metadata"]["labels"] == {"a": "b"}
    assert dump.warnings == []


def test_what_was_deleted_does_not_come_back_with_an_older_version(write: Write) -> None:
    gone = write("a.json", json.dumps({"type": "DELETED", "object": pod("goes", version="9")}))
    older = write("b.yaml", [pod("goes", version="8"), job("j")])
    newer = write("c.yaml", pod("goes", version="10"))
    assert _all(Dump([gone, older])) == ["j"]
    assert _all(Dump([gone, newer])) == ["goes"]


def test_an_error_in_a_watch_is_said(write: Write) -> None:
    error = {"kind": "Status", "apiVersion": "v1", "status": "Failure", "message": "too old", "code": 410}
    text = "\n".join(json.dumps(each) for each in [{"type": "ERROR", "object": error}, pod("p")])
    dump = Dump([write("watch.json", text)])
    assert _all(dump) == ["p"]
    assert [(one.code, "too old" in one.message) for one in dump.warnings] == [("server-error", True)]


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_of_two_versions_the_newer_is_kept_whatever_the_order(write: Write, order: tuple[int, int]) -> None:
    versions = [pod("p", version="99", labels={"v": "old"}), pod("p", version="100", labels={"v": "new"})]
    (found,) = list(Dump([write("a.yaml", [versions[index] for index in order])]).pods() or ())
    assert found["metadata"]["labels"] == {"v": "new"}


def test_without_versions_the_one_read_later_is_kept(write: Write) -> None:
    dump = Dump([write("a.yaml", [pod("p", labels={"v": "1"}), pod("p", labels={"v": "2"})])])
    (found,) = list(dump.pods() or ())
    assert found["metadata"]["labels"] == {"v": "2"}


def test_one_name_in_two_namespaces_is_two_objects(write: Write) -> None:
    dump = Dump([write("a.yaml", [pod("p"), pod("p", namespace="other")])])
    assert len(list(dump.pods() or ())) == 2
    assert names(dump.pods(namespace="other") or ()) == ["p"]


def test_one_object_read_at_two_api_versions_is_one(write: Write) -> None:
    old = {**job("j", version="1"), "apiVersion": "batch/v1beta1"}
    dump = Dump([write("a.yaml", [old, job("j", version="2")])])
    assert [value["apiVersion"] for value in dump.objects()] == ["batch/v1"]


def test_two_objects_with_one_uid_are_kept_with_a_warning(write: Write) -> None:
    dump = Dump([write("a.yaml", [pod("one", uid="u"), pod("two", uid="u"), pod("three", uid="w")])])
    assert sorted(names(dump.pods() or ())) == ["one", "three", "two"]
    (warning,) = dump.warnings
    assert (warning.code, warning.location) == ("uid-duplicate", "Pod lab/two")
    assert "Pod lab/one" in warning.message


def test_managed_fields_are_dropped(write: Write) -> None:
    (found,) = list(Dump([write("a.yaml", pod("p", managedFields=[{"manager": "kubectl"}]))]).pods() or ())
    assert "managedFields" not in found["metadata"]


def test_one_bad_document_hides_nothing(write: Write) -> None:
    good = "apiVersion: v1\nkind: Pod\nmetadata: {{name: {}}}\n---\n"
    dump = Dump([write("a.yaml", good.format("a") + "{ [\n---\n" + good.format("b"))])
    assert _all(dump) == ["a", "b"]
    (warning,) = dump.warnings
    assert warning.code == "unreadable-document"
    assert warning.location is not None and "document 2, line " in warning.location


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ({"metadata": {"name": "x"}}, "kind-missing"),
        ({"kind": "", "metadata": {"name": "x"}}, "kind-missing"),
        ({"kind": 7, "metadata": {"name": "x"}}, "kind-missing"),
        ({"kind": "Pod", "metadata": {"name": "x"}}, "api-version-missing"),
        ({"apiVersion": "v1", "kind": "Pod"}, "name-missing"),
        ({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": ""}}, "name-missing"),
        ({"apiVersion": "v1", "kind": "Pod", "metadata": "x"}, "name-missing"),
        ("just text", "not-an-object"),
        (42, "not-an-object"),
        ({"apiVersion": "v1", "kind": "List", "items": "x"}, "not-an-object"),
    ],
)
def test_what_is_no_object_is_said_with_its_place(write: Write, value: object, code: str) -> None:
    dump = Dump([write("a.json", json.dumps(value)), write("b.yaml", pod("p"))])
    assert _all(dump) == ["p"]
    (warning,) = dump.warnings
    assert warning.code == code
    assert warning.location is not None and warning.location.endswith("a.json, document 1")


def test_a_folder_is_read_with_its_folders_by_name(write: Write, tmp_path: Path) -> None:
    write("dump/b/two.yml", job("two"))
    write("dump/a/one.json", json.dumps(job("one")))
    write("dump/c.yaml", job("three"))
    write("dump/notes.txt", "no: [manifest")
    write("dump/.git/four.yaml", job("four"))
    write("dump/.hidden.yaml", job("five"))
    dump = Dump([str(tmp_path / "dump")])
    assert sorted(_all(dump)) == ["one", "three", "two"]
    assert dump.warnings == []


def test_a_file_named_by_the_user_may_be_called_anything(write: Write) -> None:
    assert _all(Dump([write("dump.txt", job("one"))])) == ["one"]


def test_a_folder_without_manifests_is_an_error(write: Write, tmp_path: Path) -> None:
    write("dump/notes.txt", "nothing")
    with pytest.raises(SourceError, match=r"nothing here ends in \.yaml, \.yml, \.json") as caught:
        Dump([str(tmp_path / "dump")])
    assert caught.value.location == str(tmp_path / "dump")


def test_an_absent_path_is_an_error_with_its_name() -> None:
    with pytest.raises(SourceError, match="No such file") as caught:
        Dump(["/nowhere/dump.yaml"])
    assert caught.value.location == "/nowhere/dump.yaml"


@pytest.mark.parametrize("content", [b"", b"# only a comment\n---\n", b"\n\n"])
def test_an_empty_file_is_an_error(write: Write, content: bytes) -> None:
    with pytest.raises(SourceError, match="the file holds no document"):
        Dump([write("a.yaml", content)])


def test_an_empty_file_beside_another_is_a_warning(write: Write) -> None:
    dump = Dump([write("a.yaml", b""), write("b.yaml", job("one"))])
    assert _all(dump) == ["one"]
    assert [one.code for one in dump.warnings] == ["empty-file"]


def test_where_nothing_can_be_read_each_reason_is_there(write: Write) -> None:
    with pytest.raises(SourceError, match="no object could be read") as caught:
        Dump([write("a.yaml", b""), write("b.yaml", b"\x00\x01\x02")])
    assert [one.code for one in caught.value.problems] == ["empty-file", "unreadable-document"]


def test_standard_input_is_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps(job("one")).encode())))
    assert _all(Dump(["-"])) == ["one"]


def test_a_dump_without_pods_does_not_say_that_there_are_none(write: Write) -> None:
    assert Dump([write("a.yaml", job("one"))]).pods() is None


def test_cluster_scoped_objects_are_seen_from_every_namespace(write: Write) -> None:
    dump = Dump(
        [write("a.yaml", [job("here"), job("there", namespace="other"), job("above", namespace=None)])]
    )
    assert names(dump.objects(namespace="lab")) == ["here", "above"]


def test_manifests_keep_their_order_and_their_doubles(write: Write) -> None:
    manifests = Manifests([write("a.yaml", [pod("p"), job("one"), pod("p")])])
    assert names(manifests.objects()) == ["p", "one", "p"]
    assert manifests.ask(Question(), DefinitionSet()).pods is None


def test_a_manifest_may_leave_its_name_to_the_server_a_dump_cannot(write: Write) -> None:
    nameless = {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"generateName": "run-"}}
    path = write("a.yaml", [nameless, nameless, pod("p")])
    assert len(list(Manifests([path]).objects())) == 3
    dump = Dump([path])
    assert _all(dump) == ["p"]
    assert [(one.code, one.location) for one in dump.warnings] == [("name-missing", "Job run-")] * 2


def test_definitions_and_crds_of_a_dump_are_found(write: Write) -> None:
    karta = {"apiVersion": "run.ai/v1alpha1", "kind": "Karta", "metadata": {"name": "k"}}
    crd = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "trainers.acme.io"},
        "spec": {
            "group": "acme.io",
            "scope": "Cluster",
            "names": {"kind": "Trainer", "plural": "trainers", "shortNames": ["tr", 7]},
            "versions": [{"name": "v1"}, {"name": "v2"}, "odd"],
        },
    }
    broken = {**crd, "metadata": {"name": "broken"}, "spec": None}
    for source in (
        Dump([write("a.yaml", [karta, crd, broken])]),
        Manifests([write("a.yaml", [karta, crd, broken])]),
    ):
        assert names(source.definitions()) == ["k"]
        assert [
            (one.group, one.version, one.kind, one.plural, one.singular) for one in source.kind_names()
        ] == [
            ("acme.io", "v1", "Trainer", "trainers", "trainer"),
            ("acme.io", "v2", "Trainer", "trainers", "trainer"),
        ]
        assert {(one.short_names, one.namespaced) for one in source.kind_names()} == {(("tr",), False)}


def test_aliases_that_would_fill_the_memory_are_refused(write: Write) -> None:
    levels = "".join(f"  l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 10)}]\n" for n in range(1, 12))
    text = f"apiVersion: v1\nkind: Pod\nmetadata: {{name: p}}\nspec:\n  l0: &l0 [x, x, x, x]\n{levels}"
    with pytest.raises(SourceError, match="aliases"):
        Dump([write("bomb.yaml", text)])


def test_what_cannot_be_read_in_a_folder_hides_nothing_else(write: Write, tmp_path: Path) -> None:
    write("dump/one.yaml", job("one"))
    (tmp_path / "dump" / "loop.yaml").symlink_to("loop.yaml")
    os.mkfifo(tmp_path / "dump" / "pipe.yaml")
    dump = Dump([str(tmp_path / "dump")])
    assert _all(dump) == ["one"]
    assert [(one.code, one.location) for one in dump.warnings] == [
        ("unreadable-file", str(tmp_path / "dump" / "loop.yaml")),
        ("unreadable-file", str(tmp_path / "dump" / "pipe.yaml")),
    ]


def test_a_closed_folder_hides_no_other(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("dump/one.yaml", job("one"))
    closed = tmp_path / "dump" / "closed"
    closed.mkdir()
    listed = os.scandir

    def scandir(path: Any) -> Any:  # tests may run as a user whom nothing is closed to
        if Path(path) == closed:
            raise PermissionError(13, "Permission denied", str(closed))
        return listed(path)

    monkeypatch.setattr(os, "scandir", scandir)
    dump = Dump([str(tmp_path / "dump")])
    assert _all(dump) == ["one"]
    assert [(one.code, one.location) for one in dump.warnings] == [("unreadable-file", str(closed))]


def test_a_name_that_is_too_long_is_an_unreadable_file() -> None:
    with pytest.raises(SourceError, match="File name too long"):
        Dump(["x" * 5000])


def test_a_device_without_an_end_is_refused() -> None:
    with pytest.raises(SourceError, match="device"):
        list(read_paths(["/dev/zero"]))


def test_standard_input_may_be_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(SourceError, match="standard input is closed"):
        Dump(["-"])


def test_lists_that_would_exhaust_the_stack_are_refused(write: Write) -> None:
    deep = "[" * 900 + json.dumps(job("deep")) + "]" * 900
    dump = Dump([write("a.json", deep), write("b.yaml", job("one"))])
    assert _all(dump) == ["one"]
    (warning,) = dump.warnings
    assert warning.code == "not-an-object"
    assert "nested more than 50 levels deep" in warning.message


def test_lists_may_be_nested_as_far_as_tools_do(write: Write) -> None:
    nested = json.dumps(job("one"))
    for _ in range(20):
        nested = '{"apiVersion": "v1", "kind": "List", "items": [' + nested + "]}"
    assert _all(Dump([write("a.json", nested)])) == ["one"]


def test_what_a_file_has_too_much_of_is_counted(write: Write) -> None:
    dump = Dump([write("a.json", json.dumps([None] * 5000 + [job("one")])), write("b.yaml", [{"kind": "x"}])])
    assert _all(dump) == ["one"]
    *told, counted, other = dump.warnings
    assert (len(told), {one.code for one in told}) == (100, {"not-an-object"})
    assert (counted.code, counted.message) == ("more-problems", "4900 more problems like these")
    assert other.code == "api-version-missing"


def test_a_list_that_says_no_items_is_told_so(write: Write) -> None:
    with pytest.raises(SourceError, match="the List has no `items`"):
        Dump([write("a.yaml", {"apiVersion": "v1", "kind": "List"})])


def test_a_key_that_is_twice_in_a_json_manifest_is_refused_as_in_yaml(write: Write) -> None:
    path = write(
        "a.json", '{"apiVersion": "batch/v1", "kind": "Job", "kind": "Pod", "metadata": {"name": "x"}}'
    )
    with pytest.raises(SourceError, match="the key 'kind' is there twice"):
        Manifests([path])
