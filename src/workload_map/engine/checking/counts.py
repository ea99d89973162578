"""Pods: how many there should be and are, what the phase says of them, and which have no place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from workload_map.engine.checking.rows import Row, Verdict
from workload_map.engine.structure import ComponentDraft
from workload_map.engine.view import Component, Instance, Pod, Workload

_ENDED = ("Succeeded", "Failed")


def compare_total(view: Workload) -> Row:
    """The pods that owner references lead to, whatever selectors say, against the total."""
    pods = [pod for _, pod in _all_pods(view.components)] + list(view.unattributed or ())
    totals = view.totals
    bounds = (totals.at_min.pods, totals.at_max.pods)
    return _compare(view, None, totals.pods, bounds, pods, "by owner references")


def compare_instances(view: Workload, draft: ComponentDraft, component: Component) -> Iterator[Row]:
    """The pods of each instance that bears pods, as the selectors find them."""
    for built, instance in zip(draft.instances, component.instances, strict=True):
        if built.spec is None:
            continue
        pods = [pod for pod in component.members or () if pod.instance == instance.id]
        wanted, bounds = _own(instance)
        yield _compare(view, subject_of(component, instance), wanted, bounds, pods, "by its selector")


def subject_of(component: Component, instance: Instance) -> str:
    """How rows call an instance."""
    return component.name if instance.id is None else f"{component.name} {instance.id}"


def _own(instance: Instance) -> tuple[int | None, tuple[int | None, int | None]]:
    """The pods that an instance asks for itself, and their bounds."""
    each = instance.pods_per_replica
    counts = (instance.replicas, instance.min, instance.max)
    wanted, low, high = (None if count is None or each is None else count * each for count in counts)
    return wanted, (wanted if low is None else low, wanted if high is None else high)


def _compare(
    view: Workload,
    subject: str | None,
    wanted: int | None,
    bounds: tuple[int | None, int | None],
    pods: Sequence[Pod],
    how: str,
) -> Row:
    live = sum(pod.phase not in _ENDED and pod.deleted_at is None for pod in pods)
    done = sum(pod.phase == "Succeeded" for pod in pods)
    verdict, message = _judge(view, wanted, bounds, live, done)
    found = f"{live}" if not done else f"{live}, {done} done"
    expected = None if wanted is None else str(wanted)
    return Row(
        check="pods",
        subject=subject,
        expected=expected,
        found=found,
        verdict=verdict,
        message=f"{how}: {message}",
    )


def _judge(
    view: Workload, wanted: int | None, bounds: tuple[int | None, int | None], live: int, done: int
) -> tuple[Verdict, str]:
    low, high = bounds
    if wanted is None and (low is None or high is None):
        return "open", "the definition cannot tell how many"
    least = (wanted if low is None else low) or 0
    most = (wanted if high is None else high) or 0
    if view.phase == "Suspended" and not live:
        return "agrees", "none, since it is suspended"
    if live > most:
        return _settled(view, "more than it says")
    if live + done < least:
        return _settled(view, "fewer than it says")
    return "agrees", "as many as it says"


def is_settled(view: Workload) -> bool:
    """Whether the workload should have all pods that it asks for, and no others.

    In other phases they come or go: while it is Degraded too, where some may not come, or an update that is
    stuck holds more.
    """
    return view.phase == "Running" and not view.stale and view.deleted_at is None


def _settled(view: Workload, message: str) -> tuple[Verdict, str]:
    if is_settled(view):
        return "differs", message
    state = view.phase if view.deleted_at is None else "being deleted"
    return "open", f"{message}, which may pass while it is {state}"


def compare_phase(view: Workload) -> Iterator[Row]:
    """What the phase says against the pods."""
    observed = view.observed
    found = f"{observed.ready} ready of {observed.pods}" if observed else None
    messages = [problem.message for problem in view.disagreements]
    if view.phase == "Undefined":
        messages.append("no rule of the definition holds")
    # Its status stays what it was when the pods of a workload that is being deleted go.
    verdict: Verdict = "differs" if view.deleted_at is None else "open"
    for message in messages:
        yield Row(
            check="phase", subject=None, expected=view.phase, found=found, verdict=verdict, message=message
        )
    if not messages:
        message = "nothing that the pods say is against it"
        yield Row(
            check="phase", subject=None, expected=view.phase, found=found, verdict="agrees", message=message
        )


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
