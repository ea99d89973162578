"""`wmap get`."""

from __future__ import annotations

import csv
import json
from typing import Any

import pytest
import yaml

from tests.cli.conftest import Wmap
from tests.cli.objects import failed, job, pod, running

ALL = [
    ["research", "ablation", "AppWrapper", "Running", "2/2", "2"],
    ["research", "churn", "XGBoostJob", "Completed", "0/2", "0"],
    ["research", "climate", "MPIJob", "Running", "3/3", "2"],
    ["research", "distill", "TrainJob", "Running", "2/2", "2"],
    ["research", "finetune", "PyTorchJob", "Running", "3/3", "3"],
    ["research", "nightly-eval", "Job", "Suspended", "0/8", "8"],
    ["research", "notebook", "Pod", "Running", "1/1", "1"],
    ["research", "ocr", "PaddleJob", "Running", "1/1", "1"],
    ["research", "protein", "JAXJob", "Running", "2/2", "4"],
    ["research", "ranker", "TFJob", "Running", "3/3", "0"],
    ["research", "sweep", "RayJob", "Running", "3/3", "1"],
    ["research", "train", "JobSet", "Running", "3/3", "12"],
    ["research", "tune", "RayCluster", "Running", "3/3", "2"],
    ["serving", "chat", "RayService", "Running", "2/2", "1"],
    ["serving", "gateway", "Deployment", "Degraded", "1/2", "0"],
    ["serving", "gpu-metrics", "DaemonSet", "Running", "1/1", "0"],
    ["serving", "llama", "LeaderWorkerSet", "Initializing", "1/4", "32"],
    ["serving", "usage-report", "CronJob", "Running", "0/0", "0"],
    ["serving", "vectors", "StatefulSet", "Running", "2/2", "0"],
]


@pytest.fixture
def dump(put: Any) -> str:
    """Two namespaces; `twin` is in both."""
    objects = [
        running("steady", metadata={"labels": {"team": "a"}, "creationTimestamp": "2025-01-02T00:00:00Z"}),
        failed("broken"),
        running("twin"),
        running("twin", "other"),
        *(pod(f"{name}-{n}", name) for name in ("steady", "twin") for n in range(2)),
    ]
    return str(put("dump.yaml", objects))


def test_all_lists_the_top_most_workloads_of_every_kind(wmap: Wmap, example: str) -> None:
    result = wmap("get", "all", "--from", example)
    assert result.code == 0
    assert result.out.splitlines()[0].split() == ["NAMESPACE", "NAME", "TYPE", "PHASE", "READY", "GPU", "AGE"]
    assert [row[:-1] for row in result.rows()] == ALL
    assert result.err == ""


def test_a_type_lists_all_objects_of_it_also_owned_ones(wmap: Wmap, example: str) -> None:
    rows = wmap("get", "jobs", "-n", "research", "--from", example).rows()
    assert [row[0] for row in rows] == [
        "ablation",
        "climate-launcher",
        "distill-node-0",
        "nightly-eval",
        "sweep",
        "train-leader-0",
        "train-worker-0",
        "train-worker-1",
    ]
    assert [row[:4] for row in rows[5:6]] == [["train-leader-0", "Running", "1/1", "4"]]


def test_several_types_are_listed_together(wmap: Wmap, example: str) -> None:
    rows = wmap("get", "jobset,deploy", "--from", example).rows()
    assert [row[1:3] for row in rows] == [
        ["distill", "JobSet"],
        ["train", "JobSet"],
        ["gateway", "Deployment"],
    ]


@pytest.mark.parametrize(
    "arguments",
    [("jobset", "train"), ("jobset/train",), ("JobSets.jobset.x-k8s.io", "train"), ("jobset/train", "-A")],
)
def test_a_name_gives_one_row(wmap: Wmap, example: str, arguments: tuple[str, ...]) -> None:
    assert [row[1] for row in wmap("get", *arguments, "--from", example).rows()] == ["train"]


