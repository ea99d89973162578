"""From a framework's status to one phase: every match, one choice, and the reason for it."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from tests.engine.made_up import codes, pod, template, thing, view
from workload_map.engine import Workload

CONDITIONS = """
rootComponent:
  statusDefinition:
    conditionsDefinition: {path: .status.conditions}
    messagePath: .status.note
    restartsPath: .status.restarts
    statusMappings:
      running: [{byConditions: [{type: Ready, status: "True"}]}]
      initializing: [{byConditions: [{type: Ready, status: Unknown}]}]
      failed:
      - byConditions: [{type: Ready, status: "False", reason: Broken}, {type: Done}]
      - byConditions: [{type: Ready, status: "False", reason: Lost}]
      completed: [{byConditions: [{type: Done, status: "True"}]}]
"""


def condition(type_: str, status: str, **more: Any) -> dict[str, Any]:
    return {"type": type_, "status": status, **more}


def phases(structure: str, status: Any, **meta: Any) -> list[str]:
    return list(view(structure, thing(status=status, **meta)).phases)


@pytest.mark.parametrize(
    ("conditions", "expected"),
    [
        ([condition("Ready", "True")], ["Running"]),
        ([condition("Ready", "Unknown")], ["Initializing"]),
        ([condition("Ready", "False")], ["Undefined"]),
        ([], ["Undefined"]),
        (None, ["Undefined"]),
        ([condition("Ready", "False", reason="Lost")], ["Failed"]),
        ([condition("Ready", "False", reason="Broken")], ["Undefined"]),
        ([condition("Ready", "False", reason="Broken"), condition("Done", "False")], ["Failed"]),
        ([condition("Ready", "True"), condition("Done", "True")], ["Completed", "Running"]),
    ],
)
def test_conditions_match_by_what_they_say(conditions: Any, expected: list[str]) -> None:
    assert phases(CONDITIONS, {"conditions": conditions}) == expected


def test_the_order_of_conditions_means_nothing() -> None:
    conditions = [
        condition("Ready", "True", lastTransitionTime="2026-01-02T00:00:00Z"),
        condition("Ready", "Unknown", lastTransitionTime="2026-01-01T00:00:00Z"),
        condition("Done", "True"),
    ]
    found = {
        tuple(phases(CONDITIONS, {"conditions": list(order)})) for order in itertools.permutations(conditions)
    }
    assert found == {("Completed", "Running")}


def test_conditions_of_one_type_that_differ_are_told() -> None:
    late = condition("Ready", "True", lastTransitionTime="2026-01-02T00:00:00Z")
    early = condition("Ready", "False", lastTransitionTime="2026-01-01T00:00:00Z")
    for order in ([late, early], [early, late]):
        workload = view(CONDITIONS, thing(status={"conditions": order}))
        assert (workload.phase, codes(workload)) == ("Running", ["condition-repeated"])
        assert "Ready" in workload.problems[0].message
    # The same thing said twice is no problem, and neither are conditions of two types.
    said_twice = [late, late | {"lastTransitionTime": "2026-01-03T00:00:00Z"}, condition("Done", "False")]
    assert codes(view(CONDITIONS, thing(status={"conditions": said_twice}))) == []


def test_of_conditions_of_one_time_the_order_says_nothing() -> None:
    """They differ in what is not matched on: their message, and the generation that they saw."""
    conditions = [
        condition("Ready", "True", message="b", observedGeneration=1),
        condition("Ready", "True", message="a", observedGeneration=2),
    ]
    views = [
        view(CONDITIONS, thing(status={"conditions": list(order)}, generation=2))
        for order in itertools.permutations(conditions)
    ]
    assert [(one.why[0].message, one.stale) for one in views] == [("a", False), ("a", False)]


def test_a_condition_that_is_none_is_told() -> None:
    workload = view(CONDITIONS, thing(status={"conditions": ["Ready", condition("Ready", "True")]}))
    assert workload.phase == "Running"
    assert codes(workload) == ["condition-malformed"]


def test_why_names_the_rule_the_field_and_the_words() -> None:
    status = {"conditions": [condition("Ready", "True", reason="AllUp", message="all pods are up")]}
    (why,) = view(CONDITIONS, thing(status=status)).why
    assert why.rule == "spec.structureDefinition.rootComponent.statusDefinition.statusMappings.running[0]"
    assert [(read.path, read.value) for read in why.reads] == [
        ("status.conditions[type=Ready].status", "True")
    ]
    assert (why.phase, why.reason, why.message) == ("Running", "AllUp", "all pods are up")


def test_why_names_each_field_of_a_condition_that_the_rule_looks_at() -> None:
    structure = """
    rootComponent:
      statusDefinition:
        conditionsDefinition: {path: .status.conditions}
        statusMappings:
          failed: [{byConditions: [{type: Ready, status: "False", reason: Lost}]}]
          suspended: [{byConditions: [{type: Ready, reason: Lost}]}]
          initializing: [{byConditions: [{type: Ready}]}]
    """
    status = {"conditions": [condition("Ready", "False", reason="Lost", message="gone")]}
    says = ("status.conditions[type=Ready].status", "False")
    because = ("status.conditions[type=Ready].reason", "Lost")
    reads = {
        why.phase: [(one.path, one.value) for one in why.reads]
        for why in view(structure, thing(status=status)).why
    }
    assert reads == {"Failed": [says, because], "Suspended": [because], "Initializing": [says]}


def test_the_message_of_the_framework_stands_in_where_the_condition_has_none() -> None:
    workload = view(
        CONDITIONS, thing(status={"conditions": [condition("Ready", "True")], "note": "hi", "restarts": 2})
    )
    assert (workload.why[0].message, workload.restarts) == ("hi", 2)


def test_field_names_of_conditions_can_be_others() -> None:
    structure = """
    rootComponent:
      statusDefinition:
        conditionsDefinition:
          {path: .status.states, typeFieldName: name, statusFieldName: value, reasonFieldName: cause}
        statusMappings: {failed: [{byConditions: [{type: Up, status: "no", reason: Fire}]}]}
    """
    assert phases(structure, {"states": [{"name": "Up", "value": "no", "cause": "Fire"}]}) == ["Failed"]


PHASES = """
rootComponent:
  statusDefinition:
    phaseDefinition: {path: .status.state}
    statusMappings:
      running: [{byPhase: ready}]
      degraded:
      - byPhase: ready
        byExpression: {expression: .status.ready < .spec.replicas, expectedResult: "true"}
      suspended: [{byExpression: {expression: .spec.replicas, expectedResult: "0"}}]
