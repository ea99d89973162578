"""The function with which a caller finds objects for the engine: that it fails is an answer, too."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from workload_map.engine.objects import Object, api_kind, text_of

Lookup = Callable[[Object], Object | None]
"""From an owner reference, with the `namespace` of the owned object added, to the owner or None; and from the
`apiVersion`, `kind`, `namespace` and `name` of an object to it or None."""

_LONGEST = 200


class Failure(NamedTuple):
    """An object that was asked for, and what was raised instead of an answer."""

    kind: str
    namespace: str | None
    name: str
    why: str

    @property
    def place(self) -> str:
        """The object as problems name it."""
        return f"{self.kind} {self.name}"


class Finder:
    """Asks the caller's function. What it raises is kept, and the object is then not at hand.

    All exceptions but those that end a program (`KeyboardInterrupt`, `SystemExit`) are kept: one object that
    cannot be had must not take the view of another one down.

    Attributes:
        failed: Why the last object that was asked for was not answered; None if it was.
    """

    def __init__(self, find: Lookup) -> None:
        self._find = find
        self.failed: Failure | None = None

    def __call__(self, reference: Object) -> Object | None:
        """The object of a reference; None where there is none, or asking for it failed."""
        self.failed = None
        try:
            return self._find(reference)
        except Exception as error:
            kind, name = api_kind(reference)[1], text_of(reference.get("name")) or "?"
            self.failed = Failure(kind or "?", text_of(reference.get("namespace")), name, _told(error))
            return None


def _told(error: Exception) -> str:
    """The type and the text of an exception, on one line."""
    try:
        text = " ".join(str(error).split())
    except Exception:
        text = ""
    name = type(error).__name__
    if not text:
        return name
    return f"{name}: {text}" if len(text) <= _LONGEST else f"{name}: {text[: _LONGEST - 3]}..."
