"""What is too much, too deep or not what it should be ends in a problem, never in a traceback or a hang."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.made_up import codes, definition, definitions, pod, template, thing, view
from workload_map.engine import Attributor, OwnerIndex, resolve, resolve_many
from workload_map.engine.nodes import MAX_DEPTH
from workload_map.engine.patience import TOLERATED

ENDLESS = """
rootComponent:
  specDefinition: {podTemplateSpecPath: .spec.template}
  scaleDefinition: {replicasPath: 'if .spec.endless then last(repeat(1)) else 2 end'}
"""


def endless(number: int, *, is_bad: bool = True) -> dict[str, Any]:
    return thing({"template": template(1), "endless": is_bad}, name=f"t{number}", uid=f"uid-{number}")


def test_a_path_over_its_budget_spoils_its_field_only() -> None:
    workload = view(ENDLESS, endless(0))
    assert (codes(workload), workload.totals.pods) == (["path-budget"], None)
    assert workload.components[0].per_pod.image == "app:1"


def test_all_paths_of_one_resolve_share_one_budget() -> None:
    structure = """
    rootComponent:
      specDefinition: {podTemplateSpecPath: .spec.template}
      scaleDefinition:
        replicasPath: 'last(limit(30000; repeat(1)))'
        minReplicasPath: 'last(limit(30000; repeat(1)))'
        maxReplicasPath: 'last(limit(30000; repeat(1)))'
        podsPerReplicaPath: 'last(limit(30000; repeat(1)))'
    """
    one = structure.replace("30000", "10", 3)
    assert view(one, thing({"template": template(1)})).problems == ()
    assert set(codes(view(structure, thing({"template": template(1)})))) == {"path-budget"}


def test_a_definition_that_keeps_going_over_its_budget_is_set_aside_and_the_others_go_on() -> None:
    plain = definition(
        "rootComponent: {specDefinition: {podTemplateSpecPath: .spec.template}}", name="p", kind="Plain"
    )
    covered = definitions(definition(ENDLESS), plain)
    objects = [endless(number) for number in range(TOLERATED + 2)]
    objects.append(thing({"template": template(1)}, kind="Plain", name="fine"))
    pods = [pod("x", owner=f"uid-{TOLERATED}")]
    views = list(resolve_many(objects, covered, index=OwnerIndex([*objects, *pods])))
    assert [codes(one) for one in views] == [
        *[["path-budget"]] * TOLERATED,
        ["definition-set-aside"],
        ["definition-set-aside"],
        [],
    ]
    aside = views[TOLERATED]
    assert (aside.phase, aside.phases, aside.components) == (None, (), ())
    assert (aside.totals.pods, aside.totals.requests, aside.totals.at_max.gpus) == (None, None, None)
    assert aside.observed is not None
    assert (aside.observed.pods, [one.name for one in aside.unattributed or ()]) == (1, ["x"])
    assert "made-up is set aside" in aside.problems[0].message
    assert views[-1].totals.pods == 1


def test_now_and_then_is_tolerated() -> None:
    objects = [endless(number, is_bad=number % 3 == 0) for number in range(3 * TOLERATED - 3)]
    views = list(resolve_many(objects, definitions(definition(ENDLESS))))
    assert views[-1].totals.pods == 2


def test_paths_on_many_pods_have_a_budget_that_grows_with_them() -> None:
    structure = """
    childComponents:
    - name: w
      specDefinition: {podTemplateSpecPath: .spec.template}
      podSelector:
        componentTypeSelector: {keyPath: 'reduce range(100) as $n (.metadata.labels["role"]; .)', value: w}
    """
    pods = [pod(f"p{number}", role="w") for number in range(6000)]
    workload = view(structure, thing({"template": template(1)}), pods)
    assert (len(workload.components[0].members or ()), workload.problems) == (6000, ())


def link(uid: str, owner: str | None, kind: str = "Link") -> dict[str, Any]:
    reference = {
        "apiVersion": "x.io/v1",
        "kind": "Link",
        "name": str(owner),
        "uid": owner,
        "controller": True,
    }
    references = [reference] if owner else []
    meta = {"name": uid, "namespace": "n", "uid": uid, "ownerReferences": references}
    return {"apiVersion": "x.io/v1", "kind": kind, "metadata": meta}


PLAIN = "childComponents: [{name: w, specDefinition: {podTemplateSpecPath: .spec.template}}]"


def test_pods_too_deep_below_are_not_followed_and_it_is_told() -> None:
    deep = [link("l0", "uid-t"), *(link(f"l{n}", f"l{n - 1}") for n in range(1, MAX_DEPTH + 3))]
    workload = view(
        PLAIN, thing({"template": template(1)}), [pod("p", owner=f"l{MAX_DEPTH + 2}")], related=deep
    )
    assert codes(workload) == ["owner-depth"]
    near = view(PLAIN, thing({"template": template(1)}), [pod("p", owner="l3")], related=deep[:4])
    assert (near.problems, near.observed and near.observed.pods) == ((), 1)


def test_a_workload_among_its_own_controllers_is_told() -> None:
    obj = thing({"template": template(1)}, ownerReferences=link("", "l")["metadata"]["ownerReferences"])
    workload = view(PLAIN, obj, [pod("p")], related=[link("l", "uid-t")])
    assert codes(workload) == ["owner-cycle"]
    assert workload.observed is not None
    assert workload.observed.pods == 1


@pytest.mark.parametrize("pods", [["text", None, 3, [], True], [{}], [{"metadata": {"uid": 3}}]], ids=repr)
def test_what_is_no_pod_is_left_out(pods: Any) -> None:
    workload = view(PLAIN, thing({"template": template(1)}), [*pods, pod("p")])
    assert [one.name for one in workload.components[0].members or ()] == ["p"]
    assert codes(workload) == (["pod-malformed"] if "text" in pods else [])


def nested(depth: int) -> Any:
    value: Any = None
    for number in range(depth):
        value = [value] if number % 2 else {"a": value}
    return value


@pytest.mark.parametrize("depth", [900, 5000])
def test_values_may_be_nested_deeper_than_python_calls(depth: int) -> None:
    odd = nested(depth)
    broken = pod("p") | {"status": odd}
    broken["metadata"] |= {"labels": odd, "creationTimestamp": odd}
    obj = thing({"template": {"spec": odd}, "other": odd}, status=odd, annotations=odd)
    workload = view(PLAIN, obj, [broken, {**broken}], related=[odd])
    assert (workload.totals.pods, workload.totals.gpus) == (1, None)
    assert workload.to_dict()["name"] == "t"
    assert [one.name for one in workload.components[0].members or ()] == ["p"]


def test_the_pods_of_many_workloads_are_looked_at_once_each() -> None:
    # Quadratic work would take minutes here.
    objects = [thing({"template": template(1)}, name=f"t{n}", uid=f"uid-{n}") for n in range(2000)]
    pods = [pod(f"p{n}", owner=f"uid-{n % 2000}") for n in range(6000)]
    covered = definitions(definition(PLAIN))
    views = list(resolve_many(objects, covered, index=OwnerIndex([*objects, *pods])))
    assert {one.observed.pods for one in views if one.observed} == {3}
    attributor = Attributor(covered)
    for one in (*pods[:1000], *objects[:500]):
        attributor.put(one)
    assert len(list(attributor.views())) == 500


def test_a_function_that_finds_nothing_or_nonsense_is_not_believed() -> None:
    answers: list[Any] = [None, "text", [], {}, {"metadata": {"uid": "other"}}]
    for answer in answers:
        found = iter([answer])
        workload = resolve(
            thing({"template": template(1)}),
            definitions(definition(PLAIN)),
            pods=[pod("p", owner="somewhere")],
            related=lambda _: next(found),  # noqa: B023 - called before the next round
        )
        assert workload.observed is not None
        assert (workload.observed.pods, workload.problems) == (0, ())
