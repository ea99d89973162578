"""The resolved tree: the syntax with every name decided, and what was only shorthand expanded.

The nodes of `syntax` stay in use; variables (`x1`), closure parameters (`c2`) and labels (`l3`) have names
that are unique in the program, and each `Call` has become one of the nodes here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from workload_map.path import syntax


class Parameter(syntax.Node, frozen=True, eq=False):
    """A call of a closure parameter."""

    name: str


class Native(syntax.Node, frozen=True, eq=False):
    """A builtin that is a function of values: its arguments are evaluated, all combinations of them."""

    name: str
    args: tuple[syntax.Node, ...]


class Form(syntax.Node, frozen=True, eq=False):
    """A builtin that the compiler writes out, since its arguments are expressions."""

    name: str
    args: tuple[syntax.Node, ...] = ()


UNKNOWN = "unknown/0"
"""The form that stands for a variable whose value is not known; no expression can name it."""

KNOWN = "known/1"
"""The form that gives what its argument gives, and `UNKNOWN` where that reads such a variable."""


class Invoke(syntax.Node, frozen=True, eq=False):
    """A call of a function that the expression (or a builtin written in the language) defines."""

    function: Definition
    args: tuple[syntax.Node, ...]


class Definition:
    """A function after resolution.

    Attributes:
        number: Unique in the program.
        params: For each parameter its unique name; `x…` is given a value, `c…` a closure.
        body: The resolved body.
        calls: The functions that the body calls.
        free: Names that the body uses and an outer scope binds, those of called functions included.
        recursive: Whether it may come to call itself.
        is_builtin: Whether it is a builtin that is written in the language.
    """

    __slots__ = ("body", "calls", "free", "is_builtin", "name", "number", "params", "recursive")

    def __init__(self, number: int, name: str) -> None:
        self.number = number
        self.name = name
        self.params: tuple[str, ...] = ()
        self.body: syntax.Node
        self.calls: set[Definition] = set()
        self.free: frozenset[str] = frozenset()
        self.recursive = False
        self.is_builtin = False


class Resolved(msgspec.Struct, frozen=True):
    """A program whose names are decided.

    Attributes:
        text: The expression as it was written.
        body: Its resolved tree.
        variables: Unique names of the variables that the caller passes in.
        given: The names that the caller has for them, in the same order.
        functions: All functions that it can reach.
        paired: Whether some part asks for paths (`path(f)`, an update): then closures give paths too.
        partial: Whether the values of some variables are not known.
    """

    text: str
    body: syntax.Node
    variables: tuple[str, ...]
    given: tuple[str, ...]
    functions: tuple[Definition, ...]
    paired: bool
    partial: bool = False


def children(node: syntax.Node) -> Iterator[syntax.Node]:
    """The nodes right below a node, in the order of the text; not the bodies of called functions."""
    for name in node.__struct_fields__:
        if name != "span":
            yield from _nodes_in(getattr(node, name))


def _nodes_in(part: Any) -> Iterator[syntax.Node]:
    """The nodes that a field of a node holds: itself, or those of its entries."""
    if isinstance(part, syntax.Node):
        yield part
    elif isinstance(part, tuple):
        for entry in part:
            yield from _nodes_in(entry)


def walk(node: syntax.Node) -> Iterator[syntax.Node]:
    """A node and everything below it; not the bodies of called functions."""
    stack = [node]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(children(node))


def free_names(node: syntax.Node) -> frozenset[str]:
    """Names used in a subtree that something outside of it binds. Names are unique, so sets are enough."""
    used: set[str] = set()
    bound: set[str] = set()
    for item in walk(node):
        match item:
            case syntax.Variable(name=name) | Parameter(name=name) | syntax.Break(name=name):
                used.add(name)
            case syntax.VariablePattern(name=name) | syntax.Label(name=name):
                bound.add(name)
            case syntax.ObjectPattern(entries=entries):
                bound.update(name for _, name, _ in entries if name is not None)
            case Invoke(function=function):
                used |= function.free
    return frozenset(used - bound)


def settle(functions: list[Definition]) -> None:
    """Fill in `free` and `recursive`, which depend on each other's functions: grow until nothing changes."""
    own = {function: _own_names(function) for function in functions}
    changed = True
    while changed:
        changed = False
        for function in functions:
            names = free_names(function.body) - own[function]
            if names != function.free:
                function.free = names
                changed = True
    for function in functions:
        function.recursive = _reaches(function, function)


def _own_names(function: Definition) -> frozenset[str]:
    return frozenset(function.params)


def _reaches(start: Definition, goal: Definition) -> bool:
    seen: set[Definition] = set()
    stack = list(start.calls)
    while stack:
        function = stack.pop()
        if function is goal:
            return True
        if function not in seen:
            seen.add(function)
            stack.extend(function.calls)
    return False