def test_the_namespace_column_goes_with_all_namespaces(wmap: Wmap, example: str) -> None:
    assert wmap("get", "jobset", "-n", "research", "--from", example).out.split()[0] == "NAME"
    assert wmap("get", "jobset", "--from", example).out.split()[0] == "NAMESPACE"
    assert wmap("get", "jobset", "-A", "-n", "serving", "--from", example).rows()[0][0] == "research"


def test_json_is_of_the_schema_and_yaml_says_the_same(wmap: Wmap, example: str) -> None:
    document = wmap("get", "all", "--from", example, "-o", "json").json("list")
    assert document["count"] == len(document["items"]) == 19
    assert document["warnings"] == []
    train = next(item for item in document["items"] if item["name"] == "train")
    assert train["totals"]["gpus"] == 12
    assert train["components"][0]["members"] is None
    assert train["unattributed"] is None
    assert train["observed"]["ready"] == 3
    assert wmap("get", "all", "--from", example, "-o", "yaml").yaml("list") == document


def test_json_of_one_name_is_a_list_too(wmap: Wmap, example: str) -> None:
    assert wmap("get", "jobset/train", "--from", example, "-o", "json").json("list")["count"] == 1


def test_names_are_written_as_kubectl_does(wmap: Wmap, example: str) -> None:
    result = wmap("get", "jobset,deploy", "--from", example, "-o", "name")
    assert result.out.splitlines() == [
        "jobset.jobset.x-k8s.io/distill",
        "jobset.jobset.x-k8s.io/train",
        "deployment.apps/gateway",
    ]


def test_phases_filter_by_the_one_shown(wmap: Wmap, dump: str) -> None:
    assert [row[1] for row in wmap("get", "job", "--from", dump, "--phase", "failed").rows()] == ["broken"]
    both = wmap("get", "job", "-n", "lab", "--from", dump, "--phase", "Failed,Running", "--no-headers")
    assert [line.split()[0] for line in both.out.splitlines()] == ["broken", "steady", "twin"]


def test_selectors_filter(wmap: Wmap, dump: str) -> None:
    assert [row[1] for row in wmap("get", "job", "--from", dump, "-l", "team in (a, b)").rows()] == ["steady"]
    assert [
        row[1]
        for row in wmap("get", "all", "--from", dump, "--field-selector", "metadata.name=broken").rows()
    ] == ["broken"]


def test_rows_are_summed_by_a_value_that_they_share(wmap: Wmap, example: str) -> None:
    rows = wmap("get", "all", "--from", example, "--sum-by", "namespace").rows()
    assert rows == [
        ["research", "13", "26/36", "38", "30"],
        ["serving", "6", "7/11", "33", "9"],
        ["TOTAL", "19", "33/47", "71", "39"],
    ]
    queues = wmap("get", "all", "--from", example, "--sum-by", "queue", "--no-headers").out.splitlines()
    assert [line.split()[0] for line in queues] == ["<none>", "team-eval", "team-llm", "TOTAL"]
    assert wmap("get", "all", "--from", example, "--sum-by", "queue", "-o", "json").code == 2
    assert wmap("get", "all", "--from", example, "--sum-by", "queue", "--sum").code == 2


def test_what_belongs_to_another_row_is_summed_once(wmap: Wmap, example: str) -> None:
    def summed(*arguments: str) -> Any:
        ended = wmap("get", *arguments, "-n", "research", "--from", example, "--sum")
        return ended.rows()[-1], ended.err

    # Four of the Jobs are of the two JobSets; besides these (12 and 2) there are Jobs with 2, 8 and no GPUs.
    whole, told = summed("jobset,job")
    assert whole[2] == "24"
    assert told == "4 of 10 rows belong to another one and are summed with that one only\n"
    assert [summed("jobset")[0][2], summed("jobset")[1]] == ["14", ""]
    table = wmap("get", "jobset,job", "-n", "research", "--from", example, "--sum-by", "type")
    assert [row[:4:3] for row in table.rows()] == [["Job", "10"], ["JobSet", "14"], ["TOTAL", "24"]]
    assert table.err == told
    # Where the JobSets are not shown, their Jobs count themselves: 2 + 2 + 8 + 3 x 4 GPUs.
    assert summed("job") == (["TOTAL", "9/17", "24"], "")


