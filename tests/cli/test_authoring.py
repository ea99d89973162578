"""The commands for authors of definitions, and the small ones."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

import workload_map
from tests.cli.conftest import Wmap, validator
from tests.cli.objects import job
from tests.cli.test_get import DEFINITION
from workload_map.cli.schemas import SCHEMAS
from workload_map.definition.crd import crd


def test_definitions_are_listed(wmap: Wmap, put: Any) -> None:
    own = put("own.yaml", DEFINITION % ("ours", "batch", "Job"))
    result = wmap("definitions", "--definitions", own)
    assert (result.code, result.err) == (0, "")
    assert result.out.splitlines()[0].split() == ["NAME", "KIND", "APIVERSION", "ORIGIN", "COMPONENTS"]
    rows = result.rows()
    assert ["ours", "Job", "batch/v1", "file", "root"] in rows
    assert [row for row in rows if row[2] == "batch/v1" and row[1] == "Job"] == [
        ["ours", "Job", "batch/v1", "file", "root"]
    ]
    assert rows == sorted(rows)
    names = wmap("definitions", "-o", "name").out.split()
    assert "batch-job-v1" in names and len(names) == len(set(names))


def test_a_definition_is_written_so_that_it_loads_again(wmap: Wmap, put: Any) -> None:
    for name in wmap("definitions", "-o", "name").out.split():
        text = wmap("definitions", name, "-o", "yaml").out
        validator("definition").validate(yaml.safe_load(text))
        assert json.loads(wmap("definitions", name, "-o", "json").out) == yaml.safe_load(text)
        assert wmap("validate", put(f"{name}.yaml", text)).code == 0


def test_all_definitions_are_a_list_that_loads_again(wmap: Wmap, put: Any) -> None:
    text = wmap("definitions", "-o", "yaml").out
    document = yaml.safe_load(text)
    assert len(document["items"]) == len(document["origins"]) > 5
    assert set(document["origins"]) == {"builtin"}
    again = wmap("definitions", "--no-builtin", "--definitions", put("all.yaml", text))
    assert {row[3] for row in again.rows()} == {"file"}


@pytest.mark.parametrize("flags", [(), ("-o", "name")])
def test_what_is_portable_is_written_whole(wmap: Wmap, flags: tuple[str, ...]) -> None:
    result = wmap("definitions", "ray-io-raycluster-v1", "--portable", *flags)
    assert (result.code, result.out) == (2, "")
    assert "it goes with -o yaml and -o json" in result.err


def test_a_portable_definition_tells_what_it_loses(wmap: Wmap) -> None:
    result = wmap("definitions", "ray-io-raycluster-v1", "-o", "yaml", "--portable")
    assert "podsPerReplicaPath" not in result.out
    assert "podsPerReplicaPath: a replica counts as one pod" in result.err


@pytest.mark.parametrize(("name", "hint"), [("batch-job-v2", "did you mean batch-job-v1?"), ("x", "error:")])
def test_an_unknown_definition_is_an_error(wmap: Wmap, name: str, hint: str) -> None:
    result = wmap("definitions", name)
    assert result.out == ""
    assert result.code != 0
    assert hint in result.err


def test_three_mistakes_are_three_lines(wmap: Wmap, put: Any) -> None:
    misspelt = DEFINITION.replace("name: root", "name: root\n      podSelectr: {}")
    first = misspelt % ("a", "acme.io", "A")
    second = misspelt.replace(".spec.template", ".spec | nosuch") % ("b", "acme.io", "B")
    path = put("two.yaml", f"{first}---{second}")
    result = wmap("validate", path)
    assert result.code == 1
    lines = result.out.splitlines()
    assert len(lines) == 3
    assert all(line.startswith(f"{path}:") and ": error[" in line for line in lines)
    assert "3 errors, 0 warnings" in result.err
    document = wmap("validate", path, "-o", "json").json("findings")
    assert document["count"] == 3
    assert {finding["document"] for finding in document["findings"]} == {1, 2}
    assert all(finding["location"] for finding in document["findings"])


def test_warnings_fail_only_where_it_is_strict(wmap: Wmap, put: Any) -> None:
    path = put(
        "own.yaml", DEFINITION.replace(".spec.template", ".spec.template // null") % ("a", "acme.io", "A")
    )
    findings = wmap("validate", path, "-o", "json").json("findings")["findings"]
    assert {finding["severity"] for finding in findings} == {"warning"}
    assert wmap("validate", path).code == 0
    assert wmap("validate", path, "--strict").code == 1


@pytest.mark.parametrize(
    "arguments", [("validate",), ("validate", "x.yaml", "-o", "xml"), ("schema", "nothing")]
)
def test_wrong_calls_write_nothing(wmap: Wmap, arguments: tuple[str, ...]) -> None:
    result = wmap(*arguments)
    assert (result.code, result.out) == (2, "")


def test_a_definition_can_be_validated_from_standard_input(wmap: Wmap) -> None:
    text = wmap("definitions", "batch-job-v1", "-o", "yaml").out
    assert wmap("validate", "-", stdin=text.encode()).code == 0
    result = wmap("validate", "-", stdin=text.replace("Karta", "Kartz").encode())
    assert result.code == 1
    assert result.out.startswith("-:2:")


def test_definitions_are_checked_against_crds(wmap: Wmap, put: Any) -> None:
    crd = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "trainers.acme.io"},
        "spec": {
            "group": "acme.io",
            "names": {"kind": "Trainer", "plural": "trainers"},
            "scope": "Namespaced",
            "versions": [
                {
                    "name": "v2",
                    "served": True,
                    "storage": True,
                    "schema": {"openAPIV3Schema": {"type": "object"}},
                }
            ],
        },
    }
    path = put("own.yaml", DEFINITION % ("a", "acme.io", "Trainer"))
    assert wmap("validate", path).code == 0
    result = wmap("validate", path, "--crds", put("crds.yaml", crd), "--strict")
    assert result.code == 1
    assert "v1" in result.out


def test_findings_for_code_review_are_sarif(wmap: Wmap, put: Any) -> None:
    path = put(
        "own.yaml",
        DEFINITION.replace("name: root", "name: root\n      podSelectr: {}") % ("a", "acme.io", "A"),
    )
    result = wmap("validate", path, "-o", "sarif")
    assert result.code == 1
    document = json.loads(result.out)
    assert document["version"] == "2.1.0"
    assert [one["ruleId"] for one in document["runs"][0]["results"]] == ["unknown-field"]


def test_a_file_that_is_not_there_is_a_finding(wmap: Wmap) -> None:
    result = wmap("validate", "/nowhere/x.yaml")
    assert result.code == 1
    assert "/nowhere/x.yaml" in result.out


def test_the_crd_is_printed(wmap: Wmap) -> None:
    assert yaml.safe_load(wmap("crd").out) == json.loads(json.dumps(crd()))
    assert json.loads(wmap("crd", "-o", "json").out)["metadata"]["name"] == "kartas.run.ai"


@pytest.mark.parametrize("name", SCHEMAS)
def test_schemas_are_printed_and_valid(wmap: Wmap, name: str) -> None:
    schema = json.loads(wmap("schema", name).out)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["title"]


def test_the_schema_of_the_view_is_the_default(wmap: Wmap) -> None:
    assert wmap("schema").out == wmap("schema", "view").out


def test_the_version(wmap: Wmap) -> None:
    line = f"wmap {workload_map.__version__}\n"
    assert wmap("--version").out == line
    assert wmap("version").out == f"{line}formats: definitions run.ai/v1alpha1, views 1\n"
    document = json.loads(wmap("version", "-o", "json").out)
    assert document == {
        "version": workload_map.__version__,
        "definitionVersion": "run.ai/v1alpha1",
        "schemaVersion": "1",
        "server": None,
    }


def test_a_path_is_tried_on_objects(wmap: Wmap, put: Any) -> None:
    path = put("jobs.yaml", [job("a"), job("b\x07")])
    assert wmap("path", ".metadata.name, .spec.parallelism", "-f", path).out.splitlines() == [
        '"a"',
        "2",
        r'"b\u0007"',
        "2",
    ]
    located = wmap("path", ".spec.template.spec.containers[].name", "-f", path, "--locations")
    assert located.out.splitlines()[0] == '.spec.template.spec.containers[0].name\t"main"'
    facts = wmap("path", ".spec.parallelism // 1", "--reads").out.splitlines()
    assert "several outputs: no" in facts
    assert any(line.startswith("reads: spec.parallelism") for line in facts)


def test_a_path_is_tried_on_any_value(wmap: Wmap, put: Any, tmp_path: Path) -> None:
    file = tmp_path / "values.yaml"
    file.write_text(
        "replicas: 3\n---\n[{replicas: 1}]\n---\n# nothing\n---\nnull\n---\n0\n", encoding="utf-8"
    )
    assert wmap("path", ".", "-f", str(file)).out.splitlines() == [
        '{"replicas":3}',
        '[{"replicas":1}]',
        "null",
        "0",
    ]
    failing = wmap("path", ".replicas", "-f", str(file))
    assert (failing.code, failing.out) == (1, "3\nnull\n")
    assert f"({file}, document 2, at ., line 1, column 1)" in failing.err
    assert f"({file}, document 4, at ., line 1, column 1)" in failing.err

    listed = put("list.json", [{"kind": "List", "items": [job("a"), {"no": "kind"}]}])
    assert wmap("path", ".metadata.name", "-f", listed).out.splitlines() == ['"a"', "null"]

    assert wmap("path", ".", "-f", "-", stdin=b'{"a": 1} [2]\n').out.splitlines() == ['{"a":1}', "[2]"]


def test_a_path_that_fails_names_the_object_and_goes_on(wmap: Wmap, put: Any) -> None:
    path = put("jobs.yaml", [job("a"), job("b", spec={"list": [1]})])
    result = wmap("path", ".spec.list[]", "-f", path)
    assert (result.code, result.out) == (1, "1\n")
    # The object, where in it, and where in the expression.
    error, hint = result.err.splitlines()
    assert error.endswith("found null (Job lab/a, at .spec.list, line 1, column 11)")
    assert hint.startswith("hint: `wmap path EXPRESSION --explain` ")


def test_a_path_that_does_not_parse_shows_where(wmap: Wmap) -> None:
    result = wmap("path", ".a | $ENV", "--reads")
    assert (result.code, result.out) == (1, "")
    assert result.err.splitlines()[0] == ".a | $ENV"
    assert "^" in result.err.splitlines()[1]


@pytest.mark.parametrize(
    "expression", ["reduce range(150000) as $i (.; [.])", "repeat(1)", '"x" * 1000000000']
)
def test_a_hostile_path_ends_in_an_error(wmap: Wmap, put: Any, expression: str) -> None:
    result = wmap("path", expression, "-f", put("job.yaml", job("a")))
    assert result.code == 1
    assert result.err.startswith("error: ") and "internal" not in result.err


def test_a_path_needs_something_to_do(wmap: Wmap) -> None:
    assert wmap("path", ".a").code == 2


def _complete(shell: str, words: list[str], current: str, cwd: Path) -> list[str]:
    """What is offered for the word that is typed after the finished ones."""
    environment = {"_WMAP_COMPLETE": f"{shell}_complete", "PATH": "/usr/bin:/bin"}
    if shell == "powershell":
        environment |= {"COMP_WORDS": "\n".join(["wmap", *words])}
        # There a variable that is set to nothing is none.
        environment |= {"COMP_CWORD": current} if current else {}
    else:
        environment |= {"COMP_WORDS": " ".join(["wmap", *words, current]), "COMP_CWORD": str(len(words) + 1)}
    code = "from workload_map.cli import main; main()"
    call = [sys.executable, "-c", code]
    done = subprocess.run(call, env=environment, capture_output=True, text=True, cwd=cwd, check=True)
    assert done.stderr == ""
    # For bash each line is the type of a candidate, a comma, and the candidate.
    lines = [line for line in done.stdout.splitlines() if line]
    return [line.partition(",")[2] if shell == "bash" else line for line in lines]


@pytest.mark.parametrize(
    ("words", "current", "offered"),
    [
        ([], "des", ["describe"]),
        (["get", "--from", "dump.yaml"], "jobse", ["jobset"]),
        (["get", "--from", "dump.yaml", "jobset"], "", ["distill", "train"]),
        (["get", "--from", "dump.yaml"], "jobset/t", ["jobset/train"]),
        (["get", "--from", "dump.yaml", "jobset/train"], "", []),
        (["get", "--from", "dump.yaml", "all", "-n"], "", ["research", "serving"]),
        (["get", "--from", "dump.yaml", "all", "--phase"], "Failed,Run", ["Failed,Running"]),
        (["get", "-o"], "j", ["json", "jsonpath="]),
        (["get"], "jobset/t", []),
        (["owner", "--from", "dump.yaml"], "llama-1", ["llama-1", "llama-1-1"]),
    ],
)
def test_words_are_completed(words: list[str], current: str, offered: list[str], example: str) -> None:
    assert _complete("bash", words, current, Path(example).parent) == offered


def test_words_are_completed_in_powershell(example: str) -> None:
    words = ["get", "--from", "dump.yaml", "jobset"]
    folder = Path(example).parent
    assert _complete("powershell", words, "tr", folder) == ["train"]
    assert _complete("powershell", words, "", folder) == ["distill", "train"]


@pytest.mark.skipif(shutil.which("pwsh") is None, reason="there is no PowerShell here")
def test_powershell_takes_the_script(wmap: Wmap) -> None:
    call = ["pwsh", "-NoProfile", "-Command", "$input | Out-String | Invoke-Expression"]
    done = subprocess.run(
        call, input=wmap("completion", "powershell").out, capture_output=True, text=True, check=True
    )
    assert (done.stdout, done.stderr) == ("", "")


@pytest.mark.parametrize(
    ("shell", "sign"),
    [
        ("bash", "complete -o nosort"),
        ("zsh", "#compdef wmap"),
        ("fish", "complete --no-files"),
        ("powershell", "Register-Arg"),
    ],
)
def test_scripts_for_shells_are_printed(wmap: Wmap, shell: str, sign: str) -> None:
    result = wmap("completion", shell)
    assert result.code == 0
    assert sign in result.out
    assert "%(" not in result.out
