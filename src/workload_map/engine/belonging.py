"""Which pods belong to an object, and whether that can be told."""

from __future__ import annotations

from workload_map.engine.finding import Failure
from workload_map.engine.nodes import MAX_DEPTH
from workload_map.engine.objects import Object, is_pod, kind_of, metadata, place_of_pod, text_of, uid_of
from workload_map.engine.owners import OwnerIndex
from workload_map.engine.plan import Plan
from workload_map.engine.reading import Reader
from workload_map.engine.scale import total
from workload_map.engine.structure import ComponentDraft, walk
from workload_map.engine.waiting import Orphans


def pods_of(obj: Object, plan: Plan, drafts: list[ComponentDraft], reader: Reader) -> list[Object] | None:
    """The pods of an object; None where they cannot be told, because their controllers are not at hand.

    Args:
        obj: The workload.
        plan: Its definition.
        drafts: Its components.
        reader: The workload, with what is around it; it keeps the problems.
    """
    if reader.around is None:
        return None
    index = reader.around.index
    index.adopt(reader.around.definitions)
    pods, is_cut = index.below(obj)
    is_all = index.is_complete or _has_all(pods, drafts)
    lost = [] if is_all else _out_of_sight(obj, plan, drafts, index)
    for orphans in lost:
        count = sum(map(is_pod, orphans.objects))
        message = f"{count} pods have {orphans.kind} controllers that are not at hand; they may belong here"
        reader.report("owner-missing", f"{orphans.kind} {orphans.owner_names[0]}", message)
    _report_failures(obj, index, reader)
    if index.malformed:
        message = f"{index.malformed} of the pods and other objects given are no objects; they are left out"
        reader.report("pod-malformed", None, message)
    _report_shared_uids(pods, index, reader)
    for problem in index.adoption_problems(obj):
        reader.report(problem.code, problem.location, problem.message)
    if index.is_in_cycle(obj):
        reader.report("owner-cycle", None, "its controllers lead back to itself")
    if is_cut:
        message = f"objects more than {MAX_DEPTH} controllers below are not followed"
        reader.report("owner-depth", None, message)
    return None if lost and not pods else pods


def _report_failures(obj: Object, index: OwnerIndex, reader: Reader) -> None:
    """Say which owners could not be looked up, one problem for all that failed in the same way."""
    if not index.owner_failures:
        return
    alike: dict[tuple[str, str], list[Failure]] = {}
    namespace = text_of(metadata(obj).get("namespace"))
    for failure in index.owner_failures:
        if failure.namespace == namespace:
            alike.setdefault((failure.kind, failure.why), []).append(failure)
    for (_, why), failures in alike.items():
        first = min(failures)
        others = f" and {len(failures) - 1} others" if len(failures) > 1 else ""
        message = f"looking for it{others} failed: {why}; pods below may belong here"
        reader.report("lookup-failed", first.place, message)


def links_below(obj: Object, index: OwnerIndex, pod: Object) -> list[Object]:
    """What stands between an object and a pod of it, from the top down, and the pod."""
    links = [pod]
    for owner in index.chain(pod).owners:
        if owner is obj or uid_of(owner) == uid_of(obj):
            break
        links.append(owner)
    return links[::-1]


def _has_all(pods: list[Object], drafts: list[ComponentDraft]) -> bool:
    """Whether as many pods are there as are desired, so that none can be missing."""
    instances = [
        one for draft in walk(drafts) for one in draft.instances if draft.plan.spec or one.is_unknown
    ]
    desired = total([None if one.is_unknown else one.scale.pods for one in instances])
    return bool(drafts) and desired is not None and len(pods) >= desired


def _out_of_sight(obj: Object, plan: Plan, drafts: list[ComponentDraft], index: OwnerIndex) -> list[Orphans]:
    """Pods of the namespace whose missing controllers are of a kind that this workload creates."""
    created = set(plan.created_kinds)
    for draft in walk(drafts) if plan.wraps else ():
        for instance in draft.instances:
            if instance.wrapped is not None:
                created |= {instance.wrapped.kind, *instance.wrapped.plan.created_kinds}
    return [
        orphans
        for orphans in index.orphans_in(text_of(metadata(obj).get("namespace")))
        if kind_of(orphans.api_version, orphans.kind) in created and any(map(is_pod, orphans.objects))
    ]


def _report_shared_uids(pods: list[Object], index: OwnerIndex, reader: Reader) -> None:
    for uid in index.shared_uids:
        places = sorted(place_of_pod(pod) for pod in pods if uid_of(pod) == uid)
        if places:
            names = ", ".join(place.removeprefix("pod ") for place in places)
            reader.report("uid-duplicate", places[0], f"several objects bear the UID {uid}: {names}")