def test_rows_are_sorted_limited_and_summed(wmap: Wmap, example: str) -> None:
    rows = wmap("get", "all", "--from", example, "--sort-by", "gpu", "--limit", "2", "--sum").rows()
    assert [row[1] for row in rows[:2]] == ["llama", "train"]
    assert rows[2] == ["TOTAL", "4/7", "44"]


def test_labels_can_be_shown(wmap: Wmap, dump: str) -> None:
    result = wmap("get", "job/steady", "--from", dump, "--show-labels", "-L", "team")
    assert result.out.splitlines()[0].split()[-2:] == ["TEAM", "LABELS"]
    assert result.rows()[0][-2:] == ["a", "team=a"]


def test_labels_have_columns_each_whether_repeated_or_with_commas(wmap: Wmap, put: Any) -> None:
    labels = {"team": "x", "tier/of": "back"}
    path = put("dump.yaml", [running("a", metadata={"labels": labels}), pod("a-0", "a")])
    for flags in (["-L", "team,tier/of"], ["-L", "team", "-L", "tier/of"], ["-L=team, tier/of"]):
        headings, row = wmap("get", "job", "--from", path, *flags).out.splitlines()
        assert headings.split()[-2:] == ["TEAM", "OF"]
        assert row.split()[-2:] == ["x", "back"]


def test_an_empty_list_is_no_error(wmap: Wmap, dump: str) -> None:
    result = wmap("get", "jobset", "-n", "lab", "--from", dump)
    assert (result.code, result.out) == (0, "")
    assert result.err == "no workloads found in namespace lab\n"
    document = wmap("get", "jobset", "--from", dump, "-o", "json").json("list")
    assert (document["items"], document["count"]) == ([], 0)


def test_a_missing_name_is_told_after_those_that_are_there(wmap: Wmap, dump: str) -> None:
    result = wmap("get", "job/steady", "job/nobody", "-n", "lab", "--from", dump)
    assert result.code == 3
    assert [row[0] for row in result.rows()] == ["steady"]
    assert result.err.splitlines() == [
        "error: there is no Job 'nobody' (namespace lab)",
        "hint: is the name right, and the namespace (-n)?",
    ]
    near = wmap("get", "job/stedy", "--from", dump).err
    assert near == "error: there is no Job 'stedy'\nhint: did you mean steady?\n"
    error = wmap("get", "job/nobody", "--from", dump, "-o", "json").error()
    assert (error["code"], error["location"]) == ("not-found", None)


def test_a_name_of_several_namespaces_gives_several_rows(wmap: Wmap, dump: str) -> None:
    assert [row[:2] for row in wmap("get", "job/twin", "--from", dump).rows()] == [
        ["lab", "twin"],
        ["other", "twin"],
    ]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("get", "nosuchtype"), 4, "no definition covers the type 'nosuchtype'"),
        (("get", "jobsett"), 4, "did you mean jobset?"),
        (("get", "job/"), 2, "the NAME of 'job' is empty"),
        (("get", "job", ""), 2, "the NAME of 'job' is empty"),
        (("get",), 2, "no TYPE is given"),
        (("get", "job/steady", "-l", "a=b"), 2, "exclude each other"),
        (("get", "job", "-l", "a=b c"), 2, "does not parse"),
        (("get", "job", "--field-selector", "status.phase=Running"), 2, "--phase"),
        (("get", "job", "--phase", "Bogus"), 2, "'Failed', 'Completed', 'Suspending'"),
        (("get", "job", "--limit", "0"), 2, "--limit"),
        (("get", "job", "-o", "xml"), 2, "'table', 'wide', 'json', 'yaml', 'csv', 'name'"),
        (("get", "job", "-f", "x.yaml"), 2, "--from and -f exclude each other"),
    ],
)
def test_wrong_calls_end_with_their_code(
    wmap: Wmap, dump: str, arguments: tuple[str, ...], code: int, message: str
) -> None:
    result = wmap(*arguments, "--from", dump)
    assert (result.code, result.out) == (code, "")
    assert result.err.startswith("error: ")
    assert message in result.err


