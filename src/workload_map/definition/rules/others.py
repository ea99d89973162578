"""Rules on kinds and objects beside the components."""

from __future__ import annotations

import re

from workload_map.definition.findings import Report, Steps, shown
from workload_map.definition.schema import Definition, MatchExpression, Reference, ReferenceList
from workload_map.definition.structure import STRUCTURE, check_kind
from workload_map.spelling import did_you_mean

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
# Words of the language: `$name` with one of these cannot be written.
_RESERVED = frozenset({"__loc__", "__prog_args", "ENV"})
_OPERATORS = ("In", "NotIn", "Exists", "DoesNotExist")
_KINDS: Steps = (*STRUCTURE, "additionalChildKinds")
_REFERENCES: Steps = (*STRUCTURE, "references")


def check(definition: Definition, report: Report) -> None:
    """Check further kinds, and references to other objects."""
    _check_kinds(definition, report)
    seen: set[str] = set()
    for index, reference in enumerate(definition.spec.structure_definition.references):
        steps = (*_REFERENCES, index)
        _check_reference_name(reference, seen, steps, report)
        _check_reference(reference, steps, report)


def _check_kinds(definition: Definition, report: Report) -> None:
    seen: dict[str, set[tuple[str, str]]] = {}
    for index, kind in enumerate(definition.spec.structure_definition.additional_child_kinds):
        steps = (*_KINDS, index)
        for field in ("version", "kind"):
            if not getattr(kind, field):
                report.add("kind-incomplete", (*steps, field), f"the kind has no {field}")
        if kind.versions:
            report.add(
                "versions-misplaced", (*steps, "versions"), "only the kind of the root has further versions"
            )
        check_kind(kind, steps, report)
        same_name = seen.setdefault(kind.kind, set())
        if (kind.group, kind.version) in same_name:
            report.add("kind-repeated", steps, f"{kind.kind} of {kind.api_version} is listed before")
        elif same_name:
            message = (
                f"{kind.kind} is listed twice: other readers of definitions key this list by the name alone"
            )
            report.add("kind-not-portable", steps, message)
        same_name.add((kind.group, kind.version))


def _check_reference_name(reference: Reference, seen: set[str], steps: Steps, report: Report) -> None:
    name = reference.name
    where = (*steps, "name")
    if not _VARIABLE.fullmatch(name) or name in _RESERVED:
        report.add("reference-name", where, f"{shown(name)} cannot be the name of a variable")
    elif name in seen:
        report.add("reference-name", where, f"{name!r} is the name of another reference too")
    seen.add(name)


def _check_reference(reference: Reference, steps: Steps, report: Report) -> None:
    for field in ("version", "kind"):
        if not getattr(reference.gvk, field):
            report.add("kind-incomplete", (*steps, "gvk", field), f"the kind has no {field}")
    if reference.gvk.versions:
        where = (*steps, "gvk", "versions")
        report.add("versions-misplaced", where, "only the kind of the root has further versions")
    check_kind(reference.gvk, (*steps, "gvk"), report)
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
    if requirement.operator not in _OPERATORS:
        message = f"{shown(requirement.operator)} is no operator of label selectors"
        hint = did_you_mean(requirement.operator, _OPERATORS) or f"write one of {', '.join(_OPERATORS)}"
        report.add("value-unknown", (*steps, "operator"), message, hint)
    elif (requirement.operator in ("In", "NotIn")) != bool(requirement.values):
        needs = "needs values" if requirement.operator in ("In", "NotIn") else "takes no values"
        report.add("reference-form", steps, f"{requirement.operator} {needs}")
