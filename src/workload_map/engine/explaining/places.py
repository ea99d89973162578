"""Where a field lies: in the workload, in what it refers to, or in an object that is made of both."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from workload_map import path
from workload_map.engine.reading import field_path

MADE = "$object"
"""What a field begins with that lies nowhere, since the definition computed what it is in."""


class Places:
    """Finds fields of made objects again where their parts were taken from.

    Values are never changed, so a list or mapping that a made object took over is the very one that it took.

    Args:
        origins: What an object may be made of, by what the fields of each begin with: nothing for the
            workload, `$name` for a reference.
    """

    def __init__(self, origins: Mapping[path.Location, Any]) -> None:
        self._origins = origins  # kept, so that nothing else gets the identity of a part of them
        self._known: dict[int, path.Location] = {}
        for start, origin in origins.items():
            for location, container in _containers(origin, start):
                self._known.setdefault(id(container), location)

    def among(self, references: Mapping[str, Any]) -> Places:
        """These, and the references of an object further in."""
        return Places({**self._origins, **{(f"${name}",): value for name, value in references.items()}})

    def text(self, obj: Any, location: path.Location) -> str:
        """Where a field of an object lies, as people write it.

        Args:
            obj: The workload, or an object that was made from it.
            location: Where the field lies in it; one that begins with `$` lies in a reference.
        """
        if location and str(location[0]).startswith("$"):
            return field_path(location)
        start: path.Location = (MADE,)
        rest = location
        for depth, container in enumerate(_way(obj, location)):
            if (known := self._known.get(id(container))) is not None:
                start, rest = known, location[depth:]
        return field_path(start + rest)


def _way(value: Any, location: path.Location) -> Iterator[Any]:
    """The containers on the way to a location, from the outside in."""
    for step in location:
        if not isinstance(value, dict | list):
            return
        yield value
        if isinstance(value, dict):
            value = value.get(step) if isinstance(step, str) else None
        else:
            value = value[step] if isinstance(step, int) and -len(value) <= step < len(value) else None
    if isinstance(value, dict | list):
        yield value


def _containers(value: Any, location: path.Location) -> Iterator[tuple[path.Location, Any]]:
    stack = [(location, value)]
    while stack:
        location, value = stack.pop()
        if isinstance(value, dict | list):
            yield location, value
            entries = value.items() if isinstance(value, dict) else enumerate(value)
            stack.extend(((*location, step), entry) for step, entry in entries)
