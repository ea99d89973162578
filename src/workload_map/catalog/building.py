"""Making the index of the catalog from its YAML files."""

from __future__ import annotations

from pathlib import Path

import msgspec

from workload_map.catalog.index import IndexedKind
from workload_map.definition import DefinitionError, from_document
from workload_map.definition.schema import Definition, GroupVersionKind
from workload_map.documents import DocumentError, read

FOLDER = Path(__file__).parent


class _Names(msgspec.Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """An entry of `names.yaml`."""

    group: str
    kind: str
    plural: str
    singular: str
    short_names: tuple[str, ...] = ()
    namespaced: bool = True


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
