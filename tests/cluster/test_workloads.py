"""The controllers, and the operators that every cluster has, bring their workloads where they belong."""

from __future__ import annotations

import pytest

from tests.cluster.client import ApiError, Object
from tests.cluster.cluster import Cluster
from tests.cluster.pods import has, template


def job_spec(pods: int, **annotations: str) -> Object:
    return {
        "parallelism": pods,
        "completions": pods,
        "backoffLimit": 0,
        "template": template(**annotations),
    }


def jobset(name: str, workers: int, **annotations: str) -> Object:
    job = {"name": "workers", "replicas": 1, "template": {"spec": job_spec(workers, **annotations)}}
    return {
        "apiVersion": "jobset.x-k8s.io/v1alpha2",
        "kind": "JobSet",
        "metadata": {"name": name},
        "spec": {"replicatedJobs": [job]},
    }


def leader_worker_set(name: str, groups: int, size: int) -> Object:
    return {
        "apiVersion": "leaderworkerset.x-k8s.io/v1",
        "kind": "LeaderWorkerSet",
        "metadata": {"name": name},
        "spec": {
            "replicas": groups,
            "leaderWorkerTemplate": {"size": size, "workerTemplate": template("Always")},
        },
    }


def deployment(name: str, replicas: int) -> Object:
    pods = template("Always")
    pods["metadata"]["labels"] = {"app": name}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": name},
        "spec": {"replicas": replicas, "selector": {"matchLabels": {"app": name}}, "template": pods},
    }


def test_a_job_completes(cluster: Cluster, namespace: str) -> None:
    job = {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": "train"},
        "spec": job_spec(2, after="0s"),
    }
    (made,) = cluster.apply(job, namespace)
    done = cluster.wait_for(made, lambda found: has(found, "Complete"))
    assert done["status"]["succeeded"] == 2


def test_a_job_whose_pod_fails_fails(cluster: Cluster, namespace: str) -> None:
    spec = job_spec(1, outcome="fail", after="0s")
    job = {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "train"}, "spec": spec}
    (made,) = cluster.apply(job, namespace)
    failed = cluster.wait_for(made, lambda found: has(found, "Failed"))
    assert failed["status"]["failed"] == 1


def test_a_deployment_becomes_available(cluster: Cluster, namespace: str) -> None:
    (made,) = cluster.apply(deployment("serve", 3), namespace)
    found = cluster.wait_for(made, lambda found: found["status"].get("readyReplicas") == 3)
    assert has(found, "Available")


def test_a_jobset_completes_through_jobs_of_its_own(cluster: Cluster, namespace: str) -> None:
    (made,) = cluster.apply(jobset("train", 2, after="0s"), namespace)
    # A default of its webhook.
    assert made["spec"]["network"]["enableDNSHostnames"] is True
    cluster.wait_for(made, lambda found: has(found, "Completed"))
    jobs = cluster.client.get(f"/apis/batch/v1/namespaces/{namespace}/jobs")["items"]
    assert [one["metadata"]["ownerReferences"][0]["uid"] for one in jobs] == [made["metadata"]["uid"]]


def test_the_webhook_of_jobset_refuses_what_is_invalid(cluster: Cluster, namespace: str) -> None:
    wanted = jobset("train", 1)
    wanted["spec"]["successPolicy"] = {"operator": "All", "targetReplicatedJobs": ["nobody"]}
    with pytest.raises(ApiError, match="nobody"):
        cluster.apply(wanted, namespace)


def test_a_leader_worker_set_becomes_available_with_all_pods(cluster: Cluster, namespace: str) -> None:
    (made,) = cluster.apply(leader_worker_set("serve", groups=2, size=3), namespace)
    cluster.wait_for(made, lambda found: has(found, "Available"))
    pods = cluster.wait_for_pods(
        namespace, lambda pods: len(pods) == 6 and all(has(one, "Ready") for one in pods)
    )
    # A label that the webhook for pods sets.
    groups = [one["metadata"]["labels"]["leaderworkerset.sigs.k8s.io/group-index"] for one in pods]
    assert sorted(groups) == ["0", "0", "0", "1", "1", "1"]


def test_kubectl_sees_what_was_applied(cluster: Cluster, namespace: str) -> None:
    cluster.apply(deployment("serve", 1), namespace)
    assert cluster.kubectl("get", "deployments", "-n", namespace, "-o", "name") == "deployment.apps/serve\n"
