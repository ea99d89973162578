"""How much work evaluations may do. Counted, never timed: the same end on every machine."""

from __future__ import annotations

from typing import NoReturn

import msgspec

from workload_map.path.errors import PathBudgetError

STEPS = 250_000
OUTPUTS = 200_000
SIZE = 16 * 1024 * 1024
NESTING = 120
DEPTH = 20_000  # of values, and of the explicit stacks of `recurse` and its like


class Budget(msgspec.Struct, kw_only=True, eq=False, gc=False):
    """What is left for one evaluation, or for all evaluations that are given the same budget.

    Attributes:
        steps: Loop rounds and calls still allowed; also charged by builtins for work done in C.
        outputs: Results still allowed.
        size: Produced size still allowed, about bytes: characters, digits, and 16 for each element.
        nesting: How deep functions of the expression may still call each other.
    """

    steps: int = STEPS
    outputs: int = OUTPUTS
    size: int = SIZE
    nesting: int = NESTING

    def work(self, steps: int) -> None:
        """Charge steps before the work is done."""
        self.steps -= steps
        if self.steps < 0:
            spent(self)

    def grow(self, size: int) -> None:
        """Charge produced size before it is produced."""
        self.size -= size
        if self.size < 0:
            spent(self)

    def keep(self, location: tuple[str | int, ...]) -> None:
        """Charge a location that goes out with a result: those of deep values are long."""
        self.grow(96 + 8 * len(location))


def spent(budget: Budget) -> NoReturn:
    """Raise for the counter that is below zero."""
    if budget.nesting < 0:
        raise PathBudgetError("nesting", "the expression calls itself deeper than its budget allows")
    if budget.outputs < 0:
        raise PathBudgetError("outputs", "the expression gives more results than its budget allows")
    if budget.steps < 0:
        raise PathBudgetError("steps", "the expression takes more steps than its budget allows")
    raise PathBudgetError("size", "the expression produces more data than its budget allows")


def too_deep() -> NoReturn:
    """Raise for a value or a stack that is nested too deep."""
    raise PathBudgetError("nesting", f"nested more than {DEPTH} levels deep")
