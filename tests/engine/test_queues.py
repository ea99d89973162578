"""Queues in fields of the kinds that have some; labels are tested with the views that show them."""

from __future__ import annotations

from typing import Any

import pytest

from workload_map.engine.queues import find_waiting
from workload_map.engine.view import Queue


def job(spec: Any, *, api_version: str = "batch.volcano.sh/v1alpha1", **labels: str) -> dict[str, Any]:
    metadata = {"name": "train", "labels": labels}
    return {"apiVersion": api_version, "kind": "Job", "metadata": metadata, "spec": spec}


def test_a_field_names_the_queue_and_the_priority() -> None:
    found = find_waiting(job({"queue": "a", "priorityClassName": "high"}), (), None)
    assert found == (Queue(name="a", system="volcano", admitted=None), "high")


def test_a_label_goes_before_a_field() -> None:
    labels = {"kueue.x-k8s.io/queue-name": "b", "kueue.x-k8s.io/priority-class": "low"}
    found = find_waiting(job({"queue": "a", "priorityClassName": "high"}, **labels), (), False)
    assert found == (Queue(name="b", system="kueue", admitted=True), "low")


@pytest.mark.parametrize(
    "spec", [None, [], "queue", {}, {"queue": None}, {"queue": ""}, {"queue": 3}, {"queue": ["a"]}]
)
def test_what_is_no_name_of_a_queue_is_none(spec: Any) -> None:
    assert find_waiting(job(spec), (), None) == (None, None)


def test_the_field_of_another_kind_of_that_name_means_nothing() -> None:
    assert find_waiting(job({"queue": "a"}, api_version="batch/v1"), (), None) == (None, None)
