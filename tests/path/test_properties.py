# ruff: noqa: E501 - tables read better in long lines
"""What must hold for every program and every value."""

from __future__ import annotations

import ast
import copy
import math
import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tests.path.differential import Answer, agree, theirs
from tests.path.oracles import Oracle
from tests.path.programs import path_programs, programs, programs_with_given, values
from workload_map import path
from workload_map.path.compiler import entry, unit
from workload_map.path.compiler.helpers import HELPERS
from workload_map.path.resolver import resolve
from workload_map.path.values import compare

FEW = settings(max_examples=120, deadline=None, database=None, suppress_health_check=list(HealthCheck))


def compiled(expression: str) -> path.Program:
    """The program, where the expression is one."""
    try:
        return path.compile(expression)
    except path.PathSyntaxError:
        assume(False)
        raise


def outcome(program: path.Program, value: Any) -> list[Any] | str:
    """Outputs, or the kind of error."""
    try:
        return program.all(value)
    except path.PathError as error:
        return type(error).__name__


def read(value: Any, location: path.Location) -> Any:
    """The value at a location; None where nothing is."""
    for step in location:
        if isinstance(value, dict):
            value = value.get(step)
        elif isinstance(value, list | str) and isinstance(step, int) and -len(value) <= step < len(value):
            value = value[step]
        else:
            return None
    return value


def same(left: Any, right: Any) -> bool:
    return compare(left, right, path.Budget()) == 0


@FEW
@given(programs, values)
def test_a_run_ends_in_outputs_or_a_typed_error_and_changes_nothing(expression: str, value: Any) -> None:
    program, before = compiled(expression), copy.deepcopy(value)
    outcome(program, value)
    assert repr(value) == repr(before)


@FEW
@given(programs, values)
def test_all_forms_of_a_program_give_the_same_values(expression: str, value: Any) -> None:
    program = compiled(expression)
    found = outcome(program, value)
    if isinstance(found, str):
        with pytest.raises(path.PathError):
            program.locations(value)
        return
    located = program.locations(value)
    assert len(located) == len(found)
    assert all(same(output, other) for output, (other, _, _) in zip(found, located, strict=True))
    if found:
        assert same(program.first(value), found[0])
    else:
        assert program.first(value, "nothing") == "nothing"


@FEW
@given(programs, values)
def test_tracing_an_error_meets_the_same_one(expression: str, value: Any) -> None:
    program = compiled(expression)
    try:
        found = program.all(value)
    except path.PathRuntimeError as error:
        told = error.message
    except path.PathBudgetError:
        return
    else:
        told = ""
    trace = entry.build(
        resolve(expression), "trace", lenient=False, counted=False, explain=lambda error, *_: error
    )
    try:
        traced = trace(value)
    except path.PathRuntimeError as error:
        assert error.message == told
    except path.PathBudgetError:
        return
    else:
        assert not told
        assert all(same(output, other) for output, (other, _, _) in zip(found, traced, strict=True))


@FEW
@given(programs, values)
def test_the_located_form_stays_within_the_value(expression: str, value: Any) -> None:
    program = compiled(expression)
    if isinstance(outcome(program, value), str):
        return
    for _, location, iterated in program.locations(value):
        assert 0 <= iterated <= len(location)


@FEW
@given(path_programs, values)
def test_reading_at_the_location_gives_the_output_of_a_path(expression: str, value: Any) -> None:
    program = compiled(expression)
    assume(program.grade == "path")
    if isinstance(outcome(program, value), str):
        return
    for output, location, _ in program.locations(value):
        assert same(read(value, location), output)


def plain(value: Any, steps: list[Any]) -> path.Location:
    """The location of a jq path: slices opened, indexes as they count from the beginning."""
    location: list[Any] = []
    offset = 0
    for step in steps:
        if isinstance(step, dict):
            start, stop, _ = slice(step["start"], step["end"]).indices(len(value))
            offset, value = offset + start, value[start:stop]
            continue
        key = step
        if isinstance(value, list):
            place = math.floor(step)
            key = place + len(value) if -len(value) <= place < 0 else place
        location.append(key + offset if isinstance(value, list) else key)
        offset, value = 0, read(value, (key,))
    return tuple(location)


@FEW
@given(path_programs, values)
def test_locations_of_a_path_are_those_of_jq(expression: str, value: Any) -> None:
    program = compiled(expression)
    assume(program.writable)
    if isinstance(outcome(program, value), str):
        return
    paths = path.compile(f"[path({expression}\n)]").first(value)
    located = program.locations(value)
    assert len(located) == len(paths)
    for (output, location, _), found in zip(located, paths, strict=True):
        assert location == plain(value, found)
        assert same(read(value, location), output)


