"""Times of the Kubernetes API in one form: RFC 3339 in UTC."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any


def utc(value: Any) -> str | None:
    """A time as the API writes it (RFC 3339, any offset), in UTC with a `Z`; None for everything else."""
    if not isinstance(value, str):
        return None
    # The API server itself writes UTC in whole seconds: nothing to change, and no need to parse.
    if (
        len(value) == len("2026-01-01T00:00:00Z")
        and value[-1] == "Z"
        and value[10] == "T"
        and _is_time(value)
    ):
        return value
    if not _is_time(value):
        return None
    moment = datetime.fromisoformat(value).astimezone(UTC)
    return moment.isoformat().replace("+00:00", "Z")


def _is_time(value: str) -> bool:
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return False
    return moment.tzinfo is not None
