"""The view of a workload: frozen values, the keys of its machine output, nothing computed.

Every value that is not known is None, never 0 and never left out. Times are RFC 3339 in UTC. `pods`, `gpus`,
`requests`, `limits` and `observed` of a component include its children; `members` do not.
"""

from __future__ import annotations

from typing import Any

import msgspec

from workload_map.engine.resources import ResourceList

SCHEMA_VERSION = "1"


class _View(msgspec.Struct, frozen=True, rename="camel", kw_only=True, gc=False):
    """What all parts of a view share: frozen, and camel case in documents.

    The garbage collector need not look at them: what is frozen holds only what was there before it.
    """


class Problem(_View, frozen=True):
    """Something that could not be read, or that contradicts: a stable code, its place, one sentence."""

    code: str
    location: str | None
    message: str


class Worst(_View, frozen=True):
    """The pod that needs attention first, and why."""

    reason: str
    pod: str
    message: str | None


class Observed(_View, frozen=True):
    """What the pods at hand say: counts, accelerators of live pods, node names, and the worst of them."""

    pods: int
    scheduled: int
    ready: int
    succeeded: int
    gpus: int | None
    nodes: tuple[str, ...]
    worst: Worst | None


class Pod(_View, frozen=True):
    """A pod in its place. `reason` is what kubectl's STATUS column says; `restarts` sums its containers."""

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
    """A pod of the workload that no component takes, and why."""

    unattributed_because: str


class PerPod(_View, frozen=True):
    """What one pod asks for. None where the pod spec is not in the object, or is decided elsewhere.

    `injected` names the containers that the operator adds to those of the spec; they count like them.
    """

    requests: ResourceList | None
    limits: ResourceList | None
    image: str | None
    injected: tuple[str, ...] | None = ()


class ReplicaGroup(_View, frozen=True):
    """The pods that share a replica key."""

    key: str
    observed: Observed


class Instance(_View, frozen=True):
    """One entry of a component; `id` is None where the component has no ids.

    `suspended` says that this instance alone is suspended, so that it counts 0. `replica_groups` is None
    where pods were not looked at.
    """

    id: str | None
    suspended: bool
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


class Component(_View, frozen=True):
    """A role. `kind` is the kind of the objects that stand for it, None for a purely logical level.

    `members` is None where pods were not looked at.
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


class ClaimTotal(_View, frozen=True):
    """Devices that the pods claim (DRA): how many claims of this name there are, None until allocated."""

    name: str
    device_class: str | None
    count: int | None


class Bound(_View, frozen=True):
    """Pods and whole accelerators at an elastic bound."""

    pods: int | None
    gpus: int | None


class Totals(_View, frozen=True):
    """What the whole workload asks for."""

    pods: int | None
    gpus: int | None
    requests: ResourceList | None
    limits: ResourceList | None
    claims: tuple[ClaimTotal, ...]
    at_min: Bound
    at_max: Bound


class Read(_View, frozen=True):
    """A field that decided, and its value."""

    path: str
    value: Any


class Why(_View, frozen=True):
    """Why a phase matched: the rule's location in the definition, what it read, the condition's own words."""

    phase: str
    rule: str
    reads: tuple[Read, ...]
    reason: str | None
    message: str | None


class Queue(_View, frozen=True):
    """What the workload waits in; `admitted` is None where the object does not say."""

    name: str
    system: str
    admitted: bool | None


class Workload(_View, frozen=True):
    """The one view of a workload."""

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
    suspended: bool
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
        # By way of JSON, since `to_builtins` leaves tuples where JSON has lists.
        document: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(self, enc_hook=_plain))
        return document


class WorkloadName(_View, frozen=True):
    """Which workload."""

    kind: str
    api_version: str
    namespace: str | None
    name: str
    definition: str


class ChainLink(_View, frozen=True):
    """One object of a chain of controllers; `covered` says that a definition fits it."""

    kind: str
    api_version: str
    name: str
    uid: str | None
    covered: bool


class Placement(_View, frozen=True):
    """Where a pod belongs. `chain` begins with the pod; `because` says why part of the answer is missing."""

    pod: str
    namespace: str | None
    workload: WorkloadName | None
    component: str | None
    instance: str | None
    replica_group: str | None
    chain: tuple[ChainLink, ...]
    because: str | None


def _plain(value: Any) -> dict[str, str | None]:
    if isinstance(value, ResourceList):
        return value.strings()
    raise TypeError(f"{type(value).__name__} has no place in a view")
