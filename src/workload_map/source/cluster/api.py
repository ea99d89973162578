"""One request to the API server: who signs it, when it is tried again, and what its failure means."""

from __future__ import annotations

import os
import random
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
import msgspec
from lightkube.config.client_adapter import user_auth, verify_cluster
from lightkube.core.exceptions import ConfigError

from workload_map.source.cluster import bodies
from workload_map.source.cluster.credentials import PluginAuth
from workload_map.source.cluster.errors import (
    UNREADABLE,
    AbsentError,
    ClusterError,
    ConnectionConfigError,
    ForbiddenError,
    GoneError,
    SilentError,
    UnreachableError,
)
from workload_map.source.cluster.kubeconfig import Connection
from workload_map.source.cluster.proxies import proxy_of
from workload_map.source.cluster.tasks import within

# A server ends a request of its own accord after a minute (kube-apiserver, --request-timeout).
_READ_TIMEOUT = 65.0
_CONNECT_TIMEOUT = 10.0
_ATTEMPTS = 5
_FIRST_DELAY = 0.25
_LONGEST_DELAY = 30.0
_AGAIN = frozenset({429, 500, 502, 503, 504})
_ERRORS: dict[int, type[ClusterError]] = {403: ForbiddenError, 404: AbsentError, 410: GoneError}

Params = Mapping[str, str | int | None]


class RequestRecord(msgspec.Struct, frozen=True):
    """A request that has been answered, or not.

    Attributes:
        url: Path and query.
        status: The HTTP status, or what happened instead.
        seconds: How long it took, from the first byte sent to the last one read.
        size: The bytes of the answer, uncompressed.
        method: The HTTP method.
    """

    url: str
    status: int | str
    seconds: float
    size: int
    method: str = "GET"

    def __str__(self) -> str:
        return f"{self.method} {self.url} {self.status} in {self.seconds:.3f} s, {self.size} bytes"


class _Answer(msgspec.Struct, frozen=True):
    """An answer and all that came with it."""

    response: httpx2.Response
    body: bytes


class _Status(msgspec.Struct, frozen=True):
    """A failure as the API server tells it (`metav1.Status`)."""

    message: str | None = None
    reason: str | None = None


