"""What of a definition no case reaches: components, paths, matchers and selectors that nothing would miss.

A definition is code: what no case reaches may as well be wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from workload_map.catalog.cases import Case
from workload_map.definition import Definition, DefinitionSet
from workload_map.definition.against_objects import Tally, What
from workload_map.definition.findings import field_text
from workload_map.engine import OwnerIndex, Workload, resolve
from workload_map.engine.usage import Meter


class Unreached(msgspec.Struct, frozen=True, order=True):
    """A part of a definition that no case reaches: its place in the definition, and what it is."""

    location: str
    what: What


class Coverage(msgspec.Struct, frozen=True):
    """What cases reach of a definition.

    Attributes:
        definition: The name of the definition.
        parts: How many parts it has.
        unreached: Those that no case reaches, by their places.
    """

    definition: str
    parts: int
    unreached: tuple[Unreached, ...]


def coverage(definition: Definition, cases: Sequence[Case], definitions: DefinitionSet) -> Coverage:
    """What cases reach of a definition.

    A component is reached where it is there, a path where it gives something, a selector where it takes a
    pod, a matcher where it matches; a matcher of the root where it decides a phase, which is more.

    Args:
        definition: The definition.
        cases: Its cases.
        definitions: The set that the cases are resolved with.
    """
    meter = Meter(definition, definitions)
    for one in cases:
        index = OwnerIndex([one.object, *(one.pods or ()), *one.related])
        meter.add([one.object], index, pods_known=one.pods is not None)
    deciding = _deciding(
        resolve(one.object, definitions, pods=one.pods, related=one.related) for one in cases
    )
    tallies = meter.tallies
    missing = [
        Unreached(field_text(tally.steps), tally.what)
        for tally in tallies
        if not (field_text(tally.steps) in deciding if _is_of_workload(tally, definition) else tally.gave)
    ]
    return Coverage(definition.name, len(tallies), tuple(sorted(missing)))


def _is_of_workload(tally: Tally, definition: Definition) -> bool:
    """Whether it is a matcher whose phase is that of the whole workload, so that views name it."""
    return tally.what == "matcher" and tally.component == definition.root.name


def _deciding(views: Iterable[Workload]) -> set[str]:
    """The matchers that decided a phase."""
    return {why.rule for view in views for why in view.why}
