"""Text to tokens, each with its place. Strings with interpolations become several tokens."""

from __future__ import annotations

import re
from typing import NamedTuple

from workload_map.path.errors import PathSyntaxError
from workload_map.path.habits import habit_at

KEYWORDS = frozenset(
    [
        "def",
        "as",
        "if",
        "then",
        "elif",
        "else",
        "end",
        "and",
        "or",
        "reduce",
        "foreach",
        "try",
        "catch",
        "label",
        "import",
        "include",
        "__loc__",
        "module",
    ]
)

_NAME = r"[A-Za-z_][A-Za-z0-9_]*"
_TOKEN = re.compile(
    rf"""
      (?P<number>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)
    | (?P<field>\.{_NAME})
    | (?P<name>(?:{_NAME}::)*{_NAME})
    | (?P<variable>\$(?:{_NAME}::)*{_NAME})
    | (?P<format>@[A-Za-z0-9_]+)
    | (?P<op>\?//=|\?//|//=|\|=|\+=|-=|\*=|/=|%=|==|!=|<=|>=|//|\.\.|[.\[\](){{}}|,:;=<>+\-*/%?$])
    | (?P<quote>")
    """,
    re.VERBOSE,
)
_BLANK = re.compile(r"(?:[ \t\r\n]+|\#(?:[^\\\r\n]|\\(?:\r\n|[^\r])|\\(?=\r(?!\n))|\r(?!\n))*)*")
_PLAIN = re.compile(r'[^"\\]*')
_ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_HEX = re.compile(r"[0-9a-fA-F]{4}")


class Token(NamedTuple):
    """A token: `kind` is a group of the lexer, or a string's part, or `end`; offsets are in code points.

    A string is one token `string` when nothing is interpolated. Else it is `open`, then in turn `text` and,
    for each interpolation, `(` … `)` around its tokens as `enter` and `leave`, then `close`.
    """

    kind: str
    value: str
    start: int
    end: int


def tokenize(text: str) -> list[Token]:
    """All tokens of an expression; the last is of kind `end`.

    Raises:
        PathSyntaxError: A character that starts no token, a bad escape, a string without its end.
    """
    tokens: list[Token] = []
    depths: list[int] = []  # one entry an open interpolation: how many of its own parentheses are open
    position = 0
    while True:
        blank = _BLANK.match(text, position)
        position = blank.end() if blank else position
        if position >= len(text):
            break
        found = _TOKEN.match(text, position)
        if found is None:
            raise PathSyntaxError(
                f"unexpected character {text[position]!a}",
                text,
                position,
                position + 1,
                hint=habit_at(text, position),
            )
        kind, value = found.lastgroup or "", found.group()
        start, position = position, found.end()
        if kind == "quote":
            position = _string(text, start, position, tokens, depths, opening=True)
            continue
        if depths and value == ")" and depths[-1] == 0:
            depths.pop()
            tokens.append(Token("leave", value, start, position))
            position = _string(text, start, position, tokens, depths, opening=False)
            continue
        if depths:
            depths[-1] += (value == "(") - (value == ")")
        tokens.append(Token("keyword" if value in KEYWORDS else kind, value, start, position))
    if depths:
        raise PathSyntaxError("the string has no end", text, len(text) - 1)
    tokens.append(Token("end", "", len(text), len(text)))
    return tokens


def _string(
    text: str, start: int, position: int, tokens: list[Token], depths: list[int], *, opening: bool
) -> int:
    """Read string text up to its end or its next interpolation; the offset behind it."""
    pieces: list[str] = []
    while True:
        plain = _PLAIN.match(text, position)
        if plain is not None:
            pieces.append(plain.group())
            position = plain.end()
        if position >= len(text):
            raise PathSyntaxError("the string has no end", text, start, start + 1)
        if text[position] == '"':
            value = "".join(pieces)
            if opening:
                tokens.append(Token("string", value, start, position + 1))
            else:
                tokens.append(Token("text", value, start, position))
                tokens.append(Token("close", '"', position, position + 1))
            return position + 1
        if text.startswith("\\(", position):
            if opening:
                tokens.append(Token("open", '"', start, start + 1))
            tokens.append(Token("text", "".join(pieces), start, position))
            tokens.append(Token("enter", "\\(", position, position + 2))
            depths.append(0)
            return position + 2
        char, position = _escape(text, position)
        pieces.append(char)


def _escape(text: str, start: int) -> tuple[str, int]:
    """The character of the escape that begins at `start`, and the offset behind it."""
    letter = text[start + 1 : start + 2]
    if letter in _ESCAPES and letter:
        return _ESCAPES[letter], start + 2
    if letter != "u" or not _HEX.match(text, start + 2):
        raise PathSyntaxError("unknown escape in a string", text, start, start + 2)
    code, end = int(text[start + 2 : start + 6], 16), start + 6
    if 0xD800 <= code < 0xDC00 and text.startswith("\\u", end) and _HEX.match(text, end + 2):
        low = int(text[end + 2 : end + 6], 16)
        if 0xDC00 <= low < 0xE000:
            return chr(0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00)), end + 6
    # A lone half of a surrogate pair is no character; jq engines put the replacement character.
    return chr(0xFFFD) if 0xD800 <= code < 0xE000 else chr(code), end
