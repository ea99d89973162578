"""Whole manifests inside of an object: their own definitions say what they are, and where pods belong."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.made_up import codes, definition, definitions, pod, template, thing
from workload_map.definition.schema import Definition
from workload_map.engine import Component, OwnerIndex, Workload, place, resolve
from workload_map.engine.wrapped import MAX_DEPTH, MAX_OBJECTS

WRAPPER = """
childComponents:
- {name: wrapped, instanceIdPath: ".spec.parts[].id", objectPath: ".spec.parts[].template"}
"""

GANG = """
childComponents:
- name: leader
  specDefinition: {podTemplateSpecPath: .spec.leader}
  podSelector: {componentTypeSelector: {matchLabels: {role: leader}}}
- name: worker
  specDefinition: {podTemplateSpecPath: .spec.worker}
  scaleDefinition: {replicasPath: .spec.workers}
  podSelector: {componentTypeSelector: {matchLabels: {role: worker}}}
"""

CRON = """
rootComponent:
  specDefinition: {podTemplateSpecPath: .spec.template}
  scaleDefinition: {replicasPath: .status.active}
  statusDefinition:
    phaseDefinition: {path: .status.phase}
    statusMappings: {running: [{byPhase: up}]}
"""


def covered(*more: Definition) -> Any:
    return definitions(
        definition(WRAPPER),
        definition(GANG, name="gang", kind="Gang"),
        definition(CRON, name="cron", kind="Cron"),
        *more,
    )


def gang(name: str, workers: Any = 2, gpus: int = 1, uid: str | None = None) -> dict[str, Any]:
    spec = {"leader": template(0), "worker": template(gpus), "workers": workers}
    meta = {"name": name, "namespace": "n", **({"uid": uid} if uid else {})}
    return {"apiVersion": "x.io/v1", "kind": "Gang", "metadata": meta, "spec": spec}


def parts(*manifests: Any) -> dict[str, Any]:
    return thing({"parts": [{"id": f"p{number}", "template": one} for number, one in enumerate(manifests)]})


def child(manifest: dict[str, Any], uid: str, owner: str = "uid-t") -> dict[str, Any]:
    """The real object that a wrapper makes of a manifest."""
    reference = {"apiVersion": "x.io/v1", "kind": "Thing", "name": "t", "uid": owner, "controller": True}
    meta = {**manifest["metadata"], "uid": uid, "ownerReferences": [reference]}
    return {**manifest, "metadata": meta}


def members(component: Component) -> list[str]:
    return [one.name for one in component.members or ()]


def test_what_is_wrapped_becomes_children_of_its_instance() -> None:
    workload = resolve(parts(gang("a", 2, 1), gang("b", 3, 8)), covered())
    (wrapped,) = workload.components
    assert [(one.id, one.pods, one.gpus) for one in wrapped.instances] == [("p0", 3, 2), ("p1", 4, 24)]
    assert [(one.name, one.pods) for one in wrapped.instances[1].components] == [("leader", 1), ("worker", 3)]
    assert (wrapped.pods, workload.totals.pods, workload.totals.gpus) == (7, 7, 26)
    assert (wrapped.replicas, wrapped.pods_per_replica, wrapped.components) == (2, None, ())
    assert workload.problems == ()


def test_a_problem_of_what_is_wrapped_says_where_it_lies() -> None:
    workload = resolve(parts(gang("a"), gang("b", workers="x")), covered())
    assert [(one.code, one.location) for one in workload.problems] == [
        ("replicas-invalid", "spec.parts[1].template: spec.workers")
    ]
    assert [one.pods for one in workload.components[0].instances] == [3, None]
    assert workload.totals.pods is None


def test_pods_pass_through_the_real_object_and_its_definition_gives_the_role() -> None:
    first, second = gang("a"), gang("b")
    others = [child(first, "uid-a"), child(second, "uid-b")]
    pods = [
        pod("a-l", owner="uid-a", role="leader"),
        pod("b-w", owner="uid-b", role="worker"),
        pod("b-odd", owner="uid-b", role="other"),
    ]
    workload = resolve(parts(first, second), covered(), pods=pods, related=others)
    (wrapped,) = workload.components
    found = {one.id: [(role.name, members(role)) for role in one.components] for one in wrapped.instances}
    assert found == {
        "p0": [("leader", ["a-l"]), ("worker", [])],
        "p1": [("leader", []), ("worker", ["b-w"])],
    }
    assert [one.name for one in workload.unattributed or ()] == ["b-odd"]
    assert workload.observed is not None
    assert workload.observed.pods == 3
    assert [one.observed.pods for one in wrapped.instances if one.observed] == [1, 1]
    index = OwnerIndex([parts(first, second), *others, *pods])
    placement = place(pods[1], covered(), index)
    assert (placement.workload and placement.workload.kind, placement.component) == ("Thing", "worker")


def test_a_real_object_that_was_not_wrapped_takes_its_pods_to_no_place() -> None:
    stranger = child(gang("stranger"), "uid-s")
    workload = resolve(
        parts(gang("a")), covered(), pods=[pod("p", owner="uid-s", role="leader")], related=[stranger]
    )
    (lost,) = workload.unattributed or ()
    assert (lost.name, "whole objects" in lost.unattributed_because) == ("p", True)


def test_wrappers_may_be_wrapped() -> None:
    inner = parts(gang("a", 2, 4))
    inner["metadata"] = {"name": "inner", "namespace": "n"}
    outer = parts(inner)
    others = [child(inner, "uid-inner"), child(gang("a", 2, 4), "uid-a", owner="uid-inner")]
    workload = resolve(outer, covered(), pods=[pod("w", owner="uid-a", role="worker")], related=others)
    assert (workload.totals.pods, workload.totals.gpus) == (3, 8)
    (level,) = workload.components[0].instances[0].components
    assert level.name == "wrapped"
    leader, worker = level.instances[0].components
    assert (members(leader), members(worker)) == ([], ["w"])
    assert workload.problems == ()


def test_a_wrapped_pod_is_its_own_link() -> None:
    pods = definition(
        "rootComponent: {name: pod, kind: {version: v1, kind: Pod}, specDefinition: {podSpecPath: .spec}}",
        name="pod",
    )
    manifest = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "solo"}, **template(2)}
    workload = resolve(parts(manifest), covered(pods), pods=[pod("solo")])
    (inner,) = workload.components[0].instances[0].components
    assert (inner.name, members(inner), workload.totals.gpus) == ("pod", ["solo"], 2)


def test_an_object_that_no_definition_covers_is_unknown_and_told() -> None:
    odd = {"apiVersion": "y.io/v1", "kind": "Odd", "metadata": {"name": "o"}}
    workload = resolve(parts(gang("a"), odd), covered())
    assert [(one.code, one.location) for one in workload.problems] == [
        ("wrapped-not-covered", "spec.parts[1].template")
    ]
    assert [one.pods for one in workload.components[0].instances] == [3, None]
    assert (workload.totals.pods, workload.totals.at_min.gpus) == (None, None)


@pytest.mark.parametrize(
    ("api_version", "kind"),
    [("v1", "Service"), ("v1", "ConfigMap"), ("rbac.authorization.k8s.io/v1", "Role"), ("policy/v1", "X")],
)
def test_kinds_of_kubernetes_that_make_no_pods_are_left_out(api_version: str, kind: str) -> None:
    manifest = {"apiVersion": api_version, "kind": kind, "metadata": {"name": "s"}}
    workload = resolve(parts(manifest, gang("a")), covered())
    assert [one.id for one in workload.components[0].instances] == ["p1"]
    assert (workload.totals.pods, workload.problems) == (3, ())
    assert resolve(parts(manifest), covered()).components == ()


@pytest.mark.parametrize(
    "manifest", ["text", 3, [], {}, {"kind": "Gang"}, {"apiVersion": 1, "kind": 2}], ids=repr
)
def test_what_is_no_manifest_is_told(manifest: Any) -> None:
    workload = resolve(parts(manifest), covered())
    assert (codes(workload), workload.totals.pods) == (["wrapped-malformed"], None)


def test_an_absent_manifest_is_no_instance() -> None:
    workload = resolve(thing({"parts": [{"id": "x"}, {"id": "y", "template": gang("a")}]}), covered())
    assert [one.id for one in workload.components[0].instances] == ["y"]
    assert resolve(thing({}), covered()).components == ()


def test_two_definitions_for_a_wrapped_kind_are_none() -> None:
    twice = definitions(
        definition(WRAPPER),
        definition(GANG, name="g1", kind="Gang"),
        definition(GANG, name="g2", kind="Gang"),
    )
    assert codes(resolve(parts(gang("a")), twice)) == ["wrapped-not-covered"]


CONSTRUCTED = """
childComponents:
- name: cluster
  objectPath: >-
    .spec.cluster | select(. != null) | {apiVersion: "x.io/v1", kind: "Gang", spec: .}
