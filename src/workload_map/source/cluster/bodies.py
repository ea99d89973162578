"""The bytes of an answer: unpacked as they come, and no more of them than may be."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator

import httpx2

from workload_map.source import unpacking

ENCODING = "gzip"
"""How servers may pack what they send; API servers know no other way."""
_GZIP = zlib.MAX_WBITS | 16
# So much is unpacked at once, however much more there is in a piece.
_AT_ONCE = 1 << 20


class BodyError(Exception):
    """What was sent cannot be unpacked, or is more than may be read."""


def content(response: httpx2.Response) -> bytes:
    """The whole body of an answer.

    Raises:
        BodyError: It cannot be unpacked, or is larger than it may be.
        httpx2.TransportError: The connection breaks.
    """
    pieces: list[bytes] = []
    size = 0
    is_packed = _encoding(response) != "identity"
    for piece in _unpacked(response):
        size += len(piece)
        if size > (unpacking.allowance(response.num_bytes_downloaded) if is_packed else unpacking.MAX_BYTES):
            raise BodyError("it is larger than may be read")
        pieces.append(piece)
    return b"".join(pieces)


def lines(response: httpx2.Response) -> Iterator[bytes]:
    """The lines of an answer as they come, without end; raises as `content`."""
    begun: list[bytes] = []
    size = 0
    for piece in _unpacked(response):
        first, *others = piece.split(b"\n")
        begun.append(first)
        size += len(first)
        for other in others:
            yield b"".join(begun)
            begun, size = [other], len(other)
        if size > unpacking.FREE_BYTES:
            raise BodyError("a line of it is larger than may be read")
    if size:
        yield b"".join(begun)


def _unpacked(response: httpx2.Response) -> Iterator[bytes]:
    encoding = _encoding(response)
    if encoding == "identity":
        return response.iter_raw()
    if encoding == ENCODING:
        return _gunzip(response.iter_raw())
    raise BodyError(f"it cannot be unpacked: it is packed as {encoding!r}")


def _gunzip(packed: Iterable[bytes]) -> Iterator[bytes]:
    unpacker = zlib.decompressobj(_GZIP)
    try:
        for piece in packed:
            rest, out = piece, b""
            while rest or (len(out) == _AT_ONCE and not unpacker.eof):
                if unpacker.eof:  # one packed part may follow another
                    unpacker = zlib.decompressobj(_GZIP)
                yield (out := unpacker.decompress(rest, _AT_ONCE))
                rest = unpacker.unconsumed_tail or unpacker.unused_data
    except zlib.error as error:
        raise BodyError(f"it cannot be unpacked: {error}") from error
    if not unpacker.eof:
        raise BodyError("it cannot be unpacked: it is cut off")


def _encoding(response: httpx2.Response) -> str:
    given: str = response.headers.get("Content-Encoding", "identity")
    return given.strip().lower()
