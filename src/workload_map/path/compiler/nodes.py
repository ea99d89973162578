"""Each kind of node as Python: `one` for nodes with exactly one output, `each` for all.

`one` writes what is needed and gives the place of the output. `each` writes loops around what the sink writes.
Two orders of jq show here: operators evaluate their right side outermost, indexes before what is indexed.
"""

from __future__ import annotations

from collections.abc import Callable

from workload_map.path import core, syntax
from workload_map.path.compiler.shape import boolean, single, steady
from workload_map.path.compiler.unit import Mark, Place, Static
from workload_map.path.compiler.writer import MAX_LOOPS, Sink, Writer

_ARITHMETIC = {"+": "add", "-": "subtract", "*": "multiply", "/": "divide", "%": "modulo"}


class Nodes(Writer):
    """The nodes without builtins and bindings (those are in `forms` and `binding`)."""

    # Entry points

    def one(self, node: syntax.Node, here: Place) -> Place:
        """Write a node that gives one output; its place."""
        before, self.mark = self.mark, Mark(node.span, here)
        place = self.one_node(node, here)
        self.mark = before
        return place

    def each(self, node: syntax.Node, here: Place, sink: Sink) -> None:
        """Write a node and, for each of its outputs, the sink."""
        before, self.mark = self.mark, Mark(node.span, here)
        if single(node):
            sink.give(self.one_node(node, here))
        elif self.loops >= MAX_LOOPS and not isinstance(node, core.Parameter | core.Invoke):
            self.apart(node, here, sink)
        else:
            self.each_node(node, here, sink)
        self.mark = before

    def value(self, node: syntax.Node, here: Place) -> str:
        """The value of a node that gives one output; nobody asks where it came from."""
        return self.one(node, Place(here.value)).value

    def values(self, nodes: list[syntax.Node], here: Place, give: Callable[[list[str]], None]) -> None:
        """All combinations of the outputs of some nodes; the first node's loop is the outermost."""
        if not nodes:
            give([])
        elif single(nodes[0]):
            first = self.value(nodes[0], here)
            self.values(nodes[1:], here, lambda rest: give([first, *rest]))
        else:
            rest_nodes = nodes[1:]
            self.each(
                nodes[0],
                Place(here.value),
                Sink(lambda place: self.values(rest_nodes, here, lambda rest: give([place.value, *rest]))),
            )

    def condition(self, node: syntax.Node, here: Place) -> str:
        """A Python condition that holds where the output of the node counts as true."""
        if isinstance(node, core.Form) and node.name == "not/0":
            return f"{here.value} is None or {here.value} is False"
        value = self.value(node, here)
        return value if boolean(node) else f"{value} is not None and {value} is not False"

    def one_node(self, node: syntax.Node, here: Place) -> Place:
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
            case syntax.Array():
                return self.array(node, here)
            case syntax.Object():
                return self.object(node, here)
            case syntax.Try():
                return self.attempt(node, here)
        return self.one_builtin(node, here)

    def each_node(self, node: syntax.Node, here: Place, sink: Sink) -> None:
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

    def one_builtin(self, node: syntax.Node, here: Place) -> Place:
        raise AssertionError(type(node))

    def each_builtin(self, node: syntax.Node, here: Place, sink: Sink) -> None:
        raise AssertionError(type(node))

    def apart(self, node: syntax.Node, here: Place, sink: Sink) -> None:
        raise AssertionError(type(node))

    # Access

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
        found = self.temp(f"{self.unit.use('index')}({place.value}, {key})")
        return self.stepped(place, found, key, plain=False)

    def sliced(self, place: Place, low: str, high: str) -> Place:
        found = self.temp(f"{self.unit.use('cut')}({place.value}, {low}, {high})")
        if place.origin is None:
            return Place(found)
        return Place(found, self.temp(f"{self.origin(place.origin)}.cut({place.value}, {low}, {high})"))

    def each_access(self, node: syntax.Access, here: Place, sink: Sink) -> None:
        """Steps with several outputs: computed keys first, the last outermost, then what they are taken from."""
        many: list[syntax.Node] = []
        for step in reversed(node.steps):
            if isinstance(step, syntax.Index):
                many.append(step.key)
            elif isinstance(step, syntax.Slice):
                many.extend(end for end in (step.high, step.low) if end is not None)
        many = [key for key in many if not single(key)]

        def from_head(keys: list[str]) -> None:
            known = dict(zip(map(id, many), keys, strict=True))
            self.each(
                node.head, here, Sink(lambda place: self.each_step(node.steps, place, here, known, sink))
            )

        self.values(many, here, from_head)

    def each_step(
        self, steps: tuple[syntax.Step, ...], place: Place, here: Place, known: dict[int, str], sink: Sink
    ) -> None:
        """The steps from one place on; `known` are the keys with several outputs, evaluated around."""
        if not steps:
            sink.give(place)
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
        value, name = place.value, self.constant(key)
        kinds = f"({self.unit.use('dict')}, {self.unit.use('NoneType')})"
        self.open(f"if {self.unit.use('isinstance')}({value}, {kinds}):")
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
        self.open("try:")
        found = self.keyed(step, place, here, known)
        self.close()
        self.open(f"except {self.unit.use('PathRuntimeError')}:")
        self.close()
        self.open("else:")
        self.loops += 1
        go_on(found)
        self.loops -= 1
        self.close()

    def each_element(self, place: Place, go_on: Callable[[Place], None], *, optional: bool) -> None:
        kind = "_optional" if optional else "_lenient" if self.unit.lenient else ""
        value, origin = place.value, place.origin
        test = f"if {self.unit.use('type')}({value}) is {self.unit.use('list')}"
        element = self.unit.fresh("t")
        if origin is None or (isinstance(origin, Static) and origin.opaque):
            helper = self.unit.use("iterate" + kind)
            self.open(f"for {element} in {value} {test} else {helper}({value}):", loop=True)
            go_on(Place(element, origin))
        else:
            key = self.unit.fresh("i")
            helper, pairs = self.unit.use("entries" + kind), self.unit.use("enumerate")
            self.open(f"for {key}, {element} in {pairs}({value}) {test} else {helper}({value}):", loop=True)
            if isinstance(origin, Static):
                go_on(Place(element, Static((*origin.steps, key), len(origin.steps) + 1)))
            else:
                go_on(Place(element, self.temp(f"{origin}.each({key})")))
        self.close(loop=True)

    # Pipes and commas

    def each_pipe(self, parts: tuple[syntax.Node, ...], here: Place, sink: Sink) -> None:
        for number, part in enumerate(parts):
            rest = parts[number + 1 :]
            if not rest:
                self.each(part, here, sink)
            elif single(part):
                here = self.one(part, here)
            else:
                self.each(part, here, Sink(lambda place: self.each_pipe(rest, place, sink)))
                return

    def each_comma(self, node: syntax.Comma, here: Place, sink: Sink) -> None:
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

    # Operators

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
                return self.temp(f"{self.unit.use('negate')}({self.value(body, here)})")
            case syntax.Binary(operator="==" | "!=", right=syntax.Literal()):
                return self.temp(self.matches(node, self.value(node.left, here)))
            case syntax.Binary():
                right = self.value(node.right, here)
                return self.temp(self.binary(node.operator, self.value(node.left, here), right))
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
        self.line(f"{found} = {self.truth(node.left, here)}")
        self.open(f"if {'not ' * (node.operator == 'or')}{found}:")
        self.line(f"{found} = {self.truth(node.right, here)}")
        self.close()
        return found

    def truth(self, node: syntax.Node, here: Place) -> str:
        return self.condition(node, here)

    def each_operator(self, node: syntax.Node, here: Place, sink: Sink) -> None:
        match node:
            case syntax.Negate(body=body):
                negate = self.unit.use("negate")
                give = Sink(
                    lambda place: sink.give(self.computed(self.temp(f"{negate}({place.value})"), here))
                )
                self.each(body, Place(here.value), give)
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
            self.each(node.right, Place(here.value), Sink(lambda place: right(Place(self.temp(place.value)))))
            self.close()

        self.each(node.left, Place(here.value), Sink(left))

    # Choices. Where both ways lead to one output, they meet in one name.

    def meet(self, result: Place, way: Place) -> None:
        self.line(f"{result.value} = {way.value}")
        if result.origin is not None:
            self.line(f"{result.origin} = {self.origin(way.origin)}")

    def meeting(self, here: Place) -> Place:
        return Place(self.unit.fresh("t"), None if here.origin is None else self.unit.fresh("p"))

    def alternative(self, node: syntax.Alternative, here: Place) -> Place:
        result = self.meeting(here)
        self.meet(result, self.one(node.left, here))
        self.open(f"if {result.value} is None or {result.value} is False:")
        self.meet(result, self.one(node.right, here))
        self.close()
        return result

    def each_alternative(self, node: syntax.Alternative, here: Place, sink: Sink) -> None:
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

        self.each(test, Place(here.value), Sink(each_test))

    # Errors

    def attempt(self, node: syntax.Try, here: Place) -> Place:
        """`try` where body and handler give one output each."""
        assert node.handler is not None
        result, fault = self.meeting(here), self.temp("None")
        self.open("try:")
        self.loops += 1
        self.meet(result, self.one(node.body, here))
        self.loops -= 1
        self.close()
        self.caught(fault)
        self.open(f"if {fault} is not None:")
        self.meet(result, self.one(node.handler, self.computed(self.temp(f"{fault}.value"), here)))
        self.close()
        return result

    def caught(self, fault: str) -> None:
        self.open(f"except {self.unit.use('PathRuntimeError')} as error:")
        self.line(f"{fault} = error")
        self.close()

    def each_try(self, node: syntax.Try, here: Place, sink: Sink) -> None:
        if node.handler is None and single(node.body):
            self.open("try:")
            self.loops += 1
            found = self.one(node.body, here)
            self.close()
            self.open(f"except {self.unit.use('PathRuntimeError')}:")
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

    # Constructors

    def array(self, node: syntax.Array, here: Place) -> Place:
        found = self.temp("[]")
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

        self.each(node.body, self.inner(here), Sink(give, cheap=True))
        return self.built(found, parts, here)

    def built(self, value: str, parts: str, here: Place) -> Place:
        return Place(value, self.temp(f"{self.origin(here.origin)}.built({parts})"))

    def object(self, node: syntax.Object, here: Place) -> Place:
        inner = self.inner(here)
        keys, places = [], []
        for key, value in node.entries:
            keys.append(self.key(key, here))
            places.append(self.one(value, inner))
        return self.put_together(keys, places, here)

    def key(self, node: syntax.Node, here: Place) -> str:
        value = self.value(node, here)
        literal = isinstance(node, syntax.Literal | syntax.Text)
        return value if literal else self.temp(f"{self.unit.use('object_key')}({value})")

    def put_together(self, keys: list[str], places: list[Place], here: Place) -> Place:
        pairs = ", ".join(f"{key}: {place.value}" for key, place in zip(keys, places, strict=True))
        found = self.temp(f"{{{pairs}}}")
        if here.origin is None:
            return Place(found)
        origins = (f"{key}: {self.origin(place.origin)}" for key, place in zip(keys, places, strict=True))
        return self.built(found, f"{{{', '.join(origins)}}}", here)

    def each_object(self, node: syntax.Object, here: Place, sink: Sink) -> None:
        """All combinations, the first entry outermost, a key around its value."""
        inner = self.inner(here)

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
                    Place(here.value),
                    Sink(lambda place: with_key(self.temp(f"{check}({place.value})"))),
                )

        entry(0, [], [])

    def variable(self, node: syntax.Variable, here: Place) -> Place:
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


def _gives_nothing(node: syntax.Node) -> bool:
    return isinstance(node, core.Form) and node.name == "empty/0"