- name: submitter
  specDefinition: {podTemplateSpecPath: .spec.submitter}
  podSelector: {componentTypeSelector: {matchLabels: {role: submitter}}}
"""


def constructed(**spec: Any) -> Workload:
    made = thing({"cluster": gang("?", 2, 4)["spec"], "submitter": template(0)} | spec)
    others = [child(gang("generated-name"), "uid-g")]
    pods = [pod("w", owner="uid-g", role="worker"), pod("s", role="submitter")]
    covers = definitions(definition(CONSTRUCTED), definition(GANG, name="gang", kind="Gang"))
    return resolve(made, covers, pods=pods, related=others)


def test_a_spec_can_be_given_its_kind_and_a_name_that_the_controller_chooses() -> None:
    workload = constructed()
    cluster, submitter = workload.components
    assert (cluster.pods, cluster.gpus, members(submitter)) == (3, 8, ["s"])
    assert [members(role) for role in cluster.instances[0].components] == [[], ["w"]]
    assert workload.problems == ()


def test_a_spec_that_is_not_there_wraps_nothing() -> None:
    workload = constructed(cluster=None)
    assert [one.name for one in workload.components] == ["submitter"]
    assert [one.name for one in workload.unattributed or ()] == ["w"]


def test_several_nameless_objects_of_a_kind_cannot_be_told_apart() -> None:
    nameless = [gang("x") | {"metadata": {}}, gang("y") | {"metadata": {}}]
    workload = resolve(
        parts(*nameless),
        covered(),
        pods=[pod("p", owner="uid-g", role="leader")],
        related=[child(gang("g"), "uid-g")],
    )
    assert [one.name for one in workload.unattributed or ()] == ["p"]


def test_what_is_wrapped_has_a_phase_where_it_has_a_status() -> None:
    cron = {
        "apiVersion": "x.io/v1",
        "kind": "Cron",
        "metadata": {"name": "c"},
        "spec": {"template": template(1)},
    }
    live = cron | {"status": {"active": 2, "phase": "up"}}
    workload = resolve(parts(cron, live), covered())
    roots = [one.components[0] for one in workload.components[0].instances]
    assert [(one.phase, one.pods) for one in roots] == [(None, None), ("Running", 2)]


def test_nothing_counts_below_a_suspended_instance() -> None:
    structure = WRAPPER.replace(
        'objectPath: ".spec.parts[].template"',
        'objectPath: ".spec.parts[].template", scaleDefinition: {suspendedPath: ".spec.parts[].off"}',
    )
    obj = parts(gang("a"), gang("b"))
    obj["spec"]["parts"][0]["off"] = True
    workload = resolve(obj, definitions(definition(structure), definition(GANG, name="gang", kind="Gang")))
    first, second = workload.components[0].instances
    assert (first.suspended, first.pods, [one.pods for one in first.components]) == (True, 0, [0, 0])
    assert (second.suspended, second.pods, workload.totals.pods) == (False, 3, 3)


def test_a_null_amount_within_is_that_of_the_kind_within() -> None:
    outer = definition(WRAPPER)
    inner = definition(
        """
