"""Text from strangers, made safe and measured: names and messages are what anyone may have written."""

from __future__ import annotations

import re
import unicodedata

_NARROWEST = 20  # columns in which sentences can be read


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


def wrapped(text: str, columns: int) -> list[str]:
    """A printable text without colours in lines of at most so many columns, broken at blanks where it can be.

    Args:
        text: The text.
        columns: At least 2, the width of the widest character.
    """
    parts: list[str] = []
    start = 0
    while len(text) - start > columns or width(text[start:]) > columns:
        piece = cut(text[start : start + columns + 1], columns, "")
        end = start + max(len(piece), 1)
        blank = text.rfind(" ", start + 1, end + 1)
        parts.append(text[start : blank if blank > 0 else end])
        start = blank + 1 if blank > 0 else end
    return [*parts, text[start:]] if start < len(text) or not parts else parts


# A colour, or a character.
_PIECES = re.compile(r"\x1b\[[0-9;]*m|.")
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def hanging(text: str, columns: int | None, first: str, rest: str) -> list[str]:
    """A printable text without colours behind what its lines begin with; None: in one line.

    Args:
        text: The text.
        columns: How many columns a line may take; where hardly any are left for the text, it is not broken.
        first: What the first line begins with.
        rest: What the others begin with.
    """
    room = None if columns is None else columns - max(width(first), width(rest))
    if room is None or room < _NARROWEST or width(text) <= room:
        return [first + text]
    head, *others = wrapped(text, room)
    return [first + head, *(rest + part for part in others)]


def packed(parts: list[str], columns: int | None) -> list[str]:
    """Printable texts side by side in as few lines as they fit in; None: in one. Coloured ones stay whole."""
    if columns is None:
        return ["   ".join(parts)] if parts else []
    lines: list[str] = []
    for part in parts:
        longer = f"{lines[-1]}   {part}" if lines else part
        if lines and width(_COLOUR.sub("", longer)) <= columns:
            lines[-1] = longer
        else:
            lines += [part] if "\x1b" in part else hanging(part, columns, "", "  ")
    return lines


def shortened(items: tuple[str, ...] | list[str], most: int) -> str:
    """The items joined by commas, only the first ones where there are more than `most`: `a,b,+3`."""
    shown = [printable(item) for item in items[:most]]
    if len(items) > most:
        shown.append(f"+{len(items) - most}")
    return ",".join(shown)


def natural(text: str) -> list[tuple[int, str]]:
    """What texts are sorted by so that digits compare as numbers: `worker-10` follows `worker-9`."""
    return [(int(part[:18]), "") if part.isdecimal() else (-1, part) for part in re.split(r"([0-9]+)", text)]
