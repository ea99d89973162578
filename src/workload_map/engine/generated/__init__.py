"""The fast form of the engine: generated functions, beside the per-path form as their meaning.

A definition may have a *structure function* (all components and their counts in one walk), a *status
function* and a *suspended function*. Each gives what the per-path form gives, or gives up: on anything
unusual in an object (an error, an odd type, a problem to report) its answer is None, and the per-path form is
asked. A definition with something that is not known here has no generated form, which only takes more time.

The source holds only shapes that are written in this package and in `path.compiler`; names are numbered, and
all that comes from a definition is a numbered constant. Nothing is kept on disk.

What does not live here: what anything means. That is `engine.structure`, `engine.status` and what they call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from workload_map.engine import structure, suspension
from workload_map.engine.plan import Plan
from workload_map.engine.reading import Reader
from workload_map.engine.status import Status, read_status
from workload_map.engine.structure import ComponentDraft

if TYPE_CHECKING:
    from workload_map.engine.generated.generation import Generated

__all__ = ["build", "status", "suspended"]


def build(plan: Plan, reader: Reader) -> list[ComponentDraft]:
    """The components of an object, as `engine.structure.build` gives them."""
    function = (plan.generated or _generated(plan)).structure
    drafts = function(reader.obj, reader) if function is not None else None
    return structure.build(plan, reader) if drafts is None else drafts


def status(plan: Plan, reader: Reader) -> Status | None:
    """The phases of an object, as `engine.status` gives them; None without a status definition."""
    if plan.status is None:
        return None
    function = (plan.generated or _generated(plan)).status
    found = function(reader.obj, reader) if function is not None else None
    return read_status(plan.status, reader) if found is None else found


def suspended(plan: Plan, reader: Reader) -> bool | None:
    """Whether an object asks to be suspended (`engine.suspension`); None too where its kind cannot be."""
    if not plan.suspend_actions:
        return None
    function = (plan.generated or _generated(plan)).suspended
    answer = function(reader.obj, reader) if function is not None else None
    return suspension.is_suspended(plan.suspend_actions, reader) if answer is None else answer


def _generated(plan: Plan) -> Generated:
    # The writers and the path compiler are loaded with the first object, not with the library.
    from workload_map.engine.generated.generation import generate  # noqa: PLC0415

    functions = plan.generated = generate(plan)
    return functions
