"""Tokens to the syntax tree: precedence climbing, with the grammar of jq 1.8.

    pipe     := (def | "label" $x "|")* comma ("|" pipe)?          lowest
    comma    := binary ("as" patterns "|" pipe)? ("," comma)?
    binary   := unary (operator binary)*                            the table `_OPERATORS`
    unary    := "-" unary | "try" unary ("catch" unary)? | postfix
    postfix  := term ("." name | "." string | "[" … "]" | "?")*

Size and nesting of the source are limited here, so that nothing behind has to fear deep trees.
"""

from __future__ import annotations

from workload_map.path import syntax
from workload_map.path.cursor import Cursor
from workload_map.path.errors import HIDDEN, PathSyntaxError, Span
from workload_map.path.lexer import Token
from workload_map.path.numbers import number_literal

MAX_TEXT = 16 * 1024
MAX_DEPTH = 48
MAX_CHAIN = 100
MAX_BRANCHES = 50

_ASSIGNMENTS = ("=", "|=", "+=", "-=", "*=", "/=", "%=", "//=")
# operator -> (binding power, power that its right side must have at least); equal powers do not chain
_OPERATORS = {
    "//": (1, 1),
    **dict.fromkeys(_ASSIGNMENTS, (2, 3)),
    "or": (3, 4),
    "and": (4, 5),
    **dict.fromkeys(("==", "!=", "<", "<=", ">", ">="), (5, 6)),
    "+": (6, 7),
    "-": (6, 7),
    "*": (7, 8),
    "/": (7, 8),
    "%": (7, 8),
}
_UNCHAINED = (2, 5)  # `a = b = c` and `a < b < c` are mistakes
_NAMED = ("name", "keyword")


def parse(text: str) -> syntax.Node:
    """The syntax tree of an expression.

    Raises:
        PathSyntaxError: The text is no expression, or it is too long or nested too deep.
    """
    if len(text) > MAX_TEXT:
        raise PathSyntaxError(
            f"the expression has {len(text)} characters; {MAX_TEXT} are allowed", text[:MAX_TEXT], 0
        )
    return _Parser(text).program()


def parse_builtin(text: str) -> syntax.Function:
    """The one definition in a text: a builtin that is written in the language.

    Its nodes have the span `HIDDEN`, since they stand nowhere in an expression of a user.
    """
    parser = _Parser(text)
    parser.tokens = [token._replace(start=HIDDEN.start, end=HIDDEN.end) for token in parser.tokens]
    parser.token = parser.tokens[0]
    return parser.definition()


