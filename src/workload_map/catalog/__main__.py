"""`python -m workload_map.catalog` makes the index anew, after a definition has changed."""

from workload_map.catalog import index

index.FILE.write_bytes(index.build())
