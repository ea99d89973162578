"""How many there are: defaults, bounds, zero, text, groups, and parts that are suspended."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cases.mark import case
from tests.cases.objects import (
    clique_set,
    conditions,
    inference_service,
    job,
    jobset,
    lws,
    mpijob,
    names,
    part,
    pod,
    pytorchjob,
    ray_group,
    raycluster,
    replicated_job,
    role,
    see,
)
from tests.engine.made_up import Object, codes, of_kind, template, thing, view


def scale_of(one: Any) -> tuple[int | None, int | None, int | None]:
    """Desired, least and most replicas of a component or an instance."""
    return one.replicas, one.min, one.max


LIST_OF_GROUPS = """
childComponents:
- name: worker
  instanceIdPath: .spec.groups[].name
  specDefinition: {podTemplateSpecPath: ".spec.groups[].template"}
  scaleDefinition: SCALE
  podSelector: {componentInstanceSelector: {idPath: '.metadata.labels["group"]'}}
"""


def list_of_groups(counts: list[int | None]) -> Object:
    """Groups a, b, c, … with these replicas; None: the field is missing."""
    groups = []
    for name, count in zip("abc", counts, strict=False):
        group: Object = {"name": name, "template": template(1)}
        groups.append(group if count is None else group | {"replicas": count})
    return thing({"groups": groups})


@case("B06")
@pytest.mark.parametrize(
    ("given", "expected"), [([2, None], [2, 1]), ([2, None, 0], [2, 1, 0]), ([None, None], [1, 1])]
)
@pytest.mark.parametrize(
    "scale",
    [
        '{replicasPath: ".spec.groups[].replicas", defaults: {replicas: 1}}',
        '{replicasPath: ".spec.groups[] | .replicas // 1"}',
    ],
    ids=["default beside the path", "default inside the iteration"],
)
def test_a_missing_count_takes_the_default_and_the_others_keep_their_own(
    scale: str, given: list[int | None], expected: list[int]
) -> None:
    workload = view(LIST_OF_GROUPS.replace("SCALE", scale), list_of_groups(given))
    instances = part(workload, "worker").instances
    assert [(one.id, one.replicas) for one in instances] == list(zip("abc", expected, strict=False))
    assert workload.totals.pods == sum(expected)
    assert workload.problems == ()


@case("B06")
def test_a_default_behind_the_whole_stream_never_gives_a_count_to_the_wrong_instance() -> None:
    after = LIST_OF_GROUPS.replace("SCALE", '{replicasPath: ".spec.groups[].replicas // 1"}')
    workload = view(after, list_of_groups([None, 2, 0]))
    assert [one.replicas for one in part(workload, "worker").instances] == [None, 2, 0]
    assert workload.totals.pods is None
    assert [problem.code for problem in workload.problems] == ["lengths-differ"]


@case("B07")
@pytest.mark.parametrize(
    ("fields", "pods"),
    [
        ({}, 0),
        ({"minReplicas": 2}, 2),
        ({"replicas": 5, "minReplicas": 0, "maxReplicas": 3, "numOfHosts": 1}, 3),
        ({"replicas": 1, "minReplicas": 2, "maxReplicas": 4, "numOfHosts": 1}, 2),
        ({"replicas": 2, "minReplicas": 1, "maxReplicas": 4, "numOfHosts": 4}, 8),
        ({"replicas": 2, "minReplicas": 1, "maxReplicas": 4, "numOfHosts": 4, "suspend": True}, 0),
    ],
    ids=[
        "nothing given",
        "minimum alone",
        "above the maximum",
        "below the minimum",
        "several hosts",
        "suspended",
    ],
)
def test_a_ray_group_has_zero_replicas_by_default_and_keeps_within_its_bounds(
    fields: Object, pods: int
) -> None:
    workload = see(raycluster(ray_group("g", **fields)))
    assert part(workload, "worker").pods == pods
    assert workload.totals.pods == 1 + pods
    assert workload.problems == ()


def knative_service() -> Object:
    annotations = {"autoscaling.knative.dev/min-scale": "2", "autoscaling.knative.dev/max-scale": "5"}
    spec = {"template": template(1) | {"metadata": {"annotations": annotations}}}
    return of_kind("serving.knative.dev/v1", "Service", spec)


@case("B17")
def test_bounds_in_the_annotations_of_a_service_are_numbers() -> None:
    workload = see(knative_service())
    assert scale_of(part(workload, "service")) == (None, 2, 5)
    assert (workload.totals.pods, workload.totals.at_min.pods, workload.totals.at_max.pods) == (None, 2, 5)
    assert workload.problems == ()


@case("B17")
def test_pods_of_a_service_are_grouped_by_their_revision() -> None:
    service = knative_service()
    pods = [pod(f"p{n}", service, {"serving.knative.dev/revision": f"r{n % 2 + 1}"}) for n in range(3)]
    (instance,) = part(see(service, pods), "service").instances
    assert instance.replica_groups is not None
    assert [(group.key, group.observed.pods) for group in instance.replica_groups] == [("r1", 2), ("r2", 1)]


@case("B18", "B65")
def test_nodes_of_a_replica_are_its_pods_and_no_replicas() -> None:
    worker = {"replicas": 2, "multinode": {"nodeCount": 4}, "resources": {"limits": {"gpu": "1"}}}
    graph = of_kind("nvidia.com/v1alpha1", "DynamoGraphDeployment", {"services": {"Worker": worker}})
    workload = see(graph)
    (instance,) = part(workload, "service").instances
    assert (instance.id, instance.replicas, instance.pods_per_replica, instance.pods) == ("Worker", 2, 4, 8)
    assert instance.per_pod.requests is not None
    assert instance.per_pod.requests.strings() == {"nvidia.com/gpu": "1"}
    assert workload.totals.gpus == 8


@case("B03")
def test_a_graph_is_whole_without_any_of_what_an_edit_could_set() -> None:
    services: Object = {"Frontend": {}, "Worker": {}}
    graph = of_kind("nvidia.com/v1alpha1", "DynamoGraphDeployment", {"services": services})
    workload = see(graph)
    assert [(one.id, one.pods) for one in part(workload, "service").instances] == [
        ("Frontend", 1),
        ("Worker", 1),
    ]
    assert workload.problems == ()
    assert services == {"Frontend": {}, "Worker": {}}


GROUPS = """
childComponents:
- name: group
  scaleDefinition: {replicasPath: .spec.replicas}
