"""The tree of components and instances of one object, as working values that pods are still to be put into.

Components that are not there, and levels without pods below them, are left out.
"""

from __future__ import annotations

from itertools import takewhile
from typing import Any

import msgspec

from workload_map import path
from workload_map.engine import specs
from workload_map.engine.fields import Field
from workload_map.engine.join import Elements
from workload_map.engine.objects import api_kind, kind_of
from workload_map.engine.plan import ComponentPlan, Plan
from workload_map.engine.pod_status import PodStatus
from workload_map.engine.reading import Reader, field_path
from workload_map.engine.resources import PodResources, pod_resources
from workload_map.engine.scale import ONE, Scale, beneath, perhaps, product, read_scales, total
from workload_map.engine.specs import ROOT_OUTPUT, PodSpec
from workload_map.engine.unknown import UNKNOWN, Unknown
from workload_map.engine.view import Pod

# The API groups of the kinds of Kubernetes itself that hold pod templates; all others are custom resources.
_GROUPS_OF_KUBERNETES = frozenset(["", "apps", "batch"])


class PlacedPod(msgspec.Struct, eq=False, gc=False):
    """A pod as the view shows it, and its status; `history` is a failed one that has been replaced since."""

    pod: Pod
    status: PodStatus
    history: bool = False


class InstanceDraft(msgspec.Struct, eq=False):
    """One instance while a view is built.

    Attributes:
        id: Its id as text; None for a component without ids, or where the id is unknown.
        location: The element of the object that it stands for.
        spec: What is known of its pods; None for a level without pods of its own.
        resources: What one pod needs; None where that is unknown, and for a level without pods of its own.
        scale: Its counts, absolute.
        parent: The index of the parent's instance that it belongs to; None: to all of them.
        children: The components that belong to this instance alone.
        members: The pods found.
        manifest: The whole object that stands for the instance and where it lies, in a component of such.
        wrapped: That object, once its own definition has said what it consists of.
        is_unknown: Nothing says what is below it.
    """

    id: str | None
    location: path.Location
    spec: PodSpec | None
    scale: Scale
    resources: PodResources | None = None
    parent: int | None = None
    children: list[ComponentDraft] = []
    members: list[PlacedPod] = []
    manifest: tuple[Any, path.Location] | Unknown | None = None
    wrapped: Wrapped | None = None
    is_unknown: bool = False

    @property
    def beside(self) -> list[ComponentDraft]:
        """The children by the definition of this object: without those of the object in the instance."""
        if self.wrapped is None:
            return self.children
        return [child for child in self.children if child not in self.wrapped.components]


class Wrapped(msgspec.Struct, eq=False, frozen=True):
    """A whole object inside of another one.

    Attributes:
        kind: Its group and kind.
        name: Its name; None where the controller of the outer object chooses it.
        plan: Its definition, made ready to run.
        components: What it consists of: children of the instance that holds it.
    """

    kind: tuple[str, str]
    name: str | None
    plan: Plan
    components: list[ComponentDraft]


class ComponentDraft(msgspec.Struct, eq=False):
    """One component while a view is built: its instances, and the children that belong to all of them.

    Attributes:
        plan: What the definition says of it.
        instances: Its instances.
        children: The components that belong to all instances.
        strays: Pods of the component whose instance is unknown.
        phase: The phase of the component by its own status definition; None without one.
    """

    plan: ComponentPlan
    instances: list[InstanceDraft]
    children: list[ComponentDraft] = []
    strays: list[PlacedPod] = []
    phase: str | None = None


def walk(drafts: list[ComponentDraft]) -> list[ComponentDraft]:
    """Every component, those above before those below."""
    found = []
    for draft in drafts:
        found.append(draft)
        if draft.children:
            found += walk(draft.children)
        for instance in draft.instances:
            if instance.children:
                found += walk(instance.children)
    return found


def instances_in(drafts: list[ComponentDraft]) -> list[InstanceDraft]:
    """The instances of all components, those of a component before those of what is below it."""
    if len(drafts) == 1 and len(drafts[0].instances) == 1 and not drafts[0].children:  # nearly always
        instances = drafts[0].instances
        if not instances[0].children:
            return instances
    return [instance for draft in walk(drafts) for instance in draft.instances]


def build(plan: Plan, reader: Reader) -> list[ComponentDraft]:
    """The top-level components of an object: the root first if it bears pods, then the others as declared."""
    drafts = []
    elements, roots = Elements(()), list[InstanceDraft]()
    if plan.root.spec is not None or plan.counts_per_root:
        elements, roots = _instances(plan.root, None, None, reader)
    if plan.root.spec is not None and roots:
        drafts.append(ComponentDraft(plan.root, roots))
    if plan.counts_per_root and plan.root.ids is None and not roots:
        # How many there are is said also where none of its own pods are.
        elements, roots = Elements(ROOT_OUTPUT), _bare(plan.root, reader)
    for child in plan.top:
        if child.is_per_parent and plan.counts_per_root:
            drafts.extend(_component(child, roots, elements, reader))
        else:
            drafts.extend(_component(child, None, None, reader))
    return drafts


