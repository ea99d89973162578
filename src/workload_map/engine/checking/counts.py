"""Pods: how many there should be and are, what the phase says of them, and which have no place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from workload_map.engine.checking.rows import Row, Verdict
from workload_map.engine.structure import ComponentDraft
from workload_map.engine.view import Component, Instance, Pod, Workload

_ENDED = ("Succeeded", "Failed")
_OUT_OF_SIGHT = ("owner-missing", "lookup-failed")


def not_compared(view: Workload) -> Row:
    """The one row of a workload whose pods are not known."""
    reasons = [problem.message for problem in view.problems if problem.code in _OUT_OF_SIGHT]
    why = reasons[0] if reasons else "they were not looked at"
    wanted = view.totals.pods
    return Row(
        check="pods",
        subject=None,
        expected=None if wanted is None else str(wanted),
        found=None,
        verdict="open",
        message=f"nothing is compared, its pods are not known: {why}",
    )


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
    """Whether the workload should have all pods that it asks for, and no others."""
    return _unsettled(view) is None


def _unsettled(view: Workload) -> str | None:
    """Why its pods may be others than those it asks for; None where they should not.

    While it is Degraded they may be too: some may not come, or an update that is stuck holds more.
    """
    if view.deleted_at is not None:
        return "which may pass while it is being deleted"
    if _is_out_of_sight(view):
        return "which may be since not all controllers are at hand"
    if view.phase != "Running":
        return f"which may pass while it is {view.phase}"
    return "which may pass when its controller has seen its newest state" if view.stale else None


def _is_out_of_sight(view: Workload) -> bool:
    """Whether pods may belong to it that it is not known to have."""
    return any(problem.code in _OUT_OF_SIGHT for problem in view.problems)


def _settled(view: Workload, message: str) -> tuple[Verdict, str]:
    why = _unsettled(view)
    return ("differs", message) if why is None else ("open", f"{message}, {why}")


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
        yield row("open" if _is_out_of_sight(view) else against, problem.message)
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