def test_without_a_source_the_way_out_is_told(wmap: Wmap) -> None:
    result = wmap("get", "all")
    assert result.code == 1
    assert result.err.startswith("error: no cluster") and "--from" in result.err


def test_standard_input_is_a_source(wmap: Wmap) -> None:
    text = json.dumps({"apiVersion": "v1", "kind": "List", "items": [running("a"), pod("a-0", "a")]})
    assert [row[1] for row in wmap("get", "all", "--from", "-", stdin=text.encode()).rows()] == ["a"]


def test_manifests_are_listed_in_their_order_without_pods(wmap: Wmap, put: Any) -> None:
    path = put("jobs.yaml", [job("b"), job("a")])
    result = wmap("get", "-f", path)
    assert [row[:4] for row in result.rows()] == [
        ["b", "Job", "<none>", "?/2"],
        ["a", "Job", "<none>", "?/2"],
    ]
    assert result.err == ""
    document = wmap("get", "-f", path, "-o", "json").json("list")
    assert [(item["phase"], item["phases"], item["observed"]) for item in document["items"]] == [
        (None, [], None)
    ] * 2


def test_manifests_that_no_definition_covers_are_told(wmap: Wmap, put: Any) -> None:
    config = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}}
    mixed = wmap("get", "-f", put("mixed.yaml", [config, job("a")]))
    assert (mixed.code, [row[0] for row in mixed.rows()]) == (0, ["a"])
    assert mixed.err == "warning: no definition covers ConfigMap of v1: 1 left out\n"
    alone = wmap("get", "-f", put("config.yaml", config), "-o", "json")
    assert (alone.code, alone.out) == (4, "")
    assert alone.error()["code"] == "no-definition"
    assert "docs/add-a-kind.md" in alone.error()["hint"]


def test_a_dump_without_pods_says_so(wmap: Wmap, put: Any) -> None:
    result = wmap("get", "job", "--from", put("dump.yaml", [running("a")]))
    assert result.rows()[0][3] == "?/2"
    assert result.err == "warning: no pods are at hand, only what the objects say\n"


def test_pods_whose_controller_is_not_at_hand_are_no_rows(wmap: Wmap, put: Any) -> None:
    lost = pod("lost-0", "nobody")
    lost["metadata"]["ownerReferences"][0] |= {"kind": "ReplicaSet", "apiVersion": "apps/v1"}
    result = wmap("get", "all", "--from", put("dump.yaml", [running("a"), pod("a-0", "a"), lost]))
    assert [row[1] for row in result.rows()] == ["a"]
    assert result.err == (
        "warning: left out, since what controls them is not at hand: 1 Pod; fetch replicasets too\n"
    )


def test_workloads_of_a_covered_workload_that_is_not_at_hand_are_told(wmap: Wmap, put: Any) -> None:
    reference = {
        "apiVersion": "jobset.x-k8s.io/v1alpha2",
        "kind": "JobSet",
        "name": "s",
        "uid": "s",
        "controller": True,
    }
    owned = running("a", metadata={"ownerReferences": [reference]})
    result = wmap("get", "all", "--from", put("dump.yaml", [owned, pod("a-0", "a"), running("b")]))
    assert [row[1] for row in result.rows()] == ["b"]
    assert result.err.startswith("warning: left out") and "1 Job; fetch jobsets too" in result.err


def test_an_owner_that_nothing_covers_and_that_is_not_at_hand_is_no_owner(wmap: Wmap, put: Any) -> None:
    reference = {"apiVersion": "acme.io/v1", "kind": "Robot", "name": "r", "uid": "r", "controller": True}
    owned = running("a", metadata={"ownerReferences": [reference]})
    result = wmap("get", "all", "--from", put("dump.yaml", [owned, pod("a-0", "a"), pod("a-1", "a")]))
    assert [row[1] for row in result.rows()] == ["a"]
    assert result.err == ""


