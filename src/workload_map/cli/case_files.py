"""Where the cases of definitions are: beside each `definition.yaml`, in a folder `cases`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from workload_map import catalog
from workload_map.catalog import Catalog
from workload_map.catalog.cases import Case, load
from workload_map.errors import WorkloadMapError


class NoCasesError(WorkloadMapError):
    """There is no case where the user points."""

    code = "no-cases"


def folders(paths: Sequence[str]) -> list[Path]:
    """The folders with a definition and its cases in and below the paths; without a path the built-in ones.

    Raises:
        NoCasesError: There is none in one of the paths.
    """
    found: list[Path] = []
    for path in [Path(each) for each in paths] or [Path(catalog.__file__).parent]:
        here = sorted(
            file.parent for file in path.rglob("definition.yaml") if (file.parent / "cases").is_dir()
        )
        if not here:
            raise NoCasesError(
                "there are no cases here",
                location=str(path),
                hint="name the folder that has a `definition.yaml`, and its cases in `cases/` beside that",
            )
        found += here
    return found


def cases(where: Sequence[Path]) -> Iterator[Case]:
    """The cases of these folders; raises as `workload_map.catalog.cases.load` does."""
    for folder in where:
        yield from load(folder / "cases")


def definitions(paths: Sequence[str], where: Sequence[Path]) -> Catalog:
    """The built-in definitions, and over them those of the folders that were found in the paths.

    Raises:
        DefinitionError: One of them cannot be used.
    """
    if not paths:
        return Catalog.builtin()
    return Catalog.load(folder / "definition.yaml" for folder in where)
