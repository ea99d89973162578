"""Whole manifests inside of an object: each is resolved by its own definition and becomes children.

So no definition of a wrapper repeats what is known of the kinds that it wraps.
"""

from __future__ import annotations

from itertools import chain
from typing import Any

from workload_map.definition import CollisionError, Entry
from workload_map.engine import generated, phases
from workload_map.engine.objects import api_kind, kind_of, metadata, text_of
from workload_map.engine.plan import plan_of
from workload_map.engine.reading import Reader, field_path
from workload_map.engine.scale import beneath
from workload_map.engine.structure import (
    ComponentDraft,
    InstanceDraft,
    Wrapped,
    bears_pods,
    multiplied,
    walk,
)
from workload_map.engine.unknown import UNKNOWN

MAX_DEPTH = 8
"""How deep wrappers are followed into each other."""

MAX_OBJECTS = 1_000
"""How many wrapped objects one workload may hold."""

# Groups of Kubernetes itself of which no kind makes pods (kubernetes/api), besides most of the core group.
_PODLESS_GROUPS = frozenset(
    [
        "admissionregistration.k8s.io",
        "apiextensions.k8s.io",
        "autoscaling",
        "coordination.k8s.io",
        "discovery.k8s.io",
        "networking.k8s.io",
        "policy",
        "rbac.authorization.k8s.io",
        "resource.k8s.io",
        "scheduling.k8s.io",
        "storage.k8s.io",
    ]
)
_CORE_KINDS_WITH_PODS = frozenset(["Pod", "PodTemplate", "ReplicationController"])


class Unwrapping:
    """Opens all wrapped objects of one workload."""

    def __init__(self) -> None:
        self._left = MAX_OBJECTS

    def open(self, drafts: list[ComponentDraft], reader: Reader, depth: int = 0) -> list[ComponentDraft]:
        """Put what is wrapped below the instances that hold it; the components that are still there.

        Args:
            drafts: The components of one object.
            reader: That object.
            depth: How many wrappers it lies in.
        """
        return [draft for draft in drafts if self._open_component(draft, reader, depth)]

    def _open_component(self, draft: ComponentDraft, reader: Reader, depth: int) -> bool:
        draft.children = self.open(draft.children, reader, depth)
        for instance in draft.instances:
            instance.children = self.open(instance.children, reader, depth)
        if draft.plan.objects is not None:
            draft.instances = [
                one for one in draft.instances if self._open_object(draft, one, reader, depth) or one.children
            ]
        return bool(draft.instances) and bears_pods(draft)

    def _open_object(
        self, draft: ComponentDraft, instance: InstanceDraft, reader: Reader, depth: int
    ) -> bool:
        """Open one; False where no pods can come of it."""
        if not isinstance(instance.manifest, tuple) or instance.manifest[0] is UNKNOWN:
            instance.is_unknown = True
            return True
        manifest, location = instance.manifest
        place = field_path(location)
        api_version, kind = api_kind(manifest) if isinstance(manifest, dict) else ("", "")
        if not api_version or not kind:
            message = f"{draft.plan.name}: a whole manifest has an apiVersion and a kind"
            return _unknown(instance, "wrapped-malformed", place, message, reader)
        entry = _entry(api_version, kind, reader)
        if entry is None:
            if _makes_no_pods(api_version, kind):
                return False
            message = f"{draft.plan.name}: no single definition covers {kind} of {api_version}"
            return _unknown(instance, "wrapped-not-covered", place, message, reader)
        self._left -= 1
        if depth >= MAX_DEPTH or self._left < 0:
            message = f"{draft.plan.name}: objects are wrapped too deep, or too many of them"
            return _unknown(instance, "wrapped-too-deep", place, message, reader)
        inner = self._build(draft, instance, manifest, entry, reader, depth)
        reader.take(inner, place if place != "." else kind)
        return True

    def _build(
        self,
        draft: ComponentDraft,
        instance: InstanceDraft,
        manifest: dict[str, Any],
        entry: Entry,
        reader: Reader,
        depth: int,
    ) -> Reader:
        """Put the components of an object below the instance that holds it; the reader of that object."""
        plan = plan_of(entry.definition)
        inner = reader.within(manifest, plan.references)
        children = self.open(generated.build(plan, inner), inner, depth + 1)
        status = manifest.get("status")
        root_phase = generated.status(plan, inner) if status else None
        phases.assign(
            children, plan, inner, root_phase.phase if root_phase else None, has_status=bool(status)
        )
        # An object counts what is in it; how many are made of it, the instance says.
        is_counted = draft.plan.scale is not None and draft.plan.scale.tells_replicas
        for each in chain.from_iterable(child.instances for child in walk(children)):
            scale = multiplied(each.scale, [instance]) if is_counted else each.scale
            each.scale = beneath(scale, instance.scale.suspended)
        name = text_of(metadata(manifest).get("name")) or None
        instance.wrapped = Wrapped(kind_of(*api_kind(manifest)), name, plan, children)
        instance.children = [*children, *instance.children]
        return inner


def _entry(api_version: str, kind: str, reader: Reader) -> Entry | None:
    """The one definition that covers a kind; None where none does, or several."""
    if reader.around is None:
        return None
    try:
        return reader.around.definitions.get(api_version, kind)
    except CollisionError:
        return None


def _makes_no_pods(api_version: str, name: str) -> bool:
    group, kind = kind_of(api_version, name)
    return group in _PODLESS_GROUPS or (group == "" and kind not in _CORE_KINDS_WITH_PODS)


def _unknown(instance: InstanceDraft, code: str, place: str, message: str, reader: Reader) -> bool:
    """Say why nothing is known of what an instance holds; it stays, since its pods are real."""
    instance.is_unknown = True
    reader.report(code, place, message)
    return True
