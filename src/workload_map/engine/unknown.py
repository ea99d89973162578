"""The value of what could not be read."""

from __future__ import annotations

from typing import Final


class Unknown:
    """The type of `UNKNOWN`."""

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN: Final = Unknown()
"""The value of a field that could not be read: neither absent nor null, so no default applies."""
