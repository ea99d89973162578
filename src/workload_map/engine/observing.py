"""What the pods at hand say together: how many there are, ready and done, where, and which needs a look."""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from workload_map.engine import pod_status
from workload_map.engine.structure import PlacedPod
from workload_map.engine.view import Observed, Worst


class Sighting(msgspec.Struct, frozen=True, gc=False):
    """A pod as it counts: `history` is a failed one that has been replaced since."""

    placed: PlacedPod
    history: bool


def sightings(members: list[PlacedPod], desired: int | None) -> list[Sighting]:
    """The pods of one instance as they count.

    A failed pod is history once as many others as are desired (any other, where that is unknown) stand or
    are done.
    """
    others = sum(placed.status.phase != "Failed" for placed in members)
    replaced = others >= (1 if desired is None else max(desired, 1))
    return [Sighting(placed, replaced and placed.status.phase == "Failed") for placed in members]


def observe(seen: Collection[Sighting], accelerators: frozenset[str]) -> Observed:
    """Count pods. Accelerators are in use by pods that have a node and have not ended."""
    gpus: int | None = 0
    for sighting in seen:
        status = sighting.placed.status
        if status.scheduled and status.live:
            each = sighting.placed.pod.requests.accelerators(accelerators)
            gpus = None if gpus is None or each is None else gpus + each
    return Observed(
        pods=len(seen),
        scheduled=sum(sighting.placed.status.scheduled for sighting in seen),
        ready=sum(sighting.placed.status.ready for sighting in seen),
        succeeded=sum(sighting.placed.status.succeeded for sighting in seen),
        gpus=gpus,
        nodes=tuple(sorted({sighting.placed.pod.node for sighting in seen if sighting.placed.pod.node})),
        worst=_worst(seen),
    )


def _worst(seen: Collection[Sighting]) -> Worst | None:
    """The pod in the worst trouble, by name among equals."""
    found: tuple[int, str, PlacedPod] | None = None
    for sighting in seen:
        trouble = sighting.placed.status.trouble
        if trouble is None or sighting.history:
            continue
        key = (pod_status.rank(trouble), sighting.placed.pod.name, sighting.placed)
        if found is None or key[:2] < found[:2]:
            found = key
    if found is None:
        return None
    placed = found[2]
    return Worst(reason=placed.status.trouble or "", pod=placed.pod.name, message=placed.status.message)
