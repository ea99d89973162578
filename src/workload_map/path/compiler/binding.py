"""Variables, folds, labels, and calls of functions and closures.

A function becomes a Python generator function; what its body uses from outside is passed along as arguments, so
that nothing is nested. A closure is a lambda around such a function. A function that ends by calling itself jumps
back to its beginning instead.
"""

from __future__ import annotations

from collections.abc import Callable

from workload_map.path import core, syntax
from workload_map.path.compiler.nodes import Nodes
from workload_map.path.compiler.shape import single
from workload_map.path.compiler.unit import Mark, Place, Static, Unit
from workload_map.path.compiler.writer import Sink


class Binding(Nodes):
    """The nodes that bind names or call what is bound."""

    def __init__(self, unit: Unit, *, located: bool, function: core.Definition | None = None) -> None:
        super().__init__(unit, located=located)
        self.function = function

    # Functions

    def apart(self, node: syntax.Node, here: Place, sink: Sink) -> None:
        """A node as a generator function of its own, and a loop over what it gives."""
        located = here.origin is not None
        self.loop_over(self.generator(node, here, located=located), here, sink)

    def generator(self, node: syntax.Node, here: Place, *, located: bool) -> str:
        """A call of the generator function for a node; with `located` it gives values with origins."""
        names = core.free_names(node)
        name = self.unit.helper(
            node, located=located, build=lambda name: Builder(self.unit, located).helper(name, node, names)
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

    def closure(self, node: syntax.Node, here: Place) -> str:
        """A function of a value (and its origin, if closures give origins) that gives a node's outputs."""
        if isinstance(node, core.Parameter):
            return node.name
        located = self.unit.paired
        names = core.free_names(node)
        name = self.unit.helper(
            node, located=located, build=lambda name: Builder(self.unit, located).helper(name, node, names)
        )
        given = [*(["v", "p"] if located else ["v"]), self.budget()]
        given += self.named(names, located=located)
        return f"(lambda {'v, p' if located else 'v'}: {name}({', '.join(given)}))"

    def parameter(self, node: core.Parameter, here: Place, sink: Sink) -> None:
        if not self.unit.paired:
            self.loop_over(f"{node.name}({here.value})", here, sink)
        elif here.origin is None:
            self.loop_over(f"{node.name}({here.value}, {self.unit.use('UNTRACKED')})", here, sink, pairs=True)
        else:
            self.loop_over(f"{node.name}({here.value}, {self.origin(here.origin)})", here, sink)

    def invoke(self, node: core.Invoke, here: Place, sink: Sink) -> None:
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
                    given.append(self.closure(arg, here))
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
        unit = self.unit
        return unit.helper(
            function.body, located=located, build=lambda name: Builder(unit, located, function).define(name)
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

    # Bindings

    def bind_name(self, name: str, place: Place) -> None:
        self.line(f"{name} = {place.value}")
        if self.located:
            self.line(f"{name}p = {self.origin(place.origin)}")

    def destructure(
        self, pattern: syntax.Pattern, place: Place, here: Place, go_on: Callable[[], None]
    ) -> None:
        """Bind the names of a pattern, once for each combination of its computed keys."""
        match pattern:
            case syntax.VariablePattern(name=name):
                self.bind_name(name, place)
                go_on()
            case syntax.ArrayPattern(items=items):
                self.array_pattern(items, 0, place, here, go_on)
            case syntax.ObjectPattern(entries=entries):
                self.object_pattern(entries, place, here, go_on)

    def array_pattern(
        self,
        items: tuple[syntax.Pattern, ...],
        number: int,
        place: Place,
        here: Place,
        go_on: Callable[[], None],
    ) -> None:
        if number == len(items):
            go_on()
            return
        key = self.constant(number)
        found = self.temp(f"{self.unit.use('element')}({place.value}, {key})")
        inner = self.stepped(place, found, key, plain=True)
        self.destructure(
            items[number], inner, here, lambda: self.array_pattern(items, number + 1, place, here, go_on)
        )

    def object_pattern(
        self,
        entries: tuple[tuple[syntax.Node, str | None, syntax.Pattern | None], ...],
        place: Place,
        here: Place,
        go_on: Callable[[], None],
    ) -> None:
        if not entries:
            go_on()
            return
        (key_node, name, below), rest = entries[0], entries[1:]

        def with_key(key: str) -> None:
            found = self.temp(f"{self.unit.use('member')}({place.value}, {key})")
            inner = self.stepped(place, found, key, plain=True)
            if name is not None:
                self.bind_name(name, inner)
            if below is None:
                self.object_pattern(rest, place, here, go_on)
            else:
                self.destructure(below, inner, here, lambda: self.object_pattern(rest, place, here, go_on))

        if single(key_node):
            with_key(self.value(key_node, here))
        else:
            self.each(key_node, Place(here.value), Sink(lambda found: with_key(found.value)))

    def one_bind(self, node: syntax.Bind, here: Place) -> Place:
        found: list[Place] = []
        source = self.one(node.source, self.inner(here))
        self.destructure(node.patterns[0], source, here, lambda: found.append(self.one(node.body, here)))
        return found[0]

    def each_bind(self, node: syntax.Bind, here: Place, sink: Sink) -> None:
        if len(node.patterns) > 1:
            self.each_alternative_pattern(node.source, node.patterns, node.body, here, sink)
            return
        tail = sink if single(node.source) and _plain_keys(node.patterns[0]) else sink._replace(tail=False)
        self.each(
            node.source,
            self.inner(here),
            Sink(
                lambda place: self.destructure(
                    node.patterns[0], place, here, lambda: self.each(node.body, here, tail)
                )
            ),
        )

    def each_alternative_pattern(
        self,
        source: syntax.Node,
        patterns: tuple[syntax.Pattern, ...],
        body: syntax.Node,
        here: Place,
        sink: Sink,
    ) -> None:
        """`?//`: on an error in a pattern or in the body, the next pattern; only the last one's error counts."""
        if not sink.cheap:
            whole = syntax.Bind(source=source, patterns=patterns, body=body, span=source.span)
            self.apart(whole, here, sink)
            return
        self.each(
            source,
            self.inner(here),
            Sink(
                lambda place: self.pattern_ways(
                    patterns, place, here, lambda: self.each(body, here, sink._replace(tail=False))
                )
            ),
        )

    def pattern_ways(
        self, patterns: tuple[syntax.Pattern, ...], place: Place, here: Place, go_on: Callable[[], None]
    ) -> None:
        names = sorted({name for pattern in patterns for name in _pattern_names(pattern)})
        failed = self.temp("True")
        for pattern in patterns[:-1]:
            self.open(f"if {failed}:")
            self.reset(names, place)
            self.line(f"{failed} = False")
            self.open("try:")
            self.loops += 1
            self.destructure(pattern, place, here, go_on)
            self.loops -= 1
            self.close()
            self.open(f"except {self.unit.use('PathRuntimeError')}:")
            self.line(f"{failed} = True")
            self.close()
            self.close()
        self.open(f"if {failed}:")
        self.reset(names, place)
        self.destructure(patterns[-1], place, here, go_on)
        self.close()

    def reset(self, names: list[str], place: Place) -> None:
        for name in names:
            self.bind_name(name, Place("None", place.origin))

    # Folds

    def fold_source(
        self,
        node: syntax.Reduce | syntax.Foreach,
        here: Place,
        go_on: Callable[[], None],
    ) -> None:
        """Loop over the source of a fold with its pattern bound."""
        inner = self.inner(here)

        def bound(place: Place) -> None:
            if len(node.patterns) == 1:
                self.destructure(node.patterns[0], place, here, go_on)
            else:
                self.pattern_ways(node.patterns, place, here, go_on)

        self.each(node.source, inner, Sink(bound))

    def reduce(self, node: syntax.Reduce, initial: Place, here: Place) -> Place:
        """The last state. An update without outputs leaves the state as it was, as in gojq."""
        state = self.meeting(here)
        self.meet(state, initial)

        def update() -> None:
            before = state
            if not single(node.update):
                before = self.meeting(here)
                self.meet(before, state)
            self.each(node.update, before, Sink(lambda place: self.meet(state, place)))

        self.fold_source(node, here, update)
        return state

    def each_foreach(self, node: syntax.Foreach, here: Place, sink: Sink) -> None:
        give = sink._replace(tail=False)

        def from_initial(initial: Place) -> None:
            state = self.meeting(here)
            self.meet(state, initial)

            def update() -> None:
                before = state
                if not single(node.update):
                    before = self.meeting(here)
                    self.meet(before, state)
                self.each(node.update, before, Sink(extract))

            def extract(place: Place) -> None:
                self.meet(state, place)
                if node.extract is None:
                    give.give(Place(self.temp(state.value), self.kept(state.origin)))
                else:
                    self.each(node.extract, Place(self.temp(state.value), self.kept(state.origin)), give)

            self.fold_source(node, here, update)

        self.each(node.initial, here, Sink(from_initial))

    def kept(self, origin: str | Static | None) -> str | Static | None:
        return self.temp(origin) if isinstance(origin, str) else origin

    # Labels

    def each_label(self, node: syntax.Label, here: Place, sink: Sink) -> None:
        if not sink.cheap:
            self.apart(node, here, sink)
            return
        self.line(f"{node.name} = {self.unit.use('Label')}()")
        self.open("try:")
        self.loops += 1
        self.each(node.body, here, sink._replace(tail=False))
        self.loops -= 1
        self.close()
        self.open(f"except {self.unit.use('Break')} as error:")
        self.line(f"if error.label is not {node.name}: raise")
        self.close()

    def each_break(self, node: syntax.Break) -> None:
        self.line(f"raise {self.unit.use('Break')}({node.name})")


class Builder:
    """Writes whole functions: generators for nodes and for definitions."""

    def __init__(self, unit: Unit, located: bool, function: core.Definition | None = None) -> None:
        from workload_map.path.compiler.forms import Forms  # noqa: PLC0415 - forms builds on this module

        self.writer = Forms(unit, located=located, function=function)

    def helper(self, name: str, node: syntax.Node, names: frozenset[str]) -> None:
        """A generator function for a node."""
        writer, located = self.writer, self.writer.located
        params = ["v", *(["p"] if located else []), "budget", *writer.parameters(names, located=located)]
        writer.open(f"def {name}({', '.join(params)}):")
        writer.mark = Mark(node.span, Place("v", "p" if located else None))
        writer.charge()
        self.body(node, tail=False)

    def define(self, name: str) -> None:
        """A generator function for a definition."""
        writer, function, located = self.writer, self.writer.function, self.writer.located
        assert function is not None
        params = ["v", *(["p"] if located else []), "budget"]
        for param in function.params:
            params += [param, param + "p"] if param[0] == "x" and located else [param]
        params += writer.parameters(function.free, located=located)
        writer.open(f"def {name}({', '.join(params)}):")
        writer.mark = Mark(function.body.span, Place("v", "p" if located else None))
        if not function.recursive:
            writer.charge()
            self.body(function.body, tail=False)
            return
        writer.line("budget.nesting -= 1")
        writer.line(f"if budget.nesting < 0: {writer.unit.use('spent')}(budget)")
        writer.open("try:")
        writer.open("while True:", loop=True)
        self.body(function.body, tail=True)
        writer.line("return")
        writer.close(loop=True)
        writer.close()
        writer.open("finally:")
        writer.line("budget.nesting += 1")
        writer.close()
        writer.close()
        writer.commit()

    def body(self, node: syntax.Node, *, tail: bool) -> None:
        writer, located = self.writer, self.writer.located

        def give(place: Place) -> None:
            given = f"{place.value}, {writer.origin(place.origin)}" if located else place.value
            writer.line(f"yield {given}")

        start = len(writer.lines)
        writer.each(node, Place("v", "p" if located else None), Sink(give, cheap=True, tail=tail))
        if not any(line.lstrip().startswith("yield") for line in writer.lines[start:]):
            writer.line("yield from ()")
        if not tail:
            writer.close()
            writer.commit()


def _plain_keys(pattern: syntax.Pattern) -> bool:
    return isinstance(pattern, syntax.VariablePattern)


def _pattern_names(pattern: syntax.Pattern) -> list[str]:
    match pattern:
        case syntax.VariablePattern(name=name):
            return [name]
        case syntax.ArrayPattern(items=items):
            return [name for item in items for name in _pattern_names(item)]
        case syntax.ObjectPattern(entries=entries):
            found = [name for _, name, _ in entries if name is not None]
            return found + [name for _, _, below in entries if below for name in _pattern_names(below)]
    return []
