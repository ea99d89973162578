"""Which expressions certainly give keys, or arrays of keys: what a computed step or `getpath` may take.

A step by a string or a number leads to one place. One by an array or an object does not: `.[["a"]]` looks for
indexes, `.[{"start": 1, "end": 2}]` cuts a slice.
"""

from __future__ import annotations

from enum import Enum
from typing import Any

from workload_map.path import core, syntax

# Calls of functions are followed so deep, and an expression in so many steps; beyond, nothing is known of it.
MAX_CALLS = 60
MAX_STEPS = 10_000

_KEY_FUNCTIONS = frozenset(
    [
        "tostring/0",
        "length/0",
        "join/1",
        "ascii_downcase/0",
        "ascii_upcase/0",
        "tonumber/0",
        "floor/0",
        "type/0",
    ]
)
_PATH_FUNCTIONS = frozenset(["keys/0", "keys_unsorted/0", "split/1", "split/2", "explode/0"])

# What names stand for: closures (`c…`) for a node and the names around it, variables (`x…`) for a `Kind`.
Names = dict[str, Any]


class Kind(Enum):
    """What all outputs of a node are, errors left out."""

    NONE = "there are none"
    KEY = "strings or numbers"
    PATH = "arrays of strings and numbers"
    ANY = "not known"


def _both(one: Kind, other: Kind) -> Kind:
    if one is other or other is Kind.NONE:
        return one
    return other if one is Kind.NONE else Kind.ANY


def _all(kinds: list[Kind]) -> Kind:
    found = Kind.NONE
    for kind in kinds:
        found = _both(found, kind)
    return found


class Keys:
    """Follows an expression with what is known of `.` and of names."""

    def __init__(self) -> None:
        self.steps = MAX_STEPS
        self.calls = 0

    def kind(self, node: syntax.Node, dot: Kind, names: Names) -> Kind:
        """What the outputs of a node are, where `.` is of a kind."""
        self.steps -= 1
        if self.steps < 0:
            return Kind.ANY
        match node:
            case syntax.Identity():
                return dot
            case syntax.Literal(value=value):
                is_key = isinstance(value, str | int | float) and not isinstance(value, bool)
                return Kind.KEY if is_key else Kind.ANY
            case syntax.Text() | syntax.Negate():
                return Kind.KEY
            case syntax.Variable(name=name):
                found: Kind = names.get(name, Kind.ANY)
                return found
            case syntax.Break():
                return Kind.NONE
            case core.Native(name=name):
                if name in _KEY_FUNCTIONS:
                    return Kind.KEY
                return Kind.PATH if name in _PATH_FUNCTIONS else Kind.ANY
            case core.Form(name=name, args=args):
                return self.form(name, args, dot, names)
        return self.way(node, dot, names)

    def way(self, node: syntax.Node, dot: Kind, names: Names) -> Kind:
        """A node that passes on the outputs of others, or is put together from them."""
        match node:
            case syntax.Access(head=head, steps=steps):
                found = self.kind(head, dot, names)
                for step in steps:
                    found = _stepped(step, found)
                return found
            case syntax.Array(body=body):
                inner = Kind.NONE if body is None else self.kind(body, dot, names)
                return Kind.PATH if inner in (Kind.NONE, Kind.KEY) else Kind.ANY
            case syntax.Binary(operator=operator, left=left, right=right):
                return _result(operator, self.kind(left, dot, names), self.kind(right, dot, names))
            case syntax.Pipe(parts=parts):
                for part in parts:
                    dot = self.kind(part, dot, names)
                return dot
            case syntax.Comma(parts=parts):
                return _all([self.kind(part, dot, names) for part in parts])
            case syntax.Alternative(left=left, right=right):
                return _both(self.kind(left, dot, names), self.kind(right, dot, names))
            case syntax.If(branches=branches, otherwise=otherwise):
                ways = [self.kind(then, dot, names) for _, then in branches]
                return _all([*ways, dot if otherwise is None else self.kind(otherwise, dot, names)])
            case syntax.Try(body=body, handler=handler):
                caught = Kind.NONE if handler is None else self.kind(handler, Kind.ANY, names)
                return _both(self.kind(body, dot, names), caught)
            case syntax.Bind(body=body):
                return self.kind(body, dot, self.bound(node, dot, names))
            case syntax.Label(body=body):
                return self.kind(body, dot, names)
        return self.call(node, dot, names)

    def call(self, node: syntax.Node, dot: Kind, names: Names) -> Kind:
        """A call of a function or of a closure."""
        match node:
            case core.Parameter(name=name):
                body, around = names[name]
                return self.kind(body, dot, around)
            case core.Invoke(function=function) if not function.recursive and self.calls < MAX_CALLS:
                self.calls += 1
                found = self.kind(function.body, dot, self.given(node, dot, names))
                self.calls -= 1
                return found
        return Kind.ANY

    def form(self, name: str, args: tuple[syntax.Node, ...], dot: Kind, names: Names) -> Kind:
        """A builtin whose arguments are expressions."""
        match name:
            case "empty/0" | "error/0" | "error/1":
                return Kind.NONE
            case "range/1" | "range/2" | "range/3":
                return Kind.KEY
            case "first/1" | "last/1" | "limit/2" | "skip/2":
                return self.kind(args[-1], dot, names)
            case "paths/0":
                return Kind.PATH
            case "path/1" if _by_keys(args[0]):
                return Kind.PATH
        return Kind.ANY

    def bound(self, node: syntax.Bind | syntax.Reduce | syntax.Foreach, dot: Kind, names: Names) -> Names:
        """The names behind a binding; those of a pattern that takes values apart stay unknown."""
        if len(node.patterns) > 1 or not isinstance(node.patterns[0], syntax.VariablePattern):
            return names
        return {**names, node.patterns[0].name: self.kind(node.source, dot, names)}

    def given(self, node: core.Invoke, dot: Kind, names: Names) -> Names:
        """The names within a called function."""
        found = dict(names)
        for param, arg in zip(node.function.params, node.args, strict=True):
            found[param] = (arg, names) if param[0] == "c" else self.kind(arg, dot, names)
        return found


def _stepped(step: syntax.Step, before: Kind) -> Kind:
    """What is found one step into outputs of a kind; an element that is not there is null, so no key."""
    match step:
        case syntax.Iterate():
            return Kind.KEY if before is Kind.PATH else Kind.ANY
        case syntax.Slice():
            return before
    return Kind.ANY


def _result(operator: str, left: Kind, right: Kind) -> Kind:
    """What an operator gives. A key and what is none make an error, but for null, which adds nothing."""
    if operator == "%":
        return Kind.KEY
    if operator in ("+", "-", "*") and Kind.KEY in (left, right):
        return Kind.KEY
    return Kind.PATH if operator in ("+", "-") and left is right is Kind.PATH else Kind.ANY


def _by_keys(node: syntax.Node) -> bool:
    """Whether the paths of a node's outputs are certainly made of keys."""
    match node:
        case syntax.Identity():
            return True
        case syntax.Access(head=head, steps=steps):
            return _by_keys(head) and all(isinstance(step, syntax.Field | syntax.Iterate) for step in steps)
        case syntax.Pipe(parts=parts) | syntax.Comma(parts=parts):
            return all(map(_by_keys, parts))
        case syntax.If(branches=branches, otherwise=otherwise):
            return all(_by_keys(then) for _, then in branches) and (otherwise is None or _by_keys(otherwise))
        case core.Form(name=name):
            return name in ("recurse/0", "empty/0")
    return False
