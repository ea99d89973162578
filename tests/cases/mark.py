"""The mark that ties a test to the field case it judges."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

_Test = TypeVar("_Test", bound=Callable[..., Any])


def case(*ids: str) -> Callable[[_Test], _Test]:
    """Say which field cases a test judges."""

    def mark(test: _Test) -> _Test:
        vars(test)["cases"] = ids
        return test

    return mark
