"""`wmap rbac`: the rights that reading takes."""

from __future__ import annotations

from typing import Any

import click

from workload_map.cli import options
from workload_map.cli.console import say, write
from workload_map.cli.session import open_definitions
from workload_map.render.machine import FORMATS
from workload_map.source.rights import cluster_role

_EXAMPLES = """\b
Examples:
  wmap rbac > role.yaml
  wmap rbac | kubectl apply -f -
  wmap rbac --edit --name workload-editor
"""


@click.command("rbac", epilog=_EXAMPLES)
@click.option("--edit", is_flag=True, help="Also what changing workloads takes")
@click.option(
    "--name",
    metavar="NAME",
    default="workload-map",
    show_default=True,
    callback=options.not_empty,
    help="The name of the role",
)
@options.source
@options.definitions
@options.output("yaml", "json", default="yaml")
@options.verbose
def command(edit: bool, name: str, **given: Any) -> None:
    """Print the smallest ClusterRole with which all commands read the covered kinds.

    Bound in a namespace by a RoleBinding it allows them there.
    """
    opened = open_definitions(given)
    role = cluster_role(opened.definitions, opened.table, edit=edit, name=name)
    write(FORMATS[given["output"]](role))
    say.warnings(opened.warnings)
