"""Kubeconfig files, merged as client-go's `clientcmd` merges them.

Of several files the first one with a named entry gives it, and relative paths are relative to the file that
holds them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from workload_map.documents import Document, read
from workload_map.source.cluster.errors import ConnectionConfigError

_DEFAULT_FILE = Path("~/.kube/config")
_PATHS = {
    "clusters": ("certificate-authority",),
    "users": ("client-certificate", "client-key", "tokenFile"),
}


class _File(msgspec.Struct, frozen=True, rename="kebab"):
    """A kubeconfig file as far as several are merged; entries are read when they are chosen."""

    clusters: list[dict[str, Any]] | None = None
    users: list[dict[str, Any]] | None = None
    contexts: list[dict[str, Any]] | None = None
    current_context: str | None = None


def merged(kubeconfig: str | None, environment: Mapping[str, str]) -> dict[str, Any]:
    """All files as one: named entries by name, and the current context.

    Args:
        kubeconfig: The file that a flag names; None: those of the environment.
        environment: Where KUBECONFIG and HOME are looked up.

    Raises:
        ConnectionConfigError: A file cannot be read.
    """
    found: dict[str, Any] = {"clusters": {}, "users": {}, "contexts": {}, "current-context": None}
    for path in _files(kubeconfig, environment):
        one = _load(path)
        found["current-context"] = found["current-context"] or one.current_context
        for section, entry_name in (("clusters", "cluster"), ("users", "user"), ("contexts", "context")):
            for name, entry in _entries(getattr(one, section), section, entry_name, path):
                found[section].setdefault(name, entry)
    return found


def _files(kubeconfig: str | None, environment: Mapping[str, str]) -> Iterator[Path]:
    """The files that count. One named by a flag has to be there; others are passed over if they are not."""
    if kubeconfig:
        yield Path(kubeconfig)
        return
    named = [name for name in environment.get("KUBECONFIG", "").split(os.pathsep) if name]
    default = Path(environment["HOME"]) / _DEFAULT_FILE.relative_to("~") if "HOME" in environment else None
    for path in [Path(name) for name in named] or ([default] if default else []):
        if not is_absent(path):
            yield path


def is_absent(path: Path) -> bool:
    """Whether there is no such file; one that may not be looked at is there, and reading it tells why."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except (OSError, ValueError):
        return False
    return False


def contents(path: Path, what: str = "file") -> bytes:
    """What a file holds.

    Args:
        path: The file.
        what: How it is called where it cannot be read.

    Raises:
        ConnectionConfigError: It cannot be read.
    """
    try:
        return path.read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ConnectionConfigError(f"cannot read the {what}: {reason}", location=str(path)) from error


def _load(path: Path) -> _File:
    for document in read(contents(path, "kubeconfig"), str(path), positions=False):
        if not isinstance(document, Document):
            raise ConnectionConfigError(
                f"the kubeconfig is no YAML: {document.message}", location=document.location
            )
        try:
            return msgspec.convert(document.value or {}, _File)
        except msgspec.ValidationError as error:
            raise ConnectionConfigError(f"this is no kubeconfig: {error}", location=str(path)) from error
    return _File()


def _entries(
    items: list[dict[str, Any]] | None, section: str, entry_name: str, path: Path
) -> Iterator[tuple[str, Any]]:
    for number, item in enumerate(items or ()):
        name, entry = item.get("name"), item.get(entry_name)
        if not isinstance(name, str) or not isinstance(entry, dict | None):
            raise ConnectionConfigError(
                "this is no entry of a kubeconfig", location=f"{path}, {section}[{number}]"
            )
        entry = dict(entry or {})
        for field in _PATHS.get(section, ()):
            if isinstance(entry.get(field), str) and entry[field]:
                entry[field] = str(path.absolute().parent / entry[field])
        yield name, {**entry, "folder": path.absolute().parent}
