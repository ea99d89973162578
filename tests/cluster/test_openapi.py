"""Definitions against what the API server itself publishes: each field that a path reads is there."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from tests.cluster.client import Client
from tests.cluster.cluster import Cluster
from tests.cluster.conftest import StartOperators
from workload_map.catalog import Catalog
from workload_map.definition import Definition, validate
from workload_map.definition.compiled import compiled
from workload_map.definition.crd_schemas import CrdSchemas, Miss, look_up

Schema = dict[str, Any]
KINDS = [
    "v1 Pod",
    *(f"apps/v1 {name}" for name in ("Deployment", "ReplicaSet", "StatefulSet", "DaemonSet")),
    *(f"batch/v1 {name}" for name in ("Job", "CronJob")),
    "jobset.x-k8s.io/v1alpha2 JobSet",
    "leaderworkerset.x-k8s.io/v1 LeaderWorkerSet",
    *(f"ray.io/v1 {name}" for name in ("RayCluster", "RayJob", "RayService")),
    *(f"kubeflow.org/v1 {name}Job" for name in ("PyTorch", "TF", "XGBoost", "JAX", "Paddle")),
    "kubeflow.org/v2beta1 MPIJob",
]
# Fields that came with operators newer than those that run here.
NEWER = {
    "leaderworkerset.x-k8s.io/v1 LeaderWorkerSet": {"status.observedGeneration"},
    "ray.io/v1 RayService": {"spec.suspend"},
}
CATALOG = Catalog.builtin()
DEFINITIONS = [entry.definition for entry in CATALOG.entries()]


def in_place(schema: Schema, known: dict[str, Schema]) -> Schema:
    """A schema with what it refers to in the place of the reference, as in a CustomResourceDefinition."""
    whole: Schema = {}
    for part in schema.get("allOf", ()):
        whole |= in_place(part, known)
    if "$ref" in schema:
        whole |= in_place(known[schema["$ref"].rpartition("/")[2]], known)
    for key, value in schema.items():
        if key == "properties":
            whole[key] = {name: in_place(one, known) for name, one in value.items()}
        elif key in ("items", "additionalProperties") and isinstance(value, dict):
            whole[key] = in_place(value, known)
        elif key not in ("allOf", "$ref"):
            whole[key] = value
    return whole


class Published:
    """The schemas of all kinds that a server knows, each document read once."""

    def __init__(self, server: Client) -> None:
        self._server = server
        self._index = server.get("/openapi/v3")["paths"]
        self._documents: dict[str, dict[str, Schema]] = {}

    def schema(self, group: str, version: str, kind: str) -> Schema | None:
        """The schema of a kind, as a CustomResourceDefinition holds it; None if there is no such kind."""
        path = f"apis/{group}/{version}" if group else f"api/{version}"
        if path not in self._index:
            return None
        if path not in self._documents:
            document = self._server.get(self._index[path]["serverRelativeURL"])
            self._documents[path] = document["components"]["schemas"]
        known = self._documents[path]
        told = {"group": group, "version": version, "kind": kind}
        found = [one for one in known.values() if told in one.get("x-kubernetes-group-version-kind", ())]
        return in_place(found[0], known) if found else None

    def of_root(self, definition: Definition) -> CrdSchemas:
        """What there is of the root's kind, in those of its versions that are served."""
        kind = definition.root.kind
        assert kind is not None
        versions = []
        for name in (kind.version, *kind.versions):
            schema = self.schema(kind.group, name, kind.kind)
            if schema is not None:
                versions.append({"name": name, "served": True, "schema": {"openAPIV3Schema": schema}})
        spec = {"group": kind.group, "names": {"kind": kind.kind}, "versions": versions}
        return CrdSchemas([{"kind": "CustomResourceDefinition", "spec": spec}])


@pytest.fixture(scope="module")
def server(cluster: Cluster, operators: StartOperators) -> Published:
    """What a server publishes that has the operators' kinds too."""
    operators("kuberay", "training-operator", "mpi-operator")
    return Published(cluster.client)


def fields_unknown(definition: Definition, schemas: CrdSchemas) -> set[str]:
    """What a definition reads and the schemas don't have; no other finding of them is expected."""
    alone = {(one.code, one.location) for one in validate(definition)}
    found = [one for one in validate(definition, schemas) if (one.code, one.location) not in alone]
    assert {one.code for one in found} <= {"field-unknown"}
    return {one.message.split()[0] for one in found}


@pytest.mark.parametrize("kind", KINDS)
def test_each_field_that_is_read_is_one_of_the_kind(server: Published, kind: str) -> None:
    definition = CATALOG.find(*kind.split()).definition
    schemas = server.of_root(definition)
    assert schemas.versions(kind.rpartition("/")[0], kind.split()[1])
    assert fields_unknown(definition, schemas) == NEWER.get(kind, set())


def test_a_field_that_is_not_there_is_found(server: Published) -> None:
    definition = CATALOG.find("apps/v1", "Deployment").definition
    text = msgspec.json.encode(definition).decode().replace(".status.readyReplicas", ".status.readyReplica")
    wrong = msgspec.json.decode(text, type=Definition)
    assert fields_unknown(wrong, server.of_root(wrong)) == {"status.readyReplica"}


@pytest.mark.parametrize("definition", DEFINITIONS, ids=lambda one: one.name)
def test_each_field_of_a_pod_that_is_read_is_one_of_pods(server: Published, definition: Definition) -> None:
    pod = server.schema("", "v1", "Pod")
    assert pod is not None
    reads = {
        pattern
        for each in compiled(definition, lambda *_: None)
        if each.expression.slot.on == "pod"
        for pattern in each.facts.reads
    }
    assert [str(one) for one in reads if isinstance(look_up(pod, one.steps), Miss)] == []
