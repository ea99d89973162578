"""Rules on references: what other objects a definition reads, and how they are found."""

from __future__ import annotations

import re

from workload_map.definition.findings import Report, Steps, shown
from workload_map.definition.schema import Definition, MatchExpression, Reference, ReferenceList
from workload_map.definition.structure import STRUCTURE
from workload_map.spelling import did_you_mean

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
# Words of the language: `$name` with one of these cannot be written.
_RESERVED = frozenset({"__loc__", "__prog_args", "ENV"})
OPERATORS = ("In", "NotIn", "Exists", "DoesNotExist")
_REFERENCES: Steps = (*STRUCTURE, "references")


def check(definition: Definition, report: Report) -> None:
    """Check the name of each reference, and that it says which objects it means; its kind is in `kinds`."""
    seen: set[str] = set()
    for index, reference in enumerate(definition.spec.structure_definition.references):
        steps = (*_REFERENCES, index)
        _check_reference_name(reference, seen, steps, report)
        _check_reference(reference, steps, report)


def _check_reference_name(reference: Reference, seen: set[str], steps: Steps, report: Report) -> None:
    name = reference.name
    where = (*steps, "name")
    if not _VARIABLE.fullmatch(name) or name in _RESERVED:
        report.add("reference-name", where, f"{shown(name)} cannot be the name of a variable")
    elif name in seen:
        report.add("reference-name", where, f"{name!r} is the name of another reference too")
    seen.add(name)


def _check_reference(reference: Reference, steps: Steps, report: Report) -> None:
    if (reference.lookup is None) == (reference.list is None):
        message = "exactly one of lookup and list says which objects it means"
        report.add("reference-form", steps, message)
    if reference.list is not None:
        _check_list(reference.list, (*steps, "list"), report)


def _check_list(selected: ReferenceList, steps: Steps, report: Report) -> None:
    if not selected.match_labels and not selected.match_expressions:
        report.add("reference-form", steps, "it selects by nothing", "set matchLabels or matchExpressions")
    for index, requirement in enumerate(selected.match_expressions):
        _check_requirement(requirement, (*steps, "matchExpressions", index), report)


def _check_requirement(requirement: MatchExpression, steps: Steps, report: Report) -> None:
    if requirement.operator not in OPERATORS:
        message = f"{shown(requirement.operator)} is no operator of label selectors"
        hint = did_you_mean(requirement.operator, OPERATORS) or f"write one of {', '.join(OPERATORS)}"
        report.add("value-unknown", (*steps, "operator"), message, hint)
    elif (requirement.operator in ("In", "NotIn")) != bool(requirement.values):
        needs = "needs values" if requirement.operator in ("In", "NotIn") else "takes no values"
        report.add("reference-form", steps, f"{requirement.operator} {needs}")
