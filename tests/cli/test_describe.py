"""`wmap describe` and `wmap owner`."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cli.conftest import Wmap
from tests.cli.objects import job, pod, running


def test_the_main_job(wmap: Wmap, example: str) -> None:
    result = wmap("describe", "jobset/train", "-n", "research", "--from", example)
    assert (result.code, result.err) == (0, "")
    tree = [line.translate(str.maketrans("", "", "├└─│")).split() for line in result.out.splitlines()]
    assert ["train", "3/3", "Running", "12"] in tree
    assert ["leader", "1/1", "4", "node-3"] in tree
    assert ["worker", "2/2", "8", "node-2,node-8"] in tree
    assert ["train-worker-1-0-47c8d", "1/1", "Running", "4", "node-2"] in tree
    assert "Status: Running" in result.out
    assert ["TOTAL", "3", "12", "96", "768Gi"] in tree


def test_every_workload_of_the_example_is_described(wmap: Wmap, example: str) -> None:
    for name in wmap("get", "all", "--from", example, "-o", "name").out.splitlines():
        result = wmap("describe", name, "--from", example)
        assert (result.code, result.err) == (0, ""), name
        assert "Problems:" not in result.out
        assert wmap("describe", name, "--from", example, "-o", "json").json("view")["problems"] == []


def test_json_is_the_view_and_yaml_says_the_same(wmap: Wmap, example: str) -> None:
    call = ("describe", "jobset", "train", "--from", example, "-o")
    document = wmap(*call, "json").json("view")
    assert document["name"] == "train"
    assert document["queue"] == {"name": "team-llm", "system": "kueue", "admitted": True}
    (component,) = document["components"]
    assert [(one["id"], one["pods"], one["gpus"]) for one in component["instances"]] == [
        ("leader", 1, 4),
        ("worker", 2, 8),
    ]
    assert len(component["members"]) == 3
    assert wmap(*call, "yaml").yaml("view") == document


def test_several_workloads_are_described_one_after_another(wmap: Wmap, example: str) -> None:
    call = ("describe", "jobset/train", "deploy/gateway", "--from", example)
    assert [line.split()[0] for line in wmap(*call).out.splitlines() if "definition:" in line] == [
        "JobSet/train",
        "Deployment/gateway",
    ]
    assert wmap(*call, "-o", "json").json("list")["count"] == 2


def test_an_owned_object_is_described_with_its_own_pods(wmap: Wmap, example: str) -> None:
    document = wmap("describe", "job/train-worker-1", "--from", example, "-o", "json").json("view")
    assert document["observed"]["pods"] == 1


def test_a_manifest_is_described_without_pods(wmap: Wmap, put: Any) -> None:
    path = put("job.yaml", job("a"))
    result = wmap("describe", "-f", path)
    assert (result.code, result.err) == (0, "")
    assert "Status:" not in result.out and "age:" not in result.out
    assert ["TOTAL", "2", "4", "2", "0"] in [line.split() for line in result.out.splitlines()]
    document = wmap("describe", "-f", path, "-o", "json").json("view")
    assert (document["phase"], document["phases"], document["why"], document["observed"]) == (
        None,
        [],
        [],
        None,
    )


def test_a_manifest_with_a_status_has_a_phase(wmap: Wmap, put: Any) -> None:
    assert "Status: Running" in wmap("describe", "-f", put("job.yaml", running("a"))).out


def test_a_manifest_without_a_name_goes_by_what_it_will_begin_with(wmap: Wmap, put: Any) -> None:
    nameless = job("a")
    nameless["metadata"] = {"generateName": "run-"}
    path = put("job.yaml", nameless)
    assert wmap("describe", "-f", path).out.startswith("Job/run-   ")
    assert wmap("describe", "job/run-", "-f", path, "-o", "json").json("view")["name"] == "run-"


def test_one_of_several_manifests_can_be_named(wmap: Wmap, put: Any) -> None:
    path = put("jobs.yaml", [job("a"), job("b")])
    assert wmap("describe", "job/b", "-f", path).out.startswith("Job/b")
    assert wmap("describe", "-f", path).out.count("definition:") == 2


def test_a_name_without_a_type_may_be_that_of_objects_of_several_kinds(wmap: Wmap, example: str) -> None:
    *_, hint = wmap("describe", "llama", "--from", example).err.splitlines()
    start, _, forms = hint.rpartition(": ")
    assert start == "hint: an object is TYPE/NAME"
    assert sorted(forms.split(" or ")) == ["leaderworkerset/llama", "statefulset/llama"]


def test_big_trees_fold(wmap: Wmap, put: Any) -> None:
    pods = [pod(f"a-{n}", "a") for n in range(30)]
    path = put("dump.yaml", [running("a", spec={"parallelism": 30, "completions": 30}), *pods])
    assert wmap("describe", "job/a", "--from", path).out.count("a-") == 20
    assert "... 10 more" in wmap("describe", "job/a", "--from", path).out
    assert wmap("describe", "job/a", "--from", path, "--pods", "0").out.count("a-") == 30
    assert wmap("describe", "job/a", "--from", path, "--depth", "1").out.count("a-") == 0
    assert (
        len(wmap("describe", "job/a", "--from", path, "-o", "json").json("view")["components"][0]["members"])
        == 30
    )


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("describe", "job"), 2, "TYPE/NAME or TYPE NAME; to list them: `wmap get job`"),
        (("describe", "all"), 2, "TYPE/NAME or TYPE NAME; to list them: `wmap get all`"),
        (("describe", "twin"), 4, "hint: an object is TYPE/NAME: job/twin\n"),
        (("get", "same"), 4, "hint: an object is TYPE/NAME: pod/same\n"),
        (("explain", "twin", "phase"), 4, "hint: an object is TYPE/NAME: job/twin\n"),
        (("draw", "jobb"), 4, "hint: did you mean job?\n"),
        (
            ("describe", "nobody"),
            4,
            "hint: `wmap definitions` lists the kinds that are covered; docs/add-a-kind.md",
        ),
        (("describe",), 2, "no TYPE is given"),
        (
            ("describe", "job/nobody"),
            3,
            "there is no Job 'nobody'\nhint: is the name right, and the namespace (-n)?",
        ),
        (("describe", "job/"), 2, "hint: to list them all: `wmap get job`"),
        (("describe", "job/twin"), 2, "say which: -n lab -n other"),
        (("describe", "configmap/x"), 4, "no definition covers the type 'configmap'"),
        (("describe", "job/twin", "-o", "wide"), 2, "'text', 'json', 'yaml'"),
        (("describe", "job/twin", "--pods", "-1"), 2, "--pods"),
        (("owner", "nobody"), 3, "there is no Pod 'nobody'"),
        (("owner", "same"), 2, "say which: -n lab -n other"),
        (("owner",), 2, "POD"),
    ],
)
def test_wrong_calls_end_with_their_code(
    wmap: Wmap, put: Any, arguments: tuple[str, ...], code: int, message: str
) -> None:
    objects = [running("twin"), running("twin", "other"), pod("same", "twin"), pod("same", "twin", "other")]
    result = wmap(*arguments, "--from", put("dump.yaml", objects))
    assert (result.code, result.out) == (code, "")
    assert message in result.err


def test_a_namespace_tells_twins_apart(wmap: Wmap, put: Any) -> None:
    path = put("dump.yaml", [running("twin"), running("twin", "other"), pod("p", "twin", "other")])
    document = wmap("describe", "job/twin", "-n", "other", "--from", path, "-o", "json").json("view")
    assert (document["namespace"], document["observed"]["pods"]) == ("other", 1)


@pytest.mark.parametrize("name", ["llama-0-1", "pod/llama-0-1"])
def test_the_owner_of_a_pod_is_told_with_the_chain(wmap: Wmap, example: str, name: str) -> None:
    result = wmap("owner", name, "--from", example)
    assert (result.code, result.err) == (0, "")
    told = dict(line.split(":", 1) for line in result.out.splitlines())
    told = {key: value.strip() for key, value in told.items()}
    assert told["Workload"] == "LeaderWorkerSet/llama"
    assert (told["Component"], told["Instance"], told["Replica group"]) == ("worker", "<none>", "0")
    assert told["Chain"] == (
        "Pod/llama-0-1 <- StatefulSet/llama-0 <- Pod/llama-0 <- StatefulSet/llama <- LeaderWorkerSet/llama"
    )


def test_the_owner_as_json(wmap: Wmap, example: str) -> None:
    call = ("owner", "train-worker-1-0-47c8d", "-n", "research", "--from", example, "-o")
    document = wmap(*call, "json").json("owner")
    assert document["workload"]["name"] == "train"
    assert (document["instance"], document["replicaGroup"]) == ("worker", "1")
    assert [link["kind"] for link in document["chain"]] == ["Pod", "Job", "JobSet"]
    assert wmap(*call, "yaml").yaml("owner") == document


def test_a_pod_whose_owner_is_not_at_hand_has_no_workload(wmap: Wmap, put: Any) -> None:
    result = wmap("owner", "lost", "--from", put("dump.yaml", [pod("lost", "nobody")]))
    assert result.code == 0
    assert "Because:" in result.out and "Job nobody is not at hand" in result.out
