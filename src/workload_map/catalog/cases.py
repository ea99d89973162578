"""Cases: an object, its pods, and the view that is expected of them, as data beside a definition.

A case is a YAML file: `description` (a sentence), `object`, `pods` and `related` (left out: not looked at,
none at hand) and `expect`, a part of the view. Every key that is given must be there with that value; lists
are given whole, and their entries found by their ids or names where they have any. How the definition
was found (`origin`) is no part of it: a case holds in the catalog, by its path and in a cluster.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from workload_map.definition import DefinitionSet
from workload_map.definition.diagnosis import readable
from workload_map.definition.findings import Report
from workload_map.documents import Document, DocumentError, read
from workload_map.engine.resolve import resolve
from workload_map.errors import WorkloadMapError
from workload_map.spelling import did_you_mean

Object = dict[str, Any]


class CaseError(WorkloadMapError):
    """A file that is no case."""

    code = "invalid-case"


class _Content(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    description: str
    object: Object
    expect: Object
    pods: tuple[Object, ...] | None = None
    related: tuple[Object, ...] = ()


class Case(msgspec.Struct, frozen=True):
    """One case.

    Attributes:
        name: The file's name without its suffix.
        file: Where it stands.
        description: What it shows, one sentence.
        object: The workload.
        expect: The part of the view that is expected.
        pods: Its pods, and what is beside them; None where pods are not looked at.
        related: The other objects at hand.
    """

    name: str
    file: Path
    description: str
    object: Object
    expect: Object
    pods: list[Object] | None
    related: list[Object]


class Difference(msgspec.Struct, frozen=True):
    """A place in the view that is not as expected; where there is no such key, with the nearest one."""

    path: str
    expected: Any
    found: Any
    hint: str | None = None

    def __str__(self) -> str:
        """All in one line."""
        expected, found = self._texts()
        return f"{self.path}: expected {expected}, found {found}{self._hint()}"

    @property
    def lines(self) -> tuple[str, str, str]:
        """The place, and below it what is expected there and what was found."""
        expected, found = self._texts()
        return self.path, f"  expected  {expected}", f"  found     {found}{self._hint()}"

    def _hint(self) -> str:
        return f"; {self.hint}" if self.hint else ""

    def _texts(self) -> tuple[str, str]:
        """Both as JSON; of long ones the part where they begin to differ."""
        expected, found = _json(self.expected), _json(self.found)
        pairs = enumerate(zip(expected, found, strict=False))
        alike = next((index for index, (here, there) in pairs if here != there), 0)
        return _cut(expected, alike), _cut(found, alike)


class _Nothing:
    """Stands for a key or an entry that is not there."""

    def __repr__(self) -> str:
        return "nothing"


NOTHING = _Nothing()
_LONGEST = 200
"""So many characters of a value are shown."""


def files(folder: Path) -> list[Path]:
    """The files of the cases in a folder, by name: all YAML and JSON in it."""
    return sorted(file for file in folder.glob("*") if file.suffix in (".yaml", ".yml", ".json"))


def read_case(file: Path) -> Case:
    """The case in a file.

    Raises:
        CaseError: The file cannot be read, or is no case; the location names it.
        DocumentError: It is no YAML.
    """
    try:
        content = file.read_bytes()
    except OSError as error:
        raise CaseError(f"cannot be read: {error.strerror}", location=str(file)) from None
    documents = []
    for found in read(content, str(file), positions=True):
        if isinstance(found, DocumentError):
            raise found
        documents.append(found)
    if len(documents) != 1:
        raise CaseError(f"a case is one document, found {len(documents)}", location=str(file))
    told = _content(documents[0])
    if not told.expect:
        raise CaseError("`expect` is empty, so the case cannot fail", location=str(file))
    if "origin" in told.expect:
        message = "`expect.origin` says how the definition was found; what is expected holds however that was"
        raise CaseError(message, location=str(file), hint="leave it out")
    return Case(
        name=file.stem,
        file=file,
        description=told.description,
        object=told.object,
        expect=told.expect,
        pods=None if told.pods is None else list(told.pods),
        related=list(told.related),
    )


def _content(document: Document) -> _Content:
    try:
        return msgspec.convert(document.value, _Content)
    except msgspec.ValidationError:
        report = Report(document)
        readable(document.value, report, _Content)
        # A misspelt key is missing too, but that it is misspelt tells more.
        first = min(report.findings, key=lambda one: one.code != "unknown-field")
        raise CaseError(first.message, location=first.where, hint=first.hint) from None


def check(case: Case, definitions: DefinitionSet) -> list[Difference]:
    """Where the view of a case's object is not as the case expects it.

    Raises:
        WorkloadMapError: There is no view, since no definition covers the object or it is none.
    """
    return list(differences(case.expect, view(case, definitions)))


def view(case: Case, definitions: DefinitionSet) -> Object:
    """The view of a case's object, as far as a case can expect it.

    Raises:
        WorkloadMapError: There is no view, since no definition covers the object or it is none.
    """
    found = resolve(case.object, definitions, pods=case.pods, related=case.related).to_dict()
    del found["origin"]
    return found


def differences(expected: Any, found: Any, path: str = "") -> Iterator[Difference]:
    """Where a value is not as expected: each expected key, all entries of lists, values with their types."""
    if isinstance(expected, dict) and isinstance(found, dict):
        for key, value in expected.items():
            if key in found:
                yield from differences(value, found[key], _below(path, key))
            else:
                near = did_you_mean(key, found.keys() - expected.keys())
                yield Difference(_below(path, key), value, NOTHING, near)
    elif isinstance(expected, list) and isinstance(found, list | tuple):
        yield from _differences_of_lists(expected, found, path)
    elif type(expected) is not type(found) or expected != found:
        yield Difference(path or ".", expected, found)


def _differences_of_lists(expected: Sequence[Any], found: Sequence[Any], path: str) -> Iterator[Difference]:
    """By ids where all entries have one, so that one that is missing does not shift the others."""
    here, there = _by_id(expected), _by_id(found)
    if here is None or there is None:
        here, there = dict(enumerate(expected)), dict(enumerate(found))
    elif here.keys() == there.keys() and list(here) != list(there):
        yield Difference(f"{path}[] in order", list(here), list(there))
    for entry in {**here, **there}:
        yield from differences(here.get(entry, NOTHING), there.get(entry, NOTHING), f"{path}[{entry}]")


def _by_id(entries: Sequence[Any]) -> dict[Any, Any] | None:
    """Entries by what tells them apart; None where nothing does."""
    for key in ("id", "name", "key"):
        ids = [entry.get(key) if isinstance(entry, dict) else None for entry in entries]
        if all(isinstance(each, str) for each in ids) and len(set(ids)) == len(ids):
            return dict(zip(ids, entries, strict=True))
    return None


def unexpected(expected: Any, found: Any, path: str = "") -> Iterator[str]:
    """The keys of a value that an expectation says nothing about."""
    if isinstance(expected, dict) and isinstance(found, dict):
        for key, value in found.items():
            if key in expected:
                yield from unexpected(expected[key], value, _below(path, key))
            else:
                yield _below(path, key)
    elif isinstance(expected, list) and isinstance(found, list | tuple):
        for index, (here, there) in enumerate(zip(expected, found, strict=False)):
            yield from unexpected(here, there, f"{path}[{index}]")


def _below(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


def _json(value: Any) -> str:
    return repr(value) if isinstance(value, _Nothing) else msgspec.json.encode(value).decode()


def _cut(text: str, alike: int) -> str:
    """A long text from a little before a place on."""
    start = max(0, alike - 40) if len(text) > _LONGEST else 0
    end = start + _LONGEST
    return f"{'...' if start else ''}{text[start:end]}{'...' if end < len(text) else ''}"
