"""Why an instance is there so often: its counts, each read from a field or taken by default."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from workload_map import path
from workload_map.engine.explaining.facts import Fact, Reading, Scope
from workload_map.engine.fields import Field
from workload_map.engine.plan import ComponentPlan
from workload_map.engine.view import Instance


def explain_scale(
    component: ComponentPlan, location: path.Location, view: Instance, scope: Scope
) -> Iterator[Fact]:
    """The counts of one instance that bears pods.

    Args:
        component: Its component.
        location: Where the instance lies.
        view: What the view says of it.
        scope: The object.
    """
    plan = component.scale
    copies = ", times the number of such objects" if scope.is_counted else ""
    if plan is None:
        because = f"the definition has no scale definition here: one{copies}"
        yield Fact(what="replicas", value=view.replicas, because=because, rule=component.place)
        return
    at = _At(location, scope)
    if plan.suspended is not None and view.suspended:
        yield at.read("suspended", True, plan.suspended)
    per_parent = (", times the replicas of its parent" if plan.per_parent else "") + copies
    also = per_parent + (", kept within its bounds" if plan.keeps_within_bounds else "")
    if view.suspended is None:
        also += ", unless it is suspended: that cannot be told"
    yield at.count("replicas", view.replicas, plan.replicas, plan.default_replicas, also)
    if view.min is not None:
        yield at.count("min", view.min, plan.minimum, plan.default_minimum, per_parent)
    if view.max is not None:
        yield at.count("max", view.max, plan.maximum, plan.default_maximum, per_parent)
    if plan.pods_per_replica is not None:
        yield at.count("pods of each", view.pods_per_replica, plan.pods_per_replica, 1)


class _At(msgspec.Struct, frozen=True):
    """One instance, where its fields are read."""

    location: path.Location
    scope: Scope

    def count(
        self, what: str, value: int | None, field: Field | None, default: int | None, also: str = ""
    ) -> Fact:
        """A count, read or by default.

        Args:
            what: Which one.
            value: What the view has.
            field: Where it is read; None where the definition has no path for it.
            default: What the controller takes where it is absent; None: the definition does not say.
            also: What else is done to it.
        """
        if field is None:
            said = "a default and no path" if default is not None else "neither a path nor a default"
            return Fact(what=what, value=value, because=f"the definition has {said} for it{also}")
        reading = self.scope.read(field, self.location)
        if reading.gave:
            return self._fact(what, value, field, reading, f"{_how(reading)} the object{also}")
        because = (
            "absent: the default" if default is not None else "absent, and the definition has no default"
        )
        return self._fact(what, value, field, reading, because + also)

    def read(self, what: str, value: Any, field: Field) -> Fact:
        """An answer that is read from the object."""
        reading = self.scope.read(field, self.location)
        return self._fact(what, value, field, reading, f"{_how(reading)} the object")

    @staticmethod
    def _fact(what: str, value: Any, field: Field, reading: Reading, because: str) -> Fact:
        return Fact(
            what=what,
            value=value,
            because=because,
            rule=field.place,
            expression=field.text,
            reads=reading.reads,
        )


def _how(reading: Reading) -> str:
    return "read from" if reading.values else "computed from"
