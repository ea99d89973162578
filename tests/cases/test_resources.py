"""What the pods ask for: init containers and sidecars, limits, injected containers, claims."""

from __future__ import annotations

import pytest

from tests.cases.mark import case
from tests.cases.objects import part, pod, pytorchjob, ray_group, raycluster, role, see
from tests.engine.made_up import Object, template


def container(name: str, gpus: int, **more: str) -> Object:
    return {"name": name, "image": "app:1", "resources": {"limits": {"nvidia.com/gpu": gpus}}, **more}


def pod_of(containers: list[Object], init_containers: list[Object]) -> Object:
    made = pod("p")
    made["spec"] = {"containers": containers, "initContainers": init_containers}
    return made


PEAK, SIDECAR = container("a", 4), container("b", 1, restartPolicy="Always")


@case("B24")
@pytest.mark.parametrize(
    ("init_containers", "gpus"),
    [([PEAK, SIDECAR], 4), ([SIDECAR, PEAK], 5), ([SIDECAR], 4), ([], 3)],
    ids=["init first", "sidecar first", "sidecar alone", "neither"],
)
def test_an_init_container_peaks_on_top_of_the_sidecars_before_it(
    init_containers: list[Object], gpus: int
) -> None:
    # Running: 2 + 1 + the sidecar's 1 = 4. The init container asks for 4, and for 4 + 1 behind the sidecar.
    workload = see(pod_of([container("main", 2), container("helper", 1)], init_containers))
    assert workload.totals.gpus == gpus


@case("B24")
def test_an_init_container_below_the_containers_changes_nothing() -> None:
    assert see(pod_of([container("main", 2)], [container("init", 1)])).totals.gpus == 2


@case("B29")
def test_a_master_with_one_gpu_and_four_workers_with_eight_have_thirty_three() -> None:
    workload = see(pytorchjob(role(1, 1), role(4, 8)))
    assert (part(workload, "master").gpus, part(workload, "worker").gpus, workload.totals.gpus) == (1, 32, 33)


@case("B47")
def test_each_ray_group_has_its_own_minimum_and_its_own_need() -> None:
    groups = [
        ray_group("small", 1, replicas=3, minReplicas=1),
        ray_group("big", 99, replicas=3, minReplicas=1),
    ]
    workload = see(raycluster(*groups))
    needed = [(one.id, one.min, one.gpus) for one in part(workload, "worker").instances]
    assert needed == [("small", 1, 3), ("big", 1, 297)]
    assert (workload.totals.at_min.pods, workload.totals.at_min.gpus) == (3, 100)


@case("B63")
def test_devices_of_a_claim_are_no_whole_gpus_of_each_pod_and_stay_unknown() -> None:
    claiming = template()
    claiming["spec"]["resourceClaims"] = [{"name": "gpu", "resourceClaimName": "one-gpu"}]
    claiming["spec"]["containers"][0]["resources"] = {"claims": [{"name": "gpu"}]}
    workload = see(raycluster(ray_group("a") | {"template": claiming, "replicas": 2}))
    assert workload.totals.gpus == 0
    assert [(claim.name, claim.count) for claim in workload.totals.claims] == [("one-gpu", None)]


@case("B63")
def test_a_shared_claim_counts_once_and_one_from_a_template_once_a_pod() -> None:
    request = {"name": "gpu", "exactly": {"deviceClassName": "gpu.nvidia.com", "count": 1}}
    devices = {"devices": {"requests": [request]}}
    meta = {"name": "one-gpu", "namespace": "research"}
    shared = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "metadata": meta, "spec": devices}
    each = shared | {"kind": "ResourceClaimTemplate", "spec": {"spec": devices}}
    for field, obj, count in (("resourceClaimName", shared, 1), ("resourceClaimTemplateName", each, 2)):
        claiming = template()
        claiming["spec"]["resourceClaims"] = [{"name": "gpu", field: "one-gpu"}]
        cluster = raycluster(ray_group("a") | {"template": claiming, "replicas": 2})
        cluster["metadata"]["namespace"] = "research"
        workload = see(cluster, related=[obj])
        found = [(claim.name, claim.device_class, claim.count) for claim in workload.totals.claims]
        assert found == [("one-gpu", "gpu.nvidia.com", count)]
        assert workload.problems == ()


@case("B71")
def test_a_count_below_the_minimum_is_raised_and_limits_count_where_requests_are_absent() -> None:
    cluster = raycluster(ray_group("g", 2, replicas=1, minReplicas=3), status={"desiredGPU": "2"})
    workload = see(cluster)
    worker = part(workload, "worker")
    assert (worker.replicas, worker.gpus, workload.totals.gpus) == (3, 6, 6)
    assert workload.totals.requests is not None
    # The operator's init container asks for CPU and memory, and the template for none.
    assert workload.totals.requests.strings() == {"cpu": "600m", "memory": "768Mi", "nvidia.com/gpu": "6"}


@case("B73")
def test_the_container_that_the_autoscaler_adds_is_counted() -> None:
    head = template()
    head["spec"]["containers"][0]["resources"] = {"requests": {"cpu": "2", "memory": "4Gi"}}
    group = ray_group("g", 1, replicas=1, minReplicas=0, maxReplicas=8)
    workload = see(raycluster(group, head=head, enableInTreeAutoscaling=True))
    requests = part(workload, "head").requests
    assert requests is not None
    assert requests.strings() == {"cpu": "2500m", "memory": "4608Mi"}
    assert part(workload, "head").per_pod.injected == ("autoscaler",)
    assert part(workload, "worker").per_pod.injected == ("wait-gcs-ready",)
    worker = part(workload, "worker")
    assert (worker.replicas, worker.min, worker.max) == (1, 0, 8)
    assert workload.totals.gpus == 1


@case("B73")
def test_without_the_autoscaler_nothing_is_added() -> None:
    head = template()
    head["spec"]["containers"][0]["resources"] = {"requests": {"cpu": "2", "memory": "4Gi"}}
    requests = part(see(raycluster(head=head)), "head").requests
    assert requests is not None
    assert requests.strings() == {"cpu": "2", "memory": "4Gi"}