def _bare(plan: ComponentPlan, reader: Reader) -> list[InstanceDraft]:
    """The object itself as an instance that has counts and no pods."""
    scales = read_scales(plan.scale, Elements(ROOT_OUTPUT), reader) if plan.scale else [ONE]
    return [InstanceDraft(None, (), None, scale) for scale in scales]


def _component(
    plan: ComponentPlan, parent: list[InstanceDraft] | None, parent_elements: Elements | None, reader: Reader
) -> list[ComponentDraft]:
    """A component with everything below it: a list of one, or of none where it is not there."""
    elements, instances = _instances(plan, parent, parent_elements, reader)
    if not instances:
        return []
    draft = ComponentDraft(plan, instances)
    for child in plan.children:
        for below in _component(child, instances, elements, reader):
            _hang(below, draft)
    return [draft] if bears_pods(draft) or plan.objects is not None else []


def bears_pods(draft: ComponentDraft) -> bool:
    """Whether there may be pods in a component or below it."""
    if draft.plan.spec is not None or draft.children:
        return True
    return any(one.children or one.is_unknown for one in draft.instances)


def _hang(child: ComponentDraft, draft: ComponentDraft) -> None:
    """Put a component below the instances that its own instances name, and below all where they name none."""
    by_parent: dict[int | None, list[InstanceDraft]] = {}
    for instance in child.instances:
        by_parent.setdefault(instance.parent, []).append(instance)
    for index, instances in by_parent.items():
        part = child if len(by_parent) == 1 else ComponentDraft(child.plan, instances)
        (draft if index is None else draft.instances[index]).children.append(part)
    if len(by_parent) > 1:
        # What belongs to all instances of the child belongs to none of the parts more than to another.
        draft.children.extend(child.children)


def _instances(
    plan: ComponentPlan, parent: list[InstanceDraft] | None, parent_elements: Elements | None, reader: Reader
) -> tuple[Elements, list[InstanceDraft]]:
    found: list[PodSpec] | list[None]
    if plan.spec is not None:
        elements, ids, found = specs.find(plan, plan.spec, reader)
    elif plan.objects is not None:
        return _whole_objects(plan, plan.objects, parent, parent_elements, reader)
    else:
        outputs = reader.located(plan.ids) if plan.ids else ROOT_OUTPUT
        elements, ids = Elements(outputs, plan.ids), [value for value, _, _ in outputs]
        found = [None] * len(elements)
    if not found:
        return elements, []
    names = _ids(plan.ids, ids, elements, reader) if plan.ids else [None] * len(found)
    scales = read_scales(plan.scale, elements, reader) if plan.scale else [ONE] * len(found)
    for index, spec in enumerate(found):
        if spec is not None and spec.is_uncertain:
            scales[index] = perhaps(scales[index])
    drafts = [InstanceDraft(*parts) for parts in zip(names, elements.locations, found, scales, strict=True)]
    if parent is not None and parent_elements is not None:
        _find_parents(plan, drafts, parent, elements, parent_elements, reader)
    if plan.ids:
        _report_duplicates(plan.ids, drafts, reader)
    add_resources(drafts, plan, reader)
    return elements, drafts


def _whole_objects(
    plan: ComponentPlan,
    field: Field,
    parent: list[InstanceDraft] | None,
    parent_elements: Elements | None,
    reader: Reader,
) -> tuple[Elements, list[InstanceDraft]]:
    """The instances of a component that holds whole manifests, one for each."""
    outputs: list[path.Located] = [
        ((value, location), location, iterated)
        for value, location, iterated in reader.located(field)
        if value is not None
    ]
    ids = reader.located(plan.ids) if plan.ids else outputs
    elements = Elements(ids, plan.ids or field)
    manifests = elements.attach(outputs, None, field, reader) if plan.ids else [one for one, _, _ in outputs]
    kept = [index for index, one in enumerate(manifests) if one is not None]
    elements = elements.only(kept)
    names = _ids(plan.ids, [ids[index][0] for index in kept], elements, reader) if plan.ids else None
    scales = read_scales(plan.scale, elements, reader) if plan.scale else [ONE] * len(kept)
    drafts = [
        InstanceDraft(name, location, None, scale, manifest=manifests[index])
        for index, name, location, scale in zip(
            kept, names or [None] * len(kept), elements.locations, scales, strict=True
        )
    ]
    if parent is not None and parent_elements is not None:
        _find_parents(plan, drafts, parent, elements, parent_elements, reader)
    if plan.ids:
        _report_duplicates(plan.ids, drafts, reader)
    return elements, drafts


def add_resources(drafts: list[InstanceDraft], plan: ComponentPlan, reader: Reader) -> None:
    """Work out what a pod of each instance needs, and report what is wrong there."""
    for draft in drafts:
        draft.resources = _resources(draft, plan, reader)


