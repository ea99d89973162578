"""One YAML text into values, event by event, on a stack of its own.

PyYAML gives the events (through libyaml where that is there); its loaders are not used: they recurse, let the
last of several equal keys win, share what aliases name without counting, and know dates.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any, NoReturn

import yaml
from yaml.parser import Parser
from yaml.reader import Reader, ReaderError
from yaml.scanner import Scanner

from workload_map.documents import scalars
from workload_map.documents.document import DocumentError, Position, Steps

# Kubernetes objects stay below 60; deeper text only serves to exhaust whoever walks it.
MAX_DEPTH = 200
# What aliases may add to a document, in characters and nodes, counted as if each were written out.
MAX_ALIASED = 10_000_000


class PurePythonParser(Reader, Scanner, Parser):
    """The events without libyaml: about eight times slower, otherwise the same."""

    def __init__(self, stream: bytes) -> None:
        Reader.__init__(self, stream)
        Scanner.__init__(self)
        Parser.__init__(self)


try:
    from yaml._yaml import CParser
except ImportError:  # PyYAML was built without libyaml
    CParser = None  # type: ignore[assignment, misc]

_Parser: Any = PurePythonParser if CParser is None else CParser

_MERGE = object()  # the pending key of a mapping at `<<`
_NO_KEY = object()  # a mapping that waits for a key
_COLLECTION_TAGS: dict[Any, tuple[str | None, ...]] = {
    yaml.MappingStartEvent: (None, "!", "tag:yaml.org,2002:map"),
    yaml.SequenceStartEvent: (None, "!", "tag:yaml.org,2002:seq"),
}


class YamlText:
    """One YAML text: one document, or several if its lines end in a way that only YAML knows (a lone CR).

    Args:
        raw: The text as UTF-8, without a byte order mark. It is parsed as it is: as a string it would be
            there twice more, since libyaml takes bytes.
        file: The file's name, for errors.
        first_line: The number of the text's first line in the file.
    """

    def __init__(self, raw: bytes, file: str, first_line: int) -> None:
        self._raw = raw
        self._file = file
        self._first_line = first_line

    def values(self, index: int) -> Iterator[Any]:
        """The values of all documents that are not empty.

        Args:
            index: The number of the first document in the file.

        Raises:
            DocumentError: At the first place that cannot be read.
        """
        for _, value, _ in self._documents(index, with_places=False):
            yield value

    def places(self, index: int, number: int) -> dict[Steps, Position]:
        """Where each key and entry of document `number` of this text (from 0) stands."""
        for found, _, places in self._documents(index, with_places=True):
            if found == number:
                return places
        return {}

    def _documents(
        self, index: int, *, with_places: bool
    ) -> Iterator[tuple[int, Any, dict[Steps, Position]]]:
        number = 0
        try:
            parser = _Parser(self._raw)
            while not isinstance(event := parser.get_event(), yaml.StreamEndEvent):
                if not isinstance(event, yaml.DocumentStartEvent):
                    continue
                builder = _Builder(self._first_line, with_places=with_places)
                value = builder.build(parser)
                if not builder.empty:
                    yield number, value, builder.places
                    number += 1
        except ReaderError as error:
            raise self._unreadable(error, index + number) from None
        except yaml.MarkedYAMLError as error:
            raise self._malformed(error, index + number) from None
        except _RefusedError as error:
            hint = self._hint(error.position.line - self._first_line, error.position.column - 1)
            raise self._error(error.message, error.position, index + number, hint) from None

    def _unreadable(self, error: ReaderError, index: int) -> DocumentError:
        offset = error.position
        text = self._raw.decode()
        if _Parser is not PurePythonParser:  # libyaml counts bytes
            offset = len(self._raw[:offset].decode(errors="ignore"))
        line = text.count("\n", 0, offset)
        column = offset - (text.rfind("\n", 0, offset) + 1)
        position = Position(self._first_line + line, column + 1)
        character = ord(error.character) if isinstance(error.character, str) else error.character
        if character == 0:
            return self._error("a NUL character: this is not a text file", position, index, None)
        return self._error(f"the control character U+{character:04X} is not allowed", position, index, None)

    def _malformed(self, error: yaml.MarkedYAMLError, index: int) -> DocumentError:
        mark = error.problem_mark or error.context_mark
        position = _position(mark, self._first_line) if mark is not None else None
        problem = f"not valid YAML: {error.problem}"
        hint = None
        if mark is not None:
            hint = self._hint(mark.line, mark.column)
        if hint is None and error.context and error.context_mark is not None:
            began = self._first_line + error.context_mark.line
            hint = f"It happened {error.context} that begins on line {began}."
        return self._error(problem, position, index, hint)

    def _hint(self, line: int, column: int) -> str | None:
        lines = self._raw.decode().splitlines()
        text = lines[line] if line < len(lines) else ""
        if text[column : column + 1] == "\t":
            return "This is a tab; YAML takes only spaces for indentation."
        if "{{" in text:
            return "This looks like a template; render it first and read the result."
        return None

    def _error(self, message: str, position: Position | None, index: int, hint: str | None) -> DocumentError:
        return DocumentError(message, file=self._file, document=index, position=position, hint=hint)


class _RefusedError(Exception):
    """Valid YAML that is refused; the text that is read adds file and document."""

    def __init__(self, message: str, position: Position) -> None:
        super().__init__(message)
        self.message = message
        self.position = position


class _Open:
    """A collection that is being filled."""

    __slots__ = ("anchor", "key", "merge", "path", "size_before", "value")

    def __init__(
        self, value: dict[str, Any] | list[Any], path: Steps, anchor: str | None, size_before: int
    ) -> None:
        self.value = value
        self.path = path
        self.anchor = anchor
        self.size_before = size_before
        self.key: Any = _NO_KEY if isinstance(value, dict) else None
        self.merge: tuple[Any, yaml.Event] | None = None


class _Builder:
    """Builds the value of one document from its events."""

    def __init__(self, first_line: int, *, with_places: bool) -> None:
        self.places: dict[Steps, Position] = {}
        self.empty = False
        self._first_line = first_line
        self._with_places = with_places
        self._stack: list[_Open] = []
        self._anchors: dict[str, tuple[Any, int]] = {}
        self._size = 0  # nodes and characters so far, aliases counted as what they stand for
        self._aliased = 0
        self._root: Any = None

    def build(self, parser: Any) -> Any:
        """Read events up to the document's end; `empty` tells no content from an explicit null."""
        while True:
            event = parser.get_event()
            kind = type(event)
            if kind is yaml.ScalarEvent:
                self._scalar(event)
            elif kind in _COLLECTION_TAGS:
                self._start(event, kind)
            elif kind is yaml.AliasEvent:
                self._alias(event)
            elif kind is yaml.DocumentEndEvent:
                return self._root
            else:
                self._end()

    def _scalar(self, event: yaml.ScalarEvent) -> None:
        text = event.value
        self._size += len(text) + 1
        if text == "<<" and event.implicit[0] and self._wants_key():
            self._merge_key(event)
            return
        value = self._resolve(event)
        if event.anchor is not None:
            self._anchors[event.anchor] = (value, len(text) + 1)
        if self._wants_key():
            self._key(value, event)
        else:
            self._add(value, event)

    def _resolve(self, event: yaml.ScalarEvent) -> scalars.Scalar:
        try:
            if event.tag is not None:
                return scalars.tagged(event.value, event.tag)
            if not event.implicit[0]:  # quoted, or a block
                return str(event.value)
            self.empty = event.value == "" and not self._stack
            return scalars.plain(event.value)
        except ValueError as error:
            self._refuse(str(error), event)

    def _start(self, event: yaml.CollectionStartEvent, kind: Any) -> None:
        if event.tag not in _COLLECTION_TAGS[kind]:
            self._refuse(f"the tag {scalars.short_tag(str(event.tag))} is not supported", event)
        if self._wants_key():
            self._refuse("a key is a mapping or a list", event)
        if len(self._stack) >= MAX_DEPTH:
            self._refuse(f"nested more than {MAX_DEPTH} levels deep", event)
        value: dict[str, Any] | list[Any] = {} if kind is yaml.MappingStartEvent else []
        path = self._add(value, event)
        self._stack.append(_Open(value, path, event.anchor, self._size))
        self._size += 1

    def _end(self) -> None:
        closed = self._stack.pop()
        if closed.merge is not None:
            self._merge(closed.value, *closed.merge)
        if closed.anchor is not None:
            self._anchors[closed.anchor] = (closed.value, self._size - closed.size_before)

    def _alias(self, event: yaml.AliasEvent) -> None:
        if event.anchor not in self._anchors:
            inside = any(parent.anchor == event.anchor for parent in self._stack)
            problem = "stands inside of what it names" if inside else "names nothing before it"
            self._refuse(f"the alias *{scalars.cut(str(event.anchor))} {problem}", event)
        value, size = self._anchors[event.anchor]
        self._size += size
        self._aliased += size
        if self._aliased > MAX_ALIASED:
            self._refuse(f"aliases add more than {MAX_ALIASED} characters to the document", event)
        if not self._wants_key():
            self._add(value, event)
        elif isinstance(value, dict | list):
            self._refuse("a key is a mapping or a list", event)
        else:
            self._key(value, event)

    def _wants_key(self) -> bool:
        return bool(self._stack) and self._stack[-1].key is _NO_KEY

    def _key(self, value: scalars.Scalar, event: yaml.Event) -> None:
        if value is None:
            self._refuse("a key is null", event)
        key = sys.intern(scalars.key(value))  # most keys are there thousands of times
        parent = self._stack[-1]
        if key in parent.value:
            self._refuse(f"the key {scalars.shorten(key)} is there twice", event)
        parent.key = key
        if self._with_places:
            self.places[(*parent.path, key)] = _position(event.start_mark, self._first_line)

    def _add(self, value: Any, event: yaml.Event) -> Steps:
        """Put a value where it belongs and give its steps (no steps unless places are wanted)."""
        if not self._stack:
            self._root = value
            return self._place((), event)
        parent = self._stack[-1]
        if isinstance(parent.value, list):
            parent.value.append(value)
            return self._place((*parent.path, len(parent.value) - 1), event) if self._with_places else ()
        key, parent.key = parent.key, _NO_KEY
        if key is _MERGE:
            parent.merge = (value, event)
            return parent.path
        parent.value[key] = value
        return (*parent.path, key) if self._with_places else ()

    def _place(self, path: Steps, event: yaml.Event) -> Steps:
        if self._with_places:
            self.places[path] = _position(event.start_mark, self._first_line)
        return path

    def _merge_key(self, event: yaml.Event) -> None:
        parent = self._stack[-1]
        if parent.merge is not None:
            self._refuse("the key '<<' is there twice", event)
        parent.key = _MERGE

    def _merge(self, target: Any, value: Any, event: yaml.Event) -> None:
        """Add the keys of the merged mappings; the mapping's own win, then those of earlier mappings."""
        sources = value if isinstance(value, list) else [value]
        if not all(isinstance(source, dict) for source in sources):
            self._refuse("'<<' takes a mapping or a list of mappings", event)
        for source in sources:
            for key, inherited in source.items():
                target.setdefault(key, inherited)

    def _refuse(self, message: str, event: yaml.Event) -> NoReturn:
        raise _RefusedError(message, _position(event.start_mark, self._first_line))


def _position(mark: Any, first_line: int) -> Position:
    return Position(first_line + mark.line, mark.column + 1)
