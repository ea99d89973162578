"""Servers that answer without end, packed beyond measure or in pieces; credentials that cannot be sent."""

from __future__ import annotations

import gzip
import json
import socket
import ssl
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any, cast

import httpx2
import pytest

from tests.apiserver import ApiServer, serving
from tests.apiserver.server import Call, Reply
from tests.cli.conftest import Wmap
from tests.cli.objects import job, pod, running
from workload_map.source import unpacking
from workload_map.source.cluster import Api, ClusterError, Flags, ForbiddenError, connection

Speak = Callable[[socket.socket, threading.Event], None]


@contextmanager
def _speaking(speak: Speak) -> Iterator[str]:
    """The address of a server that answers each connection in one way, and what ends it."""
    over = threading.Event()

    def accept() -> None:
        with suppress(OSError):
            while True:
                connection, _ = listener.accept()
                threading.Thread(target=answer, args=(connection,), daemon=True).start()

    def answer(connection: socket.socket) -> None:
        with connection, suppress(OSError):
            connection.recv(65536)
            speak(connection, over)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=accept, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            over.set()


def _trickling(begin: bytes) -> Speak:
    def speak(connection: socket.socket, over: threading.Event) -> None:
        connection.sendall(begin)
        while not over.wait(0.02):
            connection.sendall(b"x")

    return speak


@pytest.mark.parametrize(
    "begin",
    [b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n", b"HTTP/1.1 200 OK\r\nX-Long: ", b"HTTP/1.1 200 "],
    ids=["body", "headers", "status"],
)
def test_an_answer_that_trickles_is_given_up_when_its_time_is_over(wmap: Wmap, begin: bytes) -> None:
    with _speaking(_trickling(begin)) as url:
        started = time.monotonic()
        result = wmap("get", "jobs", "--server", url, "--request-timeout", "300ms", "-v")
        took = time.monotonic() - started
    assert (result.code, result.out) == (1, "")
    assert "no answer in time" in result.err
    assert " ReadTimeout in 0.3" in result.err
    assert took < 30  # and not for as long as the server goes on


def test_a_later_answer_that_trickles_leaves_out_what_it_would_tell(wmap: Wmap) -> None:
    asked: list[str] = []

    def before(call: Call) -> Reply | None:
        if call.path.endswith("/jobs"):
            asked.append(call.path)
            over.wait(60)
        return None

    over = threading.Event()
    with serving([running("steady"), pod("alone", "gone")]) as server:
        server.before = before
        result = wmap("get", "all", "-A", "--server", server.url, "--request-timeout", "1s")
        over.set()
    assert result.code == 0
    assert "left out: cannot reach the API server: no answer in time" in result.err
    assert len(asked) == 1  # it is not waited for as long again


def _packed(size: int) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    piece = b" " * (1 << 20)
    return b"".join([*(packer.compress(piece) for _ in range(size >> 20)), packer.flush()])


def _api(server: ApiServer) -> Api:
    return Api(connection(Flags(server=server.url), {}))


def test_an_answer_that_unpacks_to_far_more_than_it_is_is_refused(wmap: Wmap) -> None:
    bomb = _packed(unpacking.FREE_BYTES + (8 << 20))
    with serving([running("steady")]) as server:
        server.before = lambda call: (
            Reply(200, bomb, {"Content-Encoding": "gzip"}) if call.path.endswith("/jobs") else None
        )
        result = wmap("get", "jobs", "-A", "--server", server.url)
    assert (result.code, result.out) == (1, "")
    assert "larger than may be read" in result.err
    assert "/apis/batch/v1/jobs" in result.err


@pytest.mark.parametrize("size", [0, 1, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 3 << 20])
def test_a_packed_answer_is_all_that_was_packed(size: int) -> None:
    text = b"x" * size
    half = size // 2
    with serving() as server:
        # RFC 1952: packed parts may follow one another.
        for packed in (gzip.compress(text), gzip.compress(text[:half]) + gzip.compress(text[half:])):
            reply = Reply(200, packed, {"Content-Encoding": "gzip"})
            server.before = cast("Any", lambda _, reply=reply: reply)
            assert _api(server).get("/") == text


@pytest.mark.parametrize(
    ("encoding", "body"),
    [
        ("gzip", gzip.compress(b"{}")[:-4]),
        ("gzip", gzip.compress(b"{}") + b"more"),
        ("gzip", b"{}"),
        ("deflate", zlib.compress(b"{}")),
        ("br", b"{}"),
        ("gzip, gzip", gzip.compress(gzip.compress(b"{}"))),
    ],
    ids=["cut off", "with more", "not packed", "deflate", "br", "twice"],
)
def test_an_answer_that_cannot_be_unpacked_is_told(encoding: str, body: bytes) -> None:
    with serving() as server:
        server.before = lambda _: Reply(200, body, {"Content-Encoding": encoding})
        with pytest.raises(ClusterError, match="cannot be unpacked") as caught:
            _api(server).get("/there")
    assert caught.value.location == "/there"


def test_a_failure_counts_by_its_status_where_its_text_cannot_be_unpacked() -> None:
    replies = [Reply(503, b"?", {"Content-Encoding": "br", "Retry-After": "0"}), Reply(200, b"{}")]
    with serving() as server:
        server.before = lambda _: replies.pop(0)
        assert _api(server).get("/") == b"{}"
        server.before = lambda _: Reply(403, b"?", {"Content-Encoding": "br"})
        with pytest.raises(ForbiddenError):
            _api(server).get("/")


def test_servers_may_pack_what_they_send_but_where_it_is_refused(put: Any) -> None:
    with serving() as server:
        config = {
            "clusters": [{"name": "c", "cluster": {"server": server.url, "disable-compression": True}}],
            "contexts": [{"name": "x", "context": {"cluster": "c"}}],
            "current-context": "x",
        }
        _api(server).get("/api")
        Api(connection(Flags(kubeconfig=put("config", config)), {})).get("/api")
        assert [call.headers["accept-encoding"] for call in server.calls] == ["gzip", "identity"]


def test_the_lines_of_a_watch_are_those_that_were_sent() -> None:
    events = [{"type": "ADDED", "object": {"n": number}} for number in range(3)]
    text = b"".join(json.dumps(event).encode() + b"\n" for event in events)

    def speak(connection: socket.socket, over: threading.Event) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
        for place in range(0, len(text), 7):
            connection.sendall(text[place : place + 7])
            over.wait(0.001)

    with _speaking(speak) as url, Api(connection(Flags(server=url), {})).stream("/", {}) as lines:
        assert [json.loads(line) for line in lines] == events


def test_a_line_of_a_watch_without_end_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpacking, "FREE_BYTES", 1 << 16)

    def speak(connection: socket.socket, over: threading.Event) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        while not over.is_set():
            connection.sendall(b" " * 4096)

    with (
        _speaking(speak) as url,
        pytest.raises(ClusterError, match="a line of it is larger than may be read"),
        Api(connection(Flags(server=url), {})).stream("/", {}) as lines,
    ):
        list(lines)


