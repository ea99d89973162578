"""Starts an operator as its own manifests install it, with its process on this machine instead of in a pod.

Of the manifests all is applied but what needs a pod network or another operator: the process runs with a
token of its own service account, so its own RBAC rules hold, and the API server calls its webhooks on a
loopback port.
"""

from __future__ import annotations

import base64
import json
import shutil
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.cluster import build
from tests.cluster.certificates import Certificates
from tests.cluster.client import Client, Object
from tests.cluster.components import HOST, write_kubeconfig
from tests.cluster.processes import Process, wait_until

_LEFT_OUT = {
    "APIService",
    "Certificate",
    "Deployment",
    "Issuer",
    "NetworkPolicy",
    "Secret",
    "Service",
    "ServiceMonitor",
}
_CRD = "CustomResourceDefinition"
_FIRST = ("Namespace", _CRD)
_WEBHOOKS = {"MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"}
_TOKEN_SECONDS = 24 * 60 * 60


@dataclass(frozen=True)
class Setup:
    """What an operator gets for one run."""

    folder: Path
    kubeconfig: Path
    serving: Path
    """A folder with `tls.crt`, `tls.key`, `ca.crt` and `ca.key`."""
    objects: list[Object]
    """The operator's manifests."""

    def write(self, name: str, content: Mapping[str, Any]) -> str:
        """Write a file of configuration into the folder; gives its path."""
        path = self.folder / name
        path.write_text(json.dumps(content, indent=1))
        return str(path)


@dataclass(frozen=True)
class Operator:
    """How an operator is run; what is not said here is in its own manifests."""

    arguments: Callable[[Setup], list[str]]
    port: int
    """Where it listens once it works: its webhooks, or its health checks if it has none."""
    needs: tuple[str, ...] = ()
    """Other operators without which it does not start."""
    without: tuple[str, ...] = ()
    """Names of further objects that are not applied."""
    environment: Callable[[Setup], dict[str, str]] = lambda _: {}
    private: Mapping[str, str] = field(default_factory=dict)
    """Paths that are constants in its code, and the part of its folder that it is to see there."""
    supplied: Callable[[Setup], list[Object]] = lambda _: []
    """Objects that it wants and that its manifests leave to others."""
    beside: Mapping[str, list[str]] = field(default_factory=dict)
    """Programs that stand in for what would run in pods, by name, with their arguments."""
    then: tuple[str, ...] = ()
    """Names of further manifests, applied when it works."""


def start(
    name: str,
    operator: Operator,
    folder: Path,
    client: Client,
    certificates: Certificates,
    started: Callable[[Process], None],
) -> None:
    """Start an operator in the folder, and return when it works; `started` gets each process before that.

    Raises:
        ClusterError: it does not start.
        ApiError: the server refuses one of its objects.
        BuildError: it is not built.
    """
    binary = build.binary(name)
    setup = Setup(folder, folder / "kubeconfig", _serving(folder, certificates), build.manifests(name))
    kept = [one for one in setup.objects if _is_applied(one, operator)] + operator.supplied(setup)
    kept = [_on_loopback(one, operator.port, certificates) for one in kept]
    webhooks = [one for one in kept if one["kind"] in _WEBHOOKS]
    definitions = [one for one in kept if one["kind"] == _CRD]
    for one in sorted(kept, key=lambda one: one["kind"] not in _FIRST):
        if one not in webhooks:
            client.apply(one)
    _wait_until_established(client, definitions)
    deployment = next(one for one in setup.objects if one["kind"] == "Deployment")
    _write_token(client, deployment, setup.kubeconfig, certificates)

    for helper, command in operator.beside.items():
        started(Process(helper, command, folder.with_name(f"{helper}.log")))
    arguments = _seeing(operator, setup, [str(binary), *operator.arguments(setup)])
    environment = {"KUBECONFIG": str(setup.kubeconfig), **operator.environment(setup)}
    process = Process(name, arguments, folder.with_suffix(".log"), environment)
    started(process)
    wait_until(f"{name} listens", lambda: _listens(operator.port), [process])
    # Not before: the API server refuses what it can't ask a webhook about.
    for one in webhooks:
        client.apply(one)
    for manifest in operator.then:
        for one in build.manifests(name, manifest):
            client.apply(one)


def _is_applied(obj: Object, operator: Operator) -> bool:
    return obj["kind"] not in _LEFT_OUT and obj["metadata"]["name"] not in operator.without


def _serving(folder: Path, certificates: Certificates) -> Path:
    """The webhooks' certificate, in the names that operators look for."""
    serving = folder / "serving"
    serving.mkdir()
    certificate, key = certificates.server(
        "webhooks", "training-operator.kubeflow.svc", "appwrapper-webhook-service.appwrapper-system.svc"
    )
    for name, source in {"tls.crt": certificate, "tls.key": key}.items():
        shutil.copyfile(source, serving / name)
    for name in ("ca.crt", "ca.key"):
        shutil.copyfile(certificates.path(name), serving / name)
    return serving


def _on_loopback(obj: Any, port: int, certificates: Certificates) -> Any:
    """The object, where webhooks, those for conversion too, that were at a service are at a loopback port."""
    if isinstance(obj, list):
        return [_on_loopback(one, port, certificates) for one in obj]
    if not isinstance(obj, dict):
        return obj
    service = obj.get("service")
    if isinstance(service, dict) and ("caBundle" in obj or "path" in service):
        authority = base64.b64encode(Path(certificates.path("ca.crt")).read_bytes()).decode()
        return {"url": f"https://{HOST}:{port}{service.get('path', '')}", "caBundle": authority}
    return {key: _on_loopback(value, port, certificates) for key, value in obj.items()}


def _wait_until_established(client: Client, definitions: list[Object]) -> None:
    # controller-runtime looks once for its kinds and then waits ten seconds.
    wanted = {one["metadata"]["name"] for one in definitions}

    def all_established(found: list[Object]) -> bool:
        return wanted <= {one["metadata"]["name"] for one in found if _is_established(one)}

    collection = client.collection("apiextensions.k8s.io/v1", _CRD)
    client.wait_for_all("all kinds are established", collection, all_established)


def _is_established(definition: Object) -> bool:
    conditions = definition.get("status", {}).get("conditions") or []
    return any(one["type"] == "Established" and one["status"] == "True" for one in conditions)


def _write_token(client: Client, deployment: Object, kubeconfig: Path, certificates: Certificates) -> None:
    account = {
        "apiVersion": "v1",
        "kind": "ServiceAccount",
        "metadata": {
            "name": deployment["spec"]["template"]["spec"]["serviceAccountName"],
            "namespace": deployment["metadata"]["namespace"],
        },
    }
    answer = client.request(
        "POST", f"{client.path(account)}/token", {"spec": {"expirationSeconds": _TOKEN_SECONDS}}
    )
    write_kubeconfig(kubeconfig, {"token": answer["status"]["token"]}, certificates)


def _seeing(operator: Operator, setup: Setup, arguments: list[str]) -> list[str]:
    """The arguments, in a mount namespace in which the private paths are parts of the folder."""
    if not operator.private:
        return arguments
    mounts = []
    for path, part in operator.private.items():
        Path(path).mkdir(parents=True, exist_ok=True)  # an empty folder that stays; nothing is written to it
        mounts.append(f"mount --bind '{setup.folder / part}' '{path}'")
    return ["unshare", "--mount", "--", "sh", "-c", f'{" && ".join(mounts)} && exec "$@"', "sh", *arguments]


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex((HOST, port)) == 0
