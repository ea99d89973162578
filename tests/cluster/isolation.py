"""A network namespace of its own: `python -m tests.cluster.isolation COMMAND...` runs the command in one.

In there every port is free, nothing listens to the outside, and the addresses of simulated pods are local.
The command replaces this process, so signals reach it directly; the namespace goes with its last process.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

# Says which namespace was made for this; one that is merely inherited by name does not count.
_VARIABLE = "WORKLOAD_MAP_CLUSTER_NETWORK"
POD_ADDRESSES = "10.244.0.0/16"
_INSIDE = f"""
ip link set lo up && ip route add local {POD_ADDRESSES} dev lo || exit 1
{_VARIABLE}=$(readlink /proc/self/ns/net)
export {_VARIABLE}
exec "$@"
"""


def isolated() -> bool:
    """Whether this process runs in a namespace that `command` made."""
    return os.environ.get(_VARIABLE) == str(Path("/proc/self/ns/net").readlink())


def command(arguments: list[str]) -> list[str]:
    """The arguments of a command that runs the given one in a new namespace."""
    as_root = [] if os.geteuid() == 0 else ["--map-root-user"]
    return ["unshare", "--net", *as_root, "--", "sh", "-c", _INSIDE, "sh", *arguments]


def refusal() -> str | None:
    """Why no namespace can be made here, in one line; None if it can."""
    try:
        tried = subprocess.run(command(["true"]), capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return "a cluster needs Linux with util-linux (unshare, setpriv) and iproute2 (ip)"
    if tried.returncode == 0:
        return None
    said = tried.stderr.strip() or f"exit code {tried.returncode}"
    return f"a cluster needs a network namespace of its own, and none can be made here ({said})"


def become(arguments: list[str]) -> NoReturn:
    """Become the given command, inside; where that is refused, say why and exit with 1."""
    why = refusal()
    if why is not None:
        sys.exit(why)
    inside = command(arguments)
    os.execvp(inside[0], inside)  # noqa: S606 - the arguments are the caller's own


if __name__ == "__main__":
    become(sys.argv[1:])
