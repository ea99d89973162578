"""Which cluster, as whom: kubeconfig files, connection flags and the account of a pod, as for kubectl.

The rules are those of client-go's `clientcmd`: flags win over the files, and the account of the pod counts
only where no kubeconfig names a cluster.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, TypeVar
from urllib.parse import quote, urlsplit

import msgspec
from lightkube.config.models import Cluster, User

from workload_map.source.cluster.errors import ConnectionConfigError, ConnectionFlagError, NoClusterError
from workload_map.source.cluster.kubeconfig_files import is_absent, merged

_Record = TypeVar("_Record")

_FOR_PLUGINS = "client.authentication.k8s.io/exec"  # the name of the extension
SERVICE_ACCOUNT = Path("/var/run/secrets/kubernetes.io/serviceaccount")


class Flags(msgspec.Struct, frozen=True, kw_only=True):
    """kubectl's connection flags; None or empty where one was not given."""

    kubeconfig: str | None = None
    context: str | None = None
    cluster: str | None = None
    user: str | None = None
    server: str | None = None
    token: str | None = None
    as_user: str | None = None
    as_groups: tuple[str, ...] = ()
    as_uid: str | None = None
    certificate_authority: str | None = None
    client_certificate: str | None = None
    client_key: str | None = None
    insecure_skip_tls_verify: bool = False
    tls_server_name: str | None = None
    request_timeout: str | None = None


class Variable(msgspec.Struct, frozen=True):
    """A variable of a plugin's environment."""

    name: str
    value: str


