"""A piece of text with its name: what files, archive members and standard input have in common."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import NamedTuple

SUFFIXES = (".yaml", ".yml", ".json")
ARCHIVES = (".tar", ".tar.gz", ".tgz", ".zip")


class Blob(NamedTuple):
    """The bytes of one file, and what to call it in messages."""

    name: str
    data: bytes


def is_manifest(name: str) -> bool:
    """Whether a file found in a folder or an archive counts: YAML and JSON by its name, and not hidden.

    Args:
        name: The name, in an archive with the folders before it.
    """
    hidden = any(part.startswith(".") for part in PurePosixPath(name).parts)
    return name.lower().endswith(SUFFIXES) and not hidden


def is_archive(name: str) -> bool:
    """Whether the name says that a file is an archive of such files."""
    return name.lower().endswith(ARCHIVES)
