"""What is known about a node without running it: how many outputs it gives, and how it would be written."""

from __future__ import annotations

from workload_map.path import core, syntax

# Forms that give exactly one output whatever their arguments give.
_SINGLE_FORMS = frozenset(
    [
        "not/0",
        "any/2",
        "all/2",
        "isempty/1",
        "sort_by/1",
        "group_by/1",
        "unique_by/1",
        "min_by/1",
        "max_by/1",
        "error/0",
        core.UNKNOWN,
    ]
)
_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")


def single(node: syntax.Node) -> bool:
    """Whether a node gives exactly one output, or fails."""
    match node:
        case syntax.Identity() | syntax.Literal() | syntax.Variable() | syntax.Array():
            return True
        case syntax.Text(parts=parts):
            return all(isinstance(part, str) or single(part) for part in parts)
        case syntax.Object(entries=entries):
            return all(single(key) and single(value) for key, value in entries)
        case syntax.Access(head=head, steps=steps):
            return single(head) and all(single_step(step) for step in steps)
        case syntax.Pipe(parts=nodes):
            return all(map(single, nodes))
        case syntax.Negate(body=body):
            return single(body)
        case syntax.Binary(left=left, right=right) | syntax.Logic(left=left, right=right):
            return single(left) and single(right)
        case syntax.Alternative(left=left, right=right):
            return single(left) and single(right)
        case syntax.Update(operator=operator, value=value):
            return operator == "|=" or single(value)
        case core.Native(args=args):
            return all(map(single, args))
        case core.Form(name=name, args=args):
            if name in ("getpath/1", "until/2", "error/1"):
                return all(map(single, args))
            return name in _SINGLE_FORMS
    return _single_binder(node)


def _single_binder(node: syntax.Node) -> bool:
    match node:
        case syntax.If(branches=branches, otherwise=otherwise):
            parts = [part for branch in branches for part in branch]
            return all(map(single, parts)) and (otherwise is None or single(otherwise))
        case syntax.Try(body=body, handler=handler):
            return handler is not None and single(body) and single(handler)
        case syntax.Reduce(initial=initial):
            return single(initial)
        case syntax.Bind(source=source, patterns=patterns, body=body):
            return len(patterns) == 1 and single(source) and single_pattern(patterns[0]) and single(body)
    return False


def single_step(step: syntax.Step) -> bool:
    """Whether a step gives one output for one input."""
    if step.optional:
        return False
    match step:
        case syntax.Field():
            return True
        case syntax.Index(key=key):
            return single(key)
        case syntax.Slice(low=low, high=high):
            return (low is None or single(low)) and (high is None or single(high))
    return False


def single_pattern(pattern: syntax.Pattern) -> bool:
    """Whether a pattern takes a value apart in exactly one way."""
    match pattern:
        case syntax.ArrayPattern(items=items):
            return all(map(single_pattern, items))
        case syntax.ObjectPattern(entries=entries):
            return all(single(key) and (below is None or single_pattern(below)) for key, _, below in entries)
    return True


def loops(node: syntax.Node) -> int:
    """How many loops the code for a node opens around the place that gets its outputs; 9 for unknown."""
    if single(node):
        return 0
    match node:
        case syntax.Access(head=head, steps=steps):
            if not all(_single_keys(step) for step in steps):
                return 9
            return loops(head) + sum(isinstance(step, syntax.Iterate) for step in steps)
        case syntax.Pipe(parts=parts):
            return sum(map(loops, parts))
        case syntax.If(branches=((test, then),), otherwise=core.Form(name="empty/0")):
            return loops(then) if single(test) else 9
        case core.Form(name="range/1" | "range/2" | "range/3", args=args):
            return 1 if all(map(single, args)) else 9
        case core.Parameter() | core.Form(name="recurse/0" | "recurse/1"):
            return 1
    return 9


def _single_keys(step: syntax.Step) -> bool:
    match step:
        case syntax.Index(key=key):
            return single(key)
        case syntax.Slice(low=low, high=high):
            return (low is None or single(low)) and (high is None or single(high))
    return True


def is_match(node: syntax.Binary) -> bool:
    """Whether an operator compares with a constant for equality."""
    return node.operator in ("==", "!=") and isinstance(node.right, syntax.Literal)


def boolean(node: syntax.Node) -> bool:
    """Whether a node gives only true and false."""
    match node:
        case syntax.Binary(operator=operator):
            return operator in _COMPARISONS
        case syntax.Logic():
            return True
        case syntax.Literal(value=value):
            return value is True or value is False
        case core.Form(name=name):
            return name in ("not/0", "any/2", "all/2", "isempty/1")
        case core.Native(name=name):
            return name in (
                "has/1",
                "test/1",
                "test/2",
                "contains/1",
                "startswith/1",
                "endswith/1",
                "isnan/0",
            )
    return False


def leaf(node: syntax.Node) -> bool:
    """Whether the code for a node that gives one output opens no blocks."""
    match node:
        case syntax.Identity() | syntax.Literal() | syntax.Variable():
            return True
        case syntax.Access(head=head, steps=steps):
            return leaf(head) and all(isinstance(step, syntax.Field) for step in steps)
        case core.Native(args=args):
            return all(map(leaf, args))
        case syntax.Binary(left=left, right=right):
            return leaf(left) and leaf(right)
        case syntax.Pipe(parts=parts):
            return all(map(leaf, parts))
        case core.Form(name=name, args=args):
            return name in ("not/0", "error/0", "error/1", "getpath/1") and all(map(leaf, args))
    return False


def steady(node: syntax.Node) -> bool:
    """Whether a node cannot fail and takes no time: it may be evaluated early."""
    return isinstance(node, syntax.Identity | syntax.Literal | syntax.Variable)


def accumulates(update: syntax.Node) -> bool:
    """Whether the update of a fold only puts into its state what is made without the state.

    Then no part of the state can come to stand in two places, and it may be changed in place.
    """
    return all(map(_puts, update.parts if isinstance(update, syntax.Pipe) else (update,)))


def _puts(node: syntax.Node) -> bool:
    match node:
        case syntax.Update(value=value):
            return _ignores_input(value) and single(value)
        case syntax.Binary(operator="+", left=syntax.Identity(), right=right):
            return _ignores_input(right) and single(right)
    return False


def _ignores_input(node: syntax.Node) -> bool:
    """Whether a node looks at nothing of `.`."""
    match node:
        case syntax.Literal() | syntax.Variable() | syntax.Array(body=None):
            return True
        case syntax.Pipe(parts=parts):
            return _ignores_input(parts[0])
        case syntax.Access(head=head, steps=steps):
            return _ignores_input(head) and all(isinstance(step, syntax.Field) for step in steps)
        case syntax.Array() | syntax.Object() | syntax.Binary() | syntax.Text() | syntax.Alternative():
            return all(map(_ignores_input, core.children(node)))
    return False
