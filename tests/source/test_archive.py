"""Archives: read member by member, and hostile until proven otherwise."""

from __future__ import annotations

import gzip
import io
import json
import random
import tarfile
import zipfile
from pathlib import Path

import pytest

from tests.source.objects import job, names
from workload_map.source import Dump, SourceError, archive, unpacking

ONE = json.dumps(job("one")).encode()
TWO = json.dumps(job("two")).encode()


def _tar(path: Path, members: list[tuple[tarfile.TarInfo, bytes]], mode: str) -> str:
    with tarfile.open(path, mode) as file:  # type: ignore[call-overload]
        for member, data in members:
            member.size = len(data)
            file.addfile(member, io.BytesIO(data))
    return str(path)


def _zip(path: Path, members: dict[str, bytes]) -> str:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in members.items():
            file.writestr(name, data)
    return str(path)


def _names(dump: Dump) -> list[str]:
    return sorted(names(dump.objects()))


@pytest.mark.parametrize(("name", "mode"), [("a.tar", "w"), ("a.tar.gz", "w:gz"), ("a.TGZ", "w:gz")])
def test_the_manifests_of_a_tar_are_read(tmp_path: Path, name: str, mode: str) -> None:
    folder = tarfile.TarInfo("dump")
    folder.type = tarfile.DIRTYPE
    members = [
        (folder, b""),
        (tarfile.TarInfo("dump/one.json"), ONE),
        (tarfile.TarInfo("./dump/two.YAML"), TWO),
        (tarfile.TarInfo("dump/README"), b"{ no manifest"),
    ]
    dump = Dump([_tar(tmp_path / name, members, mode)])
    assert _names(dump) == ["one", "two"]
    assert dump.warnings == []


def test_the_manifests_of_a_zip_are_read(tmp_path: Path) -> None:
    dump = Dump([_zip(tmp_path / "a.zip", {"dump/one.json": ONE, "two.yml": TWO, "README": b"{ no"})])
    assert _names(dump) == ["one", "two"]
    assert dump.warnings == []


def test_a_problem_in_a_member_names_archive_and_member(tmp_path: Path) -> None:
    dump = Dump([_zip(tmp_path / "a.zip", {"one.json": ONE, "bad.yaml": b"a: [\n"})])
    assert _names(dump) == ["one"]
    (warning,) = dump.warnings
    assert warning.location is not None and "a.zip!bad.yaml, document 1" in warning.location


@pytest.mark.parametrize(
    "name", ["../one.json", "a/../../one.json", "/etc/one.json", "..\\one.json", "C:/one.json"]
)
@pytest.mark.parametrize("kind", ["tar", "zip"])
def test_names_that_lead_out_are_refused(tmp_path: Path, name: str, kind: str) -> None:
    if kind == "tar":
        path = _tar(
            tmp_path / "a.tar", [(tarfile.TarInfo(name), ONE), (tarfile.TarInfo("two.json"), TWO)], "w"
        )
    else:
        path = _zip(tmp_path / "a.zip", {name: ONE, "two.json": TWO})
    dump = Dump([path])
    assert _names(dump) == ["two"]
    assert [one.code for one in dump.warnings] == ["member-refused"]


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE])
def test_links_and_devices_are_refused(tmp_path: Path, kind: bytes) -> None:
    link = tarfile.TarInfo("one.json")
    link.type, link.linkname = kind, "/etc/passwd"
    dump = Dump([_tar(tmp_path / "a.tar", [(link, b""), (tarfile.TarInfo("two.json"), TWO)], "w")])
    assert _names(dump) == ["two"]
    assert [one.code for one in dump.warnings] == ["member-refused"]


def test_a_link_in_a_zip_is_refused(tmp_path: Path) -> None:
    link = zipfile.ZipInfo("one.json")
    link.external_attr = 0o120777 << 16
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr(link, "/etc/passwd")
        file.writestr("two.json", TWO)
    dump = Dump([str(path)])
    assert _names(dump) == ["two"]
    assert [one.code for one in dump.warnings] == ["member-refused"]


def test_a_sparse_member_that_claims_what_it_does_not_hold_is_refused(tmp_path: Path) -> None:
    member = tarfile.TarInfo("one.json")
    member.type = tarfile.GNUTYPE_SPARSE
    block = bytearray(member.tobuf(tarfile.GNU_FORMAT))
    block[386:410] = b"%011o\x00%011o\x00" % (0, 0)  # one extent, of nothing
    block[483:495] = b"77777777777\x00"  # that stands for 8 GiB
    block[148:156] = b"        "
    block[148:156] = b"%06o\x00 " % sum(block)
    path = tmp_path / "a.tar"
    path.write_bytes(bytes(block) + b"\0" * 1024)
    with pytest.raises(SourceError, match="not a file"):
        Dump([str(path)])


@pytest.mark.parametrize("kind", ["tar.gz", "zip"])
def test_an_archive_that_unpacks_to_far_more_than_it_is_is_refused(
    tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unpacking, "FREE_BYTES", 1 << 16)
    bomb = b" " * (8 << 20)
    if kind == "zip":
        path = _zip(tmp_path / "a.zip", {"one.json": bomb})
    else:
        path = _tar(tmp_path / "a.tar.gz", [(tarfile.TarInfo("one.json"), bomb)], "w:gz")
    with pytest.raises(SourceError, match="unpacks to more than may be read") as caught:
        Dump([path])
    assert caught.value.location == path


