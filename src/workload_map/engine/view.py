"""The view of a workload: frozen values, the keys of its machine output, nothing computed.

Every value that is not known is None, never 0 and never left out. Times are RFC 3339 in UTC. `pods`, `gpus`,
`requests`, `limits` and `observed` of a component include its children; `members` do not.
"""

from __future__ import annotations

from typing import Any

import msgspec

from workload_map.engine.resources import ResourceList

SCHEMA_VERSION = "1"


class View(msgspec.Struct, frozen=True, rename="camel", kw_only=True, gc=False):
    """What all parts of a view share, and other answers about workloads: frozen, camel case in documents.

    The garbage collector need not look at them: what is frozen holds only what was there before it.
    """


class Problem(View, frozen=True):
    """Something that could not be read, or that contradicts.

    Attributes:
        code: A stable word for the kind of problem; docs/problems.md lists them.
        location: Where: a field of the object, or another object; None for the whole.
        message: One sentence.
    """

    code: str
    location: str | None
    message: str


class Worst(View, frozen=True):
    """The pod that needs attention first.

    Attributes:
        reason: Its trouble in one word, as `CrashLoopBackOff` or `Unschedulable`.
        pod: Its name.
        message: The words that came with it.
    """

    reason: str
    pod: str
    message: str | None


class Observed(View, frozen=True):
    """What the pods say together.

    Attributes:
        pods: How many there are, of any phase.
        scheduled: Those that have a node.
        ready: Those whose Ready condition is True.
        succeeded: Those that ended well.
        gpus: Whole accelerators of those that have a node and have not ended.
        nodes: The names of their nodes, sorted.
        worst: The one that needs attention first; None where all are ready or succeeded.
    """

    pods: int
    scheduled: int
    ready: int
    succeeded: int
    gpus: int | None
    nodes: tuple[str, ...]
    worst: Worst | None


class Pod(View, frozen=True):
    """A pod in its place.

    Attributes:
        name: Its name.
        phase: Its phase, as `Running`; None without a status.
        ready: Its Ready condition is True.
        node: The node that it is on.
        reason: What kubectl's STATUS column says.
        message: The words that came with its trouble.
        restarts: The sum over its containers; None without container statuses.
        instance: The id of the instance that it belongs to.
        replica_group: The key of its replica.
        requests: What it asks the scheduler for, by resource.
        deleted_at: When it was asked to go.
    """

    name: str
    phase: str | None
    ready: bool
    node: str | None
    reason: str | None
    message: str | None
    restarts: int | None
    instance: str | None
    replica_group: str | None
    requests: ResourceList
    deleted_at: str | None


class UnattributedPod(Pod, frozen=True):
    """A pod of the workload that no component takes.

    Attributes:
        unattributed_because: Why no component takes it.
    """

    unattributed_because: str


class PerPod(View, frozen=True):
    """What one pod asks for. None where the pod spec is not in the object, or is decided elsewhere.

    Attributes:
        requests: What one pod asks the scheduler for, by resource.
        limits: The limits of one pod, by resource.
        image: The image of its first container.
        injected: Names of the containers that the operator adds, init containers last; they count too.
    """

    requests: ResourceList | None
    limits: ResourceList | None
    image: str | None
    injected: tuple[str, ...] | None = ()


class ReplicaGroup(View, frozen=True):
    """The pods that share a replica key.

    Attributes:
        key: The key that the pods share.
        observed: What they say.
    """

    key: str
    observed: Observed


class Instance(View, frozen=True):
    """One entry of a component.

    Attributes:
        id: Its id; None where the component has no ids.
        suspended: This instance alone is suspended, so that it counts 0. None: not known.
        replicas: Desired copies, within the bounds where there are any.
        min: The elastic lower bound; None without one.
        max: The elastic upper bound; None without one.
        pods_per_replica: How many pods make one copy; None for a level without pods of its own.
        pods: Desired pods, children included. None: not known.
        gpus: Whole accelerators that those pods ask for.
        requests: What those pods ask the scheduler for, by resource.
        limits: The sum of the limits that are set, by resource.
        per_pod: What one pod asks for.
        observed: What the pods say; None where pods were not looked at.
        replica_groups: The pods by replica; None where pods were not looked at.
        components: Those that belong to this instance alone.
    """

    id: str | None
    suspended: bool | None
    replicas: int | None
    min: int | None
    max: int | None
    pods_per_replica: int | None
    pods: int | None
    gpus: int | None
    requests: ResourceList | None
    limits: ResourceList | None
    per_pod: PerPod
    observed: Observed | None
    replica_groups: tuple[ReplicaGroup, ...] | None
    components: tuple[Component, ...]


class Component(View, frozen=True):
    """A role of the workload.

    Attributes:
        name: Its name in the definition.
        kind: The kind of the objects that stand for it; None for a purely logical level.
        pods: Desired pods, children included. None: not known.
        gpus: Whole accelerators that those pods ask for.
        requests: What those pods ask the scheduler for, by resource.
        limits: The sum of the limits that are set, by resource.
        replicas: Desired copies, within the bounds where there are any.
        min: The elastic lower bound; None without one.
        max: The elastic upper bound; None without one.
        pods_per_replica: How many pods make one copy; None for a level without pods of its own.
        per_pod: What one pod asks for, as far as it is the same in all instances.
        observed: What the pods say; None where pods were not looked at.
        phase: Its own phase, where the definition gives one.
        instances: At least one.
        members: Its pods, by name; None where pods were not looked at, and in lists.
        components: Those that belong to all of its instances.
    """

    name: str
    kind: str | None
    pods: int | None
    replicas: int | None
    min: int | None
    max: int | None
    pods_per_replica: int | None
    gpus: int | None
    requests: ResourceList | None
    limits: ResourceList | None
    per_pod: PerPod
    observed: Observed | None
    phase: str | None
    instances: tuple[Instance, ...]
    members: tuple[Pod, ...] | None
    components: tuple[Component, ...]


