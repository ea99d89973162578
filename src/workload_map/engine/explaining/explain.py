"""The way in: which answers are asked for, and what they are explained from."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from workload_map.definition import DefinitionSet
from workload_map.engine.explaining.counts import Counts, Measure
from workload_map.engine.explaining.facts import Explanation, Fact, Scope
from workload_map.engine.explaining.phase import explain_phase
from workload_map.engine.explaining.place import explain_place
from workload_map.engine.objects import Object
from workload_map.engine.owners import OwnerIndex
from workload_map.engine.pairing import build, pairs
from workload_map.engine.placement import name_of, place
from workload_map.engine.plan import Plan, plan_of
from workload_map.engine.reading import Reader
from workload_map.engine.resolve import find_entry, resolve_many
from workload_map.engine.structure import ComponentDraft
from workload_map.engine.surroundings import Surroundings
from workload_map.engine.view import Component, Workload
from workload_map.errors import WorkloadMapError

FIELDS = ("phase", "pods", "gpus")
"""What can be explained of any workload; besides, each of its components."""


class UnknownFieldError(WorkloadMapError):
    """What should be explained is no answer of the view, and no component."""

    code = "usage"
    exit_code = 2


def explain(
    obj: Object,
    definitions: DefinitionSet,
    index: OwnerIndex,
    field: str | None = None,
    *,
    pods_known: bool = True,
    live: bool = True,
) -> Explanation:
    """How answers about a workload came about.

    Args:
        obj: The workload.
        definitions: Where its definition is looked up.
        index: Everything at hand.
        field: `phase`, `pods`, `gpus` or the name of a component; None: the first three.
        pods_known: Whether pods were looked at.
        live: False for a manifest that no controller has seen.

    Raises:
        UnknownFieldError: There is no such field and no such component.
        NoDefinitionError: No definition covers the kind.
    """
    (view,) = resolve_many([obj], definitions, index=index, pods_known=pods_known, live=live)
    entry = find_entry(obj, definitions)
    plan = plan_of(entry.definition)
    scope = Scope(Reader(obj, plan.references, Surroundings(definitions, index, listed=True)))
    explained = _Explained(view, plan, scope)
    facts = tuple(map(explained.of, FIELDS if field is None else (field,)))
    return Explanation(workload=name_of(view), origin=entry.origin, facts=facts, problems=view.problems)


def explain_pod(pod: Object, definitions: DefinitionSet, index: OwnerIndex) -> Explanation | None:
    """Why a pod is where it is; None where no workload has it.

    Args:
        pod: A pod of the index.
        definitions: What is covered.
        index: Everything at hand.
    """
    placement = place(pod, definitions, index)
    if placement.workload is None:
        return None
    owner = next(one for one in reversed([pod, *index.chain(pod).owners]) if _covered(one, definitions))
    entry = find_entry(owner, definitions)
    plan = plan_of(entry.definition)
    reader = Reader(owner, plan.references, Surroundings(definitions, index, listed=True))
    return Explanation(
        workload=placement.workload,
        origin=entry.origin,
        facts=explain_place(placement, pod, plan, reader),
        problems=(),
    )


def _covered(obj: Object, definitions: DefinitionSet) -> bool:
    return definitions.covers(str(obj.get("apiVersion")), str(obj.get("kind")))


class _Explained:
    """The answers about one workload."""

    def __init__(self, view: Workload, plan: Plan, scope: Scope) -> None:
        self._view = view
        self._plan = plan
        self._scope = scope
        self._drafts = build(plan, scope.reader)

    def of(self, field: str) -> Fact:
        view = self._view
        if field == "phase":
            return explain_phase(self._plan.status, self._scope, view.phase)
        if field == "pods":
            return self._total("pods", view.totals.pods)
        if field == "gpus":
            return self._total("gpus", view.totals.gpus)
        found = next((pair for pair in self._walk() if pair[1].name == field), None)
        if found is None:
            raise _unknown(field, [component.name for _, component in self._walk()])
        return self._component(*found)

    def _total(self, measure: Measure, value: int | None) -> Fact:
        facts = Counts(measure, self._scope).components(self._drafts, self._view.components)
        return Fact(what=measure, value=value, because="the sum of the components", facts=facts)

    def _component(self, draft: ComponentDraft, component: Component) -> Fact:
        facts: list[Fact] = []
        for measure in ("pods", "gpus"):
            counted = Counts(measure, self._scope).components([draft], [component])
            value = component.pods if measure == "pods" else component.gpus
            facts.append(Fact(what=measure, value=value, because=counted[0].because, facts=counted[0].facts))
        if draft.plan.status is not None:
            facts.append(explain_phase(draft.plan.status, self._scope, component.phase))
        kind = f"instances of {component.kind}" if component.kind else "a level without objects of its own"
        return Fact(what=component.name, value=None, because=kind, rule=draft.plan.place, facts=tuple(facts))

    def _walk(self) -> Iterator[tuple[ComponentDraft, Component]]:
        # What an object within consists of is explained with its own definition, by the totals.
        for draft, component in pairs(self._drafts, self._view.components):
            if draft.plan in self._plan.components:
                yield draft, component


def _unknown(field: str, components: list[str]) -> UnknownFieldError:
    known = [*FIELDS, *dict.fromkeys(components)]
    near = difflib.get_close_matches(field, known, n=1)
    hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"
    return UnknownFieldError(f"there is nothing to explain about {field!r}", hint=hint)
