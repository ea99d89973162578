"""`wmap validate`: all findings about definition files."""

from __future__ import annotations

from collections import Counter
from typing import Any

import click

from workload_map.cli import options
from workload_map.cli.console import say, write, write_lines
from workload_map.cli.schemas import Findings
from workload_map.definition.crd_schemas import CrdSchemas
from workload_map.definition.sarif import to_sarif
from workload_map.definition.validation import validate_files
from workload_map.render.machine import to_json
from workload_map.render.text import printable

_EXAMPLES = """\b
Examples:
  wmap validate my-definition.yaml
  wmap validate definitions/ --strict
  wmap definitions batch-job-v1 -o yaml | wmap validate -
  wmap validate definitions/ --crds crds/
  wmap validate definitions/ -o sarif > findings.sarif
"""


@click.command("validate", epilog=_EXAMPLES)
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path())
@click.option("--strict", is_flag=True, help="Exit with 1 for warnings too")
@click.option(
    "--crds",
    "crd_paths",
    multiple=True,
    metavar="PATH",
    type=click.Path(),
    help="Also against the CustomResourceDefinitions in these files or dumps (repeatable)",
)
@options.output("text", "json", "sarif", default="text")
@options.verbose
def command(files: tuple[str, ...], **given: Any) -> int:
    """Check definition files: all findings at once, one a line, each with its place.

    Exits with 1 where there are errors.
    """
    crds, unread = CrdSchemas.load(given["crd_paths"]) if given["crd_paths"] else (None, [])
    findings = [*unread, *validate_files(files, crds)]
    if given["output"] == "json":
        write(to_json(Findings(findings, len(findings))))
    elif given["output"] == "sarif":
        write(to_json(to_sarif(findings)))
    else:
        write_lines(printable(str(finding)) for finding in findings)
        counts = Counter(finding.severity for finding in findings)
        say.notice(f"{_count(counts['error'], 'error')}, {_count(counts['warning'], 'warning')}")
    failed = findings if given["strict"] else [one for one in findings if one.severity == "error"]
    return 1 if failed else 0


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
