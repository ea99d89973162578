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

_KEY = r"(?:[a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[A-Za-z0-9](?:[-\w.]*[A-Za-z0-9])?"
_VALUE = r"(?:[A-Za-z0-9](?:[-\w.]*[A-Za-z0-9])?)?"
_REQUIREMENT = re.compile(
    rf"\s*(?:!\s*(?P<absent>{_KEY})"
    rf"|(?P<key>{_KEY})(?:\s*(?P<sign>==|!=|=|>|<)\s*(?P<value>{_VALUE})"
    rf"|\s+(?P<set>in|notin)\s*\(\s*(?P<values>{_VALUE}(?:\s*,\s*{_VALUE})*)\s*\))?)\s*(?:,|$)",
    re.ASCII,
)


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
    if not isinstance(value, str) or not re.fullmatch(r"[-+]?[0-9]{1,19}", value):
        return False
    return int(value) > bound if operator == ">" else int(value) < bound


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
    if sign in ("<", ">") and not re.fullmatch(r"[0-9]{1,19}", match["value"]):
        raise SelectorError(f"the label selector {text!r} compares {key!r} with something that is no number")
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
        raise SelectorError(f"the field selector {text!r} does not parse at {part!r}")
    field, sign, wanted = match.groups()
    if field not in _FIELDS:
        raise SelectorError(
            f"objects cannot be selected by the field {field!r}",
            hint=f"by {' and '.join(_FIELDS)}; for the phase there is --phase",
        )
    return field, wanted, sign != "!="
