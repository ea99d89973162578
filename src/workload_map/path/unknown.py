"""The value of what is not known."""

from __future__ import annotations

from typing import Final


class Unknown:
    """The type of `UNKNOWN`."""

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN: Final = Unknown()
"""What an entry gives where that rests on the value of a variable that is not known; no value of JSON."""
