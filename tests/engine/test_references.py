"""Other objects that paths read as `$name`: found, absent, listed, never confused with the object."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from tests.engine.made_up import codes, definition, definitions, template, thing, view
from workload_map.engine import OwnerIndex, resolve_many

RUNTIME = """
references:
- name: runtime
  gvk: {group: x.io, version: v1, kind: Runtime}
  lookup: {nameExpression: .spec.runtimeRef.name}
childComponents:
- name: node
  specDefinition: {podTemplateSpecPath: .spec.template // $runtime.spec.template}
  scaleDefinition: {replicasPath: .spec.nodes // $runtime.spec.nodes}
"""


def runtime(name: str = "r", namespace: str | None = "n", **spec: Any) -> dict[str, Any]:
    meta = {"name": name} if namespace is None else {"name": name, "namespace": namespace}
    return {"apiVersion": "x.io/v1", "kind": "Runtime", "metadata": meta, "spec": spec}


def test_what_the_object_leaves_out_is_read_from_what_it_refers_to() -> None:
    obj = thing({"runtimeRef": {"name": "r"}})
    workload = view(RUNTIME, obj, related=[runtime(template=template(4), nodes=3)])
    assert (workload.totals.pods, workload.totals.gpus) == (3, 12)
    assert workload.problems == ()


def test_what_the_object_says_itself_counts_first() -> None:
    obj = thing({"runtimeRef": {"name": "r"}, "nodes": 2})
    assert view(RUNTIME, obj, related=[runtime(template=template(4), nodes=3)]).totals.gpus == 8


def test_what_is_not_at_hand_is_unknown_and_named() -> None:
    obj = thing({"runtimeRef": {"name": "r"}, "template": template(1)})
    for related in (None, [], [runtime("other")], [runtime(namespace="elsewhere", nodes=3)]):
        workload = view(RUNTIME, obj, related=related)
        assert workload.totals.pods is None
        assert [(one.code, one.location) for one in workload.problems] == [("reference-missing", "Runtime r")]
        # The kind may have no namespaces: none is named that the definition does not ask for.
        assert workload.problems[0].message.startswith("Runtime r is not at hand")


NOT_AT_HAND = {
    "template": "specDefinition: {podTemplateSpecPath: $runtime.spec.template}",
    "roles": """
  instanceIdPath: $runtime.spec.roles[].name
  specDefinition: {podTemplateSpecPath: "$runtime.spec.roles[].template"}
""",
    "passed over": """
  instanceIdPath: $runtime.spec.roles[]?.name
  specDefinition: {podTemplateSpecPath: "$runtime.spec.roles[]?.template"}
""",
    "fragments": "specDefinition: {fragmentedPodSpecDefinition: {imagePath: $runtime.spec.image}}",
    "role": "{specDefinition: {}, presentPath: $runtime.spec.on}",
    "manifest": "objectPath: $runtime.spec.manifest",
    "manifests": "objectPath: $runtime.spec.manifests[]?",
    "made manifest": "objectPath: '{kind: $runtime.kind}'",
    "count": """
  specDefinition: {podTemplateSpecPath: .spec.template}
  scaleDefinition: {replicasPath: $runtime.spec.nodes, defaults: {replicas: 1}}
""",
    "pods of a replica": """
  specDefinition: {podTemplateSpecPath: .spec.template}
  scaleDefinition: {replicasPath: .spec.nodes, podsPerReplicaPath: $runtime.spec.hosts}
""",
    "suspension": """
  specDefinition: {podTemplateSpecPath: .spec.template}
  scaleDefinition: {replicasPath: .spec.nodes, suspendedPath: $runtime.spec.off}
""",
}

COUNTS_NOT_AT_HAND = {
    "default in the path": "$runtime.spec.nodes // 1",
    "default behind a computed key": "$runtime.spec.nodes[.metadata.namespace] // 1",
    "default behind a quoted key": '$runtime["spec"]["nodes"] // 1',
    "default behind a place in a list": "$runtime.spec.nodes[0] // 1",
    "default behind a computed place": ".spec.nodes as $at | $runtime.spec.nodes[$at].replicas // 1",
    "default behind an element": "first($runtime.spec.roles[]?.nodes) // 1",
    "default behind another name": "$runtime.spec as $told | $told.nodes // 1",
    "default behind a pipe": "($runtime | .spec | .nodes) // 1",
    "default behind a test": 'if $runtime.spec | has("nodes")? then $runtime.spec.nodes else 1 end',
    "default behind a list": "$runtime.list[0]? // 1",
    "default behind what may fail": "try $runtime.spec.nodes.all catch 1",
    "test of equality": "if $runtime.spec.nodes == 3 then 3 else 1 end",
    "test of order": "if $runtime.spec.nodes > 2 then 5 else 1 end",
    "count of texts": "[$runtime.spec.names[]? | strings] | length",
    "made count": "if $runtime == null then 1 else $runtime.spec.nodes end",
}


@pytest.mark.parametrize("fields", NOT_AT_HAND.values(), ids=NOT_AT_HAND)
def test_what_may_lie_in_something_that_is_not_at_hand_is_neither_absent_nor_its_default(fields: str) -> None:
    front, _, _ = RUNTIME.partition("childComponents")
    body = yaml.safe_load(f"a:\n  {fields}" if fields[0] not in "{\n" else f"a: {fields}")["a"]
    structure = yaml.safe_dump(yaml.safe_load(front) | {"childComponents": [{"name": "node", **body}]})
    obj = thing({"runtimeRef": {"name": "r"}, "template": template(1), "nodes": 2})
    workload = view(structure, obj, related=[])
    assert (workload.totals.pods, workload.totals.gpus) == (None, None)
    assert codes(workload) == ["reference-missing"]


@pytest.mark.parametrize("count", COUNTS_NOT_AT_HAND.values(), ids=COUNTS_NOT_AT_HAND)
def test_a_count_that_may_lie_in_something_that_is_not_at_hand_is_unknown_whatever_its_default(
    count: str,
) -> None:
    structure = RUNTIME.replace(".spec.nodes // $runtime.spec.nodes", f"'{count}'")
    obj = thing({"runtimeRef": {"name": "r"}, "template": template(1), "nodes": 2})
    workload = view(structure, obj, related=[])
    assert (workload.totals.pods, codes(workload)) == (None, ["reference-missing"])


@pytest.mark.parametrize(
    ("count", "pods"),
    [
        (".spec.nodes // $runtime.list[0]?", 2),
        ("if .spec.nodes > 1 then .spec.nodes else $runtime.spec.nodes end", 2),
        ("first(.spec.nodes, $runtime.spec.nodes)", 2),
        ("if .spec.nodes == 2 or $runtime.spec.on then 7 else 1 end", 7),
        (".spec.roles[]? | .replicas // $runtime.spec.nodes", 1),
    ],
)
def test_a_count_that_does_not_come_to_read_what_is_not_at_hand_is_known(count: str, pods: int) -> None:
    structure = RUNTIME.replace(".spec.nodes // $runtime.spec.nodes", f"'{count}', defaults: {{replicas: 1}}")
    obj = thing({"runtimeRef": {"name": "r"}, "template": template(1), "nodes": 2})
    workload = view(structure, obj, related=[])
    assert (workload.totals.pods, codes(workload)) == (pods, ["reference-missing"])


def test_each_entry_that_says_it_itself_is_known_without_the_other() -> None:
    roles: list[dict[str, Any]] = [{"name": name, "template": template(1)} for name in ("a", "b")]
    roles[0]["replicas"] = 2
    workload = view(OVERRIDES, thing({"roles": roles, "runtime": "r"}), related=[])
    assert {one.id: one.replicas for one in workload.components[0].instances} == {"a": 2, "b": None}
    assert codes(workload) == ["reference-missing"]


def test_what_the_object_says_itself_is_known_without_the_other() -> None:
    obj = thing({"runtimeRef": {"name": "r"}, "template": template(4), "nodes": 2})
    workload = view(RUNTIME, obj, related=[])
    assert (workload.totals.pods, workload.totals.gpus) == (2, 8)
    assert codes(workload) == ["reference-missing"]


PHASES = """
rootComponent:
  statusDefinition:
    phaseDefinition: {{path: {phase}}}
    statusMappings:
      failed: [{{byExpression: {{expression: '{failed}', expectedResult: "true"}}}}]
      running: [{{byPhase: Up}}]
references:
- name: runtime
  gvk: {{group: x.io, version: v1, kind: Runtime}}
  lookup: {{nameExpression: .spec.runtime}}
"""


@pytest.mark.parametrize(
    ("failed", "phase", "phases"),
    [
        ("$runtime == null", ".status.state", ("Running",)),
        ("$runtime.status.ok | not", ".status.state", ("Running",)),
        ("($runtime.status.ready // 0) < 1", ".status.state", ("Running",)),
        ("$runtime.status.broken", ".status.state", ("Running",)),
        ("$runtime.status.ready == 0 | not", ".status.state", ("Running",)),
        ('[$runtime.status.list[0]? // "none"] | length == 1', ".status.state", ("Running",)),
        ('.status.state == "Up" or $runtime.status.broken', ".status.state", ("Failed", "Running")),
        (".status.broken", '$runtime.status.state // "Up"', ("Undefined",)),
    ],
)
def test_no_phase_rests_on_what_is_not_at_hand(failed: str, phase: str, phases: tuple[str, ...]) -> None:
    obj = thing({"runtime": "r"}, status={"state": "Up"})
    workload = view(PHASES.format(failed=failed, phase=phase), obj, related=[])
    assert workload.phases == phases
    assert codes(workload) == ["reference-missing"]


@pytest.mark.parametrize(("paused", "suspended"), [(True, True), (False, False), (None, None)])
def test_suspension_is_unknown_where_what_would_tell_it_is_not_at_hand(
    paused: bool | None, suspended: bool | None
) -> None:
    structure = (
        RUNTIME
        + """
rootComponent:
  suspendDefinition:
    suspendActions: [{path: .spec.paused // $runtime.spec.paused == true, value: "true"}]
    resumeActions: [{path: .spec.paused, value: "false"}]
"""
    )
    obj = thing({"runtimeRef": {"name": "r"}, "template": template(1), "nodes": 1, "paused": paused})
    if paused is False:
        assert view(structure, obj, related=[runtime(paused=False)]).suspended is False
    else:
        assert view(structure, obj, related=[]).suspended is suspended


def test_a_namespace_that_the_definition_asks_for_is_told() -> None:
    structure = RUNTIME.replace("  lookup:", "  namespaceExpression: .spec.runtimeRef.namespace\n  lookup:")
    obj = thing({"runtimeRef": {"name": "r", "namespace": "shared"}, "template": template(1)})
    (problem,) = view(structure, obj, related=[]).problems
    assert problem.message.startswith("Runtime r in namespace shared is not at hand")


def test_referring_to_nothing_is_no_problem() -> None:
    workload = view(RUNTIME, thing({"template": template(1)}), related=[])
    assert (workload.totals.pods, workload.problems) == (None, ())


def test_a_name_that_is_no_text_is_told() -> None:
    workload = view(RUNTIME, thing({"template": template(1), "runtimeRef": {"name": 3}}), related=[])
    assert codes(workload) == ["reference-malformed"]


@pytest.mark.parametrize("asked", ["text", 3, True, ["r"]], ids=repr)
def test_a_name_that_cannot_be_read_is_not_the_name_of_nothing(asked: Any) -> None:
    workload = view(RUNTIME, thing({"runtimeRef": asked}), related=[runtime(template=template(1))])
    assert (workload.totals.pods, codes(workload)) == (None, ["path-failed"])


@pytest.mark.parametrize(
    ("namespace", "found"),
    [
        (None, (2, [])),
        ("", (2, [])),
        ("shared", (7, [])),
        ("none", (None, ["reference-missing"])),
        (3, (None, ["reference-malformed"])),
        ({}, (None, ["reference-malformed"])),
        (False, (None, ["reference-malformed"])),
    ],
    ids=repr,
)
def test_a_namespace_is_a_text_or_that_of_the_object(namespace: Any, found: Any) -> None:
    structure = RUNTIME.replace("  lookup:", "  namespaceExpression: .spec.runtimeRef.namespace\n  lookup:")
    obj = thing({"runtimeRef": {"name": "r", "namespace": namespace}, "template": template(1)})
    workload = view(structure, obj, related=[runtime(nodes=2), runtime(namespace="shared", nodes=7)])
    assert (workload.totals.pods, codes(workload)) == found


def test_a_reference_that_no_path_comes_to_read_is_not_looked_up() -> None:
    obj = thing({"template": template(1), "nodes": 2, "runtimeRef": {"name": "gone"}})
    structure = RUNTIME.replace(" // $runtime.spec.nodes", "").replace(" // $runtime.spec.template", "")
    assert view(structure, obj, related=[]).problems == ()


def test_a_kind_without_namespaces_is_found_too() -> None:
    obj = thing({"runtimeRef": {"name": "r"}, "template": template(1)})
    assert view(RUNTIME, obj, related=[runtime(namespace=None, nodes=5)]).totals.pods == 5


def test_the_version_of_the_kind_may_be_another() -> None:
    other = runtime(nodes=2) | {"apiVersion": "x.io/v1beta1"}
    obj = thing({"runtimeRef": {"name": "r"}, "template": template(1)})
    assert view(RUNTIME, obj, related=[other]).totals.pods == 2


def test_the_definition_may_say_the_namespace() -> None:
    structure = RUNTIME.replace("  lookup:", "  namespaceExpression: .spec.runtimeRef.namespace\n  lookup:")
    obj = thing({"runtimeRef": {"name": "r", "namespace": "shared"}, "template": template(1)})
    related = [runtime(nodes=2), runtime(namespace="shared", nodes=7)]
    assert view(structure, obj, related=related).totals.pods == 7
    del obj["spec"]["runtimeRef"]["namespace"]
    assert view(structure, obj, related=related).totals.pods == 2


def test_a_function_may_find_what_is_referred_to() -> None:
    asked: list[dict[str, Any]] = []

    def find(reference: dict[str, Any]) -> dict[str, Any] | None:
        asked.append(reference)
        return runtime(nodes=6)

    obj = thing({"runtimeRef": {"name": "r"}, "template": template(1)})
    assert view(RUNTIME, obj, related=find).totals.pods == 6
    assert asked == [{"apiVersion": "x.io/v1", "kind": "Runtime", "namespace": "n", "name": "r"}]


def test_an_answer_that_is_another_object_is_not_believed() -> None:
    obj = thing({"runtimeRef": {"name": "r"}, "template": template(1)})
    workload = view(RUNTIME, obj, related=lambda _: runtime("other", nodes=6))
    assert codes(workload) == ["reference-missing"]


OVERRIDES = """
references:
- name: runtime
  gvk: {group: x.io, version: v1, kind: Runtime}
  lookup: {nameExpression: .spec.runtime}
childComponents:
- name: role
  instanceIdPath: .spec.roles[].name
  specDefinition: {podTemplateSpecPath: ".spec.roles[].template"}
  scaleDefinition:
    replicasPath: .spec.roles[] | .replicas // $runtime.spec.replicas
    podsPerReplicaPath: .spec.roles[] | . as $role | $runtime.spec.hosts[$role.name] // 1
"""


def test_a_default_from_elsewhere_belongs_to_the_entry_that_lacks_its_own() -> None:
    roles: list[dict[str, Any]] = [{"name": name, "template": template(1)} for name in ("a", "b", "c")]
    roles[1]["replicas"] = 2
    obj = thing({"roles": roles, "runtime": "r"})
    workload = view(OVERRIDES, obj, related=[runtime(replicas=5, hosts={"c": 3})])
    counts = {one.id: (one.replicas, one.pods) for one in workload.components[0].instances}
    assert counts == {"a": (5, 5), "b": (2, 2), "c": (5, 15)}
    assert workload.problems == ()


ROLES_OF_RUNTIME = """
references:
- name: runtime
  gvk: {group: x.io, version: v1, kind: Runtime}
  lookup: {nameExpression: .spec.runtime}
childComponents:
- name: role
  instanceIdPath: $runtime.spec.roles[].name
  specDefinition: {podTemplateSpecPath: "$runtime.spec.roles[].template"}
  scaleDefinition: {replicasPath: "$runtime.spec.roles[].replicas", defaults: {replicas: 1}}
"""


def test_instances_may_lie_in_what_is_referred_to_and_join_by_their_location_there() -> None:
    roles = [
        {"name": "a", "template": template(1)},
        {"name": "b", "template": template(2), "replicas": 3},
        {"name": "c", "template": template(4), "replicas": "x"},
    ]
    workload = view(ROLES_OF_RUNTIME, thing({"runtime": "r"}), related=[runtime(roles=roles)])
    assert {one.id: one.pods for one in workload.components[0].instances} == {"a": 1, "b": 3, "c": None}
    assert [(one.code, one.location) for one in workload.problems] == [
        ("replicas-invalid", "$runtime.spec.roles[2].replicas")
    ]


BY_LABELS = """
references:
- name: parts
  gvk: {version: v1, kind: ConfigMap}
  list:
    matchLabels: {app: .metadata.name, tier: big}
    matchExpressions:
    - {key: zone, operator: NotIn, values: [.spec.avoid, west]}
    - {key: part, operator: Exists}
    - {key: old, operator: DoesNotExist}
rootComponent:
  specDefinition: {podTemplateSpecPath: .spec.template}
  scaleDefinition: {replicasPath: "$parts | length"}
  statusDefinition:
    statusMappings:
      running: [{byExpression: {expression: '[$parts[].metadata.name] | join(",")', expectedResult: "a,b"}}]
"""


def part(name: str, namespace: str = "n", **labels: str) -> dict[str, Any]:
    chosen = {"app": "t", "tier": "big", "part": "1", **labels}
    meta = {"name": name, "namespace": namespace, "labels": chosen}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": meta}


def test_labels_select_a_list_in_the_order_of_names() -> None:
    unlabelled = part("c")
    del unlabelled["metadata"]["labels"]["part"]
    related = [
        part("b", zone="north"),
        part("a"),
        part("d", app="other"),
        part("e", zone="east"),
        part("f", zone="west"),
        part("g", old="yes"),
        part("h", namespace="elsewhere"),
        {"apiVersion": "v1", "kind": "Secret", "metadata": part("i")["metadata"]},
        unlabelled,
    ]
    obj = thing({"template": template(1), "avoid": "east"})
    workload = view(BY_LABELS, obj, related=related)
    assert (workload.totals.pods, workload.phase, workload.problems) == (2, "Running", ())
    assert view(BY_LABELS, obj, related=[]).totals.pods == 0


def test_numbers_are_told_from_labels_as_the_texts_that_those_are() -> None:
    structure = BY_LABELS.replace("tier: big", "tier: .spec.tier")
    obj = thing({"template": template(1), "tier": 7})
    assert view(structure, obj, related=[part("a", tier="7"), part("b", tier="8")]).totals.pods == 1


@pytest.mark.parametrize("tier", [None, True, {}, ["big"], "", 0])
def test_a_label_that_has_no_such_value_is_not_selected(tier: Any) -> None:
    structure = BY_LABELS.replace("tier: big", "tier: .spec.tier")
    workload = view(structure, thing({"template": template(1), "tier": tier}), related=[part("a")])
    assert (workload.totals.pods, workload.problems) == (0, ())


def test_a_label_whose_value_cannot_be_read_selects_nothing_that_is_known() -> None:
    structure = BY_LABELS.replace("[.spec.avoid, west]", "[.spec.avoid.zone, west]")
    workload = view(structure, thing({"template": template(1), "avoid": "east"}), related=[part("a")])
    assert (workload.totals.pods, codes(workload)) == (None, ["path-failed"])


@pytest.mark.parametrize("related", [None, lambda _: None], ids=["nothing", "a function"])
def test_a_list_that_nobody_can_give_is_unknown(related: Any) -> None:
    workload = view(BY_LABELS, thing({"template": template(1)}), related=related)
    assert [(one.code, one.location) for one in workload.problems] == [("reference-missing", "ConfigMap")]
    # `null | length` is 0 in jq: it would be another number for another list.
    assert workload.totals.pods is None


def test_many_objects_share_what_is_at_hand_with_or_without_pods() -> None:
    covered = definitions(definition(RUNTIME))
    objects = [thing({"runtimeRef": {"name": name}, "template": template(1)}) for name in ("r", "s")]
    index = OwnerIndex([*objects, runtime("r", nodes=2), runtime("s", nodes=3)])
    views = list(resolve_many(objects, covered, index=index, pods_known=False))
    assert [(one.totals.pods, one.observed) for one in views] == [(2, None), (3, None)]
