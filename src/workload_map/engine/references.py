"""References: other objects that the paths of a definition read as `$name`, looked up among those at hand.

What is not at hand is a problem that names it, and what comes to read it is unknown (`Reader.ready`). Where
the object refers to nothing, null is the answer and no problem. A reference is looked up when a path that
names it is first read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workload_map.engine.fields import Field
from workload_map.engine.finding import Failure
from workload_map.engine.objects import Object, metadata
from workload_map.engine.plan import ReferencePlan
from workload_map.engine.unknown import UNKNOWN

if TYPE_CHECKING:
    from workload_map.engine.reading import Reader


def find(plan: ReferencePlan, reader: Reader) -> Object | list[Object] | None:
    """The value of a reference on the object of a reader: one object, or a list of all that labels select."""
    reader.looked_around = True
    if plan.object_name is None:
        return _listed(plan, reader)
    name = _text(plan, plan.object_name, "a name", reader)
    if not name:
        return None
    named = _text(plan, plan.namespace, "a namespace", reader) if plan.namespace else None
    if reader.misses(plan.name):
        return None
    found = _named(plan, named or reader.namespace, name, reader)
    if found is None:
        # Whether a kind lies in namespaces is not known here: only one that the definition asks for is told.
        where = f" in namespace {named}" if named else ""
        message = f"{plan.kind} {name}{where} is not at hand, and ${plan.name} is read from it"
        _report_missing(plan, reader, "reference-missing", f"{plan.kind} {name}", message)
    return found


def _text(plan: ReferencePlan, field: Field, what: str, reader: Reader) -> str | None:
    """A text that says where a reference is; None where there is none, or where it cannot be read."""
    value = _first(field, reader)
    if value is UNKNOWN:
        reader.miss(plan.name)  # which one it means could not be read, and a problem says why
        return None
    if value is None or isinstance(value, str):
        return value
    _report_missing(plan, reader, "reference-malformed", None, f"{field.place}: {what} is a text")
    return None


def _first(field: Field, reader: Reader) -> Any:
    outputs = reader.located(field)
    return outputs[0][0] if outputs else None


def _report_missing(plan: ReferencePlan, reader: Reader, code: str, place: str | None, message: str) -> None:
    """Say that a reference is not at hand, and why."""
    reader.miss(plan.name)
    reader.report(code, place, message)


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


def _listed(plan: ReferencePlan, reader: Reader) -> list[Object] | None:
    namespace = _text(plan, plan.namespace, "a namespace", reader) if plan.namespace else None
    if reader.misses(plan.name):
        return None
    around = reader.around
    if around is None or not around.listed:
        message = f"the {plan.kind} objects that ${plan.name} selects by their labels are not at hand"
        _report_missing(plan, reader, "reference-missing", plan.kind, message)
        return None
    terms = [(key, operator, _values(values, reader)) for key, operator, values in plan.labels]
    if any(UNKNOWN in values for _, _, values in terms):
        reader.miss(plan.name)  # which ones it means could not be read, and a problem says why
        return None
    candidates = around.index.of_kind(plan.api_version, plan.kind, namespace or reader.namespace)
    return [one for one in candidates if all(_holds(term, one) for term in terms)]


def _values(values: list[str | Field], reader: Reader) -> list[Any]:
    """The values of one requirement: as they stand there, or as they are read on the workload.

    A whole number is read as text, as labels hold nothing else; UNKNOWN where a value cannot be read.
    """
    return [_value_of(value, reader) if isinstance(value, Field) else value for value in values]


def _value_of(field: Field, reader: Reader) -> Any:
    value = _first(field, reader)
    return str(value) if type(value) is int else value


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
