"""Tokens to the syntax tree: precedence climbing, with the grammar of jq 1.8.

    pipe     := (def | "label" $x "|")* comma ("|" pipe)?          lowest
    comma    := binary ("as" patterns "|" pipe)? ("," comma)?
    binary   := unary (operator binary)*                            the table `_OPERATORS`
    unary    := "-" unary | "try" unary ("catch" unary)? | postfix
    postfix  := term ("." name | "." string | "[" … "]" | "?")*

What a term is, and what may follow it, `terms` reads. Size and nesting of the source are limited in both, so
that nothing behind has to fear deep trees.
"""

from __future__ import annotations

from workload_map.path import syntax
from workload_map.path.errors import HIDDEN, PathSyntaxError, Span
from workload_map.path.terms import NAMED, Terms

MAX_TEXT = 16 * 1024
MAX_CHAIN = 100

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


class _Parser(Terms):
    """Recursive descent from the weakest operator to the strongest."""

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
        self.deepen()
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
        if self.token.kind not in NAMED:
            self.unexpected("the name of the function")
        name = self.advance().value
        params = []
        if self.accept("("):
            while True:
                if self.token.kind not in ("variable", *NAMED):
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
            if operator == "//":  # it chains to the right, so that each one lies in the one before
                self.deepen()
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
        self.deepen()
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


def _joined(operator: str, left: syntax.Node, right: syntax.Node, span: Span) -> syntax.Node:
    if operator == "//":
        return syntax.Alternative(left=left, right=right, span=span)
    if operator in ("and", "or"):
        return syntax.Logic(operator=operator, left=left, right=right, span=span)
    if operator in _ASSIGNMENTS:
        return syntax.Update(operator=operator, target=left, value=right, span=span)
    return syntax.Binary(operator=operator, left=left, right=right, span=span)
