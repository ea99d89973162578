"""Why a pod is where it is: what each selector saw of it."""

from __future__ import annotations

from collections.abc import Iterator

from workload_map.engine.evidence import step_text
from workload_map.engine.explaining.facts import Fact
from workload_map.engine.fields import Field
from workload_map.engine.objects import Object, metadata
from workload_map.engine.placement import Placement
from workload_map.engine.plan import ComponentPlan, Plan, SelectorPlan
from workload_map.engine.reading import Reader
from workload_map.engine.selecting import is_selected
from workload_map.engine.view import Read


def explain_place(placement: Placement, pod: Object, plan: Plan, reader: Reader) -> tuple[Fact, ...]:
    """The workload that a pod is of, then its component, instance and replica.

    Args:
        placement: Where it is.
        pod: The pod.
        plan: The definition of the workload, or of the object within it whose pod it is.
        reader: The workload.
    """
    return (_workload(placement), _component(placement, pod, plan, reader))


def _workload(placement: Placement) -> Fact:
    owner = placement.workload
    value = f"{owner.kind}/{owner.name}" if owner else None
    chain = " ← ".join(f"{link.kind} {link.name}" for link in placement.chain)
    because = f"its controllers lead there: {chain}" if owner else placement.because or "nothing leads to one"
    return Fact(what="workload", value=value, because=because)


def _component(placement: Placement, pod: Object, plan: Plan, reader: Reader) -> Fact:
    asked = tuple(_selector(bearer, pod, reader) for bearer in plan.bearers)
    keys: list[Fact] = []
    taken = next((one for one in plan.bearers if one.name == placement.component), None)
    if taken is not None:
        because = "the first whose selector takes it" if taken.selector.has_type else "it takes what is left"
        keys += _key("instance", placement.instance, taken.selector.instance_id, pod, reader)
        keys += _key("replica", placement.replica_group, taken.replica_key, pod, reader)
    else:
        because = placement.because or "no selector takes it"
    return Fact(what="component", value=placement.component, because=because, facts=(*asked, *keys))


def _selector(bearer: ComponentPlan, pod: Object, reader: Reader) -> Fact:
    selector = bearer.selector
    place = f"{bearer.place}.podSelector"
    if not selector.has_type:
        because = "it has no type selector, so it takes what the others leave"
        return Fact(what=bearer.name, value="the rest", because=because, rule=place)
    takes = is_selected(selector, pod, reader.first_on_pod)
    return Fact(
        what=bearer.name,
        value=takes,
        because="its type selector takes the pod" if takes else "its type selector does not take the pod",
        rule=f"{place}.componentTypeSelector",
        expression=_wanted(selector),
        reads=tuple(_reads(selector, pod, reader)),
    )


def _wanted(selector: SelectorPlan) -> str:
    wanted = [f"the label {name} is {value}" for name, value in selector.type_labels.items()]
    if selector.type_key is not None:
        value = selector.type_value
        wanted.append(f"{selector.type_key.text} {'is there' if value is None else f'gives {value}'}")
    return " and ".join(wanted)


def _reads(selector: SelectorPlan, pod: Object, reader: Reader) -> Iterator[Read]:
    labels = metadata(pod).get("labels")
    labels = labels if isinstance(labels, dict) else {}
    for name in selector.type_labels:
        yield Read(path=f"metadata.labels{step_text(name)}", value=labels.get(name))
    if selector.type_key is not None:
        yield Read(path=selector.type_key.pattern, value=reader.first_on_pod(selector.type_key, pod))


def _key(what: str, value: str | None, field: Field | None, pod: Object, reader: Reader) -> list[Fact]:
    if field is None:
        return []
    return [
        Fact(
            what=what,
            value=value,
            because="read on the pod",
            rule=field.place,
            expression=field.text,
            reads=(Read(path=field.pattern, value=reader.first_on_pod(field, pod)),),
        )
    ]
