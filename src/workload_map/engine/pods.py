"""What is read of pods, once for all that say the same."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from workload_map.engine import pod_status
from workload_map.engine.objects import Object, place_of_pod
from workload_map.engine.placing import Place, Places
from workload_map.engine.plan import Plan
from workload_map.engine.pod_status import PodStatus
from workload_map.engine.reading import Reader
from workload_map.engine.resources import PodResources, pod_resources
from workload_map.engine.structure import PlacedPod
from workload_map.engine.times import utc
from workload_map.engine.view import Pod

_LIMIT: Final = 4096
_PARTS: Final = frozenset(("overhead", "resources", "resourceClaims"))
"""What besides its containers tells what a pod needs."""


class _Known(msgspec.Struct, frozen=True, eq=False, gc=False):
    """What was read of a pod, and the parts of it that this depends on."""

    status: Any
    inits: Any
    containers: Any
    read: PodStatus
    needs: PodResources


class Pods:
    """Reads pods; the workloads of one resolver share it.

    Readers of large lists let pods have in common what they say alike. As nothing may change while it is
    resolved, such a part is known by its identity; it is kept, so that no other one takes that over.
    """

    def __init__(self) -> None:
        self._known: dict[int, _Known] = {}
        self._places: dict[int, tuple[Plan, Places]] = {}

    def places(self, plan: Plan) -> Places:
        """What finds the places of pods by a definition."""
        known = self._places.get(id(plan))
        if known is None:
            known = self._places[id(plan)] = plan, Places(plan)
        return known[1]

    def placed(self, pod: Object, meta: Object, place: Place, reader: Reader) -> PlacedPod:
        """A pod in its place, as the view shows it.

        Args:
            pod: The pod.
            meta: Its metadata.
            place: Where it belongs.
            reader: It keeps the problems.
        """
        spec, node = pod.get("spec"), None
        name, deleted = meta.get("name"), meta.get("deletionTimestamp")
        known = None
        if type(spec) is dict:
            node = spec.get("nodeName")
            if deleted is None and _PARTS.isdisjoint(spec):
                known = self._known.get(id(pod.get("status")))
                inits, containers = spec.get("initContainers"), spec.get("containers")
                if known is None or known.containers is not containers or known.inits is not inits:
                    known = self._read(pod, spec)
        read, needs = (known.read, known.needs) if known else (pod_status.read(pod), pod_resources(spec))
        if needs.problems:
            for problem in needs.problems:
                reader.report(problem.code, place_of_pod(pod), problem.message)
        shown = Pod(  # by position, which takes a third less
            name if type(name) is str else "",
            read.phase,
            read.ready,
            node if type(node) is str and node else None,
            read.reason,
            read.message,
            read.restarts,
            place.shown_instance,
            place.replica_group,
            needs.requests,
            None if deleted is None else utc(deleted),
        )
        return PlacedPod(shown, read)

    def _read(self, pod: Object, spec: Object) -> _Known:
        """What is remembered of a pod that is here to stay, and needs what its containers need."""
        if len(self._known) >= _LIMIT:  # what is used often is there again at once
            self._known.clear()
        status = pod.get("status")
        inits, containers = spec.get("initContainers"), spec.get("containers")
        known = _Known(status, inits, containers, pod_status.read(pod), pod_resources(spec))
        self._known[id(status)] = known
        return known
