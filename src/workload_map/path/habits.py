"""What people write out of the habit of other languages, and what it is called here."""

from __future__ import annotations

# What stands where the parser stumbles, from there on.
_WRITTEN = {
    "&&": "the operator is `and`",
    "||": "the operator is `or`",
    "|": "`or` chooses between conditions, `//` gives a default",
    "!": "`… | not` turns a condition around, `!=` compares",
    "=": "`==` compares",
    "'": "strings stand in double quotes",
    "\u201c": "strings stand in straight double quotes",
    "\u2018": "strings stand in straight double quotes",
    "*": "all elements are `[]`",
    "?//": "a default behind `?` needs a space between: `? //`",
    "in ": "`IN(…)` asks whether a value is one of several",
    "@": "elements are chosen with `.[] | select(…)`",
    "$.": "the whole value is `.`",
    "++": "a number is raised by `+= 1`",
    "$": "a variable is `$name`",
}
_NAMES = {
    "len": "length",
    "size": "length",
    "count": "length",
    "None": "null",
    "nil": "null",
    "undefined": "null",
    "True": "true",
    "False": "false",
    "lower": "ascii_downcase",
    "upper": "ascii_upcase",
    "filter": "select",
    "where": "select",
    "sum": "add",
    "concat": "add",
    "distinct": "unique",
    "exists": "has",
    "replace": "gsub",
    "matches": "test",
    "int": "tonumber",
    "str": "tostring",
}


def habit_at(text: str, start: int) -> str | None:
    """A hint about what stands at an offset; None where nothing is known."""
    for written, hint in _WRITTEN.items():
        if text.startswith(written, start):
            return hint
    if text[start : start + 1] == "." and text[start + 1 : start + 2].isdigit():
        return f"an element is `.[{text[start + 1]}]`"
    return None


def meant(name: str) -> str | None:
    """The name here of what is called so elsewhere."""
    return _NAMES.get(name)


def quoted_name(text: str, start: int) -> str | None:
    """A hint where a name begins right behind a `-` or `/` of what looks like the name of a field."""
    before = text[:start]
    if before[-1:] in ("-", "/") and (before[-2:-1].isalnum() or before[-2:-1] == "_"):
        return 'a field whose name has a `-`, `.` or `/` stands in quotes: `."my-name"`'
    return None
