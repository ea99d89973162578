"""One component of a definition with the counts of all its parts."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator

from workload_map.definition.against_objects import Of, Tally, What
from workload_map.definition.findings import Steps
from workload_map.definition.slots import Expression
from workload_map.engine.fields import Field
from workload_map.engine.objects import Object, metadata, text_of
from workload_map.engine.plan import ComponentPlan
from workload_map.engine.reading import Reader
from workload_map.engine.status import read_status
from workload_map.engine.status_plan import StatusPlan
from workload_map.engine.usage.probes import Probe, has_status, takes, try_all
from workload_map.engine.view import Component, Workload

# The paths that say whether a component is there. A fragment does not: others may give what it does not.
_DECIDING = (
    ("specDefinition", "podTemplateSpecPath"),
    ("specDefinition", "podSpecPath"),
    ("instanceIdPath",),
    ("presentPath",),
    ("objectPath",),
)


class Role:
    """A component with its counts.

    Args:
        plan: The component.
        steps: Where it stands in the definition.

    Attributes:
        plan: The component.
        own: The paths that have a chance where it is there.
        on_pods: The paths on its pods, and on those of the components below it.
        names: The path that names the workload on pods that no owner reference ties to it.
        selector: The count of its type selector.
    """

    def __init__(self, plan: ComponentPlan, steps: Steps) -> None:
        self.plan = plan
        self.own: list[Probe] = []
        self.on_pods: list[Probe] = []
        self.names: Probe | None = None
        self._steps = steps
        self._there = self._tally("component", (), "objects")
        self._deciding: list[Probe] = []
        self._of_object: list[Probe] = []
        self._status = _each_alone(plan.status) if plan.status else None
        self._matchers = {
            rule.place: self._tally("matcher", _matcher_steps(rule.place), "objects")
            for rules in (self._status.rules if self._status else ())
            for rule in rules
        }
        selected = ("podSelector", "componentTypeSelector")
        self.selector = self._tally("selector", selected, "pods") if plan.selector.has_type else None

    def _tally(self, what: What, below: Steps, of: Of) -> Tally:
        return Tally(what=what, component=self.plan.name, steps=(*self._steps, *below), of=of)

    def place(self, expression: Expression, field: Field) -> None:
        """Put a path of the component where it has its chances."""
        below = expression.steps[len(self._steps) :]
        if "statusMappings" in below or "componentTypeSelector" in below:
            return  # a matcher counts as a whole, and so does a selector
        probe = Probe(expression, field, decides=below in _DECIDING)
        if probe.tally.decides:
            self._deciding.append(probe)
        elif below[0] in ("statusDefinition", "suspendDefinition"):
            self._of_object.append(probe)
        elif below[-1] == "workloadPath":
            self.names = probe
        else:
            (self.on_pods if probe.tally.of == "pods" else self.own).append(probe)

    def tallies(self) -> Iterator[Tally]:
        """All counts of the component."""
        yield self._there
        for probes in (self._deciding, self.own, self._of_object):
            yield from (probe.tally for probe in probes)
        yield from self._matchers.values()
        if self.selector is not None:
            yield self.selector
        if self.names is not None:
            yield self.names.tally
        yield from (probe.tally for probe in self.on_pods)

    def try_object(self, reader: Reader, seen: Seen) -> bool:
        """Count an object in which the component can be there; whether it is."""
        found = self._is_there(reader, seen)
        self._there.count(found)
        if found:
            try_all(self.own, reader)
        # The root stands for the object, also where it bears no pods there.
        if found or self.plan.is_root:
            self._try_as_object(reader)
        return found

    def _is_there(self, reader: Reader, seen: Seen) -> bool:
        given = [probe.try_object(reader) for probe in self._deciding]
        if self.plan.spec is not None:
            return self.plan.name in seen.components
        # The view leaves out a level without pods below it, for which those below are to be asked.
        return any(given) or not given

    def _try_as_object(self, reader: Reader) -> None:
        """Count status and suspension; a matcher need not match where there is no status."""
        try_all(self._of_object, reader)
        matched = {why.rule for why in read_status(self._status, reader).why} if self._status else set()
        for place, tally in self._matchers.items():
            tally.count(place in matched, chance=has_status(reader))

    def try_pods(self, reader: Reader, seen: Seen) -> None:
        """Count the pods of an object for its selector, and its own for what is read on them."""
        if self.selector is not None:
            is_expected = any(shown.pods != 0 for shown in seen.components.get(self.plan.name, ()))
            for pod in seen.pods:
                self.selector.count(takes(self.plan.selector, pod, reader), chance=is_expected)
        for pod in seen.below(self.plan) if self.on_pods else ():
            for probe in self.on_pods:
                probe.try_pod(pod, reader)


class Seen:
    """What a view shows of the components of one definition, by name.

    Args:
        view: The view.
        pods: The pods of the workload.
        plans: The components of the definition.

    Attributes:
        components: The components that are there.
        pods: Their pods, and those that no component takes; not those of whole objects inside.
    """

    def __init__(self, view: Workload, pods: Iterable[Object], plans: dict[str, ComponentPlan]) -> None:
        self.components: dict[str, list[Component]] = {}
        for shown in _own(view.components, plans):
            self.components.setdefault(shown.name, []).append(shown)
        self._by_name = {text_of(metadata(pod).get("name")) or "": pod for pod in pods}
        taken = [pod for name in self.components for pod in self._members(name)]
        self.pods = [*taken, *self._found(pod.name for pod in view.unattributed or ())]

    def below(self, plan: ComponentPlan) -> list[Object]:
        """The pods of a component and of those below it."""
        return [pod for each in plan.walk() for pod in self._members(each.name)]

    def _members(self, name: str) -> list[Object]:
        return self._found(pod.name for one in self.components.get(name, ()) for pod in one.members or ())

    def _found(self, names: Iterable[str]) -> list[Object]:
        return [self._by_name[name] for name in names if name in self._by_name]


def _own(shown: Iterable[Component], plans: dict[str, ComponentPlan]) -> Iterator[Component]:
    for component in shown:
        yield component
        yield from _own(component.components, plans)
        # Below a whole object stand the components of its own definition, whatever their names.
        if plans[component.name].objects is None:
            for instance in component.instances:
                yield from _own(instance.components, plans)


def _each_alone(status: StatusPlan) -> StatusPlan:
    """A status definition in which each matcher is asked, also behind another one of its phase."""
    alone = copy.copy(status)
    alone.rules = [[rule] for rules in status.rules for rule in rules]
    return alone


def _matcher_steps(place: str) -> Steps:
    """The steps from a component to a matcher, by a place that ends in `statusMappings.running[0]`."""
    phase, _, index = place.rpartition(".")[2].removesuffix("]").partition("[")
    return ("statusDefinition", "statusMappings", phase, int(index))
