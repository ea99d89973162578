"""References: other objects that the paths of a definition read as `$name`, looked up among those at hand.

What is not at hand is null, with a problem that names it; where the object refers to nothing, null is the
answer and no problem. A reference is looked up when a path first reads it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workload_map.engine.fields import Field
from workload_map.engine.finding import Failure
from workload_map.engine.objects import Object, metadata, text_of
from workload_map.engine.plan import ReferencePlan

if TYPE_CHECKING:
    from workload_map.engine.reading import Reader


def find(plan: ReferencePlan, reader: Reader) -> Object | list[Object] | None:
    """The value of a reference on the object of a reader: one object, or a list of all that labels select."""
    reader.looked_around = True
    if plan.object_name is None:
        return _listed(plan, reader)
    name = reader.first(plan.object_name)
    if name is None or name == "":
        return None
    if not isinstance(name, str):
        reader.report("reference-malformed", None, f"{plan.object_name.place}: a name is a text")
        return None
    namespace = _namespace(plan, reader)
    found = _named(plan, namespace, name, reader)
    if found is None:
        where = f" in namespace {namespace}" if namespace else ""
        message = f"{plan.kind} {name}{where} is not at hand, and ${plan.name} is read from it"
        reader.report("reference-missing", f"{plan.kind} {name}", message)
    return found


def _named(plan: ReferencePlan, namespace: str | None, name: str, reader: Reader) -> Object | None:
    if reader.around is None:
        return None
    index = reader.around.index
    found = at_hand(index.find(plan.api_version, plan.kind, namespace, name), reader)
    # A definition does not say whether a kind has namespaces; one that has none lies in none.
    if found is None and namespace is not None:
        found = at_hand(index.find(plan.api_version, plan.kind, None, name), reader)
    return found


def at_hand(answer: Object | Failure | None, reader: Reader) -> Object | None:
    """The object that was found; None where none was, with a problem where looking for it failed."""
    if isinstance(answer, Failure):
        reader.report("lookup-failed", answer.place, f"looking for it failed: {answer.why}")
        return None
    return answer


def _namespace(plan: ReferencePlan, reader: Reader) -> str | None:
    """Where to look: as the definition says, else in the namespace of the object."""
    given = reader.first(plan.namespace) if plan.namespace else None
    return text_of(given) or reader.namespace


def _listed(plan: ReferencePlan, reader: Reader) -> list[Object] | None:
    namespace = _namespace(plan, reader)
    around = reader.around
    if around is None or not around.listed:
        message = f"the {plan.kind} objects that ${plan.name} selects by their labels are not at hand"
        reader.report("reference-missing", plan.kind, message)
        return None
    terms = [(key, operator, _values(values, reader)) for key, operator, values in plan.labels]
    candidates = around.index.of_kind(plan.api_version, plan.kind, namespace)
    return [one for one in candidates if all(_holds(term, one) for term in terms)]


def _values(values: list[str | Field], reader: Reader) -> list[Any]:
    """The values of one requirement: as they stand there, or as they are read on the workload."""
    return [reader.first(value) if isinstance(value, Field) else value for value in values]


def _holds(term: tuple[str, str, list[Any]], obj: Object) -> bool:
    """One requirement of a label selector (apimachinery, `labels.Requirement`): absent is in no set."""
    key, operator, values = term
    labels = metadata(obj).get("labels")
    label = labels.get(key) if isinstance(labels, dict) else None
    match operator:
        case "In":
            return label is not None and label in values
        case "NotIn":
            return label is None or label not in values
        case "Exists":
            return label is not None
        case "DoesNotExist":
            return label is None
    return False