class _Parser(Cursor):
    """Recursive descent, with the depth counted."""

    # Expressions

    def program(self) -> syntax.Node:
        if self.at("import", "include", "module"):
            raise PathSyntaxError(
                "modules are not part of the path language", self.text, self.token.start, self.token.end
            )
        if self.token.kind == "end":
            raise PathSyntaxError("the expression is empty", self.text, 0, hint="`.` is the whole value")
        node = self.pipe()
        if self.token.kind != "end":
            self.unexpected("an operator or the end of the expression")
        return node

    def pipe(self) -> syntax.Node:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise PathSyntaxError(
                f"nested more than {MAX_DEPTH} levels deep", self.text, self.token.start, self.token.end
            )
        start = self.token.start
        parts = [self.comma()]
        while self.accept("|"):
            parts.append(self.comma())
        self.depth -= 1
        return parts[0] if len(parts) == 1 else syntax.Pipe(parts=tuple(parts), span=self.span(start))

    def define(self) -> syntax.Node:
        start = self.token.start
        functions = []
        while self.at("def"):
            functions.append(self.definition())
        return syntax.Define(functions=tuple(functions), body=self.pipe(), span=self.span(start))

    def definition(self) -> syntax.Function:
        start = self.advance().start
        if self.token.kind not in _NAMED:
            self.unexpected("the name of the function")
        name = self.advance().value
        params = []
        if self.accept("("):
            while True:
                if self.token.kind not in ("variable", *_NAMED):
                    self.unexpected("the name of a parameter")
                params.append(self.advance().value)
                if not self.accept(";"):
                    break
            self.expect(")", "after the parameters")
        self.expect(":", "before the body of the function")
        body = self.pipe()
        self.expect(";", "after the body of the function")
        return syntax.Function(name=name, params=tuple(params), body=body, span=self.span(start))

    def label(self) -> syntax.Node:
        start = self.advance().start
        if self.token.kind != "variable":
            self.unexpected("the name of the label (`$name`)")
        name = self.advance().value[1:]
        self.expect("|", "after the label")
        return syntax.Label(name=name, body=self.pipe(), span=self.span(start))

    def comma(self) -> syntax.Node:
        start = self.token.start
        parts = [self.bound()]
        while self.accept(","):
            parts.append(self.bound())
        return parts[0] if len(parts) == 1 else syntax.Comma(parts=tuple(parts), span=self.span(start))

    def bound(self) -> syntax.Node:
        """An expression without comma and pipe, or a binding or definition that reaches to the end."""
        start = self.token.start
        source = self.binary(0)
        if not self.accept("as"):
            return source
        patterns = self.patterns()
        self.expect("|", "after the pattern")
        return syntax.Bind(source=source, patterns=patterns, body=self.pipe(), span=self.span(start))

    def binary(self, least: int) -> syntax.Node:
        start = self.token.start
        left = self.unary()
        unchained = chain = 0
        while self.token.kind in ("op", "keyword"):
            operator = self.token.value
            power, right_least = _OPERATORS.get(operator, (-1, -1))
            if power < max(least, 0) or power == -1:
                break
            if power == unchained:
                self.unexpected(f"parentheses: `{operator}` cannot follow another of its kind")
            unchained = power if power in _UNCHAINED else 0
            chain += 1
            if chain > MAX_CHAIN:
                raise PathSyntaxError(
                    f"more than {MAX_CHAIN} operators in a row", self.text, self.token.start
                )
            self.advance()
            self.depth += operator == "//"
            if self.depth > MAX_DEPTH:
                self.unexpected(f"fewer than {MAX_DEPTH} levels")
            right = self.binary(right_least)
            self.depth -= operator == "//"
            left = _joined(operator, left, right, self.span(start))
        return left

    def unary(self) -> syntax.Node:
        start = self.token.start
        if self.at("def"):
            return self.define()
        if self.at("label"):
            return self.label()
        if not self.at("-", "try"):
            return self.postfix()
        self.depth += 1
        if self.depth > MAX_DEPTH:
            self.unexpected(f"fewer than {MAX_DEPTH} levels")
        if self.advance().value == "-":
            node: syntax.Node = syntax.Negate(body=self.unary(), span=self.span(start))
        else:
            body = self.unary()
            handler = self.unary() if self.accept("catch") else None
            node = syntax.Try(body=body, handler=handler, span=self.span(start))
        self.depth -= 1
        return node

    def postfix(self) -> syntax.Node:
        start = self.token.start
        head, steps = self.term(), list[syntax.Step]()
        while True:
            if self.token.kind == "field":
                token = self.advance()
                steps.append(self.field(token.value[1:], token.start))
            elif self.at(".") and self.tokens[self.index + 1].kind in ("string", "open"):
                dot = self.advance().start
                steps.append(self.keyed(self.string(), dot))
            elif self.at(".") and self.tokens[self.index + 1].value == "[":
                self.advance()
            elif self.at("["):
                steps.append(self.bracket())
            elif self.at("?"):
                mark = self.advance().end
                body = self.access(head, steps, start)
                head, steps = syntax.Try(body=body, handler=None, span=Span(start, mark)), []
            else:
                return self.access(head, steps, start)

    def access(self, head: syntax.Node, steps: list[syntax.Step], start: int) -> syntax.Node:
        if not steps:
            return head
        return syntax.Access(head=head, steps=tuple(steps), span=self.span(start))

    def field(self, name: str, start: int) -> syntax.Step:
        return syntax.Field(key=name, span=self.span(start), optional=self.accept("?"))

    def keyed(self, key: syntax.Node, start: int) -> syntax.Step:
        span = self.span(start)
        if isinstance(key, syntax.Literal) and type(key.value) in (str, int):
            return syntax.Field(key=key.value, span=span, optional=self.accept("?"))
        if (
            isinstance(key, syntax.Negate)
            and isinstance(key.body, syntax.Literal)
            and type(key.body.value) is int
        ):
            return syntax.Field(key=-key.body.value, span=span, optional=self.accept("?"))
        return syntax.Index(key=key, span=span, optional=self.accept("?"))

    def bracket(self) -> syntax.Step:
        start = self.advance().start
        if self.accept("]"):
            return syntax.Iterate(span=self.span(start), optional=self.accept("?"))
        low = None if self.at(":") else self.pipe()
        if low is not None and self.accept("]"):
            return self.keyed(low, start)
        self.expect(":", "or `]` after the index")
        high = None if self.at("]") else self.pipe()
        if low is None and high is None:
            self.unexpected("an end of the slice")
        self.expect("]", "after the slice")
        return syntax.Slice(low=low, high=high, span=self.span(start), optional=self.accept("?"))

    # Terms

    def term(self) -> syntax.Node:
        token = self.token
        match token.kind:
            case "field":
                self.advance()
                step = self.field(token.value[1:], token.start)
                head = syntax.Identity(span=Span(token.start, token.start + 1))
                return syntax.Access(head=head, steps=(step,), span=self.span(token.start))
            case "number":
                self.advance()
                return syntax.Literal(value=number_literal(token.value), span=self.span(token.start))
            case "string" | "open":
                return self.string()
            case "format":
                return self.formatted()
            case "variable":
                self.advance()
                if token.value == "$__loc__":
                    return self.here(token)
                return syntax.Variable(name=token.value[1:], span=self.span(token.start))
            case "name":
                return self.call()
        return self.construct()

    def here(self, token: Token) -> syntax.Node:
        """`$__loc__`: where it stands in the text; a constant."""
        line = self.text.count("\n", 0, token.start) + 1
        return syntax.Literal(value={"file": "<top-level>", "line": line}, span=self.span(token.start))

    def construct(self) -> syntax.Node:
        token = self.token
        if self.at("."):
            self.advance()
            head = syntax.Identity(span=self.span(token.start))
            if self.token.kind in ("string", "open"):
                step = self.keyed(self.string(), token.start)
                return syntax.Access(head=head, steps=(step,), span=self.span(token.start))
            return head
        if self.accept(".."):
            return syntax.Call(name="recurse", span=self.span(token.start))
        if self.accept("("):
            node = self.pipe()
            self.expect(")", "after the expression in parentheses")
            return node
        if self.accept("["):
            body = None if self.at("]") else self.pipe()
            self.expect("]", "after the elements of the array")
            return syntax.Array(body=body, span=self.span(token.start))
        if self.at("{"):
            return self.object()
        if self.at("if"):
            return self.condition()
        if self.at("reduce", "foreach"):
            return self.fold()
        return self.unexpected("an expression")

    def call(self) -> syntax.Node:
        token = self.advance()
        if token.value == "break" and self.token.kind == "variable":
            return syntax.Break(name=self.advance().value[1:], span=self.span(token.start))
        if token.value in ("null", "true", "false") and not self.at("("):
            value = {"null": None, "true": True, "false": False}[token.value]
            return syntax.Literal(value=value, span=self.span(token.start))
        args = []
        if self.accept("("):
            args.append(self.pipe())
            while self.accept(";"):
                args.append(self.pipe())
            self.expect(")", "after the arguments")
        return syntax.Call(name=token.value, args=tuple(args), span=self.span(token.start))

    def string(self, format_name: str = "text") -> syntax.Node:
        token = self.advance()
        if token.kind == "string":
            return syntax.Literal(value=token.value, span=self.span(token.start))
        parts: list[str | syntax.Node] = []
        while self.token.kind != "close":
            if self.token.kind == "text":
                parts.append(self.advance().value)
                continue
            if self.token.kind != "enter":
                self.unexpected("the rest of the string")
            self.advance()
            parts.append(self.pipe())
            if self.token.kind != "leave":
                self.unexpected("`)` after the expression in the string")
            self.advance()
        self.advance()
        return syntax.Text(format=format_name, parts=tuple(parts), span=self.span(token.start))

    def formatted(self) -> syntax.Node:
        token = self.advance()
        if self.token.kind in ("string", "open"):
            return self.string(token.value[1:])
        literal = syntax.Literal(value=token.value[1:], span=self.span(token.start))
        return syntax.Call(name="format", args=(literal,), span=literal.span)

    def condition(self) -> syntax.Node:
        start, branches = self.advance().start, list[tuple[syntax.Node, syntax.Node]]()
        while True:
            test = self.pipe()
            self.expect("then", "after the condition")
            branches.append((test, self.pipe()))
            if len(branches) > MAX_BRANCHES:
                raise PathSyntaxError(f"more than {MAX_BRANCHES} branches", self.text, start)
            if not self.accept("elif"):
                break
        otherwise = self.pipe() if self.accept("else") else None
        self.expect("end", "after the branches of `if`")
        return syntax.If(branches=tuple(branches), otherwise=otherwise, span=self.span(start))

    def fold(self) -> syntax.Node:
        token = self.advance()
        source = self.binary(0)
        self.expect("as", f"after the source of `{token.value}`")
        patterns = self.patterns()
        self.expect("(", "before the initial value")
        parts = [self.pipe()]
        while self.accept(";"):
            parts.append(self.pipe())
        self.expect(")", f"after the parts of `{token.value}`")
        span = self.span(token.start)
        if token.value == "reduce" and len(parts) == 2:
            return syntax.Reduce(
                source=source, patterns=patterns, initial=parts[0], update=parts[1], span=span
            )
        if token.value == "foreach" and len(parts) in (2, 3):
            extract = parts[2] if len(parts) == 3 else None
            return syntax.Foreach(
                source=source,
                patterns=patterns,
                initial=parts[0],
                update=parts[1],
                extract=extract,
                span=span,
            )
        wanted = "two parts" if token.value == "reduce" else "two or three parts"
        raise PathSyntaxError(
            f"`{token.value}` takes {wanted}, not {len(parts)}", self.text, span.start, span.end
        )

    # Objects and patterns

    def object(self) -> syntax.Node:
        start, entries = self.advance().start, list[tuple[syntax.Node, syntax.Node]]()
        while not self.at("}"):
            entries.append(self.entry())
            if not self.accept(","):
                break
        self.expect("}", "or `,` after an entry of the object")
        return syntax.Object(entries=tuple(entries), span=self.span(start))

    def entry(self) -> tuple[syntax.Node, syntax.Node]:
        token, implied = self.token, True
        key: syntax.Node
        if token.kind == "variable":
            value = self.term()
            if not self.at(":"):
                return syntax.Literal(value=token.value[1:], span=value.span), value
            key = value
        else:
            key = self.key()
            implied = not (token.kind == "op" and token.value == "(")
        if self.accept(":"):
            return key, self.value()
        if not implied:
            self.unexpected("`:` after the computed key")
        identity = syntax.Identity(span=key.span)
        if isinstance(key, syntax.Literal) and type(key.value) is str:
            step: syntax.Step = syntax.Field(key=key.value, span=key.span, optional=False)
        elif isinstance(key, syntax.Literal):
            self.unexpected("`:` after the key")
        else:
            step = syntax.Index(key=key, span=key.span, optional=False)
        return key, syntax.Access(head=identity, steps=(step,), span=key.span)

    def key(self) -> syntax.Node:
        token = self.token
        if token.kind in _NAMED:
            self.advance()
            return syntax.Literal(value=token.value, span=self.span(token.start))
        if token.kind in ("string", "open"):
            return self.string()
        if token.kind == "format" and self.tokens[self.index + 1].kind in ("string", "open"):
            return self.formatted()
        if not self.accept("("):
            self.unexpected("a key (a name, a string, a variable or an expression in parentheses)")
        key = self.pipe()
        self.expect(")", "after the computed key")
        if isinstance(key, syntax.Literal) and type(key.value) is not str:
            raise PathSyntaxError(
                "a key of an object must be a string", self.text, key.span.start, key.span.end
            )
        return key

    def value(self) -> syntax.Node:
        """The value of an entry: everything but a comma."""
        start = self.token.start
        parts = [self.binary(0)]
        while self.accept("|"):
            parts.append(self.binary(0))
        return parts[0] if len(parts) == 1 else syntax.Pipe(parts=tuple(parts), span=self.span(start))

    def patterns(self) -> tuple[syntax.Pattern, ...]:
        found = [self.pattern()]
        while self.accept("?//"):
            found.append(self.pattern())
        return tuple(found)

    def pattern(self) -> syntax.Pattern:
        token = self.token
        if token.kind == "variable":
            self.advance()
            return syntax.VariablePattern(name=token.value[1:], span=self.span(token.start))
        self.depth += 1
        if self.depth > MAX_DEPTH:
            self.unexpected(f"fewer than {MAX_DEPTH} levels")
        if self.accept("["):
            items = [self.pattern()]
            while self.accept(","):
                items.append(self.pattern())
            self.expect("]", "after the pattern")
            pattern: syntax.Pattern = syntax.ArrayPattern(items=tuple(items), span=self.span(token.start))
        elif self.accept("{"):
            entries = [self.pattern_entry()]
            while self.accept(","):
                entries.append(self.pattern_entry())
            self.expect("}", "after the pattern")
            pattern = syntax.ObjectPattern(entries=tuple(entries), span=self.span(token.start))
        else:
            self.unexpected("a pattern (`$name`, `[…]` or `{…}`)")
        self.depth -= 1
        return pattern

    def pattern_entry(self) -> tuple[syntax.Node, str | None, syntax.Pattern | None]:
        token = self.token
        if token.kind == "variable":
            self.advance()
            key: syntax.Node = syntax.Literal(value=token.value[1:], span=self.span(token.start))
            return key, token.value[1:], self.pattern() if self.accept(":") else None
        key = self.key()
        self.expect(":", "after the key of the pattern")
        return key, None, self.pattern()


def _joined(operator: str, left: syntax.Node, right: syntax.Node, span: Span) -> syntax.Node:
    if operator == "//":
        return syntax.Alternative(left=left, right=right, span=span)
    if operator in ("and", "or"):
        return syntax.Logic(operator=operator, left=left, right=right, span=span)
    if operator in _ASSIGNMENTS:
        return syntax.Update(operator=operator, target=left, value=right, span=span)
    return syntax.Binary(operator=operator, left=left, right=right, span=span)
