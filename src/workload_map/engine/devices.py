"""The devices that the pods of a workload claim together, looked up in the objects at hand."""

from __future__ import annotations

from workload_map.engine.claims import Claim, count_devices
from workload_map.engine.objects import Object, metadata, text_of
from workload_map.engine.owners import OwnerIndex
from workload_map.engine.reading import Reader, field_path
from workload_map.engine.references import at_hand
from workload_map.engine.resource_problems import Problems
from workload_map.engine.structure import InstanceDraft
from workload_map.engine.view import ClaimTotal

_API_VERSION = "resource.k8s.io/v1"


def claimed_devices(
    instances: list[InstanceDraft], reader: Reader, index: OwnerIndex
) -> tuple[ClaimTotal, ...]:
    """Devices by claim and class; a count is None where it is open until allocation, or not at hand."""
    uses: list[tuple[Claim, int | None]] = []
    for instance in instances:
        if instance.resources is not None and instance.resources.claims:
            pods = instance.scale.pods
            uses.extend((claim, pods) for claim in instance.resources.claims)
    if not uses:
        return ()
    reader.looked_around = True
    namespace = text_of(metadata(reader.obj).get("namespace"))

    def find(claim: Claim) -> Object | None:
        kind = "ResourceClaimTemplate" if claim.template else "ResourceClaim"
        found = index.find(_API_VERSION, kind, namespace, claim.template or claim.claim or "")
        return at_hand(found, reader)

    problems = Problems()
    counts = count_devices(uses, find, problems)
    for problem in problems.found:
        kind, name, *rest = problem.path
        place = f"{kind} {name}" + (f": {field_path(tuple(rest))}" if rest else "")
        reader.report(problem.code, place, problem.message)
    return tuple(ClaimTotal(name=one.name, device_class=one.device_class, count=one.count) for one in counts)
