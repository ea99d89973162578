"""Why so many pods, and so many accelerators: from the totals down to the fields of each instance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal

from workload_map import path
from workload_map.engine.explaining.facts import Fact, Scope, of_definition
from workload_map.engine.explaining.scale import explain_scale
from workload_map.engine.fields import Field
from workload_map.engine.plan import ComponentPlan
from workload_map.engine.resource_list import ACCELERATORS
from workload_map.engine.structure import ComponentDraft, InstanceDraft
from workload_map.engine.view import Component, Instance, Read

Measure = Literal["pods", "gpus"]

# Where the amounts of a pod template stand: those of its volumes, say, are no amounts of the pod.
_TO_AMOUNTS = ("spec", "containers", "initContainers", "resources")


class Counts:
    """Explains one figure of the components of an object.

    Args:
        measure: Which figure.
        scope: The object.
    """

    def __init__(self, measure: Measure, scope: Scope) -> None:
        self._measure = measure
        self._scope = scope

    def components(self, drafts: Sequence[ComponentDraft], views: Sequence[Component]) -> tuple[Fact, ...]:
        """The components, each with its instances.

        Args:
            drafts: The components as they are built.
            views: The same as the view has them, in the same order.
        """
        return tuple(self._component(draft, view) for draft, view in zip(drafts, views, strict=True))

    def _component(self, draft: ComponentDraft, view: Component) -> Fact:
        below = self.components(draft.children, view.components)
        pairs = list(zip(draft.instances, view.instances, strict=True))
        if len(pairs) == 1 and pairs[0][0].id is None:
            return self.instance(draft, *pairs[0], name=view.name, shared=below)
        facts = [self.instance(draft, one, seen, name=f"{view.name} {seen.id}") for one, seen in pairs]
        what = "its instances" if not below else "its instances and the components below them"
        return Fact(
            what=view.name,
            value=self._value(view),
            because=f"the sum of {what}",
            rule=draft.plan.ids.place if draft.plan.ids else draft.plan.place,
            expression=draft.plan.ids.text if draft.plan.ids else None,
            facts=(*facts, *below),
        )

    def instance(
        self,
        draft: ComponentDraft,
        instance: InstanceDraft,
        view: Instance,
        *,
        name: str,
        shared: tuple[Fact, ...] = (),
    ) -> Fact:
        """One instance, with what belongs to it alone.

        Args:
            draft: Its component.
            instance: The instance as it is built.
            view: The same as the view has it.
            name: What it is called.
            shared: Other facts that its figure rests on.
        """
        below = (*self._children(draft.plan, instance, view), *shared)
        if instance.spec is None:
            because = "the sum of what is below it" if below else "nothing says what is below it"
            return Fact(
                what=name, value=self._value(view), because=because, rule=draft.plan.place, facts=below
            )
        own = list(self._own(draft, instance, view))
        because = self._product(view)
        because += ", and what is below it" if below else ""
        return Fact(
            what=name,
            value=self._value(view),
            because=because,
            rule=draft.plan.place,
            facts=(*own, *below),
        )

    def _children(self, plan: ComponentPlan, instance: InstanceDraft, view: Instance) -> tuple[Fact, ...]:
        scope, definition = self._scope.below(plan, instance)
        if definition is None:
            return self.components(instance.children, view.components)
        within = len(instance.children) - len(instance.beside)
        facts = Counts(self._measure, scope).components(instance.children[:within], view.components[:within])
        beside = self.components(instance.beside, view.components[within:])
        return (*(of_definition(fact, definition) for fact in facts), *beside)

    def _value(self, view: Component | Instance) -> int | None:
        return view.pods if self._measure == "pods" else view.gpus

    def _product(self, view: Instance) -> str:
        if view.suspended:
            return "it is suspended, so it counts 0"
        pods = f"{_shown(view.replicas)} × {_shown(view.pods_per_replica)}"
        if self._measure == "pods":
            return f"replicas × pods of each: {pods}"
        requests = view.per_pod.requests
        each = None if requests is None else requests.accelerators()
        return f"replicas × pods of each × accelerators of one pod: {pods} × {_shown(each)}"

    def _own(self, draft: ComponentDraft, instance: InstanceDraft, view: Instance) -> Iterator[Fact]:
        yield from explain_scale(draft.plan, instance.location, view, self._scope)
        if self._measure == "gpus":
            yield _accelerators(draft, instance, view, self._scope)


def _accelerators(draft: ComponentDraft, instance: InstanceDraft, view: Instance, scope: Scope) -> Fact:
    """What one pod asks for, container by container."""
    what, plan = "accelerators of one pod", draft.plan.spec
    requests = view.per_pod.requests
    value = None if requests is None else requests.accelerators()
    if plan is None or value is None:
        return Fact(
            what=what, value=value, because="what its pods ask for is not known", rule=draft.plan.place
        )
    if plan.whole is None:
        fields = [*plan.fragments.values(), *plan.added, *(field for field, _ in plan.accelerators)]
        reads = tuple(read for field in fields for read in _amounts_in(field, instance, scope))
        because = "put together from the fragments of its pod spec"
        return Fact(
            what=what, value=value, because=because, rule=f"{draft.plan.place}.specDefinition", reads=reads
        )
    reads = _amounts_in(plan.whole, instance, scope)
    for field in plan.added:
        reads += _amounts_in(field, instance, scope)
    for field, _ in plan.accelerators:
        reads += scope.read(field, instance.location).reads
    because = "what its containers ask for"
    if value == 0:
        because = "no container asks for one"
    elif not reads:
        because, reads = "computed from the object", scope.read(plan.whole, instance.location).reads
    return Fact(
        what=what,
        value=value,
        because=because,
        rule=plan.whole.place,
        expression=plan.whole.text,
        reads=reads,
    )


def _amounts_in(field: Field, instance: InstanceDraft, scope: Scope) -> tuple[Read, ...]:
    """The amounts of accelerators that count in what a field gives."""
    found = scope.located(field, instance.location)
    amounts = (amount for value, location in found for amount in _amounts(value, location))
    return tuple(Read(path=scope.place(location), value=value) for value, location in amounts)


def _amounts(value: Any, location: path.Location) -> Iterator[tuple[Any, path.Location]]:
    stack = [(value, location)]
    while stack:
        one, at = stack.pop()
        if isinstance(one, list):
            stack.extend((entry, (*at, index)) for index, entry in reversed(list(enumerate(one))))
        elif isinstance(one, dict):
            for side in ("limits", "requests"):
                amounts = one.get(side)
                if isinstance(amounts, dict):
                    yield from (
                        (amounts[name], (*at, side, name)) for name in sorted(ACCELERATORS & amounts.keys())
                    )
            stack.extend((one[name], (*at, name)) for name in reversed(one) if name in _TO_AMOUNTS)


def _shown(value: int | None) -> str:
    return "?" if value is None else str(value)
