"""Opening a cluster from the command line, and telling what is asked of it while the user waits."""

from __future__ import annotations

import os
import shutil
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from workload_map.cli.console import say
from workload_map.render.text import cut, printable, width

if TYPE_CHECKING:  # its libraries take longer to import than a command on files takes
    from workload_map.source.cluster import Api, Cluster, RequestRecord

_PATIENCE, _PAUSE = 1.0, 0.2  # in seconds: before the line is shown, and between two looks at what it says
_CLEAR = "\r\x1b[K"


def open_cluster(given: Mapping[str, Any]) -> Cluster:
    """The cluster that the options and the kubeconfig mean.

    Args:
        given: The parameters of a command, with those of `options.source`.

    Raises:
        ClusterError: It cannot be reached, or nothing says where it is.
    """
    from workload_map.source.cluster import Cluster  # noqa: PLC0415  # see above

    # Commands without the option read no objects in pages.
    return Cluster(open_api(given), chunk=given.get("chunk_size", 0))


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
    if named or {"KUBECONFIG", "KUBERNETES_SERVICE_HOST"} & {*os.environ}:
        return True
    # Of `Path` both of these raise: without a home, and for one that may not be looked into.
    home = os.environ.get("HOME")
    return bool(home) and os.path.exists(f"{home}/.kube/config")  # noqa: PTH110


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
    """A line on a terminal that tells what is being read, once it takes longer than a second."""

    def __init__(self) -> None:
        self._answers = 0
        self._bytes = 0
        self._files: Sequence[str] = ()
        self._wanted = False

    def begin(self, files: Sequence[str], *, quiet: bool) -> None:
        """Say what is read from now on.

        Args:
            files: What is read, if that is no cluster.
            quiet: Whether nothing is to be shown, since the requests themselves are told.
        """
        self._files = files
        self._wanted = not quiet and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"

    def count(self, record: RequestRecord) -> None:
        """Count an answer of the cluster."""
        self._answers += 1
        self._bytes += record.size

    @contextmanager
    def shown(self) -> Iterator[None]:
        """While this lasts the line may be there; afterwards it is gone."""
        if not self._wanted:
            yield
            return
        done = threading.Event()
        teller = threading.Thread(target=self._tell, args=(done,), daemon=True)
        teller.start()
        try:
            yield
        finally:
            done.set()
            teller.join()

    def _tell(self, done: threading.Event) -> None:
        started = time.monotonic()
        if done.wait(_PATIENCE):
            return
        while True:
            self._show(self._text(time.monotonic() - started))
            if done.wait(_PAUSE):
                self._show("")
                return

    def _text(self, seconds: float) -> str:
        if self._files:
            return f"working through {', '.join(self._files)}: {seconds:.0f} s"
        return f"reading the cluster: {self._answers} answers, {self._bytes / 1e6:.1f} MB, {seconds:.0f} s"

    def _show(self, text: str) -> None:
        room = shutil.get_terminal_size().columns - 1  # a line that wraps could not be cleared
        shown = printable(text)
        sys.stderr.write(_CLEAR + (cut(shown, room, "...") if width(shown) > room else shown))
        sys.stderr.flush()


progress = _Progress()
