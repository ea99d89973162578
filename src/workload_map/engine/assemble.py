"""From drafts to views: multiplying, summing, and seeing what the pods say, from the leaves up.

Amounts of a component include those of its children, so the top-level components add up to the totals.
"""

from __future__ import annotations

from collections.abc import Hashable
from operator import attrgetter
from typing import Final, TypeVar

import msgspec
from msgspec.structs import replace

from workload_map.engine.amounts import NOTHING, add, own_amounts
from workload_map.engine.known import Table, remember
from workload_map.engine.objects import text_of
from workload_map.engine.observing import mark_history, observe, together
from workload_map.engine.specs import PodSpec
from workload_map.engine.structure import ComponentDraft, InstanceDraft, PlacedPod
from workload_map.engine.view import (
    ClaimTotal,
    Component,
    Instance,
    Observed,
    PerPod,
    Pod,
    ReplicaGroup,
    Totals,
)

_NO_POD = PerPod(requests=None, limits=None, image=None, injected=None)

View = TypeVar("View", Component, Instance)
Part = tuple[View, Totals, list[PlacedPod]]
"""A component or an instance in its view, with what it asks for (without claims) and the pods in it."""


# Components in whose view no pods were looked at: many workloads share them.
_COMPONENTS: Final[Table[Part[Component]]] = {}
_KNOWN_INSTANCES: Final = 16


