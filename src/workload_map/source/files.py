"""From paths as the user gives them to bytes: files, folders, archives, and `-` for standard input."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from workload_map.engine.view import Problem
from workload_map.source.archive import is_archive, members
from workload_map.source.blobs import SUFFIXES, Blob, is_manifest
from workload_map.source.errors import SourceError


def read_paths(paths: Sequence[str]) -> Iterator[Blob | Problem]:
    """The bytes of all files that the paths name, in the order of the paths, and by name within a folder.

    A file named by the user is read whatever it is called; in folders and archives only `.yaml`, `.yml` and
    `.json` count, and finding none there is a problem.

    Raises:
        SourceError: A path does not exist or cannot be read.
    """
    for path in paths:
        if path == "-":
            yield Blob("-", sys.stdin.buffer.read())
        elif Path(path).is_dir():
            yield from _or_none_found(_folder(Path(path)), path)
        elif is_archive(path):
            yield from _or_none_found(members(Path(path), path), path)
        else:
            yield _file(Path(path))


def _file(path: Path) -> Blob:
    try:
        return Blob(str(path), path.read_bytes())
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        reason = getattr(error, "strerror", None) or str(error)
        raise SourceError(f"cannot read the file: {reason}", location=str(path)) from error


def _folder(folder: Path) -> Iterator[Blob]:
    for parent, folders, names in os.walk(folder, onerror=_raise):
        # Hidden folders hold no dumps: they are of version control, or the insides of a mounted volume.
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(name for name in names if not name.startswith(".")):
            file = Path(parent, name)
            if is_manifest(name) and file.is_file():
                yield _file(file)


def _raise(error: OSError) -> None:
    raise SourceError(f"cannot read the folder: {error.strerror}", location=str(error.filename)) from error


def _or_none_found(found: Iterator[Blob | Problem], path: str) -> Iterator[Blob | Problem]:
    empty = True
    for item in found:
        empty = False
        yield item
    if empty:
        suffixes = ", ".join(SUFFIXES)
        yield Problem(code="no-manifests", location=path, message=f"nothing here ends in {suffixes}")
