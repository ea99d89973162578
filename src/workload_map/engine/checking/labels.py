"""Labels and other fields that selectors look for and no pod has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from workload_map import path
from workload_map.engine.checking.rows import Row, Verdict
from workload_map.engine.fields import Field
from workload_map.engine.objects import Object, metadata
from workload_map.engine.plan import ComponentPlan
from workload_map.engine.reading import Reader
from workload_map.engine.selecting import is_selected
from workload_map.engine.structure import ComponentDraft
from workload_map.engine.view import Component

_NOTHING = object()


def find_missing(
    both: Sequence[tuple[ComponentDraft, Component]],
    pods: Sequence[Object],
    reader: Reader,
    *,
    may_have_none: bool,
) -> Iterator[Row]:
    """A row for each part of a selector that gives nothing on any pod it should.

    Args:
        both: The components.
        pods: All pods of the workload.
        reader: The workload.
        may_have_none: Whether a component may have no pods, as when they were cleaned up.
    """
    known: set[str] = set()
    for draft, component in both:
        plan = draft.plan
        if plan.spec is None or plan.name in known or not component.pods:
            continue
        known.add(plan.name)
        reader.grant(len(pods))  # each component looks at all of them
        rows = list(_of_component(plan, pods, reader, may_have_none=may_have_none))
        if reader.over_budget:
            rows = [_row(plan, None, None, "open", "its selector asks for more work than it may")]
        yield from rows


def _of_component(
    plan: ComponentPlan, pods: Sequence[Object], reader: Reader, *, may_have_none: bool
) -> Iterator[Row]:
    if not pods:
        yield _row(plan, None, None, "open", "there are no pods to look at")
        return
    taken = list(pods)
    if plan.selector.has_type:
        taken = [pod for pod in pods if is_selected(plan.selector, pod, reader.first_on_pod)]
        if not taken and may_have_none:
            yield _row(plan, None, None, "open", "none of its pods are there to look at")
            return
        if not taken:
            why = list(_why_none(plan, pods, reader))
            yield from why or [_row(plan, None, None, "differs", "no pod has all that its selector asks for")]
            return
    silent = [field for field in _keys(plan) if all(reader.first_on_pod(field, pod) is None for pod in taken)]
    for field in silent:
        if field is plan.replica_key and _may_be_absent(field, taken, reader):
            message = f"{field.place} gives nothing on any of its pods, which it allows for"
            yield _row(plan, field.text, "nothing", "open", message)
        else:
            yield _row(
                plan, field.text, "nothing", "differs", f"{field.place} gives nothing on any of its pods"
            )
    if not silent and (plan.selector.has_type or _keys(plan)):
        yield _row(plan, None, None, "agrees", "all that its selector looks for is on the pods")


def _why_none(plan: ComponentPlan, pods: Sequence[Object], reader: Reader) -> Iterator[Row]:
    """Which part of a type selector keeps all pods away."""
    selector = plan.selector
    for name, value in selector.type_labels.items():
        values = sorted({str(labels[name]) for pod in pods if name in (labels := _labels(pod))})
        if value not in values:
            found = ", ".join(values) or "no pod has it"
            yield _row(plan, f"{name}={value}", found, "differs", "no pod has this label with this value")
    field = selector.type_key
    if field is None:
        return
    given = sorted({str(one) for pod in pods if (one := reader.first_on_pod(field, pod)) is not None})
    wanted = selector.type_value
    if not given:
        yield _row(plan, field.text, "nothing", "differs", f"{field.place} gives nothing on any pod")
    elif wanted is not None and wanted not in given:
        message = f"{field.place} gives other values on all pods"
        yield _row(plan, f"{field.text} = {wanted}", ", ".join(given), "differs", message)


def _keys(plan: ComponentPlan) -> list[Field]:
    """What tells the instance, the replica and the parent's instance of a pod; inherited ones too."""
    keys = [plan.selector.instance_id, plan.replica_key, plan.parent_key]
    return [field for field in keys if field is not None]


def _may_be_absent(field: Field, pods: Sequence[Object], reader: Reader) -> bool:
    """Whether a path gives no value at all on pods, not even null, as one does that ends in `// empty`.

    Frameworks often number the replicas of some pods only: of those that need to find each other.
    """
    try:
        return all(field.program.first(pod, _NOTHING, reader.budget) is _NOTHING for pod in pods)
    except path.PathError:  # which stands among the problems of the workload
        return False


def _labels(pod: Object) -> Object:
    labels = metadata(pod).get("labels")
    return labels if isinstance(labels, dict) else {}


def _row(plan: ComponentPlan, expected: str | None, found: str | None, verdict: Verdict, message: str) -> Row:
    return Row(
        check="labels", subject=plan.name, expected=expected, found=found, verdict=verdict, message=message
    )
