"""Each code has an example that triggers it and a near miss that does not."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from tests.definition import test_codes_beside
from tests.definition.conftest import BASE

from workload_map.definition import Finding
from workload_map.definition.codes import CODES
from workload_map.definition.validation import validate
from workload_map.documents import Document

Change = Callable[["Parts"], object]


class Parts(NamedTuple):
    """A definition and the parts of it that examples change."""

    base: dict[str, Any]

    @property
    def structure(self) -> Any:
        return self.base["spec"]["structureDefinition"]

    @property
    def root(self) -> Any:
        return self.structure["rootComponent"]

    @property
    def child(self) -> Any:
        return self.structure["childComponents"][0]

    @property
    def spec(self) -> Any:
        return self.child["specDefinition"]

    @property
    def scale(self) -> Any:
        return self.child["scaleDefinition"]

    @property
    def selector(self) -> Any:
        return self.child["podSelector"]

    @property
    def status(self) -> Any:
        return self.root["statusDefinition"]

    @property
    def mappings(self) -> Any:
        return self.status["statusMappings"]

    def second(self, **fields: Any) -> Any:
        """Add a component beside the first one that bears pods and differs from it by its label's value."""
        self.selector["componentTypeSelector"]["value"] = "one"
        other = copy.deepcopy(self.child) | {"name": "second"} | fields
        other["podSelector"]["componentTypeSelector"]["value"] = "two"
        self.structure["childComponents"].append(other)
        return other

    def gangs(self, **fields: Any) -> None:
        self.base["spec"]["optimizationInstructions"] = {"gangScheduling": fields}

    def groups(self, *groups: dict[str, Any]) -> None:
        self.gangs(groups=list(groups))

    def actions(self, path: str = ".spec.suspend", value: str = "true") -> None:
        resume = {"path": ".spec.suspend", "value": "false"}
        self.root["suspendDefinition"] = {
            "suspendActions": [{"path": path, "value": value}],
            "resumeActions": [resume],
        }

    def reference(self, used: str = "$runtime", **fields: Any) -> None:
        gvk = {"group": "example.org", "version": "v1", "kind": "Runtime"}
        self.structure["references"] = [
            {"name": "runtime", "gvk": gvk, "lookup": {"nameExpression": ".spec.runtime"}} | fields
        ]
        self.spec["podTemplateSpecPath"] = f".spec.wagons[].template // {used}.template"


def several(*changes: object) -> object:
    """A lambda of several changes."""
    return changes


def running(expression: str, result: str = "true") -> dict[str, Any]:
    return {"byExpression": {"expression": expression, "expectedResult": result}}


