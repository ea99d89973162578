"""The syntax tree of an expression: frozen nodes, each with its span in the text.

What is only another spelling is gone: `..` is a call of `recurse`, `$__loc__` a literal, a string without
interpolation a literal, a chain of `|` one flat node (so that long pipelines are not deep trees).
"""

from __future__ import annotations

from typing import Any

import msgspec

from workload_map.path.errors import Span


class Node(msgspec.Struct, frozen=True, eq=False, kw_only=True):
    """What all nodes share. Nodes are compared by identity: side tables are keyed by it."""

    span: Span


class Identity(Node, frozen=True, eq=False):
    """`.`."""


class Literal(Node, frozen=True, eq=False):
    """A constant: null, a boolean, a number, a string."""

    value: Any


class Text(Node, frozen=True, eq=False):
    """A string with interpolations: literal pieces and nodes in turn; `format` is applied to the nodes."""

    format: str
    parts: tuple[str | Node, ...]


class Variable(Node, frozen=True, eq=False):
    """`$name`."""

    name: str


class Call(Node, frozen=True, eq=False):
    """`name(args; …)`: a builtin, a defined function or a parameter."""

    name: str
    args: tuple[Node, ...] = ()


class Array(Node, frozen=True, eq=False):
    """`[body]`; `body` None for `[]`."""

    body: Node | None


class Object(Node, frozen=True, eq=False):
    """`{key: value, …}`; keys are nodes, since they may be computed."""

    entries: tuple[tuple[Node, Node], ...]


class Step(Node, frozen=True, eq=False):
    """One step of an access; `optional` is a `?` right behind it."""

    optional: bool


class Field(Step, frozen=True, eq=False):
    """`.name` or `.["name"]`, or an index that is a literal number: the key is known."""

    key: Any


class Index(Step, frozen=True, eq=False):
    """`[key]` with a computed key."""

    key: Node


class Slice(Step, frozen=True, eq=False):
    """`[low:high]`; None for an open end."""

    low: Node | None
    high: Node | None


class Iterate(Step, frozen=True, eq=False):
    """`[]`."""


class Access(Node, frozen=True, eq=False):
    """Steps from the outputs of `head`."""

    head: Node
    steps: tuple[Step, ...]


class Pipe(Node, frozen=True, eq=False):
    """`a | b | …`, flat."""

    parts: tuple[Node, ...]


class Comma(Node, frozen=True, eq=False):
    """`a, b, …`, flat."""

    parts: tuple[Node, ...]


class Negate(Node, frozen=True, eq=False):
    """`-body`."""

    body: Node


class Binary(Node, frozen=True, eq=False):
    """Arithmetic or comparison; `operator` as written."""

    operator: str
    left: Node
    right: Node


class Logic(Node, frozen=True, eq=False):
    """`and` or `or`."""

    operator: str
    left: Node
    right: Node


class Alternative(Node, frozen=True, eq=False):
    """`left // right`."""

    left: Node
    right: Node


class Update(Node, frozen=True, eq=False):
    """`target = value`, `target |= value`, `target += value` and their like."""

    operator: str
    target: Node
    value: Node


class If(Node, frozen=True, eq=False):
    """`if … then … elif … else … end`; `otherwise` None where there is no `else`."""

    branches: tuple[tuple[Node, Node], ...]
    otherwise: Node | None


class Try(Node, frozen=True, eq=False):
    """`try body catch handler`, and `body?` with `handler` None."""

    body: Node
    handler: Node | None


class Reduce(Node, frozen=True, eq=False):
    """`reduce source as pattern (initial; update)`."""

    source: Node
    patterns: tuple[Pattern, ...]
    initial: Node
    update: Node


class Foreach(Node, frozen=True, eq=False):
    """`foreach source as pattern (initial; update; extract)`; `extract` None in the form with two parts."""

    source: Node
    patterns: tuple[Pattern, ...]
    initial: Node
    update: Node
    extract: Node | None


class Bind(Node, frozen=True, eq=False):
    """`source as pattern ?// pattern … | body`."""

    source: Node
    patterns: tuple[Pattern, ...]
    body: Node


class Function(Node, frozen=True, eq=False):
    """`def name(params): body;`; a parameter written `$x` keeps its `$`."""

    name: str
    params: tuple[str, ...]
    body: Node


class Define(Node, frozen=True, eq=False):
    """Definitions, in order, and the expression that may use them."""

    functions: tuple[Function, ...]
    body: Node


class Label(Node, frozen=True, eq=False):
    """`label $name | body`."""

    name: str
    body: Node


class Break(Node, frozen=True, eq=False):
    """`break $name`."""

    name: str


class Pattern(Node, frozen=True, eq=False):
    """The left side of a binding."""


class VariablePattern(Pattern, frozen=True, eq=False):
    """`$name`."""

    name: str


class ArrayPattern(Pattern, frozen=True, eq=False):
    """`[pattern, …]`."""

    items: tuple[Pattern, ...]


class ObjectPattern(Pattern, frozen=True, eq=False):
    """`{key: pattern, $name, $name: pattern, …}`: key, the variable bound on the way, the pattern below."""

    entries: tuple[tuple[Node, str | None, Pattern | None], ...]
