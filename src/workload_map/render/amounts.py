"""Numbers that may be unknown or elastic, as people read them."""

from __future__ import annotations

from workload_map.engine.resource_list import ResourceList
from workload_map.engine.view import Totals

UNKNOWN = "?"


def count(desired: int | None, least: int | None = None, most: int | None = None) -> str:
    """A number; where it is not known its bounds, `2..5`, or `?`."""
    if desired is not None:
        return str(desired)
    if least is None and most is None:
        return UNKNOWN
    return f"{UNKNOWN if least is None else least}..{UNKNOWN if most is None else most}"


def pods(totals: Totals) -> str:
    """How many pods a workload asks for."""
    return count(totals.pods, totals.at_min.pods, totals.at_max.pods)


def gpus(totals: Totals) -> str:
    """How many accelerators a workload asks for."""
    return count(totals.gpus, totals.at_min.gpus, totals.at_max.gpus)


def amount(resources: ResourceList | None, name: str) -> str:
    """The amount of a resource in its canonical text; `0` if not asked for, `?` if that is not known."""
    if resources is None or resources.partial:
        return UNKNOWN
    if name not in resources:
        return "0"
    quantity = resources.get(name)
    return UNKNOWN if quantity is None else str(quantity)
