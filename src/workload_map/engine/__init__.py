"""The engine: a definition and an object, with the pods and objects around it, become one view.

Here live structure, scale, resources, status and attribution. Objects are plain decoded JSON and are never
changed; nothing in here reads a file, asks a server, or knows a framework by name. Where objects come from
is `source`, how a view is shown is `render`, and what changes an object is `edit`.

`resolve` is the way in. Its stages, each a module: `structure` (which components and instances there are,
joined by location in `join`), `wrapped` (whole objects inside), `scale` and `resources` (what each asks
for), `status` (which phase, and why), `owners` and `adoption` (whose a pod is), `attribution` (its place),
`assemble` (sums, from the leaves up). `references` finds other objects that paths read, `generated` holds
the quick form of what most definitions need, and `attributor` keeps views right while objects change.
"""

from workload_map.engine.attributor import Attributor
from workload_map.engine.nodes import OwnerChain
from workload_map.engine.owners import OwnerIndex
from workload_map.engine.placement import Placement, place
from workload_map.engine.resolve import ObjectError, resolve, resolve_many
from workload_map.engine.resource_list import ACCELERATORS, ResourceList
from workload_map.engine.view import (
    Component,
    Instance,
    Observed,
    Pod,
    Problem,
    Totals,
    Why,
    Workload,
)
from workload_map.engine.waiting import Orphans

__all__ = [
    "ACCELERATORS",
    "Attributor",
    "Component",
    "Instance",
    "ObjectError",
    "Observed",
    "Orphans",
    "OwnerChain",
    "OwnerIndex",
    "Placement",
    "Pod",
    "Problem",
    "ResourceList",
    "Totals",
    "Why",
    "Workload",
    "place",
    "resolve",
    "resolve_many",
]
