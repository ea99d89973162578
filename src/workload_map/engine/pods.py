"""What is read of pods, once for all that say the same."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from workload_map.engine import pod_status
from workload_map.engine.objects import Object
from workload_map.engine.placing import Places
from workload_map.engine.plan import Plan
from workload_map.engine.pod_status import PodStatus
from workload_map.engine.resources import PodResources, pod_resources

_LIMIT: Final = 4096
_PARTS: Final = frozenset(("overhead", "resources", "resourceClaims"))
"""What a pod may need besides its containers."""


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

    def read(self, pod: Object, *, is_going: bool) -> tuple[PodStatus, PodResources, str | None]:
        """The status of a pod, what it needs, and the node that it is on.

        Args:
            pod: The pod.
            is_going: Whether it was asked to go, which its status is another one by.
        """
        status, spec = pod.get("status"), pod.get("spec")
        if type(spec) is not dict:
            return pod_status.read(pod), pod_resources(spec), None
        node = spec.get("nodeName")
        if type(node) is not str or not node:
            node = None
        known = self._known.get(id(status))
        if known is None or is_going or known.inits is not spec.get("initContainers"):
            return self._read_anew(pod, status, spec, is_going=is_going), pod_resources(spec), node
        if known.containers is spec.get("containers") and _PARTS.isdisjoint(spec):
            return known.read, known.needs, node
        return known.read, pod_resources(spec), node

    def _read_anew(self, pod: Object, status: Any, spec: Object, *, is_going: bool) -> PodStatus:
        found = pod_status.read(pod)
        if not is_going and _PARTS.isdisjoint(spec):
            if len(self._known) >= _LIMIT:  # what is used often is there again at once
                self._known.clear()
            inits, containers = spec.get("initContainers"), spec.get("containers")
            self._known[id(status)] = _Known(status, inits, containers, found, pod_resources(spec))
        return found
