"""What is doubtful about the text of an expression that is valid."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from workload_map.path import syntax
from workload_map.path.core import walk

# What the validation of other readers of definitions forbids.
_FORBIDDEN_ELSEWHERE = frozenset({"del", "range", "paths", "recurse", "walk", "repeat"})
# What gojq, which those readers run, does not have.
UNKNOWN_ELSEWHERE = frozenset(
    ["ascii", "have_decnum", "have_literal_numbers", "keys_unsorted", "lgamma_r", "toarray"]
)


class Doubt(NamedTuple):
    """A doubt about a part of an expression."""

    code: str
    message: str
    hint: str | None = None


def doubts(tree: syntax.Node, *, for_each_instance: bool) -> Iterator[Doubt]:
    """All doubts about an expression.

    Args:
        tree: Its syntax tree.
        for_each_instance: Whether it should give an output for each instance of a component.
    """
    forbidden = sorted({word for node in walk(tree) if (word := _forbidden(node)) is not None})
    if forbidden:
        message = f"{', '.join(forbidden)}: forbidden by other readers of definitions"
        yield Doubt("expression-not-portable", message)
    unknown = sorted({word for node in walk(tree) if (word := _unknown(node)) is not None})
    if unknown:
        message = f"{', '.join(unknown)}: unknown to other readers of definitions"
        yield Doubt(
            "expression-not-portable",
            message,
            "write keys, which gives the same here" if unknown == ["keys_unsorted"] else None,
        )
    defaults = [node for node in walk(tree) if isinstance(node, syntax.Alternative)]
    if any(isinstance(node.right, syntax.Literal) and node.right.value is True for node in defaults):
        message = "`// true` makes an explicit false true"
        yield Doubt("default-hides-false", message)
    if for_each_instance and any(_is_default_for_all(node) for node in defaults):
        message = "the default behind `//` is one for the whole list, not one for each entry"
        yield Doubt("default-for-all", message)


def _forbidden(node: syntax.Node) -> str | None:
    if isinstance(node, syntax.Update):
        return node.operator
    if isinstance(node, syntax.Call) and node.name in _FORBIDDEN_ELSEWHERE:
        return node.name
    return None


def _unknown(node: syntax.Node) -> str | None:
    if isinstance(node, syntax.Call) and node.name in UNKNOWN_ELSEWHERE:
        return node.name
    return None


def _is_default_for_all(node: syntax.Alternative) -> bool:
    is_dropped = isinstance(node.right, syntax.Call) and node.right.name == "empty"
    return not is_dropped and _iterates(node.left)


def _iterates(node: syntax.Node) -> bool:
    """Whether the outputs of a node are those of a list or map that it goes through."""
    if isinstance(node, syntax.Access):
        return any(isinstance(step, syntax.Iterate) for step in node.steps) or _iterates(node.head)
    if isinstance(node, syntax.Pipe):
        return any(_iterates(part) for part in node.parts)
    if isinstance(node, syntax.Try):
        return _iterates(node.body)
    return False
