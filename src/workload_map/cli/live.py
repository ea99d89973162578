"""Opening a cluster from the command line, and telling what is asked of it while the user waits."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from workload_map.cli.console import say

if TYPE_CHECKING:  # its libraries take longer to import than a command on files takes
    from workload_map.source.cluster import Api, Cluster, RequestRecord

_PATIENCE = 1.0
_CLEAR = "\r\x1b[K"


def open_cluster(given: Mapping[str, Any]) -> Cluster:
    """The cluster that the options and the kubeconfig mean.

    Args:
        given: The parameters of a command, with those of `options.source`.

    Raises:
        ClusterError: It cannot be reached, or nothing says where it is.
    """
    from workload_map.source.cluster import Cluster  # noqa: PLC0415  # see above

    return Cluster(open_api(given), chunk=given["chunk_size"])


def open_api(given: Mapping[str, Any]) -> Api:
    """The API server of that cluster; raises as `open_cluster`, but asks it nothing yet."""
    from workload_map.source.cluster import Api, Flags, connection  # noqa: PLC0415  # see above

    flags = Flags(**{name: given[name] for name in Flags.__struct_fields__})
    api = Api(connection(flags), _record if given.get("verbose") else progress.count)
    click.get_current_context().call_on_close(api.close)
    return api


def may_have_cluster(given: Mapping[str, Any]) -> bool:
    """Whether it is worth looking for a cluster, told without importing what reads a kubeconfig."""
    named = any(given[name] for name in ("kubeconfig", "context", "cluster", "server"))
    default = Path.home() / ".kube" / "config"
    return bool(named or {"KUBECONFIG", "KUBERNETES_SERVICE_HOST"} & {*os.environ} or default.exists())


def has_cluster(given: Mapping[str, Any]) -> bool:
    """Whether anything says where a cluster is; raises `ConnectionConfigError` for what is wrong there."""
    from workload_map.source.cluster import Flags, NoClusterError, connection  # noqa: PLC0415  # see above

    try:
        connection(Flags(**{name: given[name] for name in Flags.__struct_fields__}))
    except NoClusterError:
        return False
    return True


def _record(record: RequestRecord) -> None:
    say.notice(str(record))


class _Progress:
    """A line on a terminal that counts what has been read, once it takes longer than a second."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._started: float | None = None
        self._shown = False
        self._answers = 0
        self._bytes = 0

    def count(self, record: RequestRecord) -> None:
        """Count an answer, and show the line when it is time to."""
        with self._lock:
            self._answers += 1
            self._bytes += record.size
            if self._started is None or time.monotonic() - self._started < _PATIENCE:
                return
            self._shown = True
            size = f"{self._bytes / 1e6:.1f} MB"
            sys.stderr.write(f"{_CLEAR}reading the cluster: {self._answers} answers, {size}")
            sys.stderr.flush()

    @contextmanager
    def shown(self) -> Iterator[None]:
        """While this lasts the line may be there; afterwards it is gone."""
        with self._lock:
            self._started = time.monotonic() if sys.stderr.isatty() else None
        try:
            yield
        finally:
            with self._lock:
                self._started = None
                if self._shown:
                    sys.stderr.write(_CLEAR)
                    sys.stderr.flush()
                self._shown = False


progress = _Progress()
