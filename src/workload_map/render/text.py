"""Text from strangers, made safe and measured: names and messages are what anyone may have written."""

from __future__ import annotations

import re
import unicodedata


def printable(text: str) -> str:
    r"""The text with everything escaped that a terminal would obey or that would not be seen.

    Control characters, escape sequences, direction marks and other invisible characters become `\x1b` or
    `\u202e`; a backslash stays itself.
    """
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else _escape(char) for char in text)


def _escape(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")


def width(text: str) -> int:
    """How many columns of a terminal a printable text takes."""
    if text.isascii():
        return len(text)
    return sum(_columns(char) for char in text)


def _columns(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def cut(text: str, columns: int, mark: str) -> str:
    """The beginning of a printable text that takes more columns than there are, with a mark at its end.

    Args:
        text: The text; escape sequences in it are colours, and stay.
        columns: How many columns there are.
        mark: What stands for the rest.
    """
    left = columns - width(mark)
    kept: list[str] = []
    is_cut = False
    for part in _PIECES.findall(text):
        if part.startswith("\x1b"):
            kept.append(part)
            continue
        left -= width(part)
        if left >= 0:
            kept.append(part)
        elif not is_cut:
            kept.append(mark)
            is_cut = True
    return "".join(kept)


# A colour, or a character.
_PIECES = re.compile(r"\x1b\[[0-9;]*m|.")


def shortened(items: tuple[str, ...] | list[str], most: int) -> str:
    """The items joined by commas, only the first ones where there are more than `most`: `a,b,+3`."""
    shown = [printable(item) for item in items[:most]]
    if len(items) > most:
        shown.append(f"+{len(items) - most}")
    return ",".join(shown)
