"""Whether a status expression holds where there is no status: tried on made-up objects.

Comparisons with what is absent give answers (`null == null`, `null < 1`), and so do `all` and `any` of
nothing. Which expression is guarded against that is easier tried than read.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from workload_map import path
from workload_map.definition.schema import ExpressionMatcher

_NOTHING = object()


def fires_without_status(
    matcher: ExpressionMatcher, references: tuple[str, ...], budget: path.Budget
) -> bool:
    """Whether an expression that reads the status gives its result for an object that has none.

    Args:
        matcher: The expression, which compiles, and its result.
        references: The variables that it may use; they are null here.
        budget: What all trials of a definition may cost together; what is over it counts as not holding.
    """
    program = path.compile(matcher.expression, variables=references)
    if not any(pattern.steps[:1] == ("status",) for pattern in program.reads):
        return False
    unknown = (None,) * len(references)
    return any(
        _gives(program, probe, budget, unknown) == matcher.expected_result
        for probe in _without_status(program.reads)
    )


def _without_status(patterns: tuple[path.ReadPattern, ...]) -> Iterator[dict[str, Any]]:
    """An object with an empty spec, and one where all that is read outside of the status is 1."""
    yield _created()
    full = _created()
    for pattern in patterns:
        if pattern.steps and pattern.steps[0] != "status":
            _put(full, pattern.steps)
    yield full


def _created() -> dict[str, Any]:
    return {"metadata": {"name": "probe", "uid": "probe", "generation": 1}, "spec": {}}


def _put(value: Any, steps: tuple[str | None, ...]) -> None:
    """Set 1 at a place, in one entry of each list on the way; not where something else stands."""
    for step, following in zip(steps, (*steps[1:], _NOTHING), strict=True):
        inner: Any = 1 if following is _NOTHING else [] if following is None else {}
        if step is None and isinstance(value, list):
            if not value:
                value.append(inner)
            value = value[0]
        elif step is not None and isinstance(value, dict):
            value = value.setdefault(step, inner)
        else:
            return


def _gives(
    program: path.Program, probe: dict[str, Any], budget: path.Budget, variables: tuple[None, ...]
) -> str | None:
    """The first result as text; None if there is none."""
    try:
        result = program.first(probe, _NOTHING, budget, variables)
    except path.PathError:
        return None
    if result is _NOTHING or isinstance(result, str):
        return result if isinstance(result, str) else None
    return msgspec.json.encode(result).decode()
