"""Bytes of a file into documents: the encoding, the split at `---`, and whether a part is JSON or YAML."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from workload_map.documents.document import Document, DocumentError
from workload_map.documents.json_text import JsonText, invalid_utf8

_MARKER = b"---"
_AFTER_MARKER = (b"", b" ", b"\t", b"\r", b"\n")
MAX_ERRORS = 1_000  # a file with more is not what it was taken for; reading each on would take long
# Flow style YAML can look like JSON; above this size, reading it again only to name its error costs too much.
_MAX_FLOW_STYLE = 1 << 20
_ENCODINGS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def read(data: bytes | str, file: str, *, positions: bool = False) -> Iterator[Document | DocumentError]:
    """Read the documents of a file one by one, each when it is asked for.

    A file is YAML or JSON, of one or many documents: separated by `---`, or JSON texts one after another.
    Empty documents (nothing, or only comments) are left out. A document that cannot be read is given as an
    error *value*, so that the good ones before and after it are still read; what follows a broken one inside
    of the same `---` part is lost with it, except for JSON, one a line.

    Args:
        data: The file's content. Bytes are UTF-8, or what their byte order mark says.
        file: What to call the file in errors.
        positions: Keep what `Document.position` needs, and refuse duplicate keys in JSON as well (in YAML
            they always are). For files that people write; costs time and memory in big dumps.

    Yields:
        `Document`, or `DocumentError` for each that cannot be read.
    """
    try:
        raw = _to_utf8(data, file)
    except DocumentError as error:
        yield error
        return
    index, errors = 1, 0
    for part in _parts(raw, file):
        for found in _read_part(part, index, positions=positions):
            yield found
            index += 1
            errors += isinstance(found, DocumentError)
        if errors >= MAX_ERRORS:
            yield DocumentError(f"{errors} documents cannot be read; the rest is not tried", file=file)
            return


class _Part(NamedTuple):
    """What stands between two `---` lines, the first one included."""

    raw: bytes
    file: str
    first_line: int


def _to_utf8(data: bytes | str, file: str) -> bytes:
    if isinstance(data, str):
        return data.removeprefix("\ufeff").encode("utf-8", "surrogatepass")
    for mark, encoding in _ENCODINGS:
        if not data.startswith(mark):
            continue
        if encoding == "utf-8":
            return data[len(mark) :]
        try:
            return data[len(mark) :].decode(encoding).encode()
        except UnicodeDecodeError as error:
            raise DocumentError(f"not {encoding.upper()} text: {error.reason}", file=file) from None
    return data


def _parts(raw: bytes, file: str) -> Iterator[_Part]:
    """Split at the `---` lines. One cannot stand inside of a YAML scalar or of JSON: that needs no parser."""
    start, line = 0, 1
    while start < len(raw):
        end = _next_marker(raw, start)
        while end != len(raw) and _only_directives(raw[start:end]):
            end = _next_marker(raw, end)
        yield _Part(raw[start:end], file, line)
        line += raw.count(b"\n", start, end) if end != len(raw) else 0
        start = end


def _next_marker(raw: bytes, start: int) -> int:
    """Where the next line behind `start` that is a document marker begins; the text's end if none is."""
    found = raw.find(b"\n---", start)
    while found != -1:
        after = found + 1 + len(_MARKER)
        if raw[after : after + 1] in _AFTER_MARKER:
            return found + 1
        found = raw.find(b"\n---", after)
    return len(raw)


def _only_directives(part: bytes) -> bool:
    """Whether these are the `%` lines that belong to the document behind the next marker."""
    if b"%" not in part:  # told without a copy of what may be the whole file
        return False
    lines = [line for line in part.splitlines() if line.strip() and not line.startswith(b"#")]
    return bool(lines) and all(line.startswith(b"%") for line in lines)


def _read_part(part: _Part, index: int, *, positions: bool) -> Iterator[Document | DocumentError]:
    body = part.raw
    if body.startswith(_MARKER) and body[3:4] in _AFTER_MARKER:
        body = b"   " + body[len(_MARKER) :]  # the same columns, without the marker
    first = body.lstrip()[:1]
    if not first:  # nothing between two markers, as often as the file has room for them
        return
    if first not in (b"{", b"["):
        yield from _yaml(part, index, positions=positions)
        return
    text = JsonText(body, part.file, part.first_line, strict=positions)
    for number, found in enumerate(text.documents(index)):
        if number == 0 and not text.is_json and len(body) <= _MAX_FLOW_STYLE:
            in_yaml = list(_yaml(part, index, positions=positions))
            if not (_is_meant_as_json(body) and any(isinstance(each, DocumentError) for each in in_yaml)):
                yield from in_yaml
                return
        yield found


def _is_meant_as_json(body: bytes) -> bool:
    """Whether a text that begins with a bracket, and is neither JSON nor YAML, was rather meant as JSON."""
    bracket, rest = body.lstrip()[:1], body.lstrip()[1:].lstrip()
    return rest[:1] in ((b'"', b"}", b"") if bracket == b"{" else (b'"', b"{", b"[", b"]", b""))


def _yaml(part: _Part, index: int, *, positions: bool) -> Iterator[Document | DocumentError]:
    from workload_map.documents.yaml_text import YamlText  # noqa: PLC0415 - PyYAML is not needed for JSON

    try:
        part.raw.decode()
    except UnicodeDecodeError:
        yield invalid_utf8(part.raw, part.file, index, part.first_line)
        return
    text = YamlText(part.raw, part.file, part.first_line)
    try:
        for number, value in enumerate(text.values(index)):
            locate = partial(text.places, index, number) if positions else None
            yield Document(value, part.file, index + number, locate)
    except DocumentError as error:
        yield error
