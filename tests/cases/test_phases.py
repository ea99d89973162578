"""The phase of built-in kinds where the status of the framework misleads."""

from __future__ import annotations

import pytest

from tests.cases.mark import case
from tests.cases.objects import (
    condition,
    conditions,
    controlled,
    job,
    jobset,
    lws,
    phases,
    pod,
    ray_group,
    raycluster,
    replicated_job,
    see,
)
from tests.engine.made_up import Object, of_kind, template


def counters(**given: int) -> Object:
    """The status of a JobSet with one replicated job."""
    zero = {"ready": 0, "active": 0, "failed": 0, "succeeded": 0, "suspended": 0}
    return {"replicatedJobsStatus": [{"name": "w", **zero, **given}]}


def statefulset(replicas: int, status: Object, generation: int = 2) -> Object:
    spec = {"replicas": replicas, "template": template()}
    return of_kind("apps/v1", "StatefulSet", spec, status, generation=generation)


def cronjob(status: Object, **spec: bool) -> Object:
    template_of_runs = {"spec": {"template": template()}}
    return of_kind(
        "batch/v1", "CronJob", {"schedule": "0 0 * * *", "jobTemplate": template_of_runs, **spec}, status
    )


@case("B08")
def test_a_set_of_which_nothing_is_ready_is_initializing_and_its_pods_say_how_far_it_is() -> None:
    starting = jobset(replicated_job("w", 2), status=counters(active=2))
    child = controlled(job(), starting)
    child["metadata"] |= {"uid": "uid-job", "name": "t-w-0"}
    labels = {"jobset.sigs.k8s.io/replicatedjob-name": "w", "jobset.sigs.k8s.io/job-index": "0"}
    pods = [pod("a", child, labels, phase="Pending", ready=False), pod("b", child, labels, ready=False)]
    workload = see(starting, pods, related=[child])
    assert workload.phases == ("Initializing",)
    assert workload.observed is not None
    assert (workload.observed.pods, workload.observed.scheduled, workload.observed.ready) == (2, 1, 0)


@case("B08")
@pytest.mark.parametrize("counts", [{"active": 1, "ready": 1}, {"active": 1, "succeeded": 1}], ids=str)
def test_a_set_of_which_something_is_ready_or_done_is_running(counts: dict[str, int]) -> None:
    assert phases(jobset(status=counters(**counts))) == ("Running",)


@case("B09")
@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (["SuccessCriteriaMet"], "Completed"),
        (["FailureTarget"], "Failed"),
        (["SuccessCriteriaMet", "Complete"], "Completed"),
        (["FailureTarget", "Failed"], "Failed"),
    ],
    ids=str,
)
def test_a_job_has_ended_from_the_first_of_two_steps(given: list[str], expected: str) -> None:
    assert phases(job(conditions(*given, active=0), parallelism=1, completions=1)) == (expected,)


@case("B11")
def test_a_set_that_comes_down_is_still_converging() -> None:
    status = {"observedGeneration": 2, "replicas": 3, "readyReplicas": 3}
    workload = see(statefulset(1, status))
    assert (workload.phases, workload.stale) == (("Initializing",), False)


@case("B11", "B105")
def test_a_status_of_an_older_spec_keeps_its_phase_and_is_stale() -> None:
    status = {"observedGeneration": 1, "replicas": 3, "readyReplicas": 3}
    workload = see(statefulset(1, status))
    assert (workload.phases, workload.stale) == (("Running",), True)


@case("B12", "B36")
def test_a_set_that_only_progresses_is_initializing() -> None:
    assert phases(lws(2, 2, conditions("Progressing", replicas=2, readyReplicas=0))) == ("Initializing",)
    assert phases(lws(2, 2, conditions("Progressing"))) == ("Initializing",)


@case("B12")
def test_a_set_that_says_available_is_running_though_a_counter_lags() -> None:
    assert phases(lws(2, 2, conditions("Available", replicas=2, readyReplicas=1))) == ("Running",)


