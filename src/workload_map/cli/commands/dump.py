"""`wmap dump`: what other commands read with `--from`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import click

from workload_map.cli import complete, options
from workload_map.cli.choosing import parsed
from workload_map.cli.console import say, write
from workload_map.cli.live import progress
from workload_map.cli.session import open_definitions, open_session
from workload_map.errors import WorkloadMapError
from workload_map.render.machine import FORMATS
from workload_map.source import EVERYTHING, Question, parse
from workload_map.source.anonymous import anonymous
from workload_map.source.dumping import as_list, collect

_EXAMPLES = """\b
Examples:
  wmap dump -A > dump.yaml
  wmap dump jobset,raycluster -n research -o json > dump.json
  wmap dump -A --folder dump/
  wmap dump -n research --anonymize > for-a-report.yaml
  wmap dump jobset -n research --print-kubectl
  wmap get all --from dump.yaml
"""
# Who wrote the objects must not choose where files are written.
_UNSAFE = re.compile(r"[^a-z0-9.-]")


class FolderError(WorkloadMapError):
    """The folder cannot be written."""

    code = "output"


@click.command("dump", epilog=_EXAMPLES)
@click.argument("arguments", metavar="[TYPE...]", nargs=-1, shell_complete=complete.types)
@options.objects
@options.namespace
@click.option(
    "--folder",
    metavar="PATH",
    type=click.Path(),
    callback=options.not_empty,
    help="Write a file for each kind into this folder, which is made",
)
@click.option(
    "--anonymize",
    is_flag=True,
    help="Replace names, labels, environments and images, each the same everywhere",
)
@click.option(
    "--print-kubectl",
    "as_kubectl",
    is_flag=True,
    help="Print the kubectl call for it instead, to be run elsewhere",
)
@options.output("yaml", "json", default="yaml")
@options.definitions
@options.verbose
def command(arguments: tuple[str, ...], **given: Any) -> None:
    """Write workloads with their pods, the kinds between, what they refer to and definitions, for --from.

    Without TYPE: those of every covered kind. Objects come as they are, with what is secret in their
    environments; with --anonymize they give the same figures and phases, but do not tell whose they are.
    """
    if given["as_kubectl"]:
        _print_kubectl(arguments, given)
        return
    session = open_session(given)
    wanted = parsed(session, arguments) if arguments else EVERYTHING
    question = Question(targets=wanted.targets, names=wanted.names, namespace=session.namespace)
    with progress.shown():
        found = collect(session.source, session.definitions, question)
    if given["anonymize"]:
        found = anonymous(found, session.definitions)
    if given["folder"] is None:
        write(FORMATS[given["output"]](as_list(found)))
    else:
        _write_folder(Path(given["folder"]), found, given["output"])
    say.warnings(session.warnings)


def _print_kubectl(arguments: tuple[str, ...], given: dict[str, Any]) -> None:
    if given["folder"] or given["anonymize"]:
        raise click.UsageError(
            "--print-kubectl fetches nothing; it does not go with --folder and --anonymize"
        )
    from workload_map.source.kubectl import get_call  # noqa: PLC0415  # it knows clusters, which take long to import

    opened = open_definitions(given)
    wanted = parse(arguments, opened.table) if arguments else EVERYTHING
    if wanted.names:
        raise click.UsageError(
            "--print-kubectl takes TYPEs, not names: kubectl would find nothing that belongs to one"
        )
    flags = {"--context": given["context"], "--kubeconfig": given["kubeconfig"], "-n": given["namespace"]}
    words = [word for flag, value in flags.items() if value for word in (flag, value)]
    everywhere = ["-A"] if given["all_namespaces"] else []
    write(get_call(wanted.targets, opened.definitions, opened.names, [*everywhere, *words]) + "\n")
    say.warnings(opened.warnings)


def _write_folder(folder: Path, found: list[dict[str, Any]], output: str) -> None:
    kinds: dict[str, list[dict[str, Any]]] = {}
    for value in found:
        group = value["apiVersion"].rpartition("/")[0]
        kind = ".".join(filter(None, (value["kind"].lower(), group)))
        kinds.setdefault(_UNSAFE.sub("_", kind), []).append(value)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for kind, values in kinds.items():
            (folder / f"{kind}.{output}").write_text(FORMATS[output](as_list(values)), encoding="utf-8")
    except OSError as error:
        raise FolderError(f"cannot write the folder: {error.strerror}", location=str(folder)) from error
