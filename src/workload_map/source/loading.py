"""Reading all that the user points at, once, with everything that went wrong on the way."""

from __future__ import annotations

from collections.abc import Sequence

from workload_map.engine.view import Problem
from workload_map.source.errors import CHECK_PATH, SourceError
from workload_map.source.files import read_paths
from workload_map.source.objects import Found, Named, ObjectReader, ValueReader, collector_paused
from workload_map.source.unread import LargeReader

# What to do about a file, by the code of what is wrong with all of it.
_NEXT_STEPS = {
    "archive-broken": "write it anew, or unpack it and give the folder",
    "empty-file": "did what wrote it fail? an empty list is `kind: List` with `items: []`",
    "no-manifests": "give the files themselves, where their names end in something else",
    "server-error": "write the file anew: this is what `kubectl` was told in the place of objects",
    "unreadable-file": CHECK_PATH,
}


def load(paths: Sequence[str], *, strict: bool = False) -> tuple[list[Found], list[Problem]]:
    """The objects of files, folders, archives or standard input, and what could not be read.

    An empty list is an answer (the cluster has none), an empty file is not.

    Args:
        paths: Where they are.
        strict: Refuse duplicate keys in JSON as in YAML, for what people write.

    Raises:
        SourceError: A path cannot be read, or nothing but problems was found.
    """
    reader = ObjectReader(strict=strict)
    _read_all(paths, reader)
    if reader.problems and not reader.found:
        raise nothing_read(reader.problems)
    return reader.found, reader.problems


def load_lazily(paths: Sequence[str]) -> LargeReader:
    """As `load`, but most objects in large JSON lists are left unread; raises as that does."""
    reader = LargeReader()
    _read_all(paths, reader)
    if reader.problems and not reader.everything:
        raise nothing_read(reader.problems)
    return reader


def load_values(paths: Sequence[str]) -> tuple[list[Named], list[Problem]]:
    """Whatever values the files hold, objects or not, and what could not be read.

    Args:
        paths: Files, folders, archives, or `-` for standard input.

    Raises:
        SourceError: A path cannot be read, or nothing but problems was found.
    """
    reader = ValueReader()
    _read_all(paths, reader)
    if reader.problems and not reader.values:
        raise nothing_read(reader.problems)
    return reader.values, reader.problems


def _read_all(paths: Sequence[str], reader: ObjectReader) -> None:
    with collector_paused():
        for blob in read_paths(paths):
            if isinstance(blob, Problem):
                reader.problems.append(blob)
            else:
                reader.read(blob)


def nothing_read(problems: list[Problem]) -> SourceError:
    """The error where nothing but problems was found."""
    if len(problems) == 1:
        (only,) = problems
        return SourceError(only.message, location=only.location, hint=_NEXT_STEPS.get(only.code))
    error = SourceError("no object could be read", hint="each reason stands above")
    error.problems = tuple(problems)
    return error
