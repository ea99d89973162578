"""From drafts to views: multiplying, summing, and seeing what the pods say, from the leaves up.

Amounts of a component include those of its children, so the top-level components add up to the totals.
"""

from __future__ import annotations

from collections.abc import Iterable

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


class Part(msgspec.Struct, frozen=True):
    """A component in its view, with what the levels above need of it."""

    view: Component
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

    def component(self, draft: ComponentDraft) -> Part:
        """A component with everything below it."""
        children = [self.component(child) for child in draft.children]
        # What belongs to all instances belongs to the one, where there is only one.
        shared = children if len(draft.instances) == 1 else []
        apart = [] if shared else children
        instances = [self._instance(instance, shared) for instance in draft.instances]
        seen: list[Sighting] = []
        if self._pods:
            seen.extend(sighting for _, _, below in instances for sighting in below)
            seen.extend(Sighting(placed, history=False) for placed in draft.strays)
            seen.extend(sighting for child in apart for sighting in child.seen)
        amounts = add([part for _, part, _ in instances] + [child.amounts for child in apart])
        views = tuple(view for view, _, _ in instances)
        view = Component(
            name=draft.plan.name,
            kind=draft.plan.kind,
            pods=amounts.pods,
            replicas=total([one.replicas for one in views]),
            min=total([one.min for one in views]),
            max=total([one.max for one in views]),
            pods_per_replica=_same(one.pods_per_replica for one in views),
            gpus=amounts.gpus,
            requests=amounts.requests,
            limits=amounts.limits,
            per_pod=_same_per_pod([one.per_pod for one in views]),
            observed=observe(seen, self._accelerators) if self._pods else None,
            phase=draft.phase,
            instances=views,
            members=self._members(draft),
            components=tuple(child.view for child in children),
        )
        return Part(view, amounts, seen)

    def _members(self, draft: ComponentDraft) -> tuple[Pod, ...] | None:
        if not self._pods:
            return None
        pods = [placed.pod for instance in draft.instances for placed in instance.members]
        pods.extend(placed.pod for placed in draft.strays)
        return tuple(sorted(pods, key=lambda pod: pod.name))

    def _instance(self, draft: InstanceDraft, shared: list[Part]) -> tuple[Instance, Amounts, list[Sighting]]:
        children = [self.component(child) for child in draft.children]
        below = [*children, *shared]
        bears_pods = draft.spec is not None
        own = self._own(draft) if bears_pods else UNKNOWN if draft.is_unknown else NOTHING
        amounts = add([own, *(child.amounts for child in below)]) if below else own
        seen = sightings(draft.members, own.pods)
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
            components=tuple(child.view for child in children),
        )
        return view, amounts, seen

    def _own(self, draft: InstanceDraft) -> Amounts:
        """What the pods of an instance itself ask for."""
        scale, needs = draft.scale, draft.resources
        each = needs.requests.accelerators(self._accelerators) if needs else None
        pods = scale.pods
        gpus = product(pods, each)
        at_min = at_max = Bound(pods=pods, gpus=gpus)
        if scale.minimum is not None or scale.maximum is not None:
            at_min = Bound(pods=scale.pods_at_minimum, gpus=product(scale.pods_at_minimum, each))
            at_max = Bound(pods=scale.pods_at_maximum, gpus=product(scale.pods_at_maximum, each))
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
    if len(parts) == 1:
        return parts[0]
    pods = total([part.pods for part in parts])
    gpus = total([part.gpus for part in parts])
    desired = Bound(pods=pods, gpus=gpus)
    elastic = any(part.at_min is not part.at_max for part in parts)
    return Amounts(
        pods=pods,
        gpus=gpus,
        requests=_plus([part.requests for part in parts]),
        limits=_plus([part.limits for part in parts]),
        at_min=_bound([part.at_min for part in parts]) if elastic else desired,
        at_max=_bound([part.at_max for part in parts]) if elastic else desired,
    )


def _bound(parts: list[Bound]) -> Bound:
    return Bound(pods=total([part.pods for part in parts]), gpus=total([part.gpus for part in parts]))


def _plus(parts: list[ResourceList | None]) -> ResourceList | None:
    result = EMPTY
    for part in parts:
        if part is None:
            return None
        result = result.plus(part) if result else part
    return result


def _per_pod(draft: InstanceDraft) -> PerPod:
    if draft.spec is None:
        return _NO_POD
    needs = draft.resources
    return PerPod(
        requests=needs.requests if needs else None,
        limits=needs.limits if needs else None,
        image=draft.spec.image,
    )


def _same(values: Iterable[int | None]) -> int | None:
    first, *others = values
    return first if all(value == first for value in others) else None


def _same_per_pod(parts: list[PerPod]) -> PerPod:
    """What one pod asks for, as far as it is the same in all instances."""
    first = parts[0]
    if len(parts) == 1:
        return first
    return PerPod(
        requests=first.requests if all(part.requests == first.requests for part in parts) else None,
        limits=first.limits if all(part.limits == first.limits for part in parts) else None,
        image=first.image if all(part.image == first.image for part in parts) else None,
    )


UNKNOWN_TOTALS = Totals(
    pods=None, gpus=None, requests=None, limits=None, claims=(), at_min=_OPEN, at_max=_OPEN
)
"""What is asked for where nothing of the structure is known."""


def totals(parts: list[Part], claims: tuple[ClaimTotal, ...]) -> Totals:
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