class ClaimTotal(View, frozen=True):
    """Devices that the pods claim (DRA).

    Attributes:
        name: The claim template, or the shared claim.
        device_class: The class of the devices; None where it is open until they are allocated.
        count: How many devices; None where that is open until they are allocated.
    """

    name: str
    device_class: str | None
    count: int | None


class Bound(View, frozen=True):
    """Pods and whole accelerators at an elastic bound.

    Attributes:
        pods: Pods at the bound.
        gpus: Whole accelerators at the bound.
    """

    pods: int | None
    gpus: int | None


class Totals(View, frozen=True):
    """What the whole workload asks for.

    Attributes:
        pods: Desired pods. None: not known, and so for everything below.
        gpus: Whole accelerators that those pods ask for.
        requests: What they ask the scheduler for, by resource.
        limits: The sum of the limits that are set, by resource.
        claims: Devices that they claim (DRA).
        at_min: The same at the elastic lower bounds.
        at_max: The same at the elastic upper bounds.
    """

    pods: int | None
    gpus: int | None
    requests: ResourceList | None
    limits: ResourceList | None
    claims: tuple[ClaimTotal, ...]
    at_min: Bound
    at_max: Bound


class Read(View, frozen=True):
    """A field that decided, and its value.

    Attributes:
        path: The field. A condition that a matcher asks for is named by its type, other entries of a list by
            their index: in another order of the list they have other names.
        value: What it holds; None where it is absent.
    """

    path: str
    value: Any


class Why(View, frozen=True):
    """Why a phase matched.

    Attributes:
        phase: The phase that the rule gives.
        rule: Where the rule stands in the definition.
        reads: The fields that it read.
        reason: The reason in the framework's own word.
        message: The framework's own sentence.
    """

    phase: str
    rule: str
    reads: tuple[Read, ...]
    reason: str | None
    message: str | None


class Queue(View, frozen=True):
    """What the workload waits in.

    Attributes:
        name: The queue.
        system: What reads it: `kueue`, `kai`, `volcano`, `yunikorn`.
        admitted: Whether it was let in; None where the object does not say.
    """

    name: str
    system: str
    admitted: bool | None


class Workload(View, frozen=True):
    """The one view of a workload.

    Attributes:
        schema_version: Of the machine output; changes only when a key changes its meaning or goes.
        name: Its name.
        namespace: None for a cluster-scoped object.
        kind: Its kind.
        api_version: Group and version of its kind.
        uid: Its UID; None for a manifest.
        created_at: When it was made.
        deleted_at: When it was asked to go; its phase stays what it is.
        definition: The name of the definition that was used.
        origin: Where that came from: `builtin`, `cluster` or `file`.
        phase: The one phase that is shown; None for a manifest without a status.
        phases: Every phase that matches, in the order of precedence.
        stale: The status is older than the spec.
        suspended: The spec asks for suspension. None: not known.
        why: The reason for each of the phases.
        queue: What it waits in.
        priority: The name of its priority class.
        restarts: How often the framework restarted it, where its definition says so.
        totals: What it asks for as a whole.
        observed: What its pods say; None where pods were not looked at, or cannot be told.
        components: Its roles at the top level; they add up to the totals.
        unattributed: Pods that no component takes; None where pods were not looked at, and in lists.
        problems: What could not be read.
        disagreements: Where the object and its pods say different things.
    """

    schema_version: str
    name: str
    namespace: str | None
    kind: str
    api_version: str
    uid: str | None
    created_at: str | None
    deleted_at: str | None
    definition: str
    origin: str
    phase: str | None
    phases: tuple[str, ...]
    stale: bool
    suspended: bool | None
    why: tuple[Why, ...]
    queue: Queue | None
    priority: str | None
    restarts: int | None
    totals: Totals
    observed: Observed | None
    components: tuple[Component, ...]
    unattributed: tuple[UnattributedPod, ...] | None
    problems: tuple[Problem, ...]
    disagreements: tuple[Problem, ...]

    def to_dict(self) -> dict[str, Any]:
        """The view as plain objects, keys as documented; quantities are canonical Kubernetes strings."""
        document: dict[str, Any] = _lists(msgspec.to_builtins(self, enc_hook=_plain))
        return document


def _lists(value: Any) -> Any:
    """The value with lists where it has tuples, as JSON has them."""
    if isinstance(value, dict):
        return {key: _lists(one) for key, one in value.items()}
    return [_lists(one) for one in value] if isinstance(value, list | tuple) else value


def _plain(value: Any) -> dict[str, str | None] | None:
    if not isinstance(value, ResourceList):
        raise TypeError(f"{type(value).__name__} has no place in a view")
    if not value.partial:
        return value.strings()
    # Any amount may lack a part; without a name in it such a list would look as if nothing were asked for.
    return dict.fromkeys(value) or None
