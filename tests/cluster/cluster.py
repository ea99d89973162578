"""One cluster: an API server with its controllers and scheduler, simulated nodes, and operators."""

from __future__ import annotations

import shutil
import socket
import ssl
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import yaml

from tests.cluster import build, components, isolation, operators
from tests.cluster.certificates import Certificates
from tests.cluster.client import Client, Object
from tests.cluster.processes import ClusterError, Process, wait_until
from tests.cluster.recipes import OPERATORS


class Cluster:
    """A cluster from nothing, while the block lasts.

    Args:
        nodes: how many nodes, each with 8 `nvidia.com/gpu`, 64 CPUs and 512Gi
        operators: names of `operators.OPERATORS` that start with it; `start_operator` starts others

    Raises:
        ClusterError: it does not start; the text says why and where the logs are.
        BuildError: a binary is not built.
    """

    client: Client
    """Requests as cluster administrator."""
    certificates: Certificates
    """Makes certificates of users whom the server believes."""
    folder: Path
    """Where everything of this cluster is: configuration, certificates, and a log for each process."""
    keep_logs: bool
    """Whether the folder stays after the end; set when the start or the block fails, and by tests that do."""

    def __init__(self, nodes: int = 8, operators: Iterable[str] = ("jobset", "lws")):
        self.keep_logs = False
        self._nodes = nodes
        self._wanted = tuple(operators)
        self._processes: dict[str, Process] = {}

    def __enter__(self) -> Self:
        programs = {name: build.binary(name) for name in components.PROGRAMS}
        _refuse_unless_alone()
        self.folder = Path(tempfile.mkdtemp(prefix="workload-map-cluster-"))
        try:
            self._start(programs)
        except BaseException as error:
            self._keep_logs_for(error)
            self._stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        self._keep_logs_for(error)
        self._stop()

    @property
    def kubeconfig(self) -> Path:
        """A kubeconfig file of the cluster administrator."""
        return self.folder / "admin.kubeconfig"

    @property
    def processes(self) -> Mapping[str, Process]:
        """All that runs, by name, in the order in which it was started."""
        return self._processes

    def check(self) -> None:
        """Raise if a process ended: an operator that is down looks like one that does nothing.

        Raises:
            ClusterError: with the end of its log.
        """
        for process in self._processes.values():
            process.check()

    def kubectl(self, *arguments: str) -> str:
        """What kubectl prints.

        Raises:
            ClusterError: it fails; the text is what it says.
        """
        command = [str(build.binary("kubectl")), f"--kubeconfig={self.kubeconfig}", *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise ClusterError(f"kubectl {' '.join(arguments)}: {done.stderr.strip()}")
        return done.stdout

    def apply(
        self, manifest: str | Mapping[str, Any] | Iterable[Mapping[str, Any]], namespace: str = "default"
    ) -> list[Object]:
        """Apply objects, or a YAML text of them, in order; gives them as stored.

        `namespace` is for those that name none.

        Raises:
            ApiError: the server, or a webhook, refuses one.
        """
        if isinstance(manifest, str):
            manifest = [one for one in yaml.safe_load_all(manifest) if one]
        objects = [manifest] if isinstance(manifest, Mapping) else manifest
        return [self.client.apply(one, namespace) for one in objects]

    def wait_for(
        self, obj: Mapping[str, Any], holds: Callable[[Object], bool], seconds: float = 60
    ) -> Object:
        """The object as soon as it is there and `holds` of it, told by watch events.

        Raises:
            WaitError: not in time.
            ClusterError: a process of the cluster ended.
        """
        try:
            return self.client.wait_for(obj, holds, seconds)
        finally:
            self.check()

    def wait_for_pods(
        self, namespace: str, holds: Callable[[list[Object]], bool], labels: str = "", seconds: float = 60
    ) -> list[Object]:
        """The pods of a namespace as soon as `holds` of them all; `labels` is a label selector.

        Raises:
            WaitError: not in time.
            ClusterError: a process of the cluster ended.
        """
        collection = self.client.collection("v1", "Pod", namespace)
        try:
            return self.client.wait_for_all("the pods", collection, holds, seconds, labelSelector=labels)
        finally:
            self.check()

    def create_namespace(self, name: str) -> None:
        """Make a namespace, and wait until pods can be created in it."""
        self.client.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}})
        metadata = {"name": "default", "namespace": name}
        self.client.wait_for(
            {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": metadata}, lambda _: True
        )

    def start_operator(self, name: str) -> None:
        """Start an operator and what it needs, unless it runs already.

        Raises:
            ClusterError: it does not start, or there is none of that name.
            BuildError: it is not built.
        """
        if name in self._processes:
            return
        operator = OPERATORS.get(name)
        if operator is None:
            raise ClusterError(f"there is no operator {name!r}; there are {', '.join(OPERATORS)}")
        for needed in operator.needs:
            self.start_operator(needed)
        folder = self.folder / name
        folder.mkdir()
        operators.start(name, operator, folder, self.client, self.certificates, self._add)

    def _start(self, programs: Mapping[str, Path]) -> None:
        self.certificates = certificates = Certificates(self.folder / "certificates")
        components.write_files(self.folder, certificates)

        def run(name: str) -> None:
            arguments = [str(programs[name]), *components.flags(name, self.folder, certificates)]
            self._add(Process(name, arguments, self.folder / f"{name}.log"))

        run("etcd")
        run("kube-apiserver")
        self.client = Client(components.HOST, components.API_PORT, self._administrator())
        wait_until("the API server is ready", self.client.server_is_ready, self._processes.values())
        run("kube-controller-manager")
        run("kube-scheduler")
        self.apply(components.kwok_access())
        run("kwok")
        self.apply(components.node(f"node-{number}") for number in range(1, self._nodes + 1))
        self.create_namespace("default")
        for name in self._wanted:
            self.start_operator(name)
        every = lambda nodes: all(components.is_ready(one) for one in nodes)  # noqa: E731
        self.client.wait_for_all("all nodes are ready", "/api/v1/nodes", every)
        self.check()

    def _keep_logs_for(self, error: BaseException | None) -> None:
        if isinstance(error, Exception):
            self.keep_logs = True
            error.add_note(f"the cluster's logs are in {self.folder}")

    def _add(self, process: Process) -> None:
        self._processes[process.name] = process

    def _stop(self) -> None:
        # Those that talk to the API server first and at once, then it, and last what it stores in.
        processes = list(self._processes.values())
        clients, servers = processes[2:], processes[1::-1]
        for process in clients:
            process.ask_to_stop()
        for process in [*clients, *servers]:
            process.stop()
        # What stays is for reading; etcd's files are large and say nothing.
        shutil.rmtree(self.folder / "etcd" if self.keep_logs else self.folder, ignore_errors=True)

    def _administrator(self) -> ssl.SSLContext:
        context = ssl.create_default_context(cafile=self.certificates.path("ca.crt"))
        context.load_cert_chain(*self.certificates.client("admin", "system:masters"))
        return context


def _refuse_unless_alone() -> None:
    if not isolation.isolated():
        raise ClusterError(
            "a cluster needs a network namespace: run `python -m tests.cluster.isolation COMMAND`"
        )
    with socket.socket() as probe:
        if probe.connect_ex((components.HOST, components.API_PORT)) == 0:
            raise ClusterError("a cluster runs in this network namespace already")
