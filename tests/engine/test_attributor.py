"""Whatever comes in whatever order: the views are those of a fresh resolve."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.engine.made_up import definition, definitions, pod, template, thing
from workload_map.engine import Attributor, ObjectError, OwnerIndex, Workload, resolve_many

Object = dict[str, Any]

TOP = """
rootComponent: {kind: {group: x.io, version: v1, kind: Top}}
childComponents:
- {name: all, specDefinition: {podTemplateSpecPath: .spec.template}}
- name: loose
  specDefinition: {podTemplateSpecPath: .spec.template}
  podSelector:
    componentTypeSelector: {keyPath: '.metadata.labels["role"]', value: loose}
    ownership: label
    workloadPath: .metadata.labels["app"] | if . == "bad" then error("bad") else . end
"""
THING = """
additionalChildKinds: [{group: batch, version: v1, kind: Job}]
references:
- {name: preset, gvk: {version: v1, kind: ConfigMap}, lookup: {nameExpression: .spec.preset}}
childComponents:
- name: head
  specDefinition: {podTemplateSpecPath: .spec.template}
  scaleDefinition: {replicasPath: .spec.replicas // $preset.replicas}
  podSelector: {componentTypeSelector: {keyPath: '.metadata.labels["role"]', value: head}}
- name: loose
  specDefinition: {podTemplateSpecPath: .spec.template}
  podSelector:
    componentTypeSelector: {keyPath: '.metadata.labels["role"]', value: loose}
    ownership: label
    workloadPath: .metadata.labels["app"] | strings | sub("top"; "thing")
"""
PODS = "rootComponent: {name: pod, kind: {version: v1, kind: Pod}, specDefinition: {podSpecPath: .spec}}"
COVERED = definitions(
    definition(TOP, name="top"), definition(THING, name="thing"), definition(PODS, name="pods")
)


def owned(obj: Object, kind: str, uid: str | None) -> Object:
    made = copy.deepcopy(obj)
    api_version = {"Job": "batch/v1", "Pod": "v1"}.get(kind, "x.io/v1")
    reference = {
        "apiVersion": api_version,
        "kind": kind,
        "name": kind.lower(),
        "uid": uid,
        "controller": True,
    }
    made["metadata"]["ownerReferences"] = [reference] if uid else []
    return made


def job(name: str, uid: str) -> Object:
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": name, "namespace": "n", "uid": uid}}


_SPEC = {"template": template(1)}
_OWNERS = [
    ("Thing", "thing-1"),
    ("Thing", "thing-2"),
    ("Job", "job-1"),
    ("Job", "job-2"),
    ("Top", "top-1"),
    ("Pod", "pod-2"),
    ("Job", None),
    ("Job", None),
]
_LABELS = [
    {"role": "head"},
    {"role": "loose", "app": "top1"},
    {"role": "loose", "app": "bad"},
    {"role": "odd"},
]


@st.composite
def objects(draw: st.DrawFn) -> Object:
    number = draw(st.sampled_from("12"))
    # Another UID under the same name is another object.
    again = draw(st.sampled_from(["", "", "", "-again"]))
    owner = draw(st.sampled_from(_OWNERS))
    match draw(st.sampled_from(["Top", "Thing", "Job", "Pod", "Pod", "Pod", "ConfigMap"])):
        case "Top":
            return thing(_SPEC, kind="Top", name=f"top{number}", uid=f"top-{number}{again}")
        case "Thing":
            extra: Object = draw(st.sampled_from([{}, {"replicas": 2}, {"preset": "p1"}, {"preset": "p2"}]))
            made = thing({**_SPEC, **extra}, name=f"thing{number}", uid=f"thing-{number}{again}")
            return owned(made, "Top", draw(st.sampled_from([None, "top-1", "top-2"])))
        case "Job":
            return owned(job(f"job{number}", f"job-{number}{again}"), *owner)
        case "ConfigMap":
            meta = {"name": f"p{number}", "namespace": "n", "uid": f"map-{number}{again}"}
            replicas = draw(st.sampled_from([1, 3]))
            return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": meta, "replicas": replicas}
    made = pod(f"pod{number}", ready=draw(st.booleans()))
    # Two objects should never bear one UID, and sometimes do.
    made["metadata"]["uid"] = draw(st.sampled_from([f"pod-{number}{again}"] * 6 + ["pod-1", "job-1"]))
    made["metadata"]["labels"] = draw(st.sampled_from(_LABELS))
    return owned(made, *owner)


EVENTS = st.lists(
    st.tuples(st.sampled_from(["put", "put", "put", "delete"]), objects()), min_size=1, max_size=14
)


def fresh(state: dict[Any, Object]) -> tuple[dict[str, Workload], list[Workload]]:
    """The views by UID (that of the first that bears it) and those on top, of an index built anew."""
    index = OwnerIndex(state.values())
    covered = [one for one in state.values() if COVERED.covers(one["apiVersion"], one["kind"])]
    views = list(resolve_many(covered, COVERED, index=index))
    uids = {
        one["metadata"]["uid"]: view
        for one, view in zip(covered, views, strict=True)
        if index.with_uid(one["metadata"]["uid"]) is one
    }
    return uids, list(resolve_many(index.top_level(COVERED), COVERED, index=index))


@settings(max_examples=150, deadline=None)
@given(EVENTS, st.booleans())
def test_views_are_those_of_a_fresh_resolve(events: list[tuple[str, Object]], ask_always: bool) -> None:
    attributor, state = Attributor(COVERED), dict[Any, Object]()
    before: dict[str, Workload] = {}
    for number, (word, obj) in enumerate(events):
        key = (obj["kind"], obj["metadata"]["name"])
        if word == "put":
            attributor.put(obj)
            state.pop(key, None)
            state[key] = obj
        else:
            attributor.delete(obj)
            if key in state and state[key]["metadata"]["uid"] == obj["metadata"]["uid"]:
                del state[key]
        if not ask_always and number < len(events) - 1:
            continue
        expected, top = fresh(state)
        told = set(attributor.changed())
        assert {uid for uid in {*before, *expected} if before.get(uid) != expected.get(uid)} <= told
        assert {uid: attributor.view(uid) for uid in {*before, *expected}} == {
            uid: expected.get(uid) for uid in {*before, *expected}
        }
        assert list(attributor.views()) == top
        before = expected


def test_a_pod_before_its_job_before_its_workload() -> None:
    attributor = Attributor(COVERED)
    head = owned(pod("h", role="head"), "Job", "job-1")
    attributor.put(head)
    attributor.put(thing({**_SPEC, "replicas": 1}))
    view = attributor.view("uid-t")
    # The job may be of this workload, so that its pods are not known yet.
    assert view is not None
    assert (view.observed, [one.code for one in view.problems]) == (None, ["owner-missing"])
    assert attributor.changed() == ["uid-h", "uid-t"]
    attributor.put(owned(job("j", "job-1"), "Thing", "uid-t"))
    assert "uid-t" in attributor.changed()
    view = attributor.view("uid-t")
    assert view is not None
    assert view.observed is not None
    assert (view.observed.pods, view.problems) == (1, ())
    placement = attributor.place(head)
    assert placement.workload is not None
    assert (placement.workload.name, placement.component) == ("t", "head")


def test_what_does_not_concern_a_view_leaves_it_as_it_is() -> None:
    attributor = Attributor(COVERED)
    attributor.put(thing(_SPEC, kind="Top"))
    attributor.put(pod("h"))
    attributor.put(thing(_SPEC, kind="Top", name="other", uid="uid-other"))
    first = attributor.view("uid-t")
    attributor.changed()
    attributor.put(pod("o", owner="uid-other"))
    attributor.put(job("j", "job-9"))
    assert attributor.changed() == ["uid-o", "uid-other"]
    assert attributor.view("uid-t") is first


def test_deleting_what_is_not_there_or_was_replaced_changes_nothing() -> None:
    attributor = Attributor(COVERED)
    attributor.put(thing(_SPEC, uid="new"))
    attributor.changed()
    attributor.delete(thing(_SPEC, uid="old"))
    attributor.delete(thing(_SPEC, name="never"))
    attributor.delete({})
    assert attributor.changed() == []
    attributor.delete({"apiVersion": "x.io/v1", "kind": "Thing", "metadata": {"name": "t", "namespace": "n"}})
    assert (attributor.changed(), attributor.view("new")) == (["new"], None)


@pytest.mark.parametrize(
    "broken", [{}, {"apiVersion": "v1", "kind": "Pod"}, {"metadata": {"name": "x", "uid": "y"}}, [], None]
)
def test_what_no_cluster_holds_is_refused(broken: Any) -> None:
    with pytest.raises(ObjectError):
        Attributor(COVERED).put(broken)


def test_a_kind_that_two_definitions_cover_is_left_out_of_the_views() -> None:
    twice = definitions(definition(PODS, name="a"), definition(PODS, name="b"), definition(THING))
    attributor = Attributor(twice)
    attributor.put(owned(pod("p"), "Pod", None))
    attributor.put(thing(_SPEC))
    assert [view.name for view in attributor.views()] == ["t"]
