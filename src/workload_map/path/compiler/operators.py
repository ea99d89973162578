"""Arithmetic, comparisons, `and` and `or`, negation, string interpolation."""

from __future__ import annotations

from workload_map.path import syntax
from workload_map.path.compiler.emitter import Emitter
from workload_map.path.compiler.shape import is_match
from workload_map.path.compiler.unit import Place
from workload_map.path.compiler.writer import Sink

_ARITHMETIC = {"+": "add", "-": "subtract", "*": "multiply", "/": "divide", "%": "modulo"}


class Operators(Emitter):
    """Operator nodes."""

    def operator(self, node: syntax.Node, here: Place) -> str:
        """The value of an operator whose operands give one output each."""
        match node:
            case syntax.Logic():
                return self.logic(node, here)
            case syntax.Text(parts=parts):
                return self.text(
                    node, [self.value(part, here) for part in parts if not isinstance(part, str)]
                )
            case syntax.Negate(body=body):
                operand = self.one(body, self.unasked(here))
                self.mark = self.mark._replace(here=operand)
                return self.temp(f"{self.unit.use('negate')}({operand.value})")
            case syntax.Binary() if is_match(node):
                return self.temp(self.matches(node, self.value(node.left, here)))
            case syntax.Binary():
                right = self.one(node.right, self.unasked(here))
                left = self.one(node.left, self.unasked(here))
                if isinstance(node.left, syntax.Access):  # what was read is where a mistake is looked for
                    self.mark = self.mark._replace(here=left)
                elif isinstance(node.right, syntax.Access):
                    self.mark = self.mark._replace(here=right)
                return self.temp(self.binary(node.operator, left.value, right.value))
        raise AssertionError(type(node))

    def matches(self, node: syntax.Binary, left: str) -> str:
        """A comparison with a constant; Python's own where it means the same."""
        literal = node.right.value if isinstance(node.right, syntax.Literal) else None
        right = self.constant(literal)
        if literal is None or literal is True or literal is False:
            test = f"{left} is {right}"
        elif type(literal) is str or (type(literal) is int and 1 < abs(literal) < 1 << 53):
            test = f"{left} == {right}"
        else:
            test = f"{self.unit.use('same')}({left}, {right}, {self.budget()})"
        return test if node.operator == "==" else f"not {test}"

    def binary(self, operator: str, left: str, right: str) -> str:
        """A binary operator on two values, in line where both are of the usual type."""
        budget = self.budget()
        if operator in _ARITHMETIC:
            return f"{self.unit.use(_ARITHMETIC[operator])}({left}, {right}, {budget})"
        if operator in ("==", "!="):
            return f"{'not ' * (operator == '!=')}{self.unit.use('same')}({left}, {right}, {budget})"
        if operator in (">", ">="):
            left, right = right, left
        whole = (
            f"{self.unit.use('type')}({left}) is {self.unit.use('type')}({right}) is {self.unit.use('int')}"
        )
        sign, helper = ("<", "less") if operator in ("<", ">") else ("<=", "at_most")
        return f"{left} {sign} {right} if {whole} else {self.unit.use(helper)}({left}, {right}, {budget})"

    def text(self, node: syntax.Text, values: list[str]) -> str:
        """An interpolated string."""
        given = iter(values)
        form, budget = self.constant(node.format), self.budget()
        pieces = [
            self.constant(part)
            if isinstance(part, str)
            else f"{self.unit.use('formatted')}({next(given)}, {form}, {budget})"
            for part in node.parts
        ]
        return self.temp(f"{self.unit.use('concatenated')}(({', '.join(pieces)},), {budget})")

    def logic(self, node: syntax.Logic, here: Place) -> str:
        """`and` and `or`: the right side runs only where it decides."""
        found = self.unit.fresh("t")
        self.line(f"{found} = {self.condition(node.left, here)}")
        self.open(f"if {'not ' * (node.operator == 'or')}{found}:")
        self.line(f"{found} = {self.condition(node.right, here)}")
        self.close()
        return found

    def each_operator(self, node: syntax.Node, here: Place, sink: Sink) -> None:
        """Operators whose operands may give several outputs."""
        match node:
            case syntax.Negate(body=body):
                negate = self.unit.use("negate")
                give = Sink(
                    lambda place: sink.give(self.computed(self.temp(f"{negate}({place.value})"), here))
                )
                self.each(body, self.unasked(here), give)
            case syntax.Binary(operator=operator, left=left, right=right):
                self.values(
                    [right, left],
                    here,
                    lambda pair: sink.give(
                        self.computed(self.temp(self.binary(operator, pair[1], pair[0])), here)
                    ),
                )
            case syntax.Text(parts=parts):
                nodes = [part for part in parts if not isinstance(part, str)]
                self.values(
                    nodes[::-1],
                    here,
                    lambda values: sink.give(self.computed(self.text(node, values[::-1]), here)),
                )

    def each_logic(self, node: syntax.Logic, here: Place, sink: Sink) -> None:
        """The left side outermost; the right side only for those outputs of the left that leave it open."""
        if not sink.cheap:
            self.apart(node, here, sink)
            return
        decided = "True" if node.operator == "or" else "False"

        def right(place: Place) -> None:
            value = place.value
            self.line(f"{value} = {value} is not None and {value} is not False")
            sink.give(self.computed(value, here))

        def left(place: Place) -> None:
            false = f"{place.value} is None or {place.value} is False"
            self.open(f"if not ({false}):" if decided == "True" else f"if {false}:")
            sink.give(self.computed(decided, here))
            self.close()
            self.open("else:")
            self.each(
                node.right, self.unasked(here), Sink(lambda place: right(Place(self.temp(place.value))))
            )
            self.close()

        self.each(node.left, self.unasked(here), Sink(left))
