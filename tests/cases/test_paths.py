"""The path language where jq engines, or people's expectations of them, differ; and what it refuses."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cases.mark import case
from tests.cases.objects import part
from tests.engine.made_up import template, thing, view
from workload_map import path


def outputs(text: str, value: Any) -> list[Any]:
    return list(path.compile(text).all(value))


@case("B04")
@pytest.mark.parametrize(
    ("text", "writable"),
    [
        (".a // 1", False),
        ("{cpu: .spec.cpu, memory: .spec.memory}", False),
        (".list | map(select(.name != null)) | .[]", False),
        (".list[] | select(.name != null) | .value", True),
    ],
    ids=["a default", "a built object", "a filtered list", "a selection"],
)
def test_whether_a_path_can_be_written_is_known_before_it_runs(text: str, writable: bool) -> None:
    assert path.compile(text).writable is writable


@case("B34")
def test_a_field_of_an_absent_object_is_null() -> None:
    assert outputs(".a.b", {}) == [None]


@case("B34")
def test_the_length_of_an_absent_list_is_zero() -> None:
    assert outputs(".a | length", {}) == [0]


@case("B34")
@pytest.mark.parametrize(
    ("text", "value", "found", "at"),
    [(".a[]", {}, "null", ("a",)), (".a.b", {"a": "x"}, "string", ("a",))],
    ids=["iterating null", "a field of a text"],
)
def test_a_value_of_the_wrong_type_is_an_error_that_says_where_and_what(
    text: str, value: Any, found: str, at: tuple[str, ...]
) -> None:
    with pytest.raises(path.PathRuntimeError) as caught:
        outputs(text, value)
    assert (caught.value.found, caught.value.at) == (found, at)


COMPONENT = """
childComponents:
- name: worker
  instanceIdPath: .spec.groups[].name
  specDefinition: {podTemplateSpecPath: ".spec.groups[].template"}
  scaleDefinition: {replicasPath: .spec.counts.worker, defaults: {replicas: 1}}
  podSelector: {componentInstanceSelector: {idPath: '.metadata.labels["group"]'}}
"""


@case("B34")
def test_an_absent_field_is_no_problem_and_a_wrong_type_names_component_path_and_type() -> None:
    groups = [{"name": "a", "template": template(1)}]
    fine = view(COMPONENT, thing({"groups": groups}))
    assert (part(fine, "worker").replicas, fine.problems) == (1, ())
    absent = view(COMPONENT, thing({}))
    assert (absent.components, absent.problems) == ((), ())
    wrong = view(COMPONENT, thing({"groups": groups, "counts": "many"}))
    assert part(wrong, "worker").replicas is None
    (problem,) = wrong.problems
    assert (problem.code, problem.location) == ("path-failed", "spec.counts")
    assert "childComponents[0].scaleDefinition.replicasPath" in problem.message
    assert "string" in problem.message


@case("B41")
@pytest.mark.parametrize(
    "text",
    [
        "$ENV.HOME",
        "env.PATH",
        "input_filename",
        "input",
        "[inputs]",
        "$__prog_args",
        'import "a" as a; .',
        'include "a"; .',
        "now",
        "halt",
        "debug",
        "stderr",
    ],
)
def test_what_reaches_outside_the_object_does_not_compile(text: str) -> None:
    with pytest.raises(path.PathSyntaxError):
        path.compile(text)


@case("B115")
@pytest.mark.parametrize(
    ("text", "value", "expected"),
    [
        (".suspend // true", {"suspend": False}, True),
        (".suspend // true", {}, True),
        (".suspend // true", {"suspend": None}, True),
        (".replicas // 1", {"replicas": 0}, 0),
        ("if .suspend == null then true else .suspend end", {"suspend": False}, False),
        ("if .suspend == null then true else .suspend end", {}, True),
    ],
)
def test_the_alternative_is_taken_for_false_and_null_and_not_for_zero(
    text: str, value: Any, expected: Any
) -> None:
    assert outputs(text, value) == [expected]


SERVICES = {"Worker": {"replicas": 1}, "Frontend": {"replicas": 2}, "Decode": {"replicas": 3}}


@case("B117")
def test_objects_iterate_in_the_order_of_their_keys() -> None:
    assert outputs(".[].replicas", SERVICES) == [3, 2, 1]
    assert outputs("keys[]", SERVICES) == ["Decode", "Frontend", "Worker"]


@case("B117")
@pytest.mark.parametrize("order", [list(SERVICES), sorted(SERVICES), sorted(SERVICES, reverse=True)], ids=str)
def test_instances_out_of_a_map_keep_what_is_theirs_in_any_order(order: list[str]) -> None:
    structure = """
    childComponents:
    - name: service
      instanceIdPath: .spec.services | keys[]
      specDefinition: {podTemplateSpecPath: ".spec.services[].template"}
      scaleDefinition: {replicasPath: ".spec.services[].replicas"}
      podSelector: {componentInstanceSelector: {idPath: '.metadata.labels["service"]'}}
    """
    services = {name: {**SERVICES[name], "template": template(SERVICES[name]["replicas"])} for name in order}
    workload = view(structure, thing({"services": services}))
    found = [(one.id, one.replicas, one.gpus) for one in part(workload, "service").instances]
    assert found == [("Decode", 3, 9), ("Frontend", 2, 4), ("Worker", 1, 1)]
    assert workload.problems == ()


@case("B119")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (".missing < 1", True),
        (".missing > 0", False),
        (".missing == .other", True),
        ("any(.missing[]?; true)", False),
        ("[] | all", True),
        ("[] | any", False),
    ],
)
def test_null_sorts_before_numbers_and_nothing_is_vacuously_all(text: str, expected: bool) -> None:
    assert outputs(text, {}) == [expected]


@case("B119")
@pytest.mark.parametrize("text", [".missing - 1", "any(.missing[]; true)"])
def test_arithmetic_and_iteration_of_nothing_fail(text: str) -> None:
    with pytest.raises(path.PathRuntimeError):
        outputs(text, {})
