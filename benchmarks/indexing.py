"""What it takes to know the built-in kinds: each definition stays a piece of text until it is asked for."""

from __future__ import annotations

import workload_map as wm
from benchmarks.measure import Row, seconds
from workload_map.catalog import index


def run() -> list[Row]:
    """From the file, nothing known before."""

    def known() -> object:
        index._index.cache_clear()
        return wm.Catalog.builtin()

    return [Row("the built-in definitions are indexed", seconds(known, at_least=0.001) * 1000, 10, "ms")]
