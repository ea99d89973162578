"""Real workloads that are brought where they stay, by the scenarios that lives are recorded from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from tests.cluster.client import Object
from tests.cluster.cluster import Cluster
from tests.cluster.record.scenario import Scenario
from tests.cluster.record.steps import observe, prepare


@contextmanager
def settled(cluster: Cluster, scenarios: Sequence[Scenario]) -> Iterator[None]:
    """While the block lasts, each scenario is at its end, in a namespace that is called as its `slug`.

    Their operators must run.

    Raises:
        ScenarioError: one does not come to its end.
    """
    made: list[Object] = []
    try:
        for scenario in scenarios:
            made += prepare(cluster, scenario)
        with ThreadPoolExecutor(len(scenarios)) as pool:
            list(pool.map(lambda one: observe(cluster.client, one), scenarios))
        yield
    finally:
        for leftover in made:
            cluster.client.delete(leftover)
