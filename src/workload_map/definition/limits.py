"""How large the parts of a definition may be: the same for loading one and for an API server that stores it.

Definitions are untrusted. Rules that compare parts with each other stay cheap, and an API server refuses
rules of a CustomResourceDefinition whose cost it cannot bound.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from workload_map.definition.findings import Steps

MAX_ITEMS = 64  # entries of a list or mapping
MAX_NAME = 253  # characters of a name, as in Kubernetes
MAX_EXPRESSION = 16 * 1024
MAX_TEXT = 1024  # of all other texts

_NAMES = {"name", "group", "version", "kind", "ownerRef", "componentName"}
_EXPRESSIONS = {"path", "expression", "filters", "incompleteWhen"}
_EXPRESSION_ENDS = ("Path", "Paths", "Expression")


def max_length(field: str) -> int:
    """How many characters the text in a field of this name may have."""
    if field in _NAMES:
        return MAX_NAME
    is_expression = field in _EXPRESSIONS or field.endswith(_EXPRESSION_ENDS)
    return MAX_EXPRESSION if is_expression else MAX_TEXT


def excesses(value: Any, steps: Steps = (), field: str = "") -> Iterator[tuple[Steps, str]]:
    """Where a part of a definition is too large, and what is.

    Args:
        value: The part.
        steps: Where it stands.
        field: The name of the field that it stands in.
    """
    if isinstance(value, str):
        if len(value) > max_length(field):
            yield steps, f"the text has {len(value)} characters; {max_length(field)} are allowed"
    elif isinstance(value, tuple | dict):
        if len(value) > MAX_ITEMS:
            yield steps, f"there are {len(value)} entries; {MAX_ITEMS} are allowed"
            return
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from excesses(inner, (*steps, key), field)
    elif isinstance(value, msgspec.Struct):
        for attribute, name in zip(value.__struct_fields__, value.__struct_encode_fields__, strict=True):
            yield from excesses(getattr(value, attribute), (*steps, name), name)
