"""Cutting a program behind its iterated steps."""

from __future__ import annotations

import msgspec

from workload_map.path import core, syntax


def split_at_last_iteration(program: core.Resolved) -> tuple[core.Resolved, core.Resolved] | None:
    """The program up to its last iterated step, and the rest; None where there is no such cut."""
    parts = stages_of(program.body)
    for number in range(len(parts) - 1, -1, -1):
        if not _iterates(parts[number]):
            continue
        front, rest = parts[: number + 1], parts[number + 1 :]
        if _binds(front):  # a variable of the front may be used behind
            return None
        return _program(program, front), _program(program, rest)
    return None


def entry_by_entry(node: syntax.Node) -> syntax.Node:
    """A program that gives `UNKNOWN` for an entry of which nothing is known, and goes on with the next one.

    So it is for what gives its outputs as they are, behind iterated steps, bindings and commas. What collects
    or chooses among them is as before: it ends with the first that is not known.
    """
    match node:
        case syntax.Bind(body=body):
            return msgspec.structs.replace(node, body=entry_by_entry(body))
        case syntax.Comma(parts=parts):
            return msgspec.structs.replace(node, parts=tuple(map(entry_by_entry, parts)))
        case syntax.Pipe() | syntax.Access():
            return _stages_entry_by_entry(stages_of(node))
    return node


def _stages_entry_by_entry(stages: list[syntax.Node]) -> syntax.Node:
    for number, stage in enumerate(stages[:-1], start=1):
        if _iterates(stage):
            rest = _stages_entry_by_entry(stages[number:])
            known = core.Form(name=core.KNOWN, args=(rest,), span=rest.span)
            return _piped([*stages[:number], known])
    last = stages[-1]
    if not isinstance(last, syntax.Access):
        last = entry_by_entry(last)
    return _piped([*stages[:-1], last])


def stages_of(node: syntax.Node) -> list[syntax.Node]:
    """The stages of a pipeline, accesses taken apart into their steps."""
    match node:
        case syntax.Pipe(parts=parts):
            return [stage for part in parts for stage in stages_of(part)]
        case syntax.Access(head=head, steps=steps):
            return _steps(head, steps, node)
    return [node]


def _steps(head: syntax.Node, steps: tuple[syntax.Step, ...], node: syntax.Access) -> list[syntax.Node]:
    """An access as stages. Computed keys look at the `.` of the whole access: such a one stays whole."""
    if any(isinstance(step, syntax.Index | syntax.Slice) for step in steps):
        return [node]
    stages = [] if isinstance(head, syntax.Identity) else stages_of(head)
    for step in steps:
        stages.append(syntax.Access(head=syntax.Identity(span=step.span), steps=(step,), span=step.span))
    return stages


def _iterates(node: syntax.Node) -> bool:
    """Whether a stage gives elements of what it gets."""
    match node:
        case syntax.Access(steps=steps):
            return any(isinstance(step, syntax.Iterate) for step in steps)
        case core.Form(name=name):
            return name in ("recurse/0", "recurse/1")
    return False


_REPEATING = ("recurse/0", "recurse/1", "range/1", "range/2", "range/3")


def repeats(node: syntax.Node) -> bool:
    """Whether some part of a program may give more outputs than are written there, such as one an entry."""
    return any(
        _iterates(item)
        or isinstance(item, core.Invoke | core.Parameter | syntax.Foreach)
        or (isinstance(item, core.Form) and item.name in _REPEATING)
        for item in core.walk(node)
    )


def _binds(stages: list[syntax.Node]) -> bool:
    return any(isinstance(item, syntax.Label | syntax.Bind) for stage in stages for item in core.walk(stage))


def _program(program: core.Resolved, stages: list[syntax.Node]) -> core.Resolved:
    body = _piped(stages) if stages else syntax.Identity(span=program.body.span)
    return msgspec.structs.replace(program, body=body)


def _piped(stages: list[syntax.Node]) -> syntax.Node:
    return stages[0] if len(stages) == 1 else syntax.Pipe(parts=tuple(stages), span=stages[0].span)
