"""The generated functions of a definition, as far as it has any."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from workload_map import path
from workload_map.engine.generated.emitter import Answer, Function, Unsupported
from workload_map.engine.generated.status_writer import (
    StatusFunction,
    Suspended,
    status_function,
    suspended_function,
)
from workload_map.engine.generated.structure_writer import Structure, structure_function
from workload_map.engine.plan import Plan


class Generated(msgspec.Struct, frozen=True):
    """The generated functions of one definition; None for those that it does not have."""

    structure: Structure | None
    status: StatusFunction | None
    suspended: Suspended | None


def generate(plan: Plan) -> Generated:
    """Write and compile the functions of a definition."""
    own, actions = plan.status, plan.suspend_actions
    return Generated(
        structure=_written(lambda: structure_function(plan)),
        status=_written(lambda: status_function(own)) if own else None,
        suspended=_written(lambda: suspended_function(actions)) if actions else None,
    )


def _written(write: Callable[[], Function[Answer]]) -> Function[Answer] | None:
    """A function that was generated; None where there is no generated form, or its source is too deep."""
    try:
        return write()
    except (Unsupported, path.PathError, SyntaxError, RecursionError, MemoryError):
        return None
