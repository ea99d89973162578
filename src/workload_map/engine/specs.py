"""Finding the pod spec of each instance, in the three shapes that a definition can give it.

A pod spec is taken as it lies in the object and never copied; fragments are put together to one that holds
what counting needs. Absent is an answer: a component whose path gives nothing or null is not there.
"""

from __future__ import annotations

from typing import Any

import msgspec

from workload_map import path
from workload_map.engine.fields import Field
from workload_map.engine.join import Elements
from workload_map.engine.plan import ComponentPlan, SpecPlan
from workload_map.engine.reading import Reader, field_path
from workload_map.engine.unknown import UNKNOWN

ROOT_OUTPUT: list[path.Located] = [(None, (), 0)]
"""The output that stands for the object itself: the element of a component that lies nowhere else."""


class PodSpec(msgspec.Struct, frozen=True, gc=False):
    """What is known of the pods of an instance.

    Attributes:
        spec: The pod spec; None where it is not in the object, or where what the pods need is decided
        elsewhere.
        metadata: The metadata of the pod template, or beside the pod spec, where there is any.
        injected: Containers that the operator adds.
        image: The image of the first container.
        is_uncertain: Whether there are such pods at all cannot be told.
        injected_inits: Init containers that the operator adds, behind those of the spec.
    """

    spec: dict[str, Any] | None
    metadata: dict[str, Any] | None = None
    injected: tuple[dict[str, Any], ...] = ()
    image: str | None = None
    is_uncertain: bool = False
    injected_inits: tuple[dict[str, Any], ...] = ()


NO_SPEC = PodSpec(spec=None)
"""Nothing in the object says what the pods need."""

MAYBE_SPEC = PodSpec(spec=None, is_uncertain=True)
"""The role may be there or not, without a pod spec; a problem says why that cannot be told."""

UNREADABLE_SPEC = PodSpec(spec=None, image=None)
"""It could not be read; a problem says why."""


def find(plan: ComponentPlan, spec: SpecPlan, reader: Reader) -> tuple[Elements, list[Any], list[PodSpec]]:
    """The instances of a component that bears pods: where they lie, their ids, and their pod specs.

    Args:
        plan: A component that bears pods.
        spec: Its spec definition.
        reader: The object.

    Returns:
        The elements, and for each an id (None without ids, UNKNOWN where it failed) and a pod spec. All
        empty where the component is not there.
    """
    whole = reader.located(spec.whole) if spec.whole else None
    ids = reader.located(plan.ids) if plan.ids else None
    placed = None if ids is None or _failed_whole(ids) else ids
    if placed is not None:
        elements = Elements(placed, plan.ids)
        values = [value for value, _, _ in placed]
        there = elements.flags(plan.present, reader, default=True)
    else:
        outputs = [output for output in whole or () if output[0] is not None]
        elements = Elements(outputs or ROOT_OUTPUT, spec.whole if outputs else None)
        values = [None if ids is None else UNKNOWN] * len(elements)
        there = [True] * len(elements) if outputs else elements.flags(plan.present, reader)
    if not elements.locations:
        return elements, [], []
    found = (
        _whole_specs(spec, spec.whole, whole, elements, reader)
        if spec.whole and whole is not None
        else _fragments(spec, elements, reader)
    )
    if placed is None and _is_lost(found, whole):
        # Whatever would show that there are such pods, and how many, could not be read.
        found, there = [None], elements.flags(plan.present, reader) if plan.present else [None]
    found = [
        MAYBE_SPEC if one is None and is_there is None else one
        for one, is_there in zip(found, there, strict=True)
    ]
    kept = [index for index, one in enumerate(found) if there[index] or one is not None]
    if len(kept) < len(found):
        elements = elements.only(kept)
    if not kept:
        return elements, [], []
    complete = _complete(spec, [found[index] for index in kept], elements, reader)
    if plan.present is None:
        _report_missing(plan, complete, elements, reader)
    return elements, [values[index] for index in kept], complete


