"""The value of what could not be read: neither absent nor null, so no default applies."""

from __future__ import annotations

from workload_map.path import UNKNOWN, Unknown

__all__ = ["UNKNOWN", "Unknown"]