"""


def test_all_parts_of_a_matcher_must_hold_and_every_match_is_kept() -> None:
    workload = view(PHASES, thing({"replicas": 3}, status={"state": "ready", "ready": 1}))
    assert (workload.phase, list(workload.phases)) == ("Degraded", ["Degraded", "Running"])
    reads = {read.path: read.value for read in workload.why[0].reads}
    assert reads == {"status.state": "ready", "status.ready": 1, "spec.replicas": 3}


def test_results_are_compared_as_text() -> None:
    assert phases(PHASES, {"state": "x"}) == ["Undefined"]
    assert list(view(PHASES, thing({"replicas": 0}, status={"state": "x"})).phases) == ["Suspended"]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("any(.status.jobs[]; .up)", []),
        (".status.a - 1 == 0", []),
        ("all(.status.jobs[]; .up)", []),
        (".spec.name - 1", ["status-failed"]),
        (".spec.name.first", ["status-failed"]),
        ('error("no")', ["status-failed"]),
    ],
)
def test_failing_on_what_is_absent_is_a_plain_no(expression: str, expected: list[str]) -> None:
    structure = f"""
    rootComponent:
      statusDefinition:
        statusMappings:
          running: [{{byExpression: {{expression: '{expression}', expectedResult: "true"}}}}]
    """
    workload = view(structure, thing({"name": "text"}, status={"x": 1}))
    assert (list(workload.phases), codes(workload)) == (["Undefined"], expected)


def test_an_empty_matcher_matches_nothing() -> None:
    structure = "rootComponent: {statusDefinition: {statusMappings: {failed: [{}]}}}"
    assert phases(structure, {"x": 1}) == ["Undefined"]


@pytest.mark.parametrize(
    ("meta", "status", "stale"),
    [
        ({"generation": 5}, {"observedGeneration": 4}, True),
        ({"generation": 5}, {"observedGeneration": 5}, False),
        ({"generation": 5}, {}, False),
        ({}, {"observedGeneration": 4}, False),
        ({"generation": 5}, {"conditions": [condition("Ready", "True", observedGeneration=4)]}, True),
        ({"generation": 5}, {"conditions": [condition("Ready", "True", observedGeneration=5)]}, False),
        # A condition that no matching rule looks at does not make the answer old.
        (
            {"generation": 5},
            {"conditions": [condition("Ready", "True"), condition("Other", "True", observedGeneration=1)]},
            False,
        ),
    ],
)
def test_stale_says_that_the_status_is_behind_the_spec(meta: Any, status: Any, stale: bool) -> None:
    status = {"conditions": [condition("Ready", "True")], **status}
    workload = view(CONDITIONS, thing(status=status, **meta))
    assert (workload.phase, workload.stale) == ("Running", stale)


def test_a_manifest_without_a_status_has_no_phase_and_a_live_object_has() -> None:
    manifest = view(CONDITIONS, thing(), live=False)
    assert (manifest.phase, manifest.phases, manifest.why) == (None, (), ())
    assert (
        view(CONDITIONS, thing(status={"conditions": [condition("Ready", "True")]}), live=False).phase
        == "Running"
    )
    assert view(CONDITIONS, thing()).phase == "Undefined"


SUSPEND = """
rootComponent:
  specDefinition: {podTemplateSpecPath: .spec.template}
  suspendDefinition:
    suspendActions: [{path: .spec.suspend, value: "true"}, {path: .spec.mode, value: '"off"'}]
    resumeActions: [{path: .spec.suspend, value: "false"}]
