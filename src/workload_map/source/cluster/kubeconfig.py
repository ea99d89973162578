"""Which cluster, as whom: kubeconfig files, connection flags and the account of a pod, as for kubectl.

The rules are those of client-go's `clientcmd`: of several files the first one with a named entry gives it,
relative paths are relative to the file that holds them, flags win over the file, and the account of the pod
counts only where no kubeconfig names a cluster.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from lightkube.config.models import Cluster, User

from workload_map.documents import Document, read
from workload_map.source.cluster.errors import ConnectionConfigError, NoClusterError

_Record = TypeVar("_Record")

SERVICE_ACCOUNT = Path("/var/run/secrets/kubernetes.io/serviceaccount")
_DEFAULT_FILE = Path("~/.kube/config")
_PATHS = {
    "clusters": ("certificate-authority",),
    "users": ("client-certificate", "client-key", "tokenFile"),
}


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


class Plugin(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A command that gives credentials: an entry `exec` of a user."""

    api_version: str
    command: str
    args: tuple[str, ...] | None = None
    env: tuple[dict[str, str], ...] | None = None
    install_hint: str | None = None
    provide_cluster_info: bool = False


class Connection(msgspec.Struct, frozen=True, kw_only=True):
    """How to reach a cluster.

    Attributes:
        cluster: Address and certificate authority; paths in it are absolute.
        user: Credentials other than a plugin's; paths in it are absolute.
        plugin: The command that gives credentials, or None.
        plugin_folder: Where a relative path of the plugin starts.
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
    config = _merged(flags, environment)
    timeout = _seconds(flags.request_timeout)
    if not config["clusters"] and not flags.server:
        if flags.context or flags.cluster:
            raise _absent("context" if flags.context else "cluster", flags.context or flags.cluster or "", ())
        return _with_flags(_in_cluster(environment, account), flags, {}, timeout)
    context = _context(config, flags)
    cluster_name = flags.cluster or context.get("cluster")
    cluster = _entry(config, "clusters", cluster_name) if cluster_name else {}
    if not cluster.get("server") and not flags.server:
        raise ConnectionConfigError(
            "the kubeconfig says no address of an API server", hint="name a context: --context"
        )
    user_name = flags.user or context.get("user")
    user = _entry(config, "users", user_name) if user_name else {}
    found = Connection(
        cluster=_convert(cluster, Cluster, f"cluster {cluster_name}"),
        user=_convert({**user, "exec": None}, User, f"user {user_name}"),
        plugin=_convert(user["exec"], Plugin, f"exec of user {user_name}") if user.get("exec") else None,
        plugin_folder=user.get("folder"),
        namespace=context.get("namespace") or None,
        tls_server_name=cluster.get("tls-server-name") or None,
        proxy=cluster.get("proxy-url") or None,
        compressed=cluster.get("disable-compression") is not True,
    )
    return _with_flags(found, flags, user, timeout)


def contexts(kubeconfig: str | None) -> list[str]:
    """The names of all contexts; raises as `connection`."""
    return sorted(_merged(Flags(kubeconfig=kubeconfig), os.environ)["contexts"])


def _with_flags(
    found: Connection, flags: Flags, user: Mapping[str, Any], timeout: float | None
) -> Connection:
    replace = msgspec.structs.replace
    cluster, own = found.cluster, found.user
    if flags.server:
        cluster = replace(cluster, server=flags.server)
    if flags.certificate_authority:
        authority = str(Path(flags.certificate_authority).absolute())
        cluster = replace(cluster, certificate_auth=authority, certificate_auth_data=None)
    if flags.insecure_skip_tls_verify:
        if flags.certificate_authority:
            raise ConnectionConfigError(
                "--certificate-authority and --insecure-skip-tls-verify exclude each other"
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
    return replace(
        found,
        cluster=replace(cluster, server=_address(cluster.server)),
        user=own,
        plugin=None if flags.token else found.plugin,
        tls_server_name=flags.tls_server_name or found.tls_server_name,
        headers=_impersonation(flags, user),
        timeout=timeout,
    )


def _impersonation(flags: Flags, user: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    name = flags.as_user or user.get("as")
    groups = flags.as_groups or user.get("as-groups") or ()
    uid = flags.as_uid or user.get("as-uid")
    if (groups or uid) and not name:
        raise ConnectionConfigError(
            "a group or a uid is impersonated only together with a user", hint="add --as"
        )
    headers = [("Impersonate-User", str(name))] if name else []
    headers += [("Impersonate-Group", str(group)) for group in groups]
    headers += [("Impersonate-Uid", str(uid))] if uid else []
    for key, values in (user.get("as-user-extra") or {}).items():
        headers += [(f"Impersonate-Extra-{key}", str(value)) for value in values]
    return tuple(headers)


def _address(server: str) -> str:
    return server.rstrip("/") if "://" in server else f"https://{server.rstrip('/')}"


_PARTS = re.compile(r"(\d+(?:\.\d+)?)(ms|us|µs|ns|s|m|h)")
_UNITS = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "ns": 1e-9}


def _seconds(text: str | None) -> float | None:
    """A duration as kubectl takes it: `30s`, `1m30s`, or a number of seconds; 0 is no limit."""
    if text is None:
        return None
    if re.fullmatch(r"\d+", text):
        return float(text) or None
    if not text or "".join(match[0] for match in _PARTS.finditer(text)) != text:
        raise ConnectionConfigError(
            f"--request-timeout {text!r} is no duration", hint="such as 30s, 2m or 1m30s; 0 is no limit"
        )
    return sum(float(match[1]) * _UNITS[match[2]] for match in _PARTS.finditer(text)) or None


def _merged(flags: Flags, environment: Mapping[str, str]) -> dict[str, Any]:
    """All files as one: named entries by name, and the current context."""
    merged: dict[str, Any] = {"clusters": {}, "users": {}, "contexts": {}, "current-context": None}
    for path in _files(flags, environment):
        one = _load(path)
        merged["current-context"] = merged["current-context"] or one.get("current-context")
        for section, entry_name in (("clusters", "cluster"), ("users", "user"), ("contexts", "context")):
            for name, entry in _entries(one, section, entry_name, path):
                merged[section].setdefault(name, entry)
    return merged


def _files(flags: Flags, environment: Mapping[str, str]) -> Iterator[Path]:
    """The files that count. One named by a flag has to be there; others are passed over if they are not."""
    if flags.kubeconfig:
        yield Path(flags.kubeconfig)
        return
    named = [name for name in environment.get("KUBECONFIG", "").split(os.pathsep) if name]
    default = Path(environment["HOME"]) / _DEFAULT_FILE.relative_to("~") if "HOME" in environment else None
    for path in [Path(name) for name in named] or ([default] if default else []):
        if path.exists():
            yield path


def _load(path: Path) -> dict[str, Any]:
    try:
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ConnectionConfigError(f"cannot read the kubeconfig: {reason}", location=str(path)) from error
    for document in read(data, str(path), positions=False):
        if not isinstance(document, Document):
            raise ConnectionConfigError(
                f"the kubeconfig is no YAML: {document.message}", location=document.location
            )
        if document.value is not None and not isinstance(document.value, dict):
            raise ConnectionConfigError("the kubeconfig is no mapping", location=str(path))
        return document.value or {}
    return {}


def _entries(config: dict[str, Any], section: str, entry_name: str, path: Path) -> Iterator[tuple[str, Any]]:
    for number, item in enumerate(config.get(section) or ()):
        name = item.get("name") if isinstance(item, dict) else None
        entry = item.get(entry_name) if isinstance(item, dict) else None
        if not isinstance(name, str) or not isinstance(entry, dict | None):
            raise ConnectionConfigError(
                "this is no entry of a kubeconfig", location=f"{path}, {section}[{number}]"
            )
        entry = dict(entry or {})
        for field in _PATHS.get(section, ()):
            if isinstance(entry.get(field), str) and entry[field]:
                entry[field] = str(path.absolute().parent / entry[field])
        yield name, {**entry, "folder": path.absolute().parent}


def _context(config: dict[str, Any], flags: Flags) -> dict[str, Any]:
    name = flags.context or config["current-context"]
    if not name:
        if flags.cluster or flags.server:
            return {}
        raise ConnectionConfigError(
            "the kubeconfig has no current context", hint=_choices("contexts", "--context", config)
        )
    return _entry(config, "contexts", name)


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


def _convert(value: dict[str, Any], kind: type[_Record], what: str) -> _Record:
    # For client-go an empty text is as none.
    given = {key: item for key, item in value.items() if item is not None and item != ""}
    try:
        return msgspec.convert(given, kind)
    except msgspec.ValidationError as error:
        raise ConnectionConfigError(f"the {what} of the kubeconfig cannot be read: {error}") from error


def _in_cluster(environment: Mapping[str, str], account: Path) -> Connection:
    """The account of the pod that this process runs in."""
    host, port = environment.get("KUBERNETES_SERVICE_HOST"), environment.get("KUBERNETES_SERVICE_PORT")
    token = account / "token"
    if not host or not port or not token.exists():
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
        namespace=namespace.read_text().strip() if namespace.exists() else None,
    )
