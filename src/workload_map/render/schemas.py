"""The JSON Schemas (2020-12) of machine output, made from the values that are written."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from workload_map.engine.resource_list import ResourceList
from workload_map.engine.view import SCHEMA_VERSION, Problem, Workload

DIALECT = "https://json-schema.org/draft/2020-12/schema"

# A line of a docstring's Attributes, and the deeper lines that go on with it.
_ATTRIBUTE = re.compile(r"^ {4}(\w+): (.+(?:\n {8}.+)*)", re.MULTILINE)

_AMOUNTS = {
    "type": ["object", "null"],
    "description": "Resource names to canonical Kubernetes quantities; null where the amount is not known, "
    "and in place of all where not even the names are.",
    "additionalProperties": {"type": ["string", "null"]},
}


class _Listing(msgspec.Struct, rename="camel"):
    """Workloads, without their pods, and what could not be read."""

    schema_version: str
    items: list[Workload]
    count: int
    warnings: list[Problem]


class _Error(msgspec.Struct):
    """What failed, where, and what to do about it."""

    code: str
    message: str
    location: str | None
    hint: str | None


class _Failure(msgspec.Struct):
    """The one key of an error document."""

    error: _Error


def view_schema() -> dict[str, Any]:
    """The schema of one workload, as `describe -o json` writes it."""
    return _schema(Workload, "A workload")


def list_schema() -> dict[str, Any]:
    """The schema of many workloads, as `get -o json` writes it."""
    return _schema(_Listing, "A list of workloads")


def error_schema() -> dict[str, Any]:
    """The schema of what goes to standard error instead of a result, with `-o json`."""
    return _schema(_Failure, "An error")


def of_struct(kind: Any, title: str) -> dict[str, Any]:
    """The schema of a struct whose fields are all written, whatever their value."""
    return _schema(kind, title)


def _schema(kind: Any, title: str) -> dict[str, Any]:
    (root,), components = msgspec.json.schema_components(
        [kind], schema_hook=_resource_list, ref_template="#/$defs/{name}"
    )
    for definition in components.values():
        _complete(definition)
    return {"$schema": DIALECT, "title": title, **root, "$defs": dict(sorted(components.items()))}


def _complete(definition: dict[str, Any]) -> None:
    """Say that no key is ever left out, and which version of the schema this is."""
    properties = definition.get("properties")
    if properties is None:
        return
    definition["required"] = list(properties)
    if "schemaVersion" in properties:
        properties["schemaVersion"] = {"const": SCHEMA_VERSION}
    for schema in properties.values():
        schema.pop("default", None)
    _describe(definition, properties)


def _describe(definition: dict[str, Any], properties: dict[str, Any]) -> None:
    """Give each key what the class says of it under `Attributes`, and the whole only the first sentence."""
    summary, _, attributes = definition.get("description", "").partition("\n\nAttributes:\n")
    if not attributes:
        return
    definition["description"] = summary
    for name, text in _ATTRIBUTE.findall(attributes):
        first, *others = name.split("_")
        key = first + "".join(other.capitalize() for other in others)
        properties[key]["description"] = re.sub(r"\bNone\b", "null", " ".join(text.split()))


def _resource_list(kind: type) -> dict[str, Any]:
    if kind is ResourceList:
        return _AMOUNTS
    raise NotImplementedError(kind)
