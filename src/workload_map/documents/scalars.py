"""The meaning of a YAML scalar: the rules of go-yaml 2, which is what `kubectl` reads manifests with.

Integers above 64 bits stay exact, on purpose (there they become floats). A float that is whole is an int, as
it becomes there on its way through JSON: `1e3` and `1.0` are 1000 and 1.
"""

from __future__ import annotations

import re
from typing import Final

Scalar = str | int | float | bool | None

_WORDS: Final[dict[str, Scalar]] = {
    **dict.fromkeys(("y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"), True),
    **dict.fromkeys(("n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"), False),
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
}
_NOT_FINITE = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
_NUMBER_START = frozenset("+-.0123456789")
_INTEGER = re.compile(
    r"[-+]?(?:(?P<hex>0[xX][0-9a-fA-F]+)|(?P<bin>0[bB][01]+)|(?P<oct>0[oO]?[0-7]+)|(?P<dec>0|[1-9][0-9]*))"
)
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_BASES = {"hex": 16, "bin": 2, "oct": 8, "dec": 10}
# JSON writes whole numbers below this one without an exponent, so that they are read back as integers.
_EXPONENT_FROM = 1e21
# Converting digits is quadratic, and Python itself refuses from 4 300 on.
MAX_DIGITS = 1_000

STR_TAG = "tag:yaml.org,2002:str"
_TYPES: Final[dict[str, tuple[type, ...]]] = {
    "tag:yaml.org,2002:int": (int,),
    "tag:yaml.org,2002:float": (int, float),
    "tag:yaml.org,2002:bool": (bool,),
    "tag:yaml.org,2002:null": (type(None),),
}


def plain(text: str) -> Scalar:
    """The value of a scalar without quotes and tag.

    Raises:
        ValueError: For NaN and infinities, which JSON does not have, and for numbers of too many digits.
    """
    if text in _WORDS:
        return _WORDS[text]
    return _number(text) if text[0] in _NUMBER_START else text


def tagged(text: str, tag: str) -> Scalar:
    """The value of a scalar with a tag of YAML's own.

    Raises:
        ValueError: If the tag is not one of the types that JSON has, or the text is not of its type.
    """
    if tag in (STR_TAG, "!"):
        return text
    if tag not in _TYPES:
        raise ValueError(f"the tag {short_tag(tag)} is not supported")
    value = plain(text)
    if type(value) not in _TYPES[tag]:
        raise ValueError(f"{shorten(text)} is not {short_tag(tag)}")
    return value


def key(value: str | int | float) -> str:
    """A mapping key as the string that it becomes."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def short_tag(tag: str) -> str:
    """A tag as it is written in a document, cut where it is long."""
    return cut(tag.replace("tag:yaml.org,2002:", "!!", 1))


def shorten(text: str) -> str:
    """A text quoted for a message, cut where it is long."""
    return repr(cut(text))


def cut(text: str) -> str:
    """A text for a message, cut where it is long."""
    return text if len(text) <= 40 else f"{text[:37]}..."


def _number(text: str) -> Scalar:
    if _NOT_FINITE.fullmatch(text):
        raise ValueError(f"{text} is not a number that JSON has; quote it if it is a text")
    digits = text if text[0] == "." else text.replace("_", "")
    if match := _INTEGER.fullmatch(digits):
        return _integer(match)
    if not _FLOAT.fullmatch(digits):
        return text
    number = float(digits)
    if number in (float("inf"), float("-inf")):
        return text
    whole = number.is_integer() and abs(number) < _EXPONENT_FROM
    return int(number) if whole else number


def _integer(match: re.Match[str]) -> int:
    digits = match[0]
    if len(digits) > MAX_DIGITS:
        raise ValueError(f"a number of {len(digits)} digits; at most {MAX_DIGITS} are read")
    if match.lastgroup == "oct":
        digits = digits.replace("o", "").replace("O", "")  # Python knows no octal without its letter
    return int(digits, _BASES[match.lastgroup or "dec"])
