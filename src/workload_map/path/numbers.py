"""Numbers as text and back: exact integers of any length, and doubles spelled as gojq spells them.

Python refuses to convert integers of more than 4 300 digits; the limit is the process's, so longer ones are
converted here in pieces. Callers charge the length before.
"""

from __future__ import annotations

import re
import sys

_PIECE = 4000
_PIECE_BITS = 13_000  # fewer bits than 4 000 digits have
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


def number_literal(text: str) -> int | float:
    """The number that a literal means: an exact integer where it is written as one."""
    return integer(text) if text.lstrip("+-").isdigit() else float(text)


def parse_number(text: str) -> int | float | None:
    """The number in a string, as `tonumber` reads it; None if it is none."""
    return number_literal(text) if _NUMBER.fullmatch(text) else None


def integer(text: str) -> int:
    """`int(text)` for decimal digits of any length."""
    if len(text) <= _PIECE:
        return int(text)
    sign = -1 if text[0] == "-" else 1
    return sign * _joined(text.lstrip("+-"))


def _joined(digits: str) -> int:
    if len(digits) <= _PIECE:
        return int(digits)
    low = len(digits) // 2
    power: int = 10**low
    return _joined(digits[:-low]) * power + _joined(digits[-low:])


def integer_text(number: int) -> str:
    """`str(number)` for integers of any length."""
    if number.bit_length() <= _PIECE_BITS:
        return str(number)
    return "-" + _digits(-number) if number < 0 else _digits(number)


def _digits(number: int) -> str:
    bits = number.bit_length()
    if bits <= _PIECE_BITS:
        return str(number)
    low = bits * 30103 // 200000  # half of the decimal digits
    high, rest = divmod(number, 10**low)
    return _digits(high) + _digits(rest).rjust(low, "0")


def number_text(number: int | float) -> str:
    """A number as JSON text: `1` for 1.0, `null` for a NaN, the largest double for an infinity."""
    if type(number) is not float:
        return integer_text(int(number))
    if number != number:  # noqa: PLR0124 - what tells a NaN from all else
        return "null"
    number = min(max(number, -sys.float_info.max), sys.float_info.max)
    if number == 0:
        return "-0" if str(number)[0] == "-" else "0"
    mantissa, _, exponent = repr(number).partition("e")
    if 1e-6 <= abs(number) < 1e21:
        return _plain(mantissa, int(exponent or 0))
    return f"{mantissa}e{int(exponent):+d}"


def _plain(mantissa: str, exponent: int) -> str:
    """Digits without an exponent."""
    sign = "-" if mantissa[0] == "-" else ""
    whole, _, fraction = mantissa.lstrip("-").partition(".")
    fraction = "" if fraction == "0" else fraction
    if exponent >= 0:
        fraction = fraction.ljust(exponent, "0")
        whole, fraction = whole + fraction[:exponent], fraction[exponent:]
    else:
        fraction = whole.rjust(-exponent, "0") + fraction
        whole = "0"
    return sign + whole + ("." + fraction if fraction else "")
