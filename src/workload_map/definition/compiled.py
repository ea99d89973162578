"""The expressions of a definition with what is known of them before they run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from workload_map import path
from workload_map.definition.schema import Definition
from workload_map.definition.slots import Expression, expressions
from workload_map.path import syntax
from workload_map.path.parser import parse


class Compiled(NamedTuple):
    """An expression that can be run.

    Attributes:
        expression: The expression and where it stands.
        facts: What is known of it before it runs.
        tree: What was written, as a tree.
    """

    expression: Expression
    facts: path.Facts
    tree: syntax.Node


def compiled(
    definition: Definition,
    on_error: Callable[[Expression, path.PathSyntaxError], None],
) -> Iterator[Compiled]:
    """The expressions of a definition that compile; the others are given to `on_error`.

    Paths of components on the workload may use the references as variables.
    """
    references = tuple(reference.name for reference in definition.spec.structure_definition.references)
    for expression in expressions(definition):
        try:
            facts = path.check(expression.text, variables=references if expression.sees_references else ())
            yield Compiled(expression, facts, parse(expression.text))
        except path.PathSyntaxError as error:
            on_error(expression, error)