class Assembly(msgspec.Struct, eq=False):
    """Builds the views of one workload.

    Attributes:
        looked_at_pods: False where pods were not looked at: what pods would say is then unknown, not empty.
        accelerators: The resource names whose amounts are whole accelerators.
        has_replica_groups: Whether some pod may tell which replica it belongs to.
    """

    looked_at_pods: bool
    accelerators: frozenset[str]
    has_replica_groups: bool

    def component(self, draft: ComponentDraft) -> Part[Component]:
        """A component with everything below it."""
        if self.looked_at_pods or draft.children or len(draft.instances) > _KNOWN_INSTANCES:
            return self._component(draft)
        key: list[Hashable] = [id(draft.plan), draft.phase, id(self.accelerators)]
        for one in draft.instances:
            spec = one.spec
            if one.children or spec is None:
                return self._component(draft)
            key += (id(one.resources), one.scale, one.id, spec.image)
            if spec.injected or spec.injected_inits:
                key.append(_added(spec))
        content = tuple(key)
        known = _COMPONENTS.get(content)
        if known is not None:
            return known[0]
        named = (draft.plan, self.accelerators, [one.resources for one in draft.instances])
        return remember(_COMPONENTS, content, self._component(draft), named)

    def _component(self, draft: ComponentDraft) -> Part[Component]:
        children = [self.component(child) for child in draft.children] if draft.children else []
        # What belongs to all instances belongs to the one, where there is only one.
        shared, apart = (children, []) if len(draft.instances) == 1 else ([], children)
        parts = [self._instance(instance, shared) for instance in draft.instances]
        views = tuple([view for view, _, _ in parts])
        replicas, minimum, maximum, pods_per_replica, per_pod = _shared_by(views)
        amounts = add([each for _, each, _ in (*parts, *apart)])
        seen, observed, members = _UNSEEN, None, None
        if self.looked_at_pods:
            seen, observed = self._seen(parts, draft.strays, apart)
            members = _members(draft)
        shown = Component(  # by position, which takes a third less
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

    def _seen(
        self, parts: list[Part[Instance]], strays: list[PlacedPod], apart: list[Part[Component]]
    ) -> tuple[list[PlacedPod], Observed | None]:
        """The pods of a component and what is below it, and what they say."""
        if len(parts) == 1 and not strays and not apart:
            return parts[0][2], parts[0][0].observed
        seen = [one for _, _, some in parts for one in some]
        seen += strays
        seen += [one for _, _, some in apart for one in some]
        views = [view for view, _, _ in parts] + [view for view, _, _ in apart]
        told = [view.observed for view in views if view.observed is not None]
        return seen, together([*told, observe(strays, self.accelerators)] if strays else told)

    def _instance(self, draft: InstanceDraft, shared: list[Part[Component]]) -> Part[Instance]:
        own = amounts = own_amounts(draft, self.accelerators)
        components: tuple[Component, ...] = ()
        below = shared
        if draft.children:
            children = [self.component(child) for child in draft.children]
            components = tuple([child for child, _, _ in children])
            below = [*children, *shared]
        if below:
            amounts = add([own, *[each for _, each, _ in below]])
        seen, observed, groups = _UNSEEN, None, None
        if self.looked_at_pods:
            seen = draft.members
            mark_history(seen, own.pods)
            observed = observe(seen, self.accelerators)
            if below:
                seen = [*seen, *[one for _, _, some in below for one in some]]
                told = [view.observed for view, _, _ in below if view.observed is not None]
                observed = together([observed, *told])
            groups = self._groups(seen) if self.has_replica_groups else ()
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

    def _groups(self, seen: list[PlacedPod]) -> tuple[ReplicaGroup, ...]:
        by_key: dict[str, list[PlacedPod]] = {}
        for placed in seen:
            key = placed.pod.replica_group
            if key is not None:
                by_key.setdefault(key, []).append(placed)
        if not by_key:
            return ()
        return tuple(
            ReplicaGroup(key=key, observed=observe(group, self.accelerators))
            for key, group in sorted(by_key.items(), key=lambda item: _natural(item[0]))
        )


_UNSEEN: list[PlacedPod] = []
"""Pods where none were looked at; never changed."""


def _members(draft: ComponentDraft) -> tuple[Pod, ...]:
    """The pods of a component by name, in which order those of an instance are."""
    if len(draft.instances) == 1 and not draft.strays:
        return tuple([placed.pod for placed in draft.instances[0].members])
    pods = [placed.pod for instance in draft.instances for placed in instance.members]
    if draft.strays:
        pods.extend(placed.pod for placed in draft.strays)
    return tuple(sorted(pods, key=_name))


_name = attrgetter("name")


def _natural(key: str) -> tuple[int, int, str]:
    """Numbers in the order of their value, before any text."""
    return (0, int(key), key) if key.isascii() and key.isdigit() and len(key) < 19 else (1, 0, key)


def _per_pod(draft: InstanceDraft) -> PerPod:
    if draft.spec is None:
        return _NO_POD
    needs, spec = draft.resources, draft.spec
    injected = _added(spec)
    if needs is None:
        return PerPod(None, None, spec.image, injected)
    return PerPod(needs.requests, needs.limits, spec.image, injected)


def _added(spec: PodSpec) -> tuple[str, ...]:
    """The names of the containers that the operator adds."""
    containers = spec.injected + spec.injected_inits
    return tuple([name for one in containers if (name := text_of(one.get("name")))])


_Counts = tuple[int | None, int | None, int | None, int | None, PerPod]


def _shared_by(views: tuple[Instance, ...]) -> _Counts:
    """Of a component's instances: replicas, lower and upper bounds summed; then what all of them share."""
    first = views[0]
    replicas, low, high = first.replicas, first.min, first.max
    pods_per_replica, per_pod = first.pods_per_replica, first.per_pod
    if len(views) == 1:
        return replicas, low, high, pods_per_replica, per_pod
    requests, limits, image, injected = per_pod.requests, per_pod.limits, per_pod.image, per_pod.injected
    for one in views[1:]:
        replicas = None if replicas is None or one.replicas is None else replicas + one.replicas
        low = None if low is None or one.min is None else low + one.min
        high = None if high is None or one.max is None else high + one.max
        pods_per_replica = pods_per_replica if pods_per_replica == one.pods_per_replica else None
        per_pod = one.per_pod
        if requests is not per_pod.requests and requests != per_pod.requests:
            requests = None
        if limits is not per_pod.limits and limits != per_pod.limits:
            limits = None
        image = image if image == per_pod.image else None
        injected = injected if injected == per_pod.injected else None
    return replicas, low, high, pods_per_replica, PerPod(requests, limits, image, injected)


def totals(parts: list[Part[Component]], claims: tuple[ClaimTotal, ...]) -> Totals:
    """What the workload asks for: the sum of its top-level components, and the devices that it claims."""
    amounts = parts[0][1] if len(parts) == 1 else add([each for _, each, _ in parts]) if parts else NOTHING
    return replace(amounts, claims=claims) if claims else amounts
