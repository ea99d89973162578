"""`wmap test`: the cases of definitions."""

from __future__ import annotations

import click

from workload_map.catalog import Catalog
from workload_map.catalog.cases import Case, check
from workload_map.cli import case_files, options
from workload_map.cli.console import say, write_lines
from workload_map.errors import WorkloadMapError
from workload_map.render.text import printable

_EXAMPLES = """\b
Examples:
  wmap test
  wmap test my-definitions/
"""


@click.command("test", epilog=_EXAMPLES)
@click.argument("paths", nargs=-1, metavar="[PATH...]", type=click.Path(), callback=options.not_empty)
@options.verbose
def command(paths: tuple[str, ...], verbose: bool) -> int:
    """Run the cases that lie beside definitions: an object, its pods, and the view that is expected.

    Without PATH those of the built-in definitions. Exits with 1 where a view is not as expected.
    """
    folders = case_files.folders(paths)
    definitions = case_files.definitions(paths, folders)
    passed = failed = 0
    for case in case_files.cases(folders):
        differences = _differences(case, definitions)
        passed += not differences
        failed += bool(differences)
        if differences:
            write_lines(printable(line) for line in (f"{case.file}: {case.description}", *differences))
        elif verbose:
            say.notice(f"passed: {case.file}")
    say.notice(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


def _differences(case: Case, definitions: Catalog) -> list[str]:
    """What is not as expected; an object that cannot be resolved at all is one thing of that kind."""
    try:
        return [str(difference) for difference in check(case, definitions)]
    except WorkloadMapError as error:
        return [str(error)]
