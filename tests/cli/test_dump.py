"""`wmap dump`: what was asked for and what belongs to it, and nothing of anybody else."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import yaml

from tests.cli.conftest import Wmap


def _names(wmap: Wmap, *arguments: str) -> set[tuple[str, str]]:
    result = wmap("dump", *arguments)
    assert result.code == 0
    return {(one["kind"], one["metadata"]["name"]) for one in yaml.safe_load(result.out)["items"]}


def test_a_type_brings_its_workloads_with_what_they_control_and_no_bystander(
    wmap: Wmap, example: str
) -> None:
    found = _names(wmap, "leaderworkerset", "--from", example)
    assert Counter(kind for kind, _ in found) == {"LeaderWorkerSet": 1, "StatefulSet": 3, "Pod": 4}
    assert all(name.startswith("llama") for _, name in found)


def test_a_name_brings_one_workload(wmap: Wmap, example: str) -> None:
    found = _names(wmap, "jobset/train", "-n", "research", "--from", example)
    assert ("JobSet", "train") in found
    assert all(name.startswith("train") for _, name in found)


def test_a_type_of_which_there_is_none_brings_nothing(wmap: Wmap, example: str) -> None:
    assert _names(wmap, "jobset", "-n", "serving", "--from", example) == set()


def test_a_name_alone_is_told_how_to_be_written(wmap: Wmap, example: str) -> None:
    result = wmap("dump", "train", "--from", example)
    assert (result.code, result.out) == (4, "")
    assert "hint: an object is TYPE/NAME: jobset/train\n" in result.err


def test_what_a_workload_refers_to_comes_with_it(wmap: Wmap, example: str) -> None:
    found = _names(wmap, "rayservice", "--from", example)
    assert {kind for kind, _ in found} == {"RayService", "RayCluster", "Pod"}


def test_a_partial_dump_gives_the_same_view_as_the_whole(wmap: Wmap, example: str, tmp_path: Path) -> None:
    whole = wmap("describe", "leaderworkerset/llama", "--from", example, "-o", "json").json("view")
    part = tmp_path / "part.yaml"
    part.write_text(wmap("dump", "leaderworkerset/llama", "--from", example).out)
    assert wmap("describe", "leaderworkerset/llama", "--from", str(part), "-o", "json").json("view") == whole


def test_without_a_type_everything_comes(wmap: Wmap, example: str) -> None:
    assert len(_names(wmap, "--from", example)) > 70
