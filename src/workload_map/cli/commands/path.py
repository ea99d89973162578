"""`wmap path`: a path expression, tried on objects."""

from __future__ import annotations

from typing import Any

import click

from workload_map import path as paths
from workload_map.cli import options
from workload_map.cli.console import say, write_lines
from workload_map.errors import WorkloadMapError
from workload_map.render.expression import explanation, facts, outputs
from workload_map.source import Manifests, full_name_of

_EXAMPLES = """\b
Examples:
  wmap path '.spec.replicatedJobs[].replicas' -f jobset.yaml
  wmap path '.spec.replicatedJobs[].replicas' -f jobset.yaml --locations
  wmap path '.spec.workerGroupSpecs[] | .replicas // 0' --explain
"""


@click.command("path", epilog=_EXAMPLES)
@click.argument("expression")
@options.paths("-f", "--filename", "files", help="The objects (repeatable)")
@click.option("--locations", is_flag=True, help="With the place in the object that each output comes from")
@click.option(
    "--reads", is_flag=True, help="What the expression may read, and whether it can be written through"
)
@click.option(
    "--explain", is_flag=True, help="The expression in words: what its stages do, and why it is graded so"
)
@options.verbose
def command(expression: str, files: tuple[str, ...], **given: Any) -> int:
    """Evaluate a path expression on each object of the files; one output a line, as JSON.

    The language is jq without everything that reaches outside of the object.
    """
    if not files and not given["reads"] and not given["explain"]:
        raise click.UsageError("nothing to do: give -f, --reads or --explain")
    program = _compile(expression)
    if given["explain"]:
        write_lines(explanation(program))
    elif given["reads"]:
        write_lines(facts(program))
    if not files:
        return 0
    source = Manifests(files)
    failures: list[WorkloadMapError] = []
    for value in source.objects():
        try:
            write_lines(outputs(program, value, locations=given["locations"]))
        except WorkloadMapError as error:
            failures.append(error)
            say.error(error.code, error.message, _place(error, value), error.hint)
    say.warnings(source.warnings)
    return failures[0].exit_code if failures else 0


def _place(error: WorkloadMapError, value: Any) -> str:
    """The object, and where it failed: in the object, and in the expression."""
    parts = [full_name_of(value)]
    if isinstance(error, paths.PathRuntimeError):
        parts += [f"at {paths.location_text(error.at)}"] if error.at is not None else []
        parts += [f"line {error.line}, column {error.column}"] if error.line else []
    return ", ".join(parts)


def _compile(expression: str) -> paths.Program:
    try:
        return paths.compile(expression)
    except paths.PathSyntaxError as error:
        for line in error.caret.splitlines():
            say.notice(line)
        raise
