"""The one job of the engine: a definition, an object and the objects around it become a view."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import partial

from workload_map.definition import DefinitionSet, Entry
from workload_map.engine import assemble, disagreements, generated, phases
from workload_map.engine.attribution import Attribution
from workload_map.engine.belonging import links_below, pods_of
from workload_map.engine.devices import claimed_devices
from workload_map.engine.objects import Object, api_kind, metadata, text_of
from workload_map.engine.observing import Sighting, observe
from workload_map.engine.owners import Lookup, OwnerIndex
from workload_map.engine.patience import Patience
from workload_map.engine.plan import Plan, plan_of
from workload_map.engine.queues import find_priority, find_queue
from workload_map.engine.reading import Reader
from workload_map.engine.resource_list import ACCELERATORS
from workload_map.engine.status import UNDEFINED
from workload_map.engine.structure import PlacedPod, walk
from workload_map.engine.surroundings import Surroundings
from workload_map.engine.times import utc
from workload_map.engine.view import SCHEMA_VERSION, Component, Workload
from workload_map.engine.wrapped import Unwrapping
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
            None says that pods were not looked at (`observed` is then None); an empty list, that there are
            none.
        related: The other objects at hand: owners between it and its pods, and what its definition refers
            to. Or a function that finds one: from an owner reference (with the `namespace` of the owned
            object), or from the `apiVersion`, `kind`, `namespace` and `name` of what is referred to, to an
            object or None.
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
    alone = pods is None and related is None
    index = _NOTHING if alone else OwnerIndex([obj, *(pods or ()), *others], lookup)
    listed = related is not None and lookup is None
    resolver = Resolver(
        definitions, index, pods_known=pods is not None, listed=listed, live=live, accelerators=accelerators
    )
    return resolver.view(obj)


_NOTHING = OwnerIndex(())


def resolve_many(
    objects: Iterable[Object],
    definitions: DefinitionSet,
    *,
    index: OwnerIndex | None = None,
    pods_known: bool = True,
    live: bool = True,
    accelerators: Collection[str] = ACCELERATORS,
) -> Iterator[Workload]:
    """The views of many objects, in their order; what `resolve` says holds for each.

    A definition whose paths go over their budget on several objects is set aside: the objects that follow
    have a view without components, with a problem that says so.

    Args:
        objects: Covered objects.
        definitions: Where their definitions are looked up.
        index: Everything at hand, those objects and the pods included; it is built once and shared. None:
            nothing is at hand, and pods were not looked at.
        pods_known: False where pods were not looked at although there is an index.
        live: As for `resolve`.
        accelerators: As for `resolve`.
    """
    at_hand = _NOTHING if index is None else index
    is_known = index is not None and pods_known
    resolver = Resolver(
        definitions,
        at_hand,
        pods_known=is_known,
        listed=index is not None,
        live=live,
        accelerators=accelerators,
    )
    yield from map(resolver.view, objects)


def find_entry(obj: Object, definitions: DefinitionSet) -> Entry:
    """The definition that covers an object."""
    if not isinstance(obj, dict):
        raise ObjectError("a Kubernetes object is a JSON object", hint="is this a manifest?")
    version, kind = api_kind(obj)
    if not version or not kind:
        raise ObjectError("a Kubernetes object has an apiVersion and a kind", hint="is this a manifest?")
    return definitions.find(version, kind)


class Resolver:
    """Resolves objects that share definitions, an index of what is at hand, and patience with definitions.

    Args:
        definitions: Where definitions are looked up.
        index: Everything at hand.
        pods_known: Whether pods were looked at.
        listed: Whether the index holds all objects that labels could select.
        live: False for manifests that no controller has seen.
        accelerators: The resource names whose amounts are whole accelerators.
    """

    def __init__(
        self,
        definitions: DefinitionSet,
        index: OwnerIndex,
        *,
        pods_known: bool,
        listed: bool,
        live: bool = True,
        accelerators: Collection[str] = ACCELERATORS,
    ) -> None:
        self._around = Surroundings(definitions, index, listed)
        self._pods_known = pods_known
        self._live = live
        self._accelerators = frozenset(accelerators)
        self._patience = Patience()

    def view(self, obj: Object) -> Workload:
        """The view of one object."""
        return self.view_and_reach(obj)[0]

    def view_and_reach(self, obj: Object) -> tuple[Workload, bool]:
        """The view of one object, and whether it depends on others than it, its pods and their owners."""
        entry = find_entry(obj, self._around.definitions)
        plan = plan_of(entry.definition)
        reader = Reader(obj, plan.references, self._around)
        if self._patience.is_over(entry):
            reader.report("definition-set-aside", None, self._patience.message(entry))
            return self._without_definition(obj, entry, plan, reader), False
        view = self._with_definition(obj, entry, plan, reader)
        if reader.over_budget:
            self._patience.lose(entry)
        return view, reader.looked_around

    def _with_definition(self, obj: Object, entry: Entry, plan: Plan, reader: Reader) -> Workload:
        has_status = self._live or bool(obj.get("status"))
        drafts = generated.build(plan, reader)
        if plan.wraps:
            drafts = Unwrapping().open(drafts, reader)
        status = generated.status(plan, reader) if has_status else None
        phase = status.phase if status else UNDEFINED if self._live else None
        phases.assign(drafts, plan, reader, phase, has_status=has_status)
        pods = pods_of(obj, plan, drafts, reader) if self._pods_known else None
        attribution = None
        if pods is not None:
            attribution = Attribution(plan, drafts, reader, partial(links_below, obj, self._around.index))
            attribution.add(pods)
        assembly = assemble.Assembly(looked_at_pods=pods is not None, accelerators=self._accelerators)
        parts = [assembly.component(draft) for draft in drafts]
        instances = [instance for draft in walk(drafts) for instance in draft.instances]
        totals = assemble.totals(parts, claimed_devices(instances, reader, self._around.index))
        seen = _all_seen(parts, attribution) if attribution else None
        observed = observe(seen, self._accelerators) if seen is not None else None
        suspended = generated.suspended(plan, reader)
        identity = _identity(obj, entry)
        _report_malformed(identity, reader)
        templates = [instance.spec for instance in instances if instance.spec]
        return Workload(
            *identity,
            phase,
            status.phases if status else (phase,) if phase else (),
            status.stale if status else False,
            bool(suspended),
            status.why if status else (),
            find_queue(obj, templates, suspended),
            find_priority(obj, templates),
            status.restarts if status else None,
            totals,
            observed,
            tuple([part.view for part in parts]),
            tuple(pod for pod, _ in attribution.unattributed) if attribution else None,
            tuple(reader.problems),
            disagreements.find(phase, totals, observed, _running(seen)) if seen is not None else (),
        )

    def _without_definition(self, obj: Object, entry: Entry, plan: Plan, reader: Reader) -> Workload:
        """What can be said where the paths of the definition are not evaluated: who it is, and its pods."""
        pods = pods_of(obj, plan, [], reader) if self._pods_known else None
        attribution = Attribution(plan, [], reader, lambda _: ())
        attribution.leave(pods or (), "its definition is set aside")
        seen = _all_seen([], attribution)
        return Workload(
            *_identity(obj, entry),
            phase=None,
            phases=(),
            stale=False,
            suspended=False,
            why=(),
            queue=find_queue(obj, (), None),
            priority=find_priority(obj, ()),
            restarts=None,
            totals=assemble.UNKNOWN_TOTALS,
            observed=observe(seen, self._accelerators) if pods is not None else None,
            components=(),
            unattributed=tuple(pod for pod, _ in attribution.unattributed) if pods is not None else None,
            problems=tuple(reader.problems),
            disagreements=(),
        )


_Identity = tuple[str, str, str | None, str, str, str | None, str | None, str | None, str, str]


def _identity(obj: Object, entry: Entry) -> _Identity:
    """The fields of a view that say what it is, and of which object.

    Views are made by position: CPython calls with more than 15 keywords by way of a dictionary, which takes
    longer than all that is done here.
    """
    meta = metadata(obj)
    name = meta.get("name")
    return (
        SCHEMA_VERSION,
        name if name and isinstance(name, str) else text_of(meta.get("generateName")) or "",
        text_of(meta.get("namespace")),
        obj["kind"],
        obj["apiVersion"],
        text_of(meta.get("uid")),
        utc(meta.get("creationTimestamp")),
        utc(meta.get("deletionTimestamp")),
        entry.definition.name,
        entry.origin,
    )


def _report_malformed(identity: _Identity, reader: Reader) -> None:
    """Say where the metadata holds something that is not what the API has there."""
    _, _, namespace, _, _, uid, created, deleted, *_ = identity
    meta = metadata(reader.obj)
    for field, value, wanted in (
        ("namespace", namespace, "a text"),
        ("uid", uid, "a text"),
        ("creationTimestamp", created, "a time"),
        ("deletionTimestamp", deleted, "a time"),
    ):
        if value is None and meta.get(field) is not None:
            reader.report("metadata-malformed", f"metadata.{field}", f"this is not {wanted}; it is unknown")


def _all_seen(parts: list[assemble.Part[Component]], attribution: Attribution) -> list[Sighting]:
    seen = [sighting for part in parts for sighting in part.seen]
    seen.extend(Sighting(PlacedPod(pod, status), history=False) for pod, status in attribution.unattributed)
    return seen


def _running(seen: list[Sighting]) -> int:
    """Pods that run and are not on their way out."""
    return sum(one.placed.status.phase == "Running" and one.placed.pod.deleted_at is None for one in seen)