def test_what_can_be_written_is_a_path_for_jq(engines: list[Oracle]) -> None:
    jq = engines[-1]

    @FEW
    @given(path_programs, values)
    def search(expression: str, value: Any) -> None:
        program = compiled(expression)
        assume(program.writable)
        found = outcome(program, value)
        assume(not isinstance(found, str))
        assume(agree(Answer("done", list(found)), theirs(jq, expression, value)))
        paths = theirs(jq, f"path({expression}\n)", value)
        assert paths.end in ("done", "unknown"), paths

    search()


@FEW
@given(programs, values)
def test_a_run_ends_the_same_way_twice(expression: str, value: Any) -> None:
    program = compiled(expression)
    one, two = path.Budget(steps=500, size=20_000), path.Budget(steps=500, size=20_000)
    ends = []
    for budget in (one, two):
        try:
            ends.append(repr(program.all(value, budget)))
        except path.PathError as error:
            ends.append(str(error))
    assert ends[0] == ends[1]
    assert (one.steps, one.size, one.outputs) == (two.steps, two.size, two.outputs)


@FEW
@given(path_programs, values)
def test_splitting_keeps_the_meaning(expression: str, value: Any) -> None:
    program = compiled(expression)
    parts = program.split()
    found = outcome(program, value)
    if parts is None or isinstance(found, str):
        return
    front, rest = parts
    again = [output for element in front.all(value) for output in rest.all(element)]
    assert same(again, found)


@settings(FEW, max_examples=300)
@given(programs_with_given, values, values, values)
def test_what_is_given_without_a_variable_rests_on_none(
    expression: str, value: Any, one: Any, other: Any
) -> None:
    try:
        blind = path.compile(expression, variables=("given",), unknown=("given",))
    except path.PathSyntaxError:
        assume(False)
    sighted = path.compile(expression, variables=("given",))
    for form in ("all", "first", "locations"):
        found, *others = [
            ending(program, form, value, seen)
            for program, seen in ((blind, None), (sighted, one), (sighted, other))
        ]
        if found is not path.PathUnknownError and not is_partial(found):
            assert all(same_answer(found, known) for known in others)


def ending(program: path.Program, form: str, value: Any, given: Any) -> Any:
    """What one form of a program gives, or the type of its error."""
    try:
        return getattr(program, form)(value, variables=(given,))
    except path.PathError as error:
        return type(error)


def is_partial(found: Any) -> bool:
    """Whether some outputs of a located run are not known; what is known then, is tested by example."""
    return isinstance(found, list) and any(isinstance(one, tuple) and one[0] is path.UNKNOWN for one in found)


def same_answer(left: Any, right: Any) -> bool:
    """Whether two answers are one error, or the same values, with the same locations where there are such."""
    if isinstance(left, type) or isinstance(right, type):
        return left is right
    return repr(left) == repr(right)


# Reads


class Recorder:
    """Notes each location that is looked at."""

    def __init__(self) -> None:
        self.seen: set[path.Location] = set()

    def wrap(self, value: Any, location: path.Location = ()) -> Any:
        if isinstance(value, dict):
            return _Dict(
                {key: self.wrap(item, (*location, key)) for key, item in value.items()}, self, location
            )
        if isinstance(value, list):
            return _List(
                [self.wrap(item, (*location, index)) for index, item in enumerate(value)], self, location
            )
        return value


class _Dict(dict[str, Any]):
    def __init__(self, items: dict[str, Any], recorder: Recorder, location: path.Location) -> None:
        super().__init__(items)
        self.recorder, self.location = recorder, location

    def get(self, key: str, default: Any = None) -> Any:
        self.recorder.seen.add((*self.location, key))
        return super().get(key, default)

    def __getitem__(self, key: str) -> Any:
        self.recorder.seen.add((*self.location, key))
        return super().__getitem__(key)


class _List(list[Any]):
    def __init__(self, items: list[Any], recorder: Recorder, location: path.Location) -> None:
        super().__init__(items)
        self.recorder, self.location = recorder, location

    def __getitem__(self, index: Any) -> Any:
        for place in (
            range(*index.indices(len(self))) if isinstance(index, slice) else [index % max(1, len(self))]
        ):
            self.recorder.seen.add((*self.location, place))
        return super().__getitem__(index)

    def __iter__(self) -> Iterator[Any]:
        self.recorder.seen.update((*self.location, place) for place in range(len(self)))
        return super().__iter__()