DEFINITION = """
apiVersion: run.ai/v1alpha1
kind: Karta
metadata: {name: %s}
spec:
  structureDefinition:
    rootComponent:
      name: root
      kind: {group: %s, version: v1, kind: %s}
      specDefinition: {podTemplateSpecPath: .spec.template}
      statusDefinition:
        statusMappings:
          completed: [{byExpression: {expression: .metadata.name != null, expectedResult: "true"}}]
"""


def test_definitions_of_a_dump_stand_over_the_built_in_ones(wmap: Wmap, put: Any) -> None:
    objects = [yaml.safe_load(DEFINITION % ("ours", "batch", "Job")), running("a")]
    item = wmap("get", "job", "--from", put("dump.yaml", objects), "-o", "json").json("list")["items"][0]
    assert (item["definition"], item["origin"], item["phase"]) == ("ours", "cluster", "Completed")


def test_definitions_among_manifests_count_and_are_no_workloads(wmap: Wmap, put: Any) -> None:
    path = put("all.yaml", [yaml.safe_load(DEFINITION % ("ours", "batch", "Job")), job("a")])
    result = wmap("get", "-f", path, "-o", "json")
    item = result.json("list")["items"][0]
    assert (item["definition"], item["origin"]) == ("ours", "file")
    assert result.err == ""


def test_definitions_of_files_stand_over_all(wmap: Wmap, put: Any) -> None:
    objects = [yaml.safe_load(DEFINITION % ("theirs", "batch", "Job")), running("a")]
    mine = put("mine.yaml", DEFINITION % ("mine", "batch", "Job"))
    call = ("get", "job", "--from", put("dump.yaml", objects), "--definitions", mine, "-o", "json")
    item = wmap(*call).json("list")["items"][0]
    assert (item["definition"], item["origin"]) == ("mine", "file")


def test_a_definition_that_does_not_compile_is_left_out_and_what_counts_instead_is_told(
    wmap: Wmap, put: Any
) -> None:
    broken = yaml.safe_load(DEFINITION % ("ours", "batch", "Job"))
    structure = broken["spec"]["structureDefinition"]
    structure["rootComponent"]["specDefinition"]["podTemplateSpecPath"] = ".spec["
    structure["rootComponent"]["instanceIdPath"] = ".spec]"
    result = wmap("get", "job", "--from", put("dump.yaml", [broken, running("a")]), "-o", "json")
    listed = result.json("list")
    assert [(one["definition"], one["origin"]) for one in listed["items"]] == [("batch-job-v1", "builtin")]
    (warning,) = [one for one in listed["warnings"] if one["code"] == "expression-invalid"]
    assert warning["message"].startswith("definition ours does not count, batch-job-v1 (builtin) does: ")
    assert warning["message"].endswith(" (and 1 more)")
    assert warning["location"].startswith("spec.structureDefinition.rootComponent.")
    # A kind that nothing else covers is not covered, as if there were no definition of it.
    structure["rootComponent"]["kind"]["kind"] = "Unheard"
    result = wmap("get", "all", "--from", put("dump.yaml", [broken, running("a")]), "-o", "json")
    (warning,) = [one for one in result.json("list")["warnings"] if one["code"] == "expression-invalid"]
    assert warning["message"].startswith("definition ours does not count: ")
    assert result.code == 0


def test_colliding_definitions_refuse_their_kind_alone(wmap: Wmap, put: Any, dump: str) -> None:
    both = put(
        "both.yaml", DEFINITION % ("one", "batch", "Job") + "---" + DEFINITION % ("two", "batch", "Job")
    )
    named = wmap("get", "job", "--from", dump, "--definitions", both)
    assert (named.code, named.out) == (2, "")
    assert "one (" in named.err and "two (" in named.err
    everything = wmap("get", "all", "--from", dump, "--definitions", both)
    assert (everything.code, everything.out) == (0, "")
    claimed = f"2 definitions cover Job of batch/v1: one ({both}), two ({both}); so none of them counts"
    assert everything.err.splitlines() == ["no workloads found", f"warning: {claimed}"]
    listed = wmap("get", "all", "--from", dump, "--definitions", both, "-o", "json").json("list")
    assert [warning["message"] for warning in listed["warnings"]] == [claimed]


