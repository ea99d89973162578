"""An expression in words: its stages, why it has its grade, and why it can or cannot be written through."""

from __future__ import annotations

import msgspec

from workload_map.path import core, syntax
from workload_map.path.errors import HIDDEN
from workload_map.path.facts import cost_of
from workload_map.path.parser import parse
from workload_map.path.places import obstacle
from workload_map.path.program import Program


class Explanation(msgspec.Struct, frozen=True):
    """What an author wants to know of an expression.

    Attributes:
        stages: For each stage of the pipeline its text and what it does.
        grade: Why the expression has its grade.
        writable: Why it can or cannot be written through.
    """

    stages: tuple[tuple[str, str], ...]
    grade: str
    writable: str


def explain(program: Program) -> Explanation:
    """The explanation of a compiled program."""
    tree = parse(program.text)
    parts = tree.parts if isinstance(tree, syntax.Pipe) else (tree,)
    return Explanation(
        stages=tuple((_source(program, part), _words(program, part)) for part in parts),
        grade=_grade(program),
        writable=_writable(program),
    )


def _source(program: Program, node: syntax.Node) -> str:
    """The text of a node; that of the expression where the node stands in none."""
    if node.span == HIDDEN:
        return program.text
    return " ".join(program.text[node.span.start : node.span.end].split())


# Why


def _grade(program: Program) -> str:
    body = program.resolved.body
    if program.grade == "path":
        return "it only selects"
    if program.grade == "total":
        return "it cannot loop, and its work grows with the value"
    node = body
    while True:
        unbounded = [child for child in core.children(node) if cost_of(child) is None]
        if len(unbounded) != 1:
            break
        node = unbounded[0]
    shown = f"`{_source(program, node)}` "
    match node:
        case core.Invoke() | core.Parameter():
            return shown + "calls a function, whose work is not known before it runs"
        case syntax.Update():
            return shown + "changes a copy of the value"
        case syntax.Reduce() | syntax.Foreach():
            return shown + "folds, and its state may grow"
        case core.Form() | core.Native() if cost_of(node) is None:
            return shown + "may go on without an end, or give more than it is given"
    return f"`{_source(program, body)}` may look at parts of the value again and again"


def _writable(program: Program) -> str:
    if program.writable:
        return "every output is at a place in the object"
    node = obstacle(program.resolved.body) or program.resolved.body
    shown = f"`{_source(program, node)}` "
    match node:
        case syntax.Slice():
            return shown + "is a slice, which is no single place"
        case syntax.Index():
            return shown + "may be a key that is an array or an object"
        case syntax.Alternative():
            return shown + "falls back to what may be no place in the object"
        case core.Form(name="getpath/1"):
            return shown + "may follow keys that are arrays or objects"
        case syntax.Literal():
            return shown + "is a constant"
        case syntax.Try():
            return shown + "continues with the error, which is at no place"
        case syntax.Variable():
            return shown + "is a variable, which keeps a value and not its place"
        case core.Invoke(function=function) if function.recursive:
            return shown + "calls itself with arguments, which is not followed"
    return shown + "computes its outputs; no place in the object holds them"


# In words


def _words(program: Program, node: syntax.Node) -> str:
    """What one stage does."""
    match node:
        case syntax.Access(head=head, steps=steps):
            start = [] if isinstance(head, syntax.Identity) else [_words(program, head)]
            return ", ".join(start + [_step(program, step) for step in steps])
        case syntax.Call(name="select", args=(test,)):
            return f"goes on only where `{_source(program, test)}`"
        case syntax.Call(name="recurse", args=()):
            return "the value and everything in it"
        case syntax.Call(name=name, args=args):
            given = " and ".join(f"`{_source(program, arg)}`" for arg in args)
            return f"the function {name}" + (f" of {given}" if given else "")
        case syntax.Alternative(left=left, right=right):
            shown, other = _source(program, left), _source(program, right)
            return f"all of `{shown}` that is neither null nor false; if there is none, `{other}`"
        case syntax.Update(operator=operator, target=target):
            return f"a copy in which `{_source(program, target)}` is changed ({operator})"
        case syntax.Binary(operator=operator) | syntax.Logic(operator=operator):
            return f"the result of `{operator}`"
    return _compound(program, node)


_OTHERS: dict[type[syntax.Node], str] = {
    syntax.Identity: "the value itself",
    syntax.Literal: "a constant",
    syntax.Text: "a string with values put in",
    syntax.If: "one of several ways, as the conditions hold",
    syntax.Label: "may be left early by `break`",
    syntax.Negate: "a number with the other sign",
}


def _compound(program: Program, node: syntax.Node) -> str:
    match node:
        case syntax.Array(body=body):
            return (
                f"an array of all that `{_source(program, body)}` gives"
                if body is not None
                else "an empty array"
            )
        case syntax.Object(entries=entries):
            return "an object with " + (
                ", ".join(_source(program, key) for key, _ in entries) or "nothing in it"
            )
        case syntax.Comma(parts=parts):
            return f"{len(parts)} expressions, one after the other"
        case syntax.Try(body=body, handler=None):
            return f"`{_source(program, body)}`, without an error where it fails"
        case syntax.Try(body=body):
            return f"`{_source(program, body)}`, and where it fails what stands behind `catch`"
        case syntax.Bind(source=source, body=body):
            return f"remembers `{_source(program, source)}` under a name for `{_source(program, body)}`"
        case syntax.Reduce(source=source) | syntax.Foreach(source=source):
            return f"goes through `{_source(program, source)}` with a state"
        case syntax.Define(functions=functions, body=body):
            names = ", ".join(function.name for function in functions)
            return f"defines {names} for `{_source(program, body)}`"
        case syntax.Variable(name=name):
            return f"what was remembered as ${name}"
    return _OTHERS.get(type(node), "an expression")


def _step(program: Program, step: syntax.Step) -> str:
    quiet = " (or nothing, where that fails)" if step.optional else ""
    match step:
        case syntax.Field(key=str(key)):
            return f"field {key}{quiet}"
        case syntax.Field(key=key):
            return f"element {key}{quiet}"
        case syntax.Index(key=node):
            return f"what is under `{_source(program, node)}`{quiet}"
        case syntax.Slice():
            return f"a slice{quiet}"
    return f"each element{quiet}"
