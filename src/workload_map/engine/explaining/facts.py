"""Explanations as values: an answer, why it is so, and the answers that it rests on."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

import msgspec

from workload_map import path
from workload_map.engine.evidence import Evidence
from workload_map.engine.fields import Field
from workload_map.engine.reading import UNKNOWN, Reader, field_path
from workload_map.engine.structure import InstanceDraft
from workload_map.engine.view import Problem, Read, WorkloadName

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
    """An object whose fields are read again, and where it lies: the workload, or an object within it.

    Attributes:
        reader: Reads the object. Its problems are those of the view, so they are not told again.
        prefix: What locations begin with; empty for the workload itself.
    """

    reader: Reader
    prefix: path.Location = ()

    def read(self, field: Field, element: path.Location = ()) -> Reading:
        """What a field gives for one element of the object: its own outputs, else those that it shares.

        Args:
            field: The field.
            element: Where the instance lies.
        """
        outputs = [output for output in self.reader.located(field) if output[0] is not UNKNOWN]
        depth = len(element)
        own = [output for output in outputs if output[1][:depth] == element]
        shared = [output for output in outputs if output[1][: output[2]] == element[: output[2]]]
        chosen = (own or shared)[:_MOST_READS]
        gave = any(value is not None for value, _, _ in chosen)
        if all(self._at(location) is value for value, location, _ in chosen):
            reads = tuple(Read(path=self._place(location), value=value) for value, location, _ in chosen)
            return Reading(reads, reads, gave)
        return Reading((), tuple(self._behind(field, element)), gave)

    def below(self, instance: InstanceDraft) -> tuple[Scope, str | None]:
        """What the components of an instance are read from, and the definition of an object that it holds."""
        if instance.wrapped is None or not isinstance(instance.manifest, tuple):
            return self, None
        manifest, location = instance.manifest
        inner = self.reader.within(manifest, instance.wrapped.plan.references)
        return Scope(inner, (*self.prefix, *location)), instance.wrapped.plan.definition.name

    def _behind(self, field: Field, element: path.Location) -> Iterator[Read]:
        """The fields that a computed value may have come from, those of other elements left out."""
        here, beside = field_path(element), field_path(element[:-1])
        found = Evidence(field.program.reads).collect(self.reader.obj, _MOST_WALKED)
        kept = (read for read in found if not element or _is_of(read.path, here, beside))
        for read in islice(kept, _MOST_READS):
            place = read.path if not self.prefix else f"{field_path(self.prefix)}.{read.path}"
            yield msgspec.structs.replace(read, path=place)

    def _place(self, location: path.Location) -> str:
        return field_path(self.prefix + location)

    def _at(self, location: path.Location) -> Any:
        """What lies at a location; one that leads into a reference leads to nothing here."""
        value: Any = self.reader.obj
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
