"""Run every benchmark of this folder, or those whose names are given, and print the ratios beside their bars.

A benchmark is a module with a function `run() -> list[Row]`. A ratio above its bar is marked, and ends the
run with exit code 1.
"""

from __future__ import annotations

import compileall
import importlib
import pkgutil
import sys
from pathlib import Path

import workload_map
from benchmarks.measure import Row


def main(names: list[str]) -> int:
    """Run the named benchmarks (all without names); 1 if a bar is missed."""
    found = [one.name for one in pkgutil.iter_modules([str(Path(__file__).parent)])]
    chosen = names or [name for name in found if name not in {"__main__", "measure", "objects", "process"}]
    missed = 0
    # As an installed package is: else it is compiled at each start wherever Python may write no bytecode.
    compileall.compile_dir(Path(workload_map.__file__).parent, quiet=1)
    for name in chosen:
        rows: list[Row] = importlib.import_module(f"benchmarks.{name}").run()
        for row in rows:
            missed += not row.within
            bar = "no bar" if row.bar is None else f"bar {row.bar:g}"
            mark = "" if row.within else "   MISSED"
            print(f"{row.what:<104} {row.ratio:>9.2f} {row.unit:<12} {bar}{mark}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
