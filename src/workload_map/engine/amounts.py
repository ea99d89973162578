"""Sums and multiples of what pods ask for. A figure that lacks a part is unknown, never a guess."""

from __future__ import annotations

from typing import Final

from workload_map.engine.known import Table, remember
from workload_map.engine.resource_list import EMPTY, ResourceList
from workload_map.engine.resources import PodResources
from workload_map.engine.scale import Scale, product
from workload_map.engine.structure import InstanceDraft
from workload_map.engine.view import Bound, Totals

_ZERO = Bound(pods=0, gpus=0)
NOTHING = Totals(pods=0, gpus=0, requests=EMPTY, limits=EMPTY, claims=(), at_min=_ZERO, at_max=_ZERO)
_OPEN = Bound(pods=None, gpus=None)
UNKNOWN = Totals(pods=None, gpus=None, requests=None, limits=None, claims=(), at_min=_OPEN, at_max=_OPEN)
"""What is asked for where nothing of the structure is known."""

_MULTIPLES: Final[Table[Totals]] = {}
_SUMS: Final[Table[Totals]] = {}
_KNOWN_TERMS: Final = 16


def own_amounts(draft: InstanceDraft, accelerators: frozenset[str]) -> Totals:
    """What the pods of an instance itself ask for.

    Args:
        draft: The instance.
        accelerators: The resource names whose amounts are whole accelerators.
    """
    if draft.spec is None:
        return UNKNOWN if draft.is_unknown and draft.scale.replicas != 0 else NOTHING
    scale, needs = draft.scale, draft.resources
    key = (id(needs), id(accelerators), scale)
    known = _MULTIPLES.get(key)
    if known is not None:
        return known[0]
    return remember(_MULTIPLES, key, _multiplied(scale, needs, accelerators), (needs, accelerators))


def _multiplied(scale: Scale, needs: PodResources | None, accelerators: frozenset[str]) -> Totals:
    replicas, pods_per_replica = scale.replicas, scale.pods_per_replica
    each = needs.requests.accelerators(accelerators) if needs else None
    pods = product(replicas, pods_per_replica)
    at_min = at_max = desired = Bound(pods, product(pods, each))
    if scale.is_elastic:
        at_min, at_max = (
            Bound(count, product(count, each))
            for count in (product(scale.lowest, pods_per_replica), product(scale.highest, pods_per_replica))
        )
    requests, limits = _times(needs, pods)
    return Totals(pods, desired.gpus, requests, limits, (), at_min, at_max)


def _times(needs: PodResources | None, pods: int | None) -> tuple[ResourceList | None, ResourceList | None]:
    """What so many pods ask for together; unknown if one is unknown, but no pods ask for nothing."""
    if needs is None:
        return (EMPTY, EMPTY) if pods == 0 else (None, None)
    if pods is None:
        return None if needs.requests else EMPTY, None if needs.limits else EMPTY
    return needs.requests.times(pods), needs.limits.times(pods)


def add(parts: list[Totals]) -> Totals:
    """The sum; each figure is unknown if one part of it is."""
    if len(parts) == 1:
        return parts[0]
    if len(parts) > _KNOWN_TERMS:
        return _sum(parts)
    key = tuple(map(id, parts))
    known = _SUMS.get(key)
    return remember(_SUMS, key, _sum(parts), parts) if known is None else known[0]


def _sum(parts: list[Totals]) -> Totals:
    pods: int | None = 0
    gpus: int | None = 0
    elastic = False
    for part in parts:
        pods = None if pods is None or part.pods is None else pods + part.pods
        gpus = None if gpus is None or part.gpus is None else gpus + part.gpus
        elastic = elastic or part.at_min is not part.at_max
    at_min = at_max = Bound(pods, gpus)
    if elastic:
        at_min, at_max = _bounds(parts)
    requests, limits = (
        _together([part.requests for part in parts]),
        _together([part.limits for part in parts]),
    )
    return Totals(pods, gpus, requests, limits, (), at_min, at_max)


def _together(lists: list[ResourceList | None]) -> ResourceList | None:
    """The sum of lists; unknown if one is unknown."""
    known: list[ResourceList] = []
    for one in lists:
        if one is None:
            return None
        known.append(one)
    return EMPTY.plus(*known)


def _bounds(parts: list[Totals]) -> tuple[Bound, Bound]:
    """The sums at the lower and at the upper bounds."""
    low_pods: int | None = 0
    low_gpus: int | None = 0
    high_pods: int | None = 0
    high_gpus: int | None = 0
    for part in parts:
        low, high = part.at_min, part.at_max
        low_pods = None if low_pods is None or low.pods is None else low_pods + low.pods
        low_gpus = None if low_gpus is None or low.gpus is None else low_gpus + low.gpus
        high_pods = None if high_pods is None or high.pods is None else high_pods + high.pods
        high_gpus = None if high_gpus is None or high.gpus is None else high_gpus + high.gpus
    return Bound(low_pods, low_gpus), Bound(high_pods, high_gpus)
