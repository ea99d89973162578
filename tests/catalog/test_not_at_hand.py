"""Kinds whose counts lie in other objects, where nobody looked for those: unknown, and never 0."""

from typing import Any

import pytest

from workload_map.catalog import Catalog
from workload_map.engine.resolve import resolve

RAY_CLUSTER = {
    "headGroupSpec": {"template": {"spec": {"containers": [{"name": "ray-head", "image": "ray"}]}}}
}
CRON_JOB = {
    "apiVersion": "ray.io/v1",
    "kind": "RayCronJob",
    "metadata": {"name": "nightly", "namespace": "ml"},
    "spec": {"schedule": "0 2 * * *", "jobTemplate": {"rayClusterSpec": RAY_CLUSTER}},
    "status": {"lastScheduleTime": "2026-03-03T18:00:00Z"},
}


@pytest.mark.parametrize("obj", [CRON_JOB], ids=lambda obj: obj["kind"])
def test_a_count_that_lies_in_objects_nobody_looked_for_is_unknown(obj: dict[str, Any]) -> None:
    workload = resolve(obj, Catalog.builtin())
    assert (workload.totals.pods, workload.totals.gpus) == (None, None)
    assert "reference-missing" in [problem.code for problem in workload.problems]


@pytest.mark.parametrize("obj", [CRON_JOB], ids=lambda obj: obj["kind"])
def test_the_same_is_none_where_they_were_looked_for_and_there_are_none(obj: dict[str, Any]) -> None:
    workload = resolve(obj, Catalog.builtin(), related=[])
    assert (workload.totals.pods, workload.totals.gpus, workload.problems) == (0, 0, ())
