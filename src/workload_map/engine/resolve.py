"""The one job of the engine: a definition, an object and the objects around it become a view."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import partial
from itertools import chain

import msgspec

from workload_map.definition import DefinitionSet, Entry
from workload_map.engine import amounts, assemble, disagreements, generated, phases
from workload_map.engine.attribution import Attribution
from workload_map.engine.belonging import links_below, pods_of
from workload_map.engine.devices import claimed_devices
from workload_map.engine.finding import Lookup
from workload_map.engine.objects import Object, metadata, text_of
from workload_map.engine.observing import observe, together
from workload_map.engine.owners import OwnerIndex
from workload_map.engine.patience import Patience
from workload_map.engine.plan import Plan, plan_of
from workload_map.engine.pods import Pods
from workload_map.engine.queues import find_waiting
from workload_map.engine.reading import Reader
from workload_map.engine.resource_list import ACCELERATORS
from workload_map.engine.status import UNDEFINED
from workload_map.engine.structure import PlacedPod, instances_in
from workload_map.engine.surroundings import Surroundings
from workload_map.engine.times import utc
from workload_map.engine.view import SCHEMA_VERSION, Component, Observed, Problem, Totals, Workload
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
            object or None. An exception of its own is told in `problems`, and the object is then not at hand.
        live: False for a manifest that no controller has seen: without a `status`, its phase is None.
        accelerators: The resource names whose amounts are whole accelerators.

    Returns:
        The view. What could not be read is None in it, with an entry in `problems`.

    Raises:
        NoDefinitionError: No definition covers the kind.
        CollisionError: Several definitions of one layer do.
        ObjectError: `obj` is no Kubernetes object.
    """
    index, listed = _NOTHING, False
    if pods is not None or related is not None:
        lookup = related if callable(related) else None
        others = related if related is not None and not callable(related) else ()
        index = OwnerIndex([obj, *(pods or ()), *others], lookup)
        listed = related is not None and lookup is None
    around = Surroundings(definitions, index, listed)
    return Resolver(around, pods is not None, live, frozenset(accelerators)).view_and_reach(obj)[0]


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
    around = Surroundings(definitions, at_hand, listed=index is not None)
    resolver = Resolver(around, is_known, live, frozenset(accelerators))
    yield from map(resolver.view, objects)


def find_entry(obj: Object, definitions: DefinitionSet) -> Entry:
    """The definition that covers an object."""
    if not isinstance(obj, dict):
        raise ObjectError("a Kubernetes object is a JSON object", hint="is this a manifest?")
    version, kind = obj.get("apiVersion"), obj.get("kind")
    if not (version and kind and isinstance(version, str) and isinstance(kind, str)):
        raise ObjectError("a Kubernetes object has an apiVersion and a kind", hint="is this a manifest?")
    return definitions.get(version, kind) or definitions.find(version, kind)


