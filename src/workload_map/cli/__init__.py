"""The command line: `wmap`, also installed as `kubectl-wmap`.

Here live arguments, exit codes, and which library call answers a command: one module a command in `commands`.
Not here: any knowledge of workloads; a command parses, calls the library, and renders.
"""

from workload_map.cli.entry import main

__all__ = ["main"]
