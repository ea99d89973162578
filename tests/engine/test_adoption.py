"""Pods that carry no owner references name their workload, where the definition says so."""

from __future__ import annotations

from typing import Any

from tests.engine.made_up import codes, definition, definitions, pod, template, thing
from workload_map.engine import Attributor, OwnerIndex, Workload, place, resolve, resolve_many

BY_LABEL = """
rootComponent: {specDefinition: {podTemplateSpecPath: .spec.driver}}
childComponents:
- name: executor
  specDefinition: {podTemplateSpecPath: .spec.executor}
  scaleDefinition: {replicasPath: .spec.executors}
  podSelector:
    componentTypeSelector: {keyPath: '.metadata.labels["role"]', value: executor}
    ownership: label
    workloadPath: .metadata.labels["app"]
"""

PODS = "rootComponent: {name: pod, kind: {version: v1, kind: Pod}, specDefinition: {podSpecPath: .spec}}"
COVERED = definitions(definition(BY_LABEL), definition(PODS, name="pod"))
SPEC = {"driver": template(0), "executor": template(1), "executors": 2}


def loose(name: str, namespace: str = "n", **labels: Any) -> dict[str, Any]:
    made = pod(name, **labels)
    del made["metadata"]["ownerReferences"]
    made["metadata"]["namespace"] = namespace
    return made


def members(workload: Workload) -> list[list[str]]:
    return [[one.name for one in part.members or ()] for part in workload.components]


def test_a_pod_that_names_the_workload_belongs_to_it() -> None:
    pods = [
        pod("driver"),
        loose("e0", app="t", role="executor"),
        loose("e1", app="other", role="executor"),
        loose("e2", app="t", role="driver"),
        loose("e3", namespace="m", app="t", role="executor"),
        loose("e4", role="executor"),
        pod("e5", owner="uid-other", app="t", role="executor"),
    ]
    workload = resolve(thing(SPEC), COVERED, pods=pods)
    assert members(workload) == [["driver"], ["e0"]]
    assert workload.observed is not None
    assert (workload.observed.pods, workload.unattributed, workload.problems) == (2, (), ())


def test_it_is_no_workload_of_its_own_then_whichever_comes_first() -> None:
    executor, stranger = loose("e", app="t", role="executor"), loose("s", app="t", role="none")
    for objects in ([thing(SPEC), executor, stranger], [stranger, executor, thing(SPEC)]):
        index = OwnerIndex(objects)
        names = [one["metadata"]["name"] for one in index.top_level(COVERED)]
        assert sorted(names) == ["s", "t"]
        placement = place(executor, COVERED, index)
        assert placement.workload is not None
        assert (placement.workload.name, placement.component, placement.because) == ("t", "executor", None)
        assert [link.kind for link in placement.chain] == ["Pod", "Thing"]


def test_objects_of_a_kind_that_come_later_adopt_as_well() -> None:
    executor = loose("e", app="t", role="executor")
    index = OwnerIndex([executor])
    assert index.top_level(COVERED) == [executor]
    made = thing(SPEC)
    index.add(made)
    assert index.top_level(COVERED) == [made]
    index.remove(executor)
    assert index.pods_under(made) == []
    index.add(executor)
    index.remove(made)
    assert index.top_level(COVERED) == [executor]


def test_many_workloads_share_what_was_read_of_the_pods() -> None:
    objects = [thing(SPEC, name=f"t{number}", uid=f"uid-{number}") for number in range(3)]
    pods = [loose(f"e{number}", app=f"t{number % 3}", role="executor") for number in range(6)]
    views = list(resolve_many(objects, COVERED, index=OwnerIndex([*objects, *pods])))
    assert [members(one)[1] for one in views] == [["e0", "e3"], ["e1", "e4"], ["e2", "e5"]]


def test_a_pod_whose_name_for_it_cannot_be_read_is_told() -> None:
    structure = BY_LABEL.replace('.metadata.labels["app"]', ".metadata.labels.app.name")
    odd = loose("odd", app="t", role="executor")
    workload = resolve(thing(SPEC), definitions(definition(structure)), pods=[odd])
    assert [(one.code, one.location) for one in workload.problems] == [("path-failed", "pod odd")]
    assert workload.observed is not None
    assert workload.observed.pods == 0


def test_the_same_name_of_another_kind_is_another_workload() -> None:
    structure = "rootComponent: {specDefinition: {podTemplateSpecPath: .spec.driver}}"
    other = definition(structure, name="other", kind="Other")
    workload = resolve(
        thing(SPEC, kind="Other", uid="uid-o"),
        definitions(definition(BY_LABEL), other),
        pods=[loose("e", app="t", role="executor")],
    )
    assert workload.observed is not None
    assert (workload.observed.pods, codes(workload)) == (0, [])


BETWEEN = BY_LABEL + "additionalChildKinds: [{group: x.io, version: v1, kind: Helper}]\n"
HELPER = "rootComponent: {specDefinition: {podTemplateSpecPath: .spec.template}}"
HELPED = definitions(definition(BETWEEN), definition(HELPER, name="helper", kind="Helper"))


def helper(kind: str = "Helper", **labels: str) -> dict[str, Any]:
    """An object that the workload owns without being its controller, as Flink's operator does it."""
    owner = {"apiVersion": "x.io/v1", "kind": "Thing", "name": "t", "uid": "uid-t", "controller": False}
    return thing(
        {"template": template(1)}, kind=kind, name="h", uid="uid-h", labels=labels, ownerReferences=[owner]
    )


def test_what_stands_between_names_the_workload_as_well() -> None:
    below = pod("e", owner="uid-h", role="executor")
    named = helper(role="executor", app="t")
    for objects in ([thing(SPEC), named, below], [below, named, thing(SPEC)]):
        index = OwnerIndex(objects)
        assert [one["kind"] for one in index.top_level(HELPED)] == ["Thing"]
        (workload,) = resolve_many([thing(SPEC)], HELPED, index=index)
        assert members(workload) == [[], ["e"]]
        assert [link.kind for link in place(below, HELPED, index).chain] == ["Pod", "Helper", "Thing"]


def test_only_kinds_that_the_definition_names_and_only_by_its_selectors() -> None:
    below = pod("e", owner="uid-h", role="executor")
    for other in (helper(kind="Stranger", role="executor", app="t"), helper(role="none", app="t"), helper()):
        workload = resolve(thing(SPEC), HELPED, pods=[below], related=[other])
        assert members(workload) == [[], []]


def test_what_stands_between_may_come_and_go() -> None:
    attributor = Attributor(HELPED)
    named = helper(role="executor", app="t")
    for obj in (thing(SPEC), pod("e", owner="uid-h", role="executor"), named):
        attributor.put(obj)
    view = attributor.view("uid-t")
    assert view is not None and members(view) == [[], ["e"]]
    attributor.delete(named)
    view = attributor.view("uid-t")
    assert view is not None and members(view) != [[], ["e"]]