# code -> what triggers it, and what is like it and right
EXAMPLES: dict[str, tuple[Change, Change]] = {
    "not-a-definition": (lambda d: d.base.update(kind="Kart"), lambda d: d.base.update(status={})),
    "unknown-field": (
        lambda d: d.child.update(podSelectr=d.child.pop("podSelector")),
        lambda d: d.base["metadata"].update(uid="x"),
    ),
    "wrong-type": (
        lambda d: d.scale.update(defaults={"replicas": "1"}),
        lambda d: d.scale.update(defaults={"replicas": 1}),
    ),
    "missing-field": (lambda d: d.child.pop("name"), lambda d: d.scale.clear()),
    "too-deep": (
        lambda d: d.groups(_nested(6)),
        lambda d: d.groups(_nested(5)),
    ),
    "too-large": (
        lambda d: d.scale.update(replicasPath=" " * 16_384 + "."),
        lambda d: several(
            d.scale.update(replicasPath=" " * 16_383 + "."),
            d.base["metadata"].update(annotations={"last-applied": "x" * 100_000}),
        ),
    ),
    "group-not-portable": (
        lambda d: d.root.update(kind={"version": "v1", "kind": "ReplicationController"}),
        lambda d: d.root.update(kind={"version": "v1", "kind": "Pod"}),
    ),
    "selector-not-portable": (
        lambda d: several(d.second(podSelector=_by_type()), d.child.update(podSelector=_by_id())),
        lambda d: d.child.update(podSelector=_by_id()),
    ),
    "topology-not-portable": (
        lambda d: d.gangs(podGroup={"name": "all", "topology": _topology(requiredTopologyLevel="host")}),
        lambda d: d.gangs(
            podGroup={
                "name": "all",
                "topology": _topology(requiredTopologyLevel="host", preferredTopologyLevel="host"),
            }
        ),
    ),
    "definition-unnamed": (
        lambda d: d.base["metadata"].update(name=""),
        lambda d: d.base["metadata"].update(name="x"),
    ),
    "component-unnamed": (lambda d: d.child.update(name=""), lambda d: d.child.update(name="x")),
    "component-duplicate": (lambda d: d.second(name="wagon"), lambda d: d.second()),
    "root-kind-incomplete": (
        lambda d: d.root["kind"].pop("version"),
        lambda d: d.root.update(kind={"version": "v1", "kind": "Pod"}),
    ),
    "group-empty": (
        lambda d: d.root["kind"].pop("group"),
        lambda d: d.child.update(kind={"version": "v1", "kind": "Pod"}),
    ),
    "root-with-owner": (
        lambda d: d.root.update(ownerRef="wagon"),
        lambda d: d.child.update(ownerRef="train"),
    ),
    "owner-missing": (lambda d: d.child.pop("ownerRef"), lambda d: d.second(ownerRef="wagon")),
    "owner-unknown": (lambda d: d.child.update(ownerRef="Train"), lambda d: d.second(ownerRef="wagon")),
    "owner-cycle": (
        lambda d: several(d.second(ownerRef="wagon"), d.child.update(ownerRef="second")),
        lambda d: d.second(ownerRef="wagon"),
    ),
    "kind-incomplete": (lambda d: d.child["kind"].pop("version"), lambda d: d.child.pop("kind")),
    "kind-repeated": (
        lambda d: d.structure.update(additionalChildKinds=[_kind("a.org"), _kind("a.org")]),
        lambda d: d.structure.update(additionalChildKinds=[_kind("a.org"), _kind("b.org")]),
    ),
    "kind-not-portable": (
        lambda d: d.structure.update(additionalChildKinds=[_kind("a.org"), _kind("b.org")]),
        lambda d: d.structure.update(additionalChildKinds=[_kind("a.org"), _kind("a.org", "Other")]),
    ),
    "versions-misplaced": (
        lambda d: d.child["kind"].update(versions=["v2"]),
        lambda d: d.root["kind"].update(versions=["v2"]),
    ),
    "version-repeated": (
        lambda d: d.root["kind"].update(versions=["v2", "v1"]),
        lambda d: d.root["kind"].update(versions=["v2"]),
    ),
    "not-for-root": (
        lambda d: d.root.update(objectPath=".spec.objects[]"),
        lambda d: d.child.update(parentInstancePath=".spec.wagons[].train"),
    ),
    "per-parent-on-root": (
        lambda d: d.root.update(scaleDefinition={"replicasPath": ".spec.replicas", "perParent": True}),
        lambda d: d.scale.update(perParent=True),
    ),
    "pod-spec-ambiguous": (
        lambda d: d.spec.update(podSpecPath=".spec.wagons[].spec"),
        lambda d: several(d.spec.clear(), d.spec.update(podSpecPath=".spec.wagons[].spec")),
    ),
    "pod-spec-missing": (
        lambda d: d.spec.clear(),
        lambda d: several(d.spec.clear(), d.child.update(presentPath=".spec.wagons[] | .on == true")),
    ),
    "metadata-without-pod-spec": (
        lambda d: d.spec.update(metadataPath=".spec.wagons[].template.metadata"),
        lambda d: several(
            d.spec.clear(),
            d.spec.update(podSpecPath=".spec.wagons[].spec", metadataPath=".spec.wagons[].meta"),
        ),
    ),
    "fragments-empty": (
        lambda d: d.child.update(specDefinition={"fragmentedPodSpecDefinition": {}}),
        lambda d: d.child.update(specDefinition=_fragments(imagePath=".spec.wagons[].image")),
    ),
    "containers-ambiguous": (
        lambda d: d.child.update(
            specDefinition=_fragments(containerPath=".spec.a", containersPath=".spec.b")
        ),
        lambda d: d.child.update(
            specDefinition=_fragments(containersPath=".spec.b", initContainersPath=".spec.a")
        ),
    ),
    "resource-unnamed": (
        lambda d: d.spec.update(accelerators=[{"path": ".spec.wagons[].gpu", "resource": ""}]),
        lambda d: d.spec.update(accelerators=[{"path": ".spec.wagons[].gpu", "resource": "nvidia.com/gpu"}]),
    ),
    "object-with-pod-spec": (
        lambda d: d.child.update(objectPath=".spec.objects[]"),
        lambda d: several(d.child.pop("specDefinition"), d.child.update(objectPath=".spec.objects[]")),
    ),
    "scale-empty": (lambda d: d.scale.clear(), lambda d: d.child.pop("scaleDefinition")),
    "pods-without-pod-spec": (
        lambda d: d.root.update(scaleDefinition={"podsPerReplicaPath": ".spec.size"}),
        lambda d: d.scale.update(podsPerReplicaPath=".spec.wagons[].size"),
    ),
    "default-out-of-range": (
        lambda d: d.scale.update(defaults={"replicas": -1}),
        lambda d: d.scale.update(defaults={"replicas": 0}),
    ),
    "default-without-path": (
        lambda d: d.scale.update(defaults={"minReplicas": 1}),
        lambda d: d.scale.update(minReplicasPath=".spec.wagons[].min", defaults={"minReplicas": 1}),
    ),
    "default-bounds-crossed": (
        lambda d: d.scale.update(defaults={"minReplicas": 2, "maxReplicas": 1}),
        lambda d: d.scale.update(defaults={"minReplicas": 2, "maxReplicas": 2}),
    ),
    "selector-empty": (
        lambda d: d.root.update(podSelector={}),
        lambda d: d.root.update(podSelector={"replicaSelector": {"keyPath": ".metadata.labels.x"}}),
    ),
    "type-selector-empty": (
        lambda d: d.selector.update(componentTypeSelector={"matchLabels": {}}),
        lambda d: d.selector.update(componentTypeSelector={"matchLabels": {"a": "b"}}),
    ),
    "value-without-key": (
        lambda d: d.selector.update(componentTypeSelector={"matchLabels": {"a": "b"}, "value": "b"}),
        lambda d: d.selector["componentTypeSelector"].update(value="b"),
    ),
    "selector-constant": (
        lambda d: d.selector["componentTypeSelector"].update(keyPath='"worker"'),
        lambda d: d.selector["componentTypeSelector"].update(keyPath='.metadata.name | "worker"'),
    ),
    "type-selector-missing": (
        lambda d: several(
            d.second(podSelector=_by_type()), d.root.update(_pods()), d.child.update(podSelector=_by_id())
        ),
        lambda d: several(d.second(podSelector=_by_type()), d.child.update(podSelector=_by_id())),
    ),
    "selectors-overlap": (
        lambda d: several(d.second(), d.selector["componentTypeSelector"].pop("value")),
        lambda d: several(d.second(), d.structure["childComponents"].reverse(), d.child, _general_last(d)),
    ),
    "ids-without-selector": (
        lambda d: d.selector.pop("componentInstanceSelector"),
        lambda d: several(
            d.child.pop("specDefinition"), d.child.pop("podSelector"), d.child.update(objectPath=".a[]")
        ),
    ),
    "selector-without-ids": (
        lambda d: d.child.pop("instanceIdPath"),
        lambda d: several(d.child.pop("instanceIdPath"), d.selector.pop("componentInstanceSelector")),
    ),
    "ownership-incomplete": (
        lambda d: d.selector.update(ownership="label"),
        lambda d: d.selector.update(ownership="label", workloadPath=".metadata.labels.train"),
    ),
    "value-unknown": (
        lambda d: d.groups({"name": "g", "componentName": "wagon", "per": "pod"}),
        lambda d: d.groups({"name": "g", "componentName": "wagon", "per": "replica"}),
    ),
    "status-missing": (lambda d: d.root.pop("statusDefinition"), lambda d: d.child.pop("kind")),
    "mappings-empty": (lambda d: d.mappings.clear(), lambda d: d.mappings.pop("running")),
    "matcher-empty": (
        lambda d: d.mappings["running"].append({"byConditions": []}),
        lambda d: d.mappings["running"].append(running(".status.up")),
    ),
    "matcher-constant": (
        lambda d: d.mappings["running"].append(running("true")),
        lambda d: several(d.reference(), d.mappings["running"].append(running("$runtime.status.up"))),
    ),
    "phase-not-extracted": (
        lambda d: d.mappings["running"].append({"byPhase": "Up"}),
        lambda d: several(
            d.mappings["running"].append({"byPhase": "Up"}),
            d.status.update(phaseDefinition={"path": ".status.phase"}),
        ),
    ),
    "conditions-not-extracted": (
        lambda d: d.status.pop("conditionsDefinition"),
        lambda d: several(
            d.status.pop("conditionsDefinition"),
            d.mappings.update(running=[running(".status.up")], failed=[]),
        ),
    ),
    "condition-field-not-extracted": (
        lambda d: several(_no_reasons(d), d.mappings.update(running=[_condition("Up", reason="x")])),
        lambda d: _no_reasons(d),  # noqa: PLW0108 - defined below
    ),
    "result-unreachable": (
        lambda d: d.mappings["running"].append(running(".status.ready > 0", "True")),
        lambda d: d.mappings["running"].append(running(".status.ready", "True")),
    ),
    "condition-status-unusual": (
        lambda d: d.mappings.update(running=[_condition("Up", status="true")]),
        lambda d: several(
            d.status["conditionsDefinition"].update(statusFieldName="state"),
            d.mappings.update(running=[_condition("Up", status="true")]),
        ),
    ),
    "matcher-contradiction": (
        lambda d: d.mappings.update(running=[_conditions(("Up", "True"), ("Up", "False"))]),
        lambda d: d.mappings.update(running=[_conditions(("Up", "True"), ("Down", "False"))]),
    ),
    "condition-repeated": (
        lambda d: d.mappings.update(running=[_conditions(("Up", "True"), ("Up", None))]),
        lambda d: d.mappings.update(running=[_conditions(("Up", "True"), ("On", None))]),
    ),
    "matcher-unreachable": (
        lambda d: d.mappings.update(
            running=[_conditions(("Up", "True")), _conditions(("Up", "True"), ("On", None))]
        ),
        lambda d: d.mappings.update(
            running=[_conditions(("Up", "True"), ("On", None)), _conditions(("Up", "True"))]
        ),
    ),
    "matchers-identical": (
        lambda d: d.mappings.update(initializing=[_condition("Up")], failed=[_condition("Up")]),
        lambda d: d.mappings.update(
            initializing=[_condition("Up", status="False")], failed=[_condition("Up", status="True")]
        ),
    ),
    "matcher-shadowed": (
        lambda d: d.mappings.update(running=[_condition("Up", status="True")], failed=[_condition("Up")]),
        # The other way round the special one is shown where it matches.
        lambda d: d.mappings.update(running=[_condition("Up")], failed=[_condition("Up", status="True")]),
    ),
    "actions-empty": (
        lambda d: several(d.actions(), d.root["suspendDefinition"].pop("resumeActions")),
        lambda d: d.actions(),
    ),
    "value-not-json": (lambda d: d.actions(value="Never"), lambda d: d.actions(value='"Never"')),
    "gang-forms": (
        lambda d: d.gangs(podGroups=[_pod_group()], podGroup={"name": "all"}),
        lambda d: d.gangs(podGroups=[_pod_group()], groups=[{"name": "g", "componentName": "wagon"}]),
    ),
    "gang-empty": (
        lambda d: d.groups({"name": "g"}),
        lambda d: d.groups({"name": "g", "subGroups": [{"name": "h", "componentName": "wagon"}]}),
    ),
    "group-unnamed": (
        lambda d: d.gangs(podGroup={"name": ""}),
        lambda d: d.gangs(podGroup={"name": "x"}),
    ),
    "group-duplicate": (
        lambda d: d.gangs(podGroups=[_pod_group(), _pod_group()]),
        lambda d: d.gangs(podGroups=[_pod_group(), _pod_group(name="other")]),
    ),
    "gang-component-unknown": (
        lambda d: d.gangs(podGroup={"name": "all", "subGroups": [{"componentName": "wagons"}]}),
        lambda d: d.gangs(podGroup={"name": "all", "subGroups": [{"componentName": "wagon"}]}),
    ),
    "minimum-invalid": (
        lambda d: d.groups({"name": "g", "componentName": "wagon", "minimum": -1}),
        lambda d: d.groups({"name": "g", "componentName": "wagon", "minimum": 0}),
    ),
    "topology-incomplete": (
        lambda d: d.gangs(podGroup={"name": "all", "topology": {"topologyName": "rack"}}),
        lambda d: d.gangs(
            podGroup={"name": "all", "topology": {"topologyName": "rack", "requiredTopologyLevel": "host"}}
        ),
    ),
    "reference-name": (lambda d: d.reference(name="run-time"), lambda d: d.reference()),
    "reference-form": (
        lambda d: d.reference(list={"matchLabels": {"a": "b"}}),
        lambda d: d.reference(lookup=None, list={"matchLabels": {"a": "b"}}),
    ),
    "reference-unused": (lambda d: d.reference(used=".spec"), lambda d: d.reference()),
    "expression-invalid": (
        lambda d: d.scale.update(replicasPath="spec.wagons[].replicas"),
        lambda d: d.scale.update(replicasPath='."spec".wagons[].replicas'),
    ),
    "expression-not-portable": (
        lambda d: d.mappings["running"].append(running("[range(3)] | length == .status.n")),
        lambda d: d.mappings["running"].append(running("[0, 1, 2] | length == .status.n")),
    ),
    "several-outputs": (
        lambda d: d.selector["componentInstanceSelector"].update(idPath=".spec.containers[].name"),
        lambda d: d.selector["componentInstanceSelector"].update(idPath=".spec.containers[0].name"),
    ),
    "not-joinable": (
        lambda d: d.scale.update(replicasPath=".spec.trains[].replicas"),
        lambda d: d.scale.update(replicasPath=".spec.wagons[] | select(.on) | .replicas"),
    ),
    "not-writable": (
        lambda d: d.spec.update(podTemplateSpecPath=".spec.wagons[] | {spec: .spec}"),
        lambda d: d.spec.update(podTemplateSpecPath=".spec.wagons[] | .template"),
    ),
    "action-not-writable": (
        lambda d: d.actions(path=".spec.replicas + 1"),
        lambda d: d.actions(path=".spec.wagons[].replicas"),
    ),
    "default-hides-false": (
        lambda d: d.scale.update(suspendedPath=".spec.wagons[] | .off // true"),
        lambda d: d.scale.update(suspendedPath=".spec.wagons[] | .off // false"),
    ),
    "default-for-all": (
        lambda d: d.scale.update(replicasPath=".spec.wagons[].replicas // 1"),
        lambda d: d.scale.update(replicasPath=".spec.wagons[] | .replicas // 1"),
    ),
    "fires-without-status": (
        lambda d: d.mappings["running"].append(running(".status.ready == .status.wanted")),
        lambda d: d.mappings["running"].append(
            running(".status.ready != null and .status.ready == .status.wanted")
        ),
    ),
}


