"""What the spec asks for: whether every suspend action of the definition is already in place."""

from __future__ import annotations

from typing import Any

import msgspec

from workload_map import path
from workload_map.engine.fields import Field
from workload_map.engine.reading import Reader
from workload_map.engine.unknown import UNKNOWN


def is_suspended(actions: list[tuple[Field, str]], reader: Reader) -> bool | None:
    """Whether the object asks to be suspended; None where that cannot be told, with a problem.

    Args:
        actions: The path of each suspend action and the JSON text of the value that it writes.
        reader: The object.
    """
    in_place = [_holds(field, value, reader) for field, value in actions]
    return False if False in in_place else None if None in in_place else True


def _holds(field: Field, text: str, reader: Reader) -> bool | None:
    """Whether what an action writes is there already: at each place that it writes, and at one at least."""
    try:
        wanted: Any = msgspec.json.decode(text)
    except msgspec.DecodeError:
        reader.report("suspend-value", None, f"{field.place}: the value beside it is no JSON")
        return None
    if not field.program.many:
        return _is(reader.first_or_unknown(field), wanted, field, reader)
    found = [_is(value, wanted, field, reader) for value, _, _ in reader.located(field)]
    return False if not found or False in found else None if None in found else True


def _is(found: Any, wanted: Any, field: Field, reader: Reader) -> bool | None:
    """Whether two JSON values are the same, as jq says: 1 is 1.0, and neither is true."""
    if found is UNKNOWN:
        return None
    if type(found) is bool or type(wanted) is bool:
        return found is wanted
    try:
        same = path.compile("$found == $wanted", variables=("found", "wanted"))
        return same.first(None, None, reader.budget, (found, wanted)) is True
    except path.PathError as error:
        reader.over_budget = True
        reader.report("path-budget", None, f"{field.place}: {error.message}")
        return None
