"""The schemas that CustomResourceDefinitions give their kinds: which fields there are, and of which type."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from workload_map.definition.findings import Finding
from workload_map.definition.loading import read_files
from workload_map.documents import Document
from workload_map.spelling import did_you_mean

Schema = dict[str, Any]

# What the API server keeps of every object's metadata, whatever the schema says.
_STRING: Schema = {"type": "string"}
_BOOLEAN: Schema = {"type": "boolean"}
_INTEGER: Schema = {"type": "integer"}
_STRINGS: Schema = {"type": "object", "additionalProperties": _STRING}
_OWNER: Schema = {
    "type": "object",
    "properties": {
        **dict.fromkeys(("apiVersion", "kind", "name", "uid"), _STRING),
        **dict.fromkeys(("controller", "blockOwnerDeletion"), _BOOLEAN),
    },
}
METADATA: Schema = {
    "type": "object",
    "properties": {
        **dict.fromkeys(
            (
                "name",
                "namespace",
                "uid",
                "generateName",
                "resourceVersion",
                "selfLink",
                "creationTimestamp",
                "deletionTimestamp",
            ),
            _STRING,
        ),
        **dict.fromkeys(("generation", "deletionGracePeriodSeconds"), _INTEGER),
        "labels": _STRINGS,
        "annotations": _STRINGS,
        "finalizers": {"type": "array", "items": _STRING},
        "ownerReferences": {"type": "array", "items": _OWNER},
        "managedFields": {"type": "array", "items": {"x-kubernetes-preserve-unknown-fields": True}},
    },
}
_OF_EVERY_OBJECT: Schema = {"apiVersion": _STRING, "kind": _STRING, "metadata": METADATA}


class Version(NamedTuple):
    """A version of a kind."""

    name: str
    served: bool
    schema: Schema


class Miss(NamedTuple):
    """Why a path leads nowhere.

    Attributes:
        field: The steps that lead to what is wrong.
        message: What is wrong with it.
        hint: The nearest field there is; None if none is near, or nothing is misspelt.
        is_unknown: Whether the field is not there, rather than of the wrong form.
    """

    field: tuple[str | None, ...]
    message: str
    hint: str | None
    is_unknown: bool


class CrdSchemas:
    """The kinds of some CustomResourceDefinitions.

    Args:
        objects: Plain objects; those that are no well-formed CustomResourceDefinition are passed over.
    """

    def __init__(self, objects: Iterable[Any]) -> None:
        self._versions: dict[tuple[str, str], list[Version]] = {}
        for value in objects:
            for key, version in _versions(value):
                self._versions.setdefault(key, []).append(version)

    @classmethod
    def load(cls, paths: Iterable[Path | str]) -> tuple[CrdSchemas, list[Finding]]:
        """Those in files and directories, in lists too; and what could not be read."""
        objects: list[Any] = []
        findings: list[Finding] = []
        for path in map(Path, paths):
            before = len(objects) + len(findings)
            for found in read_files(path, positions=False):
                if isinstance(found, Document):
                    objects += filter(_is_crd, _items(found.value))
                else:
                    findings.append(found)
            if len(objects) + len(findings) == before:
                message = "no CustomResourceDefinition in here"
                findings.append(Finding.of("no-crds", message, str(path)))
        return cls(objects), findings

    def versions(self, group: str, kind: str) -> Sequence[Version]:
        """The versions of a kind; none if no CustomResourceDefinition is about it."""
        return self._versions.get((group, kind), ())


def look_up(schema: Schema, steps: Sequence[str | None]) -> list[Schema] | Miss:
    """The schemas of what lies at a path from the root of an object.

    Args:
        schema: The schema of the object.
        steps: Names of fields; None for any entry of a list or map.

    Returns:
        All schemas that a value there may have; an empty one (anything) where the schema does not say. Or why
        there can be nothing.
    """
    level = [_whole(schema)]
    for count, step in enumerate(steps):
        following = [inner for each in level for inner in _step(each, step)]
        if not following:
            return _miss(level, tuple(steps[: count + 1]))
        level = following
    return level


def types_of(schema: Schema) -> frozenset[str]:
    """The JSON types that a value may have; empty where the schema does not say."""
    if schema.get("x-kubernetes-int-or-string"):
        return frozenset({"integer", "string"})
    if schema.get("x-kubernetes-preserve-unknown-fields") and "type" not in schema:
        return frozenset()
    found = schema.get("type")
    return frozenset({found}) if isinstance(found, str) else frozenset()


def _step(schema: Schema, step: str | None) -> Iterator[Schema]:
    properties, values = _mapping(schema.get("properties")), schema.get("additionalProperties")
    if step is None:
        yield from map(_mapping, properties.values())
        if "items" in schema:
            yield _embedded(_mapping(schema["items"]))
    elif step in properties:
        yield _embedded(_mapping(properties[step]))
    elif not schema or schema.get("x-kubernetes-preserve-unknown-fields"):
        yield {}
    if (step is None or step not in properties) and values not in (None, False):
        yield _mapping(values)
    if step is None and (not schema or schema.get("x-kubernetes-preserve-unknown-fields")):
        yield {}


def _miss(level: list[Schema], field: tuple[str | None, ...]) -> Miss:
    types = sorted({kind for each in level for kind in types_of(each)})
    what, step = " or ".join(types) or "something without fields", field[-1]
    if step is None:
        return Miss(field[:-1], f"there are no entries to go through: it is of type {what}", None, False)
    if "object" not in types:
        return Miss(field[:-1], f"there is no field {step} in it: it is of type {what}", None, False)
    known = [name for each in level for name in _mapping(each.get("properties"))]
    return Miss(field, "there is no such field", did_you_mean(step, known), True)


def _whole(schema: Schema) -> Schema:
    """The schema of an object with what every object has."""
    return schema | {"properties": _mapping(schema.get("properties")) | _OF_EVERY_OBJECT}


def _embedded(schema: Schema) -> Schema:
    return _whole(schema) if schema.get("x-kubernetes-embedded-resource") else schema


def _versions(crd: Any) -> Iterator[tuple[tuple[str, str], Version]]:
    if not _is_crd(crd):
        return
    spec = _mapping(crd.get("spec"))
    group, kind = spec.get("group"), _mapping(spec.get("names")).get("kind")
    versions = spec.get("versions")
    if not (isinstance(group, str) and isinstance(kind, str) and isinstance(versions, list)):
        return
    for version in map(_mapping, versions):
        name = version.get("name")
        if isinstance(name, str):
            schema = _mapping(_mapping(version.get("schema")).get("openAPIV3Schema"))
            yield (group, kind), Version(name, version.get("served") is True, schema)


def _is_crd(value: Any) -> bool:
    return isinstance(value, dict) and value.get("kind") == "CustomResourceDefinition"


def _items(value: Any) -> list[Any]:
    """An object, or those in it if it is a list of them."""
    if not (isinstance(value, dict) and str(value.get("kind")).endswith("List")):
        return [value]
    items = value.get("items")
    return items if isinstance(items, list) else []


def _mapping(value: Any) -> Schema:
    return value if isinstance(value, dict) else {}
