"""Nodes that bind names: `as`, `reduce`, `foreach`, `label`."""

from __future__ import annotations

from collections.abc import Callable

from workload_map.path import syntax
from workload_map.path.compiler.choices import Choices
from workload_map.path.compiler.shape import accumulates, single
from workload_map.path.compiler.unit import Place
from workload_map.path.compiler.writer import CAUGHT, Sink


class Bindings(Choices):
    """Bindings, folds and labels."""

    def bind_name(self, name: str, place: Place) -> None:
        """Give a name its value; in located functions its origin too."""
        self.line(f"{name} = {place.value}")
        if self.located:
            self.line(f"{name}p = {self.origin(place.origin)}")

    def destructure(
        self, pattern: syntax.Pattern, place: Place, here: Place, go_on: Callable[[], None]
    ) -> None:
        """Bind the names of a pattern, once for each combination of its computed keys."""
        before, self.mark = self.mark, self.mark._replace(here=place)

        def behind() -> None:
            self.mark = before
            go_on()

        match pattern:
            case syntax.VariablePattern(name=name):
                self.bind_name(name, place)
                behind()
            case syntax.ArrayPattern(items=items):
                self.array_pattern(items, 0, place, here, behind)
            case syntax.ObjectPattern(entries=entries):
                self.object_pattern(entries, place, here, behind)
        self.mark = before

    def array_pattern(
        self,
        items: tuple[syntax.Pattern, ...],
        number: int,
        place: Place,
        here: Place,
        go_on: Callable[[], None],
    ) -> None:
        """The items of an array pattern from one on."""
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
        """The entries of an object pattern."""
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
            self.each(key_node, self.unasked(here), Sink(lambda found: with_key(found.value)))

    def one_bind(self, node: syntax.Bind, here: Place) -> Place:
        """A binding with one output."""
        found: list[Place] = []
        source = self.one(node.source, self.inner(here))
        self.destructure(node.patterns[0], source, here, lambda: found.append(self.one(node.body, here)))
        return found[0]

    def each_bind(self, node: syntax.Bind, here: Place, sink: Sink) -> None:
        """A binding with any number of outputs."""
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
        """`?//`: on an error in a pattern or in the body, the next pattern.

        Only the last one's error counts.
        """
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
        """Try one pattern after the other; all names are null at the beginning of each."""
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
            self.open(f"except {self.unit.use('PATTERN_FAULTS')}:")
            self.costs(weight=CAUGHT)
            self.line(f"{failed} = True")
            self.close()
            self.close()
        self.open(f"if {failed}:")
        self.reset(names, place)
        self.destructure(patterns[-1], place, here, go_on)
        self.close()

    def reset(self, names: list[str], place: Place) -> None:
        """Make names null."""
        for name in names:
            self.bind_name(name, Place("None", place.origin))

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
        gathers = accumulates(node.update)
        editor = self.temp(f"{self.unit.use('Editor')}({self.budget()})") if gathers else ""

        def update() -> None:
            if gathers:
                self.meet(state, self.accumulate(node.update, state, editor))
                return
            before = state
            if not single(node.update):
                before = self.meeting(here)
                self.meet(before, state)
            self.each(node.update, before, Sink(lambda place: self.meet(state, place)))

        self.fold_source(node, here, update)
        return state

    def each_foreach(self, node: syntax.Foreach, here: Place, sink: Sink) -> None:
        """`foreach`: each output of the update is the next state."""
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

    def each_label(self, node: syntax.Label, here: Place, sink: Sink) -> None:
        """`label`: a `break` out of the body ends it."""
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
        self.costs(weight=CAUGHT)
        self.line(f"if error.label is not {node.name}: raise")
        self.close()

    def each_break(self, node: syntax.Break) -> None:
        """`break`."""
        self.line(f"raise {self.unit.use('Break')}({node.name})")


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
