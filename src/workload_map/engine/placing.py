"""Which component, instance and replica group a pod names: the selectors, asked in their order.

That a pod belongs to the workload is known by then (`owners`); whether the object has what the pod names is
seen afterwards (`seats`).
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from workload_map.engine.fields import Field
from workload_map.engine.objects import Object, place_of_pod
from workload_map.engine.plan import ComponentPlan, Plan
from workload_map.engine.reading import Reader
from workload_map.engine.selecting import is_selected


class Place(msgspec.Struct, frozen=True):
    """Where a pod belongs.

    Attributes:
        component: Its component; None where none takes it.
        instance: The instance that it names.
        shown_instance: The same as the view tells it: none, where the component has no ids.
        replica_group: The key of its replica.
        why: Why no component takes it.
        is_contested: Whether other components would take it as well.
    """

    component: ComponentPlan | None
    instance: str | None = None
    shown_instance: str | None = None
    replica_group: str | None = None
    why: str | None = None
    is_contested: bool = False


_LIMIT: Final = 4096


class Places:
    """Finds the places of pods by one definition.

    Most selectors read labels and nothing else. Pods in which these labels are the same have one place, which
    is then worked out once.
    """

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._labels: tuple[str, ...] | None = plan.place_labels
        self._known: dict[tuple[Any, ...], Place] = {}

    def find(self, pod: Object, meta: Object, reader: Reader) -> Place:
        """The place of a pod that belongs to the workload.

        Args:
            pod: The pod.
            meta: Its metadata.
            reader: It keeps the problems.
        """
        labels = meta.get("labels")
        if self._labels is None or type(labels) is not dict:
            return find_place(self._plan, pod, reader)
        key = tuple(map(labels.get, self._labels))
        try:
            return self._known[key]
        except KeyError:
            return self._find(key, pod, reader)
        except TypeError:  # a list or an object stands for the value of a label
            return find_place(self._plan, pod, reader)

    def _find(self, key: tuple[Any, ...], pod: Object, reader: Reader) -> Place:
        place = find_place(self._plan, pod, reader)
        # That is told of each pod; and what is no text must not stand for another value (True and 1).
        if not place.is_contested and all(value is None or type(value) is str for value in key):
            if len(self._known) >= _LIMIT:  # what is used often is there again at once
                self._known.clear()
            self._known[key] = place
        return place


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
    instance = key_on(bearer.selector.instance_id, pod, reader)
    shown = instance if bearer.ids is not None else None
    group = key_on(bearer.replica_key, pod, reader)
    return Place(bearer, instance, shown, group, is_contested=len(matching) > 1)


def key_on(field: Field | None, pod: Object, reader: Reader) -> str | None:
    """A key on a pod as text; None where there is none."""
    if field is None:
        return None
    value = reader.first_on_pod(field, pod)
    return str(value) if type(value) in (str, int) and value != "" else None


def _no_match(plan: Plan) -> str:
    if plan.wraps and not plan.bearers:
        return "none of the whole objects in it is known to control the pod"
    if not plan.bearers:
        return "the definition has no component that bears pods"
    if len(plan.bearers) == 1:
        return f"the selector of {plan.bearers[0].name} does not take it"
    return f"no selector takes it, of {', '.join(bearer.name for bearer in plan.bearers)}"
