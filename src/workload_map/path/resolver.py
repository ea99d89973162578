"""The checker: decides what each name means, refuses what does not belong, expands shorthand.

What it gives is a resolved tree (see `core`), or the first mistake with its place.
"""

from __future__ import annotations

from typing import NoReturn

from workload_map.path import core, syntax
from workload_map.path.builtins import (
    FORMATS,
    FORMS,
    NATIVES,
    REFUSED,
    SHORTHAND,
    builtin_definition,
    known_names,
)
from workload_map.path.errors import PathSyntaxError, Span
from workload_map.path.habits import meant, quoted_name
from workload_map.path.parser import parse

MAX_NODES = 20_000
MAX_LOOPS = 8

# What a name stands for: the unique name of a variable, closure or label, or a function.
_Scope = dict[str, "str | core.Definition"]


def resolve(text: str, variables: tuple[str, ...] = (), unknown: tuple[str, ...] = ()) -> core.Resolved:
    """Parse an expression and decide its names.

    Args:
        text: The expression.
        variables: Names (without `$`) that the caller gives values for.
        unknown: Those of them that have none: reading one ends the program.

    Raises:
        PathSyntaxError: The text does not parse, or names something unknown or refused.
    """
    tree = parse(text)
    resolver = _Resolver(text)
    scope: _Scope = {}
    names = tuple(resolver.bind(scope, name) for name in variables)
    resolver.unknown_values = {scope["$" + name] for name in unknown}
    body = resolver.node(tree, scope)
    core.settle(resolver.functions)
    return core.Resolved(
        text=text,
        body=body,
        variables=names,
        given=variables,
        functions=tuple(resolver.functions),
        paired=resolver.paired,
        partial=bool(unknown),
    )


