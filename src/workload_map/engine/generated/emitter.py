"""Writing the expressions of a definition into one function: each shared field is read once."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeVar

from workload_map import path
from workload_map.engine.reading import Reader
from workload_map.path import core, syntax
from workload_map.path.budget import SIZE, STEPS
from workload_map.path.compiler.nodes import Nodes
from workload_map.path.compiler.shape import single
from workload_map.path.compiler.unit import Place, Unit
from workload_map.path.compiler.writer import Sink

_ASSIGNED = re.compile(r"\s*(?:for )?(\w+(?:, \w+)*) (?:=|in) ")
MAX_SOURCE = 120_000
"""Characters: more than any sane definition needs; Python takes some 0.3 µs to compile one."""


WORK = 100_000
"""How many elements one function looks at before it gives up: a fraction of a budget, so that the per-path
form decides what is too much."""

# What can go on for ever, or calls itself, is left to its compiled program.
_ENDLESS = frozenset(
    [
        core.Invoke,
        core.Parameter,
        syntax.Update,
        syntax.Reduce,
        syntax.Foreach,
        syntax.Label,
        syntax.Break,
    ]
)
_WRITTEN_OUT = frozenset(
    [
        "empty/0",
        "not/0",
        "error/0",
        "error/1",
        "first/1",
        "last/1",
        "any/2",
        "all/2",
        "isempty/1",
        "limit/2",
        "sort_by/1",
        "group_by/1",
        "unique_by/1",
        "min_by/1",
        "max_by/1",
    ]
)

Answer = TypeVar("Answer")
Function = Callable[[dict[str, Any], Reader], Answer | None]

_PYTHON = {
    "type": type,
    "dict": dict,
    "list": list,
    "int": int,
    "str": str,
    "len": len,
    "enumerate": enumerate,
    "Failure": Exception,
}


class Unsupported(Exception):  # noqa: N818 - never leaves the package
    """A definition, or a part of it, has no generated form: the per-path form answers alone."""


def emitter(**names: Any) -> Emitter:
    """What writes a new function that uses these names."""
    # A unit belongs to a program; all that it takes from this one is that no paths are asked for.
    unit = Unit(path.compile(".").resolved, located=False, lenient=False, counted=False)
    unit.names.update(_PYTHON, WORK=WORK, **names)
    return Emitter(unit, located=False)


class Emitter(Nodes):
    """Writes programs one after the other into one function of an object `v` and its `reader`.

    What a program reads of a value is remembered, by the name of the value and the key, as long as the code
    that follows cannot be reached without it: until its block ends, or one of the names gets another value.

    Only programs without recursion are written out. Their loops are counted, a list at a time; where they are
    too long, the function gives up. Where a program fails, it raises as it does on its own; whoever calls the
    function takes that as "ask the per-path form".
    """

    def __init__(self, unit: Unit, *, located: bool, function: core.Definition | None = None) -> None:
        super().__init__(unit, located=located, function=function)
        self._known: list[dict[tuple[str, str], str]] = [{}]
        self.is_charged = False
        self._written = 0
        self._is_main = False
        self._paid = False

    # What the writer does, with an eye on what is known

    def line(self, text: str) -> None:
        """Add a line. A name that gets a new value is no longer the one whose fields are known."""
        assigned = _ASSIGNED.match(text)
        if assigned is not None:
            names = set(assigned[1].split(", "))
            for scope in self._known:
                for key in [key for key in scope if key[0] in names or scope[key] in names]:
                    del scope[key]
        self._put(text)

    def temp(self, expression: str) -> str:
        """A new name for the value of an expression; nothing is known of it yet."""
        name = self.unit.fresh("t")
        self._put(f"{name} = {expression}")
        return name

    def _put(self, text: str) -> None:
        self._written += len(text)
        if self._written > MAX_SOURCE:
            raise Unsupported("too long")
        super().line(text)

    def open(self, header: str, *, loop: bool = False) -> None:
        """Begin a block."""
        super().open(header, loop=loop)
        self._known.append({})

    def close(self, *, loop: bool = False) -> None:
        """End a block; what was read in it is known no more."""
        super().close(loop=loop)
        self._known.pop()

    # Work

    def charge(self) -> None:
        """One round of a loop whose length is not known before."""
        if not self._paid:
            self._spend("1")

    def _spend(self, count: str) -> None:
        """Charge elements, or characters, before they are looked at."""
        self.is_charged = True
        if self._is_main:
            self.line(f"left -= {count}")
            self.line("if left < 0: return None")
        else:  # a function apart, of a stage that lies too deep
            self.line(f"{self.budget()}.work({count})")

    def loop(self, header: str, listed: str) -> None:
        """Open a loop over something with a length."""
        self._spend(f"len({listed})")
        self._paid = True
        self.open(header, loop=True)
        self._paid = False

    def each_element(self, place: Place, go_on: Callable[[Place], None], *, optional: bool) -> None:
        """`[]`: a loop over the elements."""
        value, element = place.value, self.unit.fresh("t")
        helper = self.unit.use(
            "iterate" + ("_optional" if optional else "_lenient" if self.unit.lenient else "")
        )
        listed = self.temp(f"{value} if type({value}) is list else {helper}({value})")
        self.loop(f"for {element} in {listed}:", listed)
        go_on(Place(element))
        self.close(loop=True)

    def elements(self, value: str) -> tuple[str, str]:
        """Open a loop over a list or an object, or over nothing; the names of index (or key) and element."""
        index, element = self.unit.fresh("i"), self.unit.fresh("t")
        listed = self.temp(f"{value} if type({value}) is list or type({value}) is dict else ()")
        self.line(f"if {listed} is not {value} and {value} is not None: return None")
        pairs = (
            f"enumerate({listed}) if type({listed}) is list else {self.unit.use('entries_lenient')}({value})"
        )
        self.loop(f"for {index}, {element} in {pairs}:", listed)
        return index, element

    # Fields

    def step(self, step: syntax.Step, place: Place, here: Place) -> Place:
        """A step that gives one output."""
        if isinstance(step, syntax.Field) and type(step.key) is str:
            return Place(self.field(place.value, step.key))
        return super().step(step, place, here)

    def field(self, value: str, key: str) -> str:
        """The name of what lies under a key of a value."""
        for scope in self._known:
            if (value, key) in scope:
                return scope[value, key]
        name = self.constant(key)
        usual = f"{value}.get({name}) if type({value}) is dict"
        found = self.temp(
            f"{usual} else None if {value} is None else {self.unit.use('field')}({value}, {name})"
        )
        self._known[-1][value, key] = found
        return found

    def matches(self, node: syntax.Binary, left: str) -> str:
        """A comparison with a constant."""
        literal = node.right.value if isinstance(node.right, syntax.Literal) else None
        if type(literal) is not int or not -2 < literal < 2:
            return super().matches(node, left)
        return self.binary(node.operator, left, self.constant(literal))

    def binary(self, operator: str, left: str, right: str) -> str:
        """A binary operator on two values."""
        general = super().binary(operator, left, right)
        if operator not in ("==", "!="):
            return general
        return f"{left} {operator} {right} if type({left}) is type({right}) is int else {general}"

    def text(self, node: syntax.Text, values: list[str]) -> str:
        """An interpolated string."""
        if node.format != "text" or not values:
            return super().text(node, values)
        given = iter(values)
        pieces = [
            self.constant(part) if isinstance(part, str) else next(given) for part in node.parts if part != ""
        ]
        usual = " and ".join(f"type({value}) is str" for value in dict.fromkeys(values))
        found = self.unit.fresh("t")
        self.open(f"if {usual}:")
        self.line(f"{found} = {' + '.join(pieces)}")
        self._spend(f"len({found})")
        self.close()
        self.open("else:")
        self.line(f"{found} = {super().text(node, values)}")
        self.close()
        return found

    # Programs

    def only(self, program: path.Program, node: syntax.Node, value: str, *, lenient: bool) -> str:
        """The name of the output of a part of a program that gives one at most; None where there is none."""
        if not _ends(program):
            raise Unsupported(f"work without a bound: {program.text}")
        self.unit.lenient = lenient
        if single(node):
            found = self.one(node, Place(value)).value
        else:
            found = self.temp("None")
            give = Sink(lambda place: self.line(f"{found} = {place.value}"), cheap=True)
            self.each(node, Place(value), give)
        return self._end(found)

    def first(self, program: path.Program, *, lenient: bool, nothing: str = "None") -> str:
        """The name of the first output of a program on `v`; `nothing` where there is none."""
        if not _ends(program):
            compiled = self.given("P", program)
            return self.temp(f"{compiled}.first(v, {nothing}, {self.budget()})")
        self.unit.lenient = lenient
        node = program.resolved.body
        if single(node):
            return self._end(self.one(node, Place("v")).value)
        found = self.temp(nothing)
        self.first_of(node, Place("v"), lambda place: self.line(f"{found} = {place.value}"))
        return self._end(found)

    def _end(self, found: str) -> str:
        """The name of a result that no other program changes: the variables of each are numbered anew."""
        while self.unit.pending:
            self.unit.pending.pop()()
        return self.temp(found) if found.startswith("x") else found

    def given(self, kind: str, value: Any) -> str:
        """The numbered name of something that is no constant of an expression: a plan, a function."""
        name = self.unit.fresh(kind)
        self.unit.names[name] = value
        return name

    def begin(self, function: str) -> None:
        """Begin a function of an object `v` and its `reader`."""
        self._is_main = True
        self.open(f"def {function}(v, reader):")
        self.line("left = WORK")
        # Whatever it raises, the per-path form meets again and says so.
        self.open("try:")

    def budget(self) -> str:
        """The budget, of which little is needed: where it is spent, that is seen afterwards."""
        self.is_charged = True
        return "reader.budget" if self._is_main else super().budget()

    def finish(self, function: str, answer: str) -> Callable[..., Any]:
        """End the function of that name with its answer, and compile it: it never raises."""
        if self.is_charged:
            self.line("reader.budget.steps -= WORK - left")
        self.line(f"return {answer}")
        self.close()
        self.line("except Failure: return None")
        made = self.compile(function)
        return within_budget(made) if self.is_charged else made

    def compile(self, function: str) -> Callable[..., Any]:
        """End the function of that name and compile it."""
        self.close()
        self.commit()
        made: Callable[..., Any] = self.unit.finish()[function]
        return made


def within_budget(function: Function[Answer]) -> Function[Answer]:
    """The function, given up where it raises or takes much of the budget, which is then as it was before.

    What is too much is for the per-path form to say, which spends less than twice as much.
    """

    def bounded(obj: Any, reader: Reader) -> Answer | None:
        budget = reader.budget
        steps, outputs, size = budget.steps, budget.outputs, budget.size
        try:
            answer = function(obj, reader)
        except Exception:
            answer = None
        if answer is None or budget.steps < STEPS >> 1 or budget.size < SIZE >> 1:
            budget.steps, budget.outputs, budget.size = steps, outputs, size
            return None
        return answer

    return bounded


def _ends(program: path.Program) -> bool:
    """Whether a program can be written out: it calls nothing that could call itself."""
    for node in core.walk(program.resolved.body):
        if type(node) in _ENDLESS or (type(node) is core.Form and node.name not in _WRITTEN_OUT):
            return False
    return True
