"""Bad and hostile input: each ends in a clear line, with what was read still shown."""

from __future__ import annotations

import importlib
import json
import zipfile
from pathlib import Path
from typing import Any

import click
import pytest

from tests.cli.conftest import Wmap
from tests.cli.objects import job, pod, running
from workload_map.cli.root import COMMANDS

GOOD = [running("good"), pod("good-0", "good"), pod("good-1", "good")]


@pytest.fixture
def good(put: Any) -> str:
    return str(put("good.yaml", GOOD))


def _only_good(wmap: Wmap, good: str, other: str) -> str:
    """Reads a good file and another one: the good one is shown, what is said of the other is given."""
    result = wmap("get", "all", "--from", good, "--from", other)
    assert result.code == 0
    assert [row[1:5] for row in result.rows()] == [["good", "Job", "Running", "2/2"]]
    assert len(result.err.splitlines()) == 1
    return result.err


def _alone(wmap: Wmap, path: str) -> str:
    result = wmap("get", "all", "--from", path)
    assert (result.code, result.out) == (1, "")
    assert result.err.startswith("error: ")
    assert path in result.err
    return result.err


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("empty.yaml", b"", "the file holds no document"),
        ("comment.yaml", b"# nothing\n", "the file holds no document"),
        ("binary.yaml", bytes(range(256)), ""),
        ("elf.yaml", b"\x7fELF\x02\x01\x01\x00\x00", ""),
        ("tabs.yaml", b"apiVersion: v1\nkind: Pod\nmetadata:\n\tname: x\n", "tab"),
        ("latin.yaml", "apiVersion: v1\nkind: Größe\n".encode("latin-1"), "not UTF-8"),
        ("kind.yaml", b"apiVersion: v1\nmetadata: {name: x}\n", "no `kind`"),
        ("text.yaml", b"just some text\n", "not a Kubernetes object"),
        ("cut.json", b'{"apiVersion": "v1", "kind": "Pod", "metadata": {"na', "not valid JSON"),
        ("doubled.yaml", b"apiVersion: v1\nkind: Pod\nkind: Job\nmetadata: {name: x}\n", "twice"),
        ("tag.yaml", b"!!python/object:os.system x\n", "tag"),
        ("deep.yaml", b"[" * 5000, "deep"),
        ("deep.json", b'{"a":' * 5000 + b"1" + b"}" * 5000, "deep"),
    ],
)
def test_a_bad_file_is_told_and_hides_no_other(
    wmap: Wmap, put: Any, good: str, name: str, content: bytes, message: str
) -> None:
    path = put(name, content)
    assert message in _only_good(wmap, good, path)
    assert message in _alone(wmap, path)


def test_a_folder_without_manifests_is_told(wmap: Wmap, put: Any, good: str, tmp_path: Path) -> None:
    put("empty/README", "nothing")
    path = str(tmp_path / "empty")
    assert "nothing here ends in .yaml, .yml, .json" in _alone(wmap, path)
    assert "nothing here ends in .yaml, .yml, .json" in _only_good(wmap, good, path)


def test_a_path_that_does_not_exist_is_told(wmap: Wmap, good: str) -> None:
    result = wmap("get", "all", "--from", good, "--from", "/nowhere/x.yaml")
    assert (result.code, result.out) == (1, "")
    assert result.err.splitlines() == [
        "error: cannot read the file: No such file or directory (/nowhere/x.yaml)",
        "hint: check its path and its permissions",
    ]


def _view(wmap: Wmap, put: Any, *objects: Any) -> Any:
    return wmap(
        "describe", "job/a", "--from", put("dump.json", json.dumps(list(objects))), "-o", "json"
    ).json("view")


def _codes(view: Any) -> set[str]:
    return {problem["code"] for problem in view["problems"]}


def test_a_number_in_a_string_is_read_with_a_problem(wmap: Wmap, put: Any) -> None:
    view = _view(wmap, put, job("a", spec={"parallelism": "3", "completions": None}))
    assert view["totals"]["pods"] == 3
    assert _codes(view) == {"replicas-text"}
    assert (
        "Problems:\n  replicas-text"
        in wmap(
            "describe",
            "job/a",
            "--from",
            put("d.json", json.dumps([job("a", spec={"parallelism": "3", "completions": None})])),
        ).out
    )


@pytest.mark.parametrize("count", [-1, 1.5, 10**12, "many", [1], {}])
def test_a_count_that_is_none_is_unknown_with_a_problem(wmap: Wmap, put: Any, count: object) -> None:
    view = _view(wmap, put, job("a", spec={"parallelism": count, "completions": None}))
    assert (view["totals"]["pods"], view["totals"]["gpus"]) == (None, None)
    assert len(view["problems"]) >= 1


