"""Counts: what is written, what the controller takes for absent, what is unknown. Never a guess."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.made_up import codes, template, thing, view
from workload_map.engine import Instance, Workload

ELASTIC = """
childComponents:
- name: worker
  instanceIdPath: .spec.groups[].name
  specDefinition: {podTemplateSpecPath: ".spec.groups[].template"}
  scaleDefinition:
    replicasPath: .spec.groups[].replicas
    minReplicasPath: .spec.groups[].min
    maxReplicasPath: .spec.groups[].max
    podsPerReplicaPath: .spec.groups[] | .hosts // 1
    suspendedPath: .spec.groups[].suspend
    defaults: {replicas: 0, minReplicas: 0}
    keepsWithinBounds: true
"""


def group(**fields: Any) -> dict[str, Any]:
    return {"name": "g", "template": template(2), **fields}


def one(workload: Workload) -> Instance:
    return workload.components[0].instances[0]


@pytest.mark.parametrize(
    ("fields", "pods"),
    [
        ({}, 0),
        ({"min": 2}, 2),
        ({"replicas": 5, "min": 0, "max": 3, "hosts": 1}, 3),
        ({"replicas": 1, "min": 2, "max": 4, "hosts": 1}, 2),
        ({"replicas": 2, "min": 1, "max": 4, "hosts": 4}, 8),
        ({"replicas": 2, "min": 1, "max": 4, "hosts": 4, "suspend": True}, 0),
    ],
    ids=str,
)
def test_desired_pods_keep_within_the_bounds(fields: dict[str, Any], pods: int) -> None:
    workload = view(ELASTIC, thing({"groups": [group(**fields)]}))
    assert (one(workload).pods, workload.totals.gpus) == (pods, 2 * pods)


@pytest.mark.parametrize(("replicas", "bounds"), [(5, (0, 3)), (1, (2, 4)), (0, (2, 4)), (3, (4, 2))])
def test_the_number_is_the_desired_one_where_the_controller_keeps_to_no_bounds(
    replicas: int, bounds: tuple[int, int]
) -> None:
    low, high = bounds
    entry = group(replicas=replicas, min=low, max=high, hosts=1)
    free = ELASTIC.replace("    keepsWithinBounds: true\n", "")
    totals = view(free, thing({"groups": [entry]})).totals
    assert (totals.at_min.pods, totals.pods, totals.at_max.pods) == (low, replicas, high)
    bound = view(ELASTIC, thing({"groups": [entry]})).totals
    assert (bound.at_min.pods, bound.at_max.pods) == bounds


def test_a_suspended_group_counts_nothing_and_is_marked() -> None:
    groups = [group(replicas=2, min=1, max=4), group(replicas=3, min=3, max=3, suspend=True) | {"name": "h"}]
    workload = view(ELASTIC, thing({"groups": groups}))
    totals = workload.totals
    assert (totals.pods, totals.at_min.pods, totals.at_max.pods) == (2, 1, 4)
    suspended = workload.components[0].instances[1]
    assert (suspended.suspended, suspended.pods, suspended.min, suspended.gpus) == (True, 0, 0, 0)


def test_without_a_scale_definition_there_is_one() -> None:
    structure = "childComponents: [{name: w, specDefinition: {podTemplateSpecPath: .spec.template}}]"
    workload = view(structure, thing({"template": template(4)}))
    assert (one(workload).replicas, one(workload).min, workload.totals.gpus) == (1, None, 4)


UNBOUND = """
childComponents:
- name: w
  specDefinition: {podTemplateSpecPath: .spec.template}
  scaleDefinition: {replicasPath: .spec.replicas, minReplicasPath: .spec.min, maxReplicasPath: .spec.max}
