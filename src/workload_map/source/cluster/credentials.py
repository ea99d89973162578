"""Credentials from a command, as client-go's exec plugins give them (`client.authentication.k8s.io`).

The command gets what it needs to know in KUBERNETES_EXEC_INFO and prints an ExecCredential: a token, or a
client certificate with its key. It runs once however many requests wait for it, and again when what it gave
has expired or is refused.
"""

from __future__ import annotations

import os
import ssl
import subprocess
import sys
import tempfile
import threading
from base64 import b64encode
from collections.abc import Generator
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import httpx2
import msgspec

from workload_map.source.cluster.errors import ConnectionConfigError
from workload_map.source.cluster.kubeconfig import Connection, Plugin
from workload_map.source.cluster.kubeconfig_files import contents

_VERSIONS = tuple(f"client.authentication.k8s.io/{version}" for version in ("v1", "v1beta1"))


class _Status(msgspec.Struct, frozen=True, rename="camel"):
    token: str | None = None
    client_certificate_data: str | None = None
    client_key_data: str | None = None
    expiration_timestamp: Annotated[datetime, msgspec.Meta(tz=True)] | None = None


class _Credential(msgspec.Struct, frozen=True, rename="camel"):
    api_version: str
    kind: str
    status: _Status | None = None


class PluginAuth(httpx2.Auth):
    """Signs requests with what a plugin gives.

    Args:
        connection: The connection; it has a plugin.
        tls: Takes a client certificate, if that is what the plugin gives.
    """

    def __init__(self, connection: Connection, tls: ssl.SSLContext) -> None:
        assert connection.plugin is not None  # noqa: S101
        self._connection = connection
        self._plugin = connection.plugin
        self._tls = tls
        self._lock = threading.Lock()
        self._known: _Status | None = None

    def sync_auth_flow(self, request: httpx2.Request) -> Generator[httpx2.Request, httpx2.Response, None]:
        """Sign a request; once more with new credentials if the server refuses the first."""
        used = self._credentials(refused=None)
        response = yield _signed(request, used)
        if response.status_code == 401:
            yield _signed(request, self._credentials(refused=used))

    def _credentials(self, refused: _Status | None) -> _Status:
        with self._lock:
            known = self._known
            if known is None or known is refused or _is_over(known):
                known = self._known = self._run()
                self._take_certificate(known)
            return known

    def _run(self) -> _Status:
        plugin = self._plugin
        if plugin.api_version not in _VERSIONS:
            raise ConnectionConfigError(
                f"the exec plugin speaks {plugin.api_version}", hint=f"known are {' and '.join(_VERSIONS)}"
            )
        environment = {**os.environ, **{each.name: each.value for each in plugin.env or ()}}
        interactive = self._is_interactive()
        environment["KUBERNETES_EXEC_INFO"] = self._info(interactive=interactive)
        try:
            ended = subprocess.run(  # noqa: S603  # which command, the user's own kubeconfig says
                [self._command(), *(plugin.args or ())],
                env=environment,
                # What is piped in may be manifests.
                stdin=None if interactive else subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                check=False,
            )
        except OSError as error:
            raise ConnectionConfigError(
                f"the exec plugin {plugin.command!r} cannot be run: {error.strerror}",
                hint=plugin.install_hint,
            ) from error
        if ended.returncode:
            raise ConnectionConfigError(
                f"the exec plugin {plugin.command!r} ended with {ended.returncode}", hint=plugin.install_hint
            )
        return _read(ended.stdout, plugin)

    def _command(self) -> str:
        """As client-go: a name is looked up in PATH, a relative path starts at the kubeconfig."""
        command = self._plugin.command
        folder = self._connection.plugin_folder
        return command if folder is None or os.sep not in command else str(folder / command)

    def _is_interactive(self) -> bool:
        """Whether the plugin may ask the user, by its `interactiveMode`."""
        has_terminal = sys.stdin is not None and sys.stdin.isatty()
        if self._plugin.interactive_mode == "Always" and not has_terminal:
            raise ConnectionConfigError(
                f"the exec plugin {self._plugin.command!r} asks the user, and there is no terminal",
                hint=self._plugin.install_hint,
            )
        return has_terminal and self._plugin.interactive_mode != "Never"

    def _info(self, *, interactive: bool) -> str:
        spec: dict[str, object] = {"interactive": interactive}
        if self._plugin.provide_cluster_info:
            spec["cluster"] = self._cluster()
        info = {"apiVersion": self._plugin.api_version, "kind": "ExecCredential", "spec": spec}
        try:
            return msgspec.json.encode(info).decode()
        except RecursionError as error:
            raise ConnectionConfigError(
                "what the kubeconfig tells the exec plugin is nested too deep",
                hint="see `extensions` of the cluster in the kubeconfig",
            ) from error

    def _cluster(self) -> dict[str, object]:
        """The cluster as plugins are told of it (`Cluster` of `client.authentication.k8s.io`)."""
        cluster = self._connection.cluster
        authority = cluster.certificate_auth_data
        if cluster.certificate_auth:
            authority = b64encode(contents(Path(cluster.certificate_auth))).decode()
        return {
            "server": cluster.server,
            "tls-server-name": self._connection.tls_server_name,
            "insecure-skip-tls-verify": cluster.insecure,
            "certificate-authority-data": authority,
            "proxy-url": self._connection.proxy,
            "disable-compression": not self._connection.compressed,
            "config": self._connection.plugin_config,
        }

    def _take_certificate(self, given: _Status) -> None:
        if given.client_certificate_data is None or given.client_key_data is None:
            return
        # Python reads certificates from files alone; this one is gone again before the next line runs.
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "pair.pem")
            file.touch(mode=0o600)
            file.write_text(f"{given.client_certificate_data}\n{given.client_key_data}\n")
            try:
                self._tls.load_cert_chain(file)
            except ssl.SSLError as error:
                raise ConnectionConfigError(
                    f"the certificate of the exec plugin cannot be used: {error.reason}"
                ) from error


def _signed(request: httpx2.Request, given: _Status) -> httpx2.Request:
    if given.token:
        request.headers["Authorization"] = f"Bearer {given.token}"
    return request


def _is_over(given: _Status) -> bool:
    return given.expiration_timestamp is not None and given.expiration_timestamp <= datetime.now(UTC)


def _read(output: bytes, plugin: Plugin) -> _Status:
    try:
        found = msgspec.json.decode(output, type=_Credential)
    except msgspec.DecodeError as error:
        raise ConnectionConfigError(
            f"the exec plugin {plugin.command!r} gave no credential: {error}"
        ) from error
    if found.api_version != plugin.api_version or found.kind != "ExecCredential":
        raise ConnectionConfigError(
            f"the exec plugin {plugin.command!r} answers as {found.kind} of {found.api_version}, "
            f"not as ExecCredential of {plugin.api_version}"
        )
    if found.status is None or not (found.status.token or found.status.client_certificate_data):
        raise ConnectionConfigError(
            f"the exec plugin {plugin.command!r} gave neither a token nor a certificate"
        )
    return found.status