@case("B16")
@pytest.mark.parametrize(
    ("state", "wish", "expected"),
    [
        ("ready", {}, "Running"),
        ("failed", {}, "Failed"),
        ("suspended", {"suspend": True}, "Suspended"),
        ("unhealthy", {}, "Degraded"),
    ],
)
def test_the_state_of_a_ray_cluster_decides_where_no_conditions_are_written(
    state: str, wish: Object, expected: str
) -> None:
    assert phases(raycluster(status={"state": state}, **wish)) == (expected,)


@case("B16")
def test_conditions_of_a_ray_cluster_decide_where_they_are_written() -> None:
    written = conditions(
        condition("HeadPodReady", "False", "ContainersNotReady"),
        condition("RayClusterProvisioned", "False", "RayClusterPodsProvisioning"),
        state="ready",
    )
    assert phases(raycluster(status=written)) == ("Initializing",)


@case("B21")
def test_a_job_between_a_pod_and_its_successor_is_only_initializing() -> None:
    between = job({"active": 1, "ready": 0, "succeeded": 1}, parallelism=2, completions=2)
    assert phases(between) == ("Initializing",)


@case("B22")
@pytest.mark.parametrize(
    "obj",
    [
        jobset(status=counters()),
        of_kind("apps/v1", "Deployment", {"replicas": 1, "template": template()}),
        of_kind("apps/v1", "Deployment", {"replicas": 1, "template": template()}, {}),
    ],
    ids=["counters of zero", "no status", "empty status"],
)
def test_nothing_reported_is_a_beginning_and_never_undefined(obj: Object) -> None:
    assert phases(obj) == ("Initializing",)


@case("B31")
def test_a_job_asked_to_suspend_is_suspending_until_its_pods_are_gone() -> None:
    assert phases(job({"active": 2, "ready": 2}, suspend=True, parallelism=2)) == ("Suspending",)
    assert phases(job(conditions("Suspended", active=0), suspend=True, parallelism=2)) == ("Suspended",)


@case("B79")
@pytest.mark.parametrize(("ready", "expected"), [(0, "Initializing"), (1, "Degraded")])
def test_a_set_within_its_restarts_has_not_failed_and_says_which_restart_it_is(
    ready: int, expected: str
) -> None:
    status = counters(failed=1, ready=ready, active=ready) | {"restarts": 2, "restartsCountTowardsMax": 2}
    workload = see(jobset(status=status, failurePolicy={"maxRestarts": 5}))
    assert (workload.phases, workload.restarts) == ((expected,), 2)
    assert [why.message for why in workload.why] == ["restart 2 of 5"]


@case("B79")
def test_a_set_has_failed_when_its_last_condition_says_so() -> None:
    status = conditions(condition("Failed", reason="ReachedMaxRestarts"), **counters(failed=1), restarts=5)
    assert phases(jobset(status=status, failurePolicy={"maxRestarts": 5})) == ("Failed",)


@case("B83")
@pytest.mark.parametrize("status", [None, {}, counters()], ids=["no status", "empty", "counters of zero"])
def test_a_set_suspended_from_the_start_is_suspended(status: Object | None) -> None:
    workload = see(jobset(status=status, suspend=True), [])
    assert (workload.phases, workload.suspended) == (("Suspended",), True)
    assert workload.disagreements == ()


@case("B83")
def test_a_train_job_suspended_from_the_start_is_suspended() -> None:
    spec = {"runtimeRef": {"name": "r"}, "suspend": True}
    workload = see(of_kind("trainer.kubeflow.org/v1alpha1", "TrainJob", spec), [])
    assert (workload.phases, workload.suspended) == (("Suspended",), True)


@case("B103")
@pytest.mark.parametrize(
    "obj",
    [
        job(conditions(condition("Suspended", reason="JobSuspended"), active=0), suspend=True),
        cronjob({}, suspend=True),
        cronjob({"lastScheduleTime": "2026-01-01T00:00:00Z"}, suspend=True),
    ],
    ids=["job", "cron job", "cron job after a run"],
)
def test_what_is_suspended_is_suspended(obj: Object) -> None:
    assert phases(obj) == ("Suspended",)


