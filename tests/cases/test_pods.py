"""Whose a pod is and what the pods say, where the object alone misleads."""

from __future__ import annotations

from typing import Any

from tests.cases.mark import case
from tests.cases.objects import (
    builtin,
    conditions,
    controlled,
    inference_service,
    job,
    jobset,
    lws,
    names,
    part,
    pod,
    ray_group,
    raycluster,
    replicated_job,
    see,
)
from tests.engine.made_up import Object, definition, definitions, of_kind, template, view
from workload_map.engine import OwnerIndex, place, resolve

GROUP = "leaderworkerset.sigs.k8s.io/group-index"
INDEX = "leaderworkerset.sigs.k8s.io/worker-index"


def group_of_pods(owner: Object, group: int, size: int, **worker: Any) -> list[Object]:
    """A LeaderWorkerSet's group: its leader, and the workers that the leader pod owns."""
    leader = pod(f"t-{group}", owner, {GROUP: str(group), INDEX: "0"}, gpus=1)
    workers = [
        pod(f"t-{group}-{n}", leader, {GROUP: str(group), INDEX: str(n)}, gpus=1, **worker)
        for n in range(1, size)
    ]
    return [leader, *workers]


@case("B13")
def test_a_set_that_says_available_while_its_workers_wait_is_shown_with_its_pods() -> None:
    one_group = lws(1, 4, conditions("Available", replicas=1, readyReplicas=1), gpus=1)
    pods = group_of_pods(one_group, 0, 4, phase="Pending", ready=False, waiting="Unschedulable")
    workload = see(one_group, pods)
    assert workload.phases == ("Running",)
    assert workload.observed is not None
    assert (workload.observed.ready, workload.totals.pods) == (1, 4)
    assert workload.observed.worst is not None
    assert (workload.observed.worst.reason, workload.observed.worst.pod) == ("Unschedulable", "t-0-1")
    assert [one.code for one in workload.disagreements] == ["not-enough-ready"]


@case("B26")
def test_pods_of_the_root_and_of_its_children_are_counted_once() -> None:
    structure = """
    rootComponent:
      name: root
      specDefinition: {podTemplateSpecPath: .spec.own}
      podSelector: {componentTypeSelector: {matchLabels: {role: root}}}
    childComponents:
    - name: child
      specDefinition: {podTemplateSpecPath: .spec.child}
      scaleDefinition: {replicasPath: .spec.children}
      podSelector: {componentTypeSelector: {matchLabels: {role: child}}}
    """
    obj = of_kind("x.io/v1", "Thing", {"own": template(), "child": template(), "children": 2})
    pods = [
        pod("r", obj, {"role": "root"}),
        pod("c0", obj, {"role": "child"}),
        pod("c1", obj, {"role": "child"}),
    ]
    workload = view(structure, obj, pods)
    placed = {one.name: [member.name for member in one.members or ()] for one in workload.components}
    assert placed == {"root": ["r"], "child": ["c0", "c1"]}
    assert workload.observed is not None
    assert (workload.observed.pods, workload.totals.pods, workload.unattributed) == (3, 3, ())


def chain_under(owner: Object) -> tuple[Object, Object, Object]:
    """A JobSet under an owner, the child Job and a pod."""
    owned = controlled(jobset(replicated_job("node", 1)), owner)
    child = controlled(job(), owned)
    child["metadata"] |= {"name": "t-node-0", "uid": "uid-job"}
    labels = {"jobset.sigs.k8s.io/replicatedjob-name": "node", "jobset.sigs.k8s.io/job-index": "0"}
    return owned, child, pod("t-node-0-0-x", child, labels)


@case("B57")
def test_the_highest_known_owner_is_the_workload() -> None:
    unknown = of_kind("x.io/v1", "Pipeline", name="p", uid="uid-p")
    owned, child, member = chain_under(unknown)
    index = OwnerIndex([member, child, owned, unknown])
    assert index.top_level(builtin()) == [owned]
    placement = place(member, builtin(), index)
    assert placement.workload is not None
    assert (placement.workload.kind, placement.component, placement.instance) == (
        "JobSet",
        "replicatedjob",
        "node",
    )
    assert [(link.kind, link.covered) for link in placement.chain] == [
        ("Pod", True),
        ("Job", True),
        ("JobSet", True),
        ("Pipeline", False),
    ]


