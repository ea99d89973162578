"""`wmap owner`: where a pod belongs."""

from __future__ import annotations

from typing import Any

import click

from workload_map.cli import complete, options
from workload_map.cli.console import say, style, write, write_lines
from workload_map.cli.session import open_session
from workload_map.engine import place
from workload_map.render.machine import FORMATS, plain
from workload_map.render.placement import placement
from workload_map.source import find_pod

_EXAMPLES = """\b
Examples:
  wmap owner train-worker-0-0-l6r9s --from dump.yaml
  wmap owner pod/llama-0-1 -n serving --from dump.yaml -o json
"""


@click.command("owner", epilog=_EXAMPLES)
@click.argument("pod", shell_complete=complete.pods)
@options.objects
@options.namespace
@options.output("text", "json", "yaml", default="text")
@options.definitions
@options.verbose
def command(pod: str, **given: Any) -> None:
    """Tell which workload, component, instance and replica group a pod belongs to, and by which owners."""
    session = open_session(given)
    found_pod, index = find_pod(session.source, session.definitions, pod, session.namespace)
    found = place(found_pod, session.definitions, index)
    if given["output"] == "text":
        write_lines(placement(found, style("never")))
    else:
        write(FORMATS[given["output"]](plain(found)))
    say.warnings(session.warnings)
