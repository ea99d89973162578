"""Levels below levels: whose child an instance is, how counts multiply, and which pod goes where."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.made_up import codes, definition, pod, template, thing, view
from workload_map.engine import Component, Workload
from workload_map.engine.plan import Plan

TWO_LEVELS = """
childComponents:
- name: group
  instanceIdPath: .spec.groups[].name
  podSelector:
    componentInstanceSelector: {idPath: '.metadata.labels["group"]'}
    replicaSelector: {keyPath: '.metadata.labels["index"]'}
- name: member
  ownerRef: group
  instanceIdPath: .spec.groups[].members[].name
  specDefinition: {podTemplateSpecPath: ".spec.groups[].members[].template"}
  podSelector:
    componentInstanceSelector: {idPath: '.metadata.labels["member"]'}
    PARENT
"""
AS_THE_PARENT_SAYS = TWO_LEVELS.replace("PARENT", "")
BY_ITSELF = TWO_LEVELS.replace("PARENT", "parentInstancePath: '.metadata.labels[\"of\"]'")


def member(name: str, gpus: int = 1) -> dict[str, Any]:
    return {"name": name, "template": template(gpus)}


SPEC = {
    "groups": [
        {"name": "g1", "members": [member("a"), member("b")]},
        {"name": "g2", "members": [member("a")]},
    ]
}


def placed(workload: Workload) -> dict[str, dict[str | None, list[str]]]:
    """The pods of each instance, by the group and the member."""
    (group,) = workload.components
    found: dict[str, dict[str | None, list[str]]] = {}
    for instance in group.instances:
        for component in instance.components:
            for one in component.members or ():
                found.setdefault(instance.id or "", {}).setdefault(one.instance, []).append(one.name)
    return found


@pytest.mark.parametrize("structure", [AS_THE_PARENT_SAYS, BY_ITSELF])
def test_a_pod_goes_to_the_instance_of_the_parent_that_it_names(structure: str) -> None:
    pods = [
        pod("p1", member="a", group="g1", of="g1"),
        pod("p2", member="a", group="g2", of="g2"),
        pod("p3", member="b", group="g1", of="g1"),
        # b is in one group only, so the group need not be said.
        pod("p4", member="b"),
    ]
    workload = view(structure, thing(SPEC), pods)
    assert placed(workload) == {"g1": {"a": ["p1"], "b": ["p3", "p4"]}, "g2": {"a": ["p2"]}}
    assert workload.problems == ()


def test_a_pod_that_fits_several_parents_or_none_is_a_member_of_no_instance() -> None:
    pods = [
        pod("either", member="a"),
        pod("gone", member="a", group="g9"),
        pod("wrong", member="b", group="g2"),
    ]
    workload = view(AS_THE_PARENT_SAYS, thing(SPEC), pods)
    assert codes(workload) == ["instance-unknown"] * 3
    assert placed(workload) == {"g1": {None: ["either", "gone"]}, "g2": {None: ["wrong"]}}
    assert workload.observed is not None
    assert (workload.observed.pods, workload.unattributed) == (3, ())


def test_the_replica_selector_is_inherited_from_any_level_above() -> None:
    workload = view(AS_THE_PARENT_SAYS, thing(SPEC), [pod("p", member="a", group="g2", index="7")])
    (one,) = workload.components[0].instances[1].components[0].members or ()
    assert one.replica_group == "7"
    assert [key.key for key in workload.components[0].instances[1].replica_groups or ()] == ["7"]
    root = """
    rootComponent: {podSelector: {replicaSelector: {keyPath: '.metadata.labels["index"]'}}}
    childComponents:
    - {name: group}
    - {name: member, ownerRef: group, specDefinition: {podTemplateSpecPath: .spec.template}}
    """
    workload = view(root, thing({"template": template(1)}), [pod("p", index="3")])
    assert [one.replica_group for one in workload.components[0].components[0].members or ()] == ["3"]


def test_components_of_three_levels_keep_their_place() -> None:
    structure = """
    childComponents:
    - {name: zone, instanceIdPath: ".spec.zones[].name",
       podSelector: {componentInstanceSelector: {idPath: '.metadata.labels["zone"]'}}}
    - {name: rack, ownerRef: zone, instanceIdPath: ".spec.zones[].racks[].name",
       podSelector: {componentInstanceSelector: {idPath: '.metadata.labels["rack"]'}}}
    - {name: node, ownerRef: rack, instanceIdPath: ".spec.zones[].racks[].nodes[].name",
       specDefinition: {podTemplateSpecPath: ".spec.zones[].racks[].nodes[].template"},
       podSelector: {componentInstanceSelector: {idPath: '.metadata.labels["node"]'}}}
    """
    racks = [{"name": "r", "nodes": [member("x", 2)]}]
    obj = thing({"zones": [{"name": "east", "racks": racks}, {"name": "west", "racks": racks}]})
    pods = [pod(f"{zone}-{n}", zone=zone, rack="r", node="x") for zone in ("east", "west") for n in range(2)]
    workload = view(structure, obj, pods)
    assert (workload.totals.pods, workload.totals.gpus, workload.problems) == (2, 4, ())
    for zone in workload.components[0].instances:
        (node,) = zone.components[0].instances[0].components
        assert [one.name for one in node.members or ()] == [f"{zone.id}-0", f"{zone.id}-1"]
    (stray,) = view(structure, obj, [pod("p", zone="north", rack="r", node="x")]).problems
    assert stray.code == "instance-unknown"


def test_what_belongs_to_all_instances_of_a_level_counts_once_where_that_level_is_split() -> None:
    structure = """
    childComponents:
    - {name: group, instanceIdPath: ".spec.groups[].name"}
    - {name: part, ownerRef: group, instanceIdPath: ".spec.groups[].members[].name"}
    - {name: shared, ownerRef: part, specDefinition: {podTemplateSpecPath: .spec.shared}}
    """
    workload = view(structure, thing({**SPEC, "shared": template(4)}))
    assert (workload.totals.pods, workload.totals.gpus) == (1, 4)


def test_the_first_of_two_parents_of_one_name_has_the_child_and_numbers_are_names_too() -> None:
    structure = """
    childComponents:
    - {name: pool, instanceIdPath: ".spec.pools[].id"}
    - name: role
      ownerRef: pool
      instanceIdPath: .spec.roles[].name
      parentInstancePath: .spec.roles[].pool
      specDefinition: {podTemplateSpecPath: ".spec.roles[].template"}
    """
    spec = {"pools": [{"id": 1}, {"id": 2}, {"id": 2}], "roles": [member("a", 3) | {"pool": 2}]}
    workload = view(structure, thing(spec))
    assert [one.gpus for one in workload.components[0].instances] == [0, 3, 0]
    assert codes(workload) == ["id-duplicate"]


def test_of_parents_of_one_name_in_several_places_the_nearest_has_the_child() -> None:
    """Ids are unique within their parent: each zone has a pool `a`, and counts roles for it."""
    structure = """
    childComponents:
    - {name: zone, instanceIdPath: ".spec.zones[].name",
       podSelector: {componentInstanceSelector: {idPath: '.metadata.labels["zone"]'}}}
    - {name: pool, ownerRef: zone, instanceIdPath: ".spec.zones[].pools[].name",
       scaleDefinition: {replicasPath: ".spec.zones[].pools[].n"},
       podSelector: {componentInstanceSelector: {idPath: '.metadata.labels["pool"]'}}}
    - name: role
      ownerRef: pool
      instanceIdPath: .spec.zones[].roles[].name
      parentInstancePath: .spec.zones[].roles[].pool
      specDefinition: {podTemplateSpecPath: ".spec.zones[].roles[].template"}
      scaleDefinition: {replicasPath: "1", perParent: true}
      podSelector: {componentInstanceSelector: {idPath: '.metadata.labels["role"]'}}
    """
    roles = [member("x") | {"pool": "a"}]
    zones = [
        {"name": "east", "pools": [{"name": "a", "n": 2}], "roles": roles},
        {"name": "west", "pools": [{"name": "a", "n": 5}], "roles": roles},
    ]
    pods = [pod("e", zone="east", pool="a", role="x"), pod("w", zone="west", pool="a", role="x")]
    workload = view(structure, thing({"zones": zones}), pods)
    found = []
    for zone in workload.components[0].instances:
        (role,) = zone.components[0].instances[0].components
        found.append((zone.id, role.pods, [one.name for one in role.members or ()]))
    assert found == [("east", 2, ["e"]), ("west", 5, ["w"])]
    assert (workload.totals.pods, workload.problems) == (7, ())


def test_a_parent_that_lies_in_several_places_none_of_which_is_nearest_is_unknown() -> None:
    structure = """
    childComponents:
    - {name: zone, instanceIdPath: ".spec.zones[].name"}
    - {name: pool, ownerRef: zone, instanceIdPath: ".spec.zones[].pools[].name",
       scaleDefinition: {replicasPath: ".spec.zones[].pools[].n"}}
    - name: role
      ownerRef: pool
      instanceIdPath: .spec.roles[].name
      parentInstancePath: .spec.roles[].pool
      specDefinition: {podTemplateSpecPath: ".spec.roles[].template"}
      scaleDefinition: {replicasPath: "1", perParent: true}
    """
    zones = [{"name": name, "pools": [{"name": "a", "n": n}]} for name, n in (("east", 2), ("west", 5))]
    workload = view(structure, thing({"zones": zones, "roles": [member("x") | {"pool": "a"}]}))
    assert (workload.totals.pods, codes(workload)) == (None, ["parent-unknown"])
    assert workload.problems[0].location == "spec.roles[0]"


PER_ROOT = """
rootComponent:
  SPEC
  scaleDefinition: {replicasPath: .spec.n, minReplicasPath: .spec.min, maxReplicasPath: .spec.max}
  podSelector: {componentTypeSelector: {matchLabels: {role: leader}}}