@case("B103")
def test_how_the_last_run_ended_does_not_show_on_a_suspended_cron_job() -> None:
    suspended = cronjob({"lastScheduleTime": "2026-01-01T00:00:00Z"}, suspend=True)
    last = controlled(job(conditions("Failed", failed=1)), suspended)
    last["metadata"] |= {"uid": "uid-job", "name": "t-1"}
    crashed = pod("t-1-x", last, {"batch.kubernetes.io/job-name": "t-1"}, phase="Failed", ready=False)
    workload = see(suspended, [crashed], related=[last])
    assert (workload.phases, workload.disagreements) == (("Suspended",), ())


@case("B105")
def test_a_status_without_a_generation_is_trusted() -> None:
    status = conditions("Available", replicas=1, readyReplicas=1)
    workload = see(lws(1, 1, status) | {"metadata": {"name": "t", "generation": 5}})
    assert (workload.phases, workload.stale) == (("Running",), False)


@case("B105")
@pytest.mark.parametrize(("observed", "stale"), [(4, True), (5, False)])
def test_a_generation_within_a_condition_judges_that_condition_alone(observed: int, stale: bool) -> None:
    status = conditions(
        condition("Available", observedGeneration=observed),
        condition("Unrelated", observedGeneration=1),
        replicas=1,
        readyReplicas=1,
    )
    workload = see(lws(1, 1, status) | {"metadata": {"name": "t", "generation": 5}})
    assert (workload.phases, workload.stale) == (("Running",), stale)


@case("B109")
def test_a_ray_cluster_whose_head_alone_is_ready_is_not_running() -> None:
    written = conditions(
        condition("HeadPodReady"),
        condition("RayClusterProvisioned", "False", "RayClusterPodsProvisioning"),
        desiredWorkerReplicas=4,
        state="ready",
    )
    cluster = raycluster(ray_group("g", 1, replicas=4), status=written)
    head = pod("head", cluster, {"ray.io/node-type": "head"})
    labels = {"ray.io/node-type": "worker", "ray.io/group": "g"}
    workers = [pod(f"w{n}", cluster, labels, phase="Pending", ready=False) for n in range(4)]
    workload = see(cluster, [head, *workers])
    assert workload.phases == ("Initializing",)
    observed = workload.components[1].observed
    assert observed is not None
    assert (observed.ready, workload.components[1].pods) == (0, 4)


@case("B109")
def test_a_ray_cluster_that_lost_its_workers_is_degraded() -> None:
    written = conditions(
        condition("HeadPodReady"),
        condition("RayClusterProvisioned", reason="AllPodRunningAndReadyFirstTime"),
        desiredWorkerReplicas=4,
        readyWorkerReplicas=0,
        state="ready",
    )
    assert phases(raycluster(ray_group("g", 1, replicas=4), status=written)) == ("Degraded",)


@case("B109")
def test_kinds_without_a_ready_condition_have_a_phase_too() -> None:
    assert phases(jobset(status={})) == ("Initializing",)
    assert phases(job(conditions("SuccessCriteriaMet", "Complete", succeeded=1))) == ("Completed",)


@case("B119")
@pytest.mark.parametrize(
    "obj",
    [
        job(parallelism=2),
        jobset(replicated_job("w", 2)),
        lws(2, 2),
        raycluster(ray_group("g", replicas=2)),
        statefulset(2, {}),
        of_kind("apps/v1", "DaemonSet", {"template": template()}),
        of_kind("apps/v1", "ReplicaSet", {"replicas": 2, "template": template()}),
    ],
    ids=lambda obj: obj["kind"],
)
def test_comparing_with_a_status_that_is_not_there_says_nothing(obj: Object) -> None:
    assert phases(obj) == ("Initializing",)
