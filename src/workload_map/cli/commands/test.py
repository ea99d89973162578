"""`wmap test`: the cases of definitions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from workload_map.catalog import Catalog, suites
from workload_map.catalog.coverage import Coverage
from workload_map.catalog.junit import Finished, to_junit
from workload_map.catalog.suites import Outcome, Suite
from workload_map.cli import options
from workload_map.cli.console import say, write_lines
from workload_map.errors import WorkloadMapError
from workload_map.render.text import printable

_EXAMPLES = """\b
Examples:
  wmap test
  wmap test my-definitions/
  wmap test my-definitions/ --coverage --junit report.xml
"""


class ReportError(WorkloadMapError):
    """The report cannot be written."""

    code = "report-failed"


@click.command("test", epilog=_EXAMPLES)
@click.argument("paths", nargs=-1, metavar="[PATH...]", type=click.Path(), callback=options.not_empty)
@click.option(
    "--coverage",
    "measured",
    is_flag=True,
    help="Also list what of the definitions no case reaches; that fails too",
)
@click.option(
    "--junit",
    "report",
    metavar="FILE",
    type=click.Path(),
    callback=options.not_empty,
    help="Also write the outcomes as JUnit XML",
)
@options.verbose
def command(paths: tuple[str, ...], measured: bool, report: str | None, verbose: bool) -> int:
    """Run the cases that lie beside definitions: an object, its pods, and the view that is expected.

    Without PATH those of the built-in definitions. Exits with 1 where a view is not as expected.
    """
    found = suites.find(paths)
    known = suites.definitions(paths, found)
    finished = [_run(suite, known, measured=measured, verbose=verbose) for suite in found]
    outcomes = [outcome for one in finished for outcome in one.outcomes]
    passed = sum(outcome.passed for outcome in outcomes)
    failed = len(outcomes) - passed
    coverages = [each for one in finished for each in one.coverages or ()]
    unreached = sum(len(each.unreached) for each in coverages)
    reached = (
        f", {unreached} of {sum(each.parts for each in coverages)} parts not reached" if measured else ""
    )
    say.notice(f"{passed} passed, {failed} failed{reached}")
    if report is not None:
        _write(report, to_junit(finished))
    return 1 if failed or unreached else 0


def _run(suite: Suite, known: Catalog, *, measured: bool, verbose: bool) -> Finished:
    outcomes = []
    for outcome in suites.run(suite, known):
        outcomes.append(outcome)
        if not outcome.passed:
            write_lines(printable(line) for line in _failure(outcome))
        elif verbose:
            say.notice(f"passed: {outcome.file}")
    if not measured:
        if not outcomes:
            say.notice(f"warning: {suite.definition_file} has no cases")
        return Finished(suite, outcomes, None)
    coverages = suites.covered(suite, outcomes, known)
    write_lines(printable(line) for each in coverages for line in _not_reached(suite, each))
    return Finished(suite, outcomes, coverages)


def _failure(outcome: Outcome) -> Iterator[str]:
    """The case, and what is not as expected, place by place."""
    about = f": {outcome.case.description}" if outcome.case else ""
    yield f"{outcome.file}{about}"
    if outcome.error is not None:
        hint = f"; {outcome.error.hint}" if outcome.error.hint else ""
        yield f"  {outcome.error}{hint}"
    for difference in outcome.differences:
        yield from (f"  {line}" for line in difference.lines)


def _not_reached(suite: Suite, coverage: Coverage) -> Iterator[str]:
    if coverage.unreached:
        yield f"{suite.definition_file}: no case of {coverage.definition} reaches"
        yield from (f"  {one.what:9} {one.location}" for one in coverage.unreached)


def _write(report: str, content: bytes) -> None:
    try:
        Path(report).write_bytes(content)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise ReportError(
            f"cannot be written: {getattr(error, 'strerror', error)}", location=report
        ) from None
