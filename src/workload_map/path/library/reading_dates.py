"""Reading a date by a format of C's `strptime`."""

from __future__ import annotations

import re
from collections.abc import Callable

from workload_map.path.errors import PathRuntimeError

_DIGITS = re.compile(r"[0-9]+")
_OFFSET = re.compile(r"Z|([+-])([0-9]{2}):?([0-9]{2})?")
_ZONE = re.compile(r"[A-Za-z]+")
_SPACE = re.compile(r"\s*")
COMPOSED = {
    "c": "%a %b %e %H:%M:%S %Y",
    "D": "%m/%d/%y",
    "x": "%m/%d/%y",
    "F": "%Y-%m-%d",
    "R": "%H:%M",
    "r": "%I:%M:%S %p",
    "T": "%H:%M:%S",
    "X": "%H:%M:%S",
}
"""Letters that stand for a format of several."""


class Parser:
    """Reads one text; what it finds are its attributes.

    Attributes:
        year: The year; 1900 where the format has none.
        month: From 0.
        day: From 1.
        year_day: Day of the year from 1, where the format has it; it then decides.
        offset: Seconds east of UTC.
        seconds: Seconds since 1970, where the format has them; they then decide.
    """

    def __init__(self, text: str, form: str, days: tuple[str, ...], months: tuple[str, ...]) -> None:
        self.text = text
        self.form = form
        self.days = days
        self.months = months
        self.position = 0
        self.year, self.month, self.day = 1900, 0, 1
        self.hour = self.minute = self.second = self.offset = 0
        self.year_day: int | None = None
        self.seconds: int | None = None
        self.afternoon: bool | None = None

    def read(self) -> Parser:
        """Read the whole text."""
        self.match(self.form)
        if self.position < len(self.text):
            raise self.wrong("the end")
        if self.afternoon is not None:
            self.hour = self.hour % 12 + 12 * self.afternoon
        return self

    def wrong(self, expected: str) -> PathRuntimeError:
        """The error at the current offset."""
        return PathRuntimeError(
            "value",
            f"strptime: {self.text[:40]!a} does not fit {self.form[:40]!a}: expected {expected} at offset "
            f"{self.position}",
            found="string",
        )

    def match(self, form: str) -> None:
        """Match a format at the current offset."""
        position = 0
        while position < len(form):
            char = form[position]
            position += 1
            if char.isspace():
                self.space()
            elif char == "%" and position < len(form):
                letter = form[position]
                position += 1
                self.directive(letter)
            elif self.text.startswith(char, self.position):
                self.position += 1
            else:
                raise self.wrong(repr(char))

    def space(self) -> None:
        """Skip white space."""
        found = _SPACE.match(self.text, self.position)
        self.position = found.end() if found else self.position

    def directive(self, letter: str) -> None:
        """Match one directive."""
        if letter in COMPOSED:
            self.match(COMPOSED[letter])
        elif letter in _SETTERS:
            width, low, high, store = _SETTERS[letter]
            if letter in "ekl":
                self.space()
            store(self, self.number(width, low, high, letter))
        elif letter in "aA":
            self.name(self.days)
        elif letter in "bBh":
            self.month = self.name(self.months)
        elif letter in "pP":
            self.afternoon = self.name(("am", "pm")) == 1
        elif letter == "z":
            self.zone_offset()
        elif letter == "Z":
            self.zone()
        elif letter in "nt":
            self.space()
        elif letter == "%" and self.text.startswith("%", self.position):
            self.position += 1
        else:
            raise self.wrong(f"%{letter}")

    def number(self, width: int, low: int, high: int, letter: str) -> int:
        """A number of at most so many digits, within bounds."""
        found = _DIGITS.match(self.text, self.position, self.position + width)
        if not found or not low <= int(found.group()) <= high or (letter == "Y" and len(found.group()) < 4):
            raise self.wrong(f"%{letter}")
        self.position = found.end()
        return int(found.group())

    def name(self, names: tuple[str, ...]) -> int:
        """The index of a name, whole or its first three letters."""
        rest = self.text[self.position : self.position + 9].lower()
        for index, name in enumerate(names):
            for spelling in (name.lower(), name[:3].lower()):
                if rest.startswith(spelling):
                    self.position += len(spelling)
                    return index
        raise self.wrong("a name")

    def zone_offset(self) -> None:
        """An offset from UTC."""
        found = _OFFSET.match(self.text, self.position)
        if not found:
            raise self.wrong("an offset from UTC")
        self.position = found.end()
        if found.group(1):
            size = int(found.group(2)) * 3600 + int(found.group(3) or 0) * 60
            self.offset = -size if found.group(1) == "-" else size

    def zone(self) -> None:
        """The name of a zone, which says nothing: only UTC has a known meaning, and it is the default."""
        found = _ZONE.match(self.text, self.position)
        if not found:
            raise self.wrong("the name of a zone")
        self.position = found.end()


def _store(name: str, shift: int = 0) -> Callable[[Parser, int], None]:
    return lambda parser, number: setattr(parser, name, number + shift)


def _short_year(parser: Parser, number: int) -> None:
    parser.year = number + (1900 if number >= 69 else 2000)


def _ignore(_: Parser, __: int) -> None:
    """Weeks and weekdays are checked for their form and decide nothing."""


# Directive: most digits, least and greatest number, what to do with it.
_SETTERS: dict[str, tuple[int, int, int, Callable[[Parser, int], None]]] = {
    "Y": (4, 0, 9999, _store("year")),
    "y": (2, 0, 99, _short_year),
    "m": (2, 1, 12, _store("month", -1)),
    "d": (2, 1, 31, _store("day")),
    "e": (2, 1, 31, _store("day")),
    "H": (2, 0, 23, _store("hour")),
    "k": (2, 0, 23, _store("hour")),
    "I": (2, 1, 12, _store("hour")),
    "l": (2, 1, 12, _store("hour")),
    "M": (2, 0, 59, _store("minute")),
    "S": (2, 0, 60, _store("second")),
    "f": (6, 0, 999_999, _ignore),
    "j": (3, 1, 366, _store("year_day")),
    "s": (15, 0, 10**15, _store("seconds")),
    "u": (1, 1, 7, _ignore),
    "w": (1, 0, 6, _ignore),
    "U": (2, 0, 53, _ignore),
    "V": (2, 1, 53, _ignore),
    "W": (2, 0, 53, _ignore),
    "C": (2, 0, 99, _ignore),
    "G": (4, 0, 9999, _ignore),
    "g": (2, 0, 99, _ignore),
}
