"""Times of the Kubernetes API in one form: RFC 3339 in UTC."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

_API_LENGTH = len("2026-01-01T00:00:00Z")


def utc(value: Any) -> str | None:
    """A time as the API writes it (RFC 3339, any offset), in UTC with a `Z`; None for everything else."""
    if not isinstance(value, str):
        return None
    try:
        moment = datetime.fromisoformat(value)
        # The API server itself writes UTC in whole seconds: nothing to change there.
        if len(value) == _API_LENGTH and value[-1] == "Z" and value[10] == "T":
            return value
        if moment.tzinfo is None:
            return None
        return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")
    except (ValueError, OverflowError):  # no time, or none that UTC has a year for
        return None
