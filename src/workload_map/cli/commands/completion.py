"""`wmap completion`: scripts for shells."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from workload_map.cli import shells
from workload_map.cli.console import write
from workload_map.cli.root import COMPLETE_VARIABLE, PROGRAM, root

_EXAMPLES = """\b
Examples:
  source <(wmap completion bash)
  source <(wmap completion zsh)
  wmap completion fish > ~/.config/fish/completions/wmap.fish
  wmap completion powershell | Out-String | Invoke-Expression
"""


@click.command("completion", epilog=_EXAMPLES)
@click.argument("shell", type=click.Choice(shells.SHELLS))
def command(shell: str) -> None:
    """Print a script that completes commands, types, names, namespaces, phases and components in a shell."""
    shells.register()
    kind = get_completion_class(shell)
    assert kind is not None, shell  # noqa: S101  # the choice above lists those that there are
    write(kind(root, {}, PROGRAM, COMPLETE_VARIABLE).source())