childComponents:
- name: worker
  specDefinition: {podTemplateSpecPath: .spec.worker}
  scaleDefinition: {replicasPath: .spec.size, perParent: true}
  podSelector: {componentTypeSelector: {matchLabels: {role: worker}}}
- name: mate
  ownerRef: worker
  specDefinition: {podTemplateSpecPath: .spec.mate}
  scaleDefinition: {replicasPath: "1", perParent: true}
  podSelector: {componentTypeSelector: {matchLabels: {role: mate}}}
- name: router
  specDefinition: {podTemplateSpecPath: .spec.router}
  podSelector: {componentTypeSelector: {matchLabels: {role: router}}}
"""


BEARS = "specDefinition: {podTemplateSpecPath: .spec.leader}"


@pytest.mark.parametrize(
    ("root", "leader", "spec", "bounds"),
    [
        # A leader with four workers and their mates, three times, and one router.
        (BEARS, template(0), {"n": 3}, (3 + 12 + 12 + 1, 28, 28)),
        (BEARS, template(0), {"n": 0}, (1, 1, 1)),
        (BEARS, template(0), {"n": "odd"}, (None, None, None)),
        (BEARS, template(0), {"n": 3, "min": 1, "max": 5}, (1 + 4 + 4 + 1, 28, 5 + 20 + 20 + 1)),
        # Without a leader.
        (BEARS, None, {"n": 3}, (12 + 12 + 1, 25, 25)),
        ("", template(0), {"n": 3}, (25, 25, 25)),
    ],
)
def test_counts_for_each_replica_of_the_root_multiply_too(
    root: str, leader: Any, spec: Any, bounds: tuple[int | None, ...]
) -> None:
    structure = PER_ROOT.replace("SPEC", root)
    roles = {"leader": leader, "worker": template(1), "mate": template(0), "router": template(0), "size": 4}
    totals = view(structure, thing(roles | spec)).totals
    assert (totals.at_min.pods, totals.pods, totals.at_max.pods) == bounds


def test_each_instance_of_the_root_multiplies_what_lies_in_it() -> None:
    structure = """
    rootComponent:
      instanceIdPath: .spec.groups[].name
      specDefinition: {podTemplateSpecPath: ".spec.groups[].template"}
      scaleDefinition: {replicasPath: ".spec.groups[].n"}
    childComponents:
    - name: worker
      instanceIdPath: .spec.groups[].name
      specDefinition: {podTemplateSpecPath: ".spec.groups[].worker"}
      scaleDefinition: {replicasPath: ".spec.groups[].size", perParent: true}
    """
    groups = [member(name) | {"worker": template(1), "n": n, "size": 2} for name, n in (("a", 3), ("b", 5))]
    _, worker = view(structure, thing({"groups": groups})).components
    assert [(one.id, one.pods) for one in worker.instances] == [("a", 6), ("b", 10)]


def test_a_root_that_says_nothing_of_its_number_is_there_once() -> None:
    structure = """
    rootComponent: {scaleDefinition: {suspendedPath: .spec.off}}
    childComponents:
    - name: worker
      specDefinition: {podTemplateSpecPath: .spec.template}
      scaleDefinition: {replicasPath: .spec.size, perParent: true}
    """
    assert view(structure, thing({"size": 4, "template": template(1)})).totals.pods == 4


LADDER = """
childComponents:
- name: a
  scaleDefinition: {replicasPath: .spec.a, minReplicasPath: .spec.aMin, maxReplicasPath: .spec.aMax}
