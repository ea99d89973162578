"""Dumps without names: the same figures, and nothing left that would tell whose they are."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
import yaml

from workload_map.catalog import Catalog
from workload_map.catalog.building import FOLDER
from workload_map.catalog.cases import Case, files, read_case
from workload_map.engine import resolve
from workload_map.source.anonymous import GONE, anonymous

Object = dict[str, Any]
CATALOG = Catalog.builtin()
CASES = [case for folder in sorted(FOLDER.glob("*/cases")) for case in map(read_case, files(folder))]

# What names somebody or something; everything else in a view is a figure.
_OF_VIEWS = "name namespace uid id key node nodes message instance replicaGroup image priority location value"
_NAMES = frozenset((*_OF_VIEWS.split(), "pod", "path", "deviceClass", "injected"))


def _figures(value: Any, key: str = "") -> Any:
    """A view without its names, and without the order that comes of them."""
    if isinstance(value, dict):
        return {name: _figures(item, name) for name, item in value.items()}
    if key in _NAMES:  # of a name whether it is there, of several how many there are
        return len(value) if isinstance(value, list) else value is not None
    if isinstance(value, list):
        return sorted((_figures(item) for item in value), key=lambda item: json.dumps(item, sort_keys=True))
    is_written = key == "reason" and value is not None and " " in value
    return GONE if is_written else value


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.file.parent.parent.name}/{case.name}")
def test_the_figures_of_every_case_stay(case: Case) -> None:
    together = [case.object, *(case.pods or []), *case.related]
    before = copy.deepcopy(together)
    replaced = anonymous(together, CATALOG)
    assert together == before

    def view(objects: list[Object]) -> Object:
        first, *rest = objects
        known = None if case.pods is None else len(case.pods)
        pods, related = rest[: known or 0], rest[known or 0 :]
        return resolve(first, CATALOG, pods=None if known is None else pods, related=related).to_dict()

    assert _figures(view(replaced)) == _figures(view(together))


PRIVATE = """
apiVersion: batch/v1
kind: Job
metadata:
  name: zebra-7
  namespace: zebra
  uid: zebra-1
  labels: {zebra: Zebra, acme.example/zebra: "7", kueue.x-k8s.io/queue-name: zebra}
  annotations: {note: zebra, kubectl.kubernetes.io/last-applied-configuration: '{"zebra": 1}'}
spec:
  selector: {matchLabels: {zebra: Zebra}}
  template:
    metadata: {labels: {zebra: Zebra}}
    spec:
      serviceAccountName: zebra
      nodeSelector: {zebra.example/pool: zebra}
      containers:
      - name: zebra
        image: registry.zebra.example/zebra/train:zebra
        command: [zebra, --token=zebra]
        env: [{name: ZEBRA, value: zebra}, {name: B, valueFrom: {secretKeyRef: {name: zebra, key: zebra}}}]
        envFrom: [{configMapRef: {name: zebra}}]
        resources: {requests: {nvidia.com/gpu: "2"}}
      volumes: [{name: zebra, nfs: {server: zebra.example.com, path: /zebra/data}}]
status:
  active: 1
  selector: jobset.sigs.k8s.io/jobset-name=zebra,zebra in (zebra)
  conditions: [{type: Odd, status: "True", message: zebra is ill}]
  podIP: 10.20.30.40
