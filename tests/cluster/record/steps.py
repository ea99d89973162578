"""Takes the steps of a scenario, and makes a life of what was seen meanwhile."""

from __future__ import annotations

import bisect
import copy
import json
from typing import Any, NamedTuple

from tests.cluster import components, stages
from tests.cluster.client import Client, Object
from tests.cluster.cluster import Cluster
from tests.cluster.record.observing import Change, Observer, State, new_state, update
from tests.cluster.record.scenario import Scenario, ScenarioError, Step
from tests.cluster.record.stable import with_counted_times, without_chance, without_times
from workload_map.path import PathError, Program

_CHANGES = ("patch", "annotate", "delete", "apply")


class Seen(NamedTuple):
    """All changes, as they were, and for each step that changes something the newest version before it."""

    changes: list[Change]
    begins: list[int]


def prepare(cluster: Cluster, scenario: Scenario) -> list[Object]:
    """Make the namespace and the nodes of a scenario; gives them, to be deleted when it is over."""
    cluster.create_namespace(scenario.slug)
    nodes = [components.node(name) for name in scenario.nodes]
    for node in nodes:
        node["metadata"]["labels"]["scenario"] = scenario.slug
    for node in cluster.apply(nodes):
        cluster.wait_for(node, components.is_ready)
    return [*nodes, {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": scenario.slug}}]


def observe(client: Client, scenario: Scenario) -> Seen:
    """Run a scenario in its namespace, which is there and empty.

    Raises:
        ScenarioError: a step did not come to its end.
        ApiError: the server refuses one.
    """
    kinds = [scenario.object, {"apiVersion": "v1", "kind": "Pod"}, *map(_split, scenario.between)]
    collections = {client.collection(one["apiVersion"], one["kind"], scenario.slug) for one in kinds}
    observer = Observer(client, sorted(collections), _root(scenario))
    for obj in scenario.manifest:
        client.apply(obj, scenario.slug)
    begins = []
    for number, step in enumerate(scenario.steps, start=1):
        if step.verb in _CHANGES:
            begins.append(observer.version())
        try:
            _take(client, observer, step, scenario.slug)
        except ScenarioError as error:
            raise ScenarioError(f"{scenario.name}, step {number} ({step}): {error}") from error
    return Seen(observer.stop(), begins)


def frames(scenario: Scenario, seen: Seen) -> list[State]:
    """The distinct states while the object is there, with what is by chance made stable.

    Raises:
        ScenarioError: the object never was there.
    """
    state = new_state()
    found: list[tuple[int, State]] = []
    before: State | None = None
    for change in without_chance(seen.changes):
        update(state, change, _root(scenario))
        if state["object"] is None:
            if found:
                break
            continue
        visible = without_times(state)
        if visible != before:
            step = bisect.bisect_left(seen.begins, change.version)
            found.append((step, copy.deepcopy(state)))
            before = visible
    if not found:
        raise ScenarioError(f"{scenario.name}: the object never was there")
    return with_counted_times(found)


def _root(scenario: Scenario) -> tuple[str, str]:
    return scenario.object["kind"], scenario.object["metadata"]["name"]


def _split(kind: str) -> Object:
    api_version, _, name = kind.rpartition("/")
    return {"apiVersion": api_version, "kind": name}


def _take(client: Client, observer: Observer, step: Step, namespace: str) -> None:
    if step.verb == "wait":
        if not observer.wait(lambda state: _holds(step.value, state), step.seconds):
            raise ScenarioError(
                f"not within {step.seconds:g} s; the last state was {_short(observer.newest())}"
            )
    elif step.verb == "settle":
        if not observer.settle(step.value, step.seconds):
            raise ScenarioError(f"something still changed after {step.seconds:g} s")
    elif step.verb == "apply":
        client.apply(step.value, namespace)
    elif step.verb == "delete":
        for obj in _chosen(observer, step.value):
            client.delete(obj, step.propagation)
    else:
        change = _annotations(step.value) if step.verb == "annotate" else step.value
        for obj in _chosen(observer, step.of):
            client.patch(obj, change)


def _annotations(asked: Object) -> Object:
    values = {f"{stages.PREFIX}/{name.replace('_', '-')}": value for name, value in asked.items()}
    return {"metadata": {"annotations": values}}


def _holds(program: Program, state: State) -> bool:
    try:
        return program.first(state) not in (None, False)
    except PathError:
        return False


def _chosen(observer: Observer, program: Program) -> list[Object]:
    """What an expression gives of the newest state.

    Raises:
        ScenarioError: nothing, or no objects.
    """
    try:
        objects: list[Any] = program.all(observer.newest())
    except PathError as error:
        raise ScenarioError(str(error)) from error
    if not objects or not all(isinstance(one, dict) and "metadata" in one for one in objects):
        raise ScenarioError(f"{program.text} gives no objects")
    return objects


def _short(state: State) -> str:
    everything = {"object": state["object"], **state["pods"], **state["related"]}
    return json.dumps({name: (one or {}).get("status") for name, one in everything.items()}, indent=1)
