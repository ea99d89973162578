"""The lines of a definition: which line of its file a place in it stands on."""

from __future__ import annotations

import re
from pathlib import Path

from workload_map.definition.findings import Finding, Steps
from workload_map.definition.loading import definitions_in, read_files
from workload_map.documents import Document

_STEP = re.compile(r'\.?([A-Za-z_][\w-]*)|\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]')


class Lines:
    """Finds the line of a place in a definition.

    Args:
        file: The file that the definition stands in; None where it is in none.
        name: The name of the definition.
    """

    def __init__(self, file: Path | str | None, name: str) -> None:
        self._file = None if file is None else Path(file)
        self._name = name
        self._found: tuple[Document, Steps] | None = None

    def of(self, place: str) -> int | None:
        """The line of a place such as `spec.structureDefinition.childComponents[0].scaleDefinition`.

        Returns:
            The line, counted from 1, of the place or its nearest parent; None where the file is not at hand.
        """
        if self._file is None:
            return None
        self._found = self._found or self._find(self._file)
        if self._found is None:
            return None
        document, base = self._found
        position = document.position((*base, *steps(place)))
        return position.line if position else None

    def _find(self, file: Path) -> tuple[Document, Steps] | None:
        for document in read_files(file, positions=True):
            if isinstance(document, Finding):
                continue
            for value, base in definitions_in(document):
                metadata = value.get("metadata") if isinstance(value, dict) else None
                if isinstance(metadata, dict) and metadata.get("name") == self._name:
                    return document, base
        return None


def steps(place: str) -> Steps:
    """A place as people write it, as keys and indexes."""
    return tuple(
        int(index) if index else name or re.sub(r"\\(.)", r"\1", quoted)
        for name, index, quoted in _STEP.findall(place)
    )
