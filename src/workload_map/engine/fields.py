"""One path of a definition, compiled on first use."""

from __future__ import annotations

from workload_map import path


class Field:
    """One path of a definition: its text, its place in the definition, and, once used, its program.

    Attributes:
        text: The expression.
        place: Where it stands (`childComponents[0].scaleDefinition.replicasPath`), for problems and reasons.
        structural: Read for structure: an absent list is an empty list. Status expressions are plain jq.
    """

    __slots__ = ("_program", "place", "structural", "text")

    def __init__(self, text: str, place: str, *, structural: bool = True) -> None:
        self.text = text
        self.place = place
        self.structural = structural
        self._program: path.Program | None = None

    @property
    def program(self) -> path.Program:
        """The compiled path; raises `path.PathSyntaxError` where the definition was never validated."""
        program = self._program
        if program is None:
            program = self._program = path.compile(self.text, null_is_empty=self.structural)
        return program

    @property
    def pattern(self) -> str:
        """The field that a plain path reads, as text; the expression where it is more than that."""
        reads = self.program.reads
        return str(reads[0]).removesuffix(".**") if len(reads) == 1 else self.text


def optional_field(text: str | None, place: str) -> Field | None:
    """The field of a path that a definition may leave out."""
    return None if text is None else Field(text, place)
