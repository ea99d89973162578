"""From drafts to views: multiplying, summing, and seeing what the pods say, from the leaves up.

Amounts of a component include those of its children, so the top-level components add up to the totals.
"""

from __future__ import annotations

from operator import attrgetter
from typing import Any, Final, TypeVar

from msgspec.structs import replace

from workload_map.engine.objects import text_of
from workload_map.engine.observing import mark_history, observe
from workload_map.engine.resource_list import EMPTY, ResourceList
from workload_map.engine.resources import PodResources
from workload_map.engine.scale import Scale, product
from workload_map.engine.structure import ComponentDraft, InstanceDraft, PlacedPod
from workload_map.engine.view import Bound, ClaimTotal, Component, Instance, PerPod, Pod, ReplicaGroup, Totals

_ZERO = Bound(pods=0, gpus=0)
NOTHING = Totals(pods=0, gpus=0, requests=EMPTY, limits=EMPTY, claims=(), at_min=_ZERO, at_max=_ZERO)
_OPEN = Bound(pods=None, gpus=None)
UNKNOWN = Totals(pods=None, gpus=None, requests=None, limits=None, claims=(), at_min=_OPEN, at_max=_OPEN)
"""What is asked for where nothing of the structure is known."""
_NO_POD = PerPod(requests=None, limits=None, image=None, injected=None)

View = TypeVar("View", Component, Instance)
Part = tuple[View, Totals, list[PlacedPod]]
"""A component or an instance in its view, with what it asks for (without claims) and the pods in it."""


# Multiples by what is multiplied and how often, and sums by their terms: most workloads of a cluster ask for
# what others ask for too. An entry keeps all that its key names by identity: an id stands for one value.
_Known = dict[tuple[int | None, ...], tuple[Totals, object]]
_MULTIPLES: Final[_Known] = {}
_SUMS: Final[_Known] = {}
_KNOWN_LIMIT: Final = 4096
_KNOWN_TERMS: Final = 16


def _remember(known: _Known, key: tuple[int | None, ...], amounts: Totals, kept: object) -> Totals:
    if len(known) >= _KNOWN_LIMIT:
        known.clear()
    known[key] = (amounts, kept)
    return amounts


class Assembly:
    """Builds the views of one workload.

    Args:
        looked_at_pods: False where pods were not looked at: what pods would say is then unknown, not empty.
        accelerators: The resource names whose amounts are whole accelerators.
    """

    def __init__(self, looked_at_pods: bool, accelerators: frozenset[str]) -> None:
        self._pods = looked_at_pods
        self._accelerators = accelerators

    def component(self, draft: ComponentDraft) -> Part[Component]:
        """A component with everything below it."""
        children = [self.component(child) for child in draft.children] if draft.children else []
        apart: list[Part[Component]] = []
        if len(draft.instances) == 1:
            # What belongs to all instances belongs to the one, where there is only one.
            view, amounts, seen = self._instance(draft.instances[0], children)
            views: tuple[Instance, ...] = (view,)
            counts = view.replicas, view.min, view.max, view.pods_per_replica, view.per_pod
        else:
            parts = [self._instance(instance, []) for instance in draft.instances]
            apart = children
            amounts = add([each for _, each, _ in parts] + [each for _, each, _ in apart])
            views = tuple([view for view, _, _ in parts])
            counts = _shared_by(views)
            seen = [one for _, _, some in parts for one in some] if self._pods else _UNSEEN
        replicas, minimum, maximum, pods_per_replica, per_pod = counts
        observed = members = None
        if self._pods:
            observed = views[0].observed
            if apart or draft.strays or len(views) > 1:
                seen = [*seen, *draft.strays, *[one for _, _, some in apart for one in some]]
                observed = observe(seen, self._accelerators)
            members = _members(draft)
        shown = Component(  # by position: a third quicker
            draft.plan.name,
            draft.plan.kind,
            amounts.pods,
            replicas,
            minimum,
            maximum,
            pods_per_replica,
            amounts.gpus,
            amounts.requests,
            amounts.limits,
            per_pod,
            observed,
            draft.phase,
            views,
            members,
            tuple([child for child, _, _ in children]) if children else (),
        )
        return shown, amounts, seen

    def _instance(self, draft: InstanceDraft, shared: list[Part[Component]]) -> Part[Instance]:
        own = amounts = self._own(draft)
        components: tuple[Component, ...] = ()
        below = shared
        if draft.children:
            children = [self.component(child) for child in draft.children]
            components = tuple([child for child, _, _ in children])
            below = [*children, *shared]
        if below:
            amounts = add([own, *[each for _, each, _ in below]])
        seen, observed, groups = _UNSEEN, None, None
        if self._pods:
            seen = draft.members
            mark_history(seen, own.pods)
            if below:
                seen = [*seen, *[one for _, _, some in below for one in some]]
            observed = observe(seen, self._accelerators)
            groups = self._groups(seen)
        scale = draft.scale
        shown = Instance(
            draft.id,
            scale.suspended,
            scale.replicas,
            scale.minimum,
            scale.maximum,
            None if draft.spec is None else scale.pods_per_replica,
            amounts.pods,
            amounts.gpus,
            amounts.requests,
            amounts.limits,
            _per_pod(draft),
            observed,
            groups,
            components,
        )
        return shown, amounts, seen

    def _own(self, draft: InstanceDraft) -> Totals:
        """What the pods of an instance itself ask for."""
        if draft.spec is None:
            return UNKNOWN if draft.is_unknown else NOTHING
        scale, needs = draft.scale, draft.resources
        replicas, each = scale.replicas, scale.pods_per_replica
        key = (id(needs), id(self._accelerators), replicas, scale.minimum, scale.maximum, each)
        known = _MULTIPLES.get(key)
        if known is not None:
            return known[0]
        amounts = self._multiplied(scale, needs)
        return _remember(_MULTIPLES, key, amounts, (needs, self._accelerators))

    def _multiplied(self, scale: Scale, needs: PodResources | None) -> Totals:
        replicas, pods_per_replica = scale.replicas, scale.pods_per_replica
        lowest = replicas if scale.minimum is None else scale.minimum
        highest = replicas if scale.maximum is None else scale.maximum
        each = needs.requests.accelerators(self._accelerators) if needs else None
        pods = product(replicas, pods_per_replica)
        at_min = at_max = desired = Bound(pods, product(pods, each))
        if scale.minimum is not None or scale.maximum is not None:
            at_min, at_max = (
                Bound(count, product(count, each))
                for count in (product(lowest, pods_per_replica), product(highest, pods_per_replica))
            )
        requests, limits = (needs.requests, needs.limits) if needs else (None, None)
        return Totals(pods, desired.gpus, _times(requests, pods), _times(limits, pods), (), at_min, at_max)

    def _groups(self, seen: list[PlacedPod]) -> tuple[ReplicaGroup, ...]:
        by_key: dict[str, list[PlacedPod]] = {}
        for placed in seen:
            key = placed.pod.replica_group
            if key is not None:
                by_key.setdefault(key, []).append(placed)
        if not by_key:
            return ()
        return tuple(
            ReplicaGroup(key=key, observed=observe(group, self._accelerators))
            for key, group in sorted(by_key.items(), key=lambda item: _natural(item[0]))
        )