@case("B57")
def test_a_definition_of_the_owner_above_takes_over() -> None:
    made = {"jobsStatus": [{"name": "node", "active": 1}]}
    train_job = of_kind(
        "trainer.kubeflow.org/v1alpha1", "TrainJob", {"runtimeRef": {"name": "r"}}, made, uid="uid-tj"
    )
    owned, child, member = chain_under(train_job)
    index = OwnerIndex([member, child, owned, train_job])
    assert index.top_level(builtin()) == [train_job]
    placement = place(member, builtin(), index)
    assert placement.workload is not None
    assert (placement.workload.kind, placement.workload.name) == ("TrainJob", "t")
    workload = see(train_job, [member], related=[owned, child])
    (shown,) = part(workload, "replicatedjob").members or ()
    assert (shown.name, shown.instance, workload.unattributed) == ("t-node-0-0-x", "node", ())


@case("B69")
def test_the_head_of_a_ray_cluster_is_no_worker() -> None:
    cluster = raycluster(ray_group("g", replicas=3))
    worker = {"ray.io/node-type": "worker", "ray.io/group": "g"}
    head = pod("head", cluster, {"ray.io/node-type": "head", "ray.io/group": "headgroup"})
    workload = see(cluster, [head, *(pod(f"w{n}", cluster, worker) for n in range(3))])
    shown = {}
    for one in workload.components:
        assert one.observed is not None
        shown[one.name] = (one.observed.ready, one.pods)
    assert shown == {"head": (1, 1), "worker": (3, 3)}
    assert (workload.unattributed, workload.problems) == ((), ())


@case("B81")
def test_groups_beyond_the_wanted_ones_are_seen_and_not_wanted() -> None:
    wanted = lws(4, 2, conditions("Available"), gpus=1)
    wanted["spec"]["rolloutStrategy"] = {"rollingUpdateConfiguration": {"maxSurge": 2}}
    workload = see(wanted, [one for group in range(6) for one in group_of_pods(wanted, group, 2)])
    group = part(workload, "group")
    assert (group.replicas, workload.totals.pods, workload.totals.gpus) == (4, 8, 8)
    assert workload.observed is not None
    assert (workload.observed.pods, workload.observed.gpus) == (12, 12)
    (instance,) = group.instances
    assert instance.replica_groups is not None
    assert [(one.key, one.observed.pods) for one in instance.replica_groups] == [
        (str(n), 2) for n in range(6)
    ]


def mpi_job(version: str, label: str, launcher: str, worker: str) -> tuple[str, Object, list[Object]]:
    """A definition of one version of a kind, an object of it, and its pods with that version's labels."""
    structure = f"""
    rootComponent: {{name: mpijob, kind: {{group: kubeflow.org, version: {version}, kind: MPIJob}}}}
    childComponents:
    - name: launcher
      specDefinition: {{podTemplateSpecPath: .spec.mpiReplicaSpecs.Launcher.template}}
      podSelector: {{componentTypeSelector: {{keyPath: '.metadata.labels["{label}"]', value: {launcher}}}}}
    - name: worker
      specDefinition: {{podTemplateSpecPath: .spec.mpiReplicaSpecs.Worker.template}}
      podSelector: {{componentTypeSelector: {{keyPath: '.metadata.labels["{label}"]', value: {worker}}}}}
    """
    roles = {"Launcher": {"template": template()}, "Worker": {"template": template()}}
    obj = of_kind(
        f"kubeflow.org/{version}", "MPIJob", {"mpiReplicaSpecs": roles}, name=version, uid=f"uid-{version}"
    )
    return structure, obj, [pod(f"{version}-{name}", obj, {label: name}) for name in (launcher, worker)]


