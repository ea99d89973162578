"""How often a definition may go over its budget before its paths are no longer evaluated."""

from __future__ import annotations

from workload_map.definition import Entry

TOLERATED = 5
"""On how many objects a definition may go over its budget. A budget takes a part of a second at most, so that
one bad definition costs a list of any length no more than a few."""


class Patience:
    """Counts, for each definition, the objects on which its paths asked for more work than their budget."""

    def __init__(self) -> None:
        self._lost: dict[Entry, int] = {}

    def lose(self, entry: Entry) -> None:
        """Count one more object."""
        self._lost[entry] = self._lost.get(entry, 0) + 1

    def is_over(self, entry: Entry) -> bool:
        """Whether the definition is set aside."""
        return bool(self._lost) and self._lost.get(entry, 0) >= TOLERATED

    def message(self, entry: Entry) -> str:
        """Why it is."""
        why = f"its paths went over their budget on {TOLERATED} objects"
        return f"the definition {entry.name} is set aside: {why}"