- name: leader
  ownerRef: group
  specDefinition: {podTemplateSpecPath: .spec.template}
  scaleDefinition: {replicasPath: LEADER, perParent: PER_PARENT}
  podSelector: {componentTypeSelector: {matchLabels: {role: leader}}}
- name: worker
  ownerRef: group
  specDefinition: {podTemplateSpecPath: .spec.template}
  scaleDefinition: {replicasPath: WORKER, perParent: PER_PARENT}
  podSelector: {componentTypeSelector: {matchLabels: {role: worker}}}
"""
PER_PARENT = GROUPS.replace("LEADER", '"1"').replace("WORKER", ".spec.size - 1").replace("PER_PARENT", "true")
ABSOLUTE = (
    GROUPS.replace("LEADER", ".spec.replicas")
    .replace("WORKER", ".spec.replicas * (.spec.size - 1)")
    .replace("PER_PARENT", "false")
)


@case("B19")
@pytest.mark.parametrize("structure", [PER_PARENT, ABSOLUTE], ids=["per parent", "absolute"])
def test_levels_are_multiplied_once_however_the_definition_counts(structure: str) -> None:
    workload = view(structure, thing({"replicas": 3, "size": 4, "template": template(1)}))
    counted = {name: part(workload, name).replicas for name in names(workload)}
    assert counted == {"group": 3, "leader": 3, "worker": 9}
    assert (part(workload, "group").pods, workload.totals.pods) == (12, 12)


@case("B19")
def test_three_groups_of_four_are_one_leader_and_three_workers_each() -> None:
    workload = see(lws(3, 4))
    counted = {name: (part(workload, name).replicas, part(workload, name).pods) for name in names(workload)}
    assert counted == {"group": (3, 12), "leader": (3, 3), "worker": (9, 9)}
    assert workload.totals.pods == 12


WORKFLOW = """
rootComponent: {name: workflow, kind: {group: argoproj.io, version: v1alpha1, kind: Workflow}}
childComponents:
- name: step
  specDefinition: {podSpecPath: ".spec.templates[0].podSpec"}
  scaleDefinition: {replicasPath: empty}