@case("B91")
def test_each_version_of_a_kind_finds_its_pods_by_its_own_labels() -> None:
    older = mpi_job("v1", "training.kubeflow.org/replica-type", "Launcher", "Worker")
    newer = mpi_job("v2beta1", "training.kubeflow.org/job-role", "launcher", "worker")
    covered = definitions(definition(older[0], name="older"), definition(newer[0], name="newer"))
    everything = [*older[2], *newer[2]]
    for (_, obj, pods), name in ((older, "older"), (newer, "newer")):
        workload = resolve(obj, covered, pods=everything)
        placed = [member.name for one in workload.components for member in one.members or ()]
        assert (workload.definition, placed) == (name, [member["metadata"]["name"] for member in pods])
        assert workload.unattributed == ()


@case("B91")
def test_the_spelling_of_a_role_is_compared_exactly() -> None:
    structure, obj, _ = mpi_job("v2beta1", "training.kubeflow.org/job-role", "launcher", "worker")
    odd = pod("odd", obj, {"training.kubeflow.org/job-role": "Launcher"})
    workload = resolve(obj, definitions(definition(structure)), pods=[odd])
    assert [one.name for one in workload.unattributed or ()] == ["odd"]


@case("B123")
def test_three_pods_of_a_service_are_three_whatever_admits_them() -> None:
    service = inference_service({"minReplicas": 3}, conditions("Ready"))
    labels = {"component": "predictor", "serving.kserve.io/inferenceservice": "t"}
    admitted = [pod(f"p{n}", service, labels) for n in range(2)]
    waiting = pod("p2", service, labels, phase="Pending", ready=False, waiting="Unschedulable")
    entries = [
        controlled(of_kind("kueue.x-k8s.io/v1beta2", "Workload", name=f"pod-{n}", uid=f"w{n}"), owner)
        for n, owner in enumerate([*admitted, waiting, pod("gone")])
    ]
    workload = see(service, [*admitted, waiting], related=entries)
    assert [member.name for member in part(workload, "predictor").members or ()] == ["p0", "p1", "p2"]
    assert workload.observed is not None
    assert (workload.totals.pods, workload.observed.pods, workload.observed.ready) == (3, 3, 2)
    assert (workload.unattributed, workload.problems) == ((), ())


@case("B77")
def test_a_job_on_an_existing_cluster_has_no_pods_of_that_cluster() -> None:
    spec = {"clusterSelector": {"ray.io/cluster": "shared"}, "suspend": True}
    job = of_kind("ray.io/v1", "RayJob", spec, {"jobStatus": "RUNNING", "jobDeploymentStatus": "Running"})
    shared = raycluster(ray_group("g", replicas=2)) | {
        "metadata": {"name": "shared", "namespace": "n", "uid": "c"}
    }
    head = pod("head", shared, {"ray.io/node-type": "head"})
    workload = see(job, [head], related=[shared])
    assert (names(workload), workload.totals.pods) == (["submitter"], 1)
    assert (workload.suspended, workload.phases) == (False, ("Running",))
    assert workload.observed is not None
    assert workload.observed.pods == 0


@case("B77")
def test_both_clusters_of_an_upgrade_are_in_the_tree() -> None:
    spec = {"rayClusterConfig": raycluster(ray_group("g", replicas=2))["spec"]}
    status = {
        "activeServiceStatus": {"rayClusterName": "old"},
        "pendingServiceStatus": {"rayClusterName": "new"},
    }
    service = of_kind("ray.io/v1", "RayService", spec, conditions("Ready", **status))
    clusters = []
    pods = []
    for name in ("old", "new"):
        cluster = controlled(
            of_kind("ray.io/v1", "RayCluster", spec["rayClusterConfig"], name=name, uid=f"uid-{name}"),
            service,
        )
        clusters.append(cluster)
        pods.append(pod(f"{name}-head", cluster, {"ray.io/node-type": "head"}))
        worker = {"ray.io/node-type": "worker", "ray.io/group": "g"}
        pods.extend(pod(f"{name}-{n}", cluster, worker) for n in range(2))
    workload = see(service, pods, related=clusters)
    seen = [
        (one.id, one.pods, one.observed and one.observed.pods) for one in part(workload, "cluster").instances
    ]
    assert seen == [("active", 3, 3), ("pending", 3, 3)]
    assert (workload.totals.pods, workload.problems, workload.unattributed) == (6, (), ())
