"""Writing one generated function, line by line, and the small steps that all nodes share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from workload_map.path.compiler.unit import Mark, Place, Static, Unit

# Python allows 20 statically nested blocks; past this many, what follows becomes a function of its own.
MAX_LOOPS = 8
# ... and about 100 levels of indentation.
MAX_INDENT = 40
# A step of the budget pays for so many lines of a loop's body; a line takes some 250 ns, and up to 1 µs.
LINES_A_STEP = 6
# An error that is raised and caught takes as long as so many lines.
CAUGHT = 12
# So many operands may each open loops around the next; more are collected into lists first.
MAX_OPERANDS = 4


class Sink(NamedTuple):
    """What happens to each output of a node.

    Attributes:
        give: Writes the code for one output.
        cheap: Whether that code is one line that cannot fail, so that it may be written several times and
            inside of a `try` (an append, a yield, a return).
        tail: Whether nothing happens after it: a function's call of itself may become a jump.
    """

    give: Callable[[Place], None]
    cheap: bool = False
    tail: bool = False


class Stretch:
    """Lines that run once for each charge: the body of a loop, or of a function, without the loops in it.

    Attributes:
        start: The index of the line where the charge is written.
        indent: The depth of that line.
        inner: How many of the lines since belong to loops inside.
        weight: What the lines cost besides their number.
        size: About how many bytes the lines produce.
    """

    __slots__ = ("indent", "inner", "size", "start", "weight")

    def __init__(self, start: int, indent: int) -> None:
        self.start = start
        self.indent = indent
        self.inner = 0
        self.weight = 0
        self.size = 0


class Writer:
    """A function under way: its lines, its depth, and what the next line comes from."""

    def __init__(self, unit: Unit, *, located: bool) -> None:
        self.unit = unit
        self.located = located
        self.lines: list[str] = []
        self.marks: list[Mark] = []
        self.indent = 0
        self.loops = 0
        self.mark = Mark(None, None)
        self.budgeted = False
        self.stretches: list[Stretch] = []

    # Lines

    def line(self, text: str) -> None:
        """Add a line."""
        self.lines.append(" " * self.indent + text)
        self.marks.append(self.mark)

    def open(self, header: str, *, loop: bool = False) -> None:
        """Begin a block; a loop is charged."""
        self.line(header)
        self.indent += 1
        if loop:
            self.loops += 1
            self.charge()

    def close(self, *, loop: bool = False) -> None:
        """End a block."""
        if loop:
            self.settle()
        if self.lines[-1].endswith(":"):
            self.line("pass")
        self.indent -= 1
        self.loops -= loop

    def charge(self) -> None:
        """Begin a stretch, which `settle` ends: how much each run of it costs is known only then."""
        self.stretches.append(Stretch(len(self.lines), self.indent))

    def settle(self) -> None:
        """Write what the stretch costs: in programs that are counted steps, and in all what is produced."""
        if not self.stretches or self.stretches[-1].indent != self.indent:
            return
        stretch = self.stretches.pop()
        lines = len(self.lines) - stretch.start
        charges = []
        if self.unit.counted:
            steps = 1 + (lines - stretch.inner + stretch.weight) // LINES_A_STEP
            charges.append(("steps", steps))
        if stretch.size:
            charges.append(("size", stretch.size))
        if charges:
            budget = self.budget()
            pay = "; ".join(f"{budget}.{counter} -= {amount}" for counter, amount in charges)
            is_spent = " or ".join(f"{budget}.{counter} < 0" for counter, _ in charges)
            indent = " " * stretch.indent
            self.lines[stretch.start : stretch.start] = [
                f"{indent}{pay}",
                f"{indent}if {is_spent}: {self.unit.use('spent')}({budget})",
            ]
            self.marks[stretch.start : stretch.start] = [self.mark] * 2
        if self.stretches:
            self.stretches[-1].inner += lines + 2 * bool(charges)

    def costs(self, *, weight: int = 0, size: int = 0) -> None:
        """What the stretch under way costs besides its lines: so many more of them, so many bytes."""
        if self.stretches:
            self.stretches[-1].weight += weight
            self.stretches[-1].size += size

    def budget(self) -> str:
        """The name of the budget, which the function thereby needs."""
        self.budgeted = True
        return "budget"

    def commit(self) -> None:
        """Hand the finished lines to the module."""
        self.unit.lines.extend(self.lines)
        self.unit.marks.extend(self.marks)

    def deep(self) -> bool:
        """Whether what follows should become a function of its own."""
        return self.loops >= MAX_LOOPS or self.indent >= MAX_INDENT

    # Values and origins

    def temp(self, expression: str) -> str:
        """A new name for the value of an expression."""
        name = self.unit.fresh("t")
        self.line(f"{name} = {expression}")
        return name

    def constant(self, value: Any) -> str:
        """A constant in the generated code."""
        if value is None or value is True or value is False:
            return str(value)
        return self.unit.constant(value)

    def origin(self, origin: str | Static | None) -> str:
        """An expression for an origin at run time."""
        if isinstance(origin, Static):
            return f"{self.unit.use('Origin')}({_display(origin.steps)}, {origin.iterated}, {origin.opaque})"
        return str(origin)

    def computed(self, value: str, here: Place) -> Place:
        """A value computed from `.`."""
        origin = here.origin
        if origin is None:
            return Place(value)
        if isinstance(origin, Static):
            return Place(value, origin._replace(opaque=True))
        return Place(value, f"{origin}.computed()")

    def inner(self, here: Place) -> Place:
        """`.` inside of a constructor or a source."""
        if isinstance(here.origin, str):
            return Place(here.value, f"{here.origin}.inner()")
        return here

    def unasked(self, here: Place) -> Place:
        """`.` where nobody asks what outputs come from; an error there has its location all the same."""
        if not self.unit.tracing:
            return Place(here.value)
        place = self.inner(here)
        return place._replace(origin=self.temp(place.origin)) if isinstance(place.origin, str) else place

    def stepped(self, before: Place, value: str, key: str, *, plain: bool) -> Place:
        """The value found under a key; `plain` where the key cannot be a negative or odd index."""
        origin = before.origin
        if origin is None:
            return Place(value)
        if not isinstance(origin, Static):
            step = f"step({key})" if plain else f"take({before.value}, {key}, {self.budget()})"
            return Place(value, self.temp(f"{origin}.{step}"))
        if origin.opaque:
            return Place(value, origin)
        if plain:
            return Place(value, Static((*origin.steps, key), origin.iterated))
        return Place(value, self.temp(f"{self.origin(origin)}.take({before.value}, {key}, {self.budget()})"))

    def named(self, names: frozenset[str] | tuple[str, ...], *, located: bool) -> list[str]:
        """Arguments for names that a generated function takes: variables, closures, labels.

        A variable `x1` has its origin in `x1p`, where the function under way has origins.
        """
        given = []
        for name in sorted(names):
            given.append(name)
            if name[0] == "x" and located:
                given.append(name + "p" if self.located else "None")
        return given

    def parameters(self, names: frozenset[str] | tuple[str, ...], *, located: bool) -> list[str]:
        """The parameters that `named` gives arguments for."""
        pairs = [[name, name + "p"] if name[0] == "x" and located else [name] for name in sorted(names)]
        return [name for pair in pairs for name in pair]


def _display(names: tuple[str, ...]) -> str:
    return f"({', '.join(names)}{',' if len(names) == 1 else ''})"


def location_display(origin: Static) -> str:
    """A tuple display of a location that is known while compiling."""
    return _display(origin.steps)
