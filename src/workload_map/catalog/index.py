"""The index of the catalog: kinds and their names, and the definitions in a form that needs no YAML.

`index.json` beside this module is made from the `definition.yaml` files and `names.yaml` and kept under
version control; `python -m workload_map.catalog` writes it. Reading it touches the kinds only: a definition
stays a piece of JSON text until it is asked for, which takes microseconds where its YAML takes a millisecond.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import msgspec

from workload_map.definition.kind_names import KindNames
from workload_map.definition.schema import Definition

FILE = Path(__file__).with_name("index.json")


class IndexedKind(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A kind that a built-in definition covers.

    Attributes:
        definition: The name of the definition.
        group: Empty for the core group.
        version: The version that the definition is written for.
        kind: In the spelling of manifests.
        versions: Further versions of the kind that it also covers.
        plural: Lower case, as `kubectl get` takes it.
        singular: Lower case.
        short_names: Lower case.
        namespaced: Whether its objects live in a namespace.
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
    """The built-in definition of a name.

    Raises:
        KeyError: There is none; `kinds` tells the names.
    """
    return msgspec.json.decode(_index().definitions[name], type=Definition)


def file(name: str) -> Path | None:
    """The YAML file of the built-in definition of a name; None where there is none."""
    line = re.compile(rf"^  name: {re.escape(name)}$", re.MULTILINE)
    found = (one for one in sorted(FILE.parent.glob("*/definition.yaml")) if line.search(one.read_text()))
    return next(found, None)