- {name: b, ownerRef: a, scaleDefinition: {replicasPath: .spec.b, perParent: true}}
- name: c
  ownerRef: b
  specDefinition: {podTemplateSpecPath: .spec.template}
  scaleDefinition: {replicasPath: .spec.c, podsPerReplicaPath: .spec.hosts, perParent: true}
"""


def ladder(**spec: Any) -> Workload:
    return view(LADDER, thing({"a": 2, "b": 3, "c": 5, "hosts": 2, "template": template(1), **spec}))


def chain(workload: Workload) -> list[Component]:
    found = list(workload.components)
    while found[-1].components:
        found.extend(found[-1].components)
    return found


def test_counts_for_each_parent_multiply_once_a_level() -> None:
    workload = ladder()
    assert [(one.replicas, one.pods) for one in chain(workload)] == [(2, 60), (6, 60), (30, 60)]
    assert workload.totals.at_min.pods == 60


def test_the_bounds_of_a_parent_are_bounds_of_what_is_below() -> None:
    workload = ladder(aMin=1, aMax=4)
    assert (workload.totals.at_min.pods, workload.totals.pods, workload.totals.at_max.pods) == (30, 60, 120)
    assert [(one.min, one.max) for one in chain(workload)] == [(1, 4), (3, 12), (15, 60)]


def test_an_unknown_or_empty_parent_is_no_guess() -> None:
    workload = ladder(a=None, aMin=1)
    assert (workload.totals.pods, workload.totals.at_min.pods, workload.totals.at_max.pods) == (
        None,
        30,
        None,
    )
    assert ladder(a=0).totals.pods == 0
    assert ladder(b=None).totals.pods is None
    assert ladder(a=0, b=None).totals.pods == 0


def test_counts_for_each_parent_go_by_the_instance_that_is_the_parent() -> None:
    structure = """
    childComponents:
    - name: group
      instanceIdPath: .spec.groups[].name
      scaleDefinition: {replicasPath: ".spec.groups[].n"}
    - name: member
      ownerRef: group
      instanceIdPath: .spec.groups[].members[].name
      specDefinition: {podTemplateSpecPath: ".spec.groups[].members[].template"}
      scaleDefinition: {replicasPath: "2", perParent: true}
    """
    spec = {"groups": [SPEC["groups"][0] | {"n": 3}, SPEC["groups"][1] | {"n": 5}]}
    assert [one.pods for one in view(structure, thing(spec)).components[0].instances] == [12, 10]


def test_nothing_runs_below_an_instance_that_is_suspended() -> None:
    structure = AS_THE_PARENT_SAYS.replace(
        "instanceIdPath: .spec.groups[].name",
        'instanceIdPath: .spec.groups[].name\n  scaleDefinition: {suspendedPath: ".spec.groups[].off"}',
    )
    spec = {"groups": [SPEC["groups"][0] | {"off": True}, SPEC["groups"][1]]}
    workload = view(structure, thing(spec))
    first, second = workload.components[0].instances
    assert (first.suspended, first.pods, second.pods, workload.totals.gpus) == (True, 0, 1, 1)
    (below,) = first.components
    assert [(one.suspended, one.pods, one.per_pod.image) for one in below.instances] == [
        (True, 0, "app:1")
    ] * 2


@pytest.mark.parametrize(("off", "pods"), [(True, 0), (False, 3), (None, 3)])
def test_nothing_runs_below_what_is_suspended_without_instances_either(off: bool | None, pods: int) -> None:
    structure = """
    childComponents:
    - {name: part, scaleDefinition: {suspendedPath: .spec.off}}
    - name: role
      ownerRef: part
      specDefinition: {podTemplateSpecPath: .spec.template}
      scaleDefinition: {replicasPath: .spec.n}
    """
    assert view(structure, thing({"off": off, "n": 3, "template": template(1)})).totals.pods == pods


@pytest.mark.parametrize(
    ("part", "role", "bounds"),
    [
        ({"n": 2, "lo": 1}, {"n": 3}, (3, 6, 6)),
        ({"n": 2, "lo": "x"}, {"n": 3}, (None, 6, 6)),
        ({"n": 2}, {"n": 3, "lo": "x"}, (None, 6, 6)),
        ({"n": 2, "lo": 1}, {"n": 3, "lo": 2}, (2, 6, 6)),
        ({"n": 2}, {"n": 3, "lo": 2}, (4, 6, 6)),
        ({"n": 2, "lo": 0}, {"n": 3, "lo": "x"}, (0, 6, 6)),
    ],
)
def test_bounds_per_parent_are_unknown_where_one_of_both_is(part: Any, role: Any, bounds: Any) -> None:
    structure = """
    childComponents:
    - name: part
      instanceIdPath: .spec.parts[].name
      scaleDefinition: {replicasPath: ".spec.parts[].n", minReplicasPath: ".spec.parts[].lo"}
    - name: role
      ownerRef: part
      instanceIdPath: .spec.parts[].roles[].name
      specDefinition: {podTemplateSpecPath: ".spec.parts[].roles[].template"}
      scaleDefinition:
        replicasPath: .spec.parts[].roles[].n
        minReplicasPath: .spec.parts[].roles[].lo
        perParent: true
    """
    parts = [{"name": "a", "roles": [{"name": "r", "template": template(1), **role}], **part}]
    totals = view(structure, thing({"parts": parts})).totals
    assert (totals.at_min.pods, totals.pods, totals.at_max.pods) == bounds


BELOW_PARTS = """
childComponents:
- name: part
  instanceIdPath: .spec.parts[].name
  scaleDefinition: {replicasPath: ".spec.parts[].n", suspendedPath: ".spec.parts[] | .off.now == true"}
