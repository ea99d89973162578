"""The phases of the components of an object."""

from __future__ import annotations

from collections.abc import Iterator

from workload_map.engine.plan import ComponentPlan, Plan
from workload_map.engine.reading import Reader
from workload_map.engine.status import read_status
from workload_map.engine.structure import ComponentDraft


def assign(
    drafts: list[ComponentDraft], plan: Plan, reader: Reader, root_phase: str | None, *, has_status: bool
) -> None:
    """Give components their phases: the root that of the object, the others by their own status definitions.

    Args:
        drafts: The components of one object.
        plan: Its definition.
        reader: The object.
        root_phase: Its phase.
        has_status: False for a manifest that no controller has seen: nothing has a phase yet.
    """
    if drafts and drafts[0].plan is plan.root:
        drafts[0].phase = root_phase
    if not plan.has_component_phases or not has_status:
        return
    known: dict[ComponentPlan, str] = {}
    for draft in _own(drafts):
        if draft.plan is plan.root or draft.plan.status is None:
            continue
        if draft.plan not in known:
            known[draft.plan] = read_status(draft.plan.status, reader).phase
        draft.phase = known[draft.plan]


def _own(drafts: list[ComponentDraft]) -> Iterator[ComponentDraft]:
    """All components of the object itself: objects in it have their phases from their own definitions."""
    for draft in drafts:
        yield draft
        yield from _own(draft.children)
        for instance in draft.instances:
            yield from _own(instance.beside)
