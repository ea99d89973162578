"""Definitions: what workloads of a kind look like, as data.

`schema` is what a document becomes (`loading`, `decoding`; `diagnosis` where it is wrong), `structure` what
keeps one from being used at all, `definition_set` which of several layers covers a kind, `slots` where its
expressions are. For who writes definitions, `validation` finds what is doubtful (`rules`, `against_crds`,
`against_objects`), as `findings` of the kinds in `codes`; `portability` leaves our extensions out, and `crd`,
`pages` and `sarif` tell schema and findings to others.

What does not live here: what a path gives on an object (`engine`; here one is checked, and run on made-up
objects at most), and the built-in definitions (`catalog`).
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