class Resolver(msgspec.Struct, eq=False):
    """Resolves objects that share what is around them, and patience with definitions.

    Attributes:
        around: The definitions, and everything at hand.
        pods_known: Whether pods were looked at.
        live: False for manifests that no controller has seen.
        accelerators: The resource names whose amounts are whole accelerators.
    """

    around: Surroundings
    pods_known: bool
    live: bool = True
    accelerators: frozenset[str] = ACCELERATORS
    _patience: Patience | None = None
    _known_pods: Pods | None = None

    @property
    def _pods(self) -> Pods:
        """Made when there are pods: without them a single object takes less time than this."""
        if self._known_pods is None:
            self._known_pods = Pods()
        return self._known_pods

    def view(self, obj: Object) -> Workload:
        """The view of one object."""
        return self.view_and_reach(obj)[0]

    def view_and_reach(self, obj: Object) -> tuple[Workload, bool]:
        """The view of one object, and whether it depends on others than it, its pods and their owners."""
        entry = find_entry(obj, self.around.definitions)
        plan = plan_of(entry.definition)
        reader = Reader(obj, plan.references, self.around)
        if self._patience is not None and self._patience.is_over(entry):
            reader.report("definition-set-aside", None, self._patience.message(entry))
            return self._without_definition(obj, entry, plan, reader), False
        view = self._with_definition(obj, entry, plan, reader)
        if reader.over_budget:
            self._patience = self._patience or Patience()
            self._patience.lose(entry)
        return view, reader.looked_around

    def _with_definition(self, obj: Object, entry: Entry, plan: Plan, reader: Reader) -> Workload:
        has_status = self.live or bool(obj.get("status"))
        drafts = generated.build(plan, reader)
        if plan.wraps:
            drafts = Unwrapping().open(drafts, reader)
        status = generated.status(plan, reader) if has_status else None
        phase = status.phases[0] if status else UNDEFINED if self.live else None
        phases.assign(drafts, plan, reader, phase, has_status=has_status)
        pods = pods_of(obj, plan, drafts, reader) if self.pods_known else None
        attribution = None
        if pods is not None:
            above = partial(links_below, obj, self.around.index)
            attribution = Attribution(plan, drafts, reader, above, self._pods)
            attribution.add(pods)
        assembly = assemble.Assembly(pods is not None, self.accelerators, plan.has_replica_groups)
        parts = [assembly.component(draft) for draft in drafts]
        instances = instances_in(drafts)
        totals = assemble.totals(parts, claimed_devices(instances, reader, self.around.index))
        observed: Observed | None = None
        disagreeing: tuple[Problem, ...] = ()
        if attribution is not None:
            observed, disagreeing = self._seen(parts, attribution, phase, totals)
        suspended = generated.suspended(plan, reader)
        name, namespace, uid, created, deleted = _identity(reader)
        queue, priority = find_waiting(obj, instances, suspended)
        # By position: CPython calls with more than 15 keywords by way of a dictionary, which takes long.
        return Workload(
            SCHEMA_VERSION,
            name,
            namespace,
            obj["kind"],
            obj["apiVersion"],
            uid,
            created,
            deleted,
            entry.name,
            entry.origin,
            phase,
            status.phases if status else (phase,) if phase else (),
            status.stale if status else False,
            suspended if plan.suspend_actions else False,
            status.why if status else (),
            queue,
            priority,
            status.restarts if status else None,
            totals,
            observed,
            tuple([view for view, _, _ in parts]),
            tuple([pod for pod, _ in attribution.unattributed]) if attribution else None,
            reader.problems,
            disagreeing,
        )

    def _seen(
        self,
        parts: list[assemble.Part[Component]],
        attribution: Attribution,
        phase: str | None,
        totals: Totals,
    ) -> tuple[Observed, tuple[Problem, ...]]:
        """What the pods say, and where the object says otherwise."""
        left = [PlacedPod(pod, status) for pod, status in attribution.unattributed]
        told = [view.observed for view, _, _ in parts if view.observed is not None]
        observed = together([*told, observe(left, self.accelerators)] if left or not told else told)
        seen = chain(chain.from_iterable([some for _, _, some in parts]), left)
        return observed, disagreements.find(phase, totals, observed, seen)

    def _without_definition(self, obj: Object, entry: Entry, plan: Plan, reader: Reader) -> Workload:
        """What can be said where the paths of the definition are not evaluated: who it is, and its pods."""
        pods = pods_of(obj, plan, [], reader) if self.pods_known else None
        attribution = Attribution(plan, [], reader, lambda _: (), self._pods)
        attribution.leave(pods or (), "its definition is set aside")
        seen = [PlacedPod(pod, status) for pod, status in attribution.unattributed]
        name, namespace, uid, created, deleted = _identity(reader)
        queue, priority = find_waiting(obj, (), None)
        return Workload(
            schema_version=SCHEMA_VERSION,
            name=name,
            namespace=namespace,
            kind=obj["kind"],
            api_version=obj["apiVersion"],
            uid=uid,
            created_at=created,
            deleted_at=deleted,
            definition=entry.name,
            origin=entry.origin,
            phase=None,
            phases=(),
            stale=False,
            suspended=None,
            why=(),
            queue=queue,
            priority=priority,
            restarts=None,
            totals=amounts.UNKNOWN,
            observed=observe(seen, self.accelerators) if pods is not None else None,
            components=(),
            unattributed=tuple(pod for pod, _ in attribution.unattributed) if pods is not None else None,
            problems=reader.problems,
            disagreements=(),
        )


def _identity(reader: Reader) -> tuple[str, str | None, str | None, str | None, str | None]:
    """Name, namespace, UID, and when the object was made and asked to go."""
    meta = metadata(reader.obj)
    name, namespace, uid = meta.get("name"), meta.get("namespace"), meta.get("uid")
    created, deleted = utc(meta.get("creationTimestamp")), meta.get("deletionTimestamp")
    if type(namespace) is not str or type(uid) is not str or created is None or deleted is not None:
        namespace, uid, deleted = text_of(namespace), text_of(uid), utc(deleted)
        _report_malformed(meta, (namespace, uid, created, deleted), reader)
    if not name or not isinstance(name, str):
        name = text_of(meta.get("generateName")) or ""
    return name, namespace, uid, created, deleted


_FIELDS = (
    ("namespace", "a text"),
    ("uid", "a text"),
    ("creationTimestamp", "a time"),
    ("deletionTimestamp", "a time"),
)


def _report_malformed(meta: Object, read: tuple[str | None, ...], reader: Reader) -> None:
    """Say where the metadata holds something that is not what the API has there."""
    for (field, wanted), value in zip(_FIELDS, read, strict=True):
        if value is None and meta.get(field) is not None:
            reader.report("metadata-malformed", f"metadata.{field}", f"this is not {wanted}; it is unknown")
