"""The functions that callers get: all outputs, the first one, all with their locations."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import Any

from workload_map.path import core
from workload_map.path.budget import Budget
from workload_map.path.compiler.nodes import Nodes
from workload_map.path.compiler.unit import FILENAME, Mark, Place, Static, Unit
from workload_map.path.compiler.writer import Sink, location_display
from workload_map.path.errors import (
    HIDDEN,
    Location,
    PathBudgetError,
    PathError,
    PathRuntimeError,
    PathUnknownError,
)
from workload_map.path.origins import Exact
from workload_map.path.splitting import entry_by_entry

_FAULTS = (PathError, RecursionError, MemoryError, TypeError)
Evaluate = Callable[..., Any]
Explain = Callable[[BaseException, Any, Any, list[Mark]], BaseException]


def build(program: core.Resolved, form: str, *, lenient: bool, counted: bool, explain: Explain) -> Evaluate:
    """The function for one form of a program.

    Args:
        program: The resolved program.
        form: `all`, `first`, `locations`, or `trace`: locations, of errors in conditions and keys too.
        lenient: Whether iterating null gives nothing.
        counted: Whether steps and outputs are charged.
        explain: Gets an exception, the value, the variables and the marks of the generated lines; gives the
            exception to raise.
    """
    located = form in ("locations", "trace")
    unit = Unit(program, located=located, lenient=lenient, counted=counted, tracing=form == "trace")
    writer = Nodes(unit, located=located)
    default = "default=None, " if form == "first" else ""
    writer.line(f"def evaluate(v, {default}budget=None, variables=()):")
    head = len(writer.lines)
    writer.indent = 1
    _bind_variables(writer, program, located)
    if form != "first":
        writer.line("out = []")
    here = Place("v", Static() if located else None)
    body = entry_by_entry(program.body) if located and program.partial else program.body
    writer.each(body, here, _sink(writer, form))
    writer.line("return default" if form == "first" else "return out")
    _enclose(writer, head)
    unit.names["explain"] = lambda error, value, variables: explain(
        _typed(error, value), value, variables, unit.marks
    )
    unit.names["FAULTS"] = _FAULTS
    writer.commit()
    function: Evaluate = unit.finish()["evaluate"]
    return function


def _sink(writer: Nodes, form: str) -> Sink:
    if form == "first":
        return Sink(lambda place: writer.line(f"return {place.value}"), cheap=True)

    def give(place: Place) -> None:
        origin = place.origin
        if origin is not None and not isinstance(origin, Static) and not origin.isidentifier():
            place = Place(place.value, writer.temp(origin))
        if writer.unit.counted:
            budget = writer.budget()
            writer.line(f"{budget}.outputs -= 1")
            writer.line(f"if {budget}.outputs < 0: {writer.unit.use('spent')}({budget})")
            if isinstance(place.origin, str):
                writer.line(f"{budget}.keep({place.origin}.location)")
        writer.line(f"out.append({_output(place)})")

    return Sink(give, cheap=True)


def _output(place: Place) -> str:
    origin = place.origin
    if origin is None:
        return place.value
    if isinstance(origin, Static):
        return f"({place.value}, {location_display(origin)}, {origin.iterated})"
    return f"({place.value}, {origin}.location, {origin}.iterated)"


def _bind_variables(writer: Nodes, program: core.Resolved, located: bool) -> None:
    names = program.variables
    if not names:
        return
    writer.unit.names["checked"] = _checked
    writer.line(f"{', '.join(names)}, = checked(variables, {len(names)})")
    if located:
        writer.unit.use("Origin")
        for name, given in zip(names, program.given, strict=True):
            writer.line(f"{name}p = Origin(({writer.constant('$' + given)},), 0)")


def _checked(values: tuple[Any, ...], count: int) -> tuple[Any, ...]:
    if len(values) != count:
        raise TypeError(
            f"the expression was compiled with {count} variables, {len(values)} values were given"
        )
    return values


def _enclose(writer: Nodes, head: int) -> None:
    """Put the body into a `try`, and make a budget first where the body needs one."""
    opening = []
    if writer.budgeted:
        writer.unit.names["Budget"] = Budget
        opening.append(" if budget is None: budget = Budget()")
    opening.append(" try:")
    body = [" " + line for line in writer.lines[head:]]
    writer.lines[head:] = opening + body
    writer.marks[head:head] = [Mark(None, None)] * len(opening)
    for line in (" except FAULTS as error:", "  raise explain(error, v, variables)"):
        writer.lines.append(line)
        writer.marks.append(Mark(None, None))


# Errors


def _typed(error: BaseException, value: Any) -> BaseException:
    """What Python raised over a key that is no string, which a value decoded from JSON never has."""
    if not isinstance(error, TypeError):
        return error
    seen, stack = set[int](), [value]
    while stack:
        item = stack.pop()
        if not isinstance(item, dict | list) or id(item) in seen:
            continue
        seen.add(id(item))
        if isinstance(item, dict):
            odd = next((key for key in item if not isinstance(key, str)), item)
            if odd is not item:
                told = f"the value has an object whose key is no string but {odd!r:.40}"
                return PathRuntimeError("value", told, found="object").with_traceback(error.__traceback__)
        stack.extend(item.values() if isinstance(item, dict) else item)
    return error


def explained(
    error: BaseException, text: str, marks: list[Mark], where: Callable[[], Location | None]
) -> BaseException:
    """The error with its place in the expression; what Python raised for want of room as a budget error."""
    if isinstance(error, PathRuntimeError):
        spans = [marks[frame.tb_lineno - 1].span for frame in _generated(error.__traceback__)]
        shown = [span for span in spans if span is not None and span != HIDDEN]
        error.explain(text, shown[-1] if shown else None, where)
        return error.with_traceback(None)
    if isinstance(error, PathBudgetError):
        error.text = text
        return error.with_traceback(None)
    if isinstance(error, TypeError | PathUnknownError):
        return error.with_traceback(None)
    budget_error = PathBudgetError("nesting", "the expression needs more memory or nesting than there is")
    budget_error.text = text
    return budget_error


def location_of(error: PathRuntimeError, marks: list[Mark]) -> Location | None:
    """Where in the object an error arose: what was `.` on its line, else on that of the call around it."""
    for frame in reversed(_generated(error.__traceback__)):
        location = _location_in(frame, marks[frame.tb_lineno - 1].here)
        if location is not None:
            return location
    return None


def _location_in(frame: TracebackType, here: Place | None) -> Location | None:
    """The location of what was `.` where a frame stands; None where it had none."""
    if here is None:
        return None
    names = {**frame.tb_frame.f_globals, **frame.tb_frame.f_locals}
    if isinstance(here.origin, Static):
        return tuple(names[step] for step in here.origin.steps)
    origin = names.get(str(here.origin))
    location = None if origin is None or isinstance(origin, Exact) else origin.location
    return tuple(location) if location is not None else None


def _generated(traceback: TracebackType | None) -> list[TracebackType]:
    """The frames of generated code in a traceback, the innermost last."""
    found = []
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == FILENAME:
            found.append(traceback)
        traceback = traceback.tb_next
    return found