rootComponent:
  kind: {group: batch, version: v1, kind: Job}
  specDefinition: {podTemplateSpecPath: .spec.template}
""",
        name="job",
    )
    spec = template(cpu="2")
    spec["spec"]["containers"][0]["resources"]["requests"] = {"cpu": None}
    job = {"apiVersion": "batch/v1", "kind": "Job", "spec": {"template": spec}}
    obj = parts(job, gang("a") | {"spec": {"leader": spec}})
    workload = resolve(obj, definitions(outer, inner, definition(GANG, name="gang", kind="Gang")))
    told = [one.requests.strings() for one in workload.components[0].instances if one.requests is not None]
    assert told == [{"cpu": "0"}, {"cpu": "2"}]


def test_nothing_is_known_below_an_instance_that_may_be_suspended() -> None:
    structure = WRAPPER.replace(
        'objectPath: ".spec.parts[].template"',
        'objectPath: ".spec.parts[].template", '
        'scaleDefinition: {suspendedPath: ".spec.parts[] | .off.now == true"}',
    )
    obj = parts(gang("a"), gang("b"))
    obj["spec"]["parts"][0]["off"] = "odd"
    workload = resolve(obj, definitions(definition(structure), definition(GANG, name="gang", kind="Gang")))
    first, second = workload.components[0].instances
    assert (first.suspended, first.pods, second.suspended, second.pods) == (None, None, False, 3)
    assert workload.totals.pods is None


def test_wrapping_is_bounded_in_depth_and_number() -> None:
    endless = definition("childComponents: [{name: again, objectPath: .}]")
    workload = resolve(thing({}), definitions(endless))
    assert codes(workload) == ["wrapped-too-deep"]
    assert (workload.problems[0].location or "").count("Thing") == MAX_DEPTH
    doubling = definition('childComponents: [{name: again, objectPath: "., ."}]')
    assert set(codes(resolve(thing({}), definitions(doubling)))) == {"wrapped-too-deep"}
    many = resolve(parts(*[gang(f"g{n}", 1) for n in range(MAX_OBJECTS + 1)]), covered())
    assert (codes(many), many.components[0].instances[-2].pods) == (["wrapped-too-deep"], 2)


def test_references_of_a_wrapped_definition_are_read_on_the_wrapped_object() -> None:
    structure = """
    references:
    - {name: preset, gvk: {version: v1, kind: ConfigMap}, lookup: {nameExpression: .spec.preset}}
    rootComponent:
      specDefinition: {podTemplateSpecPath: .spec.template}
      scaleDefinition: {replicasPath: $preset.n}
    """
    preset = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "p", "namespace": "n"},
        "n": 4,
    }
    manifest: dict[str, Any] = {
        "apiVersion": "x.io/v1",
        "kind": "Preset",
        "metadata": {"name": "m", "namespace": "n"},
        "spec": {"preset": "p", "template": template(2)},
    }
    covers = covered(definition(structure, name="preset", kind="Preset"))
    assert resolve(parts(manifest), covers, related=[preset]).totals.gpus == 8
    del manifest["metadata"]["namespace"]
    assert resolve(parts(manifest), covers, related=[preset]).totals.gpus == 8
    assert codes(resolve(parts(manifest), covers, related=[])) == ["reference-missing"]


COUNTED = WRAPPER.replace(
    'objectPath: ".spec.parts[].template"',
    'objectPath: ".spec.parts[].template",\n   scaleDefinition: {replicasPath: ".spec.parts[].n", LIMITS}',
)


def counted(limits: str, *made: dict[str, Any]) -> Workload:
    """A thing that makes several objects of each manifest."""
    obj = thing({"parts": [{"id": f"p{number}", **one} for number, one in enumerate(made)]})
    structure = definition(COUNTED.replace("LIMITS", limits))
    return resolve(obj, definitions(structure, definition(GANG, name="gang", kind="Gang")))


def test_what_an_object_holds_counts_for_each_object_that_is_made_of_it() -> None:
    limits = "defaults: {replicas: 1}"
    # A leader and two workers of one GPU each, three times; not at all; and once, by default.
    made: list[dict[str, Any]] = [
        {"n": 3, "template": gang("a")},
        {"n": 0, "template": gang("b")},
        {"template": gang("c")},
    ]
    workload = counted(limits, *made)
    (wrapped,) = workload.components
    assert [(one.replicas, one.pods, one.gpus) for one in wrapped.instances] == [
        (3, 9, 6),
        (0, 0, 0),
        (1, 3, 2),
    ]
    assert (workload.totals.pods, workload.totals.gpus) == (12, 8)
    assert [(one.replicas, one.pods) for one in wrapped.instances[0].components] == [(3, 3), (6, 6)]


def test_bounds_on_how_many_objects_are_made_are_bounds_of_what_they_hold() -> None:
    limits = 'minReplicasPath: ".spec.parts[].min", maxReplicasPath: ".spec.parts[].max"'
    workload = counted(limits, {"n": 2, "min": 1, "max": 4, "template": gang("a")})
    assert (workload.totals.at_min.pods, workload.totals.pods, workload.totals.at_max.pods) == (3, 6, 12)
    assert counted(limits, {"n": "many", "template": gang("a")}).totals.pods is None


def test_what_no_definition_covers_needs_nothing_where_none_is_made_of_it() -> None:
    strange = {"apiVersion": "y.io/v1", "kind": "Strange", "metadata": {"name": "s"}}
    workload = counted("defaults: {replicas: 1}", {"n": 0, "template": strange})
    assert (workload.totals.pods, workload.totals.gpus) == (0, 0)
    assert [one.code for one in workload.problems] == ["wrapped-not-covered"]
    assert counted("defaults: {replicas: 1}", {"n": 1, "template": strange}).totals.pods is None


BESIDE = """
childComponents:
- name: wrapped
  instanceIdPath: .spec.parts[].id
  objectPath: .spec.parts[].template