class Api:
    """Requests to one API server; several threads may send them at once.

    Args:
        connection: How to reach it.
        record: Told about each request.

    Raises:
        ConnectionConfigError: Certificates or keys cannot be used.
    """

    def __init__(self, connection: Connection, record: Callable[[RequestRecord], None] | None = None) -> None:
        self.connection = connection
        self._record = record or (lambda _: None)
        self._closed = threading.Event()
        self._reached = threading.Event()
        self._proxy = connection.proxy or proxy_of(connection.cluster.server, os.environ)
        self._client = _client(connection, self._proxy)

    def close(self) -> None:
        """Close all connections; who follows changes ends then."""
        self._closed.set()
        self._client.close()

    def is_closed(self) -> bool:
        """Whether nobody wants answers any more."""
        return self._closed.is_set()

    def get(self, path: str, params: Params | None = None, *, accept: str = "application/json") -> bytes:
        """The answer to a GET, tried again while the server is busy or the connection breaks.

        Raises:
            ForbiddenError: The user may not (403).
            AbsentError: There is no such thing (404).
            GoneError: A continue token is too old (410).
            UnreachableError: No answer came.
            ClusterError: Any other failure.
        """
        return self._ask(lambda: self._request(path, params, accept, _timeout(self.connection.timeout)))

    def review(self, path: str, question: object) -> bytes:
        """The answer to a question about rights: a POST that changes nothing; raises as `get`.

        Args:
            path: The path of the resource that answers.
            question: An object of that kind.
        """
        content = msgspec.json.encode(question)
        limit = _timeout(self.connection.timeout)
        return self._ask(lambda: self._request(path, None, "application/json", limit, content))

    def _ask(self, make: Callable[[], httpx2.Request]) -> bytes:
        for attempt in range(1, _ATTEMPTS + 1):
            last = attempt == _ATTEMPTS
            try:
                answer = self._send(make())
            except httpx2.TransportError as error:
                # Before the first answer it is the address that is wrong, not the moment; and who has waited
                # as long as is to be waited does not wait as long again.
                is_lasting = not (self._reached.is_set() or _is_garbled(error))
                if last or is_lasting or isinstance(error, httpx2.TimeoutException):
                    raise self._unreachable(error) from error
                time.sleep(_delay(attempt, None))
                continue
            response = answer.response
            if response.status_code in _AGAIN and not last:
                time.sleep(_delay(attempt, response.headers.get("Retry-After")))
                continue
            if response.is_success:
                return answer.body
            raise _failure(answer)
        raise AssertionError  # the last attempt returns or raises

    @contextmanager
    def stream(
        self, path: str, params: Params, accept: str = "application/json"
    ) -> Iterator[Iterator[bytes]]:
        """The lines of an answer that goes on for as long as the server lets it, whatever the time limit.

        Raises:
            ClusterError: As of `get`, at once or when the connection breaks; it is not tried again.
        """
        request = self._request(path, params, accept, _timeout(None))
        if self.is_closed():
            raise ClusterError("the connection is closed")
        try:
            response = self._begin(request)
            try:
                if not response.is_success:
                    raise _failure(_Answer(response, bodies.content(response)))
                self._record(RequestRecord(_shown(request), response.status_code, 0.0, 0))
                yield bodies.lines(response)
            finally:
                response.close()
        except httpx2.ReadTimeout as error:
            raise SilentError("nothing came on the watch", location=_shown(request)) from error
        except bodies.BodyError as error:
            raise _unreadable(request, error) from error
        except httpx2.TransportError as error:
            raise self._unreachable(error) from error

    def _send(self, request: httpx2.Request) -> _Answer:
        limit = self.connection.timeout
        started = time.monotonic()
        status: int | str = "failed"
        size = 0
        try:
            # The library limits how long each piece of an answer takes, not how long all of them do.
            answer = (
                self._exchange(request) if limit is None else within(limit, lambda: self._exchange(request))
            )
            self._reached.set()
            status, size = answer.response.status_code, len(answer.body)
            return answer
        except TimeoutError as error:
            status = "ReadTimeout"
            raise httpx2.ReadTimeout("the answer takes too long", request=request) from error
        except httpx2.TransportError as error:
            status = type(error).__name__
            raise
        except bodies.BodyError as error:
            status = "unreadable"
            raise _unreadable(request, error) from error
        finally:
            seconds = time.monotonic() - started
            self._record(RequestRecord(_shown(request), status, seconds, size, request.method))

    def _exchange(self, request: httpx2.Request) -> _Answer:
        response = self._begin(request)
        try:
            return _Answer(response, bodies.content(response))
        except bodies.BodyError:
            if response.is_success:
                raise
            return _Answer(response, b"")  # that it failed is told by its status
        finally:
            response.close()

    def _begin(self, request: httpx2.Request) -> httpx2.Response:
        """The answer to a request, whose body is still to come."""
        try:
            return self._client.send(request, stream=True)
        except httpx2.LocalProtocolError as error:
            # Its message would show the header, which may be a token.
            raise ConnectionConfigError(
                "the credentials cannot be sent: a token is empty, or has a character that no header has",
                hint="see --token, and `token` or `tokenFile` of the user in the kubeconfig",
            ) from error
        except (ConfigError, OSError, ValueError) as error:  # as the file of a token is read and sent
            reason = getattr(error, "strerror", None) or str(error)
            raise ConnectionConfigError(
                f"the credentials cannot be used: {reason}", location=self.connection.user.token_file
            ) from error

    def _request(
        self,
        path: str,
        params: Params | None,
        accept: str,
        timeout: httpx2.Timeout,
        content: bytes | None = None,
    ) -> httpx2.Request:
        given = {name: value for name, value in (params or {}).items() if value is not None and value != ""}
        name = self.connection.tls_server_name
        own = () if content is None else (("Content-Type", "application/json"),)
        return self._client.build_request(
            "GET" if content is None else "POST",
            # Joined here: the library would take a path that begins with a slash as one below the server.
            self.connection.cluster.server + path,
            params=given,
            headers=[
                (header.encode(), value.encode())
                for header, value in (("Accept", accept), *own, *self.connection.headers)
            ],
            content=content,
            timeout=timeout,
            extensions={"sni_hostname": name} if name else None,
        )

    def _unreachable(self, error: httpx2.TransportError) -> UnreachableError:
        way = self.connection.cluster.server
        if self._proxy is not None:
            # Without the password that may stand before the address.
            way += f" through the proxy {urlsplit(self._proxy).netloc.rpartition('@')[2]}"
        return UnreachableError(
            f"cannot reach the API server: {_cause(error)}", location=way, hint=_hint(error)
        )


