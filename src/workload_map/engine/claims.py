"""Devices that pods claim (dynamic resource allocation), as far as their number is fixed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import msgspec

from workload_map.engine.resource_problems import Path, Problems

Devices = tuple[str | None, int | None]  # a device class and a number
_UNKNOWN: Final[Devices] = (None, None)
_CLAIM_STEPS: Final = ("spec", "devices", "requests")
_OPTIONAL: Final = frozenset(("devices", "requests"))
"""What a claim may leave out: it then asks for no device (resource.k8s.io, `ResourceClaimSpec`)."""


class Claim(msgspec.Struct, frozen=True):
    """An entry of a pod's `resourceClaims`.

    Attributes:
        name: What the pod's containers call it.
        template: The ResourceClaimTemplate that each pod gets a claim of its own from, or None.
        claim: The ResourceClaim that all pods naming it share, or None.
    """

    name: str
    template: str | None
    claim: str | None


class DeviceCount(msgspec.Struct, frozen=True):
    """How many devices of a class are claimed.

    Attributes:
        name: The ResourceClaimTemplate or ResourceClaim that asks for them.
        device_class: Their DeviceClass; None if it is chosen only when they are allocated.
        count: How many; None if that is not known before they are allocated.
    """

    name: str
    device_class: str | None
    count: int | None


def pod_claims(
    spec: Mapping[str, Any], uses: Iterable[tuple[str, Path]], problems: Problems
) -> tuple[Claim, ...]:
    """The claims of a pod; each is allocated, whether a container uses it or not.

    Args:
        spec: The pod spec.
        uses: The claims that its containers refer to, with the place of each reference.
        problems: Takes what is wrong.
    """
    raw = spec.get("resourceClaims")
    if raw is not None and not isinstance(raw, list):
        problems.malformed(("resourceClaims",), raw, "a list")
    entries = raw if isinstance(raw, list) else []
    read = (_pod_claim(entry, ("resourceClaims", index), problems) for index, entry in enumerate(entries))
    claims = tuple(claim for claim in read if claim is not None)
    names = {claim.name for claim in claims}
    for name, path in uses:
        if name not in names:
            problems.add("unknown-claim", path, f"the pod has no resource claim {name!r}")
    return claims


def _pod_claim(entry: Any, path: Path, problems: Problems) -> Claim | None:
    if not isinstance(entry, dict) or not isinstance(entry.get("name"), str):
        problems.malformed(path, entry, "a claim with a name")
        return None
    template, claim = entry.get("resourceClaimTemplateName"), entry.get("resourceClaimName")
    named = [one for one in (template, claim) if one is not None]
    if len(named) == 1 and isinstance(named[0], str):
        return Claim(entry["name"], template, claim)
    expected = "a claim has either a resourceClaimTemplateName or a resourceClaimName"
    problems.add("malformed", path, expected)
    return Claim(entry["name"], None, None)


def count_devices(
    uses: Iterable[tuple[Claim, int | None]], find: Callable[[Claim], Any], problems: Problems
) -> tuple[DeviceCount, ...]:
    """How many devices pods claim together.

    A template counts once a pod; a shared claim counts once, however many pods name it. The number of "all
    devices that match" and of a list of alternatives is not fixed. Access for administration counts 0: it
    takes no device from anyone.

    Args:
        uses: Claims, each with the number of pods that have it (None: not known).
        find: Gives the ResourceClaimTemplate or ResourceClaim that a claim names; None if not at hand.
        problems: Takes what is wrong with those objects; paths begin with kind and name.

    Returns:
        The counts by object and device class, in the order of the uses. What is not at hand or not fixed has
        the count None.
    """
    totals: dict[tuple[str, str, str | None], int | None] = {}
    found: dict[tuple[str, str], list[Devices]] = {}
    for claim, pods in uses:
        name = claim.template or claim.claim
        if name is None or pods == 0:
            continue
        source = ("ResourceClaimTemplate" if claim.template else "ResourceClaim", name)
        seen = source in found
        if seen and claim.claim:
            continue
        if not seen:
            found[source] = _devices(find(claim), source, problems)
        times = 1 if claim.claim else pods
        for device_class, count in found[source]:
            key = (*source, device_class)
            known = totals.get(key, 0)
            if known is None or count is None or times is None:
                totals[key] = None
            else:
                totals[key] = known + count * times
    return tuple(DeviceCount(name, one, count) for (_, name, one), count in totals.items())


def _devices(obj: Any, source: tuple[str, str], problems: Problems) -> list[Devices]:
    """What one claim asks for, by request."""
    if obj is None:
        problems.add("not-at-hand", source, "not at hand, so the devices that it asks for are not known")
        return [_UNKNOWN]
    steps = ("spec", "spec", "devices", "requests") if source[0] == "ResourceClaimTemplate" else _CLAIM_STEPS
    path: Path = source
    for step in steps:
        if not isinstance(obj, dict):
            problems.malformed(path, obj, "an object")
            return [_UNKNOWN]
        path = (*path, step)
        obj = obj.get(step)
        if obj is None and step in _OPTIONAL:
            return []
    if not isinstance(obj, list):
        problems.malformed(path, obj, "a list")
        return [_UNKNOWN]
    return [_request(request, (*path, index), problems) for index, request in enumerate(obj)]


def _request(request: Any, path: Path, problems: Problems) -> Devices:
    if not isinstance(request, dict):
        problems.malformed(path, request, "an object")
        return _UNKNOWN
    if request.get("firstAvailable") is not None:
        return _UNKNOWN
    exactly = request.get("exactly")  # resource.k8s.io/v1 and v1beta2; in v1beta1 the request is flat
    if exactly is None:
        exactly = request
    elif not isinstance(exactly, dict):
        problems.malformed((*path, "exactly"), exactly, "an object")
        return _UNKNOWN
    device_class = exactly.get("deviceClassName")
    if not isinstance(device_class, str):
        problems.malformed(path, device_class, "a deviceClassName")
        return _UNKNOWN
    if exactly.get("adminAccess") is True:
        return device_class, 0
    if exactly.get("allocationMode") not in (None, "", "ExactCount"):
        return device_class, None
    count = exactly.get("count")
    if count is None:
        return device_class, 1
    if type(count) is not int or count < 1:
        problems.malformed((*path, "count"), count, "a count of 1 or more")
        return device_class, None
    return device_class, count
