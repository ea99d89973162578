"""Trying expressions on made-up objects that have what the expressions read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from workload_map import path
from workload_map.definition.schema import ExpressionMatcher

_NOTHING = object()
_ENTRIES: tuple[Sequence[str | int], ...] = (range(2), ("a", "b"))
_LEAVES: tuple[Any, ...] = ("1", 1, [1, 1], {"a": 1, "b": 1})


class Trial(NamedTuple):
    """What all trials of a definition share.

    Attributes:
        references: The variables that expressions on the workload may use; they are null in a trial.
        budget: What all trials may cost together; what is over it counts as failed.
    """

    references: tuple[str, ...]
    budget: path.Budget

    def located(self, program: path.Program, probe: dict[str, Any]) -> list[path.Located]:
        """The outputs with their locations; none where the expression fails."""
        try:
            return program.locations(probe, self.budget, self._nulls)
        except path.PathError:
            return []

    def first(self, program: path.Program, probe: dict[str, Any], default: Any = None) -> Any:
        """The first output; the default where there is none, or the expression fails."""
        try:
            return program.first(probe, default, self.budget, self._nulls)
        except path.PathError:
            return default

    @property
    def _nulls(self) -> tuple[None, ...]:
        return (None,) * len(self.references)


def fires_without_status(matcher: ExpressionMatcher, trial: Trial) -> bool:
    """Whether an expression that reads the status gives its result for an object that has none.

    Args:
        matcher: The expression, which compiles, and its result.
        trial: What trials share.
    """
    program = path.compile(matcher.expression, variables=trial.references)
    if not any(pattern.steps[:1] == ("status",) for pattern in program.reads):
        return False
    return any(
        _gives(program, probe, trial) == matcher.expected_result for probe in _without_status(program.reads)
    )


def entries_of(patterns: Iterable[path.ReadPattern]) -> Iterator[dict[str, Any]]:
    """Objects in which all that is read is there, with two entries wherever entries are gone through.

    Entries may be those of a list or those of a mapping. At the end is a text or a number; or more entries,
    since of what an expression passes on as a whole it is not known what is read.
    """
    leading = [pattern.steps for pattern in patterns if pattern.steps]
    for keys in _ENTRIES:
        for leaf in _LEAVES:
            probe: dict[str, Any] = {}
            for steps in leading:
                _put(probe, steps, keys, leaf)
            yield probe


def _without_status(patterns: tuple[path.ReadPattern, ...]) -> Iterator[dict[str, Any]]:
    """An object with an empty spec, and one where all that is read outside of the status is 1."""
    yield _created()
    full = _created()
    for pattern in patterns:
        if pattern.steps and pattern.steps[0] != "status":
            _put(full, pattern.steps, range(1), 1)
    yield full


def _created() -> dict[str, Any]:
    return {"metadata": {"name": "probe", "uid": "probe", "generation": 1}, "spec": {}}


def _put(value: Any, steps: tuple[str | None, ...], keys: Sequence[str | int], leaf: Any) -> None:
    """Set a leaf at a place, below each key where entries are meant; not where something else stands."""
    step, rest = steps[0], steps[1:]
    for key in keys if step is None else (step,):
        if isinstance(value, list) and isinstance(key, int):
            value.extend(_below(rest, keys, leaf) for _ in range(len(value), key + 1))
        elif isinstance(value, dict) and isinstance(key, str):
            value.setdefault(key, _below(rest, keys, leaf))
        else:
            return
        if rest:
            _put(value[key], rest, keys, leaf)


def _below(rest: tuple[str | None, ...], keys: Sequence[str | int], leaf: Any) -> Any:
    """What stands above the steps that follow: a leaf, a list, or a mapping."""
    if not rest:
        return leaf
    return [] if rest[0] is None and keys[0] == 0 else {}


def _gives(program: path.Program, probe: dict[str, Any], trial: Trial) -> str | None:
    """The first result as text; None if there is none."""
    result = trial.first(program, probe, _NOTHING)
    if result is _NOTHING:
        return None
    return result if isinstance(result, str) else msgspec.json.encode(result).decode()
