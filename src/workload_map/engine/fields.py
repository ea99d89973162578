"""The paths of a definition, compiled on first use."""

from __future__ import annotations

import re

from workload_map import path

_LABEL = re.compile(r'\.metadata\.labels\["([^"\\]+)"\](?: // empty)?')
_VARIABLE = re.compile(r"\$([A-Za-z_][A-Za-z0-9_]*)")


class Field:
    """One path of a definition: its text, its place in the definition, and, once used, its program.

    Attributes:
        text: The expression.
        place: Where it stands (`childComponents[0].scaleDefinition.replicasPath`), for problems and reasons.
        structural: Read for structure: an absent list is an empty list. Status expressions are plain jq.
        variables: The references of the definition that it reads, as `$name`; each run is given their values.
        label: The label that it reads where it does nothing else, so that no program is needed for it.
    """

    __slots__ = ("_program", "label", "place", "structural", "text", "variables")

    def __init__(
        self, text: str, place: str, *, structural: bool = True, variables: tuple[str, ...] = ()
    ) -> None:
        self.text = text
        self.place = place
        self.structural = structural
        self.variables = variables
        self._program: path.Program | None = None
        label = _LABEL.fullmatch(text)
        self.label = label[1] if label is not None else None

    @property
    def program(self) -> path.Program:
        """The compiled path; raises `path.PathSyntaxError` where the definition was never validated."""
        program = self._program
        if program is None:
            program = self._program = path.compile(
                self.text, variables=self.variables, null_is_empty=self.structural
            )
        return program

    def without(self, unknown: tuple[str, ...]) -> path.Program:
        """The compiled path for runs in which the values of some of its variables are not known."""
        return path.compile(
            self.text, variables=self.variables, unknown=unknown, null_is_empty=self.structural
        )

    @property
    def pattern(self) -> str:
        """The field that a plain path reads, as text; the expression where it is more than that."""
        reads = self.program.reads
        return str(reads[0]).removesuffix(".**") if len(reads) == 1 else self.text


class Fields:
    """Makes the fields of one definition that are read on the workload.

    Args:
        references: The names of the definition's references, which those paths may read.
    """

    __slots__ = ("_references",)

    def __init__(self, references: tuple[str, ...] = ()) -> None:
        self._references = references

    def make(self, text: str, place: str, *, structural: bool = True) -> Field:
        """A field that sees the references that its text names."""
        named = _VARIABLE.findall(text) if self._references and "$" in text else ()
        variables = tuple(name for name in self._references if name in named)
        return Field(text, place, structural=structural, variables=variables)

    def optional(self, text: str | None, place: str) -> Field | None:
        """As `make`, for a path that a definition may leave out."""
        return None if text is None else self.make(text, place)


def optional_field(text: str | None, place: str) -> Field | None:
    """A field that is read on pods, so that it sees no references; None where the definition has none."""
    return None if text is None else Field(text, place)
