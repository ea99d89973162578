"""Programs at a terminal that wait for keys, or go on until they are stopped."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import termios
import time
from collections.abc import Callable


class Interactive:
    """A program at a terminal, such as a shell."""

    def __init__(self, call: list[str], environment: dict[str, str]) -> None:
        self._terminal, theirs = pty.openpty()
        termios.tcsetwinsize(theirs, (24, 500))  # so wide that no line wraps
        self._process = subprocess.Popen(
            call, stdin=theirs, stdout=theirs, stderr=theirs, env=environment, start_new_session=True
        )
        os.close(theirs)

    def send(self, text: str) -> None:
        os.write(self._terminal, text.encode())

    def wait_for(self, text: str) -> str:
        """What is shown until a text is there."""
        return self.wait_until(lambda shown: text in shown)

    def wait_until(self, holds: Callable[[str], object], seconds: float = 60) -> str:
        """What is shown until something holds of it."""
        shown = ""
        end = time.monotonic() + seconds
        while not holds(shown):
            ready, _, _ = select.select([self._terminal], [], [], max(end - time.monotonic(), 0))
            assert ready, shown
            shown += os.read(self._terminal, 65536).decode(errors="replace")
        return shown

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._terminal)
