"""Joining the fields of a component to its instances: by location, never by position.

An *element* is where one instance lies in the object: the location up to the last iterated step of the id
path (of the pod spec's path, where there are no ids). A value belongs to the element that is a prefix of
its location; a value that was not iterated over, or above the elements, belongs to each of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cached_property
from typing import Any

from workload_map import path
from workload_map.engine.fields import Field
from workload_map.engine.reading import Reader, field_path
from workload_map.engine.unknown import UNKNOWN


class Elements:
    """The elements of a component, in the order of its instances.

    Args:
        outputs: What gives one output an instance: the ids, else the pod specs.
        source: The field that they came from; None for an element that is the object itself.
        absent: Where elements lie that were left out, since nothing is there: values in those are of no use.

    Attributes:
        locations: One location an instance.
        distinct: False where two instances lie at one location, so that locations cannot tell them apart.
    """

    def __init__(
        self,
        outputs: Iterable[path.Located],
        source: Field | None = None,
        absent: Iterable[path.Location] = (),
    ) -> None:
        self._source = source
        self._absent = frozenset(absent)
        self._absent_depths = {len(location) for location in self._absent}
        self.locations = [location[:iterated] for _, location, iterated in outputs]
        self.distinct = len(set(self.locations)) == len(self.locations)

    @cached_property
    def _positions(self) -> dict[path.Location, int]:
        return {location: index for index, location in enumerate(self.locations)}

    @cached_property
    def _depths(self) -> set[int]:
        return {len(location) for location in self.locations}

    def __len__(self) -> int:
        return len(self.locations)

    def index(self, location: path.Location) -> int | None:
        """The element that is a prefix of a location."""
        for depth in self._depths:
            index = self._positions.get(location[:depth])
            if index is not None:
                return index
        return None

    @cached_property
    def _under(self) -> dict[path.Location, list[int]]:
        """The elements at or below each location on the way to one."""
        found: dict[path.Location, list[int]] = {}
        for index, element in enumerate(self.locations):
            for depth in range(len(element) + 1):
                found.setdefault(element[:depth], []).append(index)
        return found

    def below(self, location: path.Location) -> list[int]:
        """The elements that lie at or below a location."""
        return self._under.get(location, [])

    def holders(
        self, outputs: list[path.Located], field: Field, reader: Reader
    ) -> list[tuple[Any, path.Location, list[int]]]:
        """What a path gives of which each element may have several, with the elements that have it.

        An output is that of the element around it, else of those in the entry of a list or map that it was
        taken from, else of all that do not lie in another entry of one. Several that were computed in one
        place, from the entries that the elements are of, are in their order.

        Returns:
            Values, their locations and the elements; `UNKNOWN`, with a problem, where order does not tell.
        """
        adrift = self._adrift(outputs, field)
        found = [
            (output[0], output[1], self._around(output)) for output in outputs if output[1] not in adrift
        ]
        if adrift:
            lost = [output for output in outputs if output[1] in adrift]
            values = self._by_position(lost, field, reader)
            found.extend((value, self.locations[index], [index]) for index, value in enumerate(values))
        return found

    def _adrift(self, outputs: list[path.Located], field: Field) -> set[path.Location]:
        """The places above elements in which several outputs were computed that came from the elements."""
        if len(outputs) < 2 or len(self.locations) < 2:
            return set()
        counts = Counter(location for _, location, _ in outputs)
        several = [one for one, count in counts.items() if count > 1 and self.index(one) is None]
        if not several or not field.program.repeats:
            return set()
        through = [pattern for pattern in field.program.reads if pattern.below or None in pattern.steps]
        return {
            one
            for one in several
            if any(pattern.covers(self.locations[index]) for index in self.below(one) for pattern in through)
        }

    def _around(self, output: path.Located) -> list[int]:
        """The elements that have an output."""
        _, location, iterated = output
        index = self.index(location)
        if index is not None:
            return self.below(self.locations[index])
        around = self.below(location[:iterated]) if iterated else []
        if around:
            return around
        found = list(self.below(location))
        for depth in range(len(location)):
            here, inside = location[:depth], location[: depth + 1]
            if len(self.below(here)) > len(self.below(inside)):
                among = self._in_fields.get(here, ())
                found.extend(one for one in among if self.locations[one][depth] != location[depth])
        return sorted(found)

    @cached_property
    def _in_fields(self) -> dict[path.Location, list[int]]:
        """The elements below each location whose next step is a field there, and no entry."""
        found: dict[path.Location, list[int]] = {}
        for index, element in enumerate(self.locations):
            for depth, step in enumerate(element[:-1]):
                if type(step) is str:
                    found.setdefault(element[:depth], []).append(index)
        return found

    def only(self, kept: list[int]) -> Elements:
        """The elements of these instances alone."""
        kept_outputs = [(None, self.locations[index], len(self.locations[index])) for index in kept]
        left_out = set(self.locations).difference(location for _, location, _ in kept_outputs)
        return Elements(kept_outputs, self._source, left_out)

    def flags(self, field: Field | None, reader: Reader, *, default: bool = False) -> list[bool | None]:
        """Whether a field is true, for each element: None where that cannot be told.

        `default` where the definition has no such field.
        """
        if field is None:
            return [default] * len(self.locations)
        values = self.attach(reader.located(field), None, field, reader)
        return [None if value is UNKNOWN else value is True for value in values]

    def attach(self, outputs: list[path.Located], absent: Any, field: Field, reader: Reader) -> list[Any]:
        """One value an element: `absent` where it has none, `UNKNOWN` where that cannot be told."""
        if not outputs:
            return [absent] * len(self.locations)
        if not self.distinct:
            return self._by_position(outputs, field, reader)
        if self._is_aligned(outputs):
            return [output[0] for output in outputs]
        values = [absent] * len(self.locations)
        filled: set[int] = set()
        lost: list[path.Located] = []
        common: list[path.Located] = []
        for output in outputs:
            index = self.index(output[1])
            if index is None and self._is_absent(output[1]):
                continue
            if index is None:
                (common if self._is_common(output) else lost).append(output)
            elif index not in filled or values[index] is None:
                filled.add(index)
                values[index] = output[0]
            elif output[0] is not None:
                values[index] = UNKNOWN
                self._report_several(output, field, reader)
        if lost or not self._spread(common, values, filled):
            return self._by_position(outputs, field, reader)
        return values

    def _is_aligned(self, outputs: list[path.Located]) -> bool:
        """Whether there is one output an element, in their order: nearly always so, and quick to see."""
        if len(outputs) != len(self.locations):
            return False
        for (_, location, _), element in zip(outputs, self.locations, strict=True):
            if location[: len(element)] != element:
                return False
        return True

    def _is_absent(self, location: path.Location) -> bool:
        return any(location[:depth] in self._absent for depth in self._absent_depths)

    def _is_common(self, output: path.Located) -> bool:
        iterated = output[1][: output[2]]
        return any(element[: len(iterated)] == iterated for element in self.locations)

    def _spread(self, common: list[path.Located], values: list[Any], filled: set[int]) -> bool:
        """Give what lies above the elements to each of them that has no value of its own.

        False where several values lie above one element: which of them is meant cannot be told.
        """
        given: set[int] = set()
        for output in common:
            for index in self.below(output[1][: output[2]]):
                if index in filled:
                    continue
                if index in given:
                    return False
                given.add(index)
                values[index] = output[0]
        return True

    @staticmethod
    def _report_several(output: path.Located, field: Field, reader: Reader) -> None:
        place = field_path(output[1])
        message = f"{field.place} gives several values here; which of them counts is unknown"
        reader.report("several-values", place, message)

    def _by_position(self, outputs: list[path.Located], field: Field, reader: Reader) -> list[Any]:
        count = len(self.locations)
        if len(outputs) == 1 and outputs[0][2] == 0:
            return [outputs[0][0]] * count
        place = field_path(outputs[0][1])
        if len(outputs) != count:
            source = f"{self._source.place} gives" if self._source else "there are"
            values = "1 value" if len(outputs) == 1 else f"{len(outputs)} values"
            instances = "1 instance" if count == 1 else f"{count} instances"
            message = f"{field.place} gives {values} and {source} {instances}"
            reader.report("lengths-differ", place, f"{message}; which belongs to which is unknown")
            return [UNKNOWN] * count
        why = "no locations within the instances; its values are taken in order"
        reader.report("joined-by-position", place, f"{field.place} gives {why}")
        return [value for value, _, _ in outputs]
