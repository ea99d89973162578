"""Cases: an object, its pods, and the view that is expected of them, as data beside a definition.

A case is a YAML file: `description` (a sentence), `object`, `pods` and `related` (left out: not looked at,
none at hand) and `expect`, a part of the view. Every key that is given must be there with that value; lists
are given whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from workload_map.definition import DefinitionSet
from workload_map.documents import DocumentError, read
from workload_map.engine.resolve import resolve
from workload_map.errors import WorkloadMapError

Object = dict[str, Any]


class CaseError(WorkloadMapError):
    """A file that is no case."""

    code = "invalid-case"


class _Content(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    description: str
    object: Object
    expect: Object
    pods: list[Object] | None = None
    related: list[Object] = []


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
    """A place in the view that is not as expected."""

    path: str
    expected: Any
    found: Any

    def __str__(self) -> str:
        return f"{self.path}: expected {_shown(self.expected)}, found {_shown(self.found)}"


class _Nothing:
    """Stands for a key or an entry that is not there."""

    def __repr__(self) -> str:
        return "nothing"


NOTHING = _Nothing()


def load(folder: Path) -> list[Case]:
    """The cases in a folder, by name.

    Raises:
        CaseError: A file is no case; the location names it.
        DocumentError: A file is no YAML.
    """
    return [read_case(file) for file in sorted(folder.glob("*.yaml"))]


def read_case(file: Path) -> Case:
    """The case in a file; raises as `load` does."""
    documents = list(read(file.read_bytes(), str(file), positions=True))
    for found in documents:
        if isinstance(found, DocumentError):
            raise found
    if len(documents) != 1:
        raise CaseError(f"a case is one document, found {len(documents)}", location=str(file))
    value = documents[0].value if not isinstance(documents[0], DocumentError) else None
    try:
        content = msgspec.convert(value, _Content)
    except msgspec.ValidationError as error:
        raise CaseError(str(error), location=str(file)) from None
    return Case(
        name=file.stem,
        file=file,
        description=content.description,
        object=content.object,
        expect=content.expect,
        pods=content.pods,
        related=content.related,
    )


def check(case: Case, definitions: DefinitionSet) -> list[Difference]:
    """Where the view of a case's object is not as the case expects it."""
    workload = resolve(case.object, definitions, pods=case.pods, related=case.related)
    return list(differences(case.expect, workload.to_dict()))


def differences(expected: Any, found: Any, path: str = "") -> Iterator[Difference]:
    """Where a value is not as expected: each expected key, all entries of lists, values with their types."""
    if isinstance(expected, dict) and isinstance(found, dict):
        for key, value in expected.items():
            yield from differences(value, found.get(key, NOTHING), _below(path, key))
    elif isinstance(expected, list) and isinstance(found, list | tuple):
        for index in range(max(len(expected), len(found))):
            here = expected[index] if index < len(expected) else NOTHING
            there = found[index] if index < len(found) else NOTHING
            yield from differences(here, there, f"{path}[{index}]")
    elif type(expected) is not type(found) or expected != found:
        yield Difference(path or ".", expected, found)


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


def _shown(value: Any) -> str:
    text = repr(value) if isinstance(value, _Nothing) else msgspec.json.encode(value).decode()
    return text if len(text) <= 200 else f"{text[:197]}..."
