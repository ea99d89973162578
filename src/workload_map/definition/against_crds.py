"""A definition against the CustomResourceDefinitions of its kinds: what its paths read has to be there.

Each field that a path may read is looked up in the schema of the root's kind. A definition may fit several
versions of a kind, and read fields that only some of them have: what one of them has is right.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from workload_map import path
from workload_map.definition.compiled import Compiled, compiled
from workload_map.definition.crd_schemas import CrdSchemas, Miss, Schema, Version, look_up, types_of
from workload_map.definition.findings import Report, Steps
from workload_map.definition.rules.joins import EACH, ENTRIES, path_steps
from workload_map.definition.rules.kinds import other_kinds
from workload_map.definition.rules.results import (
    ARRAY,
    BOOLEAN,
    NULL,
    NUMBER,
    OBJECT,
    Form,
    Forms,
    check_result,
    strings,
)
from workload_map.definition.rules.status import matchers
from workload_map.definition.rules.suspend import lists_of
from workload_map.definition.schema import Definition, GroupVersionKind, SuspendAction
from workload_map.definition.slots import Kind
from workload_map.definition.structure import ROOT, steps_of
from workload_map.path import syntax
from workload_map.path.core import walk

Field = tuple[str | None, ...]
Trees = dict[Steps, syntax.Node]

# What a slot takes: counts may be whole numbers in strings, and ids and words may be numbers.
_TAKES: dict[Kind, frozenset[str]] = {
    "integer": frozenset({"integer", "number"}),
    "string": frozenset({"string", "integer", "number"}),
    "boolean": frozenset({"boolean"}),
    "object": frozenset({"object"}),
    "array": frozenset({"array"}),
}
# Annotations and labels hold nothing but strings.
_TEXTS = (("metadata", "annotations"), ("metadata", "labels"))
_OF_TYPE = {"boolean": BOOLEAN, "integer": NUMBER, "number": NUMBER, "array": ARRAY, "object": OBJECT}


class _Fault(NamedTuple):
    code: str
    message: str
    hint: str | None


def check(definition: Definition, schemas: CrdSchemas, report: Report) -> None:
    """Check the kinds of a definition, and all that its paths on the workload read.

    Args:
        definition: A definition whose structure was checked.
        schemas: The CustomResourceDefinitions at hand; kinds that they do not know are not checked.
        report: Takes the findings.
    """
    for kind, steps in other_kinds(definition):
        _check_served(kind, schemas, steps, report)
    root = definition.root.kind
    if root is None:
        return
    _check_served(root, schemas, (*ROOT, "kind"), report)
    versions = _covered(root, schemas.versions(root.group, root.kind))
    if not versions:
        if _is_custom(root.group):
            message = f"no CustomResourceDefinition at hand has {root.kind} of {root.api_version}"
            report.add("crd-missing", (*ROOT, "kind"), message)
        return
    checked = list(compiled(definition, lambda *_: None))  # what does not compile, validation tells
    for each in checked:
        if each.expression.slot.on == "workload":
            _check_reads(each, versions, report)
            _check_outputs(each, versions, report)
    trees = {each.expression.steps: each.tree for each in checked}
    _check_condition_fields(definition, trees, versions, report)
    _check_action_values(definition, trees, versions, report)
    _check_expected(definition, trees, versions, report)


def _check_served(kind: GroupVersionKind, schemas: CrdSchemas, steps: Steps, report: Report) -> None:
    known = schemas.versions(kind.group, kind.kind)
    served = [version.name for version in known if version.served]
    fields = [("version",), *(("versions", index) for index in range(len(kind.versions)))]
    for field, name in zip(fields, (kind.version, *kind.versions), strict=True):
        if known and name not in served:
            message = f"{kind.kind} is not served in {name}"
            hint = f"name one that is served: {', '.join(served)}" if served else None
            report.add("version-not-served", (*steps, *field), message, hint)


def _covered(kind: GroupVersionKind, known: Sequence[Version]) -> list[Version]:
    return [version for version in known if version.name in (kind.version, *kind.versions)]


def _is_custom(group: str) -> bool:
    """Whether kinds of a group are custom ones: Kubernetes keeps `*.k8s.io` for itself."""
    return "." in group and (not group.endswith(".k8s.io") or group.endswith(".x-k8s.io"))


def _check_reads(checked: Compiled, versions: list[Version], report: Report) -> None:
    """Tell the first field that is not there: what lies behind it is not there either."""
    for pattern in checked.facts.reads:
        if (fault := _fault(versions, pattern.steps)) is not None:
            report.add(fault.code, checked.expression.steps, fault.message, fault.hint)
            return


def _check_outputs(checked: Compiled, versions: list[Version], report: Report) -> None:
    """Tell outputs of a type that is of no use where they are needed."""
    outputs = _location(checked.tree)
    takes = _TAKES.get(checked.expression.slot.gives)
    if outputs is None or takes is None or outputs[:2] in _TEXTS or _fault(versions, outputs) is not None:
        return
    if (fault := _fault(versions, outputs, takes)) is not None:
        report.add(fault.code, checked.expression.steps, fault.message, fault.hint)


def _location(tree: syntax.Node | None) -> Field | None:
    """Where the outputs of an expression lie, if it gives what lies there and not keys made of it."""
    if tree is None or any(isinstance(node, syntax.Call) and node.name in ENTRIES for node in walk(tree)):
        return None
    steps = path_steps(tree)
    if steps is None:
        return None
    return tuple(None if step == EACH or isinstance(step, int) else str(step) for step in steps)


def _fault(versions: list[Version], steps: Field, takes: frozenset[str] | None = None) -> _Fault | None:
    """What is wrong with a field in all versions; None if one of them has it right."""
    fault = None
    for version in versions:
        fault = _fault_in(version, steps, takes)
        if fault is None:
            return None
    return fault


def _fault_in(version: Version, steps: Field, takes: frozenset[str] | None) -> _Fault | None:
    found = look_up(version.schema, steps)
    if isinstance(found, Miss):
        code = "field-unknown" if found.is_unknown else "field-type"
        return _Fault(code, f"{_field_text(found.field)} of {version.name}: {found.message}", found.hint)
    types = [types_of(schema) for schema in found]
    if takes is None or any(not each or each & takes for each in types):
        return None
    is_what = " or ".join(sorted(frozenset().union(*types)))
    message = f"{_field_text(steps)} of {version.name} is of type {is_what}"
    return _Fault("field-type", message, f"read a field of type {' or '.join(sorted(takes))}")


def _field_text(steps: Field) -> str:
    return str(path.ReadPattern(steps, below=False))


def _check_condition_fields(
    definition: Definition, trees: Trees, versions: list[Version], report: Report
) -> None:
    for component, steps in steps_of(definition):
        status = component.status_definition
        if status is None or status.conditions_definition is None:
            continue
        where = (*steps, "statusDefinition", "conditionsDefinition")
        conditions = _location(trees.get((*where, "path")))
        if conditions is None or _fault(versions, conditions, _TAKES["array"]) is not None:
            continue
        for name in ("type", "status", "message", "reason"):
            field = getattr(status.conditions_definition, f"{name}_field_name")
            fault = _fault(versions, (*conditions, None, field), _TAKES["string"]) if field else None
            if fault is not None:
                report.add(fault.code, (*where, f"{name}FieldName"), fault.message, fault.hint)


def _check_expected(definition: Definition, trees: Trees, versions: list[Version], report: Report) -> None:
    """Tell what matchers expect of a field that never holds it, by its type or by the values it may have."""
    for component, steps in steps_of(definition):
        status = component.status_definition
        if status is None:
            continue
        where = (*steps, "statusDefinition")
        phases = strings(_forms(trees.get((*where, "phaseDefinition", "path")), versions))
        for placed in matchers(status.status_mappings, (*where, "statusMappings")):
            asked = placed.matcher.by_expression
            if placed.matcher.by_phase is not None:
                check_result(placed.matcher.by_phase, phases, (*placed.steps, "byPhase"), report)
            if asked is not None:
                below = (*placed.steps, "byExpression")
                forms = _forms(trees.get((*below, "expression")), versions)
                check_result(asked.expected_result, forms, (*below, "expectedResult"), report)


def _forms(tree: syntax.Node | None, versions: list[Version]) -> Forms | None:
    """What a path can give as the schemas have it; None for anything."""
    location = _location(tree)
    if tree is None or location is None or any(isinstance(node, syntax.Alternative) for node in walk(tree)):
        return None
    found: set[Form] = {NULL}
    for version in versions:
        schemas = look_up(version.schema, location)
        if isinstance(schemas, Miss):
            continue  # told as such, unless another version has it
        for schema in schemas:
            forms = _forms_in(schema)
            if forms is None:
                return None
            found |= forms
    return frozenset(found)


def _forms_in(schema: Schema) -> Forms | None:
    limited = schema.get("enum")
    if isinstance(limited, list) and limited and all(isinstance(one, str) for one in limited):
        return frozenset(Form("text", one) for one in limited)
    forms = [_OF_TYPE.get(name) for name in types_of(schema)]
    return None if not forms or None in forms else frozenset().union(*filter(None, forms))


def _check_action_values(
    definition: Definition, trees: Trees, versions: list[Version], report: Report
) -> None:
    for action, steps in _actions(definition):
        location, kind = _location(trees.get((*steps, "path"))), _type_of(action.value)
        if location is None or kind is None or _fault(versions, location) is not None:
            continue
        fault = _fault(versions, location, frozenset({kind, "number"} if kind == "integer" else {kind}))
        if fault is not None:
            message = f"{action.value} cannot be written: {fault.message}"
            report.add(fault.code, (*steps, "value"), message)


def _type_of(value: str) -> str | None:
    """The type that JSON text has in a schema; None for null, which removes, and for what is no JSON."""
    try:
        decoded = msgspec.json.decode(value)
    except (msgspec.DecodeError, RecursionError):
        return None
    names = {bool: "boolean", int: "integer", float: "number", str: "string", list: "array", dict: "object"}
    return names.get(type(decoded))


def _actions(definition: Definition) -> Iterator[tuple[SuspendAction, Steps]]:
    for component, steps in steps_of(definition):
        if component.suspend_definition is not None:
            for actions, where in lists_of(component.suspend_definition, (*steps, "suspendDefinition")):
                yield from ((action, (*where, index)) for index, action in enumerate(actions))