def _report_missing(plan: ComponentPlan, specs: list[PodSpec], elements: Elements, reader: Reader) -> None:
    """Say where a role is there, but nothing says what its pods need."""
    for location, spec in zip(elements.locations, specs, strict=True):
        if spec is NO_SPEC:
            reader.report("spec-missing", field_path(location), f"{plan.name}: no pod spec is here")


def _failed_whole(outputs: list[path.Located]) -> bool:
    """Whether a path failed before it came to any entry: how many there are is not known."""
    return len(outputs) == 1 and outputs[0][0] is UNKNOWN and outputs[0][2] == 0


def _is_lost(found: list[PodSpec | None], whole: list[path.Located] | None) -> bool:
    """Whether nothing could be read of a component that lies in no entries of its own."""
    return found[0] is UNREADABLE_SPEC if whole is None else _failed_whole(whole)


def _whole_specs(
    plan: SpecPlan, field: Field, outputs: list[path.Located], elements: Elements, reader: Reader
) -> list[PodSpec | None]:
    """Pod templates or pod specs as they lie there; None where there is nothing."""
    found = [
        _whole(value, field, is_template=field is plan.template, element=location, reader=reader)
        for location, value in zip(
            elements.locations, elements.attach(outputs, None, field, reader), strict=True
        )
    ]
    if plan.metadata is not None and field is plan.pod_spec:
        beside = elements.attach(reader.located(plan.metadata), None, plan.metadata, reader)
        for index, (spec, metadata) in enumerate(zip(found, beside, strict=True)):
            if spec is not None and spec.spec is not None and isinstance(metadata, dict):
                found[index] = msgspec.structs.replace(spec, metadata=metadata)
    return found


def _whole(
    value: Any, field: Field, *, is_template: bool, element: path.Location, reader: Reader
) -> PodSpec | None:
    if value is None:
        return None
    if value is UNKNOWN:
        return UNREADABLE_SPEC
    if isinstance(value, dict):
        spec = value.get("spec") if is_template else value
        metadata = value.get("metadata") if is_template else None
        if spec is None:
            return NO_SPEC
        if isinstance(spec, dict):
            return PodSpec(spec, metadata if isinstance(metadata, dict) else None, (), _first_image(spec))
    reader.report("spec-malformed", field_path(element), f"{field.place}: a pod spec is an object")
    return UNREADABLE_SPEC


def spec_in_template(template: Any) -> PodSpec | None:
    """The pod spec of an ordinary pod template; None for anything else."""
    if type(template) is not dict:
        return None
    spec, metadata = template.get("spec"), template.get("metadata")
    if type(spec) is not dict:
        return None
    return PodSpec(spec, metadata if type(metadata) is dict else None, (), _first_image(spec))


def whole_spec(spec: Any) -> PodSpec | None:
    """An ordinary pod spec; None for anything else."""
    return PodSpec(spec, None, (), _first_image(spec)) if type(spec) is dict else None


def containers_in(value: Any) -> tuple[dict[str, Any], ...] | None:
    """The containers in what a path of injected containers gives: a list of them, a single one, or null.

    None where something else is among them.
    """
    listed = value if isinstance(value, list) else [] if value is None else [value]
    return tuple(listed) if all(isinstance(one, dict) for one in listed) else None


def _first_image(spec: dict[str, Any]) -> str | None:
    containers = spec.get("containers")
    first = containers[0] if containers and isinstance(containers, list) else None
    image = first.get("image") if isinstance(first, dict) else None
    return image if isinstance(image, str) else None


_MALFORMED = object()  # a fragment that is there, and is none

# What the API has in the place of a fragment, where counting reads it.
_TYPES: dict[str, tuple[type, str]] = {
    "containersPath": (list, "a list of containers is"),
    "initContainersPath": (list, "a list of containers is"),
    "containerPath": (dict, "an object is"),
    "resourcesPath": (dict, "an object is"),
    "resourceClaimsPath": (list, "a list of resource claims is"),
}


