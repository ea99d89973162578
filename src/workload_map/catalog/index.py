"""The index of the catalog: kinds and their names, and the definitions in a form that needs no YAML.

`index.json` beside this module is made from the `definition.yaml` files and `names.yaml` and kept under
version control; `python -m workload_map.catalog` writes it. Reading it touches the kinds only: a definition
stays a piece of JSON text until it is asked for, which takes microseconds where its YAML takes a millisecond.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec

from workload_map.definition import DefinitionError, from_document
from workload_map.definition.kind_names import KindNames
from workload_map.definition.schema import Definition, GroupVersionKind
from workload_map.documents import DocumentError, read

FOLDER = Path(__file__).parent
FILE = FOLDER / "index.json"


class _Names(msgspec.Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """An entry of `names.yaml`."""

    group: str
    kind: str
    plural: str
    singular: str
    short_names: tuple[str, ...] = ()
    namespaced: bool = True


class IndexedKind(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A kind that a built-in definition covers.

    Attributes:
        definition: The name of the definition.
        versions: Further versions of the kind that it also covers.
    """

    definition: str
    group: str
    version: str
    kind: str
    versions: tuple[str, ...]
    plural: str
    singular: str
    short_names: tuple[str, ...]
    namespaced: bool


class _Index(msgspec.Struct, frozen=True):
    kinds: tuple[IndexedKind, ...]
    definitions: dict[str, msgspec.Raw]


@cache
def _index() -> _Index:
    return msgspec.json.decode(FILE.read_bytes(), type=_Index)


def kinds() -> tuple[IndexedKind, ...]:
    """The kinds that the built-in definitions cover, by group and kind."""
    return _index().kinds


def kind_names() -> tuple[KindNames, ...]:
    """What these kinds are called, each version on its own."""
    return tuple(
        KindNames(
            group=one.group,
            version=version,
            kind=one.kind,
            plural=one.plural,
            singular=one.singular,
            short_names=one.short_names,
            namespaced=one.namespaced,
        )
        for one in kinds()
        for version in (one.version, *one.versions)
    )


@cache
def definition(name: str) -> Definition:
    """The built-in definition of a name, which `kinds` tells."""
    return msgspec.json.decode(_index().definitions[name], type=Definition)


def build() -> bytes:
    """The content of `index.json` as the YAML files have it now.

    Raises:
        DefinitionError: A definition cannot be used.
        DocumentError: A file is no YAML.
    """
    names = _read_names()
    definitions = sorted(map(_read_definition, FOLDER.glob("*/definition.yaml")), key=lambda one: one.name)
    indexed = sorted((_indexed(one, names) for one in definitions), key=lambda one: (one.group, one.kind))
    # One line a kind and a definition, so that a change of one is a change of one line.
    kinds_text = b",\n".join(msgspec.json.encode(one) for one in indexed)
    definitions_text = b",\n".join(
        msgspec.json.encode(one.name) + b": " + msgspec.json.encode(one) for one in definitions
    )
    return b'{"kinds": [\n' + kinds_text + b'\n], "definitions": {\n' + definitions_text + b"\n}}\n"


def _read_definition(path: Path) -> Definition:
    for found in read(path.read_bytes(), str(path), positions=True):
        if isinstance(found, DocumentError):
            raise found
        one, findings = from_document(found)
        if one is None:
            raise DefinitionError(findings)
        return one
    raise DocumentError("there is no definition", file=str(path))


def _read_names() -> dict[tuple[str, str], _Names]:
    path = FOLDER / "names.yaml"
    for found in read(path.read_bytes(), str(path)):
        if isinstance(found, DocumentError):
            raise found
        return {(one.group, one.kind): one for one in msgspec.convert(found.value, list[_Names])}
    raise DocumentError("there are no names", file=str(path))


def _indexed(one: Definition, names: dict[tuple[str, str], _Names]) -> IndexedKind:
    kind = one.root.kind or GroupVersionKind()
    called = names[kind.group, kind.kind]
    return IndexedKind(
        definition=one.name,
        group=kind.group,
        version=kind.version,
        kind=kind.kind,
        versions=kind.versions,
        plural=called.plural,
        singular=called.singular,
        short_names=called.short_names,
        namespaced=called.namespaced,
    )
