"""`wmap version`."""

from __future__ import annotations

import click

from workload_map._version import __version__
from workload_map.cli import options
from workload_map.cli.console import write
from workload_map.definition.schema import API_VERSION
from workload_map.engine.view import SCHEMA_VERSION
from workload_map.render.machine import FORMATS

_EXAMPLES = """\b
Examples:
  wmap version
  wmap version -o json
"""


@click.command("version", epilog=_EXAMPLES)
@options.output("text", "json", "yaml", default="text")
@options.verbose
def command(output: str, verbose: bool) -> None:  # noqa: ARG001
    """Print the version, and those of the formats that it reads and writes."""
    if output == "text":
        write(f"wmap {__version__}\n")
        return
    versions = {"version": __version__, "definitionVersion": API_VERSION, "schemaVersion": SCHEMA_VERSION}
    write(FORMATS[output](versions))
