"""Options that several commands share, so that they are the same words with the same meaning everywhere."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click
from click.core import ParameterSource
from click.types import IntParamType

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


class Count(IntParamType):
    """A whole number that is not below another one; unlike click's range it is not part of the help.

    Args:
        least: That number.
    """

    def __init__(self, least: int) -> None:
        self._least = least

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number; a usage error for anything else."""
        number = int(super().convert(value, param, ctx))
        if number < self._least:
            self.fail(f"{number} is less than {self._least}", param, ctx)
        return number


_EMPTY = "it is empty; is a variable not set?"


def not_empty(_: click.Context, __: click.Parameter, given: Any) -> Any:
    """Refuse an empty text: what a variable that is not set leaves must not mean the working directory."""
    if "" in (given if isinstance(given, tuple) else (given,)):
        raise click.BadParameter(_EMPTY)
    return given


def words(given: tuple[str, ...]) -> list[str]:
    """All values of an option that may be repeated and takes several at once, with commas between them.

    Raises:
        click.BadParameter: One of them is empty.
    """
    found = [word.strip() for each in given for word in each.split(",")]
    if "" in found:
        raise click.BadParameter(_EMPTY)
    return found


def paths(*names: str, help: str, hidden: bool = False) -> Callable[[Any], Any]:  # noqa: A002
    """An option that takes a path, and may be given several times."""
    return click.option(
        *names,
        multiple=True,
        metavar="PATH",
        type=click.Path(),
        callback=not_empty,
        hidden=hidden,
        help=help,
    )


def _hidden(*names: str, help: str, **more: Any) -> Callable[[Any], Any]:  # noqa: A002
    """An option of kubectl's; listing all of them in each command's help would hide the command's own."""
    return click.option(*names, hidden=True, callback=not_empty, help=help, **more)


connection = _together(
    click.option(
        "--context",
        metavar="NAME",
        callback=not_empty,
        shell_complete=complete.contexts,
        help="The context of the kubeconfig; kubectl's other connection options work as well",
    ),
    click.option(
        "--kubeconfig", metavar="PATH", type=click.Path(), callback=not_empty, help="Instead of KUBECONFIG"
    ),
    _hidden("--cluster", help="The cluster of the kubeconfig"),
    _hidden("--user", help="The user of the kubeconfig"),
    _hidden("-s", "--server", help="The address of the API server"),
    _hidden("--token", help="A bearer token"),
    _hidden("--as", "as_user", help="The user to impersonate"),
    _hidden("--as-group", "as_groups", multiple=True, help="A group to impersonate (repeatable)"),
    _hidden("--as-uid", help="The UID to impersonate"),
    _hidden("--certificate-authority", help="A file with the certificate authority"),
    _hidden("--client-certificate", help="A file with a client certificate"),
    _hidden("--client-key", help="A file with the key of the client certificate"),
    click.option(
        "--insecure-skip-tls-verify", is_flag=True, hidden=True, help="Do not check the server's certificate"
    ),
    _hidden("--tls-server-name", help="The name that the server's certificate is checked for"),
    _hidden("--request-timeout", help="How long one request may take, such as 30s"),
)
"""Which cluster, and as whom: kubectl's options."""

_dumps = paths("--from", "dumps", help="Read a dump: a file, a folder, an archive, or - (repeatable)")
_chunk_size = click.option(
    "--chunk-size",
    type=Count(0),
    metavar="N",
    default=500,
    show_default=True,
    help="Ask the cluster for N objects at a time; 0: for all at once",
)

source = _together(
    _dumps,
    paths("-f", "--filename", "manifests", help="Read manifests that are in no cluster yet (repeatable)"),
    connection,
)
"""Where definitions and objects come from; the cluster, if neither a dump nor manifests are given."""

objects = _together(source, _chunk_size)
"""The same for commands that read many objects."""

pods = _together(
    _dumps,
    paths("-f", "--filename", "manifests", hidden=True, help="Refused: manifests have no pods"),
    connection,
    _chunk_size,
)
"""The same for commands that compare objects with their pods."""

definitions = _together(
    paths(
        "--definitions",
        "definition_paths",
        help="Definitions of your own, which win over built-in ones (repeatable)",
    ),
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
        help="This namespace; without it that of the context, in a dump all",
    ),
    click.option("-A", "--all-namespaces", is_flag=True, help="All namespaces"),
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
    "-v",
    "--verbose",
    is_flag=True,
    help="Tell on standard error what is read, and of an unexpected error the traceback",
)


class _Form(click.Choice[str]):
    """One of some words, or one of some others with an equals sign and a text of the user's behind it."""

    def __init__(self, formats: tuple[str, ...], with_text: tuple[str, ...]) -> None:
        super().__init__([*formats, *(f"{name}=..." for name in with_text)])
        self._with_text = with_text

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        name, equals, _ = str(value).partition("=")
        return value if equals and name in self._with_text else super().convert(value, param, ctx)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
        """The words; of those with a text, what stands before it."""
        found = super().shell_complete(ctx, param, incomplete)
        for one in found:
            one.value = str(one.value).removesuffix("...")
        return found


def output(
    *formats: str, default: str | None = None, with_text: tuple[str, ...] = ()
) -> Callable[[_Command], _Command]:
    """The option `-o`.

    Args:
        formats: What it takes.
        default: What it is when not given; None: the command's own text.
        with_text: What it takes with `=` and a text behind it.
    """
    return click.option(
        "-o",
        "--output",
        type=_Form(formats, with_text),
        default=default,
        show_default=default is not None,
        help="The form of the output",
    )


def refuse_given(names: Sequence[str], why: str) -> None:
    """Refuse options of the running command that would change nothing, where the user gave them.

    Args:
        names: The parameters, as the command declares them.
        why: What to say after the option's name.

    Raises:
        click.UsageError: One of them was given.
    """
    context = click.get_current_context()
    for name in names:
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"--{name} {why}")
