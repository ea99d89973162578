"""Giving each pod its one place: component, instance and replica group.

That a pod belongs to the workload is known by then (`owners`); here labels give the role. Whatever does not
fit is kept with the reason; no pod is lost, and one odd pod never spoils the view.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from workload_map.engine import pod_status
from workload_map.engine.fields import Field
from workload_map.engine.owners import Object, metadata, text_of
from workload_map.engine.plan import ComponentPlan, Plan
from workload_map.engine.pod_status import PodStatus
from workload_map.engine.reading import Reader
from workload_map.engine.resources import pod_resources
from workload_map.engine.structure import ComponentDraft, InstanceDraft, PlacedPod, walk
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
        elif _selects(bearer, pod, reader):
            matching.append(bearer)
    if len(matching) > 1:
        names = " and ".join(bearer.name for bearer in matching)
        message = f"the selectors of {names} both take this pod; the first in declared order has it"
        reader.report("selectors-overlap", _pod_place(pod), message)
    if not matching and len(rest) > 1:
        names = " and ".join(bearer.name for bearer in rest)
        return Place(None, why=f"{names} have no type selector, so which of them has the pod cannot be told")
    if not matching and not rest:
        return Place(None, why=_no_match(plan))
    bearer = (matching or rest)[0]
    instance = _key(bearer.selector.instance_id, pod, reader)
    return Place(bearer, instance, _key(bearer.replica_key, pod, reader))


def _no_match(plan: Plan) -> str:
    if not plan.bearers:
        return "the definition has no component that bears pods"
    if len(plan.bearers) == 1:
        return f"the selector of {plan.bearers[0].name} does not take it"
    return f"no selector takes it, of {', '.join(bearer.name for bearer in plan.bearers)}"


def _selects(bearer: ComponentPlan, pod: Object, reader: Reader) -> bool:
    selector = bearer.selector
    labels = metadata(pod).get("labels")
    labels = labels if isinstance(labels, dict) else {}
    if any(labels.get(name) != value for name, value in selector.type_labels.items()):
        return False
    if selector.type_key is None:
        return bool(selector.type_labels)
    found = reader.first(selector.type_key, pod, _pod_place(pod))
    return found is not None if selector.type_value is None else found == selector.type_value


def _key(field: Field | None, pod: Object, reader: Reader) -> str | None:
    """A key on a pod as text; None where there is none."""
    value = reader.first(field, pod, _pod_place(pod)) if field else None
    return str(value) if type(value) in (str, int) and value != "" else None


def _pod_place(pod: Object) -> str:
    return f"pod {text_of(metadata(pod).get('name')) or '?'}"


class Attribution:
    """Puts the pods of a workload into the drafts of its components.

    Attributes:
        unattributed: Those that no component takes.
    """

    def __init__(self, plan: Plan, drafts: list[ComponentDraft], reader: Reader) -> None:
        self._plan = plan
        self._reader = reader
        self._drafts: dict[str, list[ComponentDraft]] = {}
        for draft in walk(drafts):
            self._drafts.setdefault(draft.plan.name, []).append(draft)
        self.unattributed: list[tuple[UnattributedPod, PodStatus]] = []

    def add(self, pods: Iterable[Object]) -> None:
        """Give each pod its place."""
        for pod in pods:
            place = find_place(self._plan, pod, self._reader)
            status = pod_status.read(pod)
            why = place.why or self._put(pod, place, status)
            if why is not None:
                view = _view(pod, place, status, self._reader)
                fields = {name: getattr(view, name) for name in view.__struct_fields__}
                self.unattributed.append((UnattributedPod(**fields, unattributed_because=why), status))

    def _put(self, pod: Object, place: Place, status: PodStatus) -> str | None:
        """Put a pod below its component; the reason where that is not there in the object."""
        role = place.component.name if place.component else ""
        drafts = self._drafts.get(role)
        if not drafts:
            return f"it says that it is a {role}, which the object does not have"
        placed = PlacedPod(_view(pod, place, status, self._reader), status)
        for draft in drafts:
            instance = _instance(draft, place)
            if instance is not None:
                instance.members.append(placed)
                return None
        self._stray(pod, place, drafts[0], status)
        return None

    def _stray(self, pod: Object, place: Place, draft: ComponentDraft, status: PodStatus) -> None:
        known = ", ".join(one.id or "?" for one in draft.instances)
        said = "names no instance" if place.instance is None else f"names the instance {place.instance}"
        self._reader.report(
            "instance-unknown", _pod_place(pod), f"{draft.plan.name}: the pod {said}; known: {known}"
        )
        unknown = Place(place.component, None, place.replica_group)
        draft.strays.append(PlacedPod(_view(pod, unknown, status, self._reader), status))


def _instance(draft: ComponentDraft, place: Place) -> InstanceDraft | None:
    """The instance that a pod names; the only one, where the component has no ids."""
    if draft.plan.ids is None:
        return draft.instances[0]
    for instance in draft.instances:
        if instance.id is not None and instance.id == place.instance:
            return instance
    return None


def _view(pod: Object, place: Place, status: PodStatus, reader: Reader) -> Pod:
    meta = metadata(pod)
    needs = pod_resources(pod.get("spec"))
    for problem in needs.problems:
        reader.report(problem.code, _pod_place(pod), problem.message)
    spec: Any = pod.get("spec")
    return Pod(
        name=text_of(meta.get("name")) or "",
        phase=status.phase,
        ready=status.ready,
        node=text_of(spec.get("nodeName")) or None if isinstance(spec, dict) else None,
        reason=status.reason,
        message=status.message,
        restarts=status.restarts,
        instance=place.instance if place.component and place.component.ids else None,
        replica_group=place.replica_group,
        requests=needs.requests,
        deleted_at=utc(meta.get("deletionTimestamp")),
    )
