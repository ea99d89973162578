"""What is known of a program before it runs: its grade, whether it can be written through, what it reads.

Grades: `path` selects and nothing else, so that it can be written through; `total` cannot loop and its work
is linear in the value; `general` is all else and is counted against the budget.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from workload_map.path import core, syntax
from workload_map.path.compiler.shape import single
from workload_map.path.outputs import count_of
from workload_map.path.places import is_path
from workload_map.path.reads import ReadPattern, reads

# Forms that can go on for ever, or whose work is not bounded by the value.
_UNBOUNDED = frozenset(
    ["range/1", "range/2", "range/3", "recurse/1", "walk/1", "until/2", "path/1", "paths/0"]
)
# Builtins that give more than they are given, or whose work is more than linear.
_COSTLY = frozenset(
    ["_matches/2", "split/2", "transpose/0", "setpath/2", "delpaths/1", "indices/1", "tojson/0", "implode/0"]
)
# Forms that do no more than their arguments.
_CONSTANT = frozenset(
    [
        "empty/0",
        "not/0",
        "error/0",
        "error/1",
        "first/1",
        "last/1",
        "limit/2",
        "skip/2",
        "isempty/1",
        "getpath/1",
        core.UNKNOWN,
        core.KNOWN,
    ]
)
_MAX_FACTOR = 16


class Facts(msgspec.Struct, frozen=True):
    """What is known of an expression before it runs.

    Attributes:
        grade: `path`, `total` or `general`.
        writable: Whether each output is at a location, so that it can be set there.
        many: Whether it may give several outputs.
        reads: Patterns of all fields that it may look at.
    """

    grade: str
    writable: bool
    many: bool
    reads: tuple[ReadPattern, ...]


class _Cost(NamedTuple):
    """How work grows: a constant factor, and how often the value's size is multiplied in."""

    factor: int
    degree: int


def facts_of(program: core.Resolved) -> Facts:
    """The facts of a program."""
    writable = is_path(program.body)
    cost = cost_of(program.body)
    bounded = cost is not None and cost.factor <= _MAX_FACTOR and cost.degree <= 1
    grade = "path" if writable and bounded and _plain(program.body) else "total" if bounded else "general"
    return Facts(grade=grade, writable=writable, many=count_of(program).most > 1, reads=reads(program))


def _plain(node: syntax.Node) -> bool:
    """Whether a path has only steps and filters."""
    return not any(isinstance(item, core.Invoke | core.Parameter) for item in core.walk(node))


def cost_of(node: syntax.Node) -> _Cost | None:
    """The cost of a node for one input; None where no bound is known."""
    match node:
        case syntax.Identity() | syntax.Literal() | syntax.Variable() | syntax.Break():
            return _Cost(1, 0)
        case syntax.Access(head=head, steps=steps):
            return _access_cost(head, steps)
        case syntax.Pipe(parts=parts):
            return _pipe_cost(parts)
        case syntax.Comma(parts=parts):
            costs = [cost_of(part) for part in parts]
            return _sum(costs)
        case core.Form(name=name, args=args):
            return _form_cost(name, args)
        case core.Native(name=name, args=args):
            inner = _most([cost_of(arg) for arg in args])
            if name in _COSTLY or inner is None or inner.degree:
                return None
            return _Cost(inner.factor, 0)
        case core.Invoke() | core.Parameter() | syntax.Update() | syntax.Reduce() | syntax.Foreach():
            return None
        case syntax.Bind(source=source, body=body):
            return _together([source, body])
        case syntax.Binary(left=left, right=right) | syntax.Logic(left=left, right=right):
            return _together([left, right])
    return _together(list(core.children(node)))


def _form_cost(name: str, args: tuple[syntax.Node, ...]) -> _Cost | None:
    if name in _UNBOUNDED:
        return None
    if name in ("any/2", "all/2"):
        return _pipe_cost(args)
    inner = _most([cost_of(arg) for arg in args])
    if inner is None or name in _CONSTANT:
        return inner
    return _Cost(inner.factor, inner.degree + 1)


def _access_cost(head: syntax.Node, steps: tuple[syntax.Step, ...]) -> _Cost | None:
    total = cost_of(head)
    own_value = _own(head)
    for step in steps:
        if isinstance(step, syntax.Iterate):
            # Iterating parts of the value again and again still meets each part once.
            degree = 1 if own_value else (total.degree + 1 if total else 0)
            total = None if total is None else _Cost(total.factor, max(total.degree, degree))
        elif isinstance(step, syntax.Index | syntax.Slice):
            for child in core.children(step):
                total = _product(total, cost_of(child))
    return total


def _own(node: syntax.Node) -> bool:
    """Whether the outputs of a node are parts of its input, each met once."""
    match node:
        case syntax.Identity():
            return True
        case syntax.Access(head=head, steps=steps):
            return _own(head) and all(isinstance(step, syntax.Field | syntax.Iterate) for step in steps)
        case syntax.Pipe(parts=parts):
            return all(map(_own, parts))
        case syntax.If(branches=((_, syntax.Identity()),), otherwise=core.Form(name="empty/0")):
            return True
        case syntax.Array(body=body):
            return body is None or _own(body)
    return False


def _pipe_cost(parts: tuple[syntax.Node, ...]) -> _Cost | None:
    total: _Cost | None = _Cost(1, 0)
    own = True
    for part in parts:
        cost = cost_of(part)
        if total is None or cost is None:
            return None
        degree = (
            max(total.degree, cost.degree) if own and not _looks_around(part) else total.degree + cost.degree
        )
        total = _Cost(total.factor * cost.factor, degree)
        own = own and _own(part)
    return total


def _looks_around(node: syntax.Node) -> bool:
    """Whether a node reads what is not its input."""
    return any(isinstance(item, syntax.Variable) for item in core.walk(node))


def _sum(costs: list[_Cost | None]) -> _Cost | None:
    known = [cost for cost in costs if cost is not None]
    if len(known) < len(costs):
        return None
    return _Cost(max(1, sum(cost.factor for cost in known)), max((cost.degree for cost in known), default=0))


def _most(costs: list[_Cost | None]) -> _Cost | None:
    known = [cost for cost in costs if cost is not None]
    if len(known) < len(costs):
        return None
    return _Cost(
        max((cost.factor for cost in known), default=1), max((cost.degree for cost in known), default=0)
    )


def _together(nodes: list[syntax.Node]) -> _Cost | None:
    """Nodes evaluated side by side, where each has one output; else all combinations."""
    costs = [cost_of(node) for node in nodes]
    if all(map(single, nodes)):
        return _sum(costs)
    total: _Cost | None = _Cost(1, 0)
    for cost in costs:
        total = _product(total, cost)
    return total


def _product(left: _Cost | None, right: _Cost | None) -> _Cost | None:
    if left is None or right is None:
        return None
    return _Cost(left.factor * right.factor, left.degree + right.degree)
