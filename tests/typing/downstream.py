"""A small program of somebody who uses the library: a report of what a namespace asks for and what it has.

`mypy --strict` checks it like all of the project, and alone as a user would have it; so does pyright.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, assert_type

import workload_map as wm


def report(objects: Iterable[dict[str, Any]]) -> list[str]:
    """One line a workload, the roles behind it; what cannot be read comes last."""
    catalog = wm.Catalog.builtin()
    index = wm.OwnerIndex(objects)
    lines: list[str] = []
    trouble: list[str] = []
    for workload in wm.resolve_many(index.top_level(catalog), catalog, index=index):
        assert_type(workload, wm.Workload)
        lines.append(
            f"{workload.kind}/{workload.name}: {workload.phase or 'no phase'}, {needs(workload.totals)}"
        )
        lines.extend(f"  {line}" for component in workload.components for line in roles(component))
        trouble.extend(f"{workload.name}: {problem.code}" for problem in workload.problems)
    return lines + trouble


def needs(totals: wm.Totals) -> str:
    assert_type(totals.gpus, int | None)
    assert_type(totals.requests, wm.ResourceList | None)
    cpu = totals.requests.strings().get("cpu", "0") if totals.requests else "?"
    return f"{'?' if totals.gpus is None else totals.gpus} GPUs, {cpu} CPUs"


def roles(component: wm.Component) -> Iterable[str]:
    for instance in component.instances:
        assert_type(instance, wm.Instance)
        ready = instance.observed.ready if instance.observed else None
        yield f"{component.name} {instance.id or '-'}: {ready} of {instance.pods}"
    for member in component.members or ():
        assert_type(member, wm.Pod)
        if not member.ready:
            yield f"{member.name}: {member.reason}"


def owner(pod: dict[str, Any], objects: list[dict[str, Any]]) -> str | None:
    placement = wm.place(pod, wm.Catalog.builtin(), wm.OwnerIndex(objects))
    assert_type(placement, wm.Placement)
    return placement.because or (placement.workload.name if placement.workload else None)


def one(obj: dict[str, Any], pods: list[dict[str, Any]]) -> wm.Workload | None:
    try:
        return wm.resolve(obj, wm.Catalog.builtin(), pods=pods, related=lambda reference: None)
    except wm.NoDefinitionError as error:
        assert_type(error.hint, str | None)
        return None


def covers(definition: wm.Definition) -> str:
    assert_type(definition, wm.Definition)
    kind = definition.root.kind
    return f"{definition.name}: {kind.api_version if kind else '?'}"


def problems(workload: wm.Workload) -> dict[str, str | None]:
    assert_type(workload.why, tuple[wm.Why, ...])
    return {problem.code: problem.location for problem in workload.problems}


def watch(events: Iterable[tuple[str, dict[str, Any]]]) -> list[str]:
    attributor = wm.Attributor(wm.Catalog.builtin())
    for word, obj in events:
        if word == "DELETED":
            attributor.delete(obj)
        else:
            attributor.put(obj)
    return [f"{view.name}: {view.phase}" for uid in attributor.changed() if (view := attributor.view(uid))]
