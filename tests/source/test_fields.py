"""Leaving fields out while decoding changes no answer."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from workload_map import path
from workload_map.catalog import Catalog
from workload_map.catalog.building import FOLDER
from workload_map.catalog.cases import Case, files, read_case
from workload_map.definition import DefinitionSet, load_objects
from workload_map.engine import resolve
from workload_map.source.cluster import pages
from workload_map.source.cluster.pages import narrow
from workload_map.source.fields import Sharing, fields_of, pod_fields

BUILTIN = Catalog.builtin()
CASES = [case for folder in sorted(FOLDER.glob("*/cases")) for case in map(read_case, files(folder))]
CASES = [case for case in CASES if BUILTIN.covers(case.object["apiVersion"], case.object["kind"])]


@pytest.fixture(autouse=True)
def every_page_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "_LARGE", 0)


def _through(decode: Any, *objects: Any) -> list[Any]:
    """Objects as they are after a list of them was decoded."""
    kinds = [{"apiVersion": value["apiVersion"], "kind": value["kind"]} for value in objects]
    items = decode(json.dumps({"items": objects}).encode()).items
    return [{**item, **kind} for item, kind in zip(items, kinds, strict=True)]


def _definition(case: Case) -> Any:
    return BUILTIN.find(case.object["apiVersion"], case.object["kind"]).definition


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.file.parent.parent.name}/{case.name}")
def test_a_case_has_the_same_view_of_the_fields_that_are_kept(case: Case) -> None:
    definition = _definition(case)
    decode = narrow(lambda: pod_fields([definition]), Sharing().pod)
    pods = None if case.pods is None else _through(decode, *case.pods)
    if case.object["kind"] == "Pod":  # a pod comes from the list of pods also as a workload
        (obj,) = _through(decode, case.object)
        pods = None if pods is None else [obj]
    else:
        (obj,) = _through(narrow(lambda: fields_of(definition)), case.object)
    whole = resolve(case.object, BUILTIN, pods=case.pods, related=case.related)
    assert resolve(obj, BUILTIN, pods=pods, related=case.related) == whole


def test_what_answers_nothing_is_left_out() -> None:
    definition = BUILTIN.find("jobset.x-k8s.io/v1alpha2", "JobSet").definition
    container = {"name": "c", "image": "i", "env": [{"name": "A", "value": "b"}], "resources": {"limits": {}}}
    template = {"spec": {"containers": [container], "volumes": [{"name": "v"}]}}
    job = {"name": "a", "replicas": 2, "template": {"spec": {"template": template}}}
    given = {
        "apiVersion": "jobset.x-k8s.io/v1alpha2",
        "kind": "JobSet",
        "metadata": {"name": "j", "managedFields": [{"manager": "kubectl"}]},
        "spec": {"replicatedJobs": [job], "network": {"enableDNSHostnames": True}},
    }
    (kept,) = _through(narrow(lambda: fields_of(definition)), given)
    (kept_job,) = kept["spec"]["replicatedJobs"]
    (kept_container,) = kept_job["template"]["spec"]["template"]["spec"]["containers"]
    assert kept_container == {"name": "c", "image": "i", "resources": {"limits": {}}}
    assert kept_job["replicas"] == 2
    assert "network" not in kept["spec"]
    assert "managedFields" not in kept["metadata"]


def _own(structure: dict[str, Any]) -> Any:
    document = {
        "apiVersion": "run.ai/v1alpha1",
        "kind": "Karta",
        "metadata": {"name": "own"},
        "spec": {"structureDefinition": structure},
    }
    layer, findings = load_objects([document], "file")
    assert not [finding for finding in findings if finding.severity == "error"]
    (entry,) = DefinitionSet([layer]).entries()
    return entry.definition


def _root(**more: Any) -> dict[str, Any]:
    kind = {"group": "example.com", "version": "v1", "kind": "Own"}
    status = {
        "phaseDefinition": {"path": ".status.phase"},
        "statusMappings": {"running": [{"byPhase": "Up"}]},
    }
    return {"name": "root", "kind": kind, "statusDefinition": status, **more}


@pytest.mark.parametrize("text", [".", ".. | .x?", "to_entries | map(.value.x) | first"])
def test_a_path_that_cannot_be_foreseen_keeps_everything(text: str) -> None:
    scale = {"scaleDefinition": {"replicasPath": text}}
    assert fields_of(_own({"rootComponent": _root(**scale)})) is None


def test_what_is_null_or_of_another_type_is_kept_as_it_is() -> None:
    definition = BUILTIN.find("apps/v1", "Deployment").definition
    decode = narrow(lambda: fields_of(definition))
    for spec in (
        None,
        {"template": None},
        {"template": {"spec": {"containers": None}}},
        "odd",
        [1],
        {"template": 3},
    ):
        given = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "d"}, "spec": spec}
        (kept,) = _through(decode, given)
        assert kept["spec"] == spec


def test_pods_share_what_they_have_in_common_and_nothing_else() -> None:
    def pod(name: str, restarts: Any) -> Any:
        status = {"phase": "Running", "containerStatuses": [{"name": "c", "restartCount": restarts}]}
        spec = {"containers": [{"name": "c", "image": "i"}]}
        return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name}, "spec": spec, "status": status}

    def started(pod: Any, image: str) -> Any:
        pod["spec"]["initContainers"] = [{"name": "init", "image": image}]
        return pod

    decode = narrow(lambda: pod_fields([]), Sharing().pod)
    first, second, third = _through(decode, pod("a", 1), pod("b", 1), pod("c", True))
    assert first["status"] is second["status"]
    assert first["spec"]["containers"] is second["spec"]["containers"]
    fourth, fifth, sixth = _through(decode, *(started(pod("d", 1), image) for image in ("i", "i", "other")))
    assert fourth["status"] is fifth["status"]
    assert fourth["spec"]["initContainers"] is fifth["spec"]["initContainers"]
    assert sixth["spec"]["initContainers"] == [{"name": "init", "image": "other"}]
    assert "initContainers" not in first["spec"]
    assert third["status"]["containerStatuses"][0]["restartCount"] is True
    assert first["status"]["containerStatuses"][0]["restartCount"] == 1


def test_pods_with_numbers_too_large_to_compare_are_as_they_are() -> None:
    count = 2**64
    status = {"phase": "Running", "containerStatuses": [{"name": "c", "restartCount": count}]}
    spec = {"containers": [{"name": "c", "image": "i", "resources": {"limits": {"cpu": count}}}]}
    given: Any = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "p"},
        "spec": spec,
        "status": status,
    }
    (kept,) = _through(narrow(lambda: pod_fields([]), Sharing().pod), given)
    assert (kept["spec"], kept["status"]) == (given["spec"], given["status"])


@pytest.mark.parametrize(
    "text",
    [".status.conditions[0].given", ".status.conditions[0] | length", ".status.conditions | tojson"],
)
def test_whatever_paths_read_of_the_conditions_of_pods_is_kept(text: str) -> None:
    selector = {"componentTypeSelector": {"keyPath": text}}
    child = {"name": "worker", "ownerRef": "root", "podSelector": selector}
    definition = _own({"rootComponent": _root(), "childComponents": [child]})
    condition = {"type": "Ready", "status": "True", "lastProbeTime": "then", "given": "yes"}
    status = {"conditions": [condition]}
    given = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "status": status}
    (kept,) = _through(narrow(lambda: pod_fields([definition]), Sharing().pod), given)
    program = path.compile(text)
    assert program.first(kept) == program.first(given)


def test_an_item_that_is_null_is_no_object() -> None:
    decode = narrow(lambda: pod_fields([]), Sharing().pod)
    with pytest.raises(msgspec.DecodeError):
        decode(b'{"items": [null]}')
