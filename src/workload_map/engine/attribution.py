"""Giving each pod its one place: component, instance and replica group.

That a pod belongs to the workload is known by then (`owners`); here labels give the role. Whatever does not
fit is kept with the reason; no pod is lost, and one odd pod never spoils the view.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from workload_map.engine.fields import Field
from workload_map.engine.objects import Object, metadata, place_of_pod
from workload_map.engine.plan import ComponentPlan, Plan
from workload_map.engine.pod_status import PodStatus, Statuses
from workload_map.engine.reading import Reader
from workload_map.engine.resources import pod_resources
from workload_map.engine.seats import Scope, Seat
from workload_map.engine.selecting import is_selected
from workload_map.engine.structure import ComponentDraft, PlacedPod
from workload_map.engine.times import utc
from workload_map.engine.view import Pod, UnattributedPod


class Place(msgspec.Struct, frozen=True):
    """Where a pod belongs. `component` is None where none takes it; then `why` says the reason."""

    component: ComponentPlan | None
    instance: str | None = None
    replica_group: str | None = None
    why: str | None = None


def find_place(plan: Plan, pod: Object, reader: Reader) -> Place:
    """The place of a pod that belongs to the workload; `reader` keeps the problems.

    Selectors are asked in declared order, the root first; a component without a type selector takes the rest.
    """
    matching = []
    rest = []
    for bearer in plan.bearers:
        if not bearer.selector.has_type:
            rest.append(bearer)
        elif is_selected(bearer.selector, pod, reader.first_on_pod):
            matching.append(bearer)
    if len(matching) > 1:
        names = " and ".join(bearer.name for bearer in matching)
        message = f"the selectors of {names} both take this pod; the first in declared order has it"
        reader.report("selectors-overlap", place_of_pod(pod), message)
    if not matching and len(rest) > 1:
        names = " and ".join(bearer.name for bearer in rest)
        return Place(None, why=f"{names} have no type selector, so which of them has the pod cannot be told")
    if not matching and not rest:
        return Place(None, why=_no_match(plan))
    bearer = (matching or rest)[0]
    instance = _key(bearer.selector.instance_id, pod, reader)
    return Place(bearer, instance, _key(bearer.replica_key, pod, reader))


def _no_match(plan: Plan) -> str:
    if plan.wraps and not plan.bearers:
        return "none of the whole objects in it is known to control the pod"
    if not plan.bearers:
        return "the definition has no component that bears pods"
    if len(plan.bearers) == 1:
        return f"the selector of {plan.bearers[0].name} does not take it"
    return f"no selector takes it, of {', '.join(bearer.name for bearer in plan.bearers)}"


def _key(field: Field | None, pod: Object, reader: Reader) -> str | None:
    """A key on a pod as text; None where there is none."""
    if field is None:
        return None
    value = reader.first_on_pod(field, pod)
    return str(value) if type(value) in (str, int) and value != "" else None


class Attribution:
    """Puts the pods of a workload into the drafts of its components.

    Args:
        plan: The definition of the workload.
        drafts: Its components.
        reader: The workload; it keeps the problems.
        above: Gives the objects from right below the workload down to a pod, the pod included.
        statuses: Reads the statuses of pods.

    Attributes:
        unattributed: Those that no component takes.
    """

    def __init__(
        self,
        plan: Plan,
        drafts: list[ComponentDraft],
        reader: Reader,
        above: Callable[[Object], Iterable[Object]],
        statuses: Statuses,
    ) -> None:
        self._reader = reader
        self._scope = Scope(plan, drafts)
        self._above = above
        self._statuses = statuses
        self.unattributed: list[tuple[UnattributedPod, PodStatus]] = []

    def add(self, pods: list[Object]) -> None:
        """Give each pod its place. The budget grows with the number of pods: each is to be read."""
        self._reader.grant(len(pods))
        for pod in pods:
            scope = self._scope.of(self._above(pod)) if self._scope.wrapped else self._scope
            place = find_place(scope.plan, pod, self._reader)
            status = self._statuses.read(pod)
            why = place.why or self._put(pod, place, status, scope)
            if why is not None:
                self._leave(pod, place, status, why)

    def leave(self, pods: Iterable[Object], why: str) -> None:
        """Give no pod a place, for one reason."""
        for pod in pods:
            self._leave(pod, Place(None), self._statuses.read(pod), why)

    def _leave(self, pod: Object, place: Place, status: PodStatus, why: str) -> None:
        known = msgspec.structs.asdict(_view(pod, place, status, self._reader))
        self.unattributed.append((UnattributedPod(**known, unattributed_because=why), status))

    def _put(self, pod: Object, place: Place, status: PodStatus, scope: Scope) -> str | None:
        """Put a pod below its component; the reason where that is not there in the object."""
        plan = place.component
        seat = scope.seat(plan, place.instance) if plan else None
        if seat is not None:
            seat.instance.members.append(PlacedPod(_view(pod, place, status, self._reader), status))
            return None
        seats = scope.seats.get(plan.name) if plan else None
        if plan is None or not seats:
            return f"it says that it is a {plan.name if plan else ''}, which the object does not have"
        parents = self._parents(pod, plan) if any(seat.parents for seat in seats) else ()
        near = [seat for seat in seats if seat.fits(parents)]
        found = [seat for seat in near if plan.ids is None or _bears(seat, place.instance)]
        if not found or any(seat.parents != found[0].parents for seat in found):
            self._stray(pod, place, near or seats, status)
            return None
        found[0].instance.members.append(PlacedPod(_view(pod, place, status, self._reader), status))
        return None

    def _parents(self, pod: Object, plan: ComponentPlan | None) -> tuple[str | None, ...]:
        """The instances above that a pod names, the nearest first; None where it names none."""
        keys = []
        while plan is not None:
            keys.append(_key(plan.parent_key, pod, self._reader))
            plan = plan.parent
        return tuple(keys)

    def _stray(self, pod: Object, place: Place, seats: list[Seat], status: PodStatus) -> None:
        """Keep a pod whose component is known and whose instance is not: of a surge, or a removed group."""
        draft = seats[0].draft
        known = ", ".join(dict.fromkeys(seat.instance.id or "?" for seat in seats))
        said = "names no instance" if place.instance is None else f"names the instance {place.instance}"
        message = f"{draft.plan.name}: the pod {said}, and which it is of cannot be told; known: {known}"
        self._reader.report("instance-unknown", place_of_pod(pod), message)
        unknown = Place(place.component, None, place.replica_group)
        draft.strays.append(PlacedPod(_view(pod, unknown, status, self._reader), status))


def _bears(seat: Seat, instance: str | None) -> bool:
    return instance is not None and seat.instance.id == instance


def _view(pod: Object, place: Place, status: PodStatus, reader: Reader) -> Pod:
    meta = metadata(pod)
    spec: Any = pod.get("spec")
    needs = pod_resources(spec)
    for problem in needs.problems:
        reader.report(problem.code, place_of_pod(pod), problem.message)
    node = spec.get("nodeName") if isinstance(spec, dict) else None
    name, deleted = meta.get("name"), meta.get("deletionTimestamp")
    return Pod(  # by position, which takes a third less
        name if isinstance(name, str) else "",
        status.phase,
        status.ready,
        node if node and isinstance(node, str) else None,
        status.reason,
        status.message,
        status.restarts,
        place.instance if place.component and place.component.ids else None,
        place.replica_group,
        needs.requests,
        None if deleted is None else utc(deleted),
    )
