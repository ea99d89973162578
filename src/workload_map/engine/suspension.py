"""What the spec asks for: whether every suspend action of the definition is already in place."""

from __future__ import annotations

from typing import Any

import msgspec

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
    try:
        wanted: Any = msgspec.json.decode(text)
    except msgspec.DecodeError:
        reader.report("suspend-value", None, f"{field.place}: the value beside it is no JSON")
        return None
    found = reader.first_or_unknown(field)
    if found is UNKNOWN:
        return None
    # True == 1 in Python, and not in JSON.
    return type(found) is type(wanted) and bool(found == wanted)
