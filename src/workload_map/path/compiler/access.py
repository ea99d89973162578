"""Steps into values: fields, indexes, slices, iteration, with and without `?`."""

from __future__ import annotations

from collections.abc import Callable

from workload_map.path import syntax
from workload_map.path.compiler.emitter import Emitter
from workload_map.path.compiler.shape import single
from workload_map.path.compiler.unit import Mark, Place, Static
from workload_map.path.compiler.writer import CAUGHT, MAX_LOOPS, Sink


class Access(Emitter):
    """Access nodes."""

    def step(self, step: syntax.Step, place: Place, here: Place) -> Place:
        """A step that gives one output."""
        before, self.mark = self.mark, Mark(step.span, place)
        value = place.value
        match step:
            case syntax.Field(key=str()):
                key = self.constant(step.key)
                test = f"{value}.get({key}) if {self.unit.use('type')}({value}) is {self.unit.use('dict')}"
                found = self.temp(f"{test} else {self.unit.use('field')}({value}, {key})")
                result = self.stepped(place, found, key, plain=True)
            case syntax.Field():
                key = self.constant(step.key)
                found = self.temp(f"{self.unit.use('item')}({value}, {key})")
                result = self.stepped(place, found, key, plain=step.key >= 0)
            case syntax.Index():
                result = self.indexed(place, self.value(step.key, here))
            case syntax.Slice():
                low = "None" if step.low is None else self.value(step.low, here)
                high = "None" if step.high is None else self.value(step.high, here)
                result = self.sliced(place, low, high)
            case _:
                raise AssertionError(type(step))
        self.mark = before
        return result

    def indexed(self, place: Place, key: str) -> Place:
        """The value under a computed key."""
        found = self.temp(f"{self.unit.use('index')}({place.value}, {key}, {self.budget()})")
        return self.stepped(place, found, key, plain=False)

    def sliced(self, place: Place, low: str, high: str) -> Place:
        """A slice between two ends."""
        found = self.temp(f"{self.unit.use('cut')}({place.value}, {low}, {high}, {self.budget()})")
        if place.origin is None:
            return Place(found)
        return Place(
            found,
            self.temp(f"{self.origin(place.origin)}.cut({place.value}, {low}, {high}, {self.budget()})"),
        )

    def each_access(self, node: syntax.Access, here: Place, sink: Sink) -> None:
        """Steps with several outputs.

        Computed keys first, the last outermost, then what they are taken from.
        """
        many: list[syntax.Node] = []
        evaluated: list[syntax.Node] = []
        for step in reversed(node.steps):
            ends = [step.key] if isinstance(step, syntax.Index) else []
            if isinstance(step, syntax.Slice):
                ends = [end for end in (step.low, step.high) if end is not None]
            if not all(map(single, ends)):
                many += ends
                evaluated += [_guarded(end) for end in ends] if step.optional else ends

        def from_head(keys: list[str]) -> None:
            known = dict(zip(map(id, many), keys, strict=True))
            self.each(
                node.head, here, Sink(lambda place: self.each_step(node.steps, place, here, known, sink))
            )

        self.values(evaluated, here, from_head)

    def each_step(
        self, steps: tuple[syntax.Step, ...], place: Place, here: Place, known: dict[int, str], sink: Sink
    ) -> None:
        """The steps from one place on; `known` are the keys with several outputs, evaluated around."""
        if not steps:
            sink.give(place)
            return
        if self.loops >= MAX_LOOPS and not any(
            isinstance(step, syntax.Index | syntax.Slice) for step in steps
        ):
            # Only without computed keys, which look at `here`; the resolver refuses the others.
            identity = syntax.Identity(span=steps[0].span)
            self.apart(syntax.Access(head=identity, steps=steps, span=steps[0].span), place, sink)
            return
        step, rest = steps[0], steps[1:]
        before, self.mark = self.mark, Mark(step.span, place)

        def go_on(found: Place) -> None:
            self.each_step(rest, found, here, known, sink)

        match step:
            case syntax.Iterate():
                self.each_element(place, go_on, optional=step.optional)
            case syntax.Field(optional=True, key=str()):
                self.optional_field(place, step.key, go_on)
            case syntax.Field(optional=False):
                go_on(self.step(step, place, here))
            case _ if step.optional:
                self.optional_step(step, place, here, known, go_on)
            case _:
                go_on(self.keyed(step, place, here, known))
        self.mark = before

    def keyed(self, step: syntax.Step, place: Place, here: Place, known: dict[int, str]) -> Place:
        """A step with computed keys, some of which are evaluated already."""

        def key_of(node: syntax.Node | None) -> str:
            if node is None:
                return "None"
            return known[id(node)] if id(node) in known else self.value(node, here)

        match step:
            case syntax.Index(key=key):
                return self.indexed(place, key_of(key))
            case syntax.Slice(low=low, high=high):
                return self.sliced(place, key_of(low), key_of(high))
        return self.step(step, place, here)

    def optional_field(self, place: Place, key: str, go_on: Callable[[Place], None]) -> None:
        """`.name?`: a test of the type instead of an error to catch."""
        value, name = place.value, self.constant(key)
        kinds = f"({self.unit.use('dict')}, {self.unit.use('NoneType')})"
        at_a_path = f" and not {place.origin}.invalid" if isinstance(place.origin, str) else ""
        self.open(f"if {self.unit.use('isinstance')}({value}, {kinds}){at_a_path}:")
        found = self.temp(f"None if {value} is None else {value}.get({name})")
        go_on(self.stepped(place, found, name, plain=True))
        self.close()

    def optional_step(
        self,
        step: syntax.Step,
        place: Place,
        here: Place,
        known: dict[int, str],
        go_on: Callable[[Place], None],
    ) -> None:
        """A computed step with `?`: its error, and that of its key, gives no output."""
        self.open("try:")
        found = self.keyed(step, place, here, known)
        self.close()
        self.open(f"except {self.unit.use('PathRuntimeError')}:")
        self.costs(weight=CAUGHT)
        self.close()
        self.open("else:")
        self.loops += 1
        go_on(found)
        self.loops -= 1
        self.close()

    def each_element(self, place: Place, go_on: Callable[[Place], None], *, optional: bool) -> None:
        """`[]`: a loop over the elements; with their keys where locations are wanted."""
        kind = "_optional" if optional else "_lenient" if self.unit.lenient else ""
        value, origin = place.value, place.origin
        test = f"if {self.unit.use('type')}({value}) is {self.unit.use('list')}"
        element = self.unit.fresh("t")
        given = f"{value}, {self.budget()}" if self.unit.counted else value
        if origin is None or (isinstance(origin, Static) and origin.opaque):
            helper = self.unit.use("iterate" + kind)
            self.open(f"for {element} in {value} {test} else {helper}({given}):", loop=True)
            go_on(Place(element, origin))
        else:
            key = self.unit.fresh("i")
            helper, pairs = self.unit.use("entries" + kind), self.unit.use("enumerate")
            source = f"{pairs}({value}) {test} else {helper}({given})"
            if isinstance(origin, str):  # no path leads into what was computed, even if it is empty
                origin = origin if origin.isidentifier() else self.temp(origin)
                if optional:
                    source = f"() if {origin}.invalid else {source}"
                else:
                    self.line(f"if {origin}.invalid: {self.unit.use('no_path_into')}({value})")
            self.open(f"for {key}, {element} in {source}:", loop=True)
            if isinstance(origin, Static):
                go_on(Place(element, Static((*origin.steps, key), len(origin.steps) + 1)))
            else:
                go_on(Place(element, self.temp(f"{origin}.each({key})")))
        self.close(loop=True)


def _guarded(key: syntax.Node) -> syntax.Node:
    """A computed key of an optional step: `?` is for its errors too."""
    return syntax.Try(body=key, handler=None, span=key.span)
