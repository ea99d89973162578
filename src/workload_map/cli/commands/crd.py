"""`wmap crd`: the CustomResourceDefinition of definitions."""

from __future__ import annotations

import click

from workload_map.cli import options
from workload_map.cli.console import write
from workload_map.definition.crd import crd
from workload_map.render.machine import FORMATS

_EXAMPLES = """\b
Examples:
  wmap crd > kartas.yaml
  wmap crd -o json
"""


@click.command("crd", epilog=_EXAMPLES)
@options.output("yaml", "json", default="yaml")
@options.verbose
def command(output: str, verbose: bool) -> None:  # noqa: ARG001
    """Print the CustomResourceDefinition of definitions, kartas.run.ai.

    Applying it replaces one of the same name that other software has installed.
    """
    write(FORMATS[output](crd()))
