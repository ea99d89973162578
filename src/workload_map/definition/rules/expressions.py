"""Rules on expressions: they compile, fit where they stand, and mean what their author believes."""

from __future__ import annotations

from workload_map import path
from workload_map.definition import schema
from workload_map.definition.compiled import Compiled, compiled, report_invalid
from workload_map.definition.findings import Report
from workload_map.definition.rules.joins import are_adrift, are_joinable, lose_each_other, prefix_of
from workload_map.definition.rules.lints import doubts
from workload_map.definition.rules.probes import Trial, fires_without_status
from workload_map.definition.schema import Component, Definition, StatusMatcher
from workload_map.definition.slots import SLOTS
from workload_map.definition.structure import STRUCTURE, steps_of
from workload_map.path import syntax
from workload_map.path.core import walk

_SAY_THAT_IT_RAN = ("running", "completed", "degraded", "failed")
_ADDED = ("injectedContainersPath", "injectedInitContainersPath")
_ACTION = SLOTS[schema.SuspendAction, "path"]
_MATCHER = SLOTS[schema.ExpressionMatcher, "expression"]


def check(definition: Definition, report: Report) -> None:
    """Check each expression for itself, then those of a component against its ids."""
    references = tuple(reference.name for reference in definition.spec.structure_definition.references)
    checked = list(compiled(definition, lambda expression, error: report_invalid(expression, error, report)))
    for each in checked:
        _check_outputs(each, report)
        _check_reads(each, references, report)
        _check_writes(each, report)
        for doubt in doubts(each.tree, for_each_instance=each.expression.slot.outputs == "instance"):
            report.add(doubt.code, each.expression.steps, doubt.message, doubt.hint)
    trial = Trial(references, path.Budget())
    for component in definition.components:
        own = [each for each in checked if each.expression.component is component]
        _check_joins(component, own, trial, report)
    _check_references(references, checked, report)
    _check_matchers(definition, trial, report)


def _check_outputs(checked: Compiled, report: Report) -> None:
    slot, component = checked.expression.slot, checked.expression.component
    if slot.outputs == "many" or not _multiplies(checked):
        return
    if slot.outputs == "one":
        message = "it may give several outputs where one is needed"
        report.add("several-outputs", checked.expression.steps, message)
    elif component is not None and component.instance_id_path is None:
        message = "it may give several outputs, and the component has one instance"
        hint = "set instanceIdPath, which gives an id for each"
        report.add("several-outputs", checked.expression.steps, message, hint)


def _multiplies(checked: Compiled) -> bool:
    """Whether an expression may give several outputs and does not pick from them.

    With `select` the author picks from several outputs, so that one of them may well be left.
    """
    calls = (node for node in walk(checked.tree) if isinstance(node, syntax.Call))
    return checked.facts.many and all(call.name != "select" for call in calls)


def _check_reads(checked: Compiled, references: tuple[str, ...], report: Report) -> None:
    """What tells pods, or objects, from each other looks at them."""
    expression = checked.expression
    if checked.facts.reads or any(_names(checked.tree, name) for name in references):
        return
    if expression.slot.on == "pod":
        message = "it reads nothing of the pod: all pods give the same"
        report.add("selector-constant", expression.steps, message)
    elif expression.slot is _MATCHER:
        message = "it reads nothing of the object: it matches every object, or none"
        report.add("matcher-constant", expression.steps, message)


def _names(tree: syntax.Node, reference: str) -> bool:
    return any(isinstance(node, syntax.Variable) and node.name == reference for node in walk(tree))


def _check_writes(checked: Compiled, report: Report) -> None:
    expression = checked.expression
    if expression.slot is _ACTION and isinstance(checked.tree, syntax.Identity):
        message = "it is the whole object, of which nothing would be left"
        report.add("action-not-writable", expression.steps, message)
    if expression.slot.written is None or checked.facts.writable:
        return
    if expression.slot is _ACTION:
        message = "it computes its value, so that nothing can be written through it"
        report.add("action-not-writable", expression.steps, message, "name a field, such as .spec.suspend")
        return
    hint = None
    if expression.slot.gives == "integer":
        if not _adds_a_default(checked.tree):
            return  # a count that follows from others cannot be asked for
        hint = "name the field alone, and its default in scaleDefinition.defaults"
    message = f"it computes its value: {expression.slot.written} can be read and not be changed"
    report.add("not-writable", expression.steps, message, hint)


