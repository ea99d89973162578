"""`wmap describe`: everything about one workload."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from typing import Any

import click

from workload_map.cli import complete, options, watch
from workload_map.cli.choosing import choose, meant
from workload_map.cli.console import say, style, write, write_lines
from workload_map.cli.session import Session, open_session
from workload_map.engine import Workload
from workload_map.render import machine
from workload_map.render.describe import describe
from workload_map.render.events import events
from workload_map.render.tree import Fold
from workload_map.source import Filters, Wanted, events_about, related

_EXAMPLES = """\b
Examples:
  wmap describe jobset/train -n research --events
  wmap describe jobset/train -n research -w
  wmap describe jobset/train --from dump.yaml
  wmap describe jobset train -n research --from dump.yaml --pods 5
  wmap describe jobset/train --from dump.yaml -o json
  wmap describe -f jobset.yaml
"""


@click.command("describe", epilog=_EXAMPLES)
@click.argument("arguments", metavar="[TYPE/NAME...]", nargs=-1, shell_complete=complete.types)
@options.objects
@options.namespace
@click.option(
    "--pods",
    type=options.Count(0),
    metavar="N",
    default=20,
    show_default=True,
    help="At most N pods of one component, those with trouble first; 0: all",
)
@click.option(
    "--depth", type=options.Count(0), metavar="N", default=0, help="At most N levels of the tree; 0: all"
)
@click.option("-w", "--watch", "follow", is_flag=True, help="Draw it anew whenever it changes")
@click.option("--events", is_flag=True, help="With the events of the workload and of what belongs to it")
@options.output("text", "json", "yaml", default="text")
@options.definitions
@options.colour
@options.verbose
def command(arguments: tuple[str, ...], **given: Any) -> int:
    """Show one workload: its tree with pods and nodes, its status and why, its resources and problems.

    With -f, TYPE/NAME may be left out: then all workloads of the files are shown.
    """
    if given["output"] != "text" and (given["follow"] or given["events"]):
        raise click.UsageError("-w and --events add to the text; they do not go with -o json and -o yaml")
    session = open_session(given)
    if given["follow"]:
        return _follow(session, meant(session, arguments), given)
    selection = choose(session, arguments)
    views = list(selection.views(session.definitions))
    problems = [*session.warnings, *selection.problems]
    output = given["output"]
    if output == "text":
        for number, view in enumerate(views):
            write_lines([""] if number else [])
            write_lines(_lines(view, given))
            if given["events"]:
                about = related(selection.index, selection.objects[number])
                found = events_about(session.source.events(session.namespace), about)
                write_lines(["", *events(found, datetime.now(UTC), style(given["colour"]))])
    elif len(views) == 1:
        machine.write_view(write, views[0], output)
    elif not selection.missing or views:
        machine.write_list(write, views, problems, output)
    if not views and not selection.missing and output == "text":
        say.notice("no workloads found")
    say.warnings(problems)
    return say.missing(selection.missing, as_json=output == "json")


def _lines(view: Workload, given: dict[str, Any]) -> Iterator[str]:
    fold = Fold(pods=given["pods"], depth=given["depth"])
    return describe(view, fold=fold, now=datetime.now(UTC), style=style(given["colour"]))


def _follow(session: Session, wanted: Wanted, given: dict[str, Any]) -> int:
    """Draw it anew whenever something of it changes."""
    filters = Filters(namespace=session.namespace)
    with watch.Screen(lambda: session.warnings) as screen:
        for moment in watch.moments(session, wanted, filters, warn=not screen.warns):
            views = [one.view for one in moment.current]
            if not views:
                break
            screen.show(partial(_all_lines, views, given))
        else:
            return 0
    say.notice("it is gone")
    return 0


def _all_lines(views: list[Workload], given: dict[str, Any]) -> Iterator[str]:
    for view in views:
        yield from (*_lines(view, given), "")