def _client(connection: Connection, proxy: str | None) -> httpx2.Client:
    secure = connection.cluster.server.startswith("https:")
    cluster, user = connection.cluster, connection.user
    for path in (cluster.certificate_auth, user.client_cert, user.client_key) if secure else ():
        _refuse_unreadable(path)
    try:
        tls = verify_cluster(connection.cluster, connection.user, lambda path: path) if secure else None
        auth = user_auth(connection.user)
    except (OSError, ValueError, ConfigError) as error:  # ssl.SSLError is an OSError
        reason = getattr(error, "strerror", None) or getattr(error, "reason", None) or str(error)
        raise ConnectionConfigError(f"the certificates or keys cannot be used: {reason}") from error
    if connection.plugin is not None:
        auth = PluginAuth(connection, tls or ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT))
    try:
        return httpx2.Client(
            verify=tls if tls is not None else False,
            auth=auth,
            proxy=proxy,
            trust_env=False,  # it says no more than which proxy there is
            headers={
                "User-Agent": "wmap",
                "Accept-Encoding": bodies.ENCODING if connection.compressed else "identity",
            },
        )
    except ImportError as error:
        raise ConnectionConfigError(
            "the proxy cannot be used: for SOCKS the package socksio is missing",
            hint="install it where wmap is: pipx inject workload-map socksio",
        ) from error
    except (ValueError, httpx2.InvalidURL) as error:
        raise ConnectionConfigError(f"the proxy cannot be used: {error}") from error


def _refuse_unreadable(path: str | None) -> None:
    """Tell which file cannot be read; what reads certificates does not tell it."""
    if path is None:
        return
    try:
        Path(path).open("rb").close()
    except OSError as error:
        raise ConnectionConfigError(f"cannot read the file: {error.strerror}", location=path) from error


def _timeout(limit: float | None) -> httpx2.Timeout:
    """How long each step of a request may take."""
    return httpx2.Timeout(limit or _READ_TIMEOUT, connect=limit or _CONNECT_TIMEOUT)


def _delay(attempt: int, retry_after: str | None) -> float:
    """Seconds to wait before the next attempt: what the server asks for, else twice as long each time."""
    if retry_after is not None and retry_after.isascii() and retry_after.isdigit():
        return min(float(retry_after), _LONGEST_DELAY)
    doubled: float = _FIRST_DELAY * 2 ** (attempt - 1)
    return doubled * random.uniform(0.5, 1.0)  # noqa: S311  # no secret


def _failure(answer: _Answer) -> ClusterError:
    try:
        told = msgspec.json.decode(answer.body, type=_Status)
    except UNREADABLE:
        told = _Status()
    response = answer.response
    status = response.status_code
    message = told.message or response.reason_phrase or "no reason given"
    address = str(response.url.copy_with(query=None))
    if status == 401:
        error = ClusterError(
            "the API server does not accept the credentials (401)",
            location=address,
            hint="are they expired? `kubectl auth whoami` tells more",
        )
    else:
        error = _ERRORS.get(status, ClusterError)(
            f"the API server says: {' '.join(message.split())} ({status})",
            # Where no API server speaks it may be the address that is wrong.
            location=response.url.raw_path.partition(b"?")[0].decode("ascii", "replace")
            if told.message
            else address,
            hint=_next_step(status),
        )
    error.status = status
    return error


def _next_step(status: int) -> str | None:
    if status == 429:
        return "it has too much to do: try again later"
    return "the fault is the server's: try again later, its log tells more" if status >= 500 else None


def _unreadable(request: httpx2.Request, error: bodies.BodyError) -> ClusterError:
    return ClusterError(f"an answer of the API server cannot be read: {error}", location=_shown(request))


def _shown(request: httpx2.Request) -> str:
    return request.url.raw_path.decode("ascii", "replace")


def _chain(error: BaseException) -> list[BaseException]:
    """An error and what led to it, the innermost last."""
    chain = [error]
    while (inner := chain[-1].__cause__ or chain[-1].__context__) is not None:
        chain.append(inner)
    return chain


def _is_garbled(error: BaseException) -> bool:
    """Whether the server could not read the handshake.

    Connections that are opened at once share one TLS context, and one in some 25 000 of these comes out so.
    """
    return any(isinstance(one, ssl.SSLError) and "ALERT_DECODE_ERROR" in str(one) for one in _chain(error))


def _cause(error: BaseException) -> str:
    """The innermost reason that says something, on one line."""
    if isinstance(error, httpx2.TimeoutException):
        return "no answer in time"
    for one in reversed(_chain(error)):
        if isinstance(one, ssl.SSLCertVerificationError):
            return f"its certificate is not trusted: {one.verify_message}"
        if isinstance(one, socket.gaierror | OSError) and one.strerror:
            return str(one.strerror)
    return " ".join(str(error).split()) or type(error).__name__


def _hint(error: httpx2.TransportError) -> str | None:
    if isinstance(error, httpx2.TimeoutException):
        return "is the address right? --request-timeout sets how long to wait"
    if any(isinstance(one, ssl.SSLCertVerificationError) for one in _chain(error)):
        return "--certificate-authority says whom to trust, --tls-server-name whom the certificate is for"
    return "is the cluster up, and is this its address?"
