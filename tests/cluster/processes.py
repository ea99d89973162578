"""Programs that run beside the tests and never outlive them."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

_STOP_SECONDS = 10

# The kernel's promise counts from the moment it is asked for: who started the program may be gone by then.
_UNLESS_ORPHANED = 'test "$PPID" = "$0" && exec "$@"'
_POLL_SECONDS = 0.05


class ClusterError(Exception):
    """A part of the cluster does not do what it has to; the text says which, and what it wrote last."""


class Process:
    """A program that was started, with its output in a log file.

    It is killed by the kernel when the thread that started it ends, however that comes about: so start it
    from the main thread. Ctrl-C does not reach it, since whoever started it stops it in order.
    """

    def __init__(
        self, name: str, arguments: list[str], log: Path, environment: Mapping[str, str] | None = None
    ):
        self.name = name
        self.log = log
        with log.open("ab") as output:
            self._popen = subprocess.Popen(
                ["setpriv", "--pdeathsig", "KILL", "--", *_only_under(os.getpid(), arguments)],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env={**os.environ, **(environment or {})},
                start_new_session=True,
            )

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._popen.pid

    def check(self) -> None:
        """Raise if it has ended.

        Raises:
            ClusterError: with the last lines of its log.
        """
        code = self._popen.poll()
        if code is not None:
            last = self.log.read_text(errors="replace").splitlines()[-10:]
            raise ClusterError(f"{self.name} ended with {code}; {self.log} ends so:\n" + "\n".join(last))

    def ask_to_stop(self) -> None:
        """Tell it to end; `stop` waits for that."""
        if self._popen.poll() is None:
            self._popen.terminate()

    def stop(self) -> None:
        """End it, by force if it takes longer than ten seconds."""
        self.ask_to_stop()
        try:
            self._popen.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._popen.kill()
            self._popen.wait()


def _only_under(parent: int, arguments: list[str]) -> list[str]:
    return ["sh", "-c", _UNLESS_ORPHANED, str(parent), *arguments]


def wait_until(
    what: str, holds: Callable[[], bool], processes: Iterable[Process], seconds: float = 60
) -> None:
    """Wait for something that sends no events, such as a port that opens.

    Raises:
        ClusterError: one of the processes that it depends on ended, or it took too long.
    """
    depends_on = list(processes)
    end = time.monotonic() + seconds
    while not holds():
        for process in depends_on:
            process.check()
        if time.monotonic() > end:
            logs = ", ".join(str(process.log) for process in depends_on)
            raise ClusterError(f"{what}: not within {seconds:g} s (see {logs})")
        time.sleep(_POLL_SECONDS)
