"""Which code writes which kind of node, and pipes and commas."""

from __future__ import annotations

from workload_map.path import core, syntax
from workload_map.path.compiler.access import Access
from workload_map.path.compiler.bindings import Bindings
from workload_map.path.compiler.forms import Forms
from workload_map.path.compiler.operators import Operators
from workload_map.path.compiler.shape import single, steady
from workload_map.path.compiler.unit import Place
from workload_map.path.compiler.writer import MAX_LOOPS, Sink


class Nodes(Access, Operators, Bindings, Forms):
    """All nodes."""

    def one_node(self, node: syntax.Node, here: Place) -> Place:
        """A node that gives one output."""
        match node:
            case syntax.Identity():
                return here
            case syntax.Literal():
                return self.computed(self.constant(node.value), here)
            case syntax.Access():
                place = self.one(node.head, here)
                for step in node.steps:
                    place = self.step(step, place, here)
                return place
            case syntax.Pipe():
                for part in node.parts:
                    here = self.one(part, here)
                return here
            case syntax.Variable():
                return self.variable(node, here)
            case syntax.Binary() | syntax.Logic() | syntax.Negate() | syntax.Text():
                return self.computed(self.operator(node, here), here)
            case syntax.Alternative():
                return self.alternative(node, here)
            case syntax.If():
                return self.choice(node, here)
        return self.one_compound(node, here)

    def one_compound(self, node: syntax.Node, here: Place) -> Place:
        """A constructor, a `try` or a builtin that gives one output."""
        match node:
            case syntax.Array():
                return self.array(node, here)
            case syntax.Object():
                return self.object(node, here)
            case syntax.Try():
                return self.attempt(node, here)
        return self.one_builtin(node, here)

    def each_node(self, node: syntax.Node, here: Place, sink: Sink) -> None:
        """A node that may give several outputs."""
        match node:
            case syntax.Access():
                self.each_access(node, here, sink)
            case syntax.Pipe():
                self.each_pipe(node.parts, here, sink)
            case syntax.Comma():
                self.each_comma(node, here, sink)
            case syntax.If():
                self.each_if(node, here, sink)
            case syntax.Binary() | syntax.Negate() | syntax.Text():
                self.each_operator(node, here, sink)
            case syntax.Logic():
                self.each_logic(node, here, sink)
            case syntax.Alternative():
                self.each_alternative(node, here, sink)
            case syntax.Try():
                self.each_try(node, here, sink)
            case syntax.Object():
                self.each_object(node, here, sink)
            case _:
                self.each_builtin(node, here, sink)

    def each_pipe(self, parts: tuple[syntax.Node, ...], here: Place, sink: Sink) -> None:
        """Stages one inside of the loops of the other."""
        while len(parts) > 1 and single(parts[0]):
            here, parts = self.one(parts[0], here), parts[1:]
        first, rest = parts[0], parts[1:]
        if not rest:
            self.each(first, here, sink)
        elif self.loops >= MAX_LOOPS:
            self.apart(syntax.Pipe(parts=parts, span=first.span), here, sink)
        else:
            self.each(first, here, Sink(lambda place: self.each_pipe(rest, place, sink)))

    def each_comma(self, node: syntax.Comma, here: Place, sink: Sink) -> None:
        """The outputs of all parts, one part after the other."""
        if sink.cheap:
            for part in node.parts[:-1]:
                self.each(part, here, sink._replace(tail=False))
            self.each(node.parts[-1], here, sink)
        elif here.origin is None and all(map(steady, node.parts)):
            parts = ", ".join(self.value(part, here) for part in node.parts)
            element = self.unit.fresh("t")
            self.open(f"for {element} in ({parts}):", loop=True)
            sink.give(Place(element))
            self.close(loop=True)
        else:
            self.apart(node, here, sink)

    def one_builtin(self, node: syntax.Node, here: Place) -> Place:
        """A builtin, a binding or an update that gives one output."""
        match node:
            case core.Native():
                return self.native(node, [self.value(arg, here) for arg in node.args], here)
            case core.Form():
                return self.one_form(node, here)
            case syntax.Bind():
                return self.one_bind(node, here)
            case syntax.Reduce():
                return self.reduce(node, self.one(node.initial, here), here)
            case syntax.Update():
                value = "" if node.operator == "|=" else self.value(node.value, here)
                return self.updated(node, value, here)
        raise AssertionError(type(node))

    def each_builtin(self, node: syntax.Node, here: Place, sink: Sink) -> None:
        """A builtin, a binding or an update that may give several outputs."""
        match node:
            case core.Native():
                self.each_native(node, here, sink)
            case core.Form():
                self.each_form(node, here, sink)
            case core.Parameter():
                self.parameter(node, here, sink)
            case core.Invoke():
                self.invoke(node, here, sink)
            case syntax.Bind():
                self.each_bind(node, here, sink)
            case syntax.Reduce():
                self.each(node.initial, here, Sink(lambda place: sink.give(self.reduce(node, place, here))))
            case syntax.Foreach():
                self.each_foreach(node, here, sink)
            case syntax.Label():
                self.each_label(node, here, sink)
            case syntax.Break():
                self.each_break(node)
            case syntax.Update():
                self.each(
                    node.value,
                    self.unasked(here),
                    Sink(lambda place: sink.give(self.updated(node, place.value, here))),
                )
            case _:
                raise AssertionError(type(node))