"""


@case("B32")
def test_a_cap_on_parallel_steps_is_no_count() -> None:
    spec = {"parallelism": 10, "templates": [{"podSpec": template()["spec"]}]}
    workflow = thing(spec, kind="Workflow") | {"apiVersion": "argoproj.io/v1alpha1"}
    workload = view(WORKFLOW, workflow, [pod(f"p{n}", workflow) for n in range(3)])
    step = part(workload, "step")
    assert (step.replicas, step.pods, workload.totals.pods) == (None, None, None)
    assert workload.observed is not None
    assert (workload.observed.pods, workload.disagreements) == (3, ())


@case("B37")
def test_no_parent_replicas_are_no_pods() -> None:
    structure = PER_PARENT.replace('"1"', '".spec.leaders"')
    workload = view(structure, thing({"replicas": 0, "leaders": 1, "size": 4, "template": template(1)}))
    assert (workload.totals.pods, workload.totals.gpus) == (0, 0)


@case("B37")
@pytest.mark.parametrize(("bound", "least"), [({"min": 0}, 0), ({}, 3)], ids=["zero", "missing"])
def test_a_minimum_of_zero_is_zero_and_a_missing_one_is_the_count(bound: Object, least: int) -> None:
    structure = """
    childComponents:
    - name: w
      specDefinition: {podTemplateSpecPath: .spec.template}
      scaleDefinition: {replicasPath: .spec.replicas, minReplicasPath: .spec.min}
    """
    workload = view(structure, thing({"template": template(2), "replicas": 3, **bound}))
    assert part(workload, "w").min == bound.get("min")
    assert (workload.totals.at_min.pods, workload.totals.at_min.gpus) == (least, 2 * least)
    assert (workload.totals.pods, workload.totals.gpus) == (3, 6)


@case("B43")
def test_an_elastic_job_that_can_run_with_five_of_nine_pods_says_so() -> None:
    workload = see(pytorchjob(role(1, 1), role(8, 1), elasticPolicy={"minReplicas": 5}))
    assert (part(workload, "master").pods, part(workload, "worker").pods) == (1, 8)
    assert (workload.totals.pods, workload.totals.at_min.pods) == (9, 5)


@pytest.mark.parametrize(("workers", "policy"), [(2, {"minReplicas": 5}), (8, {"maxReplicas": 4})])
def test_the_operator_makes_as_many_workers_as_it_is_told(workers: int, policy: dict[str, int]) -> None:
    """Whatever the elastic policy says: it is for torchrun, and for the autoscaler."""
    workload = see(pytorchjob(role(1, 1), role(workers, 1), elasticPolicy=policy))
    assert (workload.totals.pods, workload.totals.gpus) == (1 + workers, 1 + workers)


@case("B45")
def test_a_job_without_workers_has_a_master_alone() -> None:
    workload = see(pytorchjob(role(1, 1), None))
    assert names(workload) == ["master"]
    assert (workload.totals.pods, workload.totals.gpus, workload.problems) == (1, 1, ())


@case("B49", "B67")
def test_a_suspended_ray_group_counts_nothing_and_is_marked() -> None:
    groups = [
        ray_group("a", 1, replicas=2, minReplicas=1, maxReplicas=4),
        ray_group("b", 1, replicas=3, minReplicas=3, maxReplicas=3, suspend=True),
    ]
    workload = see(raycluster(*groups))
    worker = part(workload, "worker")
    assert scale_of(worker) == (2, 1, 4)
    a, b = worker.instances
    assert (a.suspended, a.pods) == (False, 2)
    assert (b.id, b.suspended, b.pods, b.gpus, scale_of(b)) == ("b", True, 0, 0, (0, 0, 0))
    assert b.per_pod.requests is not None
    assert b.per_pod.requests.accelerators() == 1
    assert (workload.totals.pods, workload.totals.at_min.pods, workload.totals.at_max.pods) == (3, 2, 5)


@case("B49")
def test_the_minimum_of_a_cluster_leaves_its_suspended_group_out() -> None:
    groups = [
        ray_group("a", replicas=2, minReplicas=2),
        ray_group("b", replicas=4, minReplicas=4, suspend=True),
    ]
    assert see(raycluster(*groups)).totals.at_min.pods == 1 + 2 + 0


@case("B51")
@pytest.mark.parametrize("workers", [{"workerGroupSpecs": []}, {"workerGroupSpecs": None}, {}], ids=str)
def test_a_ray_cluster_without_workers_is_its_head(workers: Object) -> None:
    cluster = raycluster()
    del cluster["spec"]["workerGroupSpecs"]
    cluster["spec"] |= workers
    workload = see(cluster)
    assert (names(workload), workload.totals.pods, workload.problems) == (["head"], 1, ())


@case("B53")
def test_a_job_of_four_is_one_workload_of_four_pods() -> None:
    workload = see(job(parallelism=4, completions=4))
    assert (names(workload), workload.totals.pods) == (["job"], 4)


@case("B55")
@pytest.mark.parametrize(("completions", "per_job", "pods"), [(4, 4, 12), (2, 2, 6)])
def test_a_replicated_job_makes_no_more_pods_than_it_has_completions(
    completions: int, per_job: int, pods: int
) -> None:
    workload = see(jobset(replicated_job("w", 3, parallelism=4, completions=completions)))
    (instance,) = part(workload, "replicatedjob").instances
    assert (instance.id, instance.replicas, instance.pods_per_replica) == ("w", 3, per_job)
    assert workload.totals.pods == pods


@case("B75")
def test_each_ray_group_has_its_own_count() -> None:
    workload = see(raycluster(ray_group("a", 1, replicas=2), ray_group("b", 4, replicas=3)))
    counted = [(one.id, one.replicas, one.gpus) for one in part(workload, "worker").instances]
    assert counted == [("a", 2, 2), ("b", 3, 12)]
    assert (part(workload, "worker").pods, workload.totals.gpus) == (5, 14)


@case("B85")
@pytest.mark.parametrize(("nodes", "workers"), [(1, 0), (4, 3)])
def test_a_launcher_that_is_also_a_node_is_counted_once(nodes: int, workers: int) -> None:
    spec = {"runtimeRef": {"kind": "TrainingRuntime", "name": "mpi"}, "trainer": {"numNodes": nodes}}
    runtime = of_kind(
        "trainer.kubeflow.org/v1alpha1",
        "TrainingRuntime",
        {
            "mlPolicy": {"numNodes": 1, "mpi": {"runLauncherAsNode": True}},
            "template": {"spec": {"replicatedJobs": [replicated_job("launcher"), replicated_job("node")]}},
        },
        name="mpi",
        uid="uid-mpi",
    )
    workload = see(of_kind("trainer.kubeflow.org/v1alpha1", "TrainJob", spec), related=[runtime])
    roles = {one.id: one.pods for one in part(workload, "replicatedjob").instances}
    assert roles == {"launcher": 1, "node": workers}
    assert workload.totals.pods == nodes


@case("B87")
@pytest.mark.parametrize(("replicas", "pods"), [(None, 1), (2, 3)], ids=["no count", "two workers"])
def test_each_role_has_the_default_of_its_own_controller(replicas: int | None, pods: int) -> None:
    workload = see(mpijob(role(None), role(replicas)))
    assert (part(workload, "launcher").pods, part(workload, "worker").pods) == (1, pods - 1)
    assert workload.totals.pods == pods


@case("B93")
@pytest.mark.parametrize(("mode", "pods"), [("RawDeployment", 1), ("Standard", 1), ("Serverless", 0)])
def test_zero_means_what_the_mode_of_the_service_makes_of_it(mode: str, pods: int) -> None:
    annotations = {"serving.kserve.io/deploymentMode": mode}
    service = inference_service({"minReplicas": 0}, conditions("Ready"), annotations=annotations)
    workload = see(service, [])
    assert workload.totals.at_min.pods == workload.totals.pods == pods
    assert workload.phases == ("Running",)
    assert [one.code for one in workload.disagreements] == (["not-enough-ready"] if pods else [])


@case("B99")
def test_a_clique_that_says_nothing_is_one_pod_and_needs_it() -> None:
    workload = see(clique_set({"podSpec": template(1)["spec"]}, replicas=1))
    (clique,) = part(workload, "clique").instances
    assert (scale_of(clique)[:2], workload.totals.pods) == ((1, 1), 1)


def nim_service(status: Any = None, **spec: Any) -> Object:
    service = {"resources": {"limits": {"nvidia.com/gpu": 8}}, "image": {"repository": "nim", "tag": "1"}}
    return of_kind("apps.nvidia.com/v1alpha1", "NIMService", service | spec, status)


@case("B101")
@pytest.mark.parametrize(
    ("spec", "replicas", "per_replica", "pods", "gpus"),
    [
        ({"replicas": 0}, 0, 1, 0, 0),
        ({"replicas": 1, "multiNode": {"parallelism": {"pipeline": 2, "tensor": 8}}}, 1, 2, 2, 16),
        ({"scale": {"enabled": True, "hpa": {"minReplicas": 3}}}, 3, 1, 3, 24),
    ],
    ids=["zero", "several nodes", "autoscaled"],
)
def test_the_size_of_a_service_is_its_pipeline_and_its_count_the_autoscalers(
    spec: Object, replicas: int, per_replica: int, pods: int, gpus: int
) -> None:
    workload = see(nim_service(**spec))
    root = part(workload, "nimservice")
    assert (root.replicas, root.pods_per_replica) == (replicas, per_replica)
    assert (workload.totals.pods, workload.totals.gpus) == (pods, gpus)


@case("B101")
def test_a_service_put_to_zero_is_suspended_and_not_failed() -> None:
    workload = see(nim_service({"state": "NotReady"}, replicas=0))
    assert (workload.phases, workload.totals.pods) == (("Suspended",), 0)


@case("B101")
def test_several_nodes_that_scale_by_themselves_are_no_number() -> None:
    bounds = {"minReplicas": 3, "maxReplicas": 5}
    nodes = {"parallelism": {"pipeline": 2}}
    workload = see(nim_service(multiNode=nodes, scale={"enabled": True, "hpa": bounds}))
    assert (workload.totals.pods, workload.totals.gpus) == (None, None)
    assert codes(workload) == ["path-failed"]


FLINK = """
rootComponent: {name: deployment, kind: {group: flink.apache.org, version: v1beta1, kind: FlinkDeployment}}
childComponents:
- name: jobmanager
  specDefinition:
    fragmentedPodSpecDefinition: {resourcesPath: ".spec.jobManager.resource | {requests: {cpu: .cpu}}"}
  scaleDefinition: {replicasPath: .spec.jobManager.replicas, defaults: {replicas: 1}}
  podSelector: {componentTypeSelector: {matchLabels: {role: jobmanager}}}
