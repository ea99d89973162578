"""Options that several commands share, so that they are the same words with the same meaning everywhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from workload_map.cli import complete
from workload_map.cli.console import COLOURS

_Command = TypeVar("_Command", bound=Callable[..., Any])
Decorator = Callable[[_Command], _Command]


def _together(*decorators: Callable[[Any], Any]) -> Callable[[_Command], _Command]:
    def decorate(command: _Command) -> _Command:
        for decorator in reversed(decorators):
            command = decorator(command)
        return command

    return decorate


def not_empty(_: click.Context, __: click.Parameter, given: Any) -> Any:
    """Refuse an empty text: what a variable that is not set leaves must not mean the working directory."""
    if "" in (given if isinstance(given, tuple) else (given,)):
        raise click.BadParameter("it is empty; is a variable not set?")
    return given


def paths(*names: str, help: str) -> Callable[[Any], Any]:  # noqa: A002
    """An option that takes a path, and may be given several times."""
    return click.option(
        *names, multiple=True, metavar="PATH", type=click.Path(), callback=not_empty, help=help
    )


source = _together(
    paths("--from", "dumps", help="Read a dump: a file, a folder, an archive, or - (repeatable)"),
    paths("-f", "--filename", "manifests", help="Read manifests that are in no cluster yet (repeatable)"),
)
"""Where objects come from."""

definitions = _together(
    paths("--definitions", "definition_paths", help="Definitions that replace built-in ones (repeatable)"),
    click.option("--no-builtin", is_flag=True, help="Without the built-in definitions"),
)
"""Which definitions count."""

namespace = _together(
    click.option(
        "-n",
        "--namespace",
        metavar="NAME",
        callback=not_empty,
        shell_complete=complete.namespaces,
        help="Only this namespace",
    ),
    click.option("-A", "--all-namespaces", is_flag=True, help="All namespaces, with a column for them"),
)
"""Which namespaces are looked at."""

selectors = _together(
    click.option("-l", "--selector", metavar="SELECTOR", default="", help="By labels: app=web,tier!=test"),
    click.option(
        "--field-selector", metavar="SELECTOR", default="", help="By metadata.name or metadata.namespace"
    ),
)
"""Which objects are taken."""

colour = click.option(
    "--color",
    "colour",
    type=click.Choice(COLOURS),
    default="auto",
    show_default=True,
    help="Colours in tables",
)
verbose = click.option(
    "-v", "--verbose", is_flag=True, help="Tell on standard error what is read, and tracebacks"
)


def output(*formats: str, default: str | None = None) -> Callable[[_Command], _Command]:
    """The option `-o`.

    Args:
        formats: What it takes.
        default: What it is when not given; None: the command's own text.
    """
    return click.option(
        "-o",
        "--output",
        type=click.Choice(formats),
        default=default,
        show_default=default is not None,
        help="The form of the output",
    )
