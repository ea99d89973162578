"""Pods: how many there should be and are, what the phase says of them, and which have no place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from workload_map.engine.checking.rows import Row, Verdict
from workload_map.engine.checking.settling import is_out_of_sight, why_out_of_sight
from workload_map.engine.structure import ComponentDraft
from workload_map.engine.view import Component, Instance, Pod, Workload

_ENDED = ("Succeeded", "Failed")


def not_compared(view: Workload) -> Row:
    """The one row of a workload whose pods are not known."""
    why = why_out_of_sight(view) or "they were not looked at"
    wanted = view.totals.pods
    return Row(
        check="pods",
        subject=None,
        expected=None if wanted is None else str(wanted),
        found=None,
        verdict="open",
        message=f"nothing is compared, its pods are not known: {why}",
    )


class _Wanted(NamedTuple):
    """How many pods there should be, and between which bounds."""

    pods: int | None
    least: int | None
    most: int | None


def compare_total(view: Workload, unsettled: str | None) -> Row:
    """The pods that owner references lead to, whatever selectors say, against the total.

    Args:
        view: The workload.
        unsettled: Why its pods may be others than those that it asks for, if they may.
    """
    pods = [pod for _, pod in _all_pods(view.components)] + list(view.unattributed or ())
    totals = view.totals
    wanted = _Wanted(totals.pods, totals.at_min.pods, totals.at_max.pods)
    verdict, message = _judge(view, unsettled, wanted, pods)
    return _row(None, wanted, pods, verdict, f"by owner references: {message}")


def compare_instances(
    view: Workload, unsettled: str | None, draft: ComponentDraft, component: Component
) -> Iterator[Row]:
    """The pods of each instance that bears pods, as the selectors find them."""
    for built, instance in zip(draft.instances, component.instances, strict=True):
        if built.spec is None:
            continue
        pods = [pod for pod in component.members or () if pod.instance == instance.id]
        wanted = _own(instance)
        verdict, message = _judge(view, unsettled, wanted, pods)
        yield _row(subject_of(component, instance), wanted, pods, verdict, f"by its selector: {message}")


def subject_of(component: Component, instance: Instance) -> str:
    """How rows call an instance."""
    return component.name if instance.id is None else f"{component.name} {instance.id}"


def _own(instance: Instance) -> _Wanted:
    """The pods that an instance asks for itself."""
    each = instance.pods_per_replica
    counts = (instance.replicas, instance.min, instance.max)
    wanted, low, high = (None if count is None or each is None else count * each for count in counts)
    return _Wanted(wanted, wanted if low is None else low, wanted if high is None else high)


def _row(subject: str | None, wanted: _Wanted, pods: Sequence[Pod], verdict: Verdict, message: str) -> Row:
    live, done = _counted(pods)
    return Row(
        check="pods",
        subject=subject,
        expected=None if wanted.pods is None else str(wanted.pods),
        found=f"{live}" if not done else f"{live}, {done} done",
        verdict=verdict,
        message=message,
    )


def _counted(pods: Sequence[Pod]) -> tuple[int, int]:
    """How many are there, and how many have done their work."""
    live = sum(pod.phase not in _ENDED and pod.deleted_at is None for pod in pods)
    return live, sum(pod.phase == "Succeeded" for pod in pods)


def _judge(
    view: Workload, unsettled: str | None, wanted: _Wanted, pods: Sequence[Pod]
) -> tuple[Verdict, str]:
    count, low, high = wanted
    if count is None and (low is None or high is None):
        return "open", "the definition cannot tell how many"
    least = (count if low is None else low) or 0
    most = (count if high is None else high) or 0
    live, done = _counted(pods)
    if view.phase == "Suspended" and not live:
        return "agrees", "none, since it is suspended"
    if live > most:
        return settled(unsettled, "more than it says")
    if live + done < least:
        return settled(unsettled, "fewer than it says")
    return "agrees", "as many as it says"


def settled(unsettled: str | None, message: str) -> tuple[Verdict, str]:
    """What a difference means: one, or where pods may be others than those that are asked for, none yet."""
    return ("differs", message) if unsettled is None else ("open", f"{message}, {unsettled}")


def compare_phase(view: Workload) -> Iterator[Row]:
    """What the phase says against the pods, as far as they are known."""
    observed = view.observed
    found = f"{observed.ready} ready of {observed.pods}" if observed else None

    def row(verdict: Verdict, message: str) -> Row:
        return Row(
            check="phase", subject=None, expected=view.phase, found=found, verdict=verdict, message=message
        )

    # Its status stays what it was when the pods of a workload that is being deleted go.
    against: Verdict = "differs" if view.deleted_at is None else "open"
    is_undefined = view.phase == "Undefined"
    if is_undefined:
        yield row(against, "no rule of the definition holds")
    for problem in view.disagreements:
        yield row("open" if is_out_of_sight(view) else against, problem.message)
    if observed is not None and not view.disagreements and not is_undefined:
        yield row("agrees", "nothing that the pods say is against it")


def find_places(view: Workload, both: Sequence[tuple[ComponentDraft, Component]]) -> Iterator[Row]:
    """Each pod that no component takes, or whose instance cannot be told."""
    strays = [(pod.name, pod.unattributed_because) for pod in view.unattributed or ()]
    for _, component in both:
        ids = {instance.id for instance in component.instances}
        for pod in component.members or ():
            if pod.instance not in ids:
                strays.append((pod.name, f"it is of {component.name}, and of none of its instances"))
    for name, why in strays:
        yield Row(
            check="place", subject=f"pod {name}", expected=None, found=None, verdict="differs", message=why
        )
    if not strays:
        message = "each pod has its place"
        yield Row(check="place", subject=None, expected=None, found=None, verdict="agrees", message=message)


def _all_pods(components: Sequence[Component]) -> Iterator[tuple[Component, Pod]]:
    for component in components:
        yield from ((component, pod) for pod in component.members or ())
        yield from _all_pods(component.components)
        for instance in component.instances:
            yield from _all_pods(instance.components)