@FEW
@given(programs | path_programs, values)
def test_reads_contain_what_is_looked_at(expression: str, value: Any) -> None:
    program = compiled(expression)
    recorder = Recorder()
    outcome(program, recorder.wrap(value))
    for location in recorder.seen:
        assert any(pattern.covers(location) for pattern in program.reads), (
            location,
            list(map(str, program.reads)),
        )


# Generated code

# What the compiler numbers: constants, natives, generators, closures, indexes, labels, origins, temporaries, variables.
_NUMBERED = re.compile(r"[Kabgcilpt][0-9]+|x[0-9]+p?")
_NAMES = frozenset(HELPERS) | {
    "evaluate", "v", "p", "default", "budget", "variables", "out", "old", "pair", "error", "_", "Budget", "FAULTS", "explain", "checked",
}  # fmt: skip
_NODES = (
    ast.Module, ast.FunctionDef, ast.arguments, ast.arg, ast.Return, ast.Assign, ast.AugAssign, ast.For, ast.While, ast.If,
    ast.Try, ast.ExceptHandler, ast.Raise, ast.Expr, ast.Call, ast.Name, ast.Load, ast.Store, ast.Constant, ast.Attribute,
    ast.Compare, ast.Is, ast.IsNot, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.IfExp, ast.Tuple, ast.List, ast.Dict, ast.BoolOp,
    ast.And, ast.Or, ast.UnaryOp, ast.Not, ast.Yield, ast.YieldFrom, ast.Lambda, ast.GeneratorExp, ast.comprehension,
    ast.Continue, ast.Break, ast.Pass, ast.Sub, ast.Add,
)  # fmt: skip
_ATTRIBUTES = frozenset(
    [
        "get",
        "append",
        "steps",
        "size",
        "outputs",
        "nesting",
        "location",
        "iterated",
        "step",
        "take",
        "each",
        "cut",
        "computed",
        "inner",
        "variable",
        "given",
        "built",
        "value",
        "label",
        "keep",
        "invalid",
    ]
)
_CODE = st.sampled_from(
    [
        "__import__('os')",
        "x1",
        "exec",
        "K1",
        "'); raise",
        "\n  import os",
        "budget",
        "v",
        "lambda: 0",
        "__class__",
    ]
)


def generated(expression: str, form: str) -> str:
    """The source of one form of a program."""
    kept: list[str] = []
    original = unit.Unit.finish

    def finish(self: unit.Unit) -> dict[str, Any]:
        names = original(self)
        kept.append("\n".join(self.lines))
        return names

    unit.Unit.finish = finish  # type: ignore[method-assign]
    try:
        entry.build(resolve(expression), form, lenient=False, counted=True, explain=lambda error, *_: error)
    finally:
        unit.Unit.finish = original  # type: ignore[method-assign]
    return kept[0]


def _names_in(node: ast.AST) -> list[str]:
    """The names that a node of Python's own tree uses or gives."""
    match node:
        case ast.Name(id=name) | ast.arg(arg=name) | ast.FunctionDef(name=name):
            return [name]
        case ast.ExceptHandler(name=str(name)):
            return [name]
    return []


def check_source(source: str) -> None:
    for node in ast.walk(ast.parse(source)):
        assert isinstance(node, _NODES), ast.dump(node)[:200]
        if isinstance(node, ast.Constant):
            assert node.value is None or isinstance(node.value, bool | int), node.value
        for name in _names_in(node):
            assert name in _NAMES or _NUMBERED.fullmatch(name), name
        if isinstance(node, ast.Attribute):
            assert node.attr in _ATTRIBUTES, node.attr


@FEW
@given(programs)
def test_generated_code_holds_only_known_shapes(expression: str) -> None:
    compiled(expression)
    for form in ("all", "first", "locations", "trace"):
        check_source(generated(expression, form))


@settings(max_examples=60, deadline=None, database=None)
@given(_CODE, _CODE)
def test_no_text_of_a_program_gets_into_generated_code(one: str, two: str) -> None:
    quoted, other = path.compile("tojson").first(one), path.compile("tojson").first(two)
    name = re.sub(r"\W", "_", one)
    expression = (
        f'.[{quoted}] as ${name}_ | {{{other}: ${name}_, "a\\({quoted})": .[{other}]?}} '
        f"| def {name}_(f): f, {quoted}; {name}_(.) | tostring | test({other}) | label ${name} | break ${name}"
    )
    for form in ("all", "locations"):
        source = generated(expression, form)
        check_source(source)
        assert "import" not in source
        assert "class" not in source