def test_members_that_do_not_count_are_bounded_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpacking, "FREE_BYTES", 1 << 16)
    members = [(tarfile.TarInfo("core.bin"), b"\0" * (8 << 20)), (tarfile.TarInfo("one.json"), ONE)]
    with pytest.raises(SourceError, match="unpacks to more than may be read"):
        Dump([_tar(tmp_path / "a.tar.gz", members, "w:gz")])


@pytest.mark.parametrize("kind", ["tar", "zip"])
def test_the_number_of_members_is_bounded(tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MAX_MEMBERS", 3)
    members = {f"{number}.json": ONE for number in range(4)}
    if kind == "tar":
        path = _tar(
            tmp_path / "a.tar", [(tarfile.TarInfo(name), data) for name, data in members.items()], "w"
        )
    else:
        path = _zip(tmp_path / "a.zip", members)
    with pytest.raises(SourceError, match="unpacks to more than may be read"):
        Dump([path])


def test_an_archive_without_manifests_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="nothing here ends in"):
        Dump([_zip(tmp_path / "a.zip", {"README": b"x"})])


@pytest.mark.parametrize("name", ["a.zip", "a.tar", "a.tar.gz"])
def test_an_absent_archive_is_an_error(tmp_path: Path, name: str) -> None:
    with pytest.raises(SourceError, match="No such file"):
        Dump([str(tmp_path / name)])


@pytest.mark.parametrize("name", ["a.zip", "a.tar", "a.tar.gz"])
def test_damaged_archives_end_in_an_error_or_in_what_is_left(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    if name == "a.zip":
        _zip(path, {"one.json": ONE, "two.json": TWO})
    else:
        members = [(tarfile.TarInfo("one.json"), ONE), (tarfile.TarInfo("two.json"), TWO)]
        _tar(path, members, "w:gz" if name.endswith("gz") else "w")
    whole = path.read_bytes()
    chance = random.Random(7)  # noqa: S311  # which bytes are damaged has to be the same in every run
    for _ in range(300):
        damaged = bytearray(whole[: chance.randrange(len(whole))] if chance.random() < 0.3 else whole)
        for _ in range(chance.randrange(1, 4) if damaged else 0):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        path.write_bytes(damaged)
        try:
            Dump([str(path)])
        except SourceError as error:
            assert error.location is not None or error.problems


def test_a_gzip_of_something_else_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "a.tar.gz"
    path.write_bytes(gzip.compress(b"hello"))
    with pytest.raises(SourceError, match="the archive cannot be read"):
        Dump([str(path)])


@pytest.mark.parametrize("kept", [1024, 1500, 1536])
def test_a_tar_that_is_cut_off_is_told(tmp_path: Path, kept: int) -> None:
    """Cut off between two members, inside of a header, and inside of a member."""
    path = tmp_path / "a.tar"
    _tar(path, [(tarfile.TarInfo("one.json"), ONE), (tarfile.TarInfo("two.json"), TWO)], "w")
    path.write_bytes(path.read_bytes()[:kept])
    dump = Dump([str(path)])
    assert _names(dump) == ["one"]
    (warning,) = dump.warnings
    assert (warning.code, warning.location) == ("archive-broken", str(path))


def test_a_damaged_header_is_not_taken_for_the_end(tmp_path: Path) -> None:
    path = tmp_path / "a.tar"
    _tar(path, [(tarfile.TarInfo("one.json"), ONE), (tarfile.TarInfo("two.json"), TWO)], "w")
    data = bytearray(path.read_bytes())
    data[1024 + 150] ^= 1
    path.write_bytes(data)
    dump = Dump([str(path)])
    assert _names(dump) == ["one"]
    assert [one.code for one in dump.warnings] == ["archive-broken"]


@pytest.mark.parametrize("packing", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_damaged_member_of_a_zip_hides_no_other(tmp_path: Path, packing: int) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w", packing) as file:
        file.writestr("one.json", ONE)
        file.writestr("two.json", TWO)
    data = bytearray(path.read_bytes())
    begin = data.find(b"one.json") + len("one.json")
    for offset in range(begin + 12, begin + 40):
        data[offset] ^= 0x55
    path.write_bytes(data)
    dump = Dump([str(path)])
    assert _names(dump) == ["two"]
    (warning,) = dump.warnings
    assert (warning.code, warning.location) == ("archive-broken", f"{path}!one.json")


@pytest.mark.parametrize("kind", ["tar", "zip"])
def test_hidden_members_do_not_count_as_in_a_folder(tmp_path: Path, kind: str) -> None:
    hidden = [".one.json", "a/._two.json", ".git/config.yaml"]
    if kind == "tar":
        files = [(tarfile.TarInfo(name), b"\0") for name in hidden]
        path = _tar(tmp_path / "a.tar", [*files, (tarfile.TarInfo("./two.json"), TWO)], "w")
    else:
        path = _zip(tmp_path / "a.zip", {**dict.fromkeys(hidden, b"\0"), "two.json": TWO})
    dump = Dump([path])
    assert (_names(dump), dump.warnings) == (["two"], [])
