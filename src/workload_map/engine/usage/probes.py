"""One path of a definition with its count, on objects or on pods."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any

from workload_map.definition.against_objects import Tally
from workload_map.definition.slots import Expression
from workload_map.engine.fields import Field
from workload_map.engine.objects import Object
from workload_map.engine.plan import SelectorPlan
from workload_map.engine.reading import Reader
from workload_map.engine.selecting import is_selected
from workload_map.engine.unknown import UNKNOWN


class Probe:
    """A path with its count.

    Args:
        expression: The path.
        field: The path as the engine runs it.
        decides: Whether it says if its component is there.
    """

    def __init__(self, expression: Expression, field: Field, *, decides: bool = False) -> None:
        component, slot = expression.component, expression.slot
        self.field = field
        self.tally = Tally(
            what="path",
            component=component.name if component else None,
            steps=expression.steps,
            of="pods" if slot.on == "pod" else "objects",
            is_question=slot.gives == "boolean" or "filters" in expression.steps,
            decides=decides,
        )

    def try_object(self, reader: Reader) -> bool:
        """Count the object of a reader; whether the path gives something there."""
        gave = any(self._is_something(value) for value, _, _ in reader.located(self.field))
        self.tally.count(gave, chance=has_status(reader) or not self._reads_status)
        return gave

    @cached_property
    def _reads_status(self) -> bool:
        """Whether it looks nowhere else, so that an object without a status is no chance."""
        reads = self.field.program.reads
        return bool(reads) and all(pattern.steps[:1] == ("status",) for pattern in reads)

    def try_pod(self, pod: Object, reader: Reader, *, chance: bool = True) -> None:
        """Count a pod; there the first output is used."""
        self.tally.count(self._is_something(reader.first_on_pod(self.field, pod)), chance=chance)

    def _is_something(self, value: Any) -> bool:
        is_no = self.tally.is_question and value is False
        return value is not None and value is not UNKNOWN and not is_no


def try_all(probes: Iterable[Probe], reader: Reader) -> None:
    """Count the object of a reader for each of the paths."""
    for probe in probes:
        probe.try_object(reader)


def has_status(reader: Reader) -> bool:
    """Whether a controller has written a status."""
    return bool(reader.obj.get("status"))


def takes(selector: SelectorPlan, pod: Object, reader: Reader) -> bool:
    """Whether the type selector of a component takes a pod."""
    return is_selected(selector, pod, reader.first_on_pod)
