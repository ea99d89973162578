"""The command `wmap` itself: which commands there are; each is imported when it is called."""

from __future__ import annotations

import importlib
from typing import Any

import click

from workload_map import _version
from workload_map.spelling import did_you_mean

PROGRAM = "wmap"
COMPLETE_VARIABLE = "_WMAP_COMPLETE"
"""Set by the scripts of `wmap completion`: the process is to complete words, not to run a command."""

COMMANDS = {
    "get": "List workloads, a row each",
    "describe": "Show one workload: its tree, status and resources",
    "explain": "Show how the answers about a workload came about",
    "check": "Try definitions on real workloads and their pods",
    "draw": "Draw one workload as a picture",
    "owner": "Tell which workload, component and replica a pod belongs to",
    "dump": "Write what other commands read with --from",
    "definitions": "List the definitions, or show one",
    "validate": "Check definition files",
    "path": "Try a path expression on an object",
    "test": "Run the cases of definitions",
    "crd": "Print the CustomResourceDefinition of definitions",
    "rbac": "Print the ClusterRole that reading takes",
    "schema": "Print the JSON Schema of an output",
    "completion": "Print a script that completes commands in a shell",
    "version": "Print the version",
}
"""The commands in the order of the help, each with its summary, so that the help imports none of them."""


_EXAMPLES = """\b
Examples:
  wmap get all -A
  wmap describe jobset/train -n research
  kubectl get jobsets,jobs,pods -A -o yaml | wmap get all --from -
"""


class _LazyGroup(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"workload_map.cli.commands.{cmd_name}")
        command: click.Command = module.command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            error = click.UsageError(f"there is no command {name!r}", ctx)
            error.hint = did_you_mean(name, COMMANDS) or "`wmap --help` lists the commands"  # type: ignore[attr-defined]
            raise error
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[Any]:
        """The commands with their summaries, for which none has to be imported; and the options."""
        from click.shell_completion import CompletionItem  # noqa: PLC0415  # only when something is completed

        commands = [
            CompletionItem(name, help=summary)
            for name, summary in COMMANDS.items()
            if name.startswith(incomplete)
        ]
        return [*commands, *click.Command.shell_complete(self, ctx, incomplete)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=_LazyGroup,
    no_args_is_help=False,
    invoke_without_command=True,
    epilog=_EXAMPLES,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
@click.version_option(_version.__version__, message="wmap %(version)s")
@click.pass_context
def root(ctx: click.Context) -> None:
    """One view of any Kubernetes workload: its components, pods, GPUs and phase.

    Reads the cluster of your kubeconfig, dumps (--from: what `kubectl get -o yaml` or `-o json` wrote), and
    manifests (-f).
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
