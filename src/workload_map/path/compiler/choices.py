"""Nodes that take one of several ways.

`//`, `if`, `try`. Where both give one output, they meet in one name.
"""

from __future__ import annotations

from workload_map.path import core, syntax
from workload_map.path.compiler.emitter import Emitter
from workload_map.path.compiler.shape import single
from workload_map.path.compiler.unit import Place, Static
from workload_map.path.compiler.writer import CAUGHT, Sink
from workload_map.path.unknown import UNKNOWN


class Choices(Emitter):
    """Alternatives, conditions and errors."""

    def meet(self, result: Place, way: Place) -> None:
        """Let one way end in the name where all meet."""
        self.line(f"{result.value} = {way.value}")
        if result.origin is not None:
            self.line(f"{result.origin} = {self.origin(way.origin)}")

    def meeting(self, here: Place) -> Place:
        """A name for a value (and its origin) that several ways lead to."""
        return Place(self.unit.fresh("t"), None if here.origin is None else self.unit.fresh("p"))

    def alternative(self, node: syntax.Alternative, here: Place) -> Place:
        """`left // right` where both give one output."""
        result = self.meeting(here)
        self.meet(result, self.one(node.left, here))
        self.open(f"if {result.value} is None or {result.value} is False:")
        self.meet(result, self.one(node.right, here))
        self.close()
        return result

    def each_alternative(self, node: syntax.Alternative, here: Place, sink: Sink) -> None:
        """`left // right`: all true outputs of the left, or those of the right if there is none."""
        if not sink.cheap:
            self.apart(node, here, sink)
            return
        found = self.temp("False")

        def give(place: Place) -> None:
            self.open(f"if {place.value} is not None and {place.value} is not False:")
            self.line(f"{found} = True")
            sink.give(place)
            self.close()

        self.each(node.left, here, Sink(give))
        self.open(f"if not {found}:")
        self.each(node.right, here, sink)
        self.close()

    def choice(self, node: syntax.If, here: Place) -> Place:
        """`if` where conditions and branches give one output each."""
        result = self.meeting(here)
        depth = 0
        for test, then in node.branches:
            self.open(f"if {self.condition(test, here)}:")
            self.meet(result, self.one(then, here))
            self.close()
            self.open("else:")
            depth += 1
        self.meet(result, here if node.otherwise is None else self.one(node.otherwise, here))
        for _ in range(depth):
            self.close()
        return result

    def each_if(self, node: syntax.If, here: Place, sink: Sink) -> None:
        """`if` with any number of outputs."""
        otherwise = node.otherwise or syntax.Identity(span=node.span)
        ways = [then for _, then in node.branches] + [otherwise]
        giving = [way for way in ways if not _gives_nothing(way)]
        if len(giving) > 1 and not sink.cheap:
            self.apart(node, here, sink)
        else:
            self.branches(node.branches, otherwise, here, sink)

    def branches(
        self,
        branches: tuple[tuple[syntax.Node, syntax.Node], ...],
        otherwise: syntax.Node,
        here: Place,
        sink: Sink,
    ) -> None:
        """The branches from one on, each in the `else` of the one before."""
        if not branches:
            self.each(otherwise, here, sink)
            return
        (test, then), rest = branches[0], branches[1:]

        def decide(condition: str, sink: Sink) -> None:
            self.open(f"if {condition}:")
            self.each(then, here, sink)
            self.close()
            if rest or not _gives_nothing(otherwise):
                self.open("else:")
                self.branches(rest, otherwise, here, sink)
                self.close()

        if single(test):
            decide(self.condition(test, here), sink)
            return

        def each_test(place: Place) -> None:
            decide(f"{place.value} is not None and {place.value} is not False", sink._replace(tail=False))

        self.each(test, self.unasked(here), Sink(each_test))

    def attempt(self, node: syntax.Try, here: Place) -> Place:
        """`try` where body and handler give one output each."""
        handler = node.handler or node.body
        result, fault = self.meeting(here), self.temp("None")
        self.open("try:")
        self.loops += 1
        self.meet(result, self.one(node.body, here))
        self.loops -= 1
        self.close()
        self.caught(fault)
        self.open(f"if {fault} is not None:")
        self.meet(result, self.one(handler, self.computed(self.temp(f"{fault}.value"), here)))
        self.close()
        return result

    def caught(self, fault: str) -> None:
        """The end of a `try` that keeps the error."""
        self.open(f"except {self.unit.use('PathRuntimeError')} as error:")
        self.line(f"{fault} = error")
        self.costs(weight=CAUGHT)
        self.close()

    def each_try(self, node: syntax.Try, here: Place, sink: Sink) -> None:
        """`try` with any number of outputs."""
        if node.handler is None and single(node.body):
            self.open("try:")
            self.loops += 1
            found = self.one(node.body, here)
            self.close()
            self.open(f"except {self.unit.use('PathRuntimeError')}:")
            self.costs(weight=CAUGHT)
            self.close()
            self.open("else:")
            sink.give(found)
            self.loops -= 1
            self.close()
            return
        if not sink.cheap:
            self.apart(node, here, sink)
            return
        fault = self.temp("None")
        self.open("try:")
        self.loops += 1
        self.each(node.body, here, sink._replace(tail=False))
        self.loops -= 1
        self.close()
        self.caught(fault)
        if node.handler is not None:
            self.open(f"if {fault} is not None:")
            self.each(
                node.handler, self.computed(self.temp(f"{fault}.value"), here), sink._replace(tail=False)
            )
            self.close()

    def each_known(self, node: core.Form, here: Place, sink: Sink) -> None:
        """What the argument gives, and the mark of what is not known where it comes to read such a thing."""
        if not sink.cheap:
            self.apart(node, here, sink)
            return
        known = self.temp("True")
        self.open("try:")
        self.loops += 1
        self.each(node.args[0], here, sink)
        self.loops -= 1
        self.close()
        self.open(f"except {self.unit.use('PathUnknownError')}:")
        self.line(f"{known} = False")
        self.close()
        self.open(f"if not {known}:")
        sink.give(self.computed(self.constant(UNKNOWN), here))
        self.close()

    def kept(self, origin: str | Static | None) -> str | Static | None:
        """An origin under a name of its own, since that of a state changes."""
        return self.temp(origin) if isinstance(origin, str) else origin


def _gives_nothing(node: syntax.Node) -> bool:
    return isinstance(node, core.Form) and node.name == "empty/0"
