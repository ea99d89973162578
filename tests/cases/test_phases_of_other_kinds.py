"""Phases of kinds that are not built in, by definitions of the test's own: the schema can say it."""

from __future__ import annotations

import pytest

from tests.cases.mark import case
from tests.cases.objects import (
    clique_set,
    condition,
    conditions,
    inference_service,
    mpijob,
    phases,
    pod,
    rayjob,
    role,
    see,
)
from tests.engine.made_up import Object, of_kind, template, view


def root(status_definition: str) -> str:
    """A definition of a kind with one pod-bearing root of `spec.replicas` pods and this status definition."""
    return f"""
rootComponent:
  name: root
  kind: {{group: x.io, version: v1, kind: Thing}}
  specDefinition: {{podTemplateSpecPath: .spec.template}}
  scaleDefinition: {{replicasPath: .spec.replicas, defaults: {{replicas: 1}}}}
  statusDefinition:
    {status_definition.strip()}
"""


def made(status: Object | None, **spec: object) -> Object:
    return of_kind("x.io/v1", "Thing", {"template": template(1), **spec}, status)


@case("B14")
@pytest.mark.parametrize(
    ("suspend", "status", "expected"),
    [
        (None, {"jobStatus": "", "jobDeploymentStatus": "Initializing"}, "Initializing"),
        (None, None, "Initializing"),
        (True, {"jobStatus": "", "jobDeploymentStatus": "Suspending"}, "Suspending"),
        (True, {"jobStatus": "", "jobDeploymentStatus": "Suspended"}, "Suspended"),
        (None, {"jobStatus": "", "jobDeploymentStatus": "Suspended"}, "Suspended"),
    ],
    ids=["first seconds", "no status", "suspending", "suspended", "suspended, and the spec says nothing"],
)
def test_an_empty_status_string_says_nothing(
    suspend: bool | None, status: Object | None, expected: str
) -> None:
    assert phases(rayjob(status, suspend=suspend)) == (expected,)


@case("B16")
def test_a_status_of_two_strings_needs_no_conditions() -> None:
    workload = see(rayjob({"jobStatus": "RUNNING", "jobDeploymentStatus": "Running"}))
    assert (workload.phases, workload.problems) == (("Running",), ())


@case("B22")
def test_what_no_matcher_knows_is_undefined_alone() -> None:
    phase = "{expression: .status.word, expectedResult: Going}"
    structure = root(f"statusMappings: {{running: [{{byExpression: {phase}}}]}}")
    workload = view(structure, made({"word": "SomethingNew"}))
    assert (workload.phase, workload.phases, workload.why) == ("Undefined", ("Undefined",), ())


@case("B23")
@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (conditions(condition("Ready", "True")), "Running"),
        (conditions(condition("Ready", "False")), "Failed"),
        (conditions(condition("Ready", "Unknown")), "Initializing"),
        (conditions(condition("RoutesReady", "False")), "Initializing"),
        ({}, "Initializing"),
        (None, "Initializing"),
    ],
    ids=["true", "false", "unknown", "absent", "no conditions", "no status"],
)
def test_a_condition_has_three_values_and_may_be_absent(status: Object | None, expected: str) -> None:
    service = of_kind("serving.knative.dev/v1", "Service", {"template": template()}, status)
    assert phases(service) == (expected,)


@case("B89")
def test_a_failed_counter_is_history() -> None:
    status = conditions("Running", replicaStatuses={"Launcher": {"active": 1, "failed": 1}})
    assert phases(mpijob(role(1), role(2), status, runPolicy={"backoffLimit": 6})) == ("Running",)


LLM_SERVICE = root("""
    conditionsDefinition: {path: .status.conditions}
    statusMappings:
      running: [{byConditions: [{type: WorkloadsReady, status: "True"}]}]
      initializing: [{byConditions: [{type: WorkloadsReady, status: "False"}]}]
""")


@case("B95")
def test_a_condition_that_lags_behind_the_pods_is_shown_beside_them() -> None:
    stale = conditions(condition("WorkerWorkloadReady", "False"), condition("WorkloadsReady", "False"))
    service = made(stale, replicas=3)
    workload = view(LLM_SERVICE, service, [pod(f"p{n}", service) for n in range(3)])
    assert workload.phases == ("Initializing",)
    assert workload.observed is not None
    assert (workload.observed.ready, workload.totals.pods) == (3, 3)
    assert [one.code for one in workload.disagreements] == ["all-ready"]