- name: taskmanager
  specDefinition:
    fragmentedPodSpecDefinition: {resourcesPath: ".spec.taskManager.resource | {requests: {cpu: .cpu}}"}
  scaleDefinition:
    replicasPath: >-
      if .spec.taskManager.replicas != null then .spec.taskManager.replicas
      else (.spec.flinkConfiguration["taskmanager.numberOfTaskSlots"] // "1" | tonumber) as $slots
      | .spec.job.parallelism as $tasks
      | ($tasks - $tasks % $slots) / $slots + (if $tasks % $slots > 0 then 1 else 0 end) end
  podSelector: {componentTypeSelector: {matchLabels: {role: taskmanager}}}
"""


@case("B107")
@pytest.mark.parametrize(
    ("replicas", "task_managers", "pods", "cpu"),
    [(None, 4, 5, "9"), (6, 6, 7, "13")],
    ids=["computed", "given"],
)
def test_a_computed_count_is_each_roles_own(
    replicas: int | None, task_managers: int, pods: int, cpu: str
) -> None:
    task_manager: Object = {"resource": {"cpu": 2}}
    if replicas is not None:
        task_manager["replicas"] = replicas
    spec = {
        "jobManager": {"replicas": 1, "resource": {"cpu": 1}},
        "taskManager": task_manager,
        "job": {"parallelism": 7},
        "flinkConfiguration": {"taskmanager.numberOfTaskSlots": "2"},
    }
    flink = thing(spec, kind="FlinkDeployment") | {"apiVersion": "flink.apache.org/v1beta1"}
    workload = view(FLINK, flink)
    assert (part(workload, "jobmanager").pods, part(workload, "taskmanager").pods) == (1, task_managers)
    assert workload.totals.requests is not None
    assert (workload.totals.pods, workload.totals.requests.strings()) == (pods, {"cpu": cpu})
    assert codes(workload) == []
