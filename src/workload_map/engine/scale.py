"""Counts as the object gives them: whole numbers from 0 to 2³¹ - 1, or unknown; never a guess.

The bound is that of every replica count in the Kubernetes API (`int32`).
"""

from __future__ import annotations

from typing import Any

import msgspec

from workload_map import path
from workload_map.engine.fields import Field
from workload_map.engine.join import Elements
from workload_map.engine.plan import ScalePlan
from workload_map.engine.reading import Reader, field_path
from workload_map.engine.unknown import UNKNOWN

MAX_COUNT = 2**31 - 1

# Annotations and labels can hold nothing but text, so a number written there is no mistake.
_TEXT_MAPS = frozenset({"annotations", "labels"})


class Scale(msgspec.Struct, frozen=True, gc=False):
    """How often an instance is there. None: unknown, or (bounds) not set or unknown.

    Attributes:
        replicas: Desired copies.
        minimum: The elastic lower bound.
        maximum: The elastic upper bound.
        pods_per_replica: How many pods make one copy.
        suspended: This instance alone is suspended, so that its counts are 0; None: unknown.
        open_below: Whether the lower bound is unknown, and not just not set.
        open_above: The same of the upper one.
    """

    replicas: int | None
    minimum: int | None
    maximum: int | None
    pods_per_replica: int | None
    suspended: bool | None
    open_below: bool = False
    open_above: bool = False

    @property
    def pods(self) -> int | None:
        """Desired pods."""
        return product(self.replicas, self.pods_per_replica)

    @property
    def is_elastic(self) -> bool:
        """Whether there may be fewer or more copies than are desired."""
        return self.minimum is not None or self.maximum is not None or self.open_below or self.open_above

    @property
    def lowest(self) -> int | None:
        """As few copies as there may be: where nothing says less, the desired ones."""
        return self.replicas if self.minimum is None and not self.open_below else self.minimum

    @property
    def highest(self) -> int | None:
        """As many copies as there may be."""
        return self.replicas if self.maximum is None and not self.open_above else self.maximum


ONE = Scale(replicas=1, minimum=None, maximum=None, pods_per_replica=1, suspended=False)
"""The scale of a component that says nothing of it."""


def product(count: int | None, each: int | None) -> int | None:
    """`count` × `each`; unknown if one is unknown, but nothing of anything is nothing."""
    if count and each:
        return count * each
    return 0 if count == 0 or each == 0 else None


def perhaps(scale: Scale) -> Scale:
    """The counts of what may be there or not: unknown, but nothing is nothing either way."""
    if scale.replicas == 0:
        return scale
    return msgspec.structs.replace(scale, replicas=None, minimum=None, maximum=None)


def beneath(scale: Scale, suspended: bool | None) -> Scale:
    """The counts of what lies below instances; those of suspended ones hold nothing."""
    if suspended:
        return effective(None, scale.minimum, scale.maximum, scale.pods_per_replica, suspended=True)
    if suspended is None:
        return msgspec.structs.replace(perhaps(scale), suspended=scale.suspended or None)
    return scale


_NOTHING = object()


def total(counts: list[int | None]) -> int | None:
    """The sum; unknown if one part is unknown."""
    result = 0
    for count in counts:
        if count is None:
            return None
        result += count
    return result


def read_scales(plan: ScalePlan, elements: Elements, reader: Reader) -> list[Scale]:
    """The scale of each instance, in the order of the elements."""
    columns = (
        _counts(plan.replicas, plan.default_replicas, elements, reader, wanted=True),
        _counts(plan.minimum, plan.default_minimum, elements, reader),
        _counts(plan.maximum, plan.default_maximum, elements, reader),
        _counts(plan.pods_per_replica, 1, elements, reader),
        elements.flags(plan.suspended, reader),
    )
    scales = []
    for location, row in zip(elements.locations, zip(*columns, strict=True), strict=True):
        replicas, minimum, maximum, pods_per_replica = (
            None if value is UNKNOWN else value for value in row[:-1]
        )
        suspended = row[-1]
        if minimum is not None and maximum is not None and minimum > maximum and not suspended:
            message = f"the minimum {minimum} is above the maximum {maximum}"
            reader.report("min-above-max", field_path(location), message)
        scale = effective(replicas, minimum, maximum, pods_per_replica, suspended)
        if not suspended and (row[1] is UNKNOWN or row[2] is UNKNOWN):
            scale = msgspec.structs.replace(scale, open_below=row[1] is UNKNOWN, open_above=row[2] is UNKNOWN)
        if plan.keeps_within_bounds:
            scale = within_bounds(scale)
        scales.append(perhaps(scale) if suspended is None else scale)
    return scales


