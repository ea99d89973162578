"""`wmap draw`: which workload, in which form."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Wmap


@pytest.mark.parametrize(
    ("form", "begins"),
    [("svg", "<svg "), ("html", "<!doctype html>"), ("mermaid", "flowchart TD"), ("dot", "digraph ")],
)
def test_each_form_is_written(wmap: Wmap, example: str, form: str, begins: str) -> None:
    result = wmap("draw", "jobset/train", "--from", example, "-o", form)
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith(begins)
    assert "worker" in result.out
    assert "12 GPU" in result.out


def test_png_is_written_as_bytes(capfdbinary: pytest.CaptureFixture[bytes], example: str) -> None:
    from workload_map.cli.entry import run  # noqa: PLC0415

    code = run(["draw", "jobset/train", "--from", example, "-o", "png"])
    captured = capfdbinary.readouterr()
    if b"no font" in captured.err:
        pytest.skip("there is no font on this machine")
    assert code == 0
    assert captured.out.startswith(b"\x89PNG")


def test_a_png_is_not_written_to_a_terminal(
    wmap: Wmap, example: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    result = wmap("draw", "jobset/train", "--from", example, "-o", "png")
    assert result.code == 1
    assert "hint: write it to a file" in result.err


def test_without_resvg_a_png_says_what_to_install(
    wmap: Wmap, example: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    result = wmap("draw", "jobset/train", "--from", example, "-o", "png")
    assert (result.code, result.out) == (1, "")
    (install,) = re.findall("hint: `(.*)` adds it", result.err)
    python, *words = shlex.split(install)
    assert (python, words) == (sys.executable, ["-m", "pip", "install", "resvg_py<1"])


def test_a_manifest_of_one_workload_needs_no_name(wmap: Wmap, example: str) -> None:
    result = wmap("draw", "-f", example.replace("dump", "jobset"))
    assert result.code == 0
    assert "3 pods, 12 GPU" in result.out


def test_several_workloads_are_refused_by_name(wmap: Wmap, example: str) -> None:
    result = wmap("draw", "-f", example)
    assert (result.code, result.out) == (2, "")
    assert "a picture shows one workload" in result.err
    assert "jobset/train" in result.err


def test_a_name_that_is_not_there(wmap: Wmap, example: str) -> None:
    assert wmap("draw", "jobset/nothing", "--from", example).code == 3
    assert wmap("draw", "jobset", "--from", example).code == 2


def test_the_picture_in_the_docs_is_the_one_that_is_drawn(wmap: Wmap, example: str) -> None:
    drawn = wmap("draw", "jobset/train", "--from", example, "--theme", "light")
    assert drawn.out == (Path(example).parents[1] / "docs" / "images" / "train.svg").read_text()


def test_all_pods_are_all_replicas_too(wmap: Wmap, put: Any) -> None:
    job = {
        "apiVersion": "jobset.x-k8s.io/v1alpha2",
        "kind": "JobSet",
        "metadata": {"name": "many"},
        "spec": {
            "replicatedJobs": [
                {"name": f"r{n}", "template": {"spec": {"template": {"spec": {"containers": [{}]}}}}}
                for n in range(30)
            ]
        },
    }
    path = put("many.yaml", job)
    assert wmap("draw", "-f", path, "-o", "dot").out.count("1 pod") == 24
    assert wmap("draw", "-f", path, "-o", "dot", "--pods", "0").out.count("1 pod") == 30


@pytest.mark.parametrize("output", ["html", "mermaid", "dot"])
def test_a_theme_is_refused_where_it_would_change_nothing(wmap: Wmap, example: str, output: str) -> None:
    refused = wmap("draw", "jobset/train", "--from", example, "-o", output, "--theme", "dark")
    assert (refused.code, refused.out) == (2, "")
    assert f"it does not go with -o {output}" in refused.err
    assert wmap("draw", "jobset/train", "--from", example, "-o", output).code == 0
