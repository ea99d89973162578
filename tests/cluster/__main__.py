"""A cluster to work with by hand: `python -m tests.cluster [--nodes N] [OPERATOR...]`, until Ctrl-C."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time

from tests.cluster import isolation
from tests.cluster.build import BuildError
from tests.cluster.client import ApiError, WaitError
from tests.cluster.cluster import Cluster
from tests.cluster.processes import ClusterError
from tests.cluster.recipes import OPERATORS


def main(arguments: list[str]) -> int:
    """Run a cluster in a namespace of its own until a signal; gives the exit code."""
    if not isolation.isolated():
        isolation.become([sys.executable, "-m", "tests.cluster", *arguments])
    parser = argparse.ArgumentParser(prog="python -m tests.cluster", description=__doc__)
    parser.add_argument("--nodes", type=int, default=8, help="how many nodes, of 8 GPUs each")
    parser.add_argument("operators", nargs="*", metavar="OPERATOR", help=f"of {', '.join(OPERATORS)}")
    wanted = parser.parse_args(arguments)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    start = time.monotonic()
    try:
        with Cluster(wanted.nodes, wanted.operators or ("jobset", "lws")) as cluster:
            sys.stdout.write(_welcome(cluster, time.monotonic() - start))
            sys.stdout.flush()
            while True:
                time.sleep(5)
                cluster.check()
    except KeyboardInterrupt:
        return 0
    except (ApiError, BuildError, ClusterError, WaitError) as error:
        sys.stderr.write("\n".join([str(error), *getattr(error, "__notes__", [])]) + "\n")
        return 1


def _welcome(cluster: Cluster, seconds: float) -> str:
    user = "" if _owns_network() else " --user --preserve-credentials"
    enter = f"nsenter --target {os.getpid()}{user} --net env KUBECONFIG={cluster.kubeconfig}"
    return f"""ready after {seconds:.1f} s; logs and configuration are in {cluster.folder}
KUBECONFIG={cluster.kubeconfig}
a shell beside it:
  {enter} $SHELL
Ctrl-C ends it
"""


def _owns_network() -> bool:
    """Whether root of the machine made the namespace, so that nsenter needs nothing but its own root."""
    with open("/proc/self/uid_map") as ids:  # noqa: PTH123 - a file of the kernel
        return ids.read().split() == ["0", "0", "4294967295"]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