def test_a_container_without_resources_needs_none(wmap: Wmap, put: Any) -> None:
    template = {"spec": {"containers": [{"name": "main", "image": "busybox"}]}}
    view = _view(wmap, put, job("a", spec={"template": template}))
    assert (view["totals"]["pods"], view["totals"]["gpus"], view["totals"]["requests"]) == (2, 0, {})
    assert view["problems"] == []


def test_a_pod_whose_owner_is_not_in_the_dump_is_told_once(wmap: Wmap, put: Any, good: str) -> None:
    path = put("lost.yaml", [pod("lost-0", "nobody"), pod("lost-1", "nobody")])
    assert "fetch jobs too" in _only_good(wmap, good, path)


def test_two_pods_with_one_uid_are_kept(wmap: Wmap, put: Any) -> None:
    pods = [pod("a-0", "a", metadata={}), pod("a-1", "a")]
    pods[1]["metadata"]["uid"] = pods[0]["metadata"]["uid"]
    path = put("dump.json", json.dumps([running("a"), *pods]))
    result = wmap("describe", "job/a", "--from", path, "-o", "json")
    view = result.json("view")
    assert sorted(member["name"] for member in view["components"][0]["members"]) == ["a-0", "a-1"]
    assert "uid-duplicate" in _codes(view)
    assert "same uid" in result.err


EVIL = "x\x1b[2J\x1b]0;title\x07\u202ey"


def test_hostile_names_are_shown_escaped(wmap: Wmap, put: Any) -> None:
    objects = [
        running(EVIL, EVIL, metadata={"labels": {"l": EVIL}}),
        pod(EVIL, EVIL, EVIL),
        {"apiVersion": EVIL, "kind": EVIL, "metadata": {"name": EVIL}},
    ]
    objects[1]["spec"]["nodeName"] = EVIL
    objects[1]["status"] = {"phase": EVIL, "reason": EVIL, "message": EVIL}
    path = put("dump.json", json.dumps(objects))
    calls = [
        ("get", "all", "--from", path, "-o", "wide", "--show-labels"),
        ("get", "all", "-f", path),
        ("get", "all", "--from", path, "-o", "name"),
        ("describe", f"job/{EVIL}", "--from", path),
        ("describe", f"job/{EVIL}{EVIL}", "--from", path),
        ("owner", EVIL, "--from", path),
        ("get", EVIL, "--from", path),
        ("get", "job", "-l", EVIL, "--from", path),
    ]
    for call in calls:
        result = wmap(*call)
        for line in [*result.out.splitlines(), *result.err.splitlines()]:
            assert line.isprintable(), call
    assert r"x\x1b[2J\x1b]0;title\x07\u202ey" in wmap("get", "all", "--from", path).out
    # Programs get the names as they are.
    assert wmap("get", "all", "--from", path, "-o", "json").json("list")["items"][0]["name"] == EVIL


def test_a_billion_laughs_are_refused(wmap: Wmap, put: Any, good: str) -> None:
    levels = "".join(f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 10)}]\n" for n in range(1, 12))
    path = put("laughs.yaml", f"apiVersion: v1\nkind: Pod\nmetadata: {{name: p}}\nl0: &l0 [ha]\n{levels}")
    assert "aliases" in _only_good(wmap, good, path)


