"""The kinds of Kubernetes itself, and those made of them: JobSet, LeaderWorkerSet and sets of these."""

from __future__ import annotations

from typing import Any

from tests.real.counting.counts import (
    UNKNOWN,
    Around,
    Count,
    Object,
    at,
    number,
    of_template,
    pod,
    times,
    total,
)


def bare_pod(obj: Object, _: Around) -> Count:
    return pod(obj.get("spec"))


def replicated(obj: Object, _: Around) -> Count:
    """Deployment, ReplicaSet, StatefulSet: the API server writes 1 where `replicas` is left out."""
    return times(number(at(obj, "spec", "replicas"), 1), of_template(at(obj, "spec", "template")))


def daemon_set(obj: Object, _: Around) -> Count:
    """One on each node that fits, which the controller counts once it has seen the object."""
    status = obj.get("status") or {}
    seen = status.get("desiredNumberScheduled") if status.get("observedGeneration") else None
    return times(seen, of_template(at(obj, "spec", "template")))


def job(obj: Object, _: Around) -> Count:
    return job_of(obj.get("spec"))


def job_of(spec: Any) -> Count:
    """As many at a time as `parallelism` (1), and never more than are to complete."""
    at_once = number(at(spec, "parallelism"), 1)
    ends = number(at(spec, "completions"), at_once)
    side_by_side = None if at_once is None or ends is None else min(at_once, ends)
    return times(side_by_side, of_template(at(spec, "template")))


def cron_job(obj: Object, around: Around) -> Count:
    """The runs under way; a manifest has none that could be known."""
    runs = len(at(obj, "status", "active") or []) if around.live else None
    return times(runs, job_of(at(obj, "spec", "jobTemplate", "spec")))


def job_set(obj: Object, _: Around) -> Count:
    return job_set_of(obj.get("spec"))


def job_set_of(spec: Any) -> Count:
    """`replicas` (1) Jobs of each replicated job."""
    return total(
        times(number(one.get("replicas"), 1), job_of(at(one, "template", "spec")))
        for one in at(spec, "replicatedJobs") or []
    )


def leader_worker_set(obj: Object, _: Around) -> Count:
    """`replicas` (1) groups of `size` (1) pods; the leader has the workers' template if none of its own."""
    template = at(obj, "spec", "leaderWorkerTemplate")
    workers = at(template, "workerTemplate")
    leader = of_template(at(template, "leaderTemplate") or workers)
    size = number(at(template, "size"), 1)
    others = times(None if size is None else size - 1, of_template(workers))
    return times(number(at(obj, "spec", "replicas"), 1), total([leader, others]))


def disaggregated_set(obj: Object, around: Around) -> Count:
    """A leader-worker set for each role in each of the `slices` (1), unless an autoscaler has the number."""
    roles = at(obj, "spec", "roles") or []
    counts = [
        UNKNOWN if at(role, "scaling", "mode") == "External" else leader_worker_set(role, around)
        for role in roles
    ]
    return times(number(at(obj, "spec", "slices"), 1), total(counts))
