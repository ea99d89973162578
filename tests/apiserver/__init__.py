"""A small API server on loopback for tests: what it serves, denies and breaks, each test says itself.

It does what this project asks of a server and no more: discovery in both forms, lists in pages with selectors
and as metadata alone, single objects, watches. What a real one does, `tests/cluster` tries on a real one.
"""

from tests.apiserver.server import ApiServer, Kind, serving

__all__ = ["ApiServer", "Kind", "serving"]
