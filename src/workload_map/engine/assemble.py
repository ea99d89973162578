"""From drafts to views: multiplying, summing, and seeing what the pods say, from the leaves up.

Amounts of a component include those of its children, so the top-level components add up to the totals.
"""

from __future__ import annotations

from typing import Generic, TypeVar

import msgspec

from workload_map.engine.observing import Sighting, observe, sightings
from workload_map.engine.resource_list import EMPTY, ResourceList
from workload_map.engine.scale import product, total
from workload_map.engine.structure import ComponentDraft, InstanceDraft
from workload_map.engine.view import Bound, ClaimTotal, Component, Instance, PerPod, Pod, ReplicaGroup, Totals


class Amounts(msgspec.Struct, frozen=True):
    """What something asks for, absolute; None where it is not known."""

    pods: int | None
    gpus: int | None
    requests: ResourceList | None
    limits: ResourceList | None
    at_min: Bound
    at_max: Bound


_ZERO = Bound(pods=0, gpus=0)
NOTHING = Amounts(pods=0, gpus=0, requests=EMPTY, limits=EMPTY, at_min=_ZERO, at_max=_ZERO)
_OPEN = Bound(pods=None, gpus=None)
UNKNOWN = Amounts(pods=None, gpus=None, requests=None, limits=None, at_min=_OPEN, at_max=_OPEN)
_NO_POD = PerPod(requests=None, limits=None, image=None)


Value = TypeVar("Value")
View = TypeVar("View", Component, Instance)


class Part(msgspec.Struct, Generic[View], frozen=True):
    """A component or an instance in its view, with what the levels above need of it."""

    view: View
    amounts: Amounts
    seen: list[Sighting]


class Assembly:
    """Builds the views of one workload.

    Args:
        looked_at_pods: False where pods were not looked at: what pods would say is then unknown, not empty.
        accelerators: The resource names whose amounts are whole accelerators.
    """

    def __init__(self, *, looked_at_pods: bool, accelerators: frozenset[str]) -> None:
        self._pods = looked_at_pods
        self._accelerators = accelerators

    def component(self, draft: ComponentDraft) -> Part[Component]:
        """A component with everything below it."""
        children = [self.component(child) for child in draft.children]
        # What belongs to all instances belongs to the one, where there is only one.
        shared = children if len(draft.instances) == 1 else []
        apart = [] if shared else children
        instances = [self._instance(instance, shared) for instance in draft.instances]
        seen = self._seen(draft, instances, apart) if self._pods else []
        amounts = add([part.amounts for part in instances] + [child.amounts for child in apart])
        views = tuple([part.view for part in instances])
        replicas, minimum, maximum, pods_per_replica, per_pod = _shared_by(views)
        view = Component(
            draft.plan.name,  # CPython calls with more than 15 keywords by way of a dictionary, which is slow
            draft.plan.kind,
            pods=amounts.pods,
            replicas=replicas,
            min=minimum,
            max=maximum,
            pods_per_replica=pods_per_replica,
            gpus=amounts.gpus,
            requests=amounts.requests,
            limits=amounts.limits,
            per_pod=per_pod,
            observed=observe(seen, self._accelerators) if self._pods else None,
            phase=draft.phase,
            instances=views,
            members=self._members(draft) if self._pods else None,
            components=tuple([child.view for child in children]),
        )
        return Part(view, amounts, seen)

    def _seen(
        self, draft: ComponentDraft, instances: list[Part[Instance]], apart: list[Part[Component]]
    ) -> list[Sighting]:
        seen = [sighting for part in instances for sighting in part.seen]
        seen.extend(Sighting(placed, history=False) for placed in draft.strays)
        seen.extend(sighting for child in apart for sighting in child.seen)
        return seen

    def _members(self, draft: ComponentDraft) -> tuple[Pod, ...]:
        pods = [placed.pod for instance in draft.instances for placed in instance.members]
        pods.extend(placed.pod for placed in draft.strays)
        return tuple(sorted(pods, key=lambda pod: pod.name))

    def _instance(self, draft: InstanceDraft, shared: list[Part[Component]]) -> Part[Instance]:
        children = [self.component(child) for child in draft.children]
        below = [*children, *shared]
        bears_pods = draft.spec is not None
        own = self._own(draft) if bears_pods else UNKNOWN if draft.is_unknown else NOTHING
        amounts = add([own, *[child.amounts for child in below]]) if below else own
        seen: list[Sighting] = []
        if self._pods:
            seen += sightings(draft.members, own.pods)
            seen.extend(one for child in below for one in child.seen)
        scale = draft.scale
        view = Instance(
            id=draft.id,
            suspended=scale.suspended,
            replicas=scale.replicas,
            min=scale.minimum,
            max=scale.maximum,
            pods_per_replica=scale.pods_per_replica if bears_pods else None,
            pods=amounts.pods,
            gpus=amounts.gpus,
            requests=amounts.requests,
            limits=amounts.limits,
            per_pod=_per_pod(draft),
            observed=observe(seen, self._accelerators) if self._pods else None,
            replica_groups=self._groups(seen) if self._pods else None,
            components=tuple([child.view for child in children]),
        )
        return Part(view, amounts, seen)

    def _own(self, draft: InstanceDraft) -> Amounts:
        """What the pods of an instance itself ask for."""
        scale, needs = draft.scale, draft.resources
        each = needs.requests.accelerators(self._accelerators) if needs else None
        pods = scale.pods
        gpus = product(pods, each)
        at_min = at_max = Bound(pods, gpus)
        if scale.minimum is not None or scale.maximum is not None:
            lowest, highest = scale.pods_at_minimum, scale.pods_at_maximum
            at_min = Bound(lowest, product(lowest, each))
            at_max = Bound(highest, product(highest, each))
        return Amounts(
            pods=pods,
            gpus=gpus,
            requests=_times(needs.requests if needs else None, pods),
            limits=_times(needs.limits if needs else None, pods),
            at_min=at_min,
            at_max=at_max,
        )

    def _groups(self, seen: list[Sighting]) -> tuple[ReplicaGroup, ...]:
        by_key: dict[str, list[Sighting]] = {}
        for sighting in seen:
            key = sighting.placed.pod.replica_group
            if key is not None:
                by_key.setdefault(key, []).append(sighting)
        return tuple(
            ReplicaGroup(key=key, observed=observe(group, self._accelerators))
            for key, group in sorted(by_key.items(), key=lambda item: _natural(item[0]))
        )


