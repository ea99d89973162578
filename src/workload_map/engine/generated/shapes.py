"""What of a path decides where its outputs lie, known before it runs: only what is certain gets generated."""

from __future__ import annotations

from typing import NamedTuple

from workload_map import path
from workload_map.path import core, syntax
from workload_map.path.compiler.shape import single, single_pattern, single_step
from workload_map.path.library import has_located
from workload_map.path.splitting import stages_of

Steps = tuple[str | None, ...]
"""Fields from the object down; None stands for an iteration."""

_COMPUTED_FORMS = frozenset(["not/0", "any/2", "all/2", "isempty/1"])


class Shape(NamedTuple):
    """A path as plain steps to the last iteration (none, if nothing is iterated), and what follows there.

    Attributes:
        front: The steps, the last of them an iteration; empty where there is none.
        rest: What is evaluated on each element (on the object, where nothing is iterated).
    """

    front: Steps
    rest: syntax.Node


def shape_of(program: path.Program) -> Shape | None:
    """The shape of a program that gives at most one output an element; None for any other."""
    body = program.resolved.body
    stages = stages_of(body)
    steps: list[str | None] = []
    for stage in stages:
        step = _plain_step(stage)
        if step is None:
            break
        steps += step
    depth = max((number + 1 for number, step in enumerate(steps) if step is None), default=0)
    rest = _joined(stages[depth:], body) if depth else body
    return Shape(tuple(steps[:depth]), rest) if at_most_one(rest) else None


def plain_steps(program: path.Program) -> tuple[str, ...] | None:
    """The fields of a path that is nothing else: `.status.conditions`; None for any other."""
    steps = [step for stage in stages_of(program.resolved.body) for step in _plain_step(stage) or (None,)]
    keys = tuple(step for step in steps if step is not None)
    return keys if len(keys) == len(steps) else None


def _plain_step(stage: syntax.Node) -> Steps | None:
    """A stage that is one plain step; None for any other."""
    match stage:
        case syntax.Access(head=syntax.Identity(), steps=(syntax.Field(key=str(key), optional=False),)):
            return (key,)
        case syntax.Access(head=syntax.Identity(), steps=(syntax.Iterate(optional=False),)):
            return (None,)
    return None


def _joined(stages: list[syntax.Node], body: syntax.Node) -> syntax.Node:
    if not stages:
        return syntax.Identity(span=body.span)
    return stages[0] if len(stages) == 1 else syntax.Pipe(parts=tuple(stages), span=body.span)


def at_most_one(node: syntax.Node) -> bool:
    """Whether a node gives no more than one output."""
    if single(node):
        return True
    match node:
        case syntax.Access(head=head, steps=steps):
            return at_most_one(head) and all(_one_step(step) for step in steps)
        case syntax.Pipe(parts=parts):
            return all(map(at_most_one, parts))
        case syntax.If(branches=branches, otherwise=otherwise):
            tests, ways = [test for test, _ in branches], [way for _, way in branches]
            return (
                all(map(single, tests))
                and all(map(at_most_one, ways))
                and (otherwise is None or at_most_one(otherwise))
            )
        case syntax.Alternative(left=left, right=right):
            return at_most_one(left) and at_most_one(right)
        case syntax.Try(body=body, handler=None):
            return at_most_one(body)
        case syntax.Bind(source=source, patterns=(pattern,), body=body):
            return at_most_one(source) and single_pattern(pattern) and at_most_one(body)
        case core.Form(name="empty/0" | "first/1" | "last/1"):
            return True
    return False


def _one_step(step: syntax.Step) -> bool:
    return single_step(step) or isinstance(step, syntax.Field)


def places(node: syntax.Node, here: Steps = ()) -> frozenset[Steps] | None:
    """All locations that outputs of a node may have, from that of its `.`; None where that is not certain.

    A computed output has the location of the `.` that it was computed from.
    """
    match node:
        case syntax.Identity() | syntax.Literal() | syntax.Binary() | syntax.Logic() | syntax.Negate():
            return frozenset([here])
        case syntax.Text():
            return frozenset([here])
        case syntax.Access(head=head, steps=steps):
            keys = tuple(
                step.key for step in steps if isinstance(step, syntax.Field) and type(step.key) is str
            )
            found = places(head, here) if len(keys) == len(steps) else None
            return None if found is None else frozenset((*one, *keys) for one in found)
        case syntax.Pipe(parts=parts):
            return _through(parts, here)
        case syntax.If(branches=branches, otherwise=otherwise):
            other = syntax.Identity(span=node.span) if otherwise is None else otherwise
            return _united([way for _, way in branches] + [other], here)
        case syntax.Alternative(left=left, right=right):
            return _united([left, right], here)
        case core.Native(name=name):
            return None if has_located(name) else frozenset([here])
        case core.Form(name="empty/0"):
            return frozenset()
        case core.Form(name=name):
            return frozenset([here]) if name in _COMPUTED_FORMS else None
    return None


def _through(parts: tuple[syntax.Node, ...], here: Steps) -> frozenset[Steps] | None:
    found = frozenset([here])
    for part in parts:
        below = [places(part, one) for one in found]
        if None in below:
            return None
        found = frozenset(place for some in below for place in some or ())
    return found


def _united(nodes: list[syntax.Node], here: Steps) -> frozenset[Steps] | None:
    found = [places(node, here) for node in nodes]
    return None if None in found else frozenset(place for some in found for place in some or ())