"""


@pytest.mark.parametrize(
    ("spec", "suspended"),
    [
        ({"suspend": True, "mode": "off"}, True),
        ({"suspend": True}, False),
        ({"suspend": 1, "mode": "off"}, False),
        ({"suspend": False, "mode": "off"}, False),
        ({}, False),
    ],
    ids=str,
)
def test_suspended_is_what_the_spec_asks_for(spec: Any, suspended: bool) -> None:
    workload = view(SUSPEND, thing({**spec, "template": template(2)}))
    assert workload.suspended is suspended
    assert workload.totals.gpus == 2


@pytest.mark.parametrize(
    ("run", "suspended", "found"),
    [
        ({"suspend": True, "mode": "off"}, True, []),
        ({"suspend": None, "mode": "off"}, False, []),
        (None, False, []),
        ("odd", None, ["path-failed"]),
        ([], None, ["path-failed"]),
    ],
    ids=str,
)
def test_what_the_spec_asks_for_is_unknown_where_it_cannot_be_read(
    run: Any, suspended: bool | None, found: list[str]
) -> None:
    structure = SUSPEND.replace(".spec.suspend", ".spec.run.suspend").replace(".spec.mode", ".spec.run.mode")
    workload = view(structure, thing({"run": run, "template": template(2)}))
    assert (workload.suspended, sorted(set(codes(workload)))) == (suspended, found)


def test_a_suspend_field_that_is_certainly_not_in_place_decides_whatever_the_others_are() -> None:
    structure = SUSPEND.replace(".spec.mode", ".spec.run.mode")
    assert view(structure, thing({"run": "odd", "suspend": False})).suspended is False
    assert view(structure, thing({"run": "odd", "suspend": True})).suspended is None


@pytest.mark.parametrize(("state", "suspended"), [(None, True), ("odd", None), ({"by": 1}, False)])
def test_what_cannot_be_read_is_not_the_null_that_suspends(state: Any, suspended: bool | None) -> None:
    structure = SUSPEND.replace('value: "true"', 'value: "null"').replace(".spec.suspend", ".spec.state.by")
    assert view(structure, thing({"state": state, "mode": "off"})).suspended is suspended


def test_a_kind_that_cannot_be_suspended_is_not() -> None:
    assert (
        view("rootComponent: {specDefinition: {podTemplateSpecPath: .spec.template}}", thing()).suspended
        is False
    )


def ready_pods(count: int, ready: int) -> list[dict[str, Any]]:
    return [pod(f"p{number}", ready=number < ready) for number in range(count)]


JOB = """
rootComponent:
  specDefinition: {podTemplateSpecPath: .spec.template}
  scaleDefinition: {replicasPath: .spec.replicas, minReplicasPath: .spec.min}
  statusDefinition:
    phaseDefinition: {path: .status.state}
    statusMappings:
      running: [{byPhase: Running}]
      initializing: [{byPhase: Initializing}]
      completed: [{byPhase: Completed}]
      suspended: [{byPhase: Suspended}]