"""


def test_an_absent_count_without_a_default_is_unknown_and_so_is_every_sum_with_it() -> None:
    workload = view(UNBOUND, thing({"template": template(1, cpu="1"), "min": 2, "max": 5}))
    assert (one(workload).replicas, one(workload).pods, one(workload).gpus) == (None, None, None)
    totals = workload.totals
    assert (totals.pods, totals.gpus, totals.requests) == (None, None, None)
    assert (totals.at_min.pods, totals.at_min.gpus, totals.at_max.pods, totals.at_max.gpus) == (2, 2, 5, 5)
    assert workload.problems == ()


def test_an_unknown_number_of_pods_without_accelerators_has_no_accelerators() -> None:
    workload = view(UNBOUND, thing({"template": template(0, cpu="1")}))
    assert (workload.totals.pods, workload.totals.gpus) == (None, 0)


@pytest.mark.parametrize(
    ("bounds", "low", "high"),
    [
        ({"min": "x", "max": 5}, None, 5),
        ({"min": 1, "max": -1}, 1, None),
        ({"min": "x"}, None, 3),
        ({"min": 2.5, "max": {}}, None, None),
        ({"min": None, "max": None}, 3, 3),
    ],
)
def test_a_bound_that_cannot_be_read_is_not_one_that_is_not_set(
    bounds: dict[str, Any], low: int | None, high: int | None
) -> None:
    totals = view(UNBOUND, thing({"template": template(1), "replicas": 3, **bounds})).totals
    assert (totals.at_min.pods, totals.pods, totals.at_max.pods) == (low, 3, high)
    assert (totals.at_min.gpus, totals.at_max.gpus) == (low, high)


@pytest.mark.parametrize(
    ("fields", "pods"),
    [
        ({"replicas": 1, "min": "x"}, None),
        ({"replicas": 0, "max": "x"}, None),
        ({"replicas": 1, "min": 1}, 1),
    ],
)
def test_a_count_that_is_kept_within_unknown_bounds_is_unknown(
    fields: dict[str, Any], pods: int | None
) -> None:
    assert one(view(ELASTIC, thing({"groups": [group(hosts=1, **fields)]}))).pods == pods


def test_nothing_is_open_about_what_is_suspended() -> None:
    workload = view(ELASTIC, thing({"groups": [group(replicas=2, min="x", max="y", suspend=True)]}))
    totals = workload.totals
    assert (totals.at_min.pods, totals.pods, totals.at_max.pods) == (0, 0, 0)


def test_equal_bounds_are_the_count() -> None:
    assert view(UNBOUND, thing({"template": template(1), "min": 3, "max": 3})).totals.pods == 3


def test_zero_is_zero() -> None:
    workload = view(UNBOUND, thing({"template": template(1), "replicas": 3, "min": 0}))
    assert (workload.totals.pods, workload.totals.at_min.pods) == (3, 0)
    assert view(UNBOUND, thing({"template": template(1), "replicas": 3})).totals.at_min.pods == 3
    assert view(UNBOUND, thing({"template": template(1), "replicas": 0})).totals.pods == 0


@pytest.mark.parametrize(
    "value", [-1, 10**12, 2**31, 1.5, True, False, [], {}, "three", "-1", "1.0", "", " 3", "٣"], ids=repr
)
def test_what_is_no_count_is_unknown_and_told(value: Any) -> None:
    workload = view(UNBOUND, thing({"template": template(1), "replicas": value}))
    assert one(workload).replicas is None
    assert workload.totals.pods is None
    assert [(one.code, one.location) for one in workload.problems] == [("replicas-invalid", "spec.replicas")]


@pytest.mark.parametrize(
    ("value", "shown"),
    [(True, "true"), (False, "false"), ([], "an array"), ({}, "an object"), (1.5, "1.5"), ("x", "'x'")],
)
def test_what_is_no_count_is_shown_in_the_words_of_json(value: Any, shown: str) -> None:
    (problem,) = view(UNBOUND, thing({"template": template(1), "replicas": value})).problems
    assert f"{shown} is no count" in problem.message


def test_the_largest_count_is_the_largest_int32() -> None:
    assert view(UNBOUND, thing({"template": template(1), "replicas": 2**31 - 1})).totals.pods == 2**31 - 1


def test_a_number_in_text_is_read_and_told() -> None:
    workload = view(UNBOUND, thing({"template": template(1), "replicas": "3"}))
    assert workload.totals.pods == 3
    assert [(one.code, one.location) for one in workload.problems] == [("replicas-text", "spec.replicas")]


def test_an_annotation_can_hold_nothing_but_text() -> None:
    structure = """
    childComponents:
    - name: w
      specDefinition: {podTemplateSpecPath: .spec.template}
      scaleDefinition:
        minReplicasPath: .metadata.annotations["x.io/min-scale"]
        maxReplicasPath: .metadata.annotations["x.io/max-scale"]
    """
    workload = view(
        structure,
        thing({"template": template(1)}, annotations={"x.io/min-scale": "2", "x.io/max-scale": "5"}),
    )
    assert (one(workload).min, one(workload).max, one(workload).replicas) == (2, 5, None)
    assert workload.problems == ()


def test_a_minimum_above_the_maximum_is_told() -> None:
    assert codes(view(UNBOUND, thing({"template": template(1), "replicas": 1, "min": 4, "max": 2}))) == [
        "min-above-max"
    ]


GROUPS = """
childComponents:
- name: group
  scaleDefinition: {replicasPath: .spec.replicas}
