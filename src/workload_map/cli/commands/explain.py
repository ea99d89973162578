"""`wmap explain`: how the answers about one workload came about."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from workload_map.catalog import index as catalog
from workload_map.cli import complete, options
from workload_map.cli.choosing import choose
from workload_map.cli.console import say, style, write, write_lines
from workload_map.cli.session import Session, open_session
from workload_map.definition.lines import Lines
from workload_map.engine.explaining import Explanation, explain, explain_pod
from workload_map.render.explanation import explanation
from workload_map.render.machine import FORMATS, plain
from workload_map.source import Manifests, TargetError, find_pod

_EXAMPLES = """\b
Examples:
  wmap explain jobset/train --from dump.yaml
  wmap explain jobset/train phase --from dump.yaml
  wmap explain raycluster/tune worker --from dump.yaml -o json
  wmap explain pod/train-worker-0-0-l6r9s --from dump.yaml
  wmap explain -f jobset.yaml gpus
"""


@click.command("explain", epilog=_EXAMPLES)
@click.argument("arguments", metavar="[TYPE/NAME] [FIELD]", nargs=-1, shell_complete=complete.explained)
@options.objects
@options.namespace
@options.output("text", "json", "yaml", default="text")
@options.definitions
@options.colour
@options.verbose
def command(arguments: tuple[str, ...], **given: Any) -> int:
    """Show how each answer came about: the rule of the definition, the fields that it read, their values.

    FIELD is phase, pods, gpus, a component or the id of an instance (COMPONENT/ID where several components
    have one); without it the first three are explained. Of a pod that belongs to a workload, it is explained
    why it is where it is.
    """
    session = open_session(given)
    target, field = _split(arguments, is_manifest=isinstance(session.source, Manifests))
    if field is None and (found := _of_pod(session, target)):
        _show(session, found, given)
        say.warnings(session.warnings)
        return 0
    selection = choose(session, target)
    for number, obj in enumerate(selection.objects):
        write_lines([""] if number and given["output"] == "text" else [])
        explained = explain(
            obj,
            session.definitions,
            selection.index,
            field,
            pods_known=selection.pods_known,
            live=selection.live,
        )
        _show(session, explained, given)
    say.warnings([*session.warnings, *selection.problems])
    return say.missing(selection.missing, as_json=given["output"] == "json")


def _split(arguments: Sequence[str], *, is_manifest: bool) -> tuple[Sequence[str], str | None]:
    """The words that name the workload, and the field."""
    count = 1 if arguments and "/" in arguments[0] else 0 if is_manifest and len(arguments) == 1 else 2
    target, more = arguments[:count], arguments[count:]
    if len(more) > 1:
        raise TargetError("one FIELD at a time", hint="give TYPE/NAME FIELD")
    return target, more[0] if more else None


def _of_pod(session: Session, target: Sequence[str]) -> Explanation | None:
    """Why a pod is where it is; None where something else is named, or a pod that is a workload itself."""
    if len(target) != 1 or target[0].partition("/")[0].lower() not in ("pod", "pods", "po"):
        return None
    pod, index = find_pod(session.source, session.definitions, target[0], session.namespace)
    found = explain_pod(pod, session.definitions, index)
    return found if found is not None and found.workload.kind != "Pod" else None


def _show(session: Session, found: Explanation, given: dict[str, Any]) -> None:
    if given["output"] != "text":
        write(FORMATS[given["output"]](plain(found)))
        return
    workload = found.workload
    entry = session.definitions.find(workload.api_version, workload.kind)
    source = catalog.file(entry.name) if entry.origin == "builtin" else entry.source
    lines = Lines(source, entry.name)
    file = _name(source) if source is not None else None
    write_lines(explanation(found, file=file, line=lines.of, style=style(given["colour"])))


def _name(source: Path | str) -> str:
    """How a file is called: one of the catalog by its place in it, so that it is the same everywhere."""
    folder = catalog.FILE.parent.parent
    path = Path(source)
    return str(path.relative_to(folder)) if path.is_relative_to(folder) else str(source)
