"""From paths as the user gives them to bytes: files, folders, archives, and `-` for standard input."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from workload_map.engine.view import Problem
from workload_map.source.blobs import SUFFIXES, Blob, is_archive, is_manifest
from workload_map.source.errors import CHECK_PATH, SourceError


def read_paths(paths: Sequence[str]) -> Iterator[Blob | Problem]:
    """The bytes of all files that the paths name, in the order of the paths, and by name within a folder.

    A file named by the user is read whatever it is called; in folders and archives only `.yaml`, `.yml` and
    `.json` count, and finding none there is a problem. So is what cannot be read inside of a folder.

    Raises:
        SourceError: A path does not exist or cannot be read.
    """
    for path in paths:
        if path == "-":
            yield Blob("-", _standard_input())
        elif os.path.isdir(path):  # noqa: PTH112  # of Path it fails for a name that is too long
            yield from _or_none_found(_folder(Path(path)), path)
        elif is_archive(path):
            from workload_map.source.archive import members  # noqa: PLC0415 - 6 ms, and few dumps are packed

            yield from _or_none_found(members(Path(path), path), path)
        else:
            yield _file(Path(path))


def _standard_input() -> bytes:
    try:
        if sys.stdin is None:  # the process was started without it
            raise SourceError(
                "standard input is closed", location="-", hint="pipe something in, or name a file"
            )
        return sys.stdin.buffer.read()
    except OSError as error:
        raise SourceError(
            f"cannot read standard input: {error.strerror}",
            location="-",
            hint="pipe something in, or name a file",
        ) from error


def _file(path: Path) -> Blob:
    try:
        if path.is_char_device() or path.is_block_device():  # may never end, as /dev/zero does not
            raise SourceError("a device is no dump", location=str(path), hint="- reads standard input")
        return Blob(str(path), path.read_bytes())
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        reason = getattr(error, "strerror", None) or str(error)
        raise SourceError(f"cannot read the file: {reason}", location=str(path), hint=CHECK_PATH) from error


def _folder(folder: Path) -> Iterator[Blob | Problem]:
    """The manifests below a folder; one that cannot be read hides no other."""
    failures: list[OSError] = []
    for parent, folders, names in os.walk(folder, onerror=failures.append):
        # Hidden folders hold no dumps: they are of version control, or the insides of a mounted volume.
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            if is_manifest(name):
                yield _found(Path(parent, name))
    for failure in failures:
        yield _unreadable(f"cannot read the folder: {failure.strerror}", str(failure.filename))


def _found(file: Path) -> Blob | Problem:
    if not os.path.isfile(file):  # noqa: PTH113  # a pipe would be waited for
        return _unreadable("not read: a link that leads nowhere, a pipe or a device", str(file))
    try:
        return _file(file)
    except SourceError as error:
        return _unreadable(error.message, str(file))


def _unreadable(message: str, location: str) -> Problem:
    return Problem(code="unreadable-file", location=location, message=message)


def _or_none_found(found: Iterator[Blob | Problem], path: str) -> Iterator[Blob | Problem]:
    empty = True
    for item in found:
        empty = False
        yield item
    if empty:
        suffixes = ", ".join(SUFFIXES)
        yield Problem(code="no-manifests", location=path, message=f"nothing here ends in {suffixes}")