- name: leader
  ownerRef: group
  specDefinition: {podTemplateSpecPath: .spec.leader}
  scaleDefinition: {replicasPath: LEADER, perParent: PER_PARENT}
- name: worker
  ownerRef: group
  specDefinition: {podTemplateSpecPath: .spec.worker}
  scaleDefinition: {replicasPath: WORKER, perParent: PER_PARENT}
"""


@pytest.mark.parametrize(
    ("leader", "worker", "per_parent"),
    [("1", ".spec.size - 1", "true"), (".spec.replicas", ".spec.replicas * (.spec.size - 1)", "false")],
    ids=["per parent", "absolute"],
)
def test_three_groups_of_four_are_twelve_pods(leader: str, worker: str, per_parent: str) -> None:
    structure = (
        GROUPS.replace("LEADER", f'"{leader}"')
        .replace("WORKER", f'"{worker}"')
        .replace("PER_PARENT", per_parent)
    )
    spec = {"replicas": 3, "size": 4, "leader": template(1), "worker": template(8)}
    workload = view(structure, thing(spec))
    (group,) = workload.components
    assert (group.replicas, group.pods, group.pods_per_replica, group.gpus) == (3, 12, None, 75)
    assert {part.name: (part.replicas, part.pods) for part in group.components} == {
        "leader": (3, 3),
        "worker": (9, 9),
    }
    assert workload.totals.pods == 12


def test_no_parent_replicas_are_no_pods() -> None:
    structure = GROUPS.replace("LEADER", '"1"').replace("WORKER", '"3"').replace("PER_PARENT", "true")
    workload = view(structure, thing({"replicas": 0, "leader": template(1), "worker": template(1)}))
    assert (workload.totals.pods, workload.totals.gpus) == (0, 0)


def test_different_instances_leave_what_they_do_not_share_open() -> None:
    groups = [group(replicas=1, hosts=2), group(replicas=1, hosts=4) | {"name": "h", "template": template(1)}]
    component = view(ELASTIC, thing({"groups": groups})).components[0]
    assert (component.replicas, component.pods_per_replica, component.pods) == (2, None, 6)
    assert component.per_pod.requests is None
    assert component.per_pod.image == "app:1"


def test_a_count_of_endless_digits_is_told_without_them() -> None:
    structure = ELASTIC.replace(
        "replicasPath: .spec.groups[].replicas",
        'replicasPath: ".spec.groups[] | reduce range(3000) as $x (1; . * ($x + 1))"',
        1,
    )
    workload = view(structure, thing({"groups": [group()]}))
    assert workload.totals.pods is None
    assert "replicas-invalid" in codes(workload)


def test_a_default_behind_the_iteration_leaves_holes_that_are_told() -> None:
    structure = """
    childComponents:
    - name: w
      instanceIdPath: .spec.groups[].name
      specDefinition: {podTemplateSpecPath: ".spec.groups[].template"}
      scaleDefinition: {replicasPath: ".spec.groups[].replicas // 1"}
    """
    groups: list[dict[str, Any]] = [{"name": name, "template": template(1)} for name in "abc"]
    groups[1]["replicas"] = 2
    groups[2]["replicas"] = 0
    workload = view(structure, thing({"groups": groups}))
    assert [instance.replicas for instance in workload.components[0].instances] == [None, 2, 0]
    assert (codes(workload), workload.totals.pods) == (["lengths-differ"], None)
    # One value above all of them is a count for each.
    workload = view(structure, thing({"groups": groups[:1]}))
    assert (codes(workload), workload.totals.pods) == ([], 1)