def findings_of(change: Change) -> list[Finding]:
    parts = Parts(copy.deepcopy(BASE))
    change(parts)
    return validate(Document(parts.base, "f.yaml", 1))


def codes_of(change: Change) -> set[str]:
    return {finding.code for finding in findings_of(change)}


def test_every_code_has_an_example() -> None:
    beside = {
        *test_codes_beside.IN_FILES,
        *test_codes_beside.AGAINST_CRDS,
        *test_codes_beside.AGAINST_OBJECTS,
    }
    assert set(EXAMPLES) | beside | {"no-crds"} == set(CODES)


def test_every_code_says_what_to_do() -> None:
    """In the form of an order, as it stands behind the sentence of a finding."""
    assert [code.code for code in CODES.values() if not code.hint or code.hint.endswith(".")] == []


def test_the_definition_that_the_examples_change_is_right() -> None:
    assert validate(Document(copy.deepcopy(BASE), "f.yaml", 1)) == []


@pytest.mark.parametrize("code", EXAMPLES)
def test_an_example_triggers_the_code(code: str) -> None:
    findings = findings_of(EXAMPLES[code][0])
    assert code in {finding.code for finding in findings}
    assert all(finding.hint for finding in findings)


@pytest.mark.parametrize("code", EXAMPLES)
def test_a_near_miss_does_not(code: str) -> None:
    assert code not in codes_of(EXAMPLES[code][1])


