"""Terms: what begins with a token of its own, and what may follow it; objects, and the patterns like them.

Literals, strings, calls, `if`, `reduce`, `foreach`, arrays and objects live here, and the steps `.a`, `[…]`.
What stands between terms, the operators and what binds names, is in `parser`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from workload_map.path import syntax
from workload_map.path.cursor import Cursor
from workload_map.path.errors import PathSyntaxError, Span
from workload_map.path.lexer import Token
from workload_map.path.numbers import number_literal

MAX_DEPTH = 48
MAX_BRANCHES = 50

NAMED = ("name", "keyword")  # the kinds of tokens that may name a function, a parameter or a key


class Terms(Cursor, ABC):
    """Recursive descent below the operators, with the depth counted."""

    @abstractmethod
    def pipe(self) -> syntax.Node:
        """A whole expression, as it stands in parentheses."""

    @abstractmethod
    def binary(self, least: int) -> syntax.Node:
        """An expression without comma and pipe, of operators that bind at least so strongly."""

    def deepen(self) -> None:
        """Count one more level; who calls takes it back from `depth` behind what lies in it."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise PathSyntaxError(
                f"nested more than {MAX_DEPTH} levels deep", self.text, self.token.start, self.token.end
            )

    # Steps

    def field(self, name: str, start: int) -> syntax.Step:
        """The step `.name`, whose token was taken; `start` is where it begins."""
        return syntax.Field(key=name, span=self.span(start), optional=self.accept("?"))

    def keyed(self, key: syntax.Node, start: int) -> syntax.Step:
        """The step to a key that was read: to a field where the key is a constant."""
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
        """The step `[]`, `[key]` or `[low:high]`."""
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
        """A term without the steps behind it."""
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
                return self._formatted()
            case "variable":
                self.advance()
                if token.value == "$__loc__":
                    return self._here(token)
                return syntax.Variable(name=token.value[1:], span=self.span(token.start))
            case "name":
                return self._call()
        return self._construct()

    def _here(self, token: Token) -> syntax.Node:
        """`$__loc__`: where it stands in the text; a constant."""
        line = self.text.count("\n", 0, token.start) + 1
        return syntax.Literal(value={"file": "<top-level>", "line": line}, span=self.span(token.start))

    def _construct(self) -> syntax.Node:
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
            return self._object()
        if self.at("if"):
            return self._condition()
        if self.at("reduce", "foreach"):
            return self._fold()
        return self.unexpected("an expression")

    def _call(self) -> syntax.Node:
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
        """A string; what is interpolated in it goes through the format."""
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

    def _formatted(self) -> syntax.Node:
        token = self.advance()
        if self.token.kind in ("string", "open"):
            return self.string(token.value[1:])
        literal = syntax.Literal(value=token.value[1:], span=self.span(token.start))
        return syntax.Call(name="format", args=(literal,), span=literal.span)

    def _condition(self) -> syntax.Node:
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

    def _fold(self) -> syntax.Node:
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

    def _object(self) -> syntax.Node:
        start, entries = self.advance().start, list[tuple[syntax.Node, syntax.Node]]()
        while not self.at("}"):
            entries.append(self._entry())
            if not self.accept(","):
                break
        self.expect("}", "or `,` after an entry of the object")
        return syntax.Object(entries=tuple(entries), span=self.span(start))

    def _entry(self) -> tuple[syntax.Node, syntax.Node]:
        token = self.token
        if token.kind == "variable":
            variable = self.term()
            if self.accept(":"):
                return variable, self._value()
            return syntax.Literal(value=token.value[1:], span=variable.span), variable
        key = self._key()
        if self.accept(":"):
            return key, self._value()
        if token.kind == "op":
            self.unexpected("`:` after the computed key")
        step: syntax.Step
        if isinstance(key, syntax.Literal):
            step = syntax.Field(key=key.value, span=key.span, optional=False)
        else:
            step = syntax.Index(key=key, span=key.span, optional=False)
        return key, syntax.Access(head=syntax.Identity(span=key.span), steps=(step,), span=key.span)

    def _key(self) -> syntax.Node:
        token = self.token
        if token.kind in NAMED:
            self.advance()
            return syntax.Literal(value=token.value, span=self.span(token.start))
        if token.kind in ("string", "open"):
            return self.string()
        if token.kind == "format" and self.tokens[self.index + 1].kind in ("string", "open"):
            return self._formatted()
        if not self.accept("("):
            self.unexpected("a key (a name, a string, a variable or an expression in parentheses)")
        key = self.pipe()
        self.expect(")", "after the computed key")
        if isinstance(key, syntax.Literal) and type(key.value) is not str:
            raise PathSyntaxError(
                "a key of an object must be a string", self.text, key.span.start, key.span.end
            )
        return key

    def _value(self) -> syntax.Node:
        """The value of an entry: everything but a comma."""
        start = self.token.start
        parts = [self.binary(0)]
        while self.accept("|"):
            parts.append(self.binary(0))
        return parts[0] if len(parts) == 1 else syntax.Pipe(parts=tuple(parts), span=self.span(start))

    def patterns(self) -> tuple[syntax.Pattern, ...]:
        """The patterns behind `as`: alternatives, of which the first that fits binds."""
        found = [self._pattern()]
        while self.accept("?//"):
            found.append(self._pattern())
        return tuple(found)

    def _pattern(self) -> syntax.Pattern:
        token = self.token
        if token.kind == "variable":
            self.advance()
            return syntax.VariablePattern(name=token.value[1:], span=self.span(token.start))
        self.deepen()
        if self.accept("["):
            items = [self._pattern()]
            while self.accept(","):
                items.append(self._pattern())
            self.expect("]", "after the pattern")
            pattern: syntax.Pattern = syntax.ArrayPattern(items=tuple(items), span=self.span(token.start))
        elif self.accept("{"):
            entries = [self._pattern_entry()]
            while self.accept(","):
                entries.append(self._pattern_entry())
            self.expect("}", "after the pattern")
            pattern = syntax.ObjectPattern(entries=tuple(entries), span=self.span(token.start))
        else:
            self.unexpected("a pattern (`$name`, `[…]` or `{…}`)")
        self.depth -= 1
        return pattern

    def _pattern_entry(self) -> tuple[syntax.Node, str | None, syntax.Pattern | None]:
        token = self.token
        if token.kind == "variable":
            self.advance()
            key: syntax.Node = syntax.Literal(value=token.value[1:], span=self.span(token.start))
            return key, token.value[1:], self._pattern() if self.accept(":") else None
        key = self._key()
        self.expect(":", "after the key of the pattern")
        return key, None, self._pattern()
