"""Explanations: each answer is the view's, follows from what it rests on, and names fields that are there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import prod
from pathlib import Path
from typing import Any

import pytest

import workload_map.catalog
from tests.engine.made_up import definition, definitions, template, thing
from workload_map.catalog import Catalog
from workload_map.catalog.cases import Case, files, read_case
from workload_map.definition.lines import Lines, steps
from workload_map.engine import OwnerIndex, Workload, resolve_many
from workload_map.engine.explaining import Fact, UnknownFieldError, explain, explain_pod, explainable
from workload_map.engine.view import Component, Read

FOLDERS = sorted(one.parent for one in Path(workload_map.catalog.__file__).parent.glob("*/definition.yaml"))
DEFINITIONS = Catalog.builtin()


def _cases(folder: Path) -> Iterator[tuple[Case, OwnerIndex, Workload]]:
    for file in files(folder / "cases"):
        case = read_case(file)
        index = OwnerIndex([case.object, *(case.pods or ()), *case.related])
        (view,) = resolve_many([case.object], DEFINITIONS, index=index, pods_known=case.pods is not None)
        yield case, index, view


def _walk(fact: Fact) -> Iterator[Fact]:
    yield fact
    for inner in fact.facts:
        yield from _walk(inner)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_answers_are_those_of_the_view_and_follow_from_what_is_below(folder: Path) -> None:
    for case, index, view in _cases(folder):
        found = explain(case.object, DEFINITIONS, index, pods_known=case.pods is not None)
        phase, pods, gpus = found.facts
        assert (phase.value, pods.value, gpus.value) == (view.phase, view.totals.pods, view.totals.gpus)
        holding = [rule for rule in phase.facts if rule.value]
        if phase.facts:
            assert [*dict.fromkeys(rule.what for rule in holding)] == [
                one for one in view.phases if one != "Undefined"
            ]
        for total in (pods, gpus):
            assert total.value == _sum(fact.value for fact in total.facts)
            for fact in _walk(total):
                _check_count(fact)
        assert found.problems == view.problems


def _sum(values: Iterator[Any]) -> int | None:
    known = list(values)
    return None if None in known else sum(known)


def _check_count(fact: Fact) -> None:
    if fact.because.startswith("the sum of its instances") or fact.because == "the sum of what is below it":
        assert fact.value == _sum(one.value for one in fact.facts)
    if (product := re.match(r"replicas × .*: ([\d× ?]+)$", fact.because)) and fact.value is not None:
        factors = product[1].split(" × ")
        assert "?" not in factors or "0" in factors
        assert fact.value == (0 if "0" in factors else prod(map(int, factors)))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_what_was_read_is_there_and_the_rule_is_in_the_file(folder: Path) -> None:
    lines = Lines(folder / "definition.yaml", _name(folder))
    texts = (folder / "definition.yaml").read_text().splitlines()
    for case, index, _ in _cases(folder):
        for fact in (one for top in explain(case.object, DEFINITIONS, index).facts for one in _walk(top)):
            for read in fact.reads:
                _check_read(read, case.object, case.related)
            assert fact.reads or not fact.because.startswith("computed from"), fact
            if fact.rule is not None and fact.definition is None:
                line = lines.of(fact.rule)
                assert line is not None
                key = re.sub(r"\[\d+\]$", "", fact.rule.rsplit(".", 1)[-1])
                assert f"{key}:" in texts[line - 1] or texts[line - 1].lstrip().startswith("- ")


def _name(folder: Path) -> str:
    found = re.search(r"^  name: (.+)$", (folder / "definition.yaml").read_text(), re.MULTILINE)
    assert found
    return found[1]


def _check_read(read: Read, obj: dict[str, Any], related: list[dict[str, Any]]) -> None:
    """A value that was read lies there: in the object, or with `$name` in one (or in a list) beside it."""
    if read.value is None or re.search(r"\[\w+=|\[\*\]", read.path):
        return  # absent; or of a condition, named by its type; or of a list as a whole
    place = steps(read.path)
    if not read.path.startswith("$"):
        assert _at(obj, place) == read.value, read.path
    elif not read.path.startswith("$object."):  # computed, so it lies nowhere
        below = place[2:] if re.match(r"\$\w+\[", read.path) else place[1:]
        assert read.value in [_at(one, below) for one in related], read.path


def _at(value: Any, place: tuple[str | int, ...]) -> Any:
    for step in place:
        if isinstance(value, list) and isinstance(step, int):
            value = value[step] if step < len(value) else None
        else:
            value = value.get(step) if isinstance(value, dict) else None
    return value


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_each_pod_is_explained_as_it_is_placed(folder: Path) -> None:
    for case, index, view in _cases(folder):
        placed = {
            pod.name: component.name for component in _components(view) for pod in component.members or ()
        }
        for pod in case.pods or ():
            found = explain_pod(pod, DEFINITIONS, index) if pod.get("kind") == "Pod" else None
            if found is None or found.workload.name != view.name or found.workload.kind != view.kind:
                continue
            _, component = found.facts
            assert component.value == placed.get(pod["metadata"]["name"])


def _components(view: Workload) -> Iterator[Component]:
    stack = list(view.components)
    while stack:
        component = stack.pop()
        yield component
        stack += component.components
        stack += [child for instance in component.instances for child in instance.components]


JOBSET = {
    "apiVersion": "jobset.x-k8s.io/v1alpha2",
    "kind": "JobSet",
    "metadata": {"name": "train"},
    "spec": {
        "replicatedJobs": [
            {
                "name": "worker",
                "replicas": 2,
                "template": {
                    "spec": {
                        "parallelism": 3,
                        "template": {
                            "spec": {"containers": [{"resources": {"limits": {"nvidia.com/gpu": "4"}}}]}
                        },
                    }
                },
            }
        ]
    },
}

FRAGMENTS = "fragmentedPodSpecDefinition: {containersPath: .spec.template.spec.containers}"


def _wrapper(*objects: dict[str, Any]) -> dict[str, Any]:
    """An object with others inside."""
    return {
        "apiVersion": "workload.codeflare.dev/v1beta2",
        "kind": "AppWrapper",
        "metadata": {"name": "outer"},
        "spec": {"components": [{"template": one} for one in objects]},
    }


def _explained(field: str) -> Fact:
    (fact,) = explain(JOBSET, DEFINITIONS, OwnerIndex([JOBSET]), field).facts
    return fact


@pytest.mark.parametrize("spec", ["podTemplateSpecPath: .spec.template", FRAGMENTS])
@pytest.mark.parametrize("field", ["injectedContainersPath", "injectedInitContainersPath"])
def test_what_an_operator_adds_is_read_for_the_accelerators_of_a_pod(spec: str, field: str) -> None:
    known = definitions(
        definition(f"childComponents: [{{name: role, specDefinition: {{{spec}, {field}: .spec.added}}}}]")
    )
    added = {"name": "added", "resources": {"limits": {"nvidia.com/gpu": 4}}}
    obj = thing({"template": template(1), "added": added})
    (gpus,) = explain(obj, known, OwnerIndex([obj]), "gpus").facts
    (each,) = [fact for fact in _walk(gpus) if fact.what == "accelerators of one pod"]
    assert [(read.path, read.value) for read in each.reads] == [
        ('spec.template.spec.containers[0].resources.limits["nvidia.com/gpu"]', 1),
        ('spec.added.resources.limits["nvidia.com/gpu"]', 4),
    ]


def test_a_gpu_total_leads_to_the_container() -> None:
    (component,) = _explained("gpus").facts
    (worker,) = component.facts
    assert (worker.value, worker.because) == (
        24,
        "replicas × pods of each × accelerators of one pod: 2 × 3 × 4",
    )
    replicas, pods, gpus = worker.facts
    assert replicas.reads == (Read(path="spec.replicatedJobs[0].replicas", value=2),)
    assert pods.value == 3
    assert gpus.reads == (
        Read(
            path='spec.replicatedJobs[0].template.spec.template.spec.containers[0].resources.limits["nvidia.com/gpu"]',
            value="4",
        ),
    )


def test_an_amount_that_is_none_of_a_container_is_not_read() -> None:
    known = definitions(
        definition("childComponents: [{name: role, specDefinition: {podTemplateSpecPath: .spec.template}}]")
    )
    amounts = {"requests": {"nvidia.com/gpu": 2}}
    claim = {"ephemeral": {"volumeClaimTemplate": {"spec": {"resources": amounts}}}}
    obj = thing({"template": template(1)})
    obj["spec"]["template"]["spec"] |= {"volumes": [claim], "ephemeralContainers": [{"resources": amounts}]}
    (gpus,) = explain(obj, known, OwnerIndex([obj]), "gpus").facts
    (each,) = [fact for fact in _walk(gpus) if fact.what == "accelerators of one pod"]
    assert [(read.path, read.value) for read in each.reads] == [
        ('spec.template.spec.containers[0].resources.limits["nvidia.com/gpu"]', 1)
    ]


def test_a_component_has_its_own_explanation() -> None:
    fact = _explained("replicatedjob")
    assert [(one.what, one.value) for one in fact.facts] == [("pods", 6), ("gpus", 24)]


def test_what_is_not_there_is_refused_with_the_nearest() -> None:
    with pytest.raises(UnknownFieldError) as caught:
        _explained("replicatedjobs")
    assert caught.value.hint == "did you mean replicatedjob?"


def test_an_object_within_is_explained_by_its_own_definition() -> None:
    wrapper = _wrapper(JOBSET)
    (fact,) = explain(wrapper, DEFINITIONS, OwnerIndex([wrapper]), "gpus").facts
    assert fact.value == 24
    read = [(one.definition, inner.path) for one in _walk(fact) for inner in one.reads]
    assert (
        "jobset-x-k8s-io-jobset-v1alpha2",
        "spec.components[0].template.spec.replicatedJobs[0].replicas",
    ) in read


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_each_part_is_explained_by_its_name_wherever_it_is(folder: Path) -> None:
    for case, index, view in _cases(folder):
        components = list(_components(view))
        for name in {component.name for component in components}:
            found = explain(case.object, DEFINITIONS, index, name, pods_known=case.pods is not None).facts
            called = [component for component in components if component.name == name]
            assert sorted(map(_figures, found), key=repr) == sorted(
                ((one.pods, one.gpus) for one in called), key=repr
            )
        for component in components:
            for instance in component.instances:
                if instance.id is None:
                    continue
                name = f"{component.name}/{instance.id}"
                found = explain(case.object, DEFINITIONS, index, name, pods_known=case.pods is not None).facts
                assert (instance.pods, instance.gpus) in map(_figures, found)


def _figures(fact: Fact) -> tuple[Any, Any]:
    pods, gpus, *_ = fact.facts
    assert (pods.what, gpus.what) == ("pods", "gpus")
    return pods.value, gpus.value


def _roles(*names: str) -> dict[str, Any]:
    """Two roles of a DisaggregatedSet, each of one leader and one worker."""
    container = {"resources": {"limits": {"nvidia.com/gpu": 1}}}
    template = {"size": 2, "workerTemplate": {"spec": {"containers": [container]}}}
    return {
        "apiVersion": "disaggregatedset.x-k8s.io/v1",
        "kind": "DisaggregatedSet",
        "metadata": {"name": "llm"},
        "spec": {
            "roles": [
                {"name": name, "spec": {"replicas": 3, "leaderWorkerTemplate": template}} for name in names
            ]
        },
    }


def _titles(obj: dict[str, Any], field: str) -> list[str]:
    return [fact.what for fact in explain(obj, DEFINITIONS, OwnerIndex([obj]), field).facts]


def test_a_count_of_what_may_be_suspended_is_unknown_although_it_is_written() -> None:
    structure = """
    childComponents:
    - name: part
      instanceIdPath: .spec.parts[].name
      specDefinition: {podTemplateSpecPath: ".spec.parts[].template"}
      scaleDefinition: {replicasPath: ".spec.parts[].n", suspendedPath: ".spec.parts[].off.now"}
    """
    obj = thing({"parts": [{"name": "a", "n": 3, "off": "odd", "template": template(1)}]})
    (instance,) = explain(obj, definitions(definition(structure)), OwnerIndex([obj]), "a").facts
    told = [fact for fact in _walk(instance) if fact.what == "replicas"]
    assert [(one.value, one.because) for one in told] == [
        (None, "read from the object, unless it is suspended: that cannot be told")
    ] * 2


def test_an_instance_is_explained_by_its_id() -> None:
    fact = _explained("worker")
    assert (fact.what, [(one.what, one.value) for one in fact.facts]) == (
        "replicatedjob worker",
        [("pods", 6), ("gpus", 24)],
    )
    assert _explained("replicatedjob/worker") == fact


def test_a_component_of_several_instances_is_explained_for_each() -> None:
    assert _titles(_roles("prefill", "decode"), "worker") == ["worker of prefill", "worker of decode"]


def test_an_instance_is_the_outermost_of_its_id() -> None:
    roles = _roles("prefill", "decode")
    assert _titles(roles, "prefill") == ["role prefill"]
    assert _titles(roles, "worker/prefill") == ["worker prefill of prefill"]


def test_a_component_wins_over_an_instance_of_its_name() -> None:
    roles = _roles("worker", "decode")
    assert _titles(roles, "worker") == ["worker of worker", "worker of decode"]
    assert _titles(roles, "role/worker") == ["role worker"]


def test_parts_of_an_object_within_are_explained_too() -> None:
    wrapper = _wrapper(JOBSET)
    (fact,) = explain(wrapper, DEFINITIONS, OwnerIndex([wrapper]), "worker").facts
    assert (fact.what, fact.definition) == (
        "replicatedjob worker of train",
        "jobset-x-k8s-io-jobset-v1alpha2",
    )


def test_a_field_of_an_object_within_is_told_where_it_was_taken_from() -> None:
    group = {"groupName": "gpu", "replicas": 2, "template": {"spec": {"containers": [{}]}}}
    job = {
        "apiVersion": "ray.io/v1",
        "kind": "RayJob",
        "metadata": {"name": "sweep"},
        "spec": {"submissionMode": "SidecarMode", "rayClusterSpec": {"workerGroupSpecs": [group]}},
    }
    (fact,) = explain(job, DEFINITIONS, OwnerIndex([job]), "gpu").facts
    read = {inner.path: inner.value for one in _walk(fact) for inner in one.reads if inner.value is not None}
    assert read == {"spec.rayClusterSpec.workerGroupSpecs[0].replicas": 2}


def test_a_field_that_the_definition_computed_lies_nowhere() -> None:
    # The definition of a TrainJob puts `numNodes` into the JobSet that the runtime describes.
    node = {
        "name": "node",
        "template": {
            "metadata": {"labels": {"trainer.kubeflow.org/trainjob-ancestor-step": "trainer"}},
            "spec": {"template": {"spec": {"containers": [{"name": "node"}]}}},
        },
    }
    runtime = {
        "apiVersion": "trainer.kubeflow.org/v1alpha1",
        "kind": "ClusterTrainingRuntime",
        "metadata": {"name": "torch"},
        "spec": {"template": {"spec": {"replicatedJobs": [node]}}},
    }
    job = {
        "apiVersion": "trainer.kubeflow.org/v1alpha1",
        "kind": "TrainJob",
        "metadata": {"name": "distill"},
        "spec": {"runtimeRef": {"name": "torch"}, "trainer": {"numNodes": 3}},
    }
    (fact,) = explain(job, DEFINITIONS, OwnerIndex([job, runtime]), "node").facts
    read = {inner.path: inner.value for one in _walk(fact) for inner in one.reads if inner.value is not None}
    assert read["$object.spec.replicatedJobs[0].template.spec.parallelism"] == 3


def test_an_id_that_several_components_have_is_refused_with_forms_that_work() -> None:
    ray = {
        "apiVersion": "ray.io/v1",
        "kind": "RayCluster",
        "metadata": {"name": "ray"},
        "spec": {
            "workerGroupSpecs": [
                {"groupName": "worker", "replicas": 1, "template": {"spec": {"containers": [{}]}}},
                {"groupName": "train", "replicas": 1, "template": {"spec": {"containers": [{}]}}},
            ]
        },
    }
    wrapper = _wrapper(JOBSET, ray)
    with pytest.raises(UnknownFieldError) as caught:
        explain(wrapper, DEFINITIONS, OwnerIndex([wrapper]), "train")
    assert caught.value.hint == "say which: component/train, worker/train"
    assert _titles(wrapper, "worker/train") == ["worker train of ray"]


def test_what_can_be_explained_is_told_but_not_all_of_it() -> None:
    assert explainable(JOBSET, DEFINITIONS, OwnerIndex([JOBSET])) == [
        "phase",
        "pods",
        "gpus",
        "replicatedjob",
        "worker",
    ]
    (job,) = JOBSET["spec"]["replicatedJobs"]  # type: ignore[index]
    many = {**JOBSET, "spec": {"replicatedJobs": [{**job, "name": f"j{number}"} for number in range(100)]}}
    with pytest.raises(UnknownFieldError) as caught:
        explain(many, DEFINITIONS, OwnerIndex([many]), "nothing-like-it")
    assert caught.value.hint is not None
    assert caught.value.hint.endswith(", j15 and 84 more")


def test_what_is_made_several_times_says_so_and_what_stands_beside_it_is_read_from_the_object() -> None:
    outer = definition("""
    childComponents:
    - name: run
      instanceIdPath: .spec.runs[].name
      objectPath: .spec.runs[].object
      scaleDefinition: {replicasPath: ".spec.runs[].copies"}
    - name: helper
      ownerRef: run
      instanceIdPath: .spec.runs[].name
      specDefinition: {podTemplateSpecPath: ".spec.runs[].helper"}
      scaleDefinition: {replicasPath: ".spec.runs[].helpers"}
    """)
    inner = definition(
        """
        rootComponent:
          specDefinition: {podTemplateSpecPath: .spec.template}
          scaleDefinition: {replicasPath: .spec.nodes}
        """,
        name="inner",
        kind="Inner",
    )
    held = {"apiVersion": "x.io/v1", "kind": "Inner", "metadata": {"name": "i"}}
    held["spec"] = {"nodes": 2, "template": template(1)}
    obj = thing({"runs": [{"name": "a", "copies": 3, "object": held, "helpers": 5, "helper": template(0)}]})
    (pods,) = explain(obj, definitions(outer, inner), OwnerIndex([obj]), "pods").facts
    counts = {fact.because: (fact.value, fact.reads) for fact in _walk(pods) if fact.what == "replicas"}
    assert counts == {
        "read from the object, times the number of such objects": (
            6,
            (Read(path="spec.runs[0].object.spec.nodes", value=2),),
        ),
        "read from the object": (5, (Read(path="spec.runs[0].helpers", value=5),)),
    }
    assert pods.value == 11


RULED = """
rootComponent:
  statusDefinition:
    phaseDefinition: {path: .status.state}
    conditionsDefinition: {path: .status.conditions}
    statusMappings:
      failed:
      - byPhase: Broken
        byConditions: [{type: Up, status: "False", reason: Crash}]
        byExpression: {expression: '.status.word | select(. != "")', expectedResult: bad}