def test_a_time_limit_for_requests_is_none_for_watches() -> None:
    """As a request in a watch may last for minutes, without a word."""
    event = json.dumps({"type": "ADDED", "object": job("late")}).encode() + b"\n"

    def speak(connection: socket.socket, over: threading.Event) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n")
        over.wait(0.5)
        connection.sendall(event)

    with _speaking(speak) as url:
        api = Api(connection(Flags(server=url, request_timeout="100ms"), {}))
        with api.stream("/", {}) as lines:
            assert list(lines) == [event.rstrip()]


@pytest.mark.parametrize("token", ["one\ntwo", "one\0"], ids=["newline", "nul"])
def test_a_token_that_cannot_be_sent_is_told_without_showing_it(wmap: Wmap, token: str) -> None:
    with serving() as server:
        result = wmap("get", "jobs", "--server", server.url, "--token", token)
    assert (result.code, result.out) == (1, "")
    assert result.err.startswith("error: the credentials cannot be ")
    assert "one" not in result.err and "Bearer" not in result.err


@pytest.mark.parametrize("name", ["folder", "binary", "absent"])
def test_the_file_of_a_token_that_cannot_be_read_is_told(
    wmap: Wmap, put: Any, tmp_path: Path, name: str
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    with serving() as server:
        config = {
            "clusters": [{"name": "c", "cluster": {"server": server.url}}],
            "users": [{"name": "u", "user": {"tokenFile": name}}],
            "contexts": [{"name": "x", "context": {"cluster": "c", "user": "u"}}],
            "current-context": "x",
        }
        result = wmap("get", "jobs", "--kubeconfig", put("config", config))
    assert (result.code, result.out) == (1, "")
    assert result.err.startswith("error: ")
    assert str(tmp_path / name) in result.err


def test_the_file_of_a_token_that_goes_away_breaks_a_watch_as_a_request(put: Any, tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.write_text("t")
    with serving() as server:
        config = {
            "clusters": [{"name": "c", "cluster": {"server": server.url}}],
            "users": [{"name": "u", "user": {"tokenFile": str(token)}}],
            "contexts": [{"name": "x", "context": {"cluster": "c", "user": "u"}}],
            "current-context": "x",
        }
        api = Api(connection(Flags(kubeconfig=put("config", config)), {}))
        token.unlink()
        with pytest.raises(ClusterError, match="the credentials cannot be used") as told, api.stream("/", {}):
            pass
    assert told.value.location == str(token)


@pytest.mark.parametrize(("alert", "tries"), [("TLSV1_ALERT_DECODE_ERROR", 2), ("WRONG_VERSION_NUMBER", 1)])
def test_a_handshake_that_the_server_cannot_read_is_tried_again(
    alert: str, tries: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    exchange = Api._exchange
    seen: list[str] = []

    def garbled_once(self: Api, request: httpx2.Request) -> Any:
        seen.append(request.url.path)
        if len(seen) == 1:
            raise httpx2.ConnectError("no handshake") from ssl.SSLError(1, f"[SSL: {alert}] an alert")
        return exchange(self, request)

    monkeypatch.setattr(Api, "_exchange", garbled_once)
    told = nullcontext() if tries == 2 else pytest.raises(ClusterError, match="cannot reach the API server")
    with serving([]) as server, told:
        _api(server).get("/version")
    assert seen == ["/version"] * tries
