"""The generated module: its constants, its helpers, its functions, and what each of its lines came from."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, NamedTuple

from workload_map.path import core, syntax
from workload_map.path.compiler.helpers import HELPERS
from workload_map.path.errors import Span
from workload_map.path.library import native_function

FILENAME = "<path expression>"


class Static(NamedTuple):
    """An origin that is known while compiling: a location made of names in the generated code.

    Attributes:
        steps: Python names, one a step from the root.
        iterated: How many of them reach to the last iterated one.
        opaque: Whether the value was computed from what is there.
    """

    steps: tuple[str, ...] = ()
    iterated: int = 0
    opaque: bool = False


class Place(NamedTuple):
    """A value in the generated code: the name that holds it, and its origin.

    `origin` is None in code that deals with values alone, a Python name where the origin is only known at run
    time, and else `Static`.
    """

    value: str
    origin: str | Static | None = None


class Mark(NamedTuple):
    """What a generated line came from: the stretch of the expression, and what was `.` there."""

    span: Span | None
    here: Place | None


class Unit:
    """One generated module: one form of one program.

    Attributes:
        located: Whether values travel with their origins.
        lenient: Whether iterating null gives nothing.
        counted: Whether loops are charged to the budget.
        tracing: Whether origins are followed even where no output comes from, to locate an error.
        paired: Whether closures give values with origins.
    """

    def __init__(
        self, program: core.Resolved, *, located: bool, lenient: bool, counted: bool, tracing: bool = False
    ) -> None:
        self.program = program
        self.located = located
        self.lenient = lenient
        self.counted = counted
        self.tracing = tracing
        self.paired = located or program.paired
        self.names: dict[str, Any] = {"__builtins__": {}}
        self.lines: list[str] = []
        self.marks: list[Mark] = []
        self.pending: list[Callable[[], None]] = []
        self.known: dict[tuple[int, bool], tuple[str, syntax.Node]] = {}  # by identity, so the nodes are held
        self.constants: dict[tuple[type, Any], str] = {}
        self.numbers = 0

    def fresh(self, kind: str) -> str:
        """A new name for something in the generated code."""
        self.numbers += 1
        return f"{kind}{self.numbers}"

    def use(self, helper: str) -> str:
        """The name of a helper of the runtime, which is thereby known in the module."""
        self.names[helper] = HELPERS[helper]
        return helper

    def native(self, name: str, *, located: bool = False) -> str:
        """The name of a builtin's function; `name` with its arity."""
        known = ("b" if located else "a") + str(len(self.names))
        function = native_function(name, located=located)
        for used, value in self.names.items():
            if value is function:
                return used
        self.names[known] = function
        return known

    def constant(self, value: Any) -> str:
        """The name of a constant. Scalars are shared; the type is part of the key, since `True == 1`."""
        if isinstance(value, dict | list) or value != value:  # noqa: PLR0124 - a NaN
            name = self.fresh("K")
            self.names[name] = value
            return name
        found = self.constants.get((type(value), value))
        if found is None or str(self.names[found]) != str(value):  # -0.0 equals 0.0
            found = self.constants[type(value), value] = self.fresh("K")
            # Interned, as the names in hand-written code are: a key that is the same string is found faster.
            self.names[found] = sys.intern(value) if type(value) is str else value
        return found

    def helper(self, node: syntax.Node, *, located: bool, build: Callable[[str], None]) -> str:
        """The name of the generator function for a node; written by `build` later, if not known yet."""
        found = self.known.get((id(node), located))
        if found is None:
            name = self.fresh("g")
            found = self.known[id(node), located] = (name, node)
            self.pending.append(lambda: build(name))
        return found[0]

    def finish(self) -> dict[str, Any]:
        """Write what is pending, compile the module and run it; the names it defines."""
        while self.pending:
            self.pending.pop()()
        source = "\n".join(self.lines) + "\n"
        exec(compile(source, FILENAME, "exec", dont_inherit=True, optimize=0), self.names)  # noqa: S102 - see package
        return self.names
