"""Label and field selectors, as kubectl writes them, checked before anything is read.

The grammar of label selectors is that of `k8s.io/apimachinery/pkg/labels`: requirements joined by commas,
each one of `key`, `!key`, `key=value`, `key==value`, `key!=value`, `key in (a,b)`, `key notin (a,b)`,
`key>1`, `key<1`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from workload_map.source.errors import SelectorError
from workload_map.source.objects import Object, labels_of, namespace_of

_SPACE = r"[ \t\r\n]*"
_DOMAIN_PART = r"[a-z0-9](?:[-a-z0-9]*[a-z0-9])?"
_PREFIX = rf"(?![-a-z0-9.]{{254}})(?:{_DOMAIN_PART}\.)*{_DOMAIN_PART}/"
_NAME = r"(?![-\w.]{64})[A-Za-z0-9](?:[-\w.]*[A-Za-z0-9])?"
_KEY = rf"(?:{_PREFIX})?{_NAME}"
_VALUE = rf"(?:{_NAME})?"
_REQUIREMENT = re.compile(
    rf"{_SPACE}(?:!{_SPACE}(?P<absent>{_KEY})"
    rf"|(?P<key>{_KEY})(?:{_SPACE}(?P<sign>==|!=|=|>|<){_SPACE}(?P<value>{_VALUE})"
    rf"|[ \t\r\n]{_SPACE}(?P<set>in|notin){_SPACE}\("
    rf"{_SPACE}(?P<values>{_VALUE}(?:{_SPACE},{_SPACE}{_VALUE})*){_SPACE}\))?){_SPACE}(?:,|\Z)",
    re.ASCII,
)
_INT64 = range(-(2**63), 2**63)
_WHOLE_NUMBER = re.compile(r"[-+]?[0-9]{1,63}")  # no label is longer


def _whole_number(text: str) -> int | None:
    """The number that a label's value is to `<` and `>`; None if it is none, or takes more than 64 bits."""
    if _WHOLE_NUMBER.fullmatch(text) is None:
        return None
    number = int(text)
    return number if number in _INT64 else None


class _Requirement(NamedTuple):
    key: str
    operator: str  # exists, absent, in, notin, >, <
    values: frozenset[str] = frozenset()

    def holds(self, labels: Mapping[str, str]) -> bool:
        value = labels.get(self.key)
        if self.operator == "in":
            return value in self.values
        if self.operator == "notin":  # also where the label is absent, as the API server has it
            return value not in self.values
        if self.operator in ("exists", "absent"):
            return (self.key in labels) == (self.operator == "exists")
        (bound,) = self.values
        return _compare(value, int(bound), self.operator)


def _compare(value: object, bound: int, operator: str) -> bool:
    number = _whole_number(value) if isinstance(value, str) else None
    if number is None:
        return False
    return number > bound if operator == ">" else number < bound


class LabelSelector:
    """Which labels an object must have.

    Args:
        text: The selector; empty selects everything.

    Raises:
        SelectorError: It does not parse.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._requirements: list[_Requirement] = []
        position = 0
        while text.strip() and position < len(text):
            match = _REQUIREMENT.match(text, position)
            if match is None or (match[0].endswith(",") and not text[match.end() :].strip()):
                raise SelectorError(
                    f"the label selector {text!r} does not parse at {text[position:]!r}",
                    hint="such as app=web,tier!=test, app in (web,api), !canary",
                )
            self._requirements.append(_requirement(match, text))
            position = match.end()

    def matches(self, value: Object) -> bool:
        """Whether an object has such labels."""
        if not self._requirements:
            return True
        labels = labels_of(value)
        return all(requirement.holds(labels) for requirement in self._requirements)


def _requirement(match: re.Match[str], text: str) -> _Requirement:
    if match["absent"]:
        return _Requirement(match["absent"], "absent")
    key, sign = match["key"], match["sign"] or match["set"]
    if sign is None:
        return _Requirement(key, "exists")
    if match["set"]:
        return _Requirement(key, sign, frozenset(part.strip() for part in match["values"].split(",")))
    if sign in ("<", ">") and _whole_number(match["value"]) is None:
        raise SelectorError(
            f"the label selector {text!r} compares {key!r} with something that is no number",
            hint="< and > take whole numbers, as in tier>1",
        )
    if sign in ("<", ">"):
        return _Requirement(key, sign, frozenset({match["value"]}))
    return _Requirement(key, "notin" if sign == "!=" else "in", frozenset({match["value"]}))


_FIELDS: dict[str, Callable[[Object], object]] = {
    "metadata.name": lambda value: value["metadata"].get("name"),
    "metadata.namespace": lambda value: namespace_of(value) or "",
}


class FieldSelector:
    """Which name or namespace an object must have; the fields that every kind can be selected by.

    Args:
        text: Requirements such as `metadata.name=x,metadata.namespace!=y`; empty selects everything.

    Raises:
        SelectorError: It does not parse, or names another field.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._requirements = [_field_requirement(part, text) for part in text.split(",") if part.strip()]

    def matches(self, value: Object) -> bool:
        """Whether an object has such fields."""
        return all((_FIELDS[field](value) == wanted) == equal for field, wanted, equal in self._requirements)


def _field_requirement(part: str, text: str) -> tuple[str, str, bool]:
    match = re.fullmatch(r"\s*([^=!\s]+)\s*(==|!=|=)\s*(\S*)\s*", part)
    if match is None:
        raise SelectorError(
            f"the field selector {text!r} does not parse at {part!r}",
            hint="such as metadata.name=train,metadata.namespace!=test",
        )
    field, sign, wanted = match.groups()
    if field not in _FIELDS:
        raise SelectorError(
            f"objects cannot be selected by the field {field!r}",
            hint=f"by {' and '.join(_FIELDS)}; for the phase there is --phase",
        )
    return field, wanted, sign != "!="