class _Resolver:
    """One pass over the tree; scopes are dictionaries, copied where something is added."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.functions: list[core.Definition] = []
        self.callers: list[core.Definition] = []
        self.builtins: dict[str, core.Definition] = {}
        self.used: set[str] = set()
        self.unknown_values: set[str | core.Definition] = set()
        self.count = 0
        self.nodes = 0
        self.paired = False
        self.within: Span | None = None  # the call in the expression whose builtin is being resolved

    def fresh(self, kind: str) -> str:
        self.count += 1
        return f"{kind}{self.count}"

    def bind(self, scope: _Scope, name: str) -> str:
        unique = scope["$" + name] = self.fresh("x")
        return unique

    def fail(self, message: str, span: Span, hint: str | None = None) -> NoReturn:
        span = self.within or span
        raise PathSyntaxError(message, self.text, span.start, span.end, hint=hint)

    def node(self, node: syntax.Node, scope: _Scope) -> syntax.Node:
        self.nodes += 1
        if self.nodes > MAX_NODES:
            self.fail("the expression is too large", node.span)
        match node:
            case syntax.Identity() | core.Form(args=()) | core.Native(args=()):
                return node
            case syntax.Literal():
                return node
            case syntax.Access():
                iterated = sum(isinstance(step, syntax.Iterate) for step in node.steps)
                if iterated > MAX_LOOPS and any(
                    isinstance(step, syntax.Index | syntax.Slice) for step in node.steps
                ):
                    self.fail(f"more than {MAX_LOOPS} `[]` together with computed keys", node.span)
                head = self.node(node.head, scope)
                return syntax.Access(
                    head=head, steps=tuple(self.step(step, scope) for step in node.steps), span=node.span
                )
            case syntax.Pipe():
                return syntax.Pipe(parts=self.all(node.parts, scope), span=node.span)
            case syntax.Comma():
                return syntax.Comma(parts=self.all(node.parts, scope), span=node.span)
            case syntax.Call():
                return self.call(node, scope)
            case syntax.Variable():
                return self.variable(node, scope)
            case core.Form():
                return core.Form(name=node.name, args=self.all(node.args, scope), span=node.span)
            case core.Native():
                return core.Native(name=node.name, args=self.all(node.args, scope), span=node.span)
        return self.operator(node, scope)

    def all(self, nodes: tuple[syntax.Node, ...], scope: _Scope) -> tuple[syntax.Node, ...]:
        return tuple(self.node(node, scope) for node in nodes)

    def maybe(self, node: syntax.Node | None, scope: _Scope) -> syntax.Node | None:
        return None if node is None else self.node(node, scope)

    def step(self, step: syntax.Step, scope: _Scope) -> syntax.Step:
        match step:
            case syntax.Index():
                key = self.node(step.key, scope)
                return syntax.Index(key=key, optional=step.optional, span=step.span)
            case syntax.Slice():
                low, high = self.maybe(step.low, scope), self.maybe(step.high, scope)
                return syntax.Slice(low=low, high=high, optional=step.optional, span=step.span)
        return step

    def operator(self, node: syntax.Node, scope: _Scope) -> syntax.Node:
        span = node.span
        match node:
            case syntax.Text():
                if node.format not in FORMATS:
                    self.fail(f"there is no format @{node.format}", span, _nearest(node.format, FORMATS, "@"))
                parts = tuple(
                    part if isinstance(part, str) else self.node(part, scope) for part in node.parts
                )
                return syntax.Text(format=node.format, parts=parts, span=span)
            case syntax.Array():
                return syntax.Array(body=self.maybe(node.body, scope), span=span)
            case syntax.Object():
                entries = tuple(
                    (self.node(key, scope), self.node(value, scope)) for key, value in node.entries
                )
                return syntax.Object(entries=entries, span=span)
            case syntax.Negate():
                return syntax.Negate(body=self.node(node.body, scope), span=span)
            case syntax.Binary():
                left, right = self.node(node.left, scope), self.node(node.right, scope)
                return syntax.Binary(operator=node.operator, left=left, right=right, span=span)
            case syntax.Logic():
                left, right = self.node(node.left, scope), self.node(node.right, scope)
                return syntax.Logic(operator=node.operator, left=left, right=right, span=span)
            case syntax.Alternative():
                left, right = self.node(node.left, scope), self.node(node.right, scope)
                return syntax.Alternative(left=left, right=right, span=span)
            case syntax.Update():
                self.paired = True
                target, value = self.node(node.target, scope), self.node(node.value, scope)
                return syntax.Update(operator=node.operator, target=target, value=value, span=span)
            case syntax.If():
                branches = tuple(
                    (self.node(test, scope), self.node(then, scope)) for test, then in node.branches
                )
                return syntax.If(branches=branches, otherwise=self.maybe(node.otherwise, scope), span=span)
            case syntax.Try():
                body, handler = self.node(node.body, scope), self.maybe(node.handler, scope)
                return syntax.Try(body=body, handler=handler, span=span)
        return self.binder(node, scope)

    # What binds names

    def binder(self, node: syntax.Node, scope: _Scope) -> syntax.Node:
        span = node.span
        match node:
            case syntax.Bind():
                source = self.node(node.source, scope)
                inner, patterns = self.patterns(node.patterns, scope)
                return syntax.Bind(
                    source=source, patterns=patterns, body=self.node(node.body, inner), span=span
                )
            case syntax.Reduce():
                source = self.node(node.source, scope)
                inner, patterns = self.patterns(node.patterns, scope)
                initial, update = self.node(node.initial, scope), self.node(node.update, inner)
                return syntax.Reduce(
                    source=source, patterns=patterns, initial=initial, update=update, span=span
                )
            case syntax.Foreach():
                source = self.node(node.source, scope)
                inner, patterns = self.patterns(node.patterns, scope)
                return syntax.Foreach(
                    source=source,
                    patterns=patterns,
                    initial=self.node(node.initial, scope),
                    update=self.node(node.update, inner),
                    extract=self.maybe(node.extract, inner),
                    span=span,
                )
            case syntax.Define():
                inner = dict(scope)
                for function in node.functions:
                    self.define(function, inner)
                return self.node(node.body, inner)
            case syntax.Label():
                name = self.fresh("l")
                body = self.node(node.body, {**scope, "label " + node.name: name})
                return syntax.Label(name=name, body=body, span=span)
            case syntax.Break():
                found = scope.get("label " + node.name)
                if not isinstance(found, str):
                    self.fail(f"there is no label ${node.name} around this `break`", span)
                return syntax.Break(name=found, span=span)
        raise AssertionError(type(node))

    def patterns(
        self, patterns: tuple[syntax.Pattern, ...], scope: _Scope
    ) -> tuple[_Scope, tuple[syntax.Pattern, ...]]:
        """The patterns with unique names, and the scope behind them: all names of all alternatives.

        A name that stands in several places is one variable; a key in a pattern sees the names before it.
        """
        names: _Scope = {}
        renamed = tuple(self.pattern(pattern, scope, names) for pattern in patterns)
        return {**scope, **names}, renamed

    def pattern(self, pattern: syntax.Pattern, scope: _Scope, names: _Scope) -> syntax.Pattern:
        match pattern:
            case syntax.VariablePattern():
                return syntax.VariablePattern(name=self.pattern_name(pattern.name, names), span=pattern.span)
            case syntax.ArrayPattern():
                items = tuple(self.pattern(item, scope, names) for item in pattern.items)
                return syntax.ArrayPattern(items=items, span=pattern.span)
            case syntax.ObjectPattern():
                entries = []
                for key, name, below in pattern.entries:
                    unique = None if name is None else self.pattern_name(name, names)
                    resolved = self.node(key, {**scope, **names})
                    if isinstance(resolved, syntax.Literal) and type(resolved.value) is not str:
                        self.fail("a key of a pattern must be a string", key.span)
                    entries.append(
                        (resolved, unique, None if below is None else self.pattern(below, scope, names))
                    )
                return syntax.ObjectPattern(entries=tuple(entries), span=pattern.span)
        raise AssertionError(type(pattern))

    def pattern_name(self, name: str, names: _Scope) -> str:
        found = names.get("$" + name)
        return found if isinstance(found, str) else self.bind(names, name)

    def define(self, function: syntax.Function, scope: _Scope) -> core.Definition:
        """Resolve a definition and make it visible in `scope`, in its own body too."""
        self.count += 1
        definition = core.Definition(self.count, function.name)
        scope[f"{function.name}/{len(function.params)}"] = definition
        inner = dict(scope)
        closures, values = list[str](), dict[str, str]()
        for param in function.params:
            closure = self.fresh("c")
            closures.append(closure)
            inner[param.removeprefix("$") + "/0"] = closure
            if param.startswith("$"):
                values[closure] = self.bind(inner, param[1:])
        self.callers.append(definition)
        body = self.node(function.body, inner)
        self.callers.pop()
        # `def f($a): …` is `def f(a): a as $a | …`. Unless the body calls `a`, the value alone is passed.
        for closure in reversed(values):
            if closure in self.used:
                pattern = syntax.VariablePattern(name=values[closure], span=function.span)
                source = core.Parameter(name=closure, span=function.span)
                body = syntax.Bind(source=source, patterns=(pattern,), body=body, span=function.span)
        definition.params = tuple(
            closure if closure in self.used else values.get(closure, closure) for closure in closures
        )
        definition.body = body
        self.functions.append(definition)
        return definition

    # Names

    def variable(self, node: syntax.Variable, scope: _Scope) -> syntax.Node:
        found = scope.get("$" + node.name)
        if found in self.unknown_values:
            return core.Form(name=core.UNKNOWN, span=node.span)
        if isinstance(found, str):
            return syntax.Variable(name=found, span=node.span)
        if "$" + node.name in REFUSED:
            self.fail(f"`${node.name}` is not allowed: {REFUSED['$' + node.name]}", node.span)
        names = [name[1:] for name in scope if name.startswith("$")]
        return self.fail(
            f"there is no variable ${node.name} here", node.span, _nearest(node.name, names, "$")
        )

    def call(self, node: syntax.Call, scope: _Scope) -> syntax.Node:
        name = f"{node.name}/{len(node.args)}"
        found = scope.get(name)
        if isinstance(found, str):
            self.used.add(found)
            return core.Parameter(name=found, span=node.span)
        if isinstance(found, core.Definition):
            return self.invoke(found, node, scope)
        if node.name in REFUSED:
            self.fail(f"`{node.name}` is not allowed: {REFUSED[node.name]}", node.span)
        if name in SHORTHAND:
            return self.node(SHORTHAND[name](node.span, node.args), scope)
        if name in FORMS:
            self.paired = self.paired or name == "path/1"
            return core.Form(name=name, args=self.all(node.args, scope), span=node.span)
        if name in NATIVES:
            self.check_format(name, node)
            return core.Native(name=name, args=self.all(node.args, scope), span=node.span)
        builtin = builtin_definition(name)
        if builtin is not None:
            return self.invoke(self.builtin(name, builtin, node.span), node, scope)
        return self.unknown(node, scope)

    def invoke(self, function: core.Definition, node: syntax.Call, scope: _Scope) -> syntax.Node:
        if self.callers:
            self.callers[-1].calls.add(function)
        return core.Invoke(function=function, args=self.all(node.args, scope), span=node.span)

    def builtin(self, name: str, function: syntax.Function, span: Span) -> core.Definition:
        """The definition of a builtin that is written in the language, resolved once for the program."""
        found = self.builtins.get(name)
        if found is None:
            scope, within = _Scope(self.builtins), self.within
            self.within = within or span
            callers, self.callers = self.callers, []
            found = self.define(function, scope)
            found.is_builtin = True
            self.callers, self.within = callers, within
            self.builtins[name] = found
        return found

    def check_format(self, name: str, node: syntax.Call) -> None:
        if name == "format/1" and isinstance(node.args[0], syntax.Literal):
            wanted = node.args[0].value
            if isinstance(wanted, str) and wanted not in FORMATS:
                self.fail(f"there is no format @{wanted}", node.span, _nearest(wanted, FORMATS, "@"))

    def unknown(self, node: syntax.Call, scope: _Scope) -> NoReturn:
        """Say what is wrong with the name: its number of arguments, its spelling, or a missing dot."""
        known = {name for name in (*known_names(), *scope) if "/" in name and name[0] != "_"}
        arities = sorted(name.split("/")[1] for name in known if name.split("/")[0] == node.name)
        if arities:
            wanted = " or ".join(arities)
            self.fail(f"`{node.name}` takes {wanted} arguments, not {len(node.args)}", node.span)
        if "::" in node.name:
            self.fail(f"`{node.name}` is not allowed: {REFUSED['import']}", node.span)
        import difflib  # noqa: PLC0415 - loads slowly, and only mistakes need it

        names = {name.split("/")[0] for name in known}
        alike = 0.6 if node.args else 0.75  # without arguments it is rather a field whose dot is missing
        near = meant(node.name) or next(iter(difflib.get_close_matches(node.name, names, 1, alike)), None)
        hints = [f"did you mean `{near}`?"] if near else []
        quoted = quoted_name(self.text, node.span.start)
        if quoted:
            hints = [quoted]
        elif not node.args:
            hints.append(f"a field of the value is `.{node.name}`, with a dot")
        self.fail(f"there is no function `{node.name}`", node.span, "; ".join(hints) or None)


def _nearest(name: str, names: frozenset[str] | list[str], mark: str) -> str | None:
    import difflib  # noqa: PLC0415 - loads slowly, and only mistakes need it

    near = difflib.get_close_matches(name, names, 1, 0.6)
    return f"did you mean `{mark}{near[0]}`?" if near else None
