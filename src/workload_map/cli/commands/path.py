"""`wmap path`: a path expression, tried on the values of files."""

from __future__ import annotations

from typing import Any

import click

from workload_map import path as paths
from workload_map.cli import options
from workload_map.cli.console import say, write_lines
from workload_map.errors import WorkloadMapError
from workload_map.render.expression import explanation, facts, outputs
from workload_map.source import load_values

_EXAMPLES = """\b
Examples:
  wmap path '.spec.replicatedJobs[].replicas' -f jobset.yaml
  wmap path '.spec.replicatedJobs[].replicas' -f jobset.yaml --locations
  kubectl get jobsets -o json | wmap path '.spec.suspend' -f -
  wmap path '.spec.workerGroupSpecs[] | .replicas // 0' --explain
"""


@click.command("path", epilog=_EXAMPLES)
@click.argument("expression")
@options.paths("-f", "--filename", "files", help="YAML or JSON: objects, or any other values (repeatable)")
@click.option("--locations", is_flag=True, help="With the place in the object that each output comes from")
@click.option(
    "--reads", is_flag=True, help="What the expression may read, and whether it can be written through"
)
@click.option(
    "--explain", is_flag=True, help="The expression in words: what its stages do, and why it is graded so"
)
@options.verbose
def command(expression: str, files: tuple[str, ...], **given: Any) -> int:
    """Evaluate a path expression on each document of the files; one output a line, as JSON.

    Of lists, as kubectl prints them, it is each object. The language is jq without everything that reaches
    outside of the value.
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
    values, warnings = load_values(files)
    failures: list[WorkloadMapError] = []
    for value, name in values:
        try:
            write_lines(outputs(program, value, locations=given["locations"]))
        except WorkloadMapError as error:
            failures.append(error)
            say.error(error.code, error.message, _place(error, name), error.hint)
    say.warnings(warnings)
    return failures[0].exit_code if failures else 0


def _place(error: WorkloadMapError, name: str) -> str:
    """The value, and where it failed: in the value, and in the expression."""
    parts = [name]
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
