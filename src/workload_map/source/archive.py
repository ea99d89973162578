"""The members of an archive, as bytes, one at a time. Nothing is ever written to disk.

An archive is hostile until read: names may climb out of it, members may be links or devices, and a small file
may hold gigabytes. So only regular members with plain relative names count, and what comes out is bounded by
what went in.
"""

from __future__ import annotations

import gzip
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO, Self, cast

from workload_map.engine.view import Problem
from workload_map.source import unpacking
from workload_map.source.blobs import Blob, is_manifest
from workload_map.source.errors import SourceError

MAX_MEMBERS = 50_000


_BROKEN = (
    OSError,
    EOFError,
    zlib.error,
    lzma.LZMAError,
    zipfile.BadZipFile,
    tarfile.TarError,
    NotImplementedError,  # a way of packing that is not supported
)


def members(path: Path, name: str) -> Iterator[Blob | Problem]:
    """The manifests in the archive at `path`; what is refused or broken comes as a problem in its place.

    Args:
        path: The archive.
        name: What the user calls it, for the names of its members (`dump.zip!pods.yaml`).

    Raises:
        SourceError: Nothing of the archive can be read, or it holds more than it may.
    """
    any_found = False
    try:
        for found in _zip(path, name) if name.lower().endswith(".zip") else _tar(path, name):
            any_found = True
            yield found
    except _BROKEN as error:
        reason = getattr(error, "strerror", None) or str(error)
        if not any_found:
            raise SourceError(
                f"the archive cannot be read: {reason}",
                location=name,
                hint="write it anew, or unpack it and give the folder",
            ) from error
        yield Problem(
            code="archive-broken", location=name, message=f"the archive cannot be read to its end: {reason}"
        )


class _Bounded:
    """A reader that gives up once more has come out than may; also the headers of a tar pass through it."""

    def __init__(self, stream: IO[bytes] | gzip.GzipFile, allowed: int, name: str) -> None:
        self._stream = stream
        self._left = allowed
        self._name = name

    def read(self, size: int = -1) -> bytes:
        """As of a file, but never more than is still allowed."""
        data = self._stream.read(self._left + 1 if size < 0 else min(size, self._left + 1))
        self._left -= len(data)
        if self._left < 0:
            raise _too_much(self._name)
        return data


class _Member(tarfile.TarInfo):
    """A header that tells where an archive is cut off; `tarfile` takes that for its end."""

    @classmethod
    def fromtarfile(cls, archive: tarfile.TarFile) -> Self:
        """As of the base class, but without its mark an archive has no end."""
        try:
            return super().fromtarfile(archive)
        except tarfile.EOFHeaderError:  # type: ignore[attr-defined]  # the mark
            raise
        except tarfile.HeaderError as error:
            if archive.offset == 0:  # no archive at all
                raise
            raise tarfile.ReadError(f"it is cut off or damaged after {archive.offset} bytes") from error


def _tar(path: Path, name: str) -> Iterator[Blob | Problem]:
    packed = not name.lower().endswith(".tar")
    allowed = unpacking.allowance(path.stat().st_size)
    with (
        path.open("rb") as file,
        gzip.GzipFile(fileobj=file) if packed else file as stream,
        tarfile.open(
            fileobj=cast("IO[bytes]", _Bounded(stream, allowed, name)), mode="r|", tarinfo=_Member
        ) as archive,
    ):
        for count, member in enumerate(archive):
            if count >= MAX_MEMBERS:
                raise _too_much(name)
            if member.isdir():
                continue
            place = f"{name}!{member.name}"
            # A sparse member claims a size that the archive never held.
            refusal = _refusal(member.name, member.isreg() and not member.issparse())
            if refusal:
                yield Problem(code="member-refused", location=place, message=refusal)
            elif is_manifest(member.name) and (content := archive.extractfile(member)) is not None:
                yield Blob(place, content.read())


def _zip(path: Path, name: str) -> Iterator[Blob | Problem]:
    allowed = unpacking.allowance(path.stat().st_size)
    with zipfile.ZipFile(path) as archive:
        entries = archive.infolist()
        if len(entries) > MAX_MEMBERS:
            raise _too_much(name)
        for entry in entries:
            if entry.is_dir():
                continue
            place = f"{name}!{entry.filename}"
            refusal = _refusal(entry.filename, _is_regular(entry))
            if refusal:
                yield Problem(code="member-refused", location=place, message=refusal)
            elif not is_manifest(entry.filename):
                continue
            elif entry.flag_bits & 0x1:
                yield Problem(code="member-refused", location=place, message="the member is encrypted")
            else:
                try:  # each member stands alone: a damaged one hides no other
                    with archive.open(entry) as content:
                        # The size in the directory may lie; what really comes out is what counts.
                        data = content.read(allowed + 1)
                except _BROKEN as error:
                    message = f"the member cannot be read: {error}"
                    yield Problem(code="archive-broken", location=place, message=message)
                    continue
                allowed -= len(data)
                if allowed < 0:
                    raise _too_much(name)
                yield Blob(place, data)


def _is_regular(entry: zipfile.ZipInfo) -> bool:
    kind = (entry.external_attr >> 16) & 0o170000
    return kind in (0, 0o100000)


def _refusal(member: str, regular: bool) -> str | None:
    path = PurePosixPath(member.replace("\\", "/"))
    if path.is_absolute() or ".." in path.parts or ":" in member.partition("/")[0]:
        return "the member's name leads out of the archive"
    return None if regular else "the member is a link or a device, not a file"


def _too_much(name: str) -> SourceError:
    return SourceError(
        "the archive unpacks to more than may be read",
        location=name,
        hint=f"at most {MAX_MEMBERS} members and {unpacking.MAX_BYTES >> 30} GiB, "
        f"{unpacking.MAX_RATIO} times its own size; unpack it and give the folder instead",
    )
