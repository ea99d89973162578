"""Explanations as values: an answer, why it is so, and the answers that it rests on."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, takewhile
from typing import Any, NamedTuple

import msgspec

from workload_map import path
from workload_map.definition.lines import steps
from workload_map.engine.evidence import Evidence
from workload_map.engine.explaining.places import Places
from workload_map.engine.fields import Field
from workload_map.engine.placement import WorkloadName
from workload_map.engine.plan import ComponentPlan
from workload_map.engine.reading import Reader, field_path
from workload_map.engine.structure import InstanceDraft
from workload_map.engine.unknown import UNKNOWN
from workload_map.engine.view import Problem, Read

_MOST_READS = 16
_MOST_WALKED = 1000


class Fact(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """One answer.

    Attributes:
        what: What is answered: `phase`, `replicas`, the name of a component.
        value: The answer, as the view has it; None where it is not known.
        because: Why, in a sentence.
        rule: The place in the definition that says so; None where no single one does.
        definition: The definition that the rule is in, where it is not that of the workload: an object within
            has its own.
        expression: What stands there: a path, a condition, a phase.
        reads: The fields of the object that were read, and their values.
        facts: The answers that this one rests on.
    """

    what: str
    value: Any
    because: str
    rule: str | None = None
    definition: str | None = None
    expression: str | None = None
    reads: tuple[Read, ...] = ()
    facts: tuple[Fact, ...] = ()


def of_definition(fact: Fact, name: str) -> Fact:
    """A fact, with all that it rests on, whose rules are in another definition."""
    return msgspec.structs.replace(
        fact,
        definition=fact.definition or name,
        facts=tuple(of_definition(inner, name) for inner in fact.facts),
    )


class Explanation(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """How answers about one workload came about.

    Attributes:
        workload: Which workload, and by which definition.
        origin: Where the definition came from: `builtin`, `cluster` or `file`.
        facts: The answers.
        problems: What could not be read of the workload.
    """

    workload: WorkloadName
    origin: str
    facts: tuple[Fact, ...]
    problems: tuple[Problem, ...]


class Reading(NamedTuple):
    """What a field gave for one instance.

    Attributes:
        values: What it gave, where it lies; empty where it was computed.
        reads: The fields that it was read from, or computed from.
        gave: Whether it gave anything but null.
    """

    values: tuple[Read, ...]
    reads: tuple[Read, ...]
    gave: bool


class Scope(msgspec.Struct, frozen=True, eq=False):
    """An object whose fields are read again: the workload, or an object within it.

    Attributes:
        reader: Reads the object. Its problems are those of the view, so they are not told again.
        places: Where its fields lie.
        is_counted: Whether a definition says how many are made of it, or of an object that it lies in.
    """

    reader: Reader
    places: Places
    is_counted: bool = False

    @classmethod
    def of(cls, reader: Reader) -> Scope:
        """That of a workload."""
        return cls(reader, Places({(): reader.obj}))

    def read(self, field: Field, element: path.Location = ()) -> Reading:
        """What a field gives for one element of the object: its own outputs, else those that it shares.

        Args:
            field: The field.
            element: Where the instance lies.
        """
        chosen = self._chosen(field, element)
        gave = any(value is not None for value, _ in chosen)
        if all(self._at(location, field) is value for value, location in chosen):
            reads = tuple(Read(path=self.place(location), value=value) for value, location in chosen)
            return Reading(reads, reads, gave)
        return Reading((), tuple(self._behind(field, element)), gave)

    def _chosen(self, field: Field, element: path.Location) -> list[tuple[Any, path.Location]]:
        """The outputs of one element, or else those that it shares, with where they lie."""
        outputs = [output for output in self.reader.located(field) if output[0] is not UNKNOWN]
        depth = len(element)
        own = [output for output in outputs if output[1][:depth] == element]
        shared = [output for output in outputs if output[1][: output[2]] == element[: output[2]]]
        return [(value, location) for value, location, _ in (own or shared)[:_MOST_READS]]

    def located(self, field: Field, element: path.Location) -> Iterator[tuple[Any, path.Location]]:
        """What a field gives for one element, with where it lies in the object; nothing computed."""
        for value, location in self._chosen(field, element):
            if self._at(location, field) is value:
                yield value, location

    def place(self, location: path.Location) -> str:
        """Where a field of the object lies, as people write it."""
        return self.places.text(self.reader.obj, location)

    def below(self, plan: ComponentPlan, instance: InstanceDraft) -> tuple[Scope, str | None]:
        """What the components of an instance are read from, and the definition of an object that it holds."""
        if instance.wrapped is None or plan.objects is None or not isinstance(instance.manifest, tuple):
            return self, None
        inner = self.reader.within(instance.manifest[0], instance.wrapped.plan.references)
        references = dict(zip(plan.objects.variables, self.reader.values(plan.objects), strict=True))
        is_counted = self.is_counted or (plan.scale is not None and plan.scale.tells_replicas)
        places = self.places.among(references)
        return Scope(inner, places, is_counted), instance.wrapped.plan.definition.name

    def _behind(self, field: Field, element: path.Location) -> Iterator[Read]:
        """The fields that a computed value may have come from, those of other elements left out."""
        here, beside = field_path(element), field_path(element[:-1])
        found = Evidence(field.program.reads).collect(self.reader.obj, _MOST_WALKED)
        kept = (read for read in found if not element or _is_of(read.path, here, beside))
        reads = list(islice(kept, _MOST_READS)) or [*self._empty(field)]
        for read in reads:
            yield msgspec.structs.replace(read, path=self.place(steps(read.path)))

    def _empty(self, field: Field) -> Iterator[Read]:
        """The lists and objects in which nothing was found: `length` reads empty and absent ones too."""
        for pattern in field.program.reads:
            known = takewhile(lambda step: step is not None, pattern.steps)
            location = tuple(step for step in known if step is not None)
            if location and not (value := self._at(location, field)):
                yield Read(path=field_path(location), value=value)

    def _at(self, location: path.Location, field: Field) -> Any:
        """What lies at a location of the object, or of a reference that the field reads."""
        value: Any = self.reader.obj
        if location and str(location[0]).startswith("$"):
            name, *rest = location
            value = dict(zip(field.variables, self.reader.values(field), strict=True)).get(str(name)[1:])
            location = tuple(rest)
        for step in location:
            if isinstance(value, dict):
                value = value.get(step)
            elif isinstance(value, list) and isinstance(step, int) and -len(value) <= step < len(value):
                value = value[step]
            else:
                return None
        return value


def _is_of(place: str, element: str, beside: str) -> bool:
    """Whether a field is in an element, or in none of those beside it."""
    if place.startswith(element) and place[len(element) : len(element) + 1] in ("", ".", "["):
        return True
    return not (place.startswith(beside) and place[len(beside) : len(beside) + 1] in (".", "["))