"""
_UP = {"type": "Up", "status": "False", "reason": "Crash"}


@pytest.mark.parametrize(
    ("status", "failing"),
    [
        ({}, "the phase is absent"),
        ({"state": None}, "the phase is absent"),
        ({"state": ""}, "the phase is empty"),
        ({"state": 0}, "the phase is 0"),
        ({"state": False}, "the phase is false"),
        ({"state": "Fine", "conditions": [_UP], "word": "bad"}, "the phase is Fine"),
        ({"state": "Broken", "word": "bad"}, "the condition Up is absent"),
        ({"state": "Broken", "conditions": [], "word": "bad"}, "the condition Up is absent"),
        (
            {"state": "Broken", "conditions": [{**_UP, "status": "True"}], "word": "bad"},
            "the status of the condition Up is True",
        ),
        (
            {"state": "Broken", "conditions": [{"type": "Up"}], "word": "bad"},
            "the status of the condition Up is absent",
        ),
        (
            {"state": "Broken", "conditions": [{**_UP, "reason": "Update"}], "word": "bad"},
            "the reason of the condition Up is Update",
        ),
        (
            {"state": "Broken", "conditions": [{**_UP, "reason": ""}], "word": "bad"},
            "the reason of the condition Up is empty",
        ),
        ({"state": "Broken", "conditions": [_UP], "word": "good"}, "the expression gives good"),
        ({"state": "Broken", "conditions": [_UP], "word": ""}, "the expression gives no result"),
    ],
)
def test_a_rule_that_does_not_hold_names_the_part_that_fails(status: Any, failing: str) -> None:
    (rule,) = _rules(RULED, status)
    assert (rule.value, rule.because) == (False, f"the rule does not hold: {failing}")


def test_a_rule_whose_expression_holds_does_not_lay_it_to_the_expression() -> None:
    mappings = """
    rootComponent:
      statusDefinition:
        conditionsDefinition: {path: .status.conditions}
        statusMappings:
          degraded:
          - byConditions: [{type: Up}, {type: Stuck, status: "True"}]
            byExpression: {expression: .status.word, expectedResult: bad}
          - byExpression: {expression: .status.word, expectedResult: bad}
    """
    first, second = _rules(mappings, {"word": "bad", "conditions": [_UP]})
    assert (first.value, second.value) == (False, True)
    assert first.because == "the rule does not hold: the condition Stuck is absent"


@pytest.mark.parametrize(
    ("matcher", "failing"),
    [
        ("byPhase: Broken", "the definition has no phaseDefinition"),
        ("byConditions: [{type: Up}]", "the definition has no conditionsDefinition"),
    ],
)
def test_a_rule_on_what_the_definition_does_not_read_says_so(matcher: str, failing: str) -> None:
    mappings = f"rootComponent: {{statusDefinition: {{statusMappings: {{failed: [{{{matcher}}}]}}}}}}"
    (rule,) = _rules(mappings, {"state": "Broken", "conditions": [_UP]})
    assert (rule.value, rule.because) == (False, f"the rule does not hold: {failing}")


def _rules(structure: str, status: Any) -> tuple[Fact, ...]:
    obj = thing(status=status)
    (phase,) = explain(obj, definitions(definition(structure)), OwnerIndex([obj]), "phase").facts
    return phase.facts
