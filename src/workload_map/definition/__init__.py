"""Definitions: what workloads of a kind look like, as data.

Here live the schema of a definition, reading it from documents, validating it, which definition of several
layers covers a kind, and the CustomResourceDefinition that the schema becomes. Paths in a definition are only
checked here, never evaluated; the built-in definitions live in `workload_map.catalog`.
"""

from workload_map.definition.decoding import from_document
from workload_map.definition.definition_set import DefinitionSet, Entry, Layer
from workload_map.definition.errors import CollisionError, DefinitionError, NoDefinitionError
from workload_map.definition.findings import Finding
from workload_map.definition.loading import load, load_objects
from workload_map.definition.schema import Definition

__all__ = [
    "CollisionError",
    "Definition",
    "DefinitionError",
    "DefinitionSet",
    "Entry",
    "Finding",
    "Layer",
    "NoDefinitionError",
    "from_document",
    "load",
    "load_objects",
]
