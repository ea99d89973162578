"""Exact Kubernetes quantities: read, add, compare, write.

The rules are those of the API machinery (`k8s.io/apimachinery/pkg/api/resource`), as the API server applies
them to a JSON document: surrounding white space is no error, what lies below a nano unit is rounded up,
binary amounts are capped at 2^63 - 1, and a text without any digit (`k`, `+`) is 0.

Two things differ on purpose. A quantity is always written in its canonical form, where Kubernetes repeats the
spelling of some texts (`+5`, `1.500`) until they are first computed with, and prints 1000E as 1. And decimal
amounts of 10^100 and more, which Kubernetes takes but cannot handle, are errors.
"""

from __future__ import annotations

import math
import re
from decimal import Decimal
from functools import lru_cache
from typing import Final, Literal

import msgspec

from workload_map.errors import WorkloadMapError

Format = Literal["DecimalSI", "BinarySI", "DecimalExponent"]

NANO: Final = 10**9  # nano units in a whole unit
_NANO_PLACES: Final = 9
_MAX_BINARY: Final = ((1 << 63) - 1) * NANO
_MAX_PLACES: Final = 100
_MAX_TEXT: Final = 256
_MAX_EXPONENT: Final = 1 << 31

_DECIMAL_SUFFIXES: Final = ("n", "u", "m", "", "k", "M", "G", "T", "P", "E")
_BINARY_SUFFIXES: Final = ("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei")
_UNITS: Final[dict[str, tuple[int, Format]]] = {
    **{suffix: (NANO * 1024**power, "BinarySI") for power, suffix in enumerate(_BINARY_SUFFIXES)},
    **{suffix: (1000**power, "DecimalSI") for power, suffix in enumerate(_DECIMAL_SUFFIXES)},
}

# What Go's strings.TrimSpace takes off; str.strip() alone takes more.
_WHITE_SPACE: Final = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
# Sign, whole digits, fraction, suffix or exponent. Possessive: a wrong text costs no more than its length.
_TEXT: Final = re.compile(r"([+-]?)([0-9]*+)(?:\.([0-9]*+))?([eEinumkKMGTP]*+[+-]?[0-9]*+)")
_EXPONENT: Final = re.compile(r"[eE]([+-]?[0-9]+)")
_DIGITS: Final = "0123456789"
_PLAIN_PLACES: Final = 18  # far from any bound that digits alone could pass


class QuantityError(WorkloadMapError):
    """A value is no Kubernetes quantity."""

    code = "bad-quantity"


