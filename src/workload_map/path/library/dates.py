"""Dates of data, in UTC, in C's spelling: `gmtime mktime strftime strptime`.

A broken-down time is `[year, month from 0, day, hour, minute, second, weekday from Sunday, day of the year
from 0]`. Python's `datetime` ends at year 9999; these do not, so the calendar is computed here.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from workload_map.path.budget import Budget
from workload_map.path.errors import PathRuntimeError
from workload_map.path.library.reading_dates import COMPOSED, Parser
from workload_map.path.runtime import fail
from workload_map.path.values import is_number

DAYS = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
_MAX_SECONDS = 1e18


def days_of(year: int, month: int, day: int) -> int:
    """Days from 1970-01-01 to a date of the proleptic Gregorian calendar; month from 0, days may overflow."""
    year += month // 12
    month = month % 12 + 1
    year -= month <= 2
    era, of_era = divmod(year, 400)
    of_year = (153 * (month + (-3 if month > 2 else 9)) + 2) // 5 + day - 1
    return era * 146097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year - 719468


def date_of(days: int) -> tuple[int, int, int]:
    """Year, month from 0 and day of a number of days from 1970-01-01."""
    era, of_era = divmod(days + 719468, 146097)
    year = (of_era - of_era // 1460 + of_era // 36524 - of_era // 146096) // 365
    of_year = of_era - (365 * year + year // 4 - year // 100)
    shifted = (5 * of_year + 2) // 153
    day = of_year - (153 * shifted + 2) // 5 + 1
    month = shifted + (2 if shifted < 10 else -10)
    return year + era * 400 + (month <= 1), month, day


def _broken_down(seconds: Any) -> list[Any]:
    whole = math.floor(seconds)
    days, rest = divmod(whole, 86400)
    year, month, day = date_of(days)
    second: Any = rest % 60
    if type(seconds) is float and seconds != whole:
        second = second + (seconds - whole)
    return [
        year,
        month,
        day,
        rest // 3600,
        rest % 3600 // 60,
        second,
        (days + 4) % 7,
        days - days_of(year, 0, 1),
    ]


def gmtime(value: Any, _: Budget) -> list[Any]:
    """Seconds since 1970 as a broken-down time."""
    if not is_number(value):
        return fail("type", "gmtime: expected a number of seconds", value)
    if not abs(value) <= _MAX_SECONDS:
        raise PathRuntimeError("value", "gmtime: the number of seconds is too large", found="number")
    return _broken_down(value)


def _fields(value: Any, name: str, budget: Budget) -> list[Any]:
    budget.work(4 + (len(value) >> 2) if isinstance(value, list) else 4)
    if not isinstance(value, list) or not all(map(is_number, value)):
        fail("type", f"{name}: expected a broken-down time", value)
    fields = [*value[:8], *[0] * (8 - len(value))]
    if not all(abs(field) < 1e12 for field in fields):
        raise PathRuntimeError("value", f"{name}: a part of the broken-down time is too large", found="array")
    return [math.floor(field) for field in fields[:5]] + [fields[5]]


def mktime(value: Any, budget: Budget) -> Any:
    """A broken-down time as seconds since 1970."""
    year, month, day, hour, minute, second = _fields(value, "mktime", budget)
    seconds = days_of(year, month, day) * 86400 + hour * 3600 + minute * 60 + second
    return int(seconds) if seconds == int(seconds) else seconds


def strftime(value: Any, form: Any, budget: Budget) -> str:
    """A time (seconds or broken-down) as text."""
    name = "strftime"
    if not is_number(value) and not isinstance(value, list):
        fail("type", f"{name}: expected a number of seconds or a broken-down time", value)
    if not isinstance(form, str):
        return fail("type", f"{name}: expected a string as the format", form)
    seconds = value if is_number(value) else mktime(_fields(value, name, budget), budget)
    budget.grow(12 * len(form))
    budget.work(4 * len(form))
    return _written(gmtime(seconds, budget), math.floor(seconds), form)


def strptime(value: Any, form: Any, budget: Budget) -> list[Any]:
    """Text as a broken-down time."""
    if not isinstance(value, str):
        return fail("type", "strptime: expected a string", value)
    if not isinstance(form, str):
        return fail("type", "strptime: expected a string as the format", form)
    budget.work(len(value) + len(form))
    found = Parser(value, form, DAYS, MONTHS).read()
    if found.seconds is not None:
        return _broken_down(found.seconds)
    month, day = (0, found.year_day) if found.year_day is not None else (found.month, found.day)
    days = days_of(found.year, month, day)
    seconds = days * 86400 + found.hour * 3600 + found.minute * 60 + found.second - found.offset
    return _broken_down(seconds)


def _iso_week(time: list[Any]) -> tuple[int, int]:
    """Year and week of ISO 8601."""
    year, weekday, of_year = time[0], (time[6] + 6) % 7, time[7]
    week = (of_year - weekday + 10) // 7
    if week < 1:
        before = days_of(year, 0, 1) - days_of(year - 1, 0, 1)
        return year - 1, (of_year + before - weekday + 10) // 7
    length = days_of(year + 1, 0, 1) - days_of(year, 0, 1)
    if week == 53 and of_year - weekday + 3 >= length:
        return year + 1, 1
    return year, week


def _hour12(time: list[Any]) -> int:
    return int((time[3] + 11) % 12 + 1)


# A directive that is a number: the number, its width, and what it is padded with.
_NUMBERS: dict[str, Callable[[list[Any], int], tuple[int, int, str]]] = {
    "Y": lambda time, _: (time[0], 4, "0"),
    "C": lambda time, _: (time[0] // 100, 2, "0"),
    "y": lambda time, _: (time[0] % 100, 2, "0"),
    "m": lambda time, _: (time[1] + 1, 2, "0"),
    "d": lambda time, _: (time[2], 2, "0"),
    "e": lambda time, _: (time[2], 2, " "),
    "H": lambda time, _: (time[3], 2, "0"),
    "I": lambda time, _: (_hour12(time), 2, "0"),
    "k": lambda time, _: (time[3], 2, " "),
    "l": lambda time, _: (_hour12(time), 2, " "),
    "M": lambda time, _: (time[4], 2, "0"),
    "S": lambda time, _: (int(time[5]), 2, "0"),
    "f": lambda time, _: (int(time[5] % 1 * 1_000_000), 6, "0"),
    "j": lambda time, _: (time[7] + 1, 3, "0"),
    "s": lambda _, seconds: (seconds, 1, "0"),
    "u": lambda time, _: ((time[6] + 6) % 7 + 1, 1, "0"),
    "w": lambda time, _: (time[6], 1, "0"),
    "G": lambda time, _: (_iso_week(time)[0], 4, "0"),
    "g": lambda time, _: (_iso_week(time)[0] % 100, 2, "0"),
    "V": lambda time, _: (_iso_week(time)[1], 2, "0"),
    "U": lambda time, _: ((time[7] + 7 - time[6]) // 7, 2, "0"),
    "W": lambda time, _: ((time[7] + 7 - (time[6] + 6) % 7) // 7, 2, "0"),
}
_WORDS: dict[str, Callable[[list[Any]], str]] = {
    "A": lambda time: DAYS[time[6]],
    "a": lambda time: DAYS[time[6]][:3],
    "B": lambda time: MONTHS[time[1]],
    "b": lambda time: MONTHS[time[1]][:3],
    "h": lambda time: MONTHS[time[1]][:3],
    "p": lambda time: "AM" if time[3] < 12 else "PM",
    "P": lambda time: "am" if time[3] < 12 else "pm",
    "Z": lambda _: "UTC",
    "z": lambda _: "+0000",
    "n": lambda _: "\n",
    "t": lambda _: "\t",
    "%": lambda _: "%",
}
# Two that are written and not read.
_COMPOSED = {**COMPOSED, "v": "%e-%b-%Y", "+": "%a %b %e %H:%M:%S %Z %Y"}
_PADDING = {"-": "", "_": " ", "0": "0"}


def _written(time: list[Any], seconds: int, form: str) -> str:
    """The format with its directives filled in; what is no directive stays as it is."""
    pieces, position = [], 0
    while position < len(form):
        start = position
        position += 1
        if form[start] != "%" or position >= len(form):
            pieces.append(form[start])
            continue
        flag = form[position] if form[position] in "-_0^" and position + 1 < len(form) else ""
        letter = form[position + len(flag)]
        position += len(flag) + 1
        if letter in _NUMBERS:
            number, width, padding = _NUMBERS[letter](time, seconds)
            padding = _PADDING.get(flag, padding)
            digits = str(abs(number)).rjust(width, padding) if padding else str(abs(number))
            pieces.append("-" + digits if number < 0 else digits)
        elif letter in _WORDS:
            word = _WORDS[letter](time)
            pieces.append(word.upper() if flag == "^" else word)
        elif letter in _COMPOSED:
            pieces.append(_written(time, seconds, _COMPOSED[letter]))
        else:
            pieces.append(form[start:position])
    return "".join(pieces)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "gmtime/0": gmtime,
    "mktime/0": mktime,
    "strftime/1": strftime,
    "strptime/1": strptime,
}
