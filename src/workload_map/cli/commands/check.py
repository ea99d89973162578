"""`wmap check`: what a definition says against what is really there."""

from __future__ import annotations

from typing import Any

import click

from workload_map.cli import complete, options
from workload_map.cli.choosing import choose
from workload_map.cli.console import say, style, write, write_lines
from workload_map.cli.schemas import Checks
from workload_map.cli.session import open_session
from workload_map.engine.checking import Check, check
from workload_map.render.check import check as table
from workload_map.render.check import summary
from workload_map.render.machine import FORMATS, plain
from workload_map.source import Manifests, SourceError

_EXAMPLES = """\b
Examples:
  wmap check --from dump.yaml
  wmap check jobset --from dump.yaml
  wmap check jobset/train --from dump.yaml --definitions my-definition.yaml
  wmap check raycluster/tune -n research -o json
"""


@click.command("check", epilog=_EXAMPLES)
@click.argument("arguments", metavar="[TYPE[/NAME]...]", nargs=-1, shell_complete=complete.types)
@options.pods
@options.namespace
@options.output("text", "json", "yaml", default="text")
@options.definitions
@options.colour
@options.verbose
def command(arguments: tuple[str, ...], **given: Any) -> int:
    """Try definitions on real workloads: what they say against pods and owner references, row by row.

    Compared are pods, their requests, the phase, the place of each pod, the kinds between and the labels that
    selectors look for. Exits with 1 where something differs, or where nothing could be compared.
    """
    session = open_session(given)
    if isinstance(session.source, Manifests):
        raise SourceError("manifests have no pods to compare with", hint="read a dump (--from) or a cluster")
    selection = choose(session, arguments, by_type=True, whole=True)
    found = [
        check(obj, session.definitions, selection.index, pods_known=selection.pods_known)
        for obj in selection.objects
    ]
    _show(found, given)
    say.warnings([*session.warnings, *selection.problems])
    if missing := say.missing(selection.missing, as_json=given["output"] == "json"):
        return missing
    if not found:
        raise SourceError(
            "nothing could be compared, there are no workloads",
            hint="is the namespace (-n) right, and the type?",
        )
    if all(row.verdict == "open" for one in found for row in one.rows):
        raise SourceError("nothing could be compared", hint="each row says why")
    return int(any(one.differs for one in found))


def _show(found: list[Check], given: dict[str, Any]) -> None:
    if given["output"] != "text":
        write(FORMATS[given["output"]](plain(Checks(found, len(found)))))
        return
    for number, one in enumerate(found):
        write_lines([""] if number else [])
        write_lines(table(one, style(given["colour"])))
    if found:
        write_lines(["", summary(found)])
