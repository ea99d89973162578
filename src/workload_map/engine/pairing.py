"""Components as they are built beside the same components as a view has them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from workload_map.engine import structure
from workload_map.engine.plan import Plan
from workload_map.engine.reading import Reader
from workload_map.engine.structure import ComponentDraft
from workload_map.engine.view import Component
from workload_map.engine.wrapped import Unwrapping


def build(plan: Plan, reader: Reader) -> list[ComponentDraft]:
    """The components of an object with those of the objects within it, as its view is made from them."""
    drafts = structure.build(plan, reader)
    return Unwrapping().open(drafts, reader) if plan.wraps else drafts


def pairs(
    drafts: Sequence[ComponentDraft], views: Sequence[Component]
) -> Iterator[tuple[ComponentDraft, Component]]:
    """Each component in both forms, those above before those below; components of objects within too."""
    for draft, view in zip(drafts, views, strict=True):
        yield draft, view
        yield from pairs(draft.children, view.components)
        for one, instance in zip(draft.instances, view.instances, strict=True):
            yield from pairs(one.children, instance.components)
