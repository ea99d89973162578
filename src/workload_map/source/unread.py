"""Large JSON lists, item by item: most objects of a cluster need not be read before it is known what counts.

A dump of a large cluster takes six times its size as plain objects, and most of it answers no question. So
its items stay text, of which only the kind and the name are known, until somebody asks.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import msgspec

from workload_map.definition import CollisionError, DefinitionSet
from workload_map.definition.definition_set import Entry
from workload_map.documents import DocumentError
from workload_map.engine.plan import plan_of
from workload_map.engine.view import Problem
from workload_map.source.blobs import Blob
from workload_map.source.crds import CRD
from workload_map.source.fields import Sharing, Tree, fields_of, object_type, pod_fields
from workload_map.source.kinds import GroupKind
from workload_map.source.objects import Found, Object, ObjectReader, fault_of, kind_named, shortened
from workload_map.source.protocol import CLAIMS, DEFINITION

LARGE = 1_000_000
"""From so many bytes on it is worth it."""
_PIECE = 1 << 20


class Unread(NamedTuple):
    """An object that was not read yet.

    Attributes:
        api_version: Its `apiVersion`.
        kind: Its kind.
        text: Its JSON, which is well-formed as far as braces and commas go.
        place: Where the list stands that holds it.
        number: Which item of that it is; the first one is 1.
    """

    api_version: str
    kind: str
    text: msgspec.Raw
    place: str
    number: int


class Items(msgspec.Struct, rename="camel"):
    """A list as the API server or kubectl writes it, its items as text."""

    kind: str
    items: list[msgspec.Raw]
    api_version: Any = None


_Decode = Callable[[msgspec.Raw], Object | None]
_POD = ("v1", "Pod")
_list = msgspec.json.Decoder(Items).decode
_whole: Callable[[msgspec.Raw], Any] = msgspec.json.Decoder().decode
# An object as kubectl writes it, its keys sorted. To look through all of it for its kind takes longer.
_beginning = re.compile(rb'\s*\{\s*"apiVersion"\s*:\s*"([\w./-]+)"\s*,\s*"kind"\s*:\s*"(\w+)"').match


def items_of(data: bytes) -> Items | None:
    """The items of a large JSON list; None where the text is anything else, or not all of it is UTF-8."""
    if len(data) < LARGE or data[:100].lstrip()[:1] != b"{":
        return None
    try:
        found = _list(data)
        if not data.isascii():
            _check_utf8(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    return found if found.kind.endswith("List") else None


@lru_cache(maxsize=1024)
def _type_of(api_version: bytes, kind: bytes) -> tuple[str, str] | None:
    """The `apiVersion` and kind of what begins with these; None for what must be looked at as a whole.

    Definitions and CustomResourceDefinitions say how the others are to be understood, and lists hold others.
    """
    found = api_version.decode(), kind.decode()
    whole = kind == b"Status" or kind.endswith(b"List") or kind_named(*found) in (DEFINITION, CRD)
    return None if whole else found


def _check_utf8(data: bytes) -> None:
    """Piece by piece, so that no copy is made of it all; decoding does not look at what it passes over."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    view = memoryview(data)
    for start in range(0, len(view), _PIECE):
        decoder.decode(view[start : start + _PIECE])
    decoder.decode(b"", final=True)


class LargeReader(ObjectReader):
    """Takes objects out of files, and leaves most of those in large JSON lists for later.

    Attributes:
        everything: All objects, read or not, in the order of the files: of two versions that do not tell
            which one is newer it is the later one.
    """

    def __init__(self) -> None:
        super().__init__()
        self.everything: list[Found | Unread] = []

    def read(self, blob: Blob) -> None:
        """Take all objects out of one file."""
        large = items_of(blob.data)
        if large is None:
            super().read(blob)
            self._move()
            return
        place, before = f"{blob.name}, document 1", len(self.problems)
        for number, text in enumerate(large.items, 1):
            beginning = _beginning(text)
            kind = _type_of(*beginning.groups()) if beginning else None
            if kind is not None:
                self.everything.append(Unread(*kind, text, place, number))
            else:
                self._read_item(text, large, f"{place}, item {number}")
                self._move()
        self.shorten(before, blob.name)

    def _move(self) -> None:
        self.everything += self.found
        self.found = []

    def _read_item(self, text: msgspec.Raw, large: Items, place: str) -> None:
        try:
            value = _whole(text)
        except (msgspec.DecodeError, RecursionError) as error:
            self.problem(DocumentError.code, place, f"not read: {error}")
            return
        self.take_item(value, place, {"kind": large.kind, "apiVersion": large.api_version})


