"""The builtins that are functions of values, one module a subject, each loaded when first used.

A function takes the value, its arguments and the budget, and gives one value; it never changes what it is
given and charges what it makes. Those that carry origins through have a second, located form.

What does not live here: builtins whose arguments are expressions (`compiler.forms`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

from workload_map.path.builtins import NATIVES

_LOCATED = frozenset(
    [
        "keys/0",
        "keys_unsorted/0",
        "to_entries/0",
        "from_entries/0",
        "sort/0",
        "reverse/0",
        "unique/0",
        "flatten/0",
        "flatten/1",
        "add/0",
        "min/0",
        "max/0",
        "sort_by/1",
        "group_by/1",
        "unique_by/1",
        "min_by/1",
        "max_by/1",
        "tostream/0",
        "toarray/0",
        "transpose/0",
    ]
) - {"tostream/0", "toarray/0", "transpose/0"}
_BY_KEY = frozenset(["sort_by/1", "group_by/1", "unique_by/1", "min_by/1", "max_by/1"])


def has_located(name: str) -> bool:
    """Whether a builtin carries origins through."""
    return name in _LOCATED


@cache
def native_function(name: str, *, located: bool = False) -> Callable[..., Any]:
    """The function of a builtin; `name` with its arity."""
    subject = "located" if located else "arrays" if name in _BY_KEY else NATIVES[name].module
    module = import_module(f"{__name__}.{subject}")
    function: Callable[..., Any] = module.FUNCTIONS[name]
    return function
