"""One JSON text into values: msgspec does the work, this module finds the places of what it refuses.

As in other readers, the last of several equal keys wins, since looking for them costs more than the decoding;
with `strict` they are errors.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property
from typing import Any, NoReturn

import msgspec

from workload_map.documents.document import Document, DocumentError, Position, Steps

MAX_DEPTH = 200  # of documents that are read strictly; others may be as deep as msgspec's own recursion goes
_SPACE = b" \t\r\n"
_BLANKS = re.compile(rb"[ \t\r\n]*")
_TOKEN = re.compile(rb'[{}\[\]:,]|"(?:[^"\\]|\\.)*"|[^\s{}\[\]:,"]+', re.DOTALL)
_NOT_FINITE = re.compile(rb"NaN|Infinity")
_BYTE_OF_ERROR = re.compile(r"(.*) \(byte (\d+)\)")
_TRAILING = "JSON is malformed: trailing characters"
_INFINITE = (float("inf"), float("-inf"))


class JsonText:
    """A text of one or many JSON documents, one after another (as a watch writes them) or one a line.

    Args:
        raw: The text in UTF-8, without a byte order mark.
        file: The file's name, for errors.
        first_line: The number of the text's first line in the file.
        strict: Refuse duplicate keys, and let documents tell their places.

    Attributes:
        is_json: Whether the text has the form of JSON, even where it holds a value that JSON has not.
    """

    def __init__(self, raw: bytes, file: str, first_line: int, *, strict: bool) -> None:
        self.raw = raw
        self._file = file
        self._first_line = first_line
        self._strict = strict
        self._line_end = -1
        # The offset that a place was told of last, and how many characters of its line stand before it.
        self._told = (-1, 0)
        self.is_json = True

    def documents(self, index: int) -> Iterator[Document | DocumentError]:
        """All documents, the first with number `index`.

        After a broken one it goes on with the next line that begins a document, if the broken one began a
        line too; after a second one in a row it ends: these lines are rather parts of something bigger.
        """
        start, failed = self._skip_blanks(0), False
        while start < len(self.raw):
            try:
                document, end = self._next(start, index)
            except DocumentError as error:
                yield error
                restart = self.raw.find(b"\n{", start) + 1
                if failed or restart == 0 or not self._begins_line(start):
                    return
                start, failed = restart, True
            else:
                yield document
                start, failed = self._skip_blanks(end), False
            index += 1

    def position(self, offset: int) -> Position:
        """The place in the file of a byte of the text."""
        line = bisect_right(self._line_starts, offset) - 1
        begin, column = self._line_starts[line], 0
        if begin <= self._told[0] <= offset:  # places are mostly asked for in their order
            begin, column = self._told
        column += len(self.raw[begin:offset].decode(errors="replace"))
        self._told = (offset, column)
        return Position(self._first_line + line, column + 1)

    def error(self, message: str, offset: int, index: int) -> DocumentError:
        """An error at a byte of the text."""
        return DocumentError(message, file=self._file, document=index, position=self.position(offset))

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer(rb"\n", self.raw))]

    def _next(self, start: int, index: int) -> tuple[Document, int]:
        try:
            value, end = self._decode(start)
        except msgspec.DecodeError as error:
            raise self._malformed(error, start, index) from None
        except RecursionError:
            _Scan(self, start, len(self.raw), index).places()  # says where the nesting begins to be too deep
            raise DocumentError("nested too deeply", file=self._file, document=index) from None
        if not self._strict:
            return Document(value, self._file, index), end
        places = _Scan(self, start, end, index).places()
        return Document(value, self._file, index, lambda: places), end

    def _decode(self, start: int) -> tuple[Any, int]:
        """The document that begins at `start`, and where it ends."""
        view = memoryview(self.raw)
        if self._line_end < start:  # looked for once a line: many documents may stand on one
            self._line_end = self.raw.find(b"\n", start)
            if self._line_end == -1:
                self._line_end = len(self.raw)
        if self._line_end != len(self.raw):
            try:  # a document a line, the usual form of many in one file; a longer one fails at once
                return msgspec.json.decode(view[start : self._line_end]), self._line_end
            except msgspec.DecodeError:
                pass
        try:
            return msgspec.json.decode(view[start:]), len(self.raw)
        except msgspec.DecodeError as error:
            end = self._begin_of_another(error, start)
            if end is None:
                raise
        return msgspec.json.decode(view[start:end]), end

    def _begin_of_another(self, error: msgspec.DecodeError, start: int) -> int | None:
        match = _BYTE_OF_ERROR.fullmatch(str(error))
        if match is None or match[1] != _TRAILING:
            return None
        offset = start + int(match[2]) - 1
        return offset if self.raw[offset : offset + 1] in (b"{", b"[") else None

    def _malformed(self, error: msgspec.DecodeError, start: int, index: int) -> DocumentError:
        message = str(error)
        if match := _BYTE_OF_ERROR.fullmatch(message):
            offset = start + int(match[2]) - (match[1] == _TRAILING)
            message = match[1].removeprefix("JSON is malformed: ")
            if not_finite := _NOT_FINITE.match(self.raw, offset):
                return self.error(f"{not_finite[0].decode()} is not a number that JSON has", offset, index)
        elif "UTF-8" in message:
            return invalid_utf8(self.raw, self._file, index, self._first_line)
        elif "out of range" in message:
            return self.error("a number is out of range", self._offset_of_number(start), index)
        else:
            message, offset = "the text ends inside of the document", len(self.raw.rstrip(_SPACE))
        self.is_json = False
        return self.error(f"not valid JSON: {message}", offset, index)

    def _offset_of_number(self, start: int) -> int:
        for match in _TOKEN.finditer(self.raw, start):
            if match[0][0] in b"-0123456789" and _is_infinite(match[0]):
                return match.start()
        return start

    def _begins_line(self, offset: int) -> bool:
        return self.raw[offset : offset + 1] == b"{" and self.raw[max(offset - 1, 0) : offset] in (
            b"",
            b"\n",
        )

    def _skip_blanks(self, offset: int) -> int:
        match = _BLANKS.match(self.raw, offset)
        return match.end() if match else offset


class _Scan:
    """Walks the tokens of a document, valid or too deep, for the places of its keys and entries."""

    def __init__(self, text: JsonText, start: int, end: int, index: int) -> None:
        self._text = text
        self._tokens = _TOKEN.finditer(text.raw, start, end)
        self._index = index
        self._places: dict[Steps, Position] = {}
        # Of each open collection: its steps, and the index of its current entry (None in an object).
        self._open: list[tuple[Steps, int | None]] = []
        self._key = ""

    def places(self) -> dict[Steps, Position]:
        """Steps to places.

        Raises:
            DocumentError: At a key that is there twice, and where the nesting is too deep.
        """
        wants_key = False
        for match in self._tokens:
            token = match[0]
            if token == b",":
                wants_key = self._advance()
            elif token in (b"}", b"]"):
                self._open.pop()
                wants_key = False
            elif wants_key:
                wants_key = False
                self._key = msgspec.json.decode(token, type=str)
                self._place((*self._open[-1][0], self._key), match.start())
            elif token != b":":
                wants_key = self._value(token, match.start())
        return self._places

    def _advance(self) -> bool:
        steps, number = self._open[-1]
        if number is None:
            return True
        self._open[-1] = (steps, number + 1)
        return False

    def _value(self, token: bytes, offset: int) -> bool:
        """Place a value; whether a key comes next."""
        steps: Steps = ()
        in_object = False
        if self._open:
            parent, number = self._open[-1]
            in_object = number is None
            steps = (*parent, self._key if number is None else number)
        if not in_object:  # in an object the key was placed
            self._place(steps, offset)
        if token not in (b"{", b"["):
            return False
        if len(self._open) >= MAX_DEPTH:
            self._refuse(f"nested more than {MAX_DEPTH} levels deep", offset)
        self._open.append((steps, None if token == b"{" else 0))
        return token == b"{"

    def _place(self, steps: Steps, offset: int) -> None:
        if steps in self._places:
            self._refuse(f"the key {steps[-1]!r} is there twice", offset)
        self._places[steps] = self._text.position(offset)

    def _refuse(self, message: str, offset: int) -> NoReturn:
        raise self._text.error(message, offset, self._index)


def _is_infinite(token: bytes) -> bool:
    """Whether a token that begins as a number does is too large for one; such an integer as well."""
    try:
        return float(token) in _INFINITE
    except ValueError:
        return False


def invalid_utf8(raw: bytes, file: str, index: int, first_line: int) -> DocumentError:
    """The error for bytes that are not UTF-8, with the place of the first wrong one."""
    try:
        raw.decode()
    except UnicodeDecodeError as error:
        line_start = raw.rfind(b"\n", 0, error.start) + 1
        line = first_line + raw.count(b"\n", 0, error.start)
        position = Position(line, len(raw[line_start : error.start].decode()) + 1)
        message = f"not UTF-8 text (byte 0x{raw[error.start]:02X})"
        return DocumentError(message, file=file, document=index, position=position)
    return DocumentError("not UTF-8 text", file=file, document=index)
