"""`-o jsonpath=TEMPLATE`: text with values in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from workload_map.render.jsonpath import steps
from workload_map.render.jsonpath.checking import Schema, check
from workload_map.render.jsonpath.errors import JsonPathError, JsonPathValueError
from workload_map.render.jsonpath.parsing import Loop, Node, Text, Values, parse_template
from workload_map.render.machine import to_json_line

Show = Callable[[str], str]


class Template:
    r"""A template, ready to print.

    Args:
        text: As kubectl takes it: `{range .items[*]}{.name}{"\n"}{end}`.
        schema: The JSON Schema of what it is applied to.

    Raises:
        JsonPathError: It cannot be read, or names what is in no such document.
    """

    def __init__(self, text: str, schema: Schema) -> None:
        self._text = text
        self._nodes = parse_template(text)
        if not any(isinstance(node, Values | Loop) for node in self._nodes):
            raise JsonPathError(
                "the template has no path, so it would print itself", text, 0, hint="as in {.items[*].name}"
            )
        self._check(self._nodes, schema, None)

    def pieces(self, value: Any, show: Show = str) -> Iterator[str]:
        """The text, in pieces; no line end is added.

        Args:
            value: A document of plain objects.
            show: Makes texts out of the document fit for where they are shown.

        Raises:
            JsonPathError: A step does not fit what it is applied to.
        """
        try:
            yield from _printed(self._nodes, value, show)
        except JsonPathValueError as error:
            raise error.placed(self._text) from None

    def _check(self, nodes: Sequence[Node], root: Schema, at: list[Schema] | None) -> None:
        for node in nodes:
            if isinstance(node, Text):
                continue
            found = check(node.path, self._text, root, at)
            if isinstance(node, Loop):
                self._check(node.body, root, found)


def _printed(nodes: Sequence[Node], value: Any, show: Show) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, Text):
            yield node.text
        elif isinstance(node, Values):
            yield " ".join(shown(found, show) for found in steps.select(node.path, value))
        else:
            for found in steps.select(node.path, value):
                yield from _printed(node.body, found, show)


def shown(value: Any, show: Show) -> str:
    """A value as text: texts as they are, everything else as JSON."""
    return show(value) if isinstance(value, str) else to_json_line(value).rstrip("\n")