def _adds_a_default(tree: syntax.Node) -> bool:
    """Whether an expression is a field with a constant for where it is absent."""
    last = tree.parts[-1] if isinstance(tree, syntax.Pipe) else tree
    return (
        isinstance(last, syntax.Alternative)
        and isinstance(last.left, syntax.Access)
        and isinstance(last.right, syntax.Literal)
    )


def _check_joins(component: Component, checked: list[Compiled], trial: Trial, report: Report) -> None:
    ids = next((each for each in checked if each.expression.steps[-1] == "instanceIdPath"), None)
    if ids is None:
        return
    for each in checked:
        is_added = each.expression.steps[-1] in _ADDED
        if is_added and are_adrift(_program(ids, trial), _program(each, trial), trial):
            message = "what it computes lies in no entry: only its order tells which instance has which"
            hint = "go through the entries first, as in .spec.roles[] | {resources: .extra}"
            report.add("not-joinable", each.expression.steps, message, hint)
        if each.expression.slot.outputs != "instance":
            continue
        if not _joins(ids, each, trial):
            message = f"its outputs do not lie in the entries that the ids of {component.name!r} are of"
            report.add("not-joinable", each.expression.steps, message)
        elif _goes_deeper(ids, each):
            message = f"it may give several outputs for one entry that an id of {component.name!r} is of"
            report.add("several-outputs", each.expression.steps, message)


def _joins(ids: Compiled, other: Compiled, trial: Trial) -> bool:
    """Whether outputs belong to the ids by where they lie, as far as can be told."""
    if not other.facts.many:
        return True
    own, theirs = prefix_of(ids.tree), prefix_of(other.tree)
    if own is not None and theirs is not None:
        return not own or not theirs or are_joinable(own, theirs)
    return not lose_each_other(_program(ids, trial), _program(other, trial), trial)


def _goes_deeper(ids: Compiled, other: Compiled) -> bool:
    """Whether a path goes through further entries within those of the ids, and takes all of them."""
    own, theirs = prefix_of(ids.tree), prefix_of(other.tree)
    return bool(own and theirs) and len(theirs or ()) > len(own or ()) and _multiplies(other)


def _program(checked: Compiled, trial: Trial) -> path.Program:
    """The expression as the engine runs it for structure."""
    return path.compile(checked.expression.text, variables=trial.references, null_is_empty=True)


def _check_references(references: tuple[str, ...], checked: list[Compiled], report: Report) -> None:
    used = {node.name for each in checked for node in walk(each.tree) if isinstance(node, syntax.Variable)}
    for index, name in enumerate(references):
        if name not in used:
            steps = (*STRUCTURE, "references", index, "name")
            report.add("reference-unused", steps, f"no path reads ${name}")


def _check_matchers(definition: Definition, trial: Trial, report: Report) -> None:
    """Find matchers that hold for what was not looked at yet, of phases that say that it was."""
    for component, steps in steps_of(definition):
        if component.status_definition is None:
            continue
        mappings = component.status_definition.status_mappings
        where = (*steps, "statusDefinition", "statusMappings")
        for phase in _SAY_THAT_IT_RAN:
            for index, matcher in enumerate(getattr(mappings, phase)):
                if _fires(matcher, trial):
                    report.add(
                        "fires-without-status",
                        (*where, phase, index, "byExpression"),
                        "it holds for an object that has no status yet",
                    )


def _fires(matcher: StatusMatcher, trial: Trial) -> bool:
    if matcher.by_expression is None or matcher.by_phase is not None or matcher.by_conditions:
        return False
    try:
        return fires_without_status(matcher.by_expression, trial)
    except path.PathSyntaxError:
        return False  # reported before