class Quantity(msgspec.Struct, frozen=True, eq=False, gc=False):
    """An exact amount with the notation it was written in.

    Quantities compare by amount alone, as in Kubernetes: `1Gi` equals `1073741824`.

    Attributes:
        nano: The amount in nano units (10^-9); an exact integer of any size and sign.
        format: The notation: `DecimalSI` (`500m`, `2`), `BinarySI` (`4Gi`) or `DecimalExponent` (`1e3`).
    """

    nano: int
    format: Format = "DecimalSI"

    def __str__(self) -> str:
        """The canonical text: no fraction, the largest suffix that loses nothing (`1.5Gi` is `1536Mi`)."""
        return _canonical(self.nano, self.format)

    def __add__(self, other: Quantity) -> Quantity:
        """The sum, in the notation of the first, or of the second where the first is zero."""
        return Quantity(self.nano + other.nano, self.format if self.nano else other.format)

    def __mul__(self, times: int) -> Quantity:
        return Quantity(self.nano * times, self.format)

    def __eq__(self, other: object) -> bool:
        return self.nano == other.nano if isinstance(other, Quantity) else NotImplemented

    def __ne__(self, other: object) -> bool:  # a Struct without eq compares identities here
        return not self == other

    def __hash__(self) -> int:
        return hash(self.nano)

    def __lt__(self, other: Quantity) -> bool:
        return self.nano < other.nano

    def __le__(self, other: Quantity) -> bool:
        return self.nano <= other.nano

    def ceil(self) -> int:
        """The amount in whole units, a fraction rounded up (of a negative amount: away from zero)."""
        whole = -(-abs(self.nano) // NANO)
        return whole if self.nano >= 0 else -whole


def parse(value: str | int | float) -> Quantity:
    """Read a quantity.

    Args:
        value: A quantity's text, or a number as YAML and JSON give it, which is read as its JSON text.

    Returns:
        The amount and its notation.

    Raises:
        QuantityError: The value is no quantity; the message quotes it.
    """
    if type(value) is not str:
        return _from_number(value)
    # Nearly all are whole numbers with a suffix or without one: these need no pattern.
    suffix = value.lstrip(_DIGITS)
    unit = _UNITS.get(suffix)
    if unit is not None and 0 < (places := len(value) - len(suffix)) <= _PLAIN_PLACES:
        nano = int(value[:places]) * unit[0]
        if nano <= _MAX_BINARY:
            return Quantity(nano, unit[1])
    return _from_text(value)


def _from_number(value: object) -> Quantity:
    if isinstance(value, str):  # a subclass of str
        return _from_text(str(value))
    if isinstance(value, int) and not isinstance(value, bool):
        if abs(value) >= 10**_MAX_PLACES:  # before its digits are asked for: Python refuses to print some
            raise _error("a number of more than 100 digits is too large for a quantity")
        return Quantity(value * NANO)
    if isinstance(value, float) and math.isfinite(value):
        # Between these bounds JSON writes a float without an exponent, and so the notation is DecimalSI.
        plain = 1e-6 <= abs(value) < 1e21 or not value
        return _from_text(format(Decimal(repr(value)), "f") if plain else repr(value))
    raise _error(f"{_described(value)} is not a quantity")


def _from_text(text: str) -> Quantity:
    stripped = text.strip(_WHITE_SPACE)
    if len(stripped) > _MAX_TEXT:
        raise _error(f"{_quoted(text)} is too long for a quantity")
    match = _TEXT.fullmatch(stripped) if stripped else None
    if match is None:
        raise _error(f"{_quoted(text)} is not a quantity")
    sign, whole, fraction, suffix = match.groups(default="")
    unit, divisor, notation = _unit(suffix, text)
    digits = whole + fraction
    if not digits and (suffix in ("Pi", "Ei") or divisor > 1):  # where Kubernetes' short cut for zero ends
        raise _error(f"{_quoted(text)} is not a quantity")
    nano = _divide_up(int(digits or "0") * unit, divisor * 10 ** len(fraction))
    if notation == "BinarySI":
        nano = min(nano, _MAX_BINARY)
        if 0 < nano < NANO:
            notation = "DecimalSI"
    elif nano >= NANO * 10**_MAX_PLACES:
        raise _error(f"{_quoted(text)} is too large for a quantity")
    return Quantity(-nano if sign == "-" else nano, notation)


def _unit(suffix: str, text: str) -> tuple[int, int, Format]:
    """What a suffix stands for: nano units times, divided by, and the notation."""
    known = _UNITS.get(suffix)
    if known is not None:
        return known[0], 1, known[1]
    match = _EXPONENT.fullmatch(suffix)
    exponent = int(match[1]) if match else _MAX_EXPONENT
    if not -_MAX_EXPONENT <= exponent < _MAX_EXPONENT:
        raise _error(f"{_quoted(text)} has a suffix that is unknown to Kubernetes: {_quoted(suffix)}")
    # More places than a text has digits change nothing: the amount is 1n or too large all the same.
    places = _NANO_PLACES + max(-2 * _MAX_TEXT, min(exponent, 2 * _MAX_TEXT))
    if places < 0:
        return 1, 10**-places, "DecimalExponent"
    return 10**places, 1, "DecimalExponent"


def _divide_up(amount: int, divisor: int) -> int:
    return -(-amount // divisor)


def _quoted(text: str) -> str:
    return repr(text if len(text) <= 60 else f"{text[:60]}...")


def _described(value: object) -> str:
    if isinstance(value, dict | list):
        return "a list" if isinstance(value, list) else "an object"
    return "null" if value is None else str(value).lower()  # as JSON writes true, false and null


def _error(message: str) -> QuantityError:
    return QuantityError(
        message, hint="write a number with an optional suffix, such as 2, 500m, 1.5Gi or 1e3"
    )


@lru_cache(maxsize=8192)
def _canonical(nano: int, notation: Format) -> str:
    if not nano:
        return "0"
    if notation == "BinarySI" and abs(nano) >= 1024 * NANO and nano % NANO == 0:
        amount, power = _without_factors(nano // NANO, 1024, len(_BINARY_SUFFIXES) - 1)
        return f"{amount}{_BINARY_SUFFIXES[power]}"
    if notation == "DecimalExponent":
        amount, power = _without_factors(nano, 1000, _MAX_EXPONENT)
        exponent = 3 * power - _NANO_PLACES
        return f"{amount}e{exponent}" if exponent else str(amount)
    amount, power = _without_factors(nano, 1000, len(_DECIMAL_SUFFIXES) - 1)
    return f"{amount}{_DECIMAL_SUFFIXES[power]}"


def _without_factors(amount: int, factor: int, most: int) -> tuple[int, int]:
    """The amount without its factors, and how many were taken out, `most` at most."""
    taken = 0
    while taken < most and amount % factor == 0:
        amount //= factor
        taken += 1
    return amount, taken
