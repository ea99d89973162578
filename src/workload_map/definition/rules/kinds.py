"""Rules on kinds: that of the root, and all others that a definition names."""

from __future__ import annotations

from collections.abc import Iterator

from workload_map.definition.findings import Report, Steps
from workload_map.definition.schema import Definition, GroupVersionKind
from workload_map.definition.structure import CHILDREN, ROOT, STRUCTURE, check_kind

_FURTHER: Steps = (*STRUCTURE, "additionalChildKinds")


def check(definition: Definition, report: Report) -> None:
    """Check each kind for itself, and that none is listed twice."""
    if definition.root.kind is not None:
        _check_root(definition.root.kind, report)
    for kind, steps in other_kinds(definition):
        _check_other(kind, steps, report)
    _check_repeated(definition, report)


def other_kinds(definition: Definition) -> Iterator[tuple[GroupVersionKind, Steps]]:
    """All kinds that a definition names besides the root's, with where they stand."""
    structure = definition.spec.structure_definition
    for index, component in enumerate(structure.child_components):
        if component.kind is not None:
            yield component.kind, (*CHILDREN, index, "kind")
    for index, kind in enumerate(structure.additional_child_kinds):
        yield kind, (*_FURTHER, index)
    for index, reference in enumerate(structure.references):
        yield reference.gvk, (*STRUCTURE, "references", index, "gvk")


def _check_root(kind: GroupVersionKind, report: Report) -> None:
    steps = (*ROOT, "kind")
    if not kind.group and kind.kind not in ("", "Pod"):
        message = f"other readers of definitions take an empty group for Pod alone, not for {kind.kind}"
        report.add("group-not-portable", steps, message)
    for index, version in enumerate(kind.versions):
        where = (*steps, "versions", index)
        if not version:
            report.add("root-kind-incomplete", where, "the version has no name")
        elif version in (kind.version, *kind.versions[:index]):
            report.add("version-repeated", where, f"{version} is a version of the definition already")


def _check_other(kind: GroupVersionKind, steps: Steps, report: Report) -> None:
    for field in ("version", "kind"):
        if not getattr(kind, field):
            report.add("kind-incomplete", (*steps, field), f"the kind has no {field}")
    if kind.versions:
        where = (*steps, "versions")
        report.add("versions-misplaced", where, "only the kind of the root has further versions")
    check_kind(kind, steps, report)


def _check_repeated(definition: Definition, report: Report) -> None:
    seen: dict[str, set[tuple[str, str]]] = {}
    for index, kind in enumerate(definition.spec.structure_definition.additional_child_kinds):
        steps = (*_FURTHER, index)
        group_version, same_name = (kind.group, kind.version), seen.setdefault(kind.kind, set())
        if group_version in same_name:
            report.add("kind-repeated", steps, f"{kind.kind} of {kind.api_version} is listed before")
        elif same_name:
            message = (
                f"{kind.kind} is listed twice: other readers of definitions key this list by the name alone"
            )
            report.add("kind-not-portable", steps, message)
        same_name.add(group_version)
