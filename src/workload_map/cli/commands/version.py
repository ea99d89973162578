"""`wmap version`."""

from __future__ import annotations

from typing import Any

import click

from workload_map._version import __version__
from workload_map.cli import options
from workload_map.cli.console import write
from workload_map.cli.live import has_cluster, may_have_cluster, open_api
from workload_map.definition.schema import API_VERSION
from workload_map.engine.view import SCHEMA_VERSION
from workload_map.render.machine import FORMATS
from workload_map.render.text import printable

_EXAMPLES = """\b
Examples:
  wmap version
  wmap version --client
  wmap version -o json
"""


@click.command("version", epilog=_EXAMPLES)
@click.option("--client", is_flag=True, help="Without asking the cluster")
@options.connection
@options.output("text", "json", "yaml", default="text")
@options.verbose
def command(client: bool, **given: Any) -> None:
    """Print the version, those of the formats that it reads and writes, and that of the cluster."""
    is_text = given["output"] == "text"
    if is_text:
        write(f"wmap {__version__}\n")
        write(f"formats: definitions {API_VERSION}, views {SCHEMA_VERSION}\n")
    server = None if client or not may_have_cluster(given) else _server(given)
    if is_text:
        if server is not None:
            write(f"server {printable(server['version'])}\n")
            write(f"definitions in the cluster: {server['definitions'] or 'none'}\n")
        return
    versions = {
        "version": __version__,
        "definitionVersion": API_VERSION,
        "schemaVersion": SCHEMA_VERSION,
        "server": server,
    }
    write(FORMATS[given["output"]](versions))


def _server(given: dict[str, Any]) -> dict[str, Any] | None:
    if not has_cluster(given):
        return None
    from workload_map.source.cluster import server_version  # noqa: PLC0415  # only where there is a cluster

    return server_version(open_api(given))