- name: role
  ownerRef: part
  instanceIdPath: .spec.roles[].name
  parentInstancePath: .spec.roles[].part
  specDefinition: {podTemplateSpecPath: ".spec.roles[].template"}
  scaleDefinition: {replicasPath: ".spec.roles[].n", perParent: PER}
"""
ON, OFF, ODD = ({"off": {"now": False}}, {"off": {"now": True}}, {"off": "odd"})


@pytest.mark.parametrize(
    ("states", "part", "suspended", "pods"),
    [
        ((ON, ON), "a", False, 3),
        ((OFF, ON), "a", True, 0),
        ((ODD, ON), "a", None, None),
        ((ODD, ON), "b", False, 3),
        # Without a name it belongs to all of them: it runs where one of them does.
        ((ODD, ON), None, False, 3),
        ((ODD, OFF), None, None, None),
        ((OFF, OFF), None, True, 0),
        # Which one it belongs to is unknown.
        ((ON, ON), "c", False, 3),
        ((OFF, ON), "c", None, None),
        ((OFF, OFF), "c", True, 0),
    ],
)
def test_whether_something_runs_below_what_may_be_suspended_is_unknown(
    states: Any, part: Any, suspended: bool | None, pods: int | None
) -> None:
    parts = [{"name": name, "n": 1, **state} for name, state in zip("ab", states, strict=True)]
    roles = [{"name": "r", "part": part, "n": 3, "template": template(1)}]
    workload = view(BELOW_PARTS.replace("PER", "false"), thing({"parts": parts, "roles": roles}))
    (top,) = workload.components
    (role,) = (*top.components, *(role for one in top.instances for role in one.components))
    assert (role.instances[0].suspended, role.pods, workload.totals.pods) == (suspended, pods, pods)


@pytest.mark.parametrize(
    ("part", "count", "pods"), [("a", 3, 6), ("b", 3, 12), ("c", 3, None), ("c", 0, 0), (None, 3, 18)]
)
def test_what_is_counted_per_parent_is_unknown_where_the_parent_is(
    part: Any, count: int, pods: int | None
) -> None:
    parts = [{"name": "a", "n": 2}, {"name": "b", "n": 4}]
    roles = [{"name": "r", "part": part, "n": count, "template": template(1)}]
    workload = view(BELOW_PARTS.replace("PER", "true"), thing({"parts": parts, "roles": roles}))
    assert workload.totals.pods == pods


STATES = """
rootComponent:
  statusDefinition:
    phaseDefinition: {path: .status.phase}
    statusMappings: {running: [{byPhase: Up}]}
