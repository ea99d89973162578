"""The answers of both forms of the engine for one object, as values that can be compared."""

from __future__ import annotations

from typing import Any

from workload_map.engine import generated as engine
from workload_map.engine.plan import Plan
from workload_map.engine.reading import Reader
from workload_map.engine.status import read_status
from workload_map.engine.structure import ComponentDraft, InstanceDraft, build
from workload_map.engine.suspension import is_suspended

Object = dict[str, Any]


def per_path(plan: Plan, obj: Object) -> list[Any]:
    """What the per-path form says."""
    reader = Reader(obj, plan.references)
    structure = build(plan, reader)
    status = read_status(plan.status, reader) if plan.status else None
    suspended = is_suspended(plan.suspend_actions, reader) if plan.suspend_actions else None
    return _shown(structure, status, suspended, reader)


def generated(plan: Plan, obj: Object) -> list[Any]:
    """What the generated form says, with the per-path form behind it."""
    reader = Reader(obj, plan.references)
    structure = engine.build(plan, reader)
    status = engine.status(plan, reader)
    return _shown(structure, status, engine.suspended(plan, reader), reader)


def _shown(structure: list[ComponentDraft], status: Any, suspended: Any, reader: Reader) -> list[Any]:
    return [*map(_component, structure), repr(status), repr(suspended), repr(reader.problems)]


def _component(draft: ComponentDraft) -> list[Any]:
    instances = [_instance(one) for one in draft.instances]
    return [draft.plan.place, instances, list(map(_component, draft.children)), draft.strays, draft.phase]


def _instance(draft: InstanceDraft) -> list[Any]:
    spec = draft.spec and [
        *(draft.spec.spec, draft.spec.metadata, draft.spec.image),
        *(draft.spec.injected, draft.spec.injected_inits),
    ]
    # As text, since True == 1 and 1.0 == 1. Specs are parts of one object, or copies of such parts.
    plain = repr([draft.id, draft.location, draft.scale, draft.parent, draft.manifest, draft.is_unknown])
    return [plain, spec, draft.resources, list(map(_component, draft.children)), draft.members]
