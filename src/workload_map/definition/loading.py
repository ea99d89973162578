"""Definitions out of files and of objects that a source has."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from workload_map.definition import structure
from workload_map.definition.decoding import decode
from workload_map.definition.definition_set import Entry, Layer, Origin
from workload_map.definition.findings import Finding, Report, Steps, from_document_error, in_order
from workload_map.definition.schema import API_VERSION, KIND, Definition
from workload_map.documents import Document, DocumentError, read

_SUFFIXES = (".yaml", ".yml", ".json")
Check = Callable[[Definition, Report], None]


def load(paths: Iterable[Path | str], origin: Origin = "file") -> tuple[Layer, list[Finding]]:
    """Read the definitions in files and directories.

    A file holds definitions only, in as many documents as it likes, or in a `List`. Of a directory all YAML
    and JSON files are read, in its folders too; documents of other kinds are passed over there.

    Args:
        paths: Files and directories.
        origin: What to call the definitions' origin.

    Returns:
        The layer of those that can be used, and what is wrong with the others and with the files, by place.
    """
    entries: list[Entry] = []

    def keep(definition: Definition, report: Report, file: str) -> None:
        _check(definition, report)
        if not report.has_errors:
            entries.append(Entry.of(definition, origin, file))

    findings = each_in_files(paths, keep)
    return Layer(entries), in_order(findings)


def load_objects(objects: Iterable[Any], origin: Origin = "cluster") -> tuple[Layer, list[Finding]]:
    """Read definitions that a cluster or a dump gave as objects.

    Returns:
        The layer of those that can be used, and what is wrong with the others.
    """
    entries: list[Entry] = []
    findings: list[Finding] = []
    for value in objects:
        report = Report(Document(value, _name_of(value), 1))
        definition = decode(value, report)
        if definition is not None:
            _check(definition, report)
            if not report.has_errors:
                entries.append(Entry.of(definition, origin))
        findings += report.findings
    return Layer(entries), in_order(findings)


def _check(definition: Definition, report: Report) -> None:
    """Report what keeps a definition from being used: its structure, and expressions that do not compile."""
    from workload_map.definition import compiled  # noqa: PLC0415 - the built-in definitions need no check

    if structure.check(definition, report):
        compiled.check(definition, report)


def each_in_files(
    paths: Iterable[Path | str], use: Callable[[Definition, Report, str], None]
) -> list[Finding]:
    """Call `use` with each definition in files and directories, its report and its file's name.

    Returns:
        All findings: about files and documents, and those of the reports.
    """
    findings: list[Finding] = []
    for path in map(Path, paths):
        before = len(findings)
        count = 0
        for found in read_files(path, positions=True):
            if isinstance(found, Finding):
                findings.append(found)
                continue
            for value, base in definitions_in(found):
                if path.is_dir() and _is_something_else(value):
                    continue
                count += 1
                report = Report(found, base)
                definition = decode(value, report)
                if definition is not None:
                    use(definition, report, found.file)
                findings += report.findings
        if count == 0 and len(findings) == before:
            findings.append(Finding.of("no-definitions", "no definition in here", str(path)))
    return findings


def read_files(path: Path, *, positions: bool) -> Iterator[Document | Finding]:
    """The documents of a file, of all YAML and JSON files in a directory, or of standard input (`-`).

    What could not be read comes as a finding in its place.
    """
    for file in _files(path):
        if isinstance(file, Finding):
            yield file
            continue
        try:
            data = _standard_input() if str(file) == "-" else file.read_bytes()
        except (OSError, ValueError) as error:  # ValueError: a NUL in the name
            yield _unreadable(file, getattr(error, "strerror", None) or str(error))
            continue
        for found in read(data, str(file), positions=positions):
            yield from_document_error(found) if isinstance(found, DocumentError) else found


def _standard_input() -> bytes:
    if sys.stdin is None:  # the process was started without it
        raise ValueError("standard input is closed")
    return sys.stdin.buffer.read()


def _files(path: Path) -> Iterator[Path | Finding]:
    """The path itself, or of a folder the files in it by path, and what cannot be looked at."""
    if not os.path.isdir(path):  # noqa: PTH112  # of Path it fails for a name that is too long
        yield path
        return
    failures: list[OSError] = []
    inside: list[Path] = []
    for parent, folders, names in os.walk(path, onerror=failures.append):
        folders[:] = [name for name in folders if not name.startswith(".")]
        inside += [Path(parent, name) for name in names if _counts(name)]
    for file in sorted(inside):
        is_file = os.path.isfile(file)  # noqa: PTH113  # a pipe would be waited for
        yield file if is_file else _unreadable(file, "a link that leads nowhere, a pipe or a device")
    for failure in failures:
        yield _unreadable(failure.filename, failure.strerror or "cannot be read")


def _counts(name: str) -> bool:
    return name.lower().endswith(_SUFFIXES) and not name.startswith(".")


def _unreadable(file: Path | str, reason: str) -> Finding:
    return Finding.of("unreadable-file", reason, str(file))


def definitions_in(document: Document) -> Iterator[tuple[Any, Steps]]:
    """The values in a document that should be definitions: itself, or the items of a list."""
    value = document.value
    if not (isinstance(value, dict) and value.get("kind") in ("List", f"{KIND}List")):
        yield value, ()
        return
    items = value.get("items")
    for index, item in enumerate(items if isinstance(items, list) else ()):
        yield item, ("items", index)


def _is_something_else(value: Any) -> bool:
    """Whether a document has nothing of a definition, not even a misspelt one."""
    if not isinstance(value, dict):
        return True
    group = API_VERSION.partition("/")[0]
    return value.get("kind") != KIND and str(value.get("apiVersion")).partition("/")[0] != group


def _name_of(value: Any) -> str:
    metadata = value.get("metadata") if isinstance(value, dict) else None
    name = metadata.get("name") if isinstance(metadata, dict) else None
    return name if isinstance(name, str) and name else "a definition without a name"