def test_a_definition_that_cannot_be_used_is_an_error_where_it_was_named(
    wmap: Wmap, put: Any, dump: str
) -> None:
    bad = put(
        "bad.yaml", DEFINITION.replace("podTemplateSpecPath", "podTemplateSpecPth") % ("x", "batch", "Job")
    )
    result = wmap("get", "all", "--from", dump, "--definitions", bad)
    assert (result.code, result.out) == (1, "")
    assert "podTemplateSpecPth" in result.err


@pytest.mark.parametrize("call", ["get all", "get job", "check", "dump", "describe job/train", "owner x"])
def test_without_any_definitions_nothing_is_covered(wmap: Wmap, dump: str, call: str) -> None:
    """Which is no empty list: that would say that there are no workloads."""
    result = wmap(*call.split(), "--from", dump, "--no-builtin", "-o", "json")
    assert (result.code, result.out) == (4, "")
    assert result.error()["message"] == "there are no definitions, so nothing is covered"


def test_kinds_of_custom_resources_have_their_own_names(wmap: Wmap, put: Any) -> None:
    crd = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "trainers.acme.io"},
        "spec": {
            "group": "acme.io",
            "names": {"kind": "Trainer", "plural": "trainers", "shortNames": ["trn"]},
            "scope": "Namespaced",
            "versions": [{"name": "v1"}],
        },
    }
    trainer = {
        "apiVersion": "acme.io/v1",
        "kind": "Trainer",
        "metadata": {"name": "t", "namespace": "lab"},
        "spec": {},
    }
    objects = [crd, trainer, yaml.safe_load(DEFINITION % ("trainer", "acme.io", "Trainer"))]
    path = put("dump.yaml", objects)
    assert [row[1] for row in wmap("get", "trn", "--from", path).rows()] == ["t"]
    uncovered = wmap("get", "trn", "--from", put("other.yaml", objects[:2]))
    assert uncovered.code == 4


def test_an_ambiguous_type_lists_forms_that_work(wmap: Wmap, put: Any, dump: str) -> None:
    other = put("other.yaml", DEFINITION % ("volcano", "batch.volcano.sh", "Job"))
    result = wmap("get", "job", "--from", dump, "--definitions", other)
    assert result.code == 2
    forms = result.err.splitlines()[-1].removeprefix("hint: say which: ").split()
    assert len(forms) == 2
    assert {wmap("get", form, "--from", dump, "--definitions", other).code for form in forms} == {0}
    rows = wmap("get", "jobs.batch", "job.batch.volcano.sh", "--from", dump, "--definitions", other)
    assert rows.code == 3


def test_a_kind_of_two_groups_is_told_with_its_group(wmap: Wmap, put: Any, dump: str) -> None:
    other = put("other.yaml", DEFINITION % ("volcano", "batch.volcano.sh", "Job"))
    rows = wmap("get", "all", "--from", dump, "--definitions", other).rows()
    assert {row[2] for row in rows} == {"Job.batch"}


def test_colour_only_where_it_is_asked_for(wmap: Wmap, dump: str) -> None:
    assert "\x1b" not in wmap("get", "all", "--from", dump).out
    assert "\x1b[31mFailed\x1b[0m" in wmap("get", "all", "--from", dump, "--color", "always").out


