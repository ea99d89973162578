"""What reading gives: a document with its value, or an error with its place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from workload_map.errors import WorkloadMapError

Steps = tuple[str | int, ...]


class Position(NamedTuple):
    """A place in a text file, both counted from 1; columns count characters."""

    line: int
    column: int


class DocumentError(WorkloadMapError):
    """Text that cannot be read as a document.

    Attributes:
        file: The name of the file, as it was given.
        document: Which document of the file, counted from 1 without empty ones; None if it is about none.
        position: The place in the file; None where the reader cannot tell.
    """

    code = "unreadable-document"

    def __init__(
        self,
        message: str,
        *,
        file: str,
        document: int | None = None,
        position: Position | None = None,
        hint: str | None = None,
    ) -> None:
        parts = [file]
        if document is not None:
            parts.append(f"document {document}")
        if position is not None:
            parts.append(f"line {position.line}, column {position.column}")
        super().__init__(message, location=", ".join(parts), hint=hint)
        self.file = file
        self.document = document
        self.position = position


class Document:
    """One document of a file.

    Attributes:
        value: The document as plain objects.
        file: The name of the file, as it was given.
        index: Which document of the file, counted from 1; empty ones are not counted.
    """

    __slots__ = ("_locate", "_places", "file", "index", "value")

    def __init__(
        self, value: Any, file: str, index: int, locate: Callable[[], dict[Steps, Position]] | None = None
    ) -> None:
        self.value = value
        self.file = file
        self.index = index
        self._locate = locate
        self._places: dict[Steps, Position] | None = None

    def position(self, steps: Steps) -> Position | None:
        """Where the key or list entry that `steps` leads to stands; if it is absent, its nearest parent.

        The places are found by reading the text again, on the first call.

        Args:
            steps: Keys and list indexes from the document's root, e.g. `("spec", "jobs", 2, "name")`.

        Returns:
            The place in the file, or None if the document was read without `positions=True`.
        """
        if self._locate is None:
            return None
        if self._places is None:
            self._places = self._locate()
        for length in range(len(steps), -1, -1):
            if (place := self._places.get(steps[:length])) is not None:
                return place
        return None