- name: leader
  ownerRef: wrapped
  instanceIdPath: .spec.parts[].id
  specDefinition: {podTemplateSpecPath: ".spec.parts[].beside"}
  podSelector: {componentInstanceSelector: {idPath: '.metadata.labels["part"]'}}
"""


def beside(*made: dict[str, Any]) -> dict[str, Any]:
    return thing({"parts": [{"id": f"p{number}", **one} for number, one in enumerate(made)]})


def test_a_component_may_stand_beside_each_object_that_is_within() -> None:
    """Its name may be one that the definition of the object has too: each has its own pods."""
    first, second = gang("a"), gang("b", 3)
    obj = beside(
        {"template": first, "beside": template(4)},
        {"template": second, "beside": template(8)},
        {"template": None, "beside": template(16)},
    )
    pods = [
        pod("a-l", owner="uid-a", role="leader"),
        pod("of-p1", part="p1"),
        pod("b-w", owner="uid-b", role="worker"),
    ]
    workload = resolve(
        obj,
        definitions(definition(BESIDE), definition(GANG, name="gang", kind="Gang")),
        pods=pods,
        related=[child(first, "uid-a"), child(second, "uid-b")],
    )
    (wrapped, *_) = workload.components
    found = {
        one.id: [(role.name, role.gpus, members(role)) for role in one.components]
        for one in wrapped.instances
    }
    assert found == {
        "p0": [("leader", 0, ["a-l"]), ("worker", 2, []), ("leader", 4, [])],
        "p1": [("leader", 0, []), ("worker", 3, ["b-w"]), ("leader", 8, ["of-p1"])],
    }
    # What stands beside an absent manifest is there all the same.
    assert workload.totals.gpus == 2 + 4 + 3 + 8 + 16
    assert workload.unattributed == ()


def test_what_stands_beside_a_manifest_that_makes_no_pods_counts() -> None:
    service = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "s"}}
    structure = definitions(definition(BESIDE))
    workload = resolve(beside({"template": service, "beside": template(4)}), structure)
    assert (workload.totals.pods, workload.totals.gpus, workload.problems) == (1, 4, ())


def test_a_kind_within_itself_has_the_phases_of_each_object() -> None:
    structure = """
    childComponents:
    - name: work
      specDefinition: {podTemplateSpecPath: .spec.template}
      statusDefinition:
        phaseDefinition: {path: .status.work}
        statusMappings: {running: [{byPhase: up}], failed: [{byPhase: down}]}
    - {name: within, objectPath: ".spec.within[]"}
    """

    def nested(name: str, status: Any, *within: Any) -> dict[str, Any]:
        obj = thing({"template": template(1), "within": list(within)}, status=status)
        return obj | {"metadata": {"name": name}}

    obj = nested("out", {"work": "up"}, nested("failed", {"work": "down"}), nested("new", None))
    work, within = resolve(obj, definitions(definition(structure))).components
    assert work.phase == "Running"
    assert [one.components[0].phase for one in within.instances] == ["Failed", None]
