"""What is wrong with a definition, and where."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

import msgspec

from workload_map.documents import Document, DocumentError

Steps = tuple[str | int, ...]

_PLAIN_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_SHOWN = 60
# What says that there is nothing in a field: not where something was there and could not be read.
_OF_ABSENCE = frozenset(
    [
        *("actions-empty", "fragments-empty", "gang-empty", "mappings-empty", "matcher-empty", "scale-empty"),
        *("pod-spec-missing", "selector-empty", "topology-incomplete", "type-selector-empty"),
    ]
)


class Place(msgspec.Struct, frozen=True):
    """Where a finding is, with the meanings that these have in `Finding`; None for what is not known."""

    document: int | None = None
    line: int | None = None
    column: int | None = None
    location: str | None = None


_NO_PLACE = Place()


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that is wrong, or doubtful, with a definition.

    Attributes:
        code: A documented word for the kind of finding, such as `owner-unknown`.
        severity: `error`: the definition is refused, or a part of it cannot work; `warning`: it works, but
            probably not as meant, or not everywhere.
        message: One sentence.
        hint: What to do about it, in the form of an order.
        file: The file as it was given, or the definition's name where it came from no file.
        document: Which document of the file, counted from 1; None where it came from no file.
        line: Counted from 1; None where the place is not known.
        column: Counted from 1, in characters; None where the place is not known.
        location: The field, such as `spec.structureDefinition.childComponents[1].name`; None for the whole.
    """

    code: str
    severity: Literal["error", "warning"]
    message: str
    hint: str
    file: str
    document: int | None = None
    line: int | None = None
    column: int | None = None
    location: str | None = None

    @classmethod
    def of(
        cls, code: str, message: str, file: str, hint: str | None = None, place: Place | None = None
    ) -> Finding:
        """A finding with what the table says of its code; without a hint of its own it has that one.

        Args:
            code: Its code.
            message: One sentence.
            file: The file as it was given.
            hint: What to do about it, more exactly than the table says.
            place: Where in the file.
        """
        from workload_map.definition.codes import CODES  # noqa: PLC0415 - most commands have no finding

        kind, place = CODES[code], place or _NO_PLACE
        return cls(
            code=code,
            severity=kind.severity,
            message=message,
            hint=hint or kind.hint,
            file=file,
            document=place.document,
            line=place.line,
            column=place.column,
            location=place.location,
        )

    @property
    def where(self) -> str:
        """Its place in words: the file, and the line and the field where they are known."""
        line = f"line {self.line}" if self.line is not None else None
        return ", ".join(part for part in (self.file, line, self.location) if part is not None)

    def __str__(self) -> str:
        """One line in the form of compilers: place, severity, code, field, sentence, hint."""
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)
        field = f"{self.location}: " if self.location else ""
        return f"{place}: {self.severity}[{self.code}]: {field}{self.message}; {self.hint}"


class Report:
    """Collects the findings about one definition.

    Args:
        document: Where the definition stands; asked for places.
        base: The steps from the document's root to the definition, for one inside of a list.
    """

    def __init__(self, document: Document, base: Steps = ()) -> None:
        self.findings: list[Finding] = []
        self._document = document
        self._base = base
        self._spoiled: set[Steps] = set()

    def add(self, code: str, steps: Steps, message: str, hint: str | None = None) -> None:
        """Report a finding at the field that `steps` lead to from the definition's root.

        Without a hint it has that of its code. Nothing is added where the field itself could not be read:
        that was reported, the rest follows.
        """
        if self._spoiled and any(steps[:length] in self._spoiled for length in range(len(steps) + 1)):
            return
        if code in _OF_ABSENCE and not self.was_read(steps):
            return
        where = (*self._base, *steps)
        location = field_text(where) or None
        found = self._document.position(where)
        if found is None:
            place = Place(location=location)
        else:
            place = Place(self._document.index, found.line, found.column, location)
        self.findings.append(Finding.of(code, message, self._document.file, hint, place))

    def spoil(self, steps: Steps) -> None:
        """Take no more findings at a field, or below it."""
        self._spoiled.add(steps)

    def was_read(self, steps: Steps) -> bool:
        """Whether a field could be read with all that is in it, and what it is in."""
        return not any(steps[: len(spoiled)] == spoiled[: len(steps)] for spoiled in self._spoiled)

    @property
    def has_errors(self) -> bool:
        """Whether a finding is an error."""
        return any(finding.severity == "error" for finding in self.findings)


def from_document_error(error: DocumentError) -> Finding:
    """The finding for a document that could not even be read."""
    found = error.position
    place = Place(error.document, found.line if found else None, found.column if found else None)
    return Finding.of("unreadable-document", error.message, error.file, error.hint, place)


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    """Findings by their place: file, document, line, column, field, code."""
    return sorted(
        findings,
        key=lambda finding: (
            finding.file,
            finding.document or 0,
            finding.line or 0,
            finding.column or 0,
            finding.location or "",
            finding.code,
        ),
    )


def field_text(steps: Steps) -> str:
    """Steps as people write them: `spec.jobs[2].labels["a/b"]`."""
    text = ""
    for step in steps:
        if isinstance(step, int):
            text += f"[{step}]"
        elif _PLAIN_KEY.fullmatch(step):
            text += f".{step}" if text else step
        else:
            text += f"[{msgspec.json.encode(step).decode()}]"
    return text


def shown(value: object) -> str:
    """A value of a document for a message: as JSON, cut where it is long."""
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."


def found(value: object) -> str:
    """What a value of a document is, for a message."""
    match value:
        case None:
            return "null"
        case bool():
            return shown(value)
        case int() | float():
            return f"the number {shown(value)}"
        case str():
            return f"the string {shown(value)}"
        case list():
            return "a list"
        case _:
            return "a mapping"
