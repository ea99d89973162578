"""`wmap check`: which workloads, and what the exit code says."""

from __future__ import annotations

from typing import Any

import yaml

from tests.cli.conftest import Wmap

WRONG = """\
apiVersion: run.ai/v1alpha1
kind: Karta
metadata: {name: my-deployment}
spec:
  structureDefinition:
    rootComponent:
      name: deployment
      kind: {group: apps, version: v1, kind: Deployment}
      specDefinition: {podTemplateSpecPath: .spec.template}
      scaleDefinition: {replicasPath: .spec.paused}
"""


def test_all_workloads_of_a_dump_agree_with_the_catalog(wmap: Wmap, example: str) -> None:
    result = wmap("check", "--from", example, "-o", "json")
    document = result.json("check")
    assert (result.code, result.err) == (0, "")
    assert document["count"] == len(document["items"]) == 19
    assert not any(item["differs"] for item in document["items"])


def test_a_wrong_definition_exits_with_one_and_marks_the_row(wmap: Wmap, example: str, put: Any) -> None:
    result = wmap("check", "deployment/gateway", "--from", example, "--definitions", put("d.yaml", WRONG))
    assert result.code == 1
    marked = [line for line in result.out.splitlines() if line.startswith(("✗", "!!"))]
    # It has no rule for any phase, and does not name the kind between. Its count is not known: that is open.
    assert [line.split()[1] for line in marked] == ["phase", "kinds"]
    assert "ReplicaSet.apps" in marked[1]


def test_the_last_line_sums_up(wmap: Wmap, example: str) -> None:
    *_, blank, last = wmap("check", "--from", example).out.splitlines()
    items = wmap("check", "--from", example, "-o", "json").json("check")["items"]
    rows = [row["verdict"] for item in items for row in item["rows"]]
    assert (blank, last) == (
        "",
        f"19 workloads compared, 0 differ, {rows.count('open')} of {len(rows)} rows could not be compared",
    )
    *_, last = wmap("check", "jobset/train", "--from", example).out.splitlines()
    assert last == "1 workload compared, 0 differ"


def test_a_type_alone_is_all_of_it(wmap: Wmap, example: str) -> None:
    result = wmap("check", "jobset,deployment", "--from", example, "-o", "json")
    assert [item["workload"]["name"] for item in result.json("check")["items"]] == [
        "distill",
        "train",
        "gateway",
    ]


def _without(example: str, *kinds: str) -> str:
    with open(example) as file:  # noqa: PTH123
        documents = [one for one in yaml.safe_load_all(file) if one]
    objects = [one for doc in documents for one in (doc["items"] if doc["kind"].endswith("List") else [doc])]
    return yaml.safe_dump_all([one for one in objects if one["kind"] not in kinds])


def _open_row(checked: Any) -> str:
    """The message of the only row of a workload, which is open."""
    (row,) = checked["rows"]
    assert (row["check"], row["verdict"], row["found"]) == ("pods", "open", None)
    message: str = row["message"]
    return message


def test_pods_that_cannot_be_told_are_open_and_no_agreement(wmap: Wmap, example: str, put: Any) -> None:
    dump = put("dump.yaml", _without(example, "ReplicaSet"))
    result = wmap("check", "deployment/gateway", "--from", dump, "-o", "json")
    (checked,) = result.json("check")["items"]
    assert "ReplicaSet" in _open_row(checked)
    assert (result.code, result.error()["message"]) == (1, "nothing could be compared")
    # Beside others it is no failure: these were compared.
    result = wmap("check", "--from", dump, "-o", "json")
    assert result.code == 0
    assert "error" not in result.err


def test_without_any_pods_in_a_dump_nothing_differs(wmap: Wmap, example: str, put: Any) -> None:
    dump = put("dump.yaml", _without(example, "Pod"))
    result = wmap("check", "--from", dump, "-o", "json")
    items = result.json("check")["items"]
    assert {_open_row(checked) for checked in items} == {
        "nothing is compared, its pods are not known: they were not looked at"
    }
    assert not any(checked["differs"] for checked in items)
    assert result.code == 1
    shown = wmap("check", "jobset/train", "--from", dump)
    assert shown.code == 1
    assert shown.out.splitlines()[2].split()[:4] == ["?", "pods", "<none>", "3"]
    assert shown.err.splitlines() == [
        "warning: no pods are at hand, only what the objects say",
        "error: nothing could be compared",
        "hint: each row says why",
    ]


def test_where_no_workload_is_found_nothing_was_compared(wmap: Wmap, example: str) -> None:
    """A typo in the namespace must not be a green run."""
    result = wmap("check", "-n", "nope", "--from", example)
    assert (result.code, result.out) == (1, "")
    assert result.err.splitlines() == [
        "error: nothing could be compared, there are no workloads",
        "hint: is the namespace (-n) right, and the type?",
    ]
    result = wmap("check", "-n", "nope", "--from", example, "-o", "json")
    assert (result.code, result.json("check")["count"]) == (1, 0)
    assert result.error()["message"] == "nothing could be compared, there are no workloads"


def test_manifests_have_nothing_to_compare_with(wmap: Wmap, example: str) -> None:
    result = wmap("check", "-f", example.replace("dump", "jobset"))
    assert (result.code, result.out) == (1, "")
    assert "hint: read a dump" in result.err


def test_a_name_that_is_not_there(wmap: Wmap, example: str) -> None:
    assert wmap("check", "jobset/nobody", "--from", example).code == 3
