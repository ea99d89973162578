"""Definitions without extensions, and what that loses."""

from __future__ import annotations

import msgspec
import pytest
from tests.path.oracles import gojq_oracle

from workload_map import path
from workload_map.definition import Definition, portable, schema
from workload_map.definition.portability import EXTENSIONS, Loss
from workload_map.definition.rules.lints import UNKNOWN_ELSEWHERE


def definition(**spec: object) -> Definition:
    document = {"apiVersion": "run.ai/v1alpha1", "kind": "Karta", "metadata": {"name": "x"}, "spec": spec}
    return msgspec.convert(document, Definition)


ROOT = {"name": "train", "kind": {"group": "example.org", "version": "v1", "kind": "Train"}}


def test_a_definition_of_the_base_schema_stays_as_it_is() -> None:
    base = definition(
        structureDefinition={"rootComponent": ROOT, "childComponents": [{"name": "a", "ownerRef": "train"}]}
    )
    assert portable(base) == (base, [])


def test_extensions_are_left_out_and_told() -> None:
    wagon = {
        "name": "wagon",
        "ownerRef": "train",
        "presentPath": ".spec.on",
        "scaleDefinition": {"replicasPath": ".spec.replicas", "defaults": {"replicas": 1}, "perParent": True},
        "specDefinition": {
            "fragmentedPodSpecDefinition": {"imagePath": ".spec.image", "tolerationsPath": ".spec.t"}
        },
    }
    full = definition(
        structureDefinition={
            "rootComponent": ROOT | {"kind": ROOT["kind"] | {"versions": ["v2"]}},  # type: ignore[operator]
            "childComponents": [wagon],
        },
        optimizationInstructions={"gangScheduling": {"groups": [{"name": "g", "componentName": "wagon"}]}},
    )
    plain, losses = portable(full)
    plain_wagon = {
        "name": "wagon",
        "ownerRef": "train",
        "scaleDefinition": {"replicasPath": ".spec.replicas"},
        "specDefinition": {"fragmentedPodSpecDefinition": {"imagePath": ".spec.image"}},
    }
    assert plain == definition(structureDefinition={"rootComponent": ROOT, "childComponents": [plain_wagon]})
    child = "spec.structureDefinition.childComponents[0]"
    assert [loss.location for loss in losses] == [
        "spec.structureDefinition.rootComponent.kind.versions",
        f"{child}.specDefinition.fragmentedPodSpecDefinition.tolerationsPath",
        f"{child}.scaleDefinition.defaults",
        f"{child}.scaleDefinition.perParent",
        f"{child}.presentPath",
        "spec.optimizationInstructions.gangScheduling.groups",
    ]
    assert losses[2] == Loss(f"{child}.scaleDefinition.defaults", "an absent count is unknown")
    assert portable(plain) == (plain, [])


def test_what_a_cluster_keeps_of_a_definition_is_left_out() -> None:
    ours = {
        "name": "d",
        "labels": {"team": "ml"},
        "annotations": {"why": "so", "kubectl.kubernetes.io/last-applied-configuration": "{}"},
        "uid": "1",
        "resourceVersion": "7",
        "generation": 2,
        "creationTimestamp": "2026-01-01T00:00:00Z",
        "managedFields": [{"manager": "kubectl"}],
        "ownerReferences": [],
        "finalizers": ["a/b"],
    }
    base = msgspec.to_builtins(definition(structureDefinition={"rootComponent": ROOT}))
    read = base | {"metadata": ours, "status": {"conditions": [{"type": "Ready"}]}}
    written = msgspec.to_builtins(portable(msgspec.convert(read, Definition))[0])
    assert written["metadata"] == {"name": "d", "labels": {"team": "ml"}, "annotations": {"why": "so"}}
    assert "status" not in written


def test_instructions_of_extensions_alone_go_as_a_whole() -> None:
    groups = [{"name": "all", "componentName": "train"}]
    structure = {"rootComponent": ROOT}
    only = definition(
        structureDefinition=structure, optimizationInstructions={"gangScheduling": {"groups": groups}}
    )
    plain, losses = portable(only)
    assert plain == definition(structureDefinition=structure)
    assert [one.location for one in losses] == ["spec.optimizationInstructions.gangScheduling.groups"]
    pod_group = {"name": "all", "subGroups": [{"componentName": "train"}]}
    both = {"gangScheduling": {"groups": groups, "podGroup": pod_group}}
    plain, _ = portable(definition(structureDefinition=structure, optimizationInstructions=both))
    assert plain == definition(
        structureDefinition=structure, optimizationInstructions={"gangScheduling": {"podGroup": pod_group}}
    )
    # An empty one that was there before is a finding of its own.
    empty = definition(structureDefinition=structure, optimizationInstructions={"gangScheduling": {}})
    assert portable(empty) == (empty, [])


