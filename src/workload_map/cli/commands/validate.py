"""`wmap validate`: all findings about definition files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import click

from workload_map.cli import options
from workload_map.cli.console import say, style, write, write_lines
from workload_map.cli.schemas import Findings
from workload_map.cli.session import layer_definitions
from workload_map.definition.crd_schemas import CrdSchemas
from workload_map.definition.findings import Finding, in_order
from workload_map.definition.sarif import to_sarif
from workload_map.definition.validation import Checked, check_files
from workload_map.engine import Problem
from workload_map.engine.usage import Usage, measure
from workload_map.render import usage
from workload_map.render.machine import to_json
from workload_map.render.text import printable
from workload_map.source import Dump, Question, gather

_EXAMPLES = """\b
Examples:
  wmap validate my-definition.yaml
  wmap validate definitions/ --strict
  wmap definitions batch-job-v1 -o yaml | wmap validate -
  wmap validate definitions/ --crds crds/
  wmap validate definitions/ --objects dump.yaml
  wmap validate definitions/ -o sarif > findings.sarif
"""


@click.command("validate", epilog=_EXAMPLES)
@click.argument(
    "files", nargs=-1, required=True, metavar="FILE...", type=click.Path(), callback=options.not_empty
)
@click.option("--strict", is_flag=True, help="Exit with 1 for warnings too")
@options.paths(
    "--crds",
    "crd_paths",
    help="Also against the CustomResourceDefinitions in these files or dumps (repeatable)",
)
@options.paths(
    "--objects",
    "object_paths",
    help="Also against the real objects, with their pods and owners, in these files or dumps (repeatable)",
)
@options.output("text", "json", "sarif", default="text")
@options.colour
@options.verbose
def command(files: tuple[str, ...], **given: Any) -> int:
    """Check definition files: all findings at once, one a line, each with its place.

    Exits with 1 where there are errors.
    """
    if [*files, *given["crd_paths"], *given["object_paths"]].count("-") > 1:
        raise click.UsageError("standard input can be read once: only one path may be -")
    crds, unread = CrdSchemas.load(given["crd_paths"]) if given["crd_paths"] else (None, [])
    findings, checked = check_files(files, crds)
    findings = [*unread, *findings]
    usages: list[Usage] | None = None
    warnings: list[Problem] = []
    if given["object_paths"]:
        usages, silent, warnings = _try(checked, given["object_paths"])
        findings = in_order([*findings, *silent])
    if given["output"] == "json":
        write(to_json(Findings(findings, len(findings), usages, warnings)))
    elif given["output"] == "sarif":
        write(to_json(to_sarif(findings)))
    else:
        write_lines(printable(str(finding)) for finding in findings)
        write_lines(usage.tables(usages or (), style(given["colour"])))
        counts = Counter(finding.severity for finding in findings)
        say.notice(f"{_count(counts['error'], 'error')}, {_count(counts['warning'], 'warning')}")
    say.warnings(warnings)
    failed = findings if given["strict"] else [one for one in findings if one.severity == "error"]
    return 1 if failed else 0


def _try(
    checked: Sequence[Checked], paths: Sequence[str]
) -> tuple[list[Usage], list[Finding], list[Problem]]:
    """What the definitions give on real objects, what of them is silent, and what could not be read."""
    source = Dump(paths)
    definitions, warnings = layer_definitions({"no_builtin": False, "definition_paths": ()}, source)
    index, pods_known = gather(source, Question(), definitions)
    return *measure(checked, definitions, index, pods_known=pods_known), [*source.warnings, *warnings]


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
