"""Spans of time as kubectl writes them."""

from __future__ import annotations

from datetime import datetime

UNKNOWN = "<unknown>"
_MINUTE, _HOUR, _DAY, _YEAR = 60, 3600, 86400, 86400 * 365


def age(created_at: str | None, now: datetime) -> str:
    """How long ago a time was.

    Args:
        created_at: RFC 3339 in UTC, or None.
        now: The time to count from, with a time zone.
    """
    if created_at is None:
        return UNKNOWN
    try:
        return duration(int((now - datetime.fromisoformat(created_at)).total_seconds()))
    except (ValueError, TypeError):  # TypeError: a time without a zone
        return UNKNOWN


def duration(seconds: int) -> str:
    """Two units at most, the rule of `HumanDuration` in `k8s.io/apimachinery/pkg/util/duration`.

    Args:
        seconds: The length; a little below zero counts as none (clocks differ), far below is invalid.
    """
    if seconds < 0:
        return "0s" if seconds >= -1 else "<invalid>"
    minutes, hours, days, years = (seconds // unit for unit in (_MINUTE, _HOUR, _DAY, _YEAR))
    if seconds < 2 * _MINUTE:
        return f"{seconds}s"
    if minutes < 10:
        return f"{minutes}m" + _rest(seconds % 60, "s")
    if hours < 3:
        return f"{minutes}m"
    if hours < 8:
        return f"{hours}h" + _rest(minutes % 60, "m")
    if hours < 48:
        return f"{hours}h"
    if hours < 8 * 24:
        return f"{days}d" + _rest(hours % 24, "h")
    if years < 2:
        return f"{days}d"
    if years < 8:
        return f"{years}y" + _rest(days % 365, "d")
    return f"{years}y"


def _rest(amount: int, unit: str) -> str:
    return f"{amount}{unit}" if amount else ""
