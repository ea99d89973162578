"""`python -m workload_map.catalog` makes the index anew, after a definition has changed."""

from workload_map.catalog.building import build
from workload_map.catalog.index import FILE

FILE.write_bytes(build())