def test_an_archive_does_not_climb_out(wmap: Wmap, good: str, tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("../../evil.json", json.dumps(running("evil")))
    assert "leads out of the archive" in _only_good(wmap, good, str(path))
    assert not list(tmp_path.parent.glob("evil.json"))


@pytest.mark.parametrize(
    "broken",
    [
        {
            "metadata": {
                "name": "a",
                "labels": "x",
                "ownerReferences": 7,
                "annotations": [],
                "creationTimestamp": 3,
            }
        },
        {"spec": None},
        {"spec": []},
        {"spec": {"template": 5}},
        {"spec": {"template": {"spec": {"containers": "x"}}}},
        {"status": "x"},
        {"status": {"conditions": {"type": "x"}}},
        {"status": {"conditions": [None, 3, {"type": None}]}},
    ],
)
def test_malformed_parts_never_end_in_a_traceback(wmap: Wmap, put: Any, broken: dict[str, Any]) -> None:
    value = {**job("a"), **broken}
    path = put("dump.json", json.dumps([value, pod("a-0", "a")]))
    for call in (("get", "all"), ("get", "all", "-o", "wide"), ("describe", "job/a"), ("owner", "a-0")):
        result = wmap(*call, "--from", path)
        assert result.code == 0, result.err
        assert "internal" not in result.err
    wmap("describe", "job/a", "--from", path, "-o", "json").json("view")


@pytest.mark.parametrize(
    "arguments",
    [
        ("get", "all", "--from", ""),
        ("get", "-f", ""),
        ("describe", "job/a", "--from", ""),
        ("definitions", "--definitions", ""),
        ("validate", ""),
        ("validate", "x", "--crds", ""),
        ("test", ""),
        ("path", ".", "-f", ""),
        ("get", "all", "-n", "", "--from", "x"),
        ("owner", "p", "-n", "", "--from", "x"),
    ],
)
def test_an_empty_text_is_refused_and_not_the_working_directory(
    wmap: Wmap, arguments: tuple[str, ...]
) -> None:
    result = wmap(*arguments)
    assert (result.code, result.out) == (2, "")
    assert "it is empty; is a variable not set?" in result.err


def _text_options() -> list[tuple[str, str]]:
    """Each option of each command that takes a text of the user's."""
    return [
        (name, parameter.opts[0])
        for name in COMMANDS
        for parameter in importlib.import_module(f"workload_map.cli.commands.{name}").command.params
        if isinstance(parameter, click.Option) and not parameter.is_flag
    ]


# A selector that selects nothing out is one, as kubectl has it: scripts pass on what may be empty.
SELECTORS = ("-l", "--field-selector")


@pytest.mark.parametrize(("command", "option"), _text_options())
def test_an_option_is_given_with_a_value(wmap: Wmap, good: str, command: str, option: str) -> None:
    if option in SELECTORS:
        told = wmap(command, "all", "--from", good, option, "")
        assert told == wmap(command, "all", "--from", good)
        assert told.code == 0
        return
    result = wmap(command, option, "")
    assert (result.code, result.out) == (2, "")
    refused, hint = result.err.splitlines()
    assert option in refused
    assert any(said in refused for said in ("is empty", "'' is not one of", "'' is not a valid integer"))
    assert hint.startswith("hint: ")


@pytest.mark.parametrize("flag", ["-L", "--phase"])
@pytest.mark.parametrize("value", ["", " ", ",", "Running,", "Running,,Failed"])
def test_no_word_of_several_is_empty(wmap: Wmap, good: str, flag: str, value: str) -> None:
    result = wmap("get", "all", "--from", good, flag, value)
    assert (result.code, result.out) == (2, "")
    assert "it is empty; is a variable not set?" in result.err


@pytest.mark.parametrize("form", ["jsonpath", "custom-columns"])
def test_a_form_without_a_text_is_refused(wmap: Wmap, good: str, form: str) -> None:
    result = wmap("get", "all", "--from", good, "-o", f"{form}=")
    assert (result.code, result.out) == (2, "")
    error, hint = result.err.splitlines()
    assert "column" not in error.partition("(")[2]  # there is no place in nothing
    assert hint.startswith("hint: as in ")


def test_standard_input_is_read_once(wmap: Wmap) -> None:
    for arguments in (("--from", "-", "--from", "-"), ("--from", "-", "--definitions", "-")):
        result = wmap("get", "all", *arguments)
        assert (result.code, result.out) == (2, "")
        assert "standard input can be read once" in result.err


# What Python makes of the bytes of a file's name that are no text.
HALF = "bad\udcff"


@pytest.mark.parametrize("output", ["json", "yaml"])
def test_a_file_whose_name_is_no_text_is_named_in_machine_output(
    wmap: Wmap, tmp_path: Path, good: str, output: str
) -> None:
    (tmp_path / f"{HALF}.yaml").write_text("just some text")
    result = wmap("get", "all", "--from", good, "--from", str(tmp_path), "-o", output)
    assert result.code == 0
    document = result.json("list") if output == "json" else result.yaml("list")
    (warning,) = document["warnings"]
    assert warning["location"].endswith(r"bad\udcff.yaml, document 1")


def test_arguments_that_are_no_text_end_in_an_error_that_is_json(wmap: Wmap) -> None:
    for arguments in (("get", "all", "--from", HALF), ("validate", HALF), (HALF,)):
        result = wmap(*arguments, "-o", "json")
        assert r"bad\\udcff" in result.out + result.err
        assert "internal" not in result.out + result.err


@pytest.mark.parametrize("name", ["", "pod/", "job/a", "pod/a/b"])
def test_the_name_of_a_pod_is_no_other_name(wmap: Wmap, good: str, name: str) -> None:
    result = wmap("owner", name, "--from", good)
    assert (result.code, result.out) == (2, "")
    assert "is no name of a pod" in result.err


@pytest.mark.parametrize(
    "flags", [("--sum", "-o", "json"), ("--show-labels", "-o", "name"), ("-L", "x", "-o", "yaml")]
)
def test_what_only_tables_can_follow_is_refused_elsewhere(
    wmap: Wmap, good: str, flags: tuple[str, ...]
) -> None:
    result = wmap("get", "all", "--from", good, *flags)
    assert (result.code, result.out) == (2, "")
    assert "adds to a table" in result.err


@pytest.mark.parametrize("flags", [("-L", "x"), ("--show-labels",), ("-o", "wide")])
def test_a_table_of_sums_has_no_other_columns(wmap: Wmap, good: str, flags: tuple[str, ...]) -> None:
    result = wmap("get", "all", "--from", good, "--sum-by", "phase", *flags)
    assert (result.code, result.out) == (2, "")
    assert "--sum-by is a table of its own" in result.err


def test_headings_of_label_columns_are_escaped(wmap: Wmap, good: str) -> None:
    heading = wmap("get", "all", "--from", good, "-L", "a\x1b[2J").out.splitlines()[0]
    assert heading.split()[-1] == r"A\x1b[2J"


def test_a_missing_name_is_said_once(wmap: Wmap, good: str) -> None:
    said = wmap("get", "job", "nope", "--from", good).err.splitlines()
    assert said == ["error: there is no Job 'nope'", "hint: is the name right, and the namespace (-n)?"]


def test_nothing_to_describe_is_said(wmap: Wmap, put: Any) -> None:
    path = put("none.yaml", {"apiVersion": "v1", "kind": "List", "items": []})
    assert wmap("describe", "-f", path).err == "no workloads found\n"
    assert wmap("describe", "-f", path, "-o", "json").json("list")["items"] == []


def test_no_definitions_are_said(wmap: Wmap) -> None:
    result = wmap("definitions", "--no-builtin")
    assert (result.code, result.out, result.err) == (0, "", "no definitions found\n")


def test_messages_of_wrong_calls_are_one_line(wmap: Wmap) -> None:
    first, hint = wmap("completion").err.splitlines()
    assert first.endswith("Choose from: bash, zsh, fish, powershell")
    assert hint.startswith("hint: ")


def test_completion_never_says_what_fails(wmap: Wmap, put: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put("bad.yaml", "a: [")
    monkeypatch.setenv("_WMAP_COMPLETE", "bash_complete")
    assert wmap().out == ""  # no shell asked
    monkeypatch.setenv("COMP_CWORD", "x")
    monkeypatch.setenv("COMP_WORDS", "wmap get ")
    assert wmap().out == ""
    monkeypatch.setenv("COMP_CWORD", "4")
    monkeypatch.setenv("COMP_WORDS", f"wmap get --from {path} ")
    result = wmap()
    assert (result.out.strip(), result.err) == ("", "")


def test_names_of_definitions_are_escaped(wmap: Wmap, put: Any) -> None:
    definition = wmap("definitions", "batch-job-v1", "-o", "json").out
    path = put("definition.json", definition.replace('"batch-job-v1"', '"a\\u001b[2J"'))
    for output in ("name", "table"):
        lines = wmap("definitions", "--no-builtin", "--definitions", path, "-o", output).out.splitlines()
        assert lines[-1].startswith(r"a\x1b[2J")


def test_a_case_whose_object_cannot_be_resolved_fails_alone(wmap: Wmap, put: Any, tmp_path: Path) -> None:
    put("kind/definition.yaml", wmap("definitions", "batch-job-v1", "-o", "yaml").out)
    put("kind/cases/a.yaml", "description: no object\nobject: {}\nexpect: {name: a}\n")
    put("kind/cases/b.yaml", "description: kind\nobject: {apiVersion: v1, kind: Nope}\nexpect: {name: b}\n")
    good = {"description": "good", "object": job("a"), "expect": {"name": "a"}}
    put("kind/cases/c.yaml", json.dumps(good))
    result = wmap("test", str(tmp_path / "kind"))
    assert result.code == 1
    assert [line.rpartition("/")[2] for line in result.out.splitlines()] == [
        "a.yaml: no object",
        "  a Kubernetes object has an apiVersion and a kind; is this a manifest?",
        "b.yaml: kind",
        "  no definition covers Nope of v1",
    ]
    assert result.err == "1 passed, 2 failed\n"


def test_a_namespace_that_is_no_text_is_none(wmap: Wmap, put: Any) -> None:
    """It would not compare with the others where they are listed."""
    objects = [running("a", name) for name in ("lab", "other")]
    objects[0]["metadata"]["namespace"] = 3
    path = put("dump.json", json.dumps(objects))
    result = wmap("describe", "jobs.batch/a", "--from", path)
    assert result.code == 2
    assert "several namespaces have a Job 'a'" in result.err
    assert [row[0] for row in wmap("get", "all", "--from", path).rows()] == ["<none>", "other"]
