"""Real workloads that are brought where they stay, by the scenarios that lives are recorded from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from tests.cluster import components
from tests.cluster.client import Object
from tests.cluster.cluster import Cluster
from tests.cluster.record.scenario import Scenario
from tests.cluster.record.steps import observe


@contextmanager
def settled(cluster: Cluster, scenarios: Sequence[Scenario]) -> Iterator[None]:
    """While the block lasts, each scenario is at its end, in a namespace that is called as its `slug`.

    Their operators must run.

    Raises:
        ScenarioError: one does not come to its end.
    """
    try:
        with ThreadPoolExecutor(len(scenarios)) as pool:
            list(pool.map(lambda one: _settle(cluster, one), scenarios))
        yield
    finally:
        for scenario in scenarios:
            for leftover in (*_nodes(scenario), _namespace(scenario)):
                cluster.client.delete(leftover)


def _settle(cluster: Cluster, scenario: Scenario) -> None:
    cluster.create_namespace(scenario.slug)
    for node in cluster.apply(_nodes(scenario)):
        cluster.wait_for(node, components.is_ready)
    observe(cluster.client, scenario)


def _nodes(scenario: Scenario) -> list[Object]:
    nodes = [components.node(name) for name in scenario.nodes]
    for node in nodes:
        node["metadata"]["labels"]["scenario"] = scenario.slug
    return nodes


def _namespace(scenario: Scenario) -> Object:
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": scenario.slug}}
