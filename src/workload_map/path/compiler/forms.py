"""Builtins whose arguments are expressions, and calls of the library's functions."""

from __future__ import annotations

from collections.abc import Callable

from workload_map.path import core, syntax
from workload_map.path.compiler.calls import Calls
from workload_map.path.compiler.choices import Choices
from workload_map.path.compiler.constructors import Constructors
from workload_map.path.compiler.shape import loops, single
from workload_map.path.compiler.unit import Place
from workload_map.path.compiler.writer import Sink
from workload_map.path.library import has_located

_UPDATES = {"+=": "add", "-=": "subtract", "*=": "multiply", "/=": "divide", "%=": "modulo"}

_FIRST_OUTERMOST = frozenset(["test/2", "split/2", "_matches/2"])


class Forms(Calls, Choices, Constructors):
    """Builtins."""

    def each_native(self, node: core.Native, here: Place, sink: Sink) -> None:
        """All combinations of arguments: the last outermost, but for what gojq defines in the language."""
        turn = 1 if node.name in _FIRST_OUTERMOST else -1

        def call(values: list[str]) -> None:
            sink.give(self.native(node, values[::turn], here))

        self.values(list(node.args[::turn]), here, call)

    def native(self, node: core.Native, values: list[str], here: Place) -> Place:
        """A call of a library function; those that carry origins through do so in located code."""
        given = ", ".join([here.value, *values, self.budget()])
        if here.origin is None or not has_located(node.name):
            return self.computed(self.temp(f"{self.unit.native(node.name)}({given})"), here)
        value, origin = self.unit.fresh("t"), self.unit.fresh("p")
        given = ", ".join([here.value, self.origin(here.origin), *values, self.budget()])
        self.line(f"{value}, {origin} = {self.unit.native(node.name, located=True)}({given})")
        return Place(value, origin)

    def one_form(self, node: core.Form, here: Place) -> Place:
        """A form that gives one output."""
        name, args = node.name, node.args
        match name:
            case "not/0":
                return self.computed(self.temp(self.condition(node, here)), here)
            case "error/0":
                self.line(f"{self.unit.use('raised')}({here.value})")
                return self.computed("None", here)
            case "error/1":
                self.line(f"{self.unit.use('raised')}({self.value(args[0], here)})")
                return self.computed("None", here)
            case core.UNKNOWN:
                self.line(f"{self.unit.use('unknown')}()")
                return self.computed("None", here)
            case "any/2" | "all/2":
                return self.quantified(node, here)
            case "isempty/1":
                found = self.temp("True")
                self.first_of(args[0], self.unasked(here), lambda _: self.line(f"{found} = False"))
                return self.computed(found, here)
            case "getpath/1":
                return self.get_path(self.value(args[0], here), here)
            case "until/2":
                return self.until(args[0], args[1], here)
        return self.by_key(node, here)

    def quantified(self, node: core.Form, here: Place) -> Place:
        """`any` and `all`: the first output of the condition that decides ends the loop."""
        source, test = node.args
        wanted = node.name == "any/2"
        found = self.temp(str(not wanted))
        inner = self.unasked(here)
        if loops(source) == 1 and single(test):

            def decide(place: Place) -> None:
                condition = self.condition(test, place)
                self.open(f"if {condition}:" if wanted else f"if not ({condition}):")
                self.line(f"{found} = {wanted}")
                self.line("break")
                self.close()

            self.each(source, inner, Sink(decide))
            return self.computed(found, here)
        whole = syntax.Pipe(parts=(source, test), span=node.span)
        value = self.unit.fresh("t")
        self.open(f"for {value} in {self.generator(whole, inner, located=False)}:", loop=True)
        condition = f"{value} is not None and {value} is not False"
        self.open(f"if {condition}:" if wanted else f"if not ({condition}):")
        self.line(f"{found} = {wanted}")
        self.line("break")
        self.close()
        self.close(loop=True)
        return self.computed(found, here)

    def get_path(self, path: str, here: Place) -> Place:
        """`getpath(path)`."""
        found = self.temp(f"{self.unit.use('get_path')}({here.value}, {path}, {self.budget()})")
        if here.origin is None:
            return Place(found)
        return Place(found, self.temp(f"{self.unit.use('followed')}({self.origin(here.origin)}, {path})"))

    def until(self, test: syntax.Node, update: syntax.Node, here: Place) -> Place:
        """`until(test; update)` where both give one output."""
        state = self.meeting(here)
        self.meet(state, here)
        self.open("while True:", loop=True)
        self.line(f"if {self.condition(test, state)}: break")
        self.meet(state, self.one(update, state))
        self.close(loop=True)
        return state

    def by_key(self, node: core.Form, here: Place) -> Place:
        """`sort_by(f)` and its like: first the keys of all elements, then the work in one call."""
        keys, element = self.temp("[]"), self.element_of(node, here)
        key = node.args[0]
        if single(key):
            self.line(f"{keys}.append({self.value(key, element)})")
        else:
            several = self.array(syntax.Array(body=key, span=key.span), element)
            self.line(f"{keys}.append({several.value})")
        self.close(loop=True)
        located = here.origin is not None
        helper = self.unit.native(node.name, located=located)
        if not located:
            return Place(self.temp(f"{helper}({here.value}, {keys}, {self.budget()})"))
        value, origin = self.unit.fresh("t"), self.unit.fresh("p")
        given = f"{here.value}, {self.origin(here.origin)}, {keys}, {self.budget()}"
        self.line(f"{value}, {origin} = {helper}({given})")
        return Place(value, origin)

    def element_of(self, node: core.Form, here: Place) -> Place:
        """Begin the loop of `by_key` over the elements of `.`."""
        source = f"{self.unit.use('array_of')}({here.value}, {self.constant(node.name.split('/')[0])})"
        element, outer = self.unit.fresh("t"), self.unasked(here)
        if outer.origin is None:
            self.open(f"for {element} in {source}:", loop=True)
            return Place(element)
        number = self.unit.fresh("i")
        self.open(f"for {number}, {element} in {self.unit.use('enumerate')}({source}):", loop=True)
        return Place(element, self.temp(f"{self.origin(outer.origin)}.each({number})"))

    def each_form(self, node: core.Form, here: Place, sink: Sink) -> None:
        """A form that may give several outputs."""
        name, args = node.name, node.args
        sink = sink._replace(tail=False)
        match name:
            case "empty/0":
                return
            case "error/1":
                self.each_error(args[0], here)
            case "first/1" | "last/1" | "limit/2" | "skip/2":
                self.some_of(name, args, here, sink)
            case "range/1" | "range/2" | "range/3":
                self.values(list(args), here, lambda values: self.range(values, here, sink))
            case "recurse/0":
                self.descend(here, sink)
            case "recurse/1" | "until/2":
                self.recursion(name.split("/")[0], args, here, sink)
            case "walk/1":
                self.walk(args[0], here, sink)
            case core.KNOWN:
                self.each_known(node, here, sink)
            case "path/1" | "paths/0":
                self.paths(args, here, sink)
            case "getpath/1":
                self.values([args[0]], here, lambda values: sink.give(self.get_path(values[0], here)))
            case _:
                raise AssertionError(name)

    def some_of(self, name: str, args: tuple[syntax.Node, ...], here: Place, sink: Sink) -> None:
        """A form that gives some of the outputs of an argument."""
        if name == "first/1":
            self.first_of(args[0], here, sink.give)
        elif name == "last/1":
            self.last_of(args[0], here, sink)
        else:
            part = self.limit if name == "limit/2" else self.skip
            self.values([args[0]], here, lambda values: part(values[0], args[1], here, sink))

    def each_error(self, node: syntax.Node, here: Place) -> None:
        """`error(f)`: the first output is raised; none gives nothing."""
        raised = self.unit.use("raised")
        self.each(node, self.unasked(here), Sink(lambda place: self.line(f"{raised}({place.value})")))

    def walk(self, node: syntax.Node, here: Place, sink: Sink) -> None:
        """`walk(f)`."""
        value = self.unit.fresh("t")
        given = f"{here.value}, {self.changer(node)}, {self.budget()}"
        self.open(f"for {value} in {self.unit.use('walked')}({given}):", loop=True)
        sink.give(self.computed(value, here))
        self.close(loop=True)

    def first_of(self, node: syntax.Node, here: Place, give: Callable[[Place], None]) -> None:
        """Write `give` for the first output only."""
        depth = loops(node)
        if depth == 0:
            self.each(node, here, Sink(give))
            return

        def once(place: Place) -> None:
            give(place)
            self.line("break")

        if depth == 1:
            self.each(node, here, Sink(once))
        else:
            self.apart(node, here, Sink(once))

    def last_of(self, node: syntax.Node, here: Place, sink: Sink) -> None:
        """`last(f)`."""
        found, result = self.temp("False"), self.meeting(here)

        def keep(place: Place) -> None:
            self.line(f"{found} = True")
            self.meet(result, place)

        self.each(node, here, Sink(keep))
        self.open(f"if {found}:")
        sink.give(result)
        self.close()

    def limit(self, count: str, node: syntax.Node, here: Place, sink: Sink) -> None:
        """`limit(n; f)`."""
        left = self.temp(f"{self.unit.use('count_of')}({count}, {self.constant('limit')})")
        self.open(f"if {left} > 0:")

        def give(place: Place) -> None:
            self.line(f"{left} -= 1")
            sink.give(place)
            self.line(f"if {left} <= 0: break")

        if loops(node) == 1:
            self.each(node, here, Sink(give))
        else:
            self.apart(node, here, Sink(give))
        self.close()

    def skip(self, count: str, node: syntax.Node, here: Place, sink: Sink) -> None:
        """`skip(n; f)`."""
        left = self.temp(f"{self.unit.use('count_of')}({count}, {self.constant('skip')})")

        def give(place: Place) -> None:
            self.open(f"if {left} >= 1:")  # of a count of 1.5 one is skipped
            self.line(f"{left} -= 1")
            self.close()
            self.open("else:")
            sink.give(place)
            self.close()

        self.each(node, here, Sink(give))

    def range(self, values: list[str], here: Place, sink: Sink) -> None:
        """`range` in all its forms."""
        low, high, step = (
            ["0", values[0], "1"] if len(values) == 1 else [*values, "1"] if len(values) == 2 else values
        )
        number = self.unit.fresh("t")
        given = f"{low}, {high}, {step}, {self.budget()}"
        self.open(f"for {number} in {self.unit.use('number_range')}({given}):", loop=True)
        sink.give(self.computed(number, here))
        self.close(loop=True)

    def descend(self, here: Place, sink: Sink) -> None:
        """`..`."""
        if here.origin is None:
            self.loop_over(f"{self.unit.use('descend')}({here.value}, {self.budget()})", here, sink)
            return
        given = f"{here.value}, {self.origin(here.origin)}, {self.budget()}"
        self.loop_over(f"{self.unit.use('descend_located')}({given})", here, sink)

    def recursion(self, name: str, nodes: tuple[syntax.Node, ...], here: Place, sink: Sink) -> None:
        """`recurse(f)` and `until(test; f)` with functions that may give several outputs."""
        if name == "recurse" and loops(nodes[0]) == 0:
            self.iterated(nodes[0], here, sink)
            return
        located = self.unit.paired
        helper = self.unit.use(name + "_located" if located else name)
        origin = self.origin(here.origin) if here.origin is not None else self.unit.use("UNTRACKED")
        closures = [self.closure(node) for node in nodes]
        given = [here.value, *([origin] if located else []), *closures, self.budget()]
        self.loop_over(f"{helper}({', '.join(given)})", here, sink, pairs=located)

    def iterated(self, node: syntax.Node, here: Place, sink: Sink) -> None:
        """`recurse(f)` where `f` gives at most one output: a loop without a stack."""
        state, found = self.meeting(here), self.unit.fresh("t")
        self.meet(state, here)
        self.open("while True:", loop=True)
        sink.give(Place(self.temp(state.value), self.kept(state.origin)))
        self.line(f"{found} = False")

        def again(place: Place) -> None:
            self.meet(state, place)
            self.line(f"{found} = True")

        self.each(node, state, Sink(again))
        self.line(f"if not {found}: break")
        self.close(loop=True)

    def exact(self, node: syntax.Node, here: Place) -> str:
        """A call that gives the paths of a node's outputs."""
        return self.generator(node, Place(here.value, self.unit.use("EMPTY_PATH")), located=True)

    def paths(self, args: tuple[syntax.Node, ...], here: Place, sink: Sink) -> None:
        """`path(f)`, and `paths`, which is `path(..)` without the path of the value itself."""
        budget = self.budget()
        call = f"{self.unit.use('all_paths')}({here.value}, {budget})"
        if args:
            call = f"{self.unit.use('paths_of')}({self.exact(args[0], here)}, {budget})"
        path = self.unit.fresh("t")
        self.open(f"for {path} in {call}:", loop=True)
        sink.give(self.computed(path, here))
        self.close(loop=True)

    def updated(self, node: syntax.Update, value: str, here: Place, editor: str = "None") -> Place:
        """An update: the paths of the target are taken from the value as it is, then all are changed."""
        budget = self.budget()
        paths = f"{self.unit.use('paths_of')}({self.exact(node.target, here)}, {budget})"
        if node.operator == "=":
            call = f"{self.unit.use('assigned')}({here.value}, {paths}, {value}, {budget}, {editor})"
            return self.computed(self.temp(call), here)
        if node.operator == "|=":
            change = self.changer(node.value)
        elif node.operator == "//=":
            change = f"(lambda old: (old if old is not None and old is not False else {value},))"
        elif node.operator == "+=" and editor != "None":
            change = f"(lambda old: ({self.unit.use('extended')}(old, {value}, {budget}, {editor}),))"
        else:
            change = f"(lambda old: ({self.unit.use(_UPDATES[node.operator])}(old, {value}, {budget}),))"
        call = f"{self.unit.use('modified')}({here.value}, {paths}, {change}, {budget}, {editor})"
        return self.computed(self.temp(call), here)

    def accumulate(self, node: syntax.Node, state: Place, editor: str) -> Place:
        """The update of a fold that `accumulates`: nothing else holds the state, so it changes in place."""
        for update in node.parts if isinstance(node, syntax.Pipe) else (node,):
            if isinstance(update, syntax.Update):
                value = "" if update.operator == "|=" else self.value(update.value, state)
                state = self.updated(update, value, state, editor)
            elif isinstance(update, syntax.Binary):
                value = self.value(update.right, state)
                call = f"{self.unit.use('extended')}({state.value}, {value}, {self.budget()}, {editor})"
                state = self.computed(self.temp(call), state)
        return state

    def changer(self, node: syntax.Node) -> str:
        """A function from a value to the outputs of a node, without origins."""
        if isinstance(node, core.Parameter) and not self.unit.paired:
            return node.name
        if isinstance(node, core.Parameter):
            untracked = self.unit.use("UNTRACKED")
            value = f"{self.unit.use('first_of_pair')}(pair)"
            return f"(lambda v: ({value} for pair in {node.name}(v, {untracked})))"
        return f"(lambda v: {self.generator(node, Place('v'), located=False)})"