def _resources(draft: InstanceDraft, plan: ComponentPlan, reader: Reader) -> PodResources | None:
    if draft.spec is None or draft.spec.spec is None:
        return None
    spec, added, added_inits = draft.spec.spec, draft.spec.injected, draft.spec.injected_inits
    needs = pod_resources(spec, added, added_inits)
    if needs.problems and kind_of(*api_kind(reader.obj))[0] not in _GROUPS_OF_KUBERNETES:
        needs = pod_resources(spec, added, added_inits, drops_nulls=True)
    for problem in needs.problems:
        role = plan.name if draft.id is None else f"{plan.name} {draft.id}"
        place = f"{field_path(draft.location)}: {field_path(problem.path)}" if problem.path else None
        reader.report(problem.code, place, f"{role}: {problem.message}")
    return needs


def _ids(field: Field, values: list[Any], elements: Elements, reader: Reader) -> list[str | None]:
    """Ids as text. A missing one is a problem; its instance is kept, since its pods are real."""
    names: list[str | None] = []
    for value, location in zip(values, elements.locations, strict=True):
        name = _id_text(value)
        if name is None and value is not UNKNOWN:
            reader.report("id-missing", field_path(location), f"{field.place} gives no id here")
        names.append(name)
    return names


def _id_text(value: Any) -> str | None:
    return str(value) if type(value) in (str, int) and value != "" else None


def _report_duplicates(field: Field, drafts: list[InstanceDraft], reader: Reader) -> None:
    """An id is unique within its parent; that of a second instance is told, and its pods still count."""
    seen: set[tuple[int | None, str]] = set()
    for draft in drafts:
        if draft.id is None:
            continue
        key = (draft.parent, draft.id)
        if key in seen:
            message = f"{field.place} gives the id {draft.id} again"
            reader.report("id-duplicate", field_path(draft.location), message)
        seen.add(key)


def _find_parents(
    plan: ComponentPlan,
    drafts: list[InstanceDraft],
    parent: list[InstanceDraft],
    elements: Elements,
    parent_elements: Elements,
    reader: Reader,
) -> None:
    """Say which instance of the parent each one belongs to, and what that does to its counts."""
    named = plan.parent_instance
    lost: set[int] = set()
    if named is not None:
        by_id: dict[str | None, list[int]] = {}
        for index, one in enumerate(parent):
            by_id.setdefault(one.id, []).append(index)
        values = elements.attach(reader.located(named), None, named, reader)
        for number, (draft, value) in enumerate(zip(drafts, values, strict=True)):
            name = _id_text(value)
            found = _nearest(by_id.get(name, []) if name else [], draft.location, parent)
            draft.parent = found[0] if len({parent[index].parent for index in found}) == 1 else None
            if draft.parent is None and value is not None:
                lost.add(number)
                if value is not UNKNOWN:
                    which = "several instances" if found else "an instance that is not there"
                    reader.report(
                        "parent-unknown", field_path(draft.location), f"{named.place} names {which}"
                    )
    elif any(one.id is not None for one in parent):
        for draft in drafts:
            draft.parent = parent_elements.index(draft.location)
    for number, draft in enumerate(drafts):
        owners = parent if draft.parent is None else [parent[draft.parent]]
        if plan.is_per_parent:
            draft.scale = perhaps(draft.scale) if number in lost else multiplied(draft.scale, owners)
        draft.scale = beneath(draft.scale, _are_suspended(owners, is_one=number in lost))


def _nearest(found: list[int], location: path.Location, parent: list[InstanceDraft]) -> list[int]:
    """Of the instances of one id (each level above may have it) those that lie nearest to a location."""
    if len(found) == 1:
        return found
    shared = [_shared_steps(parent[index].location, location) for index in found]
    return [index for index, steps in zip(found, shared, strict=True) if steps == max(shared)]


def _shared_steps(one: path.Location, other: path.Location) -> int:
    return sum(1 for _ in takewhile(lambda steps: steps[0] == steps[1], zip(one, other, strict=False)))


def _are_suspended(owners: list[InstanceDraft], *, is_one: bool) -> bool | None:
    """Whether all owners are, or (`is_one`) the one of them that counts; None where that cannot be told."""
    flags = {owner.scale.suspended for owner in owners}
    if len(flags) == 1:
        return flags.pop()
    return False if False in flags and not is_one else None


def multiplied(scale: Scale, owners: list[InstanceDraft]) -> Scale:
    """Counts for each replica of some instances become absolute: times the replicas of these together."""
    desired = total([owner.scale.replicas for owner in owners])
    lowest = total([owner.scale.lowest for owner in owners])
    highest = total([owner.scale.highest for owner in owners])
    elastic = any(owner.scale.is_elastic for owner in owners)
    has_minimum = elastic or scale.minimum is not None or scale.open_below
    has_maximum = elastic or scale.maximum is not None or scale.open_above
    minimum = product(lowest, scale.lowest) if has_minimum else None
    maximum = product(highest, scale.highest) if has_maximum else None
    return Scale(
        product(desired, scale.replicas),
        minimum,
        maximum,
        scale.pods_per_replica,
        scale.suspended,
        open_below=has_minimum and minimum is None,
        open_above=has_maximum and maximum is None,
    )