"""


def job(state: str, pods: list[dict[str, Any]], **spec: Any) -> Workload:
    obj = thing({"template": template(1), "replicas": 2, **spec}, status={"state": state})
    return view(JOB, obj, pods)


@pytest.mark.parametrize(
    ("state", "pods", "spec", "expected"),
    [
        ("Running", ready_pods(2, 2), {}, []),
        ("Running", ready_pods(2, 1), {}, ["not-enough-ready"]),
        ("Running", ready_pods(2, 1), {"min": 1}, []),
        ("Running", [pod("a"), pod("b", phase="Succeeded", ready=False)], {}, []),
        ("Running", [], {}, ["not-enough-ready"]),
        ("Running", [], {"replicas": 0}, []),
        ("Running", [], {"replicas": None}, []),
        ("Initializing", ready_pods(2, 1), {}, []),
        ("Initializing", ready_pods(2, 2), {}, ["all-ready"]),
        ("Completed", ready_pods(1, 0), {}, ["pods-running"]),
        ("Completed", [pod("a", phase="Succeeded", ready=False)], {}, []),
        ("Suspended", ready_pods(1, 1), {}, ["pods-running"]),
        ("Suspended", [], {}, []),
    ],
)
def test_object_and_pods_may_disagree(state: str, pods: Any, spec: Any, expected: list[str]) -> None:
    workload = job(state, pods, **spec)
    assert [one.code for one in workload.disagreements] == expected
    assert workload.phase == state


def test_a_failed_pod_that_was_replaced_is_history() -> None:
    workload = job("Running", [*ready_pods(2, 2), pod("old", phase="Failed", ready=False)])
    assert workload.observed is not None
    assert (workload.observed.pods, workload.observed.worst) == (3, None)
    assert workload.disagreements == ()


def test_a_failed_pod_that_was_not_replaced_is_the_worst() -> None:
    workload = job("Running", [*ready_pods(1, 1), pod("old", phase="Failed", ready=False)])
    assert workload.observed is not None
    assert workload.observed.worst is not None
    assert workload.observed.worst.pod == "old"


def test_pods_that_were_not_looked_at_never_disagree() -> None:
    obj = thing({"template": template(1), "replicas": 2}, status={"state": "Running"})
    workload = view(JOB, obj)
    assert (workload.observed, workload.disagreements) == (None, ())


@pytest.mark.parametrize(
    ("labels", "system", "name"),
    [
        ({"kueue.x-k8s.io/queue-name": "q"}, "kueue", "q"),
        ({"kai.scheduler/queue": "team-a"}, "kai", "team-a"),
        ({"scheduling.volcano.sh/queue-name": "v"}, "volcano", "v"),
    ],
)
def test_the_queue_is_read_from_the_ecosystems_labels(labels: Any, system: str, name: str) -> None:
    workload = view(SUSPEND, thing({"suspend": True, "mode": "off", "template": template(1)}, labels=labels))
    assert workload.queue is not None
    assert (workload.queue.system, workload.queue.name) == (system, name)
    assert workload.queue.admitted is (False if system == "kueue" else None)
    on_pods = template(1) | {"metadata": {"labels": labels}}
    assert view(SUSPEND, thing({"template": on_pods})).queue is not None
    assert view(SUSPEND, thing({"template": template(1)})).queue is None


def test_the_priority_is_that_of_the_label_else_of_the_pods() -> None:
    prioritized = template(1)
    prioritized["spec"]["priorityClassName"] = "high"
    assert view(SUSPEND, thing({"template": prioritized})).priority == "high"
    labels = {"kueue.x-k8s.io/priority-class": "urgent"}
    assert view(SUSPEND, thing({"template": prioritized}, labels=labels)).priority == "urgent"
    assert view(SUSPEND, thing({"template": template(1)})).priority is None


@pytest.mark.parametrize(
    "endless",
    ["reduce range(3000) as $x (1; . * ($x + 1))", "reduce range(5000) as $x (0; [.])"],
    ids=["digits", "depth"],
)
def test_a_result_that_is_no_text_matches_nothing(endless: str) -> None:
    structure = f"""
