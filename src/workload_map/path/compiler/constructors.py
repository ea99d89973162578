"""Arrays and objects that are put together, and variables."""

from __future__ import annotations

from workload_map.path import syntax
from workload_map.path.compiler.emitter import Emitter
from workload_map.path.compiler.shape import single
from workload_map.path.compiler.unit import Place, Static
from workload_map.path.compiler.writer import MAX_OPERANDS, Sink

# What the budget's size is charged for what an expression puts together, about half of what Python takes.
ARRAY = 48
OBJECT = 80
ENTRY = 24
ORIGIN = 80


class Constructors(Emitter):
    """Constructors and variables."""

    def array(self, node: syntax.Array, here: Place) -> Place:
        """`[body]`: the outputs are collected."""
        found = self.temp("[]")
        self.costs(size=ARRAY)
        if node.body is None:
            return self.computed(found, here)
        if here.origin is None:
            self.each(
                node.body, here, Sink(lambda place: self.line(f"{found}.append({place.value})"), cheap=True)
            )
            return Place(found)
        parts = self.temp("[]")

        def give(place: Place) -> None:
            self.line(f"{found}.append({place.value}); {parts}.append({self.origin(place.origin)})")
            self.costs(size=ORIGIN)

        self.each(node.body, self.inner(here), Sink(give, cheap=True))
        return self.built(found, parts, here)

    def built(self, value: str, parts: str, here: Place) -> Place:
        """A structure that was put together, with the origins of its parts."""
        self.costs(size=ORIGIN)
        return Place(value, self.temp(f"{self.origin(here.origin)}.built({parts})"))

    def object(self, node: syntax.Object, here: Place) -> Place:
        """`{…}` where all keys and values give one output."""
        inner = self.inner(here)
        keys, places = [], []
        for key, value in node.entries:
            keys.append(self.key(key, here))
            places.append(self.one(value, inner))
        return self.put_together(keys, places, here)

    def key(self, node: syntax.Node, here: Place) -> str:
        """A key; checked to be a string unless that is known."""
        value = self.value(node, here)
        literal = isinstance(node, syntax.Literal | syntax.Text)
        return value if literal else self.temp(f"{self.unit.use('object_key')}({value})")

    def put_together(self, keys: list[str], places: list[Place], here: Place) -> Place:
        """An object of keys and values."""
        pairs = ", ".join(f"{key}: {place.value}" for key, place in zip(keys, places, strict=True))
        found = self.temp(f"{{{pairs}}}")
        self.costs(size=OBJECT + ENTRY * len(keys))
        if here.origin is None:
            return Place(found)
        self.costs(size=OBJECT + (ENTRY + ORIGIN) * len(keys))
        origins = (f"{key}: {self.origin(place.origin)}" for key, place in zip(keys, places, strict=True))
        return self.built(found, f"{{{', '.join(origins)}}}", here)

    def each_object(self, node: syntax.Object, here: Place, sink: Sink) -> None:
        """All combinations, the first entry outermost, a key around its value."""
        inner = self.inner(here)
        several = sum(not single(part) for entry in node.entries for part in entry)
        if several > MAX_OPERANDS:
            self.halved(node, here, sink)
            return

        def entry(number: int, keys: list[str], places: list[Place]) -> None:
            if number == len(node.entries):
                sink.give(self.put_together(keys, places, here))
                return
            key_node, value_node = node.entries[number]

            def with_key(key: str) -> None:
                self.each(
                    value_node, inner, Sink(lambda place: entry(number + 1, [*keys, key], [*places, place]))
                )

            if single(key_node):
                with_key(self.key(key_node, here))
            else:
                check = self.unit.use("object_key")
                self.each(
                    key_node,
                    self.unasked(here),
                    Sink(lambda place: with_key(self.temp(f"{check}({place.value})"))),
                )

        entry(0, [], [])

    def halved(self, node: syntax.Object, here: Place, sink: Sink) -> None:
        """An object with many entries of several outputs, as the sum of two.

        Loops can only be nested so deep.
        """
        half = len(node.entries) // 2
        left = syntax.Object(entries=node.entries[:half], span=node.span)
        right = syntax.Object(entries=node.entries[half:], span=node.span)
        add, budget = self.unit.use("add"), self.budget()

        def give(values: list[str]) -> None:
            sink.give(self.computed(self.temp(f"{add}({values[0]}, {values[1]}, {budget})"), here))

        self.values([left, right], here, give)

    def variable(self, node: syntax.Variable, here: Place) -> Place:
        """A variable, with the origin that it was bound with."""
        if here.origin is None:
            return Place(node.name)
        is_given = node.name in self.unit.program.variables
        if isinstance(here.origin, Static):
            # Within an element, what is read elsewhere stands for something of that element.
            return (
                self.computed(node.name, here)
                if is_given and here.origin.iterated
                else Place(node.name, node.name + "p")
            )
        if is_given:
            return Place(node.name, f"{here.origin}.given({node.name}p)")
        return Place(node.name, f"{here.origin}.variable({node.name}p)")