def _kind(group: str, kind: str = "Part") -> dict[str, str]:
    return {"group": group, "version": "v1", "kind": kind}


def _fragments(**paths: str) -> dict[str, Any]:
    return {"fragmentedPodSpecDefinition": paths}


def _pods() -> dict[str, Any]:
    return {"specDefinition": {"podTemplateSpecPath": ".spec.template"}}


def _by_id() -> dict[str, Any]:
    return {"componentInstanceSelector": {"idPath": ".metadata.labels.wagon"}}


def _by_type() -> dict[str, Any]:
    return {"componentTypeSelector": {"keyPath": ".metadata.labels.kind"}} | _by_id()


def _general_last(parts: Parts) -> object:
    return parts.structure["childComponents"][1]["podSelector"]["componentTypeSelector"].pop("value")


def _condition(kind: str, **fields: str) -> dict[str, Any]:
    return {"byConditions": [{"type": kind} | fields]}


def _conditions(*conditions: tuple[str, str | None]) -> dict[str, Any]:
    return {"byConditions": [{"type": kind, "status": status} for kind, status in conditions]}


def _no_reasons(parts: Parts) -> object:
    return parts.status["conditionsDefinition"].update(reasonFieldName="")


def _pod_group(name: str = "all") -> dict[str, Any]:
    return {"name": name, "members": [{"componentName": "wagon"}]}


def _nested(depth: int) -> dict[str, Any]:
    group: dict[str, Any] = {"name": "g0", "componentName": "wagon"}
    for level in range(1, depth):
        group = {"name": f"g{level}", "subGroups": [group]}
    return group


def _topology(**levels: str) -> dict[str, str]:
    return {"topologyName": "rack"} | levels
