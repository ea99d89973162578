"""What a list asks of a cluster: the workloads, the pods, and only what may stand between these two."""

from __future__ import annotations

from typing import Any

import pytest

from tests.apiserver import serving
from tests.apiserver.server import COMMON, Kind
from tests.cli.conftest import Wmap
from tests.cli.objects import job, pod

RAY_CLUSTER = Kind("ray.io/v1", "RayCluster", "rayclusters")
RAY_JOB = Kind("ray.io/v1", "RayJob", "rayjobs")
RAY_SERVICE = Kind("ray.io/v1", "RayService", "rayservices")
RAY_CRON_JOB = Kind("ray.io/v1", "RayCronJob", "raycronjobs")
TRAIN_JOB = Kind("trainer.kubeflow.org/v1alpha1", "TrainJob", "trainjobs")
WRAPPER = Kind("workload.codeflare.dev/v1beta2", "AppWrapper", "appwrappers")
KINDS = (
    *COMMON,
    Kind("apps/v1", "StatefulSet", "statefulsets"),
    Kind("kubeflow.org/v1", "TFJob", "tfjobs"),
    *(RAY_CLUSTER, RAY_JOB, RAY_SERVICE, RAY_CRON_JOB, TRAIN_JOB, WRAPPER),
)


def _owned_pod(owner: Kind) -> dict[str, Any]:
    name = f"of-{owner.kind.lower()}"
    reference = {"apiVersion": owner.api_version, "kind": owner.kind, "name": name, "uid": f"uid-{name}"}
    return pod(f"{name}-0", name, metadata={"ownerReferences": [{**reference, "controller": True}]})


@pytest.mark.parametrize(
    ("kind", "between"),
    [
        # KubeRay makes a RayCluster, and a Job that submits; a cluster has one that cleans up.
        (RAY_JOB, {"rayclusters", "jobs"}),
        (RAY_SERVICE, {"rayclusters", "jobs"}),
        (RAY_CRON_JOB, {"rayjobs", "rayclusters", "jobs"}),
        # The trainer makes a JobSet, and that makes Jobs.
        (TRAIN_JOB, {"jobsets", "jobs"}),
    ],
    ids=lambda value: value.kind if isinstance(value, Kind) else "",
)
def test_what_a_kind_wraps_is_known_from_the_definitions(wmap: Wmap, kind: Kind, between: set[str]) -> None:
    """Pods of every other kind lie beside, and what controls those is nobody's question."""
    others = [
        _owned_pod(owner) for owner in KINDS if owner.kind not in ("Pod", "Namespace", "Event", "Karta")
    ]
    with serving([job("beside"), *others], KINDS) as server:
        result = wmap("get", kind.plural, "-n", "lab", "--server", server.url)
        assert (result.code, result.out) == (0, "")
        asked = [path.rpartition("/")[2] for path in server.paths(besides_discovery=True)]
        assert sorted(asked) == sorted({kind.plural, "pods"} | between)


def test_what_wraps_anything_is_followed_by_what_controls_the_pods(wmap: Wmap) -> None:
    with serving([_owned_pod(RAY_CLUSTER)], KINDS) as server:
        assert wmap("get", "appwrappers", "-n", "lab", "--server", server.url).code == 0
        asked = [path.rpartition("/")[2] for path in server.paths(besides_discovery=True)]
    assert sorted(asked) == ["appwrappers", "pods", "rayclusters"]