_UNSEEN: list[PlacedPod] = []
"""Pods where none were looked at; never changed."""


def _members(draft: ComponentDraft) -> tuple[Pod, ...]:
    pods = [placed.pod for instance in draft.instances for placed in instance.members]
    if draft.strays:
        pods.extend(placed.pod for placed in draft.strays)
    return tuple(sorted(pods, key=_name))


_name = attrgetter("name")


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


def add(parts: list[Totals]) -> Totals:
    """The sum; each figure is unknown if one part of it is."""
    if len(parts) == 1:
        return parts[0]
    if len(parts) > _KNOWN_TERMS:
        return _sum(parts)
    key = tuple(map(id, parts))
    known = _SUMS.get(key)
    return _remember(_SUMS, key, _sum(parts), parts) if known is None else known[0]


def _sum(parts: list[Totals]) -> Totals:
    pods: int | None = 0
    gpus: int | None = 0
    requests: ResourceList | None = EMPTY
    limits: ResourceList | None = EMPTY
    elastic = False
    for part in parts:
        pods = None if pods is None or part.pods is None else pods + part.pods
        gpus = None if gpus is None or part.gpus is None else gpus + part.gpus
        requests = None if requests is None or part.requests is None else requests.plus(part.requests)
        limits = None if limits is None or part.limits is None else limits.plus(part.limits)
        elastic = elastic or part.at_min is not part.at_max
    at_min = at_max = Bound(pods, gpus)
    if elastic:
        at_min, at_max = _bounds(parts)
    return Totals(pods, gpus, requests, limits, (), at_min, at_max)


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


def _per_pod(draft: InstanceDraft) -> PerPod:
    if draft.spec is None:
        return _NO_POD
    needs, spec = draft.resources, draft.spec
    injected = _names(spec.injected) if spec.injected else ()
    if needs is None:
        return PerPod(None, None, spec.image, injected)
    return PerPod(needs.requests, needs.limits, spec.image, injected)


def _names(containers: tuple[dict[str, Any], ...]) -> tuple[str, ...]:
    return tuple(name for one in containers if (name := text_of(one.get("name"))))


_Counts = tuple[int | None, int | None, int | None, int | None, PerPod]


def _shared_by(views: tuple[Instance, ...]) -> _Counts:
    """Of several instances: replicas, lower and upper bounds summed; then what all of them share."""
    first = views[0]
    replicas, low, high = first.replicas, first.min, first.max
    pods_per_replica, per_pod = first.pods_per_replica, first.per_pod
    requests, limits, image, injected = per_pod.requests, per_pod.limits, per_pod.image, per_pod.injected
    for one in views[1:]:
        replicas = None if replicas is None or one.replicas is None else replicas + one.replicas
        low = None if low is None or one.min is None else low + one.min
        high = None if high is None or one.max is None else high + one.max
        pods_per_replica = pods_per_replica if pods_per_replica == one.pods_per_replica else None
        per_pod = one.per_pod
        if requests is not None and requests != per_pod.requests:
            requests = None
        if limits is not None and limits != per_pod.limits:
            limits = None
        image = image if image == per_pod.image else None
        injected = injected if injected == per_pod.injected else None
    return replicas, low, high, pods_per_replica, PerPod(requests, limits, image, injected)


def totals(parts: list[Part[Component]], claims: tuple[ClaimTotal, ...]) -> Totals:
    """What the workload asks for: the sum of its top-level components, and the devices that it claims."""
    amounts = add([each for _, each, _ in parts]) if parts else NOTHING
    return replace(amounts, claims=claims) if claims else amounts
