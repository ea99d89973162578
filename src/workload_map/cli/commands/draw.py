"""`wmap draw`: one workload as a picture."""

from __future__ import annotations

import sys
from typing import Any

import click

from workload_map.cli import complete, options
from workload_map.cli.choosing import choose
from workload_map.cli.console import say, write
from workload_map.cli.session import open_session
from workload_map.engine.view import Workload
from workload_map.render.picture import PictureError
from workload_map.render.picture.blocks import Limits
from workload_map.render.picture.svg import THEMES
from workload_map.source import TargetError

_EXAMPLES = """\b
Examples:
  wmap draw jobset/train --from dump.yaml > train.svg
  wmap draw jobset/train --from dump.yaml -o png --theme dark > train.png
  wmap draw leaderworkerset/llama --from dump.yaml -o html > llama.html
  wmap draw -f jobset.yaml -o mermaid
"""
_FORMS = ("svg", "png", "html", "mermaid", "dot")


@click.command("draw", epilog=_EXAMPLES)
@click.argument("arguments", metavar="[TYPE/NAME]", nargs=-1, shell_complete=complete.types)
@options.objects
@options.namespace
@options.output(*_FORMS, default="svg")
@click.option(
    "--theme",
    type=click.Choice(THEMES),
    default="auto",
    show_default=True,
    help="Colours of SVG and PNG; auto: SVG follows the reader's, PNG is light",
)
@click.option(
    "--pods",
    type=options.Count(0),
    metavar="N",
    default=Limits().pods,
    show_default=True,
    help="At most N pods of one component are drawn, those with trouble first; 0: all, and all its replicas",
)
@click.option("--depth", type=options.Count(0), metavar="N", default=0, help="At most N levels; 0: all")
@options.definitions
@options.verbose
def command(arguments: tuple[str, ...], **given: Any) -> int:
    """Draw one workload: its roles as boxes with counts and GPUs, its pods as marks with their state.

    With -f, TYPE/NAME may be left out where the files hold one workload.
    """
    output = given["output"]
    if output not in ("svg", "png"):
        options.refuse_given(["theme"], f"colours SVG and PNG; it does not go with -o {output}")
    if output == "png" and sys.stdout.isatty():
        raise PictureError("a PNG is not for a terminal", hint="write it to a file: > workload.png")
    session = open_session(given)
    selection = choose(session, arguments)
    views = list(selection.views(session.definitions))
    say.warnings([*session.warnings, *selection.problems])
    if selection.missing:
        return say.missing(selection.missing)
    if len(views) != 1:
        found = ", ".join(f"{view.kind.lower()}/{view.name}" for view in views[:5]) or "none"
        raise TargetError(f"a picture shows one workload, here are {len(views)}", hint=f"found: {found}")
    limits = Limits(pods=given["pods"], blocks=Limits().blocks if given["pods"] else 0, depth=given["depth"])
    _draw(views[0], output, limits, given["theme"])
    return 0


def _draw(view: Workload, output: str, limits: Limits, theme: str) -> None:
    # Each form is imported when it is asked for.
    match output:
        case "html":
            from workload_map.render.picture.html import html  # noqa: PLC0415

            write(html(view, limits))
        case "mermaid" | "dot":
            from workload_map.render.picture import graphs  # noqa: PLC0415

            write((graphs.mermaid if output == "mermaid" else graphs.dot)(view, limits))
        case "png":
            from workload_map.render.picture.png import png  # noqa: PLC0415
            from workload_map.render.picture.svg import svg  # noqa: PLC0415

            picture = png(svg(view, limits, "dark" if theme == "dark" else "light"))
            sys.stdout.flush()
            sys.stdout.buffer.write(picture)
        case _:
            from workload_map.render.picture.svg import svg  # noqa: PLC0415

            write(svg(view, limits, theme))
