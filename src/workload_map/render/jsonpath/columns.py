"""`-o custom-columns=HEADING:PATH,…`: a table of the user's own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from workload_map.render.jsonpath import steps
from workload_map.render.jsonpath.checking import Schema, check
from workload_map.render.jsonpath.errors import JsonPathError, JsonPathValueError
from workload_map.render.jsonpath.parsing import parse_path
from workload_map.render.jsonpath.template import shown
from workload_map.render.rows import NONE
from workload_map.render.style import Style
from workload_map.render.table import Cell, Widths, lines
from workload_map.render.text import printable

# A comma in quotes or brackets belongs to the path.
_COLUMN = re.compile(r"""(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\[(?:[^\]"']|"[^"]*"|'[^']*')*\]|[^,])*""")


class _Column(NamedTuple):
    heading: str
    path: steps.Path


class Columns:
    """The columns, ready to print.

    Args:
        text: As kubectl takes it: `NAME:.name,GPU:.totals.gpus`.
        schema: The JSON Schema of one workload.

    Raises:
        JsonPathError: It cannot be read, or names what no workload has.
    """

    def __init__(self, text: str, schema: Schema) -> None:
        self._text = text
        self._columns = list(_parsed(text, schema))
        self._before = Widths()

    def table(self, values: Iterable[Any], style: Style, *, headings: bool) -> Iterator[str]:
        """The lines of the table, a row a workload; they align with those of earlier calls.

        Args:
            values: The workloads as plain objects.
            style: What the terminal can show.
            headings: Whether the headings come first, also where there are no rows.

        Raises:
            JsonPathError: A step does not fit what it is applied to.
        """
        names = [printable(column.heading) for column in self._columns]
        rows = [[Cell(name, style.heading(name)) for name in names]] if headings else []
        rows += [[self._cell(column, value) for column in self._columns] for value in values]
        if rows:
            yield from lines(rows, style, before=self._before)

    def _cell(self, column: _Column, value: Any) -> Cell:
        try:
            found = [each for each in steps.select(column.path, value) if each is not None]
        except JsonPathValueError as error:
            raise error.placed(self._text) from None
        return Cell.plain(",".join(shown(each, printable) for each in found) or NONE)


def _parsed(text: str, schema: Schema) -> Iterator[_Column]:
    at = 0
    while True:
        end = _COLUMN.match(text, at).end()  # type: ignore[union-attr]  # it matches the empty text too
        heading, colon, path = text[at:end].partition(":")
        if not heading.strip() or not colon or not path.strip():
            raise JsonPathError(
                "each column is a heading, a colon and a path",
                text,
                at,
                hint="as in NAME:.name,GPU:.totals.gpus",
            )
        found = parse_path(text, at + len(heading) + 1, end)
        check(found, text, schema)
        yield _Column(heading.strip(), found)
        if end == len(text):
            return
        at = end + 1
