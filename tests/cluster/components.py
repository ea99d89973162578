"""What a cluster consists of besides its operators: flags of its programs, its users, its nodes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.cluster import build, stages
from tests.cluster.certificates import Certificates
from tests.cluster.isolation import POD_ADDRESSES

HOST = "127.0.0.1"
# Fixed, since a network namespace holds one cluster and nothing else.
API_PORT, ETCD_PORT, ETCD_PEER_PORT = 6443, 2379, 2380
PROGRAMS = ("etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler", "kwok")

_SERVICES = "10.0.0.0/24"
_SERVER_NAMES = ("kubernetes", "kubernetes.default", "kubernetes.default.svc")
# Common name and organization of each user's certificate. RBAC knows the first three from the start.
_USERS = {
    "admin": ("admin", "system:masters"),
    "kube-controller-manager": ("system:kube-controller-manager", ""),
    "kube-scheduler": ("system:kube-scheduler", ""),
    "kwok": ("kwok", ""),
}


def flags(program: str, folder: Path, certificates: Certificates) -> list[str]:
    """The flags of one of the `PROGRAMS`, which keeps its files in the folder."""
    kubeconfig = f"--kubeconfig={folder / f'{program}.kubeconfig'}"
    if program == "etcd":
        address = f"http://{HOST}:{ETCD_PORT}"
        return [
            *(f"--data-dir={folder / 'etcd'}", "--unsafe-no-fsync", "--log-level=warn"),
            *(f"--listen-client-urls={address}", f"--advertise-client-urls={address}"),
            f"--listen-peer-urls=http://{HOST}:{ETCD_PEER_PORT}",
        ]
    if program == "kube-apiserver":
        return _api_server_flags(folder, certificates)
    if program == "kube-controller-manager":
        return [
            *(kubeconfig, "--leader-elect=false", "--secure-port=0"),
            *("--kube-api-qps=200", "--kube-api-burst=400"),  # the defaults throttle
            "--use-service-account-credentials=true",
            f"--flex-volume-plugin-dir={folder / 'volume-plugins'}",  # it makes one, else in /usr
            f"--service-account-private-key-file={certificates.path('tokens.key')}",
            f"--root-ca-file={certificates.path('ca.crt')}",
        ]
    if program == "kube-scheduler":
        return [kubeconfig, "--leader-elect=false", "--secure-port=0"]
    network, size = POD_ADDRESSES.split("/")
    return [
        *(kubeconfig, f"--config={folder / 'kwok.yaml'}", "--manage-all-nodes=true"),
        *(f"--cidr={network.removesuffix('.0')}.1/{size}", f"--node-ip={HOST}"),
        # Otherwise every node is lost, and every pod not ready, for a moment after 50 s.
        "--node-lease-duration-seconds=40",
    ]


def _api_server_flags(folder: Path, certificates: Certificates) -> list[str]:
    certificate, key = certificates.server("kube-apiserver", *_SERVER_NAMES)
    return [
        f"--etcd-servers=http://{HOST}:{ETCD_PORT}",
        *(f"--bind-address={HOST}", f"--advertise-address={HOST}", f"--secure-port={API_PORT}"),
        "--endpoint-reconciler-type=none",  # the only one that takes a loopback address
        *("--authorization-mode=RBAC", "--anonymous-auth=false", "--allow-privileged=true"),
        *(f"--client-ca-file={certificates.path('ca.crt')}", f"--cert-dir={folder}"),
        *(f"--tls-cert-file={certificate}", f"--tls-private-key-file={key}"),
        *(
            f"--service-cluster-ip-range={_SERVICES}",
            "--service-account-issuer=https://kubernetes.default.svc",
        ),
        f"--service-account-key-file={certificates.path('tokens.pub')}",
        f"--service-account-signing-key-file={certificates.path('tokens.key')}",
        "--enable-priority-and-fairness=false",  # it delays bursts on a small machine
    ]


def write_files(folder: Path, certificates: Certificates) -> None:
    """Write the kubeconfig of each user, `NAME.kubeconfig`, and the stages of the simulated kubelets."""
    for name, (user, group) in _USERS.items():
        certificate, key = certificates.client(user, group)
        credentials = {"client-certificate": certificate, "client-key": key}
        write_kubeconfig(folder / f"{name}.kubeconfig", credentials, certificates)
    documents = [json.dumps(one) for one in build.manifests("kwok", "nodes")]
    (folder / "kwok.yaml").write_text("\n---\n".join([*documents, stages.pod_stages()]))


def write_kubeconfig(path: Path, credentials: Mapping[str, str], certificates: Certificates) -> None:
    """Write the kubeconfig of a user who has these credentials, in the words of a kubeconfig."""
    server = {"server": f"https://{HOST}:{API_PORT}", "certificate-authority": certificates.path("ca.crt")}
    content = {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": "cluster", "cluster": server}],
        "users": [{"name": "user", "user": credentials}],
        "contexts": [{"name": "cluster", "context": {"cluster": "cluster", "user": "user"}}],
        "current-context": "cluster",
    }
    path.touch(mode=0o600)
    path.write_text(json.dumps(content, indent=1))


def kwok_access() -> list[dict[str, Any]]:
    """The role of the simulated kubelets, and its binding."""
    rules = [
        ("", ["events"], ["create", "patch", "update"]),
        ("", ["nodes"], ["get", "list", "watch"]),
        ("", ["pods"], ["get", "list", "watch", "patch", "update", "delete"]),
        ("", ["nodes/status", "pods/status"], ["patch", "update"]),
        ("coordination.k8s.io", ["leases"], ["create", "get", "list", "watch", "patch", "update"]),
    ]
    group = "rbac.authorization.k8s.io"
    role = {
        "apiVersion": f"{group}/v1",
        "kind": "ClusterRole",
        "metadata": {"name": "kwok"},
        "rules": [{"apiGroups": [api], "resources": names, "verbs": verbs} for api, names, verbs in rules],
    }
    binding = {
        "apiVersion": f"{group}/v1",
        "kind": "ClusterRoleBinding",
        "metadata": {"name": "kwok"},
        "roleRef": {"apiGroup": group, "kind": "ClusterRole", "name": "kwok"},
        "subjects": [{"apiGroup": group, "kind": "User", "name": "kwok"}],
    }
    return [role, binding]


def node(name: str) -> dict[str, Any]:
    """A node with 8 GPUs, for kwok to bring to life."""
    resources = {
        "cpu": "64",
        "memory": "512Gi",
        "pods": "110",
        "ephemeral-storage": "1Ti",
        "nvidia.com/gpu": "8",
    }
    labels = {"kubernetes.io/hostname": name, "kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64"}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "labels": labels},
        "status": {"capacity": resources, "allocatable": resources},
    }


def is_ready(node_: Mapping[str, Any]) -> bool:
    """Whether the scheduler may place pods on a node."""
    conditions = node_.get("status", {}).get("conditions", [])
    ready = any(one["type"] == "Ready" and one["status"] == "True" for one in conditions)
    return ready and not node_["spec"].get("taints")