def _natural(key: str) -> tuple[int, int, str]:
    """Numbers in the order of their value, before any text."""
    return (0, int(key), key) if key.isascii() and key.isdigit() and len(key) < 19 else (1, 0, key)


def _times(each: ResourceList | None, pods: int | None) -> ResourceList | None:
    """What so many pods ask for together; unknown if one is unknown, but no pods ask for nothing."""
    if each is None:
        return EMPTY if pods == 0 else None
    if pods is None:
        return None if each else EMPTY
    return each.times(pods)


def add(parts: list[Amounts]) -> Amounts:
    """The sum; each figure is unknown if one part of it is."""
    first = parts[0]
    if len(parts) == 1:
        return first
    pods, gpus, requests, limits = first.pods, first.gpus, first.requests, first.limits
    elastic = first.at_min is not first.at_max
    for part in parts[1:]:
        pods = None if pods is None or part.pods is None else pods + part.pods
        gpus = None if gpus is None or part.gpus is None else gpus + part.gpus
        requests = None if requests is None or part.requests is None else requests.plus(part.requests)
        limits = None if limits is None or part.limits is None else limits.plus(part.limits)
        elastic = elastic or part.at_min is not part.at_max
    at_min = at_max = Bound(pods, gpus)
    if elastic:
        at_min = _bound([part.at_min for part in parts])
        at_max = _bound([part.at_max for part in parts])
    return Amounts(pods, gpus, requests, limits, at_min, at_max)


def _bound(parts: list[Bound]) -> Bound:
    return Bound(total([part.pods for part in parts]), total([part.gpus for part in parts]))


def _per_pod(draft: InstanceDraft) -> PerPod:
    if draft.spec is None:
        return _NO_POD
    needs = draft.resources
    return PerPod(
        requests=needs.requests if needs else None,
        limits=needs.limits if needs else None,
        image=draft.spec.image,
    )


def _shared_by(
    views: tuple[Instance, ...],
) -> tuple[int | None, int | None, int | None, int | None, PerPod]:
    """The counts of a component's instances together, and what is the same in all of them."""
    first = views[0]
    if len(views) == 1:
        return first.replicas, first.min, first.max, first.pods_per_replica, first.per_pod
    return (
        total([one.replicas for one in views]),
        total([one.min for one in views]),
        total([one.max for one in views]),
        _same([one.pods_per_replica for one in views]),
        PerPod(
            requests=_same([one.per_pod.requests for one in views]),
            limits=_same([one.per_pod.limits for one in views]),
            image=_same([one.per_pod.image for one in views]),
        ),
    )


def _same(values: list[Value]) -> Value | None:
    """The one value that all of them are; None where they differ."""
    first = values[0]
    return first if values.count(first) == len(values) else None


UNKNOWN_TOTALS = Totals(
    pods=None, gpus=None, requests=None, limits=None, claims=(), at_min=_OPEN, at_max=_OPEN
)
"""What is asked for where nothing of the structure is known."""


def totals(parts: list[Part[Component]], claims: tuple[ClaimTotal, ...]) -> Totals:
    """What the workload asks for: the sum of its top-level components, and the devices that it claims."""
    amounts = add([part.amounts for part in parts]) if parts else NOTHING
    return Totals(
        pods=amounts.pods,
        gpus=amounts.gpus,
        requests=amounts.requests,
        limits=amounts.limits,
        claims=claims,
        at_min=amounts.at_min,
        at_max=amounts.at_max,
    )
