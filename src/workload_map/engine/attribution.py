"""Giving each pod its one place: component, instance and replica group.

That a pod belongs to the workload is known by then (`owners`); here labels give the role. Whatever does not
fit is kept with the reason; no pod is lost, and one odd pod never spoils the view.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from workload_map.engine.objects import Object, metadata, place_of_pod
from workload_map.engine.placing import Place, key_on
from workload_map.engine.plan import ComponentPlan, Plan
from workload_map.engine.pod_status import PodStatus
from workload_map.engine.pods import Pods
from workload_map.engine.reading import Reader
from workload_map.engine.seats import Scope, Seat
from workload_map.engine.structure import ComponentDraft, PlacedPod
from workload_map.engine.view import UnattributedPod


class Attribution:
    """Puts the pods of a workload into the drafts of its components.

    Args:
        plan: The definition of the workload.
        drafts: Its components.
        reader: The workload; it keeps the problems.
        above: Gives the objects from right below the workload down to a pod, the pod included.
        known: Reads pods.

    Attributes:
        unattributed: Those that no component takes.
    """

    def __init__(
        self,
        plan: Plan,
        drafts: list[ComponentDraft],
        reader: Reader,
        above: Callable[[Object], Iterable[Object]],
        known: Pods,
    ) -> None:
        self._reader = reader
        self._scope = Scope(plan, drafts)
        self._above = above
        self._known = known
        self.unattributed: list[tuple[UnattributedPod, PodStatus]] = []

    def add(self, pods: list[Object]) -> None:
        """Give each pod its place. The budget grows with the number of pods: each is to be read."""
        self._reader.grant(len(pods))
        scope = self._scope
        has_objects = bool(scope.wrapped)
        find, placed_in, reader = self._known.places(scope.plan).find, self._known.placed, self._reader
        # Pods come by name, so that those of one place mostly stand together.
        before, seat = None, None
        for pod in pods:
            if has_objects:
                scope = self._scope.of(self._above(pod))
                find = self._known.places(scope.plan).find
                before = None
            meta = pod.get("metadata")
            if type(meta) is not dict:
                meta = {}
            place = find(pod, meta, reader)
            if place is not before:
                before, seat = place, scope.seat(place.component, place.instance) if place.component else None
            placed = placed_in(pod, meta, place, reader)
            if seat is not None:
                seat.instance.members.append(placed)
            else:
                self._put(placed, pod, place, scope)

    def leave(self, pods: Iterable[Object], why: str) -> None:
        """Give no pod a place, for one reason."""
        place = Place(None)
        for pod in pods:
            self._leave(self._known.placed(pod, metadata(pod), place, self._reader), why)

    def _leave(self, placed: PlacedPod, why: str) -> None:
        known = msgspec.structs.asdict(placed.pod)
        self.unattributed.append((UnattributedPod(**known, unattributed_because=why), placed.status))

    def _put(self, placed: PlacedPod, pod: Object, place: Place, scope: Scope) -> None:
        """Put a pod below its component; where the object has no place for it, leave it with the reason."""
        plan = place.component
        if plan is None:
            self._leave(placed, place.why or "")
            return
        seats = scope.seats.get(plan.name)
        if not seats:
            self._leave(placed, f"it says that it is a {plan.name}, which the object does not have")
            return
        parents = self._parents(pod, plan) if any(seat.parents for seat in seats) else ()
        near = [seat for seat in seats if seat.fits(parents)]
        found = [seat for seat in near if plan.ids is None or _bears(seat, place.instance)]
        is_open = plan.ids is None and len(found) > 1
        if not found or is_open or any(seat.parents != found[0].parents for seat in found):
            self._stray(placed, pod, place, near or seats)
        else:
            found[0].instance.members.append(placed)

    def _parents(self, pod: Object, plan: ComponentPlan | None) -> tuple[str | None, ...]:
        """The instances above that a pod names, the nearest first; None where it names none."""
        keys = []
        while plan is not None:
            keys.append(key_on(plan.parent_key, pod, self._reader))
            plan = plan.parent
        return tuple(keys)

    def _stray(self, placed: PlacedPod, pod: Object, place: Place, seats: list[Seat]) -> None:
        """Keep a pod whose component is known and whose instance is not: of a surge, or a removed group."""
        draft = seats[0].draft
        known = ", ".join(dict.fromkeys(seat.instance.id or "one without an id" for seat in seats))
        said = "names no instance" if place.instance is None else f"names the instance {place.instance}"
        message = f"{draft.plan.name}: the pod {said}, and which it is of cannot be told; known: {known}"
        self._reader.report("instance-unknown", place_of_pod(pod), message)
        unknown = msgspec.structs.replace(placed.pod, instance=None)
        draft.strays.append(PlacedPod(unknown, placed.status))


def _bears(seat: Seat, instance: str | None) -> bool:
    return instance is not None and seat.instance.id == instance