"""


def test_nothing_of_a_name_is_left() -> None:
    job = yaml.safe_load(PRIVATE)
    owner = {"apiVersion": "batch/v1", "kind": "Job", "name": "zebra-7", "uid": "zebra-1", "controller": True}
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": "zebra-7-x",
            "namespace": "zebra",
            "ownerReferences": [owner],
            "labels": {"zebra": "Zebra"},
        },
        "spec": {"nodeName": "zebra-node"},
        "status": {"phase": "Running", "hostIP": "fd00::20:1", "reason": "zebra was here"},
    }
    data = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "zebra"}, "data": {"zebra": "10"}}
    replaced = anonymous([job, pod, data], CATALOG)
    text = json.dumps(replaced).lower()
    assert "zebra" not in text and "10.20.30.40" not in text and "fd00" not in text
    taken, member, config = replaced
    assert member["metadata"]["ownerReferences"][0]["name"] == taken["metadata"]["name"]
    assert member["metadata"]["ownerReferences"][0]["uid"] == taken["metadata"]["uid"]
    assert member["metadata"]["labels"] == taken["spec"]["selector"]["matchLabels"]
    assert list(config["data"].values()) == [GONE]
    variables = taken["spec"]["template"]["spec"]["containers"][0]["env"]
    assert [each["name"] for each in variables] == [GONE, GONE]
    assert taken["spec"]["template"]["spec"]["containers"][0]["resources"] == {
        "requests": {"nvidia.com/gpu": "2"}
    }


def test_a_selector_in_one_text_still_fits_the_labels() -> None:
    status = {"hpaPodSelector": "leaderworkerset.sigs.k8s.io/name=zebra,acme.example/lion=bear"}
    labels = {"acme.example/lion": "bear"}
    metadata = {"name": "zebra", "labels": labels}
    (replaced,) = anonymous(
        [{"apiVersion": "x.io/v1", "kind": "Thing", "metadata": metadata, "status": status}], CATALOG
    )
    ((key, label),) = replaced["metadata"]["labels"].items()
    name = replaced["metadata"]["name"]
    assert replaced["status"]["hpaPodSelector"] == f"leaderworkerset.sigs.k8s.io/name={name},{key}={label}"


def test_names_with_blanks_stay_different_and_sentences_go() -> None:
    roles = [{"name": "left wing", "groupName": "brown fox"}, {"name": "left leg", "groupName": "brown deer"}]
    thing = {
        "apiVersion": "x.io/v1",
        "kind": "Thing",
        "metadata": {"name": "left wing"},
        "spec": {"roles": roles, "note": "brown fox"},
    }
    (replaced,) = anonymous([thing], CATALOG)
    first, second = replaced["spec"]["roles"]
    assert first["name"] == replaced["metadata"]["name"]
    assert len({first["name"], second["name"], first["groupName"], second["groupName"]}) == 4
    assert first["name"].split()[0] == second["name"].split()[0]
    assert replaced["spec"]["note"] == GONE
    assert not any(word in json.dumps(replaced) for word in ("left", "wing", "leg", "brown", "fox", "deer"))


def test_different_names_stay_different_and_parts_of_names_parts() -> None:
    def pod(name: str) -> Object:
        return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, "labels": {"w1": "w2"}}}

    names = ["zebra", "zebra-lion", "lion", "w1", "w2", "Zebra", "ZEBRA", "zEbra", "zebra-0", "zebra0"]
    replaced = [value["metadata"]["name"] for value in anonymous([pod(name) for name in names], CATALOG)]
    assert len(set(replaced)) == len(names)
    zebra, both, lion, *_ = replaced
    assert both == f"{zebra}-{lion}" and replaced[8] == f"{zebra}-0"


@pytest.mark.parametrize(
    "odd", [None, 0, False, "", [], {}, [None], {"labels": None}, {"env": [None, 1, {}]}]
)
def test_odd_values_stay_what_they_are(odd: Any) -> None:
    thing = {"apiVersion": "x.io/v1", "kind": "Thing", "metadata": {"name": "a"}, "spec": odd}
    (replaced,) = anonymous([thing], CATALOG)
    assert replaced["spec"] == odd


def test_definitions_stay_whole_but_for_their_metadata() -> None:
    karta = {
        "apiVersion": "run.ai/v1alpha1",
        "kind": "Karta",
        "metadata": {"name": "own", "annotations": {"by": "zebra"}},
        "spec": {"zebra": 1},
    }
    assert anonymous([karta], CATALOG) == [{**karta, "metadata": {"name": "own"}}]
