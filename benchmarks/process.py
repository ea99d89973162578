"""Whole processes: how long they take of the processor, and how much memory."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import NamedTuple

# The most memory of a process is asked of the process itself: its parent is told its own, if that is more.
_CALL = """
import atexit, sys
from workload_map.cli import main

@atexit.register
def told():
    with open("/proc/self/status") as status:
        print(*[line.split()[1] for line in status if line.startswith("VmHWM")], file=sys.stderr, flush=True)

main(sys.argv[1:])
"""


class Process(NamedTuple):
    """What a process took.

    Attributes:
        seconds: Of the processor.
        peak: The most memory, in MB; 0 where it was not told.
    """

    seconds: float
    peak: float


def whole_command(*arguments: str) -> Process:
    """A call of `wmap`, from the start of Python to the end."""
    return process(sys.executable, "-c", _CALL, *arguments)


def process(*call: str) -> Process:
    """A process that ends well; what it writes to standard error is how much memory it took, in KiB."""
    started = subprocess.Popen(call, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    told = started.stderr.read().splitlines() if started.stderr else []
    _, status, usage = os.wait4(started.pid, 0)
    started.returncode = os.waitstatus_to_exitcode(status)
    if started.returncode:
        raise SystemExit(f"the process failed: {told}")
    return Process(usage.ru_utime + usage.ru_stime, int(told[-1]) / 1024 if told else 0)
