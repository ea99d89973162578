"""What the terminal can show: colours and line-drawing characters, never the only sign of anything."""

from __future__ import annotations

import msgspec

_RESET = "\x1b[0m"
_RED, _GREEN, _YELLOW, _BLUE, _GREY, _BOLD = (
    "\x1b[31m",
    "\x1b[32m",
    "\x1b[33m",
    "\x1b[34m",
    "\x1b[90m",
    "\x1b[1m",
)
_PHASES = {
    "Initializing": _BLUE,
    "Running": _GREEN,
    "Completed": _GREEN,
    "Degraded": _YELLOW,
    "Suspending": _GREY,
    "Suspended": _GREY,
    "Resuming": _BLUE,
    "Failed": _RED,
}


class Style(msgspec.Struct, frozen=True):
    """How to draw.

    Attributes:
        colour: Whether escape sequences for colours may be written.
        unicode: Whether line-drawing characters can be shown; otherwise trees are drawn in ASCII.
        columns: How many columns a line may take; None: any number, as in files and pipes.
    """

    colour: bool = False
    unicode: bool = False
    columns: int | None = None

    def phase(self, text: str, phase: str | None) -> str:
        """A text in the colour of a phase."""
        return self._paint(text, _PHASES.get(phase or ""))

    def trouble(self, text: str) -> str:
        """A text that says what is wrong."""
        return self._paint(text, _RED)

    def heading(self, text: str) -> str:
        """A text that names what follows."""
        return self._paint(text, _BOLD)

    def _paint(self, text: str, colour: str | None) -> str:
        return f"{colour}{text}{_RESET}" if self.colour and colour and text else text

    @property
    def ellipsis(self) -> str:
        """In the place of what there is no room for."""
        return "…" if self.unicode else "..."

    @property
    def branch(self) -> str:
        """Before a row that has a sibling below."""
        return "├── " if self.unicode else "|-- "

    @property
    def last_branch(self) -> str:
        """Before the last row of its parent."""
        return "└── " if self.unicode else "`-- "

    @property
    def line(self) -> str:
        """Beside the rows below a row that has a sibling."""
        return "│   " if self.unicode else "|   "


PLAIN = Style()
