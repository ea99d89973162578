"""What of a definition no case reaches: components, paths, rules and selectors that nothing would miss.

A definition is code: what no case reaches may as well be wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from workload_map.catalog.cases import Case
from workload_map.definition import Definition, DefinitionSet
from workload_map.definition.findings import field_text
from workload_map.engine import OwnerIndex, Workload, resolve
from workload_map.engine.status_plan import StatusPlan
from workload_map.engine.usage import Meter


def unreached(definition: Definition, cases: Sequence[Case], definitions: DefinitionSet) -> list[str]:
    """The parts of a definition that no case reaches, by their location in it.

    A component is reached where it is there, a path where it gives something, a selector where it takes a
    pod; a rule where it decides a phase, which is more than to match.

    Args:
        definition: The definition.
        cases: Its cases.
        definitions: The set that the cases are resolved with.
    """
    meter = Meter(definition, definitions)
    for one in cases:
        index = OwnerIndex([one.object, *(one.pods or ()), *one.related])
        meter.add([one.object], index, pods_known=one.pods is not None)
    missing = [
        field_text(tally.steps) for tally in meter.tallies if not tally.gave and tally.what != "matcher"
    ]
    views = [resolve(one.object, definitions, pods=one.pods, related=one.related) for one in cases]
    return sorted([*missing, *_undeciding_rules(definition, views)])


def _undeciding_rules(definition: Definition, views: Iterable[Workload]) -> Iterator[str]:
    deciding = {why.rule for view in views for why in view.why}
    status = definition.root.status_definition
    if status is None:
        return
    plan = StatusPlan(status, "spec.structureDefinition.rootComponent")
    yield from (rule.place for rules in plan.rules for rule in rules if rule.place not in deciding)
