"""Each pod has one place, or a reason for having none."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.made_up import codes, definition, definitions, pod, template, thing, view
from workload_map.engine import OwnerIndex, Workload, place, resolve

ROLES = """
childComponents:
- name: head
  specDefinition: {podTemplateSpecPath: .spec.head}
  podSelector: {componentTypeSelector: {keyPath: '.metadata.labels["role"]', value: head}}
- name: worker
  instanceIdPath: .spec.groups[].name
  specDefinition: {podTemplateSpecPath: ".spec.groups[].template"}
  scaleDefinition: {replicasPath: ".spec.groups[].replicas"}
  podSelector:
    componentTypeSelector: {keyPath: '.metadata.labels["role"]', value: worker}
    componentInstanceSelector: {idPath: '.metadata.labels["group"]'}
    replicaSelector: {keyPath: '.metadata.labels["index"]'}
"""

SPEC = {"head": template(0), "groups": [{"name": "g1", "template": template(1), "replicas": 2}]}


def members(workload: Workload) -> dict[str, list[str]]:
    return {one.name: [member.name for member in one.members or ()] for one in workload.components}


def test_pods_go_to_their_component_instance_and_replica_group() -> None:
    pods = [
        pod("w1", role="worker", group="g1", index="1"),
        pod("w0", role="worker", group="g1", index="0"),
        pod("h", role="head"),
    ]
    workload = view(ROLES, thing(SPEC), pods)
    assert members(workload) == {"head": ["h"], "worker": ["w0", "w1"]}
    worker = workload.components[1]
    assert [group.key for group in worker.instances[0].replica_groups or ()] == ["0", "1"]
    assert worker.observed is not None
    assert (worker.observed.ready, worker.observed.gpus, worker.observed.nodes) == (2, 2, ("node-1",))
    assert [(one.instance, one.replica_group) for one in worker.members or ()] == [("g1", "0"), ("g1", "1")]
    assert workload.problems == ()


def test_a_pod_of_an_unknown_instance_is_a_member_without_one() -> None:
    workload = view(ROLES, thing(SPEC), [pod("w", role="worker", group="gone"), pod("v", role="worker")])
    assert members(workload)["worker"] == ["v", "w"]
    assert [one.instance for one in workload.components[1].members or ()] == [None, None]
    assert codes(workload) == ["instance-unknown", "instance-unknown"]
    assert workload.observed is not None
    assert (workload.observed.pods, workload.totals.pods) == (2, 3)
    assert workload.components[1].observed is not None
    assert workload.components[1].observed.pods == 2


def test_a_pod_that_no_selector_takes_is_kept_with_the_reason() -> None:
    workload = view(ROLES, thing(SPEC), [pod("odd", role="other"), pod("h", role="head")])
    assert workload.unattributed is not None
    assert [one.name for one in workload.unattributed] == ["odd"]
    assert "head, worker" in workload.unattributed[0].unattributed_because
    assert workload.observed is not None
    assert (workload.observed.pods, workload.totals.pods) == (2, 3)


def test_a_pod_of_a_role_that_the_object_lacks_is_kept_with_the_reason() -> None:
    workload = view(ROLES, thing({"head": template(0)}), [pod("w", role="worker", group="g1")])
    assert workload.unattributed is not None
    assert "worker" in workload.unattributed[0].unattributed_because


def test_a_single_component_without_a_selector_takes_every_pod() -> None:
    structure = "childComponents: [{name: w, specDefinition: {podTemplateSpecPath: .spec.template}}]"
    workload = view(structure, thing({"template": template(1)}), [pod("a"), pod("b", role="other")])
    assert members(workload) == {"w": ["a", "b"]}


def test_a_single_component_with_a_selector_asks_it() -> None:
    structure = """
    childComponents:
    - name: w
      specDefinition: {podTemplateSpecPath: .spec.template}
      podSelector: {componentTypeSelector: {matchLabels: {app: w}}}
    """
    workload = view(structure, thing({"template": template(1)}), [pod("a", app="w"), pod("b")])
    assert members(workload) == {"w": ["a"]}
    assert [one.name for one in workload.unattributed or ()] == ["b"]


def test_the_root_and_its_children_never_share_a_pod() -> None:
    structure = """
    rootComponent:
      name: root
      specDefinition: {podTemplateSpecPath: .spec.template}
      podSelector: {componentTypeSelector: {matchLabels: {role: root}}}
    childComponents:
    - name: child
      specDefinition: {podTemplateSpecPath: .spec.child}
      podSelector: {componentTypeSelector: {matchLabels: {role: child}}}
    """
    obj = thing({"template": template(1), "child": template(1)})
    pods = [pod("r", role="root"), pod("c1", role="child"), pod("c2", role="child")]
    workload = view(structure, obj, pods)
    assert members(workload) == {"root": ["r"], "child": ["c1", "c2"]}
    assert workload.observed is not None
    assert workload.observed.pods == 3


def test_of_overlapping_selectors_the_first_has_the_pod_and_it_is_told() -> None:
    structure = """
    childComponents:
    - name: first
      specDefinition: {podTemplateSpecPath: .spec.a}
      podSelector: {componentTypeSelector: {keyPath: '.metadata.labels["x"]'}}
    - name: second
      specDefinition: {podTemplateSpecPath: .spec.b}
      podSelector: {componentTypeSelector: {matchLabels: {y: "1"}}}
    """
    workload = view(
        structure, thing({"a": template(1), "b": template(1)}), [pod("p", x="1", y="1"), pod("q", y="1")]
    )
    assert members(workload) == {"first": ["p"], "second": ["q"]}
    assert [(one.code, one.location) for one in workload.problems] == [("selectors-overlap", "pod p")]


def test_two_components_without_selectors_cannot_be_told_apart() -> None:
    structure = """
    childComponents:
    - {name: a, specDefinition: {podTemplateSpecPath: .spec.a}}
    - {name: b, specDefinition: {podTemplateSpecPath: .spec.b}}
    """
    workload = view(structure, thing({"a": template(1), "b": template(1)}), [pod("p")])
    assert members(workload) == {"a": [], "b": []}
    assert "a and b" in (workload.unattributed or ())[0].unattributed_because


def test_pods_of_others_are_passed_over() -> None:
    workload = view(ROLES, thing(SPEC), [pod("h", role="head"), pod("x", role="head", owner="uid-other")])
    assert members(workload)["head"] == ["h"]
    assert workload.observed is not None
    assert workload.observed.pods == 1


def middle(uid: str, owner: str) -> dict[str, Any]:
    reference = {"apiVersion": "x.io/v1", "kind": "Thing", "name": "t", "uid": owner, "controller": True}
    meta = {"name": uid, "namespace": "n", "uid": uid, "ownerReferences": [reference]}
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": meta}


def under_job(name: str, job: str, *, role: str = "none") -> dict[str, Any]:
    made = pod(name, owner=job, role=role)
    made["metadata"]["ownerReferences"][0] |= {"apiVersion": "batch/v1", "kind": "Job", "name": job}
    return made


def test_owners_between_are_walked_through_whatever_they_are() -> None:
    related = [middle("j", "uid-t")]
    workload = view(ROLES, thing(SPEC), [under_job("h", "j", role="head")], related=related)
    assert members(workload)["head"] == ["h"]
    looked_up = view(
        ROLES,
        thing(SPEC),
        [under_job("h", "j", role="head")],
        related=lambda ref: related[0] if ref["uid"] == "j" else None,
    )
    assert looked_up == workload


CREATES_JOBS = ROLES + "additionalChildKinds: [{group: batch, version: v1, kind: Job}]\n"


def test_pods_behind_an_owner_that_is_not_at_hand_are_unknown_and_not_none() -> None:
    workload = view(CREATES_JOBS, thing(SPEC), [under_job("h", "lost", role="head")])
    assert workload.observed is None
    assert [(one.code, one.location) for one in workload.problems] == [("owner-missing", "Job lost")]


def test_what_is_out_of_sight_does_not_matter_where_all_pods_are_there() -> None:
    pods = [
        pod("h", role="head"),
        pod("w0", role="worker", group="g1"),
        pod("w1", role="worker", group="g1"),
        under_job("x", "lost"),
    ]
    workload = view(CREATES_JOBS, thing(SPEC), pods)
    assert workload.observed is not None
    assert workload.observed.pods == 3
    assert workload.problems == ()


def test_two_pods_with_one_uid_are_both_shown_and_told() -> None:
    first, second = pod("a", role="head"), pod("b", role="head")
    second["metadata"]["uid"] = first["metadata"]["uid"]
    workload = view(ROLES, thing(SPEC), [first, second])
    assert members(workload)["head"] == ["a", "b"]
    assert codes(workload) == ["uid-duplicate"]


@pytest.mark.parametrize(
    "broken", [{}, {"metadata": None, "spec": None, "status": None}, {"spec": [], "status": "x"}]
)
def test_an_odd_pod_never_spoils_the_view(broken: Any) -> None:
    odd = pod("odd", role="head") | broken
    if not odd.get("metadata"):
        odd["metadata"] = pod("odd", role="head")["metadata"]
    workload = view(ROLES, thing(SPEC), [odd, pod("h", role="head")])
    assert members(workload)["head"] == ["h", "odd"]


def test_a_root_that_is_a_pod_has_itself_as_its_pod() -> None:
    structure = """
    rootComponent:
      name: pod
      kind: {version: v1, kind: Pod}
      specDefinition: {podSpecPath: .spec, metadataPath: .metadata}
    """
    made = pod("p")
    made["metadata"]["ownerReferences"] = []
    workload = resolve(made, definitions(definition(structure)), pods=[])
    assert members(workload) == {"pod": ["p"]}
    assert (workload.totals.gpus, workload.totals.pods) == (1, 1)


TOP = """
rootComponent: {kind: {group: x.io, version: v1, kind: Top}}
childComponents: [{name: all, specDefinition: {podTemplateSpecPath: .spec.template}}]
"""


def test_the_topmost_covered_owner_is_the_workload_and_each_shows_its_own_pods() -> None:
    covered = definitions(definition(ROLES), definition(TOP, name="top", kind="Top"))
    top = thing({"template": template(1)}, kind="Top", name="top", uid="uid-top")
    middle_thing = thing(SPEC)
    reference = {"apiVersion": "x.io/v1", "kind": "Top", "name": "top", "uid": "uid-top", "controller": True}
    middle_thing["metadata"]["ownerReferences"] = [reference]
    head = pod("h", role="head")
    index = OwnerIndex([head, middle_thing, top])
    assert index.top_level(covered) == [top]
    assert members(resolve(middle_thing, covered, pods=[head]))["head"] == ["h"]
    placement = place(head, covered, index)
    assert placement.workload is not None
    assert (placement.workload.kind, placement.component, placement.because) == ("Top", "all", None)
    assert [(link.kind, link.covered) for link in placement.chain] == [
        ("Pod", False),
        ("Thing", True),
        ("Top", True),
    ]


def test_a_pod_without_its_owner_is_no_workload_of_its_own() -> None:
    covered = definitions(
        definition("rootComponent: {kind: {version: v1, kind: Pod}, specDefinition: {podSpecPath: .spec}}")
    )
    lonely = pod("a")
    lonely["metadata"]["ownerReferences"] = []
    orphan = pod("b", owner="gone")
    index = OwnerIndex([lonely, orphan])
    assert index.top_level(covered) == [lonely]
    placement = place(orphan, covered, index)
    assert placement.because == "its controller Thing t is not at hand"


def test_of_several_instances_without_ids_none_is_known_to_have_a_pod() -> None:
    structure = """
    childComponents:
    - name: worker
      specDefinition: {podTemplateSpecPath: ".spec.groups[].template"}
      scaleDefinition: {replicasPath: ".spec.groups[].n"}
    """
    groups = [{"n": 1, "template": template(1)}, {"n": 3, "template": template(2)}]
    pods = [pod(f"p{number}") for number in range(4)]
    workload = view(structure, thing({"groups": groups}), pods)
    (worker,) = workload.components
    assert [one.observed.pods for one in worker.instances if one.observed] == [0, 0]
    assert members(workload) == {"worker": ["p0", "p1", "p2", "p3"]}
    assert codes(workload) == ["instance-unknown"] * 4
    assert workload.observed is not None
    assert (workload.observed.pods, workload.totals.pods) == (4, 4)
    # Where there is one of them, it has all pods.
    workload = view(structure, thing({"groups": groups[1:]}), pods)
    assert [one.observed.pods for one in workload.components[0].instances if one.observed] == [4]
    assert workload.problems == ()
