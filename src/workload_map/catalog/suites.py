"""Suites: the cases that lie beside a `definition.yaml`, in its folder `cases`, and how they end."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from workload_map.catalog import Catalog
from workload_map.catalog.building import FOLDER
from workload_map.catalog.cases import Case, Difference, check, files, read_case
from workload_map.catalog.coverage import Coverage, coverage
from workload_map.definition import load
from workload_map.errors import WorkloadMapError


class NoCasesError(WorkloadMapError):
    """There is no case where the user points."""

    code = "no-cases"


class Suite(msgspec.Struct, frozen=True):
    """A folder with a `definition.yaml`, and the files of its cases, by name; there may be none."""

    folder: Path
    files: tuple[Path, ...]

    @property
    def name(self) -> str:
        """What the folder is called."""
        return self.folder.resolve().name

    @property
    def definition_file(self) -> Path:
        """Where the definition stands."""
        return self.folder / "definition.yaml"


class Outcome(msgspec.Struct, frozen=True):
    """How a case ended.

    Attributes:
        file: Where the case stands.
        case: The case; None where the file holds none.
        differences: Where the view is not as the case expects it.
        error: Why there is no case or no view; None where there are both.
        seconds: How long it took.
    """

    file: Path
    case: Case | None
    differences: tuple[Difference, ...]
    error: WorkloadMapError | None
    seconds: float

    @property
    def passed(self) -> bool:
        """Whether the view is as the case expects it."""
        return self.error is None and not self.differences


def find(paths: Sequence[str]) -> list[Suite]:
    """The suites in and below the paths; without a path those of the built-in definitions.

    Raises:
        NoCasesError: There is no case in and below one of the paths.
    """
    found: dict[Path, Suite] = {}
    for path in map(Path, paths or [str(FOLDER)]):
        if not os.path.exists(path):  # noqa: PTH110  # Path.exists raises for names that are too long
            raise NoCasesError("there is no such file or folder", location=str(path))
        here = [_suite(file.parent) for file in sorted(path.rglob("definition.yaml"))]
        if not any(suite.files for suite in here):
            raise NoCasesError(
                "there are no cases here",
                location=str(path),
                hint="name the folder that has a `definition.yaml`, and its cases in `cases/` beside that",
            )
        found.update((suite.folder.resolve(), suite) for suite in here)
    return list(found.values())


def _suite(folder: Path) -> Suite:
    return Suite(folder, tuple(files(folder / "cases")))


def definitions(paths: Sequence[str], suites: Sequence[Suite]) -> Catalog:
    """The built-in definitions, and over them those of the suites that were found in the paths.

    Raises:
        DefinitionError: One of them cannot be used.
    """
    if not paths:
        return Catalog.builtin()
    return Catalog.load(suite.definition_file for suite in suites)


def run(suite: Suite, known: Catalog) -> Iterator[Outcome]:
    """Run the cases of a suite; what is no case, or cannot be resolved, fails alone."""
    for file in suite.files:
        started = time.perf_counter()
        case, differences, error = _run(file, known)
        yield Outcome(file, case, differences, error, time.perf_counter() - started)


def _run(file: Path, known: Catalog) -> tuple[Case | None, tuple[Difference, ...], WorkloadMapError | None]:
    case = None
    try:
        case = read_case(file)
        return case, tuple(check(case, known)), None
    except WorkloadMapError as error:
        return case, (), error


def covered(suite: Suite, outcomes: Sequence[Outcome], known: Catalog) -> list[Coverage]:
    """What the cases of a suite reach of each of its definitions.

    Args:
        suite: The suite.
        outcomes: How its cases ended: those without a view reach nothing.
        known: The set that they are resolved with.
    """
    layer, _ = load([suite.definition_file])
    cases = [one.case for one in outcomes if one.case is not None and one.error is None]
    return [coverage(known.named(entry.name).definition, cases, known) for entry in layer.entries]