def test_what_references_find_is_nothing_for_other_readers() -> None:
    gvk = {"group": "example.org", "version": "v1", "kind": "Plan"}
    by_name = {"name": "plan", "gvk": gvk, "lookup": {"nameExpression": ".spec.plan"}}
    by_label = {"name": "parts", "gvk": gvk, "list": {"matchLabels": {"a": ".spec.b"}}}
    root = ROOT | {
        "statusDefinition": {"phaseDefinition": {"path": "$plan.phase // .status.phase"}},
        "scaleDefinition": {
            "replicasPath": "def count: $parts | length; count + ($planned // 1)",
            "minReplicasPath": ".spec.min",
        },
    }
    full = definition(structureDefinition={"rootComponent": root, "references": [by_name, by_label]})
    plain, losses = portable(full)
    assert [loss.location for loss in losses] == ["spec.structureDefinition.references"]
    status, scale = plain.root.status_definition, plain.root.scale_definition
    assert status is not None and status.phase_definition is not None and scale is not None
    assert status.phase_definition.path == "null as $plan | $plan.phase // .status.phase"
    assert scale.replicas_path == "[] as $parts | def count: $parts | length; count + ($planned // 1)"
    assert scale.min_replicas_path == ".spec.min"
    path.compile(status.phase_definition.path)
    assert path.compile("[] as $parts | def count: $parts | length; count + 1").first({}) == 1


def test_ids_of_whole_manifests_go_with_them_where_no_selector_uses_them() -> None:
    cargo = {
        "name": "cargo",
        "ownerRef": "train",
        "objectPath": ".spec.cargo[]",
        "instanceIdPath": ".spec.cargo[].id",
    }
    selected = cargo | {"podSelector": {"componentInstanceSelector": {"idPath": ".metadata.labels.id"}}}
    for child, has_ids in ((cargo, False), (selected, True)):
        full = definition(structureDefinition={"rootComponent": ROOT, "childComponents": [child]})
        plain, losses = portable(full)
        assert (plain.components[1].instance_id_path is not None) == has_ids
        lost = ["objectPath"] if has_ids else ["instanceIdPath", "objectPath"]
        assert sorted(loss.location.rpartition(".")[2] for loss in losses) == lost


# The fields of the base schema, by the class that holds them here.
BASE = {
    schema.GroupVersionKind: "group version kind",
    schema.Component: "name kind ownerRef specDefinition scaleDefinition statusDefinition suspendDefinition "
    "instanceIdPath podSelector",
    schema.SpecDefinition: "podTemplateSpecPath podSpecPath metadataPath fragmentedPodSpecDefinition",
    schema.FragmentedPodSpec: "schedulerNamePath labelsPath annotationsPath resourcesPath resourceClaimsPath "
    "podAffinityPath nodeAffinityPath containersPath containerPath priorityClassNamePath imagePath",
    schema.ScaleDefinition: "replicasPath minReplicasPath maxReplicasPath",
    schema.StatusDefinition: "phaseDefinition conditionsDefinition statusMappings",
    schema.PodSelector: "componentTypeSelector componentInstanceSelector replicaSelector",
    schema.StructureDefinition: "rootComponent childComponents additionalChildKinds",
    schema.GangScheduling: "podGroups podGroup",
}


@pytest.mark.parametrize("struct", BASE, ids=lambda each: each.__name__)
def test_what_is_not_of_the_base_schema_is_an_extension(struct: type[msgspec.Struct]) -> None:
    fields = set(struct.__struct_encode_fields__)
    extensions = {name for owner, name in EXTENSIONS if owner is struct}
    assert fields == set(BASE[struct].split()) | extensions
    assert not set(BASE[struct].split()) & extensions
    assert {owner for owner, _ in EXTENSIONS} <= set(BASE)


def test_what_other_readers_do_not_know_is_what_gojq_does_not_have() -> None:
    oracle = gojq_oracle()
    if oracle is None:
        pytest.skip("gojq cannot be built here")
    unknown = set()
    for builtin in path.compile("builtins[]").all(None):
        name, _, count = builtin.partition("/")
        call = f"{name}({'; '.join('.' * int(count))})" if int(count) else name
        answer = oracle.ask(f"try {call} catch 0", None)
        if answer is not None and "compile" in answer:
            unknown.add(name)
    oracle.close()
    assert unknown == UNKNOWN_ELSEWHERE
