"""The expressions of a definition with what is known of them before they run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from workload_map import path
from workload_map.definition import schema
from workload_map.definition.findings import Report
from workload_map.definition.schema import Definition
from workload_map.definition.slots import SLOTS, Expression, expressions
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


def check(definition: Definition, report: Report) -> None:
    """Report each expression that does not compile, so that the definition cannot be used.

    They are compiled as the engine does it, for which most need not be compiled again.
    """
    references = tuple(reference.name for reference in definition.spec.structure_definition.references)
    for expression in expressions(definition):
        variables = references if expression.sees_references and "$" in expression.text else ()
        try:
            path.compile(
                expression.text, variables=variables, null_is_empty=expression.slot is not _STATUS_EXPRESSION
            )
        except path.PathSyntaxError as error:
            report_invalid(expression, error, report)


def report_invalid(expression: Expression, error: path.PathSyntaxError, report: Report) -> None:
    """Report that an expression does not compile."""
    message = f"{error.message} ({error.location} of the expression)"
    report.add("expression-invalid", expression.steps, message, error.hint)


_STATUS_EXPRESSION = SLOTS[schema.ExpressionMatcher, "expression"]