rootComponent:
  statusDefinition:
    statusMappings:
      running: [{{byExpression: {{expression: "{endless}", expectedResult: "x"}}}}]
"""
    assert phases(structure, {}) == ["Undefined"]


def test_half_a_character_in_a_text_reaches_the_view_as_it_is() -> None:
    workload = view(CONDITIONS, thing(status={"conditions": [condition("Ready", "True", message="a\ud800")]}))
    assert workload.to_dict()["why"][0]["message"] == "a\ud800"


def test_metadata_that_is_not_what_the_api_has_is_unknown_and_told() -> None:
    workload = view(CONDITIONS, thing(namespace=5, creationTimestamp="nope", deletionTimestamp=True))
    assert (workload.namespace, workload.created_at, workload.deleted_at) == (None, None, None)
    places = [(one.code, one.location) for one in workload.problems]
    fields = ("namespace", "creationTimestamp", "deletionTimestamp")
    assert places == [("metadata-malformed", f"metadata.{field}") for field in fields]
    assert view(CONDITIONS, thing(creationTimestamp=None)).problems == ()


RESTARTS = """
rootComponent:
  statusDefinition:
    restartsPath: .status.restarts
    phaseDefinition: {path: .status.phase}
    statusMappings: {running: [{byPhase: Up}]}
"""


@pytest.mark.parametrize(
    ("restarts", "count", "found"),
    [
        (None, None, []),
        (0, 0, []),
        (3, 3, []),
        (3.0, 3, []),
        ("3", 3, ["replicas-text"]),
        (-1, None, ["replicas-invalid"]),
        (2.5, None, ["replicas-invalid"]),
        (True, None, ["replicas-invalid"]),
        ("x", None, ["replicas-invalid"]),
        ([], None, ["replicas-invalid"]),
    ],
)
def test_restarts_are_a_count(restarts: Any, count: int | None, found: list[str]) -> None:
    for _ in range(2):  # what was seen before is told again
        workload = view(RESTARTS, thing(status={"phase": "Up", "restarts": restarts}))
        assert (workload.restarts, codes(workload), workload.phase) == (count, found, "Running")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.0, "1"),
        (2.5, "2.5"),
        (10**20, "100000000000000000000"),
        ({"b": 2, "a": [1.0, None]}, '{"a":[1,null],"b":2}'),
        (["é"], '["é"]'),
        (True, "true"),
        (False, "false"),
        (0, "0"),
        (1, "1"),
        (None, "null"),
        ("true", "true"),
    ],
)
def test_a_result_is_compared_as_the_text_that_jq_writes(value: Any, text: str) -> None:
    structure = """
rootComponent:
  statusDefinition:
    statusMappings: {running: [{byExpression: {expression: .status.value, expectedResult: TEXT}}]}
"""
    obj = thing(status={"value": value, "more": 1})
    quoted = "'" + text + "'"
    assert view(structure.replace("TEXT", quoted), obj).phase == "Running"
