"""What all mixins of the compiler stand on: writing a node with one output, or with any number of them.

`one` writes what is needed and gives the place of the output. `each` writes loops around what the sink
writes. Two orders of jq show in all of them: operators evaluate their right side outermost, indexes before
what is indexed.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Self

from workload_map.path import core, syntax
from workload_map.path.compiler.shape import boolean, is_match, leaf, single
from workload_map.path.compiler.unit import Mark, Place, Unit
from workload_map.path.compiler.writer import MAX_LOOPS, MAX_OPERANDS, Sink, Writer


class Emitter(Writer, ABC):
    """The entry points, for any node.

    Attributes:
        function: The definition whose function is under way; None in others.
    """

    def __init__(self, unit: Unit, *, located: bool, function: core.Definition | None = None) -> None:
        super().__init__(unit, located=located)
        self.function = function

    def another(self, *, located: bool, function: core.Definition | None = None) -> Self:
        """A writer for another function of the module."""
        return type(self)(self.unit, located=located, function=function)

    def one(self, node: syntax.Node, here: Place) -> Place:
        """Write a node that gives one output; its place."""
        before, self.mark = self.mark, Mark(node.span, here)
        apart = self.deep() and not leaf(node)
        place = self.one_apart(node, here) if apart else self.one_node(node, here)
        self.mark = before
        return place

    def each(self, node: syntax.Node, here: Place, sink: Sink) -> None:
        """Write a node and, for each of its outputs, the sink.

        What the sink writes comes from whoever asked, not from this node.
        """
        before, mark = self.mark, Mark(node.span, here)

        def give(place: Place) -> None:
            inner, self.mark = self.mark, before
            sink.give(place)
            self.mark = inner

        self.mark = mark
        if single(node):
            give(self.one(node, here))
        elif self.loops >= MAX_LOOPS and not isinstance(node, core.Parameter | core.Invoke):
            self.apart(node, here, sink._replace(give=give))
        else:
            self.each_node(node, here, sink._replace(give=give))
        self.mark = before

    def value(self, node: syntax.Node, here: Place) -> str:
        """The value of a node that gives one output; nobody asks where it came from."""
        return self.one(node, self.unasked(here)).value

    def values(self, nodes: list[syntax.Node], here: Place, give: Callable[[list[str]], None]) -> None:
        """All combinations of the outputs of some nodes; the first node's loop is the outermost."""
        if not nodes:
            give([])
        elif sum(not single(node) for node in nodes) > MAX_OPERANDS:
            self.product(nodes, here, give)
        elif single(nodes[0]):
            first = self.value(nodes[0], here)
            self.values(nodes[1:], here, lambda rest: give([first, *rest]))
        else:
            rest_nodes = nodes[1:]
            self.each(
                nodes[0],
                self.unasked(here),
                Sink(lambda place: self.values(rest_nodes, here, lambda rest: give([place.value, *rest]))),
            )

    def product(self, nodes: list[syntax.Node], here: Place, give: Callable[[list[str]], None]) -> None:
        """`values` for many nodes.

        Their outputs are collected first, since loops can only be nested so deep.
        """
        bare = self.unasked(here)
        lists = [self.array(syntax.Array(body=node, span=node.span), bare).value for node in nodes]
        names = [self.unit.fresh("t") for _ in nodes]
        self.open(f"for {', '.join(names)}, in {self.unit.use('product')}({', '.join(lists)}):", loop=True)
        give(names)
        self.close(loop=True)

    def condition(self, node: syntax.Node, here: Place) -> str:
        """A Python condition that holds where the output of the node counts as true."""
        if isinstance(node, core.Form) and node.name == "not/0":
            return f"{here.value} is None or {here.value} is False"
        if isinstance(node, syntax.Binary) and is_match(node):
            return self.matches(node, self.value(node.left, here))
        value = self.value(node, here)
        return value if boolean(node) else f"{value} is not None and {value} is not False"

    # What other mixins give

    @abstractmethod
    def one_node(self, node: syntax.Node, here: Place) -> Place:
        """Write a node of any kind that gives one output; see `nodes`."""

    @abstractmethod
    def each_node(self, node: syntax.Node, here: Place, sink: Sink) -> None:
        """Write a node of any kind that may give several outputs; see `nodes`."""

    @abstractmethod
    def matches(self, node: syntax.Binary, left: str) -> str:
        """A comparison with a constant; see `operators`."""

    @abstractmethod
    def apart(self, node: syntax.Node, here: Place, sink: Sink) -> None:
        """Write a node as a function of its own and a loop over its outputs; see `calls`."""

    @abstractmethod
    def one_apart(self, node: syntax.Node, here: Place) -> Place:
        """Write a node with one output as a function of its own; see `calls`."""

    @abstractmethod
    def array(self, node: syntax.Array, here: Place) -> Place:
        """Collect the outputs of a node; see `constructors`."""

    @abstractmethod
    def accumulate(self, node: syntax.Node, state: Place, editor: str) -> Place:
        """Write the update of a fold that changes its state in place; see `forms`."""
