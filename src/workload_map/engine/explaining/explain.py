"""The way in: which answers are asked for, and what they are explained from."""

from __future__ import annotations

from collections.abc import Iterator

from workload_map.definition import DefinitionSet
from workload_map.engine.explaining.counts import Counts, Measure
from workload_map.engine.explaining.facts import Explanation, Fact, Scope, of_definition
from workload_map.engine.explaining.parts import FIELDS, Part, named, names, parts
from workload_map.engine.explaining.phase import explain_phase
from workload_map.engine.explaining.place import explain_place
from workload_map.engine.objects import Object
from workload_map.engine.owners import OwnerIndex
from workload_map.engine.pairing import build
from workload_map.engine.placement import name_of, place
from workload_map.engine.plan import Plan, plan_of
from workload_map.engine.reading import Reader
from workload_map.engine.resolve import find_entry, resolve_many
from workload_map.engine.surroundings import Surroundings
from workload_map.engine.view import Workload


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
        field: `phase`, `pods`, `gpus`, or a part by its name (see `parts.named`); None: the first three.
        pods_known: Whether pods were looked at.
        live: False for a manifest that no controller has seen.

    Raises:
        UnknownFieldError: There is no such field and no such part, or the name fits several.
        NoDefinitionError: No definition covers the kind.
    """
    (view,) = resolve_many([obj], definitions, index=index, pods_known=pods_known, live=live)
    entry = find_entry(obj, definitions)
    plan = plan_of(entry.definition)
    scope = Scope.of(Reader(obj, plan.references, Surroundings(definitions, index, listed=True)))
    explained = _Explained(view, plan, scope)
    facts = tuple(fact for one in (FIELDS if field is None else (field,)) for fact in explained.of(one))
    return Explanation(workload=name_of(view), origin=entry.origin, facts=facts, problems=view.problems)


def explainable(obj: Object, definitions: DefinitionSet, index: OwnerIndex) -> list[str]:
    """What `explain` takes for a field of a workload; raises as it does."""
    (view,) = resolve_many([obj], definitions, index=index)
    plan = plan_of(find_entry(obj, definitions).definition)
    scope = Scope.of(Reader(obj, plan.references, Surroundings(definitions, index, listed=True)))
    return names(list(parts(build(plan, scope.reader), view.components, scope)))


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

    def of(self, field: str) -> Iterator[Fact]:
        view = self._view
        if field == "phase":
            yield explain_phase(self._plan.status, self._scope, view.phase)
        elif field == "pods":
            yield self._total("pods", view.totals.pods)
        elif field == "gpus":
            yield self._total("gpus", view.totals.gpus)
        else:
            yield from map(_part, named(field, list(parts(self._drafts, view.components, self._scope))))

    def _total(self, measure: Measure, value: int | None) -> Fact:
        facts = Counts(measure, self._scope).components(self._drafts, self._view.components)
        return Fact(what=measure, value=value, because="the sum of the components", facts=facts)


def _part(part: Part) -> Fact:
    plan, component = part.draft.plan, part.view
    facts = [_count(part, "pods"), _count(part, "gpus")]
    if part.instance is None and plan.status is not None:
        facts.append(explain_phase(plan.status, part.scope, component.phase))
    what = "one of the instances" if part.instance is not None else "instances"
    because = f"{what} of {component.kind}" if component.kind else "a level without objects of its own"
    fact = Fact(what=part.title, value=None, because=because, rule=plan.place, facts=tuple(facts))
    return fact if part.definition is None else of_definition(fact, part.definition)


def _count(part: Part, measure: Measure) -> Fact:
    counts = Counts(measure, part.scope)
    if part.instance is None:
        (counted,) = counts.components([part.draft], [part.view])
    else:
        counted = counts.instance(part.draft, *part.instance, name=part.title)
    return Fact(what=measure, value=counted.value, because=counted.because, facts=counted.facts)
