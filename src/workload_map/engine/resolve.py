"""The one job of the engine: a definition, an object and the objects around it become a view."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from workload_map.definition import DefinitionSet, Entry
from workload_map.definition.schema import Definition
from workload_map.engine import assemble, disagreements, structure, suspension
from workload_map.engine.attribution import Attribution
from workload_map.engine.devices import claimed_devices
from workload_map.engine.observing import Sighting, observe
from workload_map.engine.owners import Lookup, Object, Orphans, OwnerIndex, is_pod, kind_of, metadata, text_of
from workload_map.engine.plan import Plan
from workload_map.engine.queues import find_priority, find_queue
from workload_map.engine.reading import Reader
from workload_map.engine.resource_list import ACCELERATORS
from workload_map.engine.scale import total
from workload_map.engine.status import UNDEFINED, read_status
from workload_map.engine.structure import ComponentDraft, PlacedPod, walk
from workload_map.engine.times import utc
from workload_map.engine.view import Workload
from workload_map.errors import WorkloadMapError


class ObjectError(WorkloadMapError):
    """What was given is no Kubernetes object: without `apiVersion`, `kind` or a name."""

    code = "no-object"


def resolve(
    obj: Object,
    definitions: DefinitionSet,
    *,
    pods: Iterable[Object] | None = None,
    related: Iterable[Object] | Lookup | None = None,
    live: bool = True,
    accelerators: Collection[str] = ACCELERATORS,
) -> Workload:
    """The view of one object.

    Args:
        obj: A Kubernetes object as JSON decoding gives it. Never changed.
        definitions: Where the definition of its kind is looked up.
        pods: Pods that may belong to it: those whose controllers lead to it do, the others are passed over.
        None
            says that pods were not looked at (`observed` is then None); an empty list, that there are none.
        related: The other objects at hand (owners between it and its pods), or a function from an owner
        reference
            (with the `namespace` of the owned object) to an object or None.
        live: False for a manifest that no controller has seen: without a `status`, its phase is None.
        accelerators: The resource names whose amounts are whole accelerators.

    Returns:
        The view. What could not be read is None in it, with an entry in `problems`.

    Raises:
        NoDefinitionError: No definition covers the kind.
        CollisionError: Several definitions of one layer do.
        ObjectError: `obj` is no Kubernetes object.
    """
    lookup = related if callable(related) else None
    others = related if related is not None and not callable(related) else ()
    index = OwnerIndex([obj, *(pods or ()), *others], lookup)
    request = _Request(definitions, index, pods is not None, live, frozenset(accelerators))
    return _resolve(obj, request)


def resolve_many(
    objects: Iterable[Object],
    definitions: DefinitionSet,
    *,
    index: OwnerIndex | None = None,
    live: bool = True,
    accelerators: Collection[str] = ACCELERATORS,
) -> Iterator[Workload]:
    """The views of many objects, in their order; what `resolve` says holds for each.

    Args:
        objects: Covered objects.
        definitions: Where their definitions are looked up.
        index: Everything at hand, pods included; it is built once and shared. None: pods were not looked at.
        live: As for `resolve`.
        accelerators: As for `resolve`.
    """
    at_hand = OwnerIndex(()) if index is None else index
    request = _Request(definitions, at_hand, index is not None, live, frozenset(accelerators))
    for obj in objects:
        yield _resolve(obj, request)


class _Request(NamedTuple):
    """What all objects of one call share."""

    definitions: DefinitionSet
    at_hand: OwnerIndex
    looks_at_pods: bool
    live: bool
    accelerators: frozenset[str]


# A plan keeps its definition alive, so an id in here stands for that definition and no other.
_PLANS: dict[int, Plan] = {}
_PLANS_LIMIT = 1024


def plan_of(definition: Definition) -> Plan:
    """The plan of a definition; made on first use and kept."""
    plan = _PLANS.get(id(definition))
    if plan is None:
        if len(_PLANS) >= _PLANS_LIMIT:
            _PLANS.clear()
        plan = _PLANS[id(definition)] = Plan(definition)
    return plan


def find_entry(obj: Object, definitions: DefinitionSet) -> Entry:
    """The definition that covers an object."""
    version, kind = obj.get("apiVersion"), obj.get("kind")
    if not isinstance(version, str) or not isinstance(kind, str) or not version or not kind:
        raise ObjectError("a Kubernetes object has an apiVersion and a kind", hint="is this a manifest?")
    return definitions.find(version, kind)


def _resolve(obj: Object, request: _Request) -> Workload:
    entry = find_entry(obj, request.definitions)
    plan = plan_of(entry.definition)
    reader = Reader(obj)
    drafts = structure.build(plan, reader)
    status = read_status(plan.status, reader) if plan.status and (request.live or obj.get("status")) else None
    attribution = None
    pods = _pods_of(obj, plan, drafts, request.at_hand, reader) if request.looks_at_pods else None
    if pods is not None:
        attribution = Attribution(plan, drafts, reader)
        attribution.add(pods)
    phase = status.phase if status else UNDEFINED if request.live else None
    assembly = assemble.Assembly(
        looked_at_pods=pods is not None, root_phase=phase, accelerators=request.accelerators
    )
    parts = [assembly.component(draft) for draft in drafts]
    totals = assemble.totals(parts, claimed_devices(drafts, reader, request.at_hand))
    seen = _all_seen(parts, attribution) if attribution else None
    observed = observe(seen, request.accelerators) if seen is not None else None
    suspended = suspension.is_suspended(plan.suspend_actions, reader) if plan.suspend_actions else None
    templates = [instance.spec for draft in walk(drafts) for instance in draft.instances if instance.spec]
    meta = metadata(obj)
    return Workload(
        name=text_of(meta.get("name")) or text_of(meta.get("generateName")) or "",
        namespace=text_of(meta.get("namespace")),
        kind=obj["kind"],
        api_version=obj["apiVersion"],
        uid=text_of(meta.get("uid")),
        created_at=utc(meta.get("creationTimestamp")),
        deleted_at=utc(meta.get("deletionTimestamp")),
        definition=entry.definition.name,
        origin=entry.origin,
        phase=phase,
        phases=status.phases if status else (phase,) if phase else (),
        stale=status.stale if status else False,
        suspended=bool(suspended),
        why=status.why if status else (),
        queue=find_queue(obj, [one.metadata for one in templates], suspended),
        priority=find_priority(obj, [one.spec for one in templates]),
        restarts=status.restarts if status else None,
        totals=totals,
        observed=observed,
        components=tuple(part.view for part in parts),
        unattributed=tuple(pod for pod, _ in attribution.unattributed) if attribution else None,
        problems=tuple(reader.problems),
        disagreements=disagreements.find(phase, totals, observed, _running(seen or [])),
    )


def _all_seen(parts: list[assemble.Part], attribution: Attribution) -> list[Sighting]:
    seen = [sighting for part in parts for sighting in part.seen]
    seen.extend(Sighting(PlacedPod(pod, status), history=False) for pod, status in attribution.unattributed)
    return seen


def _running(seen: list[Sighting]) -> int:
    """Pods that run and are not on their way out."""
    return sum(one.placed.status.phase == "Running" and one.placed.pod.deleted_at is None for one in seen)


def _pods_of(
    obj: Object, plan: Plan, drafts: list[ComponentDraft], index: OwnerIndex, reader: Reader
) -> list[Object] | None:
    """The pods of the object; None where they cannot be told, because their controllers are not at hand."""
    pods = index.pods_under(obj)
    desired = total([one.scale.pods for draft in walk(drafts) if draft.plan.spec for one in draft.instances])
    lost = [] if desired is not None and len(pods) >= desired else _out_of_sight(obj, plan, index)
    for orphans in lost:
        count = sum(map(is_pod, orphans.objects))
        message = f"{count} pods have {orphans.kind} controllers that are not at hand; they may belong here"
        reader.report("owner-missing", f"{orphans.kind} {orphans.owner_names[0]}", message)
    for uid in index.shared_uids:
        names = sorted(str(metadata(pod).get("name")) for pod in pods if metadata(pod).get("uid") == uid)
        if names:
            message = f"several objects bear the UID {uid}: {', '.join(names)}"
            reader.report("uid-duplicate", f"pod {names[0]}", message)
    return None if lost and not pods else pods


def _out_of_sight(obj: Object, plan: Plan, index: OwnerIndex) -> list[Orphans]:
    """Pods of the namespace whose missing controllers are of a kind that this workload creates."""
    return [
        orphans
        for orphans in index.orphans_in(text_of(metadata(obj).get("namespace")))
        if kind_of(orphans.api_version, orphans.kind) in plan.created_kinds
        and any(map(is_pod, orphans.objects))
    ]
