"""What one pod needs: the scheduler's rule, read from a pod spec.

The rule is `PodRequests` and `PodLimits` of `k8s.io/component-helpers/resource`, applied to what the API
server makes of the spec of a *pod* (`pkg/apis/core/v1/defaults.go`; a template is not defaulted, its pods
are), in its order: amounts are rounded up to milli units, a container's limit counts where its request is
absent, then pod-level resources are filled in. From the spec only: a resized status and ephemeral containers
change nothing.

What cannot be read is a problem with its place, and the rest is counted all the same; a resource that lacks
an amount is then unknown (None), and where it cannot be told which resources lack one, the list is `partial`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from workload_map.engine.claims import Claim, pod_claims
from workload_map.engine.quantity import NANO, Quantity, QuantityError, parse
from workload_map.engine.resource_list import ACCELERATORS, EMPTY, Amounts, ResourceList, add, raise_to
from workload_map.engine.resource_problems import Path, Problems, ResourceProblem

__all__ = [
    "ACCELERATORS",
    "EMPTY",
    "Claim",
    "PodResources",
    "ResourceList",
    "ResourceProblem",
    "pod_resources",
]

_MILLI: Final = NANO // 1000
_ZERO: Final = Quantity(0)
_SIDES: Final = ("requests", "limits")


class PodResources(msgspec.Struct, frozen=True, gc=False):
    """What one pod needs.

    Attributes:
        requests: What the scheduler reserves.
        limits: The sum of the limits that are set.
        claims: The devices it claims, in the order of the spec.
        problems: What could not be read, or contradicts, in the order of the rule.
    """

    requests: ResourceList
    limits: ResourceList
    claims: tuple[Claim, ...]
    problems: tuple[ResourceProblem, ...]


_SHAPES_LIMIT: Final = 4096
_SHAPE_SIZE: Final = 2048
_SHAPES: Final[dict[bytes, PodResources]] = {}
# MessagePack keeps apart what Python's own equality and JSON confuse: true, 1 and 1.0, null and NaN.
# What texts and whole numbers ask for, as the API server stores it. No other type may be looked up here: to
# Python True is 1, and so is 1.0.
_STORED: Final[dict[str | int, Quantity]] = {}
_STORED_SIZE: Final = 32
_encode: Final = msgspec.msgpack.Encoder().encode


def pod_resources(
    pod_spec: Any,
    injected: Sequence[Any] = (),
    injected_inits: Sequence[Any] = (),
    *,
    drops_nulls: bool = False,
) -> PodResources:
    """What a pod of this spec needs.

    Args:
        pod_spec: The `spec` of a pod, as JSON decoding gives it. Any other value ends as a problem.
        injected: Containers that an operator adds to the pod; they count like the spec's own containers.
        injected_inits: Init containers that an operator adds; they count like the spec's own ones, and start
            after those.
        drops_nulls: Whether a null amount is none, as in custom resources, from which the API server prunes
            it (apiextensions-apiserver, `PruneNonNullableNullsWithoutDefaults`). In kinds of its own it reads
            0 (apimachinery, `Quantity.UnmarshalJSON`).

    Returns:
        Its requests, limits, claims and problems. Pods with the same needs share one value: results are kept
        by content in a bounded table.
    """
    if drops_nulls:  # asked for where something is wrong, so too seldom to be kept
        return _Reader(drops_nulls=True).read(pod_spec, injected, injected_inits)
    try:
        shape = _shape(pod_spec, injected, injected_inits)
    except (AttributeError, TypeError, ValueError, OverflowError, RecursionError):
        shape = None  # malformed somewhere, or beyond what can be a key: read it each time
    known = _SHAPES.get(shape) if shape is not None else None
    if known is not None:
        return known
    found = _Reader().read(pod_spec, injected, injected_inits)
    if shape is not None and len(shape) <= _SHAPE_SIZE:
        if len(_SHAPES) >= _SHAPES_LIMIT:
            _SHAPES.clear()
        _SHAPES[shape] = found
    return found


def _shape(spec: Any, injected: Sequence[Any], injected_inits: Sequence[Any]) -> bytes | None:
    """All that the result depends on, as bytes; None if it is not an ordinary pod spec."""
    get = spec.get
    containers = get("containers")
    inits = get("initContainers")
    if type(containers) is not list:
        return None
    plain = "resources" not in spec and "overhead" not in spec and "resourceClaims" not in spec
    if plain and inits is None and not injected and not injected_inits and len(containers) == 1:
        return _encode((containers[0].get("resources"),))
    return _encode(
        (
            [one.get("resources") for one in containers],
            _shape_of_inits(inits) if inits else inits,
            get("resources"),
            get("overhead"),
            get("resourceClaims"),
            [one.get("resources") for one in injected] if injected else None,
            _shape_of_inits(injected_inits) if injected_inits else None,
        )
    )


def _shape_of_inits(inits: Iterable[Any]) -> list[tuple[Any, Any]]:
    return [(one.get("restartPolicy"), one.get("resources")) for one in inits]


class _Reader(msgspec.Struct, eq=False):
    """Reads one pod spec and gathers its problems on the way."""

    problems: Problems = msgspec.field(default_factory=Problems)
    claim_uses: list[tuple[str, Path]] = []
    partial: bool = False
    drops_nulls: bool = False

    def read(self, spec: Any, injected: Sequence[Any], injected_inits: Sequence[Any]) -> PodResources:
        if not isinstance(spec, dict):
            self.lost((), spec, "an object")
            return self.result({}, {}, ())
        requests, limits = self.of_containers(spec, injected)
        # Most pods have none of these, and to ask for each in turn takes as long as all else.
        if spec.get("initContainers") is not None or injected_inits:
            own = self.list_of(spec, "initContainers")
            inits = [*_placed(own, "initContainers"), *_placed(injected_inits, "injectedInitContainers")]
            self.apply_init_containers(inits, requests, limits)
        if spec.get("resources") is not None:
            self.apply_pod_level(spec, requests, limits)
        if spec.get("overhead") is not None:
            self.apply_overhead(spec, requests, limits)
        claims: tuple[Claim, ...] = ()
        if self.claim_uses or spec.get("resourceClaims") is not None:
            claims = pod_claims(spec, self.claim_uses, self.problems)
        return self.result(requests, limits, claims)

    def result(self, requests: Amounts, limits: Amounts, claims: tuple[Claim, ...]) -> PodResources:
        partial = self.partial
        return PodResources(
            ResourceList(requests, partial) if requests or partial else EMPTY,
            ResourceList(limits, partial) if limits or partial else EMPTY,
            claims,
            tuple(self.problems.found),
        )

    def lost(self, path: Path, value: object, wanted: str) -> None:
        """Note a malformed part that may have named any resource."""
        self.partial = True
        self.problems.malformed(path, value, wanted)

    def of_containers(self, spec: Mapping[str, Any], injected: Sequence[Any]) -> tuple[Amounts, Amounts]:
        """What the containers need together, once all init containers but the sidecars are done."""
        containers = self.list_of(spec, "containers")
        if not containers and not injected and not self.partial:
            self.partial = True
            self.problems.add(
                "no-containers", ("containers",), "a pod has at least one container, this has none"
            )
        requests, limits = self.side_by_side(containers, "containers")
        if injected:
            for total, more in zip(
                (requests, limits), self.side_by_side(injected, "injectedContainers"), strict=True
            ):
                add(total, more)
        return requests, limits

    def side_by_side(self, containers: Sequence[Any], place: str) -> tuple[Amounts, Amounts]:
        """What containers need that run at the same time."""
        if not containers:
            return {}, {}
        requests, limits = self.of_container(containers[0], (place, 0))
        for index in range(1, len(containers)):
            asked, capped = self.of_container(containers[index], (place, index))
            add(requests, asked)
            add(limits, capped)
        return requests, limits

    def apply_init_containers(
        self, inits: Iterable[tuple[Path, Any]], requests: Amounts, limits: Amounts
    ) -> None:
        """Add sidecars; raise to the peak of plain init containers, each beside the sidecars before it."""
        running: tuple[Amounts, Amounts] = ({}, {})
        peaks: tuple[Amounts, Amounts] = ({}, {})
        for path, container in inits:
            own = self.of_container(container, path)
            sidecar = isinstance(container, dict) and container.get("restartPolicy") == "Always"
            for amounts, total, started, peak in zip(own, (requests, limits), running, peaks, strict=True):
                if sidecar:
                    add(total, amounts)
                    add(started, amounts)
                else:
                    add(amounts, started)
                    raise_to(peak, amounts)
        raise_to(requests, peaks[0])
        raise_to(limits, peaks[1])

    def of_container(self, container: Any, path: Path) -> tuple[Amounts, Amounts]:
        """A container's requests, with its limits where they are absent, and its limits."""
        if not isinstance(container, dict):
            self.lost(path, container, "an object")
            return {}, {}
        requests, limits = self.requirements(container, path)
        self.check_limits(requests, limits, path)
        return {**limits, **requests}, limits

    def requirements(self, owner: Mapping[str, Any], path: Path) -> tuple[Amounts, Amounts]:
        """The `resources` of a container or of a pod; absent and null ask for nothing."""
        resources = owner.get("resources")
        if resources is None:
            return {}, {}
        path = (*path, "resources")
        if not isinstance(resources, dict):
            self.lost(path, resources, "an object")
            return {}, {}
        if resources.get("claims"):
            self.note_claims(resources, path)
        return self.amounts(resources, "requests", path), self.amounts(resources, "limits", path)

    def amounts(self, owner: Mapping[str, Any], key: str, path: Path) -> Amounts:
        """A list of amounts; absent and null are an empty one."""
        raw = owner.get(key)
        if raw is None:
            return {}
        if not isinstance(raw, dict):
            self.lost((*path, key), raw, "an object of quantities")
            return {}
        names = [name for name in raw if type(name) is str]
        if len(names) < len(raw):
            self.lost((*path, key), next(name for name in raw if type(name) is not str), "a resource name")
        # In the order of the names, so that a file and a cluster tell their problems in one order.
        names.sort()
        found: Amounts = {}
        for name in names:
            value = raw[name]
            if value is None and self.drops_nulls:
                continue
            kind = type(value)
            known = _STORED.get(value) if kind is str or kind is int else None
            if known is None or ("/" in name and known.nano % NANO):
                known = self.amount(name, value, (*path, key))
            found[name] = known
        return found

    def amount(self, name: str, value: Any, path: Path) -> Quantity | None:
        """One amount as the API server stores it; None, with a problem, if it takes no such amount."""
        if value is None:
            self.problems.add("null-quantity", (*path, name), "null is read as 0, as the API server does")
            return _ZERO
        try:
            quantity = parse(value)
        except QuantityError as error:
            self.problems.add(error.code, (*path, name), error.message)
            return None
        nano = quantity.nano
        if nano < 0:
            self.problems.add("negative-quantity", (*path, name), f"{quantity} is negative")
            return None
        if nano % _MILLI:
            nano += _MILLI - nano % _MILLI
            quantity = Quantity(nano, quantity.format)
        if nano % NANO and _is_extended(name):
            self.problems.add(
                "fractional-quantity", (*path, name), f"{quantity}: {name} comes in whole units only"
            )
            return None
        kind = type(value)
        if kind is int or (kind is str and len(value) <= _STORED_SIZE):
            if len(_STORED) >= _SHAPES_LIMIT:
                _STORED.clear()
            _STORED[value] = quantity
        return quantity

    def check_limits(self, requests: Amounts, limits: Amounts, path: Path) -> None:
        for name, limit in limits.items():
            asked = requests.get(name)
            if asked is not None and limit is not None and limit.nano < asked.nano:
                where = (*path, "resources", "requests", name)
                self.problems.add("request-above-limit", where, f"requests {asked}, above its limit {limit}")

    def apply_pod_level(self, spec: Mapping[str, Any], requests: Amounts, limits: Amounts) -> None:
        """Let the pod's own resources, filled in as the API server does, replace its containers' sums."""
        asked, capped = (
            self.pod_level(*one) for one in zip(self.requirements(spec, ()), _SIDES, strict=True)
        )
        if not asked and not capped:
            return
        for name, amount in limits.items():
            if _is_hugepages(name) and name not in asked:
                capped.setdefault(name, amount)
        # A limit stands for the request where neither the pod nor a container has one; huge pages cannot be
        # asked for below their limit, so theirs does where the pod has none.
        for name, amount in capped.items():
            if name not in asked and (name not in requests or _is_hugepages(name)):
                asked[name] = amount
        requests.update(asked)
        limits.update(capped)
        self.check_limits({name: requests.get(name) for name in capped}, capped, ())

    def pod_level(self, amounts: Amounts, side: str) -> Amounts:
        for name in amounts:
            if not _is_pod_level(name):
                where = ("resources", side, name)
                self.problems.add(
                    "not-pod-level", where, f"{name} counts in containers only, not for a whole pod"
                )
        return {name: amount for name, amount in amounts.items() if _is_pod_level(name)}

    def apply_overhead(self, spec: Mapping[str, Any], requests: Amounts, limits: Amounts) -> None:
        """Add what the sandbox of the pod takes: to all requests, and to limits that are set and not zero."""
        overhead = self.amounts(spec, "overhead", ())
        add(requests, overhead)
        for name, amount in overhead.items():
            if name in limits and limits[name] != _ZERO:
                add(limits, {name: amount})

    def list_of(self, spec: Mapping[str, Any], key: str) -> Sequence[Any]:
        """A list of containers; absent and null are an empty one."""
        value = spec.get(key)
        if value is None:
            return ()
        if not isinstance(value, list):
            self.lost((key,), value, "a list")
            return ()
        return value

    def note_claims(self, resources: Mapping[str, Any], path: Path) -> None:
        """Remember which claims a container refers to, for a check against those of the pod."""
        uses = resources["claims"]
        if not isinstance(uses, list):
            self.problems.malformed((*path, "claims"), uses, "a list")
            return
        for index, use in enumerate(uses):
            if isinstance(use, dict) and isinstance(use.get("name"), str):
                self.claim_uses.append((use["name"], (*path, "claims", index, "name")))
            else:
                self.problems.malformed((*path, "claims", index), use, "a claim's name")


def _placed(containers: Iterable[Any], place: str) -> Iterator[tuple[Path, Any]]:
    return (((place, index), one) for index, one in enumerate(containers))


def _is_hugepages(name: str) -> bool:
    return name.startswith("hugepages-")


def _is_pod_level(name: str) -> bool:
    return name in ("cpu", "memory") or _is_hugepages(name)


def _is_extended(name: str) -> bool:
    """Whether a resource is one of devices and the like, which the API server takes in whole units only."""
    return "/" in name and "kubernetes.io/" not in name
