"""What a cold start costs, beside that of Python alone."""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.measure import Row, process_seconds

MANIFEST = Path(__file__).parent / "data" / "jobset.yaml"


def run() -> list[Row]:
    """Import of the library (bar 60 ms), and `wmap describe -f` of a manifest (bar 250 ms)."""
    wmap = Path(sys.executable).with_name("wmap")
    nothing = process_seconds(sys.executable, "-c", "pass")
    library = process_seconds(sys.executable, "-c", "import workload_map")
    describe = process_seconds(str(wmap), "describe", "-f", str(MANIFEST))
    return [
        Row("python -c pass", nothing * 1000, 60, "ms"),
        Row("import workload_map, beyond Python's own start", (library - nothing) * 1000, 60, "ms"),
        Row("wmap describe -f, whole process", describe * 1000, 250, "ms"),
    ]
