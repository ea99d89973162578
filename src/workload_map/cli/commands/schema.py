"""`wmap schema`: the JSON Schemas of machine output."""

from __future__ import annotations

import click

from workload_map.cli import options
from workload_map.cli.console import write
from workload_map.cli.schemas import SCHEMAS
from workload_map.render.machine import to_json

_EXAMPLES = """\b
Examples:
  wmap schema
  wmap schema list > list.schema.json
"""


@click.command("schema", epilog=_EXAMPLES)
@click.argument("name", metavar="[NAME]", type=click.Choice(list(SCHEMAS)), default="view")
@options.verbose
def command(name: str, verbose: bool) -> None:  # noqa: ARG001
    """Print the JSON Schema of an output.

    NAME is view (that of `describe -o json`; the default), list, owner, explanation, check, definition,
    findings or error.
    """
    write(to_json(SCHEMAS[name]()))