class Plugin(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A command that gives credentials: an entry `exec` of a user."""

    api_version: str
    command: str
    args: tuple[str, ...] | None = None
    env: tuple[Variable, ...] | None = None
    install_hint: str | None = None
    interactive_mode: Literal["Never", "IfAvailable", "Always"] = "IfAvailable"
    provide_cluster_info: bool = False


class _Context(msgspec.Struct, frozen=True):
    cluster: str | None = None
    user: str | None = None
    namespace: str | None = None


class _Extension(msgspec.Struct, frozen=True):
    """What other software keeps in an entry."""

    name: str = ""
    extension: Any = None


class _Transport(msgspec.Struct, frozen=True, rename="kebab"):
    """What lightkube's type of a cluster leaves out."""

    tls_server_name: str | None = None
    proxy_url: str | None = None
    disable_compression: bool = False
    extensions: tuple[_Extension, ...] = ()

    @property
    def plugin_config(self) -> Any:
        """The extension that is reserved for plugins."""
        return next((one.extension for one in self.extensions if one.name == _FOR_PLUGINS), None)


class _Impersonation(msgspec.Struct, frozen=True, rename="kebab"):
    """What lightkube's type of a user leaves out."""

    name: str | None = msgspec.field(name="as", default=None)
    as_groups: tuple[str, ...] = ()
    as_uid: str | None = None
    as_user_extra: dict[str, tuple[str, ...] | None] = {}


class Connection(msgspec.Struct, frozen=True, kw_only=True):
    """How to reach a cluster.

    Attributes:
        cluster: Address and certificate authority; paths in it are absolute.
        user: Credentials other than a plugin's; paths in it are absolute.
        plugin: The command that gives credentials, or None.
        plugin_folder: Where a relative path of the plugin starts.
        plugin_config: What the entry of the cluster holds for plugins: any JSON; None without it.
        namespace: That of the context, else of the pod's account; None without one.
        tls_server_name: The name that the server's certificate is checked for; None: that of the address.
        proxy: The proxy of the kubeconfig; None: what the environment says.
        compressed: Whether the server may compress its answers.
        headers: Those of impersonation, in pairs, since one may come several times.
        timeout: Seconds that one request may take; None: as long as a server itself may take.
    """

    cluster: Cluster
    user: User
    plugin: Plugin | None = None
    plugin_folder: Path | None = None
    plugin_config: Any = None
    namespace: str | None = None
    tls_server_name: str | None = None
    proxy: str | None = None
    compressed: bool = True
    headers: tuple[tuple[str, str], ...] = ()
    timeout: float | None = None


def connection(
    flags: Flags, environment: Mapping[str, str] = os.environ, account: Path = SERVICE_ACCOUNT
) -> Connection:
    """The connection that flags, kubeconfig files and the account of the pod mean.

    Args:
        flags: The connection flags.
        environment: Where KUBECONFIG, HOME and the service of the API server are looked up.
        account: The folder of the pod's account.

    Raises:
        NoClusterError: Nothing names a cluster.
        ConnectionConfigError: A file, a name in it or a flag is wrong.
    """
    config = merged(flags.kubeconfig, environment)
    timeout = _seconds(flags.request_timeout)
    if not config["clusters"] and not flags.server:
        if flags.context or flags.cluster:
            raise _absent("context" if flags.context else "cluster", flags.context or flags.cluster or "", ())
        return _with_flags(_in_cluster(environment, account), flags, _Impersonation(), timeout)
    context = _context(config, flags)
    cluster_name = flags.cluster or context.cluster
    cluster = _entry(config, "clusters", cluster_name) if cluster_name else {}
    if not cluster.get("server") and not flags.server:
        raise ConnectionConfigError(
            "the kubeconfig says no address of an API server", hint="name a context: --context"
        )
    user_name = flags.user or context.user
    user = _entry(config, "users", user_name) if user_name else {}
    transport = _convert(cluster, _Transport, f"cluster {cluster_name}")
    found = Connection(
        cluster=_convert(cluster, Cluster, f"cluster {cluster_name}"),
        user=_convert({**user, "exec": None}, User, f"user {user_name}"),
        plugin=_plugin(user.get("exec"), f"exec of user {user_name}"),
        plugin_folder=user.get("folder"),
        plugin_config=transport.plugin_config,
        namespace=context.namespace,
        tls_server_name=transport.tls_server_name,
        proxy=transport.proxy_url,
        compressed=not transport.disable_compression,
    )
    return _with_flags(found, flags, _convert(user, _Impersonation, f"user {user_name}"), timeout)


def contexts(kubeconfig: str | None) -> list[str]:
    """The names of all contexts; raises as `connection`."""
    return sorted(merged(kubeconfig, os.environ)["contexts"])


def _with_flags(found: Connection, flags: Flags, given: _Impersonation, timeout: float | None) -> Connection:
    replace = msgspec.structs.replace
    cluster, own = found.cluster, found.user
    if flags.server:
        cluster = replace(cluster, server=flags.server)
    if flags.certificate_authority:
        authority = str(Path(flags.certificate_authority).absolute())
        cluster = replace(cluster, certificate_auth=authority, certificate_auth_data=None)
    if flags.insecure_skip_tls_verify:
        if flags.certificate_authority:
            raise ConnectionFlagError(
                "--certificate-authority and --insecure-skip-tls-verify exclude each other",
                hint="leave out one of them",
            )
        cluster = replace(cluster, insecure=True)
    if cluster.insecure:
        cluster = replace(cluster, certificate_auth=None, certificate_auth_data=None)
    if flags.token:
        own = replace(own, token=flags.token, token_file=None, username=None, password=None)
    if flags.client_certificate:
        own = replace(own, client_cert=str(Path(flags.client_certificate).absolute()), client_cert_data=None)
    if flags.client_key:
        own = replace(own, client_key=str(Path(flags.client_key).absolute()), client_key_data=None)
    if own.auth_provider:
        raise ConnectionConfigError(
            "the kubeconfig uses an auth-provider, which Kubernetes has removed",
            hint="use an exec plugin instead",
        )
    _refuse_half(own)
    return replace(
        found,
        cluster=replace(cluster, server=_address(cluster.server, _scheme(cluster, own))),
        user=own,
        plugin=None if flags.token else found.plugin,
        tls_server_name=flags.tls_server_name or found.tls_server_name,
        headers=_impersonation(flags, given),
        timeout=timeout,
    )


def _refuse_half(user: User) -> None:
    """Refuse a client certificate without its key and the reverse, which together say who the user is."""
    certificate, key = user.client_cert or user.client_cert_data, user.client_key or user.client_key_data
    if certificate and not key:
        raise ConnectionConfigError(
            "there is a client certificate, but not its key",
            hint="name it: --client-key, or `client-key` of the user in the kubeconfig",
        )
    if key and not certificate:
        raise ConnectionConfigError(
            "there is a client key, but not its certificate",
            hint="name it: --client-certificate, or `client-certificate` of the user in the kubeconfig",
        )


def _scheme(cluster: Cluster, user: User) -> str:
    """That of an address without one: https where TLS is set up (client-go, `DefaultServerURL`)."""
    settings = (
        *(cluster.certificate_auth, cluster.certificate_auth_data, cluster.insecure),
        *(user.client_cert, user.client_cert_data),
    )
    return "https" if any(settings) else "http"


def _impersonation(flags: Flags, given: _Impersonation) -> tuple[tuple[str, str], ...]:
    name = flags.as_user or given.name
    groups = flags.as_groups or given.as_groups
    uid = flags.as_uid or given.as_uid
    if (groups or uid) and not name:
        error = ConnectionFlagError if flags.as_groups or flags.as_uid else ConnectionConfigError
        raise error("a group or a uid is impersonated only together with a user", hint="add --as")
    headers = [("Impersonate-User", name)] if name else []
    headers += [("Impersonate-Group", group) for group in groups]
    headers += [("Impersonate-Uid", uid)] if uid else []
    for key, values in given.as_user_extra.items():
        headers += [(f"Impersonate-Extra-{_header_name(key)}", value) for value in values or ()]
    return tuple(headers)


def _header_name(key: str) -> str:
    """A key as part of the name of a header, as client-go escapes it; API servers undo that."""
    return quote(key, safe="!#$&'*+^`|")


def _address(server: str, scheme: str) -> str:
    """The URL of a server; one that is given without its scheme has this one."""
    address = server.rstrip("/") if "://" in server else f"{scheme}://{server.rstrip('/')}"
    if not _is_address(address):
        raise ConnectionConfigError(
            f"{server!r} is no address of an API server", hint="such as https://10.0.0.1:6443"
        )
    return address


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
        host = (parts.hostname or "").encode("idna")
        has_place = parts.scheme in ("http", "https") and bool(host) and parts.port != 0
    except ValueError:  # no port, no IPv6 address, or no name of a host
        return False
    # What is no part of an address `urlsplit` takes out in silence, such as the end of a line.
    return has_place and not parts.query and text.isprintable() and " " not in text


_PARTS = re.compile(r"(\d+(?:\.\d+)?)(ms|us|µs|ns|s|m|h)", re.ASCII)
_UNITS = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "ns": 1e-9}
_LONGEST = 2**63 // 10**9  # the whole seconds that a duration of Go holds: 292 years


