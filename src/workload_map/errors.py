"""The base class of every error, so that callers catch one type and commands know how to end.

Each layer defines its own errors beside the code that raises them; all derive from `WorkloadMapError`.
"""

from __future__ import annotations


class WorkloadMapError(Exception):
    """Something that the caller can act on: it says what, where and what to do.

    Attributes:
        code: A stable, documented word for the kind of error (`no-definition`); a class attribute.
        exit_code: What the command line ends with: 1 failed, 2 wrong call, 3 not found, 4 not covered.
        message: One sentence without its place.
        location: Where: a file with line, an object, a field; None if there is none.
        hint: What to do about it, one sentence; None if there is nothing to say.
    """

    code = "failed"
    exit_code = 1

    def __init__(self, message: str, *, location: str | None = None, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.location = location
        self.hint = hint

    def __str__(self) -> str:
        """The message with its place, as in `error: what (where)`."""
        return f"{self.message} ({self.location})" if self.location else self.message