def _fragments(plan: SpecPlan, elements: Elements, reader: Reader) -> list[PodSpec | None]:
    """Pod specs put together from their fragments; None where no fragment gives anything."""
    found: list[dict[str, Any]] = [{} for _ in elements.locations]
    for name, field in plan.fragments.items():
        for index, value in enumerate(elements.attach(reader.located(field), None, field, reader)):
            if value is not None:
                found[index][name] = _fragment(name, value, field, elements.locations[index], reader)
    needs = any(name in plan.fragments for name in ("containersPath", "containerPath", "resourcesPath"))
    return [_assembled(parts, known=needs or bool(plan.accelerators)) if parts else None for parts in found]


def _fragment(name: str, value: Any, field: Field, element: path.Location, reader: Reader) -> Any:
    """A fragment as it lies there; malformed, with a problem, where the API has something else."""
    wanted, what = _TYPES.get(name, (object, ""))
    containers = value if name == "containersPath" else ()
    if value is UNKNOWN or (isinstance(value, wanted) and all(isinstance(one, dict) for one in containers)):
        return value
    reader.report("spec-malformed", field_path(element), f"{field.place}: {what} expected")
    return _MALFORMED


def _assembled(parts: dict[str, Any], *, known: bool) -> PodSpec:
    if all(value is UNKNOWN for value in parts.values()):
        return UNREADABLE_SPEC
    metadata = {"labels": parts.get("labelsPath"), "annotations": parts.get("annotationsPath")}
    image = parts.get("imagePath")
    containers, resources = parts.get("containersPath"), parts.get("resourcesPath")
    if not isinstance(containers, list):
        container = parts.get("containerPath")
        containers = [container if isinstance(container, dict) else {}]
    if containers and resources is not None:
        containers = [{**containers[0], "resources": resources}, *containers[1:]]
    spec = {
        "containers": containers,
        "initContainers": parts.get("initContainersPath"),
        "resourceClaims": parts.get("resourceClaimsPath"),
        "priorityClassName": parts.get("priorityClassNamePath"),
    }
    image = image if isinstance(image, str) else _first_image(spec)
    is_read = not any(value is UNKNOWN or value is _MALFORMED for value in parts.values())
    return PodSpec(spec if known and is_read else None, metadata, (), image)


def _complete(
    plan: SpecPlan, specs: list[PodSpec | None], elements: Elements, reader: Reader
) -> list[PodSpec]:
    """Add what the extensions say: injected containers, other notations, and what is decided elsewhere."""
    complete = [spec or NO_SPEC for spec in specs]
    if not plan.added and plan.incomplete is None and not plan.accelerators:
        return complete
    containers = _added(plan.injected, complete, elements, reader)
    inits = _added(plan.injected_inits, complete, elements, reader)
    for field, resource in plan.accelerators:
        for index, count in enumerate(elements.attach(reader.located(field), None, field, reader)):
            if count is UNKNOWN:
                complete[index] = UNREADABLE_SPEC
            elif count is not None:
                containers[index].append({"resources": {"limits": {resource: count}}})
                if complete[index] is NO_SPEC and plan.whole is None:
                    complete[index] = PodSpec(spec={"containers": []})
    # Not to know whether something is missing is not to know what is needed.
    incomplete = [flag is not False for flag in elements.flags(plan.incomplete, reader)]
    for index, one in enumerate(complete):
        if incomplete[index] or (one.spec is not None and (containers[index] or inits[index])):
            complete[index] = msgspec.structs.replace(
                one,
                spec=None if incomplete[index] else one.spec,
                injected=tuple(containers[index]),
                injected_inits=tuple(inits[index]),
            )
    return complete


def _added(
    field: Field | None, specs: list[PodSpec], elements: Elements, reader: Reader
) -> list[list[dict[str, Any]]]:
    """The containers that the operator adds to each instance; the path gives lists, or single containers.

    Where that is not to be known, neither is what the pods need: it is then taken out of `specs`.
    """
    added: list[list[dict[str, Any]]] = [[] for _ in elements.locations]
    if field is None:
        return added
    for value, location, targets in elements.holders(reader.located(field), field, reader):
        containers = containers_in(value)
        if containers is None and value is not UNKNOWN:
            message = f"{field.place}: a container is an object"
            reader.report("spec-malformed", field_path(location), message)
        for target in targets:
            if containers is None:
                specs[target] = UNREADABLE_SPEC
            else:
                added[target].extend(containers)
    return added