def _seconds(text: str | None) -> float | None:
    """A duration as kubectl takes it: `30s`, `1m30s`, or a number of seconds; 0 is no limit."""
    if text is None:
        return None
    number = f"{text}s" if text.isdecimal() else text
    parts = list(_PARTS.finditer(number))
    seconds = sum(float(match[1]) * _UNITS[match[2]] for match in parts)
    if not text or "".join(match[0] for match in parts) != number or seconds > _LONGEST:
        raise ConnectionFlagError(
            f"--request-timeout {text!r} is no duration", hint="such as 30s, 2m or 1m30s; 0 is no limit"
        )
    return seconds or None


def _context(config: dict[str, Any], flags: Flags) -> _Context:
    name = flags.context or config["current-context"]
    if not name:
        if flags.cluster or flags.server:
            return _Context()
        raise ConnectionConfigError(
            "the kubeconfig has no current context", hint=_choices("contexts", "--context", config)
        )
    return _convert(_entry(config, "contexts", name), _Context, f"context {name}")


def _entry(config: dict[str, Any], section: str, name: str) -> dict[str, Any]:
    found = config[section].get(name)
    if found is None:
        raise _absent(section.removesuffix("s"), name, config[section])
    entry: dict[str, Any] = found
    return entry


def _absent(what: str, name: str, known: Any) -> ConnectionConfigError:
    hint = f"there are: {', '.join(sorted(known))}" if known else None
    return ConnectionConfigError(f"the kubeconfig has no {what} {name!r}", hint=hint)


def _choices(section: str, flag: str, config: dict[str, Any]) -> str | None:
    names = ", ".join(sorted(config[section]))
    return f"name one with {flag}: {names}" if names else None


def _plugin(given: Any, what: str) -> Plugin | None:
    return None if given is None else _convert(given, Plugin, what)


def _convert(value: Any, kind: type[_Record], what: str) -> _Record:
    # For client-go an empty text is as none.
    if isinstance(value, dict):
        value = {key: item for key, item in value.items() if item is not None and item != ""}
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise ConnectionConfigError(f"the {what} of the kubeconfig cannot be read: {error}") from error


def _in_cluster(environment: Mapping[str, str], account: Path) -> Connection:
    """The account of the pod that this process runs in."""
    host, port = environment.get("KUBERNETES_SERVICE_HOST"), environment.get("KUBERNETES_SERVICE_PORT")
    token = account / "token"
    if not host or not port or is_absent(token):
        raise NoClusterError(
            "no cluster: no kubeconfig names one, and this is no pod of one",
            hint="give --kubeconfig or set KUBECONFIG, or read a dump with --from and manifests with -f",
        )
    namespace = account / "namespace"
    return Connection(
        cluster=Cluster(
            server=f"https://{f'[{host}]' if ':' in host else host}:{port}",
            certificate_auth=str(account / "ca.crt"),
        ),
        user=User(token_file=str(token)),
        namespace=None if is_absent(namespace) else _text(namespace).strip() or None,
    )


def _text(path: Path) -> str:
    try:
        return path.read_text()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ConnectionConfigError(f"cannot read the file: {reason}", location=str(path)) from error