def test_csv_has_all_columns_and_quotes_what_needs_it(wmap: Wmap, put: Any) -> None:
    labels = {"labels": {"team": "a"}}
    path = put("dump.yaml", [running("one", metadata=labels), pod("one-0", "one")])
    result = wmap("get", "all", "--from", path, "-o", "csv", "-L", "team")
    headings, row = list(csv.reader(result.out.splitlines()))
    assert headings[:4] == ["NAMESPACE", "NAME", "TYPE", "PHASE"] and "DEFINITION" in headings
    assert len(row) == len(headings)
    assert row[headings.index("NAME")] == "one" and row[headings.index("TEAM")] == "a"
    assert wmap("get", "all", "--from", path, "-o", "csv", "--phase", "Failed").out.count("\n") == 1
    assert wmap("get", "all", "--from", path, "-o", "csv", "--sum").code == 2


@pytest.mark.parametrize("formula", ["=1+1", "+1", "-1", "@SUM(1)", '=HYPERLINK("http://a","b")'])
def test_csv_has_no_formulas(wmap: Wmap, put: Any, formula: str) -> None:
    path = put("dump.yaml", [running("one", metadata={"labels": {"team": formula, "other": "1-1"}})])
    result = wmap("get", "job", "--from", path, "-o", "csv", "-L", "team", "-L", "other")
    (row,) = csv.DictReader(result.out.splitlines())
    assert (row["TEAM"], row["OTHER"]) == (f"'{formula}", "1-1")


def test_a_template_is_of_the_list_or_of_the_one_that_is_named(wmap: Wmap, put: Any) -> None:
    path = put("dump.yaml", [running("a"), failed("b"), pod("a-0", "a")])

    def printed(*words: str) -> str:
        result = wmap("get", *words, "--from", path)
        assert (result.code, result.err) == (0, "")
        return result.out

    assert printed("jobs", "-o", "jsonpath={.items[*].name} {.count}") == "a b 2"
    assert printed("jobs", "-o=jsonpath={.items[?(@.phase=='Failed')].name}") == "b"
    assert printed("job/b", "-ojsonpath={.phase} {.totals.gpus}") == "Failed 4"
    assert printed("job/a", "job/b", "-o", "jsonpath={.items[*].phase}") == "Running Failed"
    assert printed("jobs", "--phase", "Completed", "-o", "jsonpath={.items[*].name}") == ""


def test_columns_of_the_users_own_are_rows_of_workloads(wmap: Wmap, put: Any) -> None:
    path = put("dump.yaml", [running("a"), failed("b")])
    columns = "custom-columns=WHO:.name,GPUS:.totals.gpus,QUEUE:.queue.name"
    result = wmap("get", "jobs", "--from", path, "-o", columns)
    assert result.out.splitlines()[0].split() == ["WHO", "GPUS", "QUEUE"]
    assert result.rows() == [["a", "4", "<none>"], ["b", "4", "<none>"]]
    sorted_ = wmap("get", "jobs", "--from", path, "-o", columns, "--sort-by", "phase", "--no-headers")
    assert [line.split()[0] for line in sorted_.out.splitlines()] == ["b", "a"]


@pytest.mark.parametrize(
    ("output", "code", "told"),
    [
        ("jsonpath={.items[*].metadata.name}", 2, "no key 'metadata' there (column 12 of "),
        ("jsonpath={.items[5]}", 1, "there is no [5] in a list of 1 (column 8 of "),
        ("custom-columns=NAME:.nam", 2, "no key 'nam' there (column 7 of "),
        ("custom-columns", 2, "is not one of"),
        ("jsonpath", 2, "is not one of"),
    ],
)
def test_what_no_view_has_is_an_error_with_its_place(
    wmap: Wmap, put: Any, output: str, code: int, told: str
) -> None:
    result = wmap("get", "jobs", "--from", put("dump.yaml", running("a")), "-o", output)
    assert (result.code, result.out) == (code, "")
    assert told in result.err
    assert result.err.splitlines()[0].startswith("error: ")


def test_columns_of_tables_do_not_go_with_those_of_the_users_own(wmap: Wmap, put: Any) -> None:
    path = put("dump.yaml", running("a"))
    result = wmap("get", "jobs", "--from", path, "-o", "custom-columns=A:.name", "--show-labels")
    assert (result.code, result.out) == (2, "")
    assert "--show-labels adds to a table; it does not go with -o custom-columns" in result.err