class Decoding:
    """Reads objects, with no more of their fields than count for the views of workloads.

    Args:
        definitions: What is covered; None: all fields of all objects are read.
        kinds: The `apiVersion` and kind of all objects at hand.

    """

    def __init__(self, definitions: DefinitionSet | None, kinds: Collection[tuple[str, str]]) -> None:
        self._definitions = definitions
        self._kinds = kinds
        self._sharing = Sharing()
        self._decoders: dict[tuple[str, str], _Decode] = {}
        self._problems: dict[str, list[Problem]] = {}

    def read(self, items: Iterable[Found | Unread]) -> Iterator[Found]:
        """The objects, in their order; what cannot be read after all is among the problems."""
        for item in items:
            if isinstance(item, Found):
                yield item
                continue
            api_version, kind, text, _, _ = item
            decode = self._decoders.get((api_version, kind))
            if decode is None:
                decode = self._decoders[api_version, kind] = self._decoder(api_version, kind)
            value = decode(text)
            if value is None:
                value = self._read_whole(item)
            if value is not None:
                yield Found(value, False)

    def _read_whole(self, item: Unread) -> Object | None:
        """All of an object; None, and a problem, where it is none."""
        try:
            value: Object = _whole(item.text)
        except (msgspec.DecodeError, RecursionError) as error:
            self._tell(item, DocumentError.code, f"not read: {error}")
            return None
        fault = fault_of(value)
        if fault is not None:
            self._tell(item, *fault)
            return None
        value["metadata"].pop("managedFields", None)  # who changed which field is kept of no object
        return value

    def _tell(self, item: Unread, code: str, message: str) -> None:
        problem = Problem(code, f"{item.place}, item {item.number}", message)
        self._problems.setdefault(item.place, []).append(problem)

    @property
    def problems(self) -> list[Problem]:
        """What could not be read, list after list."""
        lists = [shortened(found, place) for place, found in self._problems.items()]
        return [problem for problems in lists for problem in problems]

    def _decoder(self, api_version: str, kind: str) -> _Decode:
        """What decodes objects of a kind as far as they count; None for those to be looked at as a whole."""
        tree = self._fields(api_version, kind)
        kept = tree["metadata"] if tree is not None else None
        if tree is None or kept is None or "managedFields" in kept:
            return lambda _: None
        type_ = object_type(tree, api_version, kind)
        some: Callable[[msgspec.Raw], Object] = msgspec.json.Decoder(type_).decode
        share = self._sharing.pod if (api_version, kind) == _POD else None

        def decode(text: msgspec.Raw) -> Object | None:
            try:
                value = some(text)
                name = value["metadata"]["name"]
                if type(name) is not str or not name:
                    return None
            except (msgspec.DecodeError, RecursionError, KeyError, TypeError):
                return None  # something in it is not as the API has it
            if share is not None:
                share(value)
            return value

        return decode

    def _fields(self, api_version: str, kind: str) -> Tree | None:
        if self._definitions is None or kind_named(api_version, kind) in self._referenced:
            return None
        if (api_version, kind) == _POD:
            return pod_fields(entry.definition for entry in self._used)
        entry = self._covering(api_version, kind)
        return fields_of(entry.definition) if entry is not None else None

    @cached_property
    def _referenced(self) -> set[GroupKind]:
        """The kinds of which paths of other kinds may read any field, and of which devices are counted."""
        plans = [plan_of(entry.definition) for entry in self._used]
        return {*CLAIMS, *(GroupKind(*kind) for plan in plans for kind in plan.read_kinds)}

    @cached_property
    def _used(self) -> list[Entry]:
        """The definitions that count: those of kinds at hand; all, where one of these wraps other kinds."""
        used = [entry for kind in self._kinds if (entry := self._covering(*kind)) is not None]
        wraps = any(plan_of(entry.definition).wraps for entry in used)
        return self._definitions.entries() if wraps and self._definitions else used

    def _covering(self, api_version: str, kind: str) -> Entry | None:
        try:
            return self._definitions.get(api_version, kind) if self._definitions else None
        except CollisionError:
            return None