@case("B97")
def test_a_service_that_says_ready_while_a_pod_crashes_shows_both() -> None:
    service = inference_service({"minReplicas": 2}, conditions("Ready"))
    role = {"component": "predictor"}
    pods = [pod("old", service, role), pod("new", service, role, ready=False, waiting="CrashLoopBackOff")]
    workload = see(service, pods)
    assert workload.phases == ("Running",)
    assert workload.observed is not None
    assert (workload.observed.ready, workload.observed.pods) == (1, 2)
    assert workload.observed.worst is not None
    assert (workload.observed.worst.reason, workload.observed.worst.pod) == ("CrashLoopBackOff", "new")
    assert [one.code for one in workload.disagreements] == ["not-enough-ready"]


@case("B99")
def test_a_breach_that_never_cleared_is_shown_beside_the_ready_pods() -> None:
    cliques = clique_set(
        {"replicas": 2, "podSpec": template()["spec"]},
        conditions("MinAvailableBreached", replicas=1, availableReplicas=1),
        replicas=1,
    )
    labels = {
        "app.kubernetes.io/part-of": "t",
        "grove.io/podcliqueset-replica-index": "0",
        "grove.io/podclique": "t-0-c",
    }
    workload = see(cliques, [pod("a", cliques, labels), pod("b", cliques, labels)])
    assert workload.phases == ("Degraded",)
    assert workload.observed is not None
    assert (workload.observed.ready, workload.totals.pods) == (2, 2)
    assert [one.code for one in workload.disagreements] == ["all-ready"]


@case("B99")
def test_zero_asked_for_is_no_breach() -> None:
    clique = {"minAvailable": 2, "podSpec": template()["spec"]}
    workload = see(clique_set(clique, conditions("MinAvailableBreached"), replicas=0), [])
    assert (workload.phases, workload.totals.pods, workload.disagreements) == (("Suspended",), 0, ())


@case("B111")
def test_a_job_that_says_running_while_its_pod_waits_is_flagged() -> None:
    job = volcano_job({"state": {"phase": "Running"}, "pending": 1, "minAvailable": 1}, replicas=1)
    waiting = pod("p", job, phase="Pending", ready=False, waiting="Unschedulable")
    waiting["metadata"]["annotations"] = {"volcano.sh/task-spec": "w"}
    workload = see(job, [waiting])
    assert workload.phases == ("Running",)
    assert workload.observed is not None
    assert (workload.observed.ready, workload.totals.pods) == (0, 1)
    assert [one.code for one in workload.disagreements] == ["not-enough-ready"]


@case("B111")
def test_a_job_whose_tasks_are_zero_does_not_run_whatever_it_says() -> None:
    workload = see(volcano_job({"state": {"phase": "Running"}}, replicas=0))
    assert (workload.phases, workload.totals.pods) == (("Suspended",), 0)


def volcano_job(status: Object, replicas: int) -> Object:
    task = {"name": "w", "replicas": replicas, "template": template(1)}
    return of_kind("batch.volcano.sh/v1alpha1", "Job", {"tasks": [task]}, status)


@case("B113")
@pytest.mark.parametrize(
    ("mode", "status", "expected"),
    [
        ("Running", conditions("Ready", "Suspended"), "Running"),
        ("Suspended", conditions(condition("Suspended", "False", "PodTerminating")), "Suspending"),
        ("Suspended", conditions("Suspended"), "Suspended"),
        ("Running", conditions(condition("Ready", "False", "PodFailed"), "Finished"), "Failed"),
    ],
    ids=["left over after resume", "pods going", "at rest", "pod failed"],
)
def test_a_suspended_condition_that_was_left_over_decides_nothing(
    mode: str, status: Object, expected: str
) -> None:
    assert phases(sandbox("v1beta1", status, operatingMode=mode)) == (expected,)


@case("B113")
def test_an_older_version_says_its_wish_in_another_field() -> None:
    workload = see(sandbox("v1alpha1", conditions("Suspended"), replicas=0))
    assert (workload.phases, workload.totals.pods) == (("Suspended",), 0)


def sandbox(version: str, status: Object, **spec: object) -> Object:
    return of_kind(f"agents.x-k8s.io/{version}", "Sandbox", {"podTemplate": template(), **spec}, status)
