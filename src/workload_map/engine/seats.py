"""The places that pods of a workload can have: its instances by component, and those of objects in it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from workload_map.engine.objects import Object, api_kind, kind_of, metadata, text_of
from workload_map.engine.plan import ComponentPlan, Plan
from workload_map.engine.structure import ComponentDraft, InstanceDraft, Wrapped


class Seat(NamedTuple):
    """One instance.

    Attributes:
        draft: Its component.
        instance: The instance.
        parents: The ids of the instances above, the nearest first; None for a level that has no ids, or
            where the instance belongs to all of the level above.
    """

    draft: ComponentDraft
    instance: InstanceDraft
    parents: tuple[str | None, ...]

    def fits(self, named: tuple[str | None, ...]) -> bool:
        """Whether the instances that a pod names lie above this one; what is left open does not matter."""
        return all(
            mine is None or theirs is None or mine == theirs
            for mine, theirs in zip(self.parents, named, strict=False)
        )


class Scope:
    """The places of one object. Those of an object in it are a scope of their own, with its definition.

    Attributes:
        plan: The definition of the object.
        seats: Its instances, by the name of their component.
        wrapped: The objects in it, each with its scope.
    """

    def __init__(self, plan: Plan, drafts: list[ComponentDraft]) -> None:
        self.plan = plan
        self.seats: dict[str, list[Seat]] = {}
        self._plain: dict[str, dict[str | None, Seat]] = {}
        self.wrapped: list[tuple[Wrapped, Scope]] = []
        self._seat(drafts, ())

    def _seat(self, drafts: list[ComponentDraft], parents: tuple[str | None, ...]) -> None:
        for draft in drafts:
            seats = self.seats.setdefault(draft.plan.name, [])
            for instance in draft.instances:
                seats.append(Seat(draft, instance, parents))
                if (inside := instance.wrapped) is not None:
                    self.wrapped.append((inside, Scope(inside.plan, inside.components)))
                if instance.children:
                    self._seat(instance.beside, (instance.id, *parents))
            if draft.children:
                self._seat(draft.children, (None, *parents))

    def seat(self, plan: ComponentPlan, instance: str | None) -> Seat | None:
        """The instance of a component that a pod names, where it lies below no other instance; else None.

        Of several of one id it is the first; of a component without ids the only one.
        """
        plain = self._plain.get(plan.name)
        if plain is None:
            plain = self._plain[plan.name] = self._plain_seats(plan)
        if plan.ids is None:
            return plain.get(None)
        return plain.get(instance) if instance is not None else None

    def _plain_seats(self, plan: ComponentPlan) -> dict[str | None, Seat]:
        found: dict[str | None, Seat] = {}
        seats = self.seats.get(plan.name, ())
        if plan.ids is None and len(seats) > 1:
            return {}
        for seat in seats:
            if seat.parents:
                return {}
            found.setdefault(seat.instance.id if plan.ids is not None else None, seat)
        return found

    def of(self, links: Iterable[Object]) -> Scope:
        """The scope that a pod belongs to.

        Args:
            links: The objects from right below this one down to the pod, the pod included. An object that is
                none of those in here (a controller of its own between) is walked past.
        """
        scope = self
        for link in links:
            scope = scope._of_object(link) or scope
        return scope

    def _of_object(self, obj: Object) -> Scope | None:
        """The scope of the object in here that this one was made from: the same kind and name."""
        kind = kind_of(*api_kind(obj))
        name = text_of(metadata(obj).get("name"))
        alike = [(one.name, scope) for one, scope in self.wrapped if one.kind == kind]
        for known, scope in alike:
            if known is not None and known == name:
                return scope
        # A manifest may leave its name to the controller. With several of them none is known to be meant.
        nameless = [scope for known, scope in alike if known is None]
        return nameless[0] if len(nameless) == 1 else None
