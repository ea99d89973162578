"""All findings about definitions, for those who write them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from workload_map.definition import against_crds, rules, structure
from workload_map.definition.crd_schemas import CrdSchemas
from workload_map.definition.decoding import decode
from workload_map.definition.definition_set import DefinitionSet, Entry, Layer
from workload_map.definition.findings import Finding, Report, in_order
from workload_map.definition.loading import each_in_files
from workload_map.definition.schema import Definition
from workload_map.documents import Document


class Checked(NamedTuple):
    """A definition without errors.

    Attributes:
        entry: The definition.
        report: Takes further findings about it.
    """

    entry: Entry
    report: Report


def validate(definition: Document | Definition, crds: CrdSchemas | None = None) -> list[Finding]:
    """All that is wrong or doubtful about one definition.

    Args:
        definition: A document, read with `positions=True` so that findings tell their lines; or a definition,
            whose findings tell its name and their fields alone.
        crds: CustomResourceDefinitions to check kinds and fields against.

    Returns:
        The findings, by place; none if all is well.
    """
    if isinstance(definition, Document):
        report = Report(definition)
        decoded = decode(definition.value, report)
    else:
        report = Report(Document(None, definition.name, 1))
        decoded = definition
    if decoded is not None:
        _check(decoded, report, crds)
    return in_order(report.findings)


def validate_files(paths: Iterable[Path | str], crds: CrdSchemas | None = None) -> list[Finding]:
    """All that is wrong or doubtful about the definitions in files and directories (see `load` for which).

    Besides what `validate` finds: files and documents that cannot be read, and definitions that cover the
    same kind.

    Returns:
        The findings, by place; none if all is well.
    """
    return check_files(paths, crds)[0]


def check_files(
    paths: Iterable[Path | str], crds: CrdSchemas | None = None
) -> tuple[list[Finding], list[Checked]]:
    """As `validate_files`, with the definitions that have no errors, for who checks them further."""
    checked: list[Checked] = []

    def use(definition: Definition, report: Report, file: str) -> None:
        _check(definition, report, crds)
        if not report.has_errors:
            checked.append(Checked(Entry.of(definition, "file", file), report))

    findings = each_in_files(paths, use)
    collisions = DefinitionSet([Layer(one.entry for one in checked)]).collisions
    return in_order([*findings, *collisions]), checked


def _check(definition: Definition, report: Report, crds: CrdSchemas | None) -> None:
    if not structure.check(definition, report):
        return
    rules.check(definition, report)
    if crds is not None:
        against_crds.check(definition, crds, report)
