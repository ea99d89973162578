"""Functions, closures and calls of them.

A function becomes a Python generator function; what its body uses from outside is passed along as
arguments, so that nothing is nested. A closure is a lambda around such a function. A function that ends by
calling itself jumps back to its beginning instead.
"""

from __future__ import annotations

from collections.abc import Callable

from workload_map.path import core, syntax
from workload_map.path.compiler.emitter import Emitter
from workload_map.path.compiler.functions import write_definition, write_helper
from workload_map.path.compiler.shape import single
from workload_map.path.compiler.unit import Place
from workload_map.path.compiler.writer import Sink


class Calls(Emitter):
    """Calls, and what is called."""

    def apart(self, node: syntax.Node, here: Place, sink: Sink) -> None:
        """A node as a generator function of its own, and a loop over what it gives."""
        located = here.origin is not None
        self.loop_over(self.generator(node, here, located=located), here, sink)

    def one_apart(self, node: syntax.Node, here: Place) -> Place:
        """A node with one output as a function of its own, which begins at no depth again."""
        located = here.origin is not None
        call = f"{self.unit.use('next')}({self.generator(node, here, located=located)})"
        if not located:
            return Place(self.temp(call))
        value, origin = self.unit.fresh("t"), self.unit.fresh("p")
        self.line(f"{value}, {origin} = {call}")
        return Place(value, origin)

    def generator(self, node: syntax.Node, here: Place, *, located: bool) -> str:
        """A call of the generator function for a node; with `located` it gives values with origins."""
        names = core.free_names(node)
        name = self.unit.helper(
            node,
            located=located,
            build=lambda name: write_helper(self.another(located=located), name, node, names),
        )
        origin = [self.origin(here.origin)] if located else []
        given = [here.value, *origin, self.budget(), *self.named(names, located=located)]
        return f"{name}({', '.join(given)})"

    def loop_over(self, call: str, here: Place, sink: Sink, *, pairs: bool | None = None) -> None:
        """Write the sink for each value (with its origin, where `here` has one) that a call gives."""
        value = self.unit.fresh("t")
        located = here.origin is not None
        origin = self.unit.fresh("p") if located else None
        pairs = located if pairs is None else pairs
        targets = f"{value}, {origin or '_'}" if pairs else value
        self.open(f"for {targets} in {call}:", loop=True)
        sink.give(Place(value, origin))
        self.close(loop=True)

    def closure(self, node: syntax.Node) -> str:
        """A function of a value (and its origin, if closures give origins) that gives a node's outputs."""
        if isinstance(node, core.Parameter):
            return node.name
        located = self.unit.paired
        names = core.free_names(node)
        name = self.unit.helper(
            node,
            located=located,
            build=lambda name: write_helper(self.another(located=located), name, node, names),
        )
        given = [*(["v", "p"] if located else ["v"]), self.budget()]
        given += self.named(names, located=located)
        return f"(lambda {'v, p' if located else 'v'}: {name}({', '.join(given)}))"

    def parameter(self, node: core.Parameter, here: Place, sink: Sink) -> None:
        """A call of a closure parameter."""
        if not self.unit.paired:
            self.loop_over(f"{node.name}({here.value})", here, sink)
        elif here.origin is None:
            self.loop_over(f"{node.name}({here.value}, {self.unit.use('UNTRACKED')})", here, sink, pairs=True)
        else:
            self.loop_over(f"{node.name}({here.value}, {self.origin(here.origin)})", here, sink)

    def invoke(self, node: core.Invoke, here: Place, sink: Sink) -> None:
        """A call of a defined function; values are passed for `$` parameters, closures for others."""
        function = node.function
        if self.jump(node, here, sink):
            return
        located = here.origin is not None
        arguments = list(zip(function.params, node.args, strict=True))
        wanted = [arg for param, arg in arguments if param[0] == "x"]

        def call(places: list[Place]) -> None:
            found = iter(places)
            given = [here.value, *([self.origin(here.origin)] if located else []), self.budget()]
            for param, arg in arguments:
                if param[0] == "c":
                    given.append(self.closure(arg))
                    continue
                place = next(found)
                given += [place.value, self.origin(place.origin)] if located else [place.value]
            given += self.named(function.free, located=located)
            self.loop_over(f"{self.function_name(function, located)}({', '.join(given)})", here, sink)

        self.arguments(wanted, self.inner(here), call)

    def arguments(self, nodes: list[syntax.Node], here: Place, give: Callable[[list[Place]], None]) -> None:
        """All combinations of the outputs of argument nodes, the first outermost."""
        if not nodes:
            give([])
            return
        rest = nodes[1:]
        self.each(
            nodes[0],
            here,
            Sink(lambda place: self.arguments(rest, here, lambda others: give([place, *others]))),
        )

    def function_name(self, function: core.Definition, located: bool) -> str:
        """The name of the generator function of a definition."""
        unit = self.unit
        return unit.helper(
            function.body,
            located=located,
            build=lambda name: write_definition(self.another(located=located, function=function), name),
        )

    def jump(self, node: core.Invoke, here: Place, sink: Sink) -> bool:
        """A function's last call of itself, as a jump; False where it is none."""
        function = self.function
        if function is None or node.function is not function or not sink.tail or self.loops != 1:
            return False
        pairs = list(zip(function.params, node.args, strict=True))
        for param, arg in pairs:
            if param[0] == "c" and not (isinstance(arg, core.Parameter) and arg.name == param):
                return False
            if param[0] == "x" and not single(arg):
                return False
        located = here.origin is not None
        targets, values = ["v"], [here.value]
        if located:
            targets.append("p")
            values.append(self.origin(here.origin))
        for param, arg in pairs:
            if param[0] == "x":
                place = self.one(arg, self.inner(here))
                targets += [param, param + "p"] if located else [param]
                values += [place.value, self.origin(place.origin)] if located else [place.value]
        self.line(f"{', '.join(targets)} = {', '.join(values)}")
        self.line("continue")
        return True
