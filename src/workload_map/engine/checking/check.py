"""All comparisons of one workload."""

from __future__ import annotations

import msgspec

from workload_map.definition import DefinitionSet
from workload_map.engine.checking import counts, kinds, labels
from workload_map.engine.checking.phase import compare_phase
from workload_map.engine.checking.requests import compare_requests
from workload_map.engine.checking.rows import Row
from workload_map.engine.checking.settling import reasons
from workload_map.engine.objects import Object
from workload_map.engine.owners import OwnerIndex
from workload_map.engine.pairing import build, pairs
from workload_map.engine.placement import WorkloadName, name_of
from workload_map.engine.plan import plan_of
from workload_map.engine.reading import Reader
from workload_map.engine.resolve import find_entry, resolve_many
from workload_map.engine.surroundings import Surroundings
from workload_map.engine.view import Workload


class Check(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A definition tried on one workload.

    Attributes:
        workload: Which workload, and by which definition.
        origin: Where the definition came from: `builtin`, `cluster` or `file`.
        phase: The phase of the workload, by the definition.
        differs: Whether some row differs.
        rows: The comparisons.
    """

    workload: WorkloadName
    origin: str
    phase: str | None
    differs: bool
    rows: tuple[Row, ...]


def check(obj: Object, definitions: DefinitionSet, index: OwnerIndex, *, pods_known: bool = True) -> Check:
    """Compare what the definition says of a workload with its pods and the objects between.

    Args:
        obj: The workload.
        definitions: Where its definition is looked up.
        index: Everything at hand, its pods included.
        pods_known: Whether pods were looked at.

    Returns:
        All comparisons; where its pods are not known, since they were not looked at or controllers between
        are not at hand, an open row that says so in their place.

    Raises:
        NoDefinitionError: No definition covers the kind.
    """
    (view,) = resolve_many([obj], definitions, index=index, pods_known=pods_known)
    entry = find_entry(obj, definitions)
    if view.observed is None:
        rows: tuple[Row, ...] = (counts.not_compared(view), *compare_phase(view, plan_of(entry.definition)))
    else:
        rows = _compare(obj, view, definitions, index)
    return Check(
        workload=name_of(view),
        origin=entry.origin,
        phase=view.phase,
        differs=any(row.verdict == "differs" for row in rows),
        rows=rows,
    )


def _compare(obj: Object, view: Workload, definitions: DefinitionSet, index: OwnerIndex) -> tuple[Row, ...]:
    entry = find_entry(obj, definitions)
    plan = plan_of(entry.definition)
    reader = Reader(obj, plan.references, Surroundings(definitions, index, listed=True))
    both = list(pairs(build(plan, reader), view.components))
    pods = index.pods_under(obj)
    why = reasons(view, index, pods)
    counter = counts.Counter(view, why, pods, plan)
    return (
        counter.total(both),
        *(row for draft, component in both for row in counter.instances(draft, component)),
        *compare_requests(both, pods, why),
        *compare_phase(view, plan),
        *counts.find_places(view, both),
        *kinds.find_unnamed(obj, plan, both, index, pods),
        *labels.find_missing(both, pods, reader, may_have_none=bool(why.fewer) and not view.unattributed),
    )
