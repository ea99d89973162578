"""What the real pods ask for, against what the definition reads for one pod."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from workload_map.engine.checking.counts import settled, subject_of
from workload_map.engine.checking.rows import Row, Verdict
from workload_map.engine.checking.settling import Reasons
from workload_map.engine.objects import Object, metadata, text_of
from workload_map.engine.resource_list import ResourceList
from workload_map.engine.structure import ComponentDraft, InstanceDraft
from workload_map.engine.view import Component, Instance, Pod


def compare_requests(
    both: Sequence[tuple[ComponentDraft, Component]], pods: Sequence[Object], why: Reasons
) -> Iterator[Row]:
    """A row for each instance that has pods.

    Args:
        both: The components.
        pods: The pods of the workload as they are.
        why: Why there may be other pods than it asks for.
    """
    by_name = {text_of(metadata(pod).get("name")): pod for pod in pods}
    for draft, component in both:
        for built, instance in zip(draft.instances, component.instances, strict=True):
            members = [pod for pod in component.members or () if pod.instance == instance.id]
            if built.spec is not None and members:
                raw = [by_name[pod.name] for pod in members if pod.name in by_name]
                yield _compare(subject_of(component, instance), built, instance, members, raw, why)


def _compare(
    subject: str,
    built: InstanceDraft,
    instance: Instance,
    members: Sequence[Pod],
    raw: Sequence[Object],
    why: Reasons,
) -> Row:
    expected = instance.per_pod.requests
    if expected is None:
        found, message = members[0].requests, "the definition cannot tell what a pod asks for"
        return _row(subject, None, _shown(found, None), "open", message)
    others = [pod for pod in members if pod.requests != expected]
    if not others:
        shown = _shown(expected, None)
        return _row(subject, shown, shown, "agrees", "each pod asks for what the definition reads")
    found = others[0].requests
    who = f"{others[0].name} asks" if len(others) == 1 else f"{others[0].name} and {len(others) - 1} more ask"
    message = f"{who} for something else{_more_containers(built, raw)}"
    # Where some ask for what the definition reads, others may be older ones.
    verdict, message = settled(why.other if len(others) < len(members) else None, message)
    return _row(subject, _shown(expected, found), _shown(found, expected), verdict, message)


def _row(subject: str, expected: str | None, found: str, verdict: Verdict, message: str) -> Row:
    return Row(
        check="requests", subject=subject, expected=expected, found=found, verdict=verdict, message=message
    )


def _shown(one: ResourceList, other: ResourceList | None) -> str:
    """The amounts of one list; where another differs only those that do, absent ones as 0."""
    mine, theirs = one.strings(), other.strings() if other is not None else {}
    names = sorted(name for name in {*mine, *theirs} if mine.get(name) != theirs.get(name)) or sorted(mine)
    return ", ".join(f"{name}={mine.get(name, '0') or '?'}" for name in names) or "nothing"


def _more_containers(built: InstanceDraft, raw: Sequence[Object]) -> str:
    """The names of containers that pods have and neither their template nor the definition knows."""
    spec = built.spec.spec if built.spec is not None else None
    if spec is None or built.spec is None:
        return ""
    injected = built.spec.injected + built.spec.injected_inits
    known = _names(spec) | {text_of(one.get("name")) for one in injected}
    added = sorted({name for pod in raw for name in _names(pod.get("spec")) - known if name})
    return f"; containers that the definition does not know: {', '.join(added)}" if added else ""


def _names(spec: Any) -> set[str | None]:
    lists = [spec.get(key) for key in ("containers", "initContainers")] if isinstance(spec, dict) else []
    return {
        text_of(one.get("name"))
        for listed in lists
        if isinstance(listed, list)
        for one in listed
        if isinstance(one, dict)
    }
