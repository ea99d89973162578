"""Trying a definition on objects, and counting what its parts give."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

import msgspec

from workload_map.definition import CollisionError, Definition, DefinitionSet, Finding, Layer, against_objects
from workload_map.definition.against_objects import Tally
from workload_map.definition.findings import Steps, field_text
from workload_map.definition.slots import Expression, expressions
from workload_map.definition.structure import steps_of
from workload_map.definition.validation import Checked
from workload_map.engine.fields import Field, Fields
from workload_map.engine.objects import Object, api_kind, controller, metadata, text_of
from workload_map.engine.owners import OwnerIndex
from workload_map.engine.plan import plan_of
from workload_map.engine.reading import Reader
from workload_map.engine.resolve import Resolver
from workload_map.engine.surroundings import Surroundings
from workload_map.engine.usage.counts import Part, ProblemCount, Usage, count_problems
from workload_map.engine.usage.probes import Probe, takes, try_all
from workload_map.engine.usage.roles import Role, Seen
from workload_map.engine.view import Workload


def measure(
    checked: Sequence[Checked], definitions: DefinitionSet, index: OwnerIndex, *, pods_known: bool
) -> tuple[list[Usage], list[Finding]]:
    """Try definitions on all objects of their kinds.

    Args:
        checked: The definitions; each counts for its kind, also where several cover the same one.
        definitions: The others, for what is wrapped in the objects.
        index: All objects at hand, their pods and owners among them.
        pods_known: Whether pods were looked at.

    Returns:
        What each definition gave, in their order, and a warning for each part that never gave anything.
    """
    beside = definitions.with_layer(Layer(one.entry for one in checked))
    usages: list[Usage] = []
    findings: list[Finding] = []
    for one in checked:
        meter = Meter(one.entry.definition, beside.with_layer(Layer([one.entry])))
        meter.add(index.objects, index, pods_known=pods_known)
        before = len(one.report.findings)
        against_objects.check(meter.tallies, one.report)
        findings += one.report.findings[before:]
        usages.append(meter.usage(one.entry.source, pods_known=pods_known))
    return usages, findings


class Meter:
    """Counts what the parts of one definition give.

    Args:
        definition: The definition.
        definitions: A set in which it is the one that covers its kind.
    """

    def __init__(self, definition: Definition, definitions: DefinitionSet) -> None:
        self._definition = definition
        self._definitions = definitions
        self._plan = plan_of(definition)
        self._objects = 0
        self._pods = 0
        self._problems: dict[str, ProblemCount] = {}
        self._whole: list[Probe] = []
        """The paths that belong to no component."""
        steps = {component.name: where for component, where in steps_of(definition)}
        self._roles = {plan.name: Role(plan, steps[plan.name]) for plan in self._plan.root.walk()}
        fields = Fields(tuple(self._plan.references))
        for expression in expressions(definition):
            self._place(expression, fields)

    def _place(self, expression: Expression, fields: Fields) -> None:
        """Put a path where it has its chances."""
        place = field_text(expression.steps)
        on_pod = expression.slot.on == "pod"
        if expression.component is not None:
            field = Field(expression.text, place) if on_pod else fields.make(expression.text, place)
            self._roles[expression.component.name].place(expression, field)
            return
        probe = Probe(expression, Field(expression.text, place))
        role = self._roles.get(_component_named(self._definition, expression.steps) or "")
        if on_pod:
            (role or self._roles[self._plan.root.name]).on_pods.append(probe)
        else:
            (role.own if role else self._whole).append(probe)

    @property
    def tallies(self) -> list[Tally]:
        """All counts, component by component, then those of the workload as a whole."""
        of_components = [tally for role in self._roles.values() for tally in role.tallies()]
        return [*of_components, *(probe.tally for probe in self._whole)]

    def usage(self, file: str | None, *, pods_known: bool) -> Usage:
        """What was counted so far.

        Args:
            file: Where the definition stands; None if it came from no file.
            pods_known: Whether pods were looked at.
        """
        tallies = self.tallies
        silent = set(map(id, against_objects.silent(tallies)))
        kind = self._definition.root.kind
        return Usage(
            definition=self._definition.name,
            file=file,
            api_version=kind.api_version if kind else "",
            kind=kind.kind if kind else "",
            objects=self._objects,
            pods=self._pods if pods_known else None,
            parts=tuple(Part.of_tally(tally, silent=id(tally) in silent) for tally in tallies),
            problems=tuple(count for _, count in sorted(self._problems.items())),
        )

    def add(self, objects: Iterable[Object], index: OwnerIndex, *, pods_known: bool) -> None:
        """Count the objects that the definition covers; the others are passed over.

        Args:
            objects: Objects.
            index: All that is at hand, they included.
            pods_known: Whether pods were looked at.
        """
        own = [obj for obj in objects if self._covers(obj)]
        around = Surroundings(self._definitions, index, listed=True)
        resolver = Resolver(around, pods_known)
        for obj in own:
            view = resolver.view(obj)
            self._objects += 1
            count_problems(view, self._problems)
            # Without its paths evaluated the definition had no chance.
            if all(problem.code != "definition-set-aside" for problem in view.problems):
                pods = index.pods_under(obj) if view.observed is not None else []
                self._pods += len(pods)
                self._try(view, pods, Reader(obj, self._plan.references, around))
        if self._plan.by_label and pods_known:
            self._try_names(own, index)

    def _covers(self, obj: Object) -> bool:
        try:
            entry = self._definitions.get(*api_kind(obj))
        except CollisionError:
            return False
        return entry is not None and entry.definition is self._definition

    def _try(self, view: Workload, pods: list[Object], reader: Reader) -> None:
        reader.grant(len(pods))
        try_all(self._whole, reader)
        seen = Seen(view, pods, {name: role.plan for name, role in self._roles.items()})
        there: dict[str, bool] = {}
        for name, role in self._roles.items():
            above = role.plan.parent
            there[name] = (above is None or there[above.name]) and role.try_object(reader, seen)
            role.try_pods(reader, seen)

    def _try_names(self, objects: list[Object], index: OwnerIndex) -> None:
        """Count the pods, and what stands above pods, that have no controller and should name a workload."""
        names: dict[str | None, set[str | None]] = {}
        for obj in objects:
            meta = metadata(obj)
            names.setdefault(text_of(meta.get("namespace")), set()).add(text_of(meta.get("name")))
        roles = [role for role in self._roles.values() if role.names]
        for pod in index.objects:
            namespace = text_of(metadata(pod).get("namespace"))
            if controller(pod) is None and namespace in names and index.may_claim(pod):
                _try_name(pod, roles, names[namespace])


def _try_name(pod: Object, roles: list[Role], workloads: Collection[str | None]) -> None:
    """Count a pod for the paths that name its workload, and for the selectors where none takes it."""
    reader = Reader(pod)
    taking = [role for role in roles if not role.selector or takes(role.plan.selector, pod, reader)]
    for role in taking:
        if role.names is not None:
            # Without a selector any pod of the namespace may be of something else.
            role.names.try_pod(pod, reader, chance=role.selector is not None)
    named = [reader.first_on_pod(role.names.field, pod) for role in roles if role.names]
    if not taking and any(isinstance(name, str) and name in workloads for name in named):
        for role in roles:
            if role.selector is not None:
                role.selector.count(False)


def _component_named(definition: Definition, steps: Steps) -> str | None:
    """The component that a group or a member names, from a place inside of it; None where none does."""
    name = None
    value: Any = msgspec.to_builtins(definition)
    for step in steps[:-1]:
        value = value[step]
        name = value.get("componentName", name) if isinstance(value, dict) else name
    return name