def effective(
    replicas: int | None,
    minimum: int | None,
    maximum: int | None,
    pods_per_replica: int | None,
    suspended: bool | None,
) -> Scale:
    """The counts that hold, from those that are written; between equal bounds there is one number only.

    Where it is unknown whether they are suspended, they are those that hold if not.
    """
    if suspended:
        bounds = (None if minimum is None else 0, None if maximum is None else 0)
        return Scale(0, *bounds, pods_per_replica, suspended=True)
    if replicas is None and minimum == maximum:
        replicas = minimum
    return Scale(replicas, minimum, maximum, pods_per_replica, suspended)


def within_bounds(scale: Scale) -> Scale:
    """The counts where the controller keeps to the bounds; the lower one wins, as in KubeRay."""
    replicas = scale.replicas
    if replicas is None:
        return scale
    if scale.open_below or scale.open_above:
        return msgspec.structs.replace(scale, replicas=None)
    if scale.maximum is not None:
        replicas = min(replicas, scale.maximum)
    if scale.minimum is not None:
        replicas = max(replicas, scale.minimum)
    return msgspec.structs.replace(scale, replicas=replicas)


def _counts(
    field: Field | None, default: int | None, elements: Elements, reader: Reader, *, wanted: bool = False
) -> list[Any]:
    """One count an element; absent and null take the default, what cannot be read is `UNKNOWN`.

    Where each element wants a count, one for which the path gives nothing at all, not even null, is told: a
    default behind an iteration (`.[] .replicas // 1`) makes such holes.
    """
    if field is None:
        return [default] * len(elements)
    outputs = reader.located(field)
    for index, (value, location, iterated) in enumerate(outputs):
        if not is_count(value):
            outputs[index] = (count_of(value, location, field, reader), location, iterated)
    values = elements.attach(outputs, _NOTHING if wanted and default is None else None, field, reader)
    if any(value is _NOTHING for value in values):
        if outputs:
            given = "1 value" if len(outputs) == 1 else f"{len(outputs)} values"
            why = f"{given} for {len(elements)} instances; the others have no count"
            reader.report("lengths-differ", field_path(outputs[0][1]), f"{field.place} gives {why}")
        values = [None if value is _NOTHING else value for value in values]
    return [default if value is None else value for value in values]


def is_count(value: Any) -> bool:
    """Whether a value is a count as it stands there."""
    return type(value) is int and 0 <= value <= MAX_COUNT


def count_of(value: Any, location: path.Location, field: Field, reader: Reader) -> Any:
    """A value that is no plain count: None where absent, the number that it can be read as, else UNKNOWN."""
    if value is None or value is UNKNOWN:
        return value
    if isinstance(value, str):
        return _count_in_text(value, location, field, reader)
    if isinstance(value, float) and value.is_integer() and 0 <= value <= MAX_COUNT:
        return int(value)
    if type(value) is int or isinstance(value, float):
        why = "a count is a whole number from 0 to 2147483647"
    else:
        why = "a count is a number"
    reader.report(
        "replicas-invalid", field_path(location), f"{field.place}: {_shown(value)} is no count: {why}"
    )
    return UNKNOWN


def _count_in_text(value: str, location: path.Location, field: Field, reader: Reader) -> Any:
    # Eleven characters hold every int32 with a sign; a longer text is not worth converting.
    if not (value.isascii() and value.isdigit() and len(value) <= 11 and int(value) <= MAX_COUNT):
        message = f"{field.place}: the text {_shown(value)} is no count"
        reader.report("replicas-invalid", field_path(location), message)
        return UNKNOWN
    if not _TEXT_MAPS.intersection(location):
        message = f"{field.place}: the text {_shown(value)} is read as the number {int(value)}"
        reader.report("replicas-text", field_path(location), message)
    return int(value)


_MOST_BITS = 128  # Python refuses to write the digits of very large numbers


def _shown(value: Any) -> str:
    """A value in a message: short, on one line."""
    if isinstance(value, int) and value.bit_length() > _MOST_BITS:
        return "a number of many digits"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "an array"
    text = repr(value) if isinstance(value, str) else str(value)
    return text if len(text) <= 40 else f"{text[:37]}..."
