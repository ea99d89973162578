"""Workload Map: one view of any Kubernetes workload, from definitions that are data.

    import workload_map as wm

    catalog = wm.Catalog.builtin()
    workload = wm.resolve(obj, catalog, pods=pods, related=others)
    workload.phase, workload.totals.gpus

Objects are plain decoded JSON. This module is the public surface; the packages below it, from the bottom up:
`path` (the path language), `definition` (what a definition is), `engine` (object to view), `catalog` (the
built-in definitions), `source` (where objects come from), `render` and `cli` (how they are shown).
"""

from workload_map._version import __version__
from workload_map.catalog import Catalog
from workload_map.definition import CollisionError, Definition, DefinitionError, Finding, NoDefinitionError
from workload_map.engine import (
    ACCELERATORS,
    Attributor,
    Component,
    Instance,
    ObjectError,
    Observed,
    OwnerIndex,
    Placement,
    Pod,
    Problem,
    ResourceList,
    Totals,
    Why,
    Workload,
    place,
    resolve,
    resolve_many,
)
from workload_map.errors import WorkloadMapError

__all__ = [
    "ACCELERATORS",
    "Attributor",
    "Catalog",
    "CollisionError",
    "Component",
    "Definition",
    "DefinitionError",
    "Finding",
    "Instance",
    "NoDefinitionError",
    "ObjectError",
    "Observed",
    "OwnerIndex",
    "Placement",
    "Pod",
    "Problem",
    "ResourceList",
    "Totals",
    "Why",
    "Workload",
    "WorkloadMapError",
    "__version__",
    "place",
    "resolve",
    "resolve_many",
]