childComponents:
- name: predictor
  specDefinition: {podTemplateSpecPath: .spec.template}
  statusDefinition:
    conditionsDefinition: {path: .status.conditions}
    statusMappings:
      failed: [{byConditions: [{type: PredictorReady, status: "False"}]}]
      running: [{byConditions: [{type: PredictorReady, status: "True"}]}]
- {name: other, specDefinition: {podTemplateSpecPath: .spec.template}}
"""


@pytest.mark.parametrize(
    ("said", "phase"), [("True", "Running"), ("False", "Failed"), ("Unknown", "Undefined")]
)
def test_a_component_has_the_phase_of_its_own_status_definition(said: str, phase: str) -> None:
    status = {"phase": "Up", "conditions": [{"type": "PredictorReady", "status": said}]}
    workload = view(STATES, thing({"template": template(1)}, status=status))
    assert [one.phase for one in workload.components] == [phase, None]
    # It never folds into that of the whole.
    assert (workload.phase, list(workload.phases), len(workload.why)) == ("Running", ["Running"], 1)


def test_a_manifest_has_no_phases_at_any_level() -> None:
    workload = view(STATES, thing({"template": template(1)}), live=False)
    assert [workload.phase, *(one.phase for one in workload.components)] == [None, None, None]


def test_the_root_has_the_phase_of_the_workload() -> None:
    structure = STATES.replace(
        "rootComponent:", "rootComponent:\n  specDefinition: {podTemplateSpecPath: .spec.template}"
    )
    workload = view(structure, thing({"template": template(1)}, status={"phase": "Up"}))
    assert [one.phase for one in workload.components] == ["Running", "Undefined", None]


def test_further_kinds_stand_between_and_pods_behind_missing_ones_are_waited_for() -> None:
    structure = "additionalChildKinds: [{group: apps, version: v1, kind: ReplicaSet}]\n" + STATES
    plan = Plan(definition(structure))
    assert plan.created_kinds == {("apps", "ReplicaSet")}
    lost = pod("p", owner="rs")
    lost["metadata"]["ownerReferences"][0] |= {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "rs-1"}
    workload = view(structure, thing({"template": template(1)}), [lost])
    assert (workload.observed, codes(workload)) == (None, ["owner-missing"])
    assert workload.problems[0].location == "ReplicaSet rs-1"
