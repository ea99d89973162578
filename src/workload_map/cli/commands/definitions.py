"""`wmap definitions`: what is covered, and by what."""

from __future__ import annotations

from typing import Any

import click

from workload_map.cli import options
from workload_map.cli.console import say, style, write, write_lines
from workload_map.cli.session import open_definitions
from workload_map.definition import Definition, Entry
from workload_map.definition.portability import portable
from workload_map.render.definitions import listing, table
from workload_map.render.machine import FORMATS, plain
from workload_map.render.text import printable

_EXAMPLES = """\b
Examples:
  wmap definitions
  wmap definitions batch-job-v1 -o yaml
  wmap definitions batch-job-v1 -o yaml --portable
  wmap definitions --definitions my-definitions/
"""


@click.command("definitions", epilog=_EXAMPLES)
@click.argument("name", required=False)
@options.source
@options.definitions
@options.output("table", "json", "yaml", "name", default="table")
@click.option(
    "--portable",
    "is_portable",
    is_flag=True,
    help="Without the extensions of this project, with -o yaml or json",
)
@click.option("--no-headers", is_flag=True, help="Without the line of headings")
@options.colour
@options.verbose
def command(name: str | None, **given: Any) -> None:
    """List the definitions, or show the one called NAME.

    Over the built-in ones stand those of the cluster, of a dump or of manifests, and over these those of
    --definitions.
    """
    output = given["output"]
    if given["is_portable"] and output in ("table", "name"):
        raise click.UsageError("--portable alters definitions; it goes with -o yaml and -o json")
    opened = open_definitions(given)
    definitions = opened.definitions
    entries = [definitions.named(name)] if name is not None else definitions.entries()
    if output == "table":
        write_lines(table(entries, style(given["colour"]), headings=not given["no_headers"]))
    elif output == "name":
        write_lines(printable(entry.name) for entry in entries)
    else:
        shown = [(entry, _definition(entry, is_portable=given["is_portable"])) for entry in entries]
        write(FORMATS[output](plain(shown[0][1]) if name is not None else listing(shown)))
    if not entries:
        say.notice("no definitions found")
    say.warnings(opened.warnings)


def _definition(entry: Entry, *, is_portable: bool) -> Definition:
    if not is_portable:
        return entry.definition
    definition, losses = portable(entry.definition)
    for loss in losses:
        say.notice(f"{entry.name} loses {loss.location}: {loss.consequence}")
    return definition
