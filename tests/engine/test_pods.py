"""What is worked out once for pods that say the same is what is worked out for each."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.engine.made_up import definition, thing
from tests.engine.test_attribution import ROLES
from workload_map.engine.observing import observe, together
from workload_map.engine.placing import Place, Places, find_place
from workload_map.engine.plan import Plan
from workload_map.engine.pod_status import PodStatus
from workload_map.engine.pods import Pods
from workload_map.engine.reading import Reader
from workload_map.engine.resource_list import ACCELERATORS
from workload_map.engine.resources import pod_resources
from workload_map.engine.structure import PlacedPod
from workload_map.engine.view import Pod

VALUES = st.sampled_from(["head", "worker", "g1", "1", "", 1, 1.0, True, None, ["worker"], {"a": "b"}])
LABELS = st.dictionaries(st.sampled_from(["role", "group", "index", "other"]), VALUES)
METADATA = st.sampled_from([{}, {"labels": None}, {"labels": ["role"]}]) | LABELS.map(
    lambda labels: {"labels": labels}
)
OVERLAPPING = ROLES.replace("value: worker", "value: head")


@given(st.lists(METADATA, max_size=12), st.sampled_from([ROLES, OVERLAPPING]))
def test_pods_with_the_same_labels_have_the_place_that_each_has(metadata: list[Any], roles: str) -> None:
    plan = Plan(definition(roles))
    together, alone = Reader(thing({})), Reader(thing({}))
    places = Places(plan)
    for number, given_ in enumerate(metadata):
        one = {"metadata": {"name": f"p{number // 2}", **given_}}  # as in two namespaces
        assert places.find(one, one["metadata"], together) == find_place(plan, one, alone)
    assert together.problems == alone.problems


CONTAINERS = [
    [{"name": "c", "resources": {"requests": {"nvidia.com/gpu": count}}}] for count in ("1", 1, True)
]
INITS = [None, [], [{"name": "i", "restartPolicy": "Always", "resources": {"requests": {"cpu": "1"}}}]]
STATUSES = [{"phase": "Running"}, {"phase": "Failed"}, None]
MORE = st.sampled_from(
    [
        {},
        {"overhead": {"cpu": "1"}},
        {"resources": {"requests": {"cpu": "7"}}},
        {"nodeName": 3},
        {"nodeName": "n"},
    ]
)


@given(
    st.lists(
        st.tuples(st.sampled_from(STATUSES), st.sampled_from(CONTAINERS), st.sampled_from(INITS), MORE),
        max_size=12,
    )
)
def test_pods_that_have_parts_in_common_need_what_each_needs(made: list[tuple[Any, Any, Any, Any]]) -> None:
    known = Pods()
    for status, containers, inits, more in made:
        spec = {"containers": containers, "initContainers": inits, **more}
        placed = known.placed({"status": status, "spec": spec}, {"name": "p"}, Place(None), Reader(thing({})))
        assert placed.pod.requests == pod_resources(spec).requests
        assert placed.pod.node == ("n" if more.get("nodeName") == "n" else None)


TROUBLES = st.sampled_from([None, "OOMKilled", "Pending", "NotReady"])


@st.composite
def placed(draw: st.DrawFn) -> PlacedPod:
    phase = draw(st.sampled_from([None, "Running", "Succeeded", "Failed", "Pending"]))
    trouble = draw(TROUBLES)
    node = draw(st.sampled_from([None, "a", "b"]))
    needs = pod_resources({"containers": draw(st.sampled_from([*CONTAINERS, []]))})
    name = str(draw(st.integers(0, 10**9)))
    shown = Pod(name, phase, trouble is None, node, None, None, None, None, None, needs.requests, None)
    status = PodStatus(phase, None, trouble, name, trouble is None, None)
    return PlacedPod(shown, status, history=draw(st.booleans()))


@given(st.lists(st.lists(placed(), max_size=5), min_size=1, max_size=4))
def test_what_is_observed_of_groups_is_what_is_observed_of_all(groups: list[list[PlacedPod]]) -> None:
    everything = [one for group in groups for one in group]
    told = together([observe(group, ACCELERATORS) for group in groups])
    assert told == observe(everything, ACCELERATORS)
