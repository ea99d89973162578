"""The tokens of an expression under a cursor: what the parser stands on."""

from __future__ import annotations

from typing import NoReturn

from workload_map.path.errors import PathSyntaxError, Span
from workload_map.path.habits import habit_at
from workload_map.path.lexer import Token, tokenize

MAX_TOKENS = 2500


class Cursor:
    """One pass over the tokens of an expression; `token` is the next one."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = tokenize(text)
        self.index = 0
        self.token = self.tokens[0]
        self.depth = 0
        if len(self.tokens) > MAX_TOKENS:
            raise PathSyntaxError(
                f"the expression has {len(self.tokens)} tokens; {MAX_TOKENS} are allowed", text, 0
            )

    # Tokens

    def advance(self) -> Token:
        """Take the next token."""
        token = self.token
        self.index += 1
        self.token = self.tokens[min(self.index, len(self.tokens) - 1)]
        return token

    def at(self, *values: str) -> bool:
        """Whether the next token is one of these operators or keywords."""
        return self.token.value in values and self.token.kind in ("op", "keyword", "leave")

    def accept(self, value: str) -> bool:
        """Take an operator or keyword, if it is next."""
        if self.at(value):
            self.advance()
            return True
        return False

    def expect(self, value: str, why: str) -> Token:
        """Take an operator or keyword, which must be next."""
        if not self.at(value):
            self.unexpected(f"`{value}` {why}")
        return self.advance()

    def unexpected(self, expected: str) -> NoReturn:
        """Say that something else was expected here."""
        token = self.token
        found = "the end of the expression" if token.kind == "end" else f"`{token.value}`"
        raise PathSyntaxError(
            f"expected {expected}, found {found}",
            self.text,
            token.start,
            token.end,
            hint=habit_at(self.text, token.start),
        )

    def span(self, start: int) -> Span:
        """The span from an offset to the end of the last token taken."""
        return Span(start, self.tokens[max(0, self.index - 1)].end)
