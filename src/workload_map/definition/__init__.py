"""Definitions: what workloads of a kind look like, as data.

Here live the schema of a definition, reading it from documents, validating it, which definition of several
layers covers a kind, and the CustomResourceDefinition that the schema becomes (`crd`). Paths are checked,
and run on made-up objects at most, here; the built-in definitions live in `workload_map.catalog`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from workload_map.definition.decoding import from_document
from workload_map.definition.definition_set import DefinitionSet, Entry, Layer
from workload_map.definition.errors import CollisionError, DefinitionError, NoDefinitionError
from workload_map.definition.findings import Finding
from workload_map.definition.loading import load, load_objects
from workload_map.definition.schema import Definition

if TYPE_CHECKING:
    from workload_map.definition.crd import definition_schema
    from workload_map.definition.portability import Loss, portable
    from workload_map.definition.validation import validate, validate_files

__all__ = [
    "CollisionError",
    "Definition",
    "DefinitionError",
    "DefinitionSet",
    "Entry",
    "Finding",
    "Layer",
    "Loss",
    "NoDefinitionError",
    "definition_schema",
    "from_document",
    "load",
    "load_objects",
    "portable",
    "validate",
    "validate_files",
]

# For those who write definitions: loaded when they are asked for, since resolving needs none of them.
_LATER = {
    "definition_schema": "crd",
    "Loss": "portability",
    "portable": "portability",
    "validate": "validation",
    "validate_files": "validation",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_LATER[name]}"), name)
