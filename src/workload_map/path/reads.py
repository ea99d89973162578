"""Which fields a program may look at, as patterns: `spec.jobs[*].replicas`.

The patterns are conservative: whatever a run touches lies under one of them. Where the program passes on
what it cannot follow (a whole object as a result, a computed key, a recursive function), the pattern says
"everything below". A result counts as looked at with everything below, since the caller gets it.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from workload_map.path import core, syntax

_MANY = 200


class ReadPattern(msgspec.Struct, frozen=True):
    """A set of locations.

    Attributes:
        steps: Names of fields, and `*` for any element or field.
        below: Whether everything below is meant too.
    """

    steps: tuple[str | None, ...]
    below: bool

    def __str__(self) -> str:
        """`spec.jobs[*].replicas`; with everything below `spec.jobs[*].**`; the whole value is `**`."""
        text = ""
        for step in self.steps:
            if step is None:
                text += "[*]"
            elif step.isidentifier():
                text += "." + step
            else:
                text += "[" + msgspec.json.encode(step).decode() + "]"
        return (text + (".**" if self.below else "")).removeprefix(".") or "."

    def covers(self, location: Iterable[str | int]) -> bool:
        """Whether a location is one of those meant, or lies on the way to one."""
        for step, wanted in zip(location, self.steps, strict=False):
            if wanted is not None and wanted != step:
                return False
        return self.below or len(tuple(location)) <= len(self.steps)


_Path = tuple[str | None, ...]


def reads(program: core.Resolved) -> tuple[ReadPattern, ...]:
    """The read patterns of a program, those that others contain left out, in order."""
    reader = _Reader()
    if program.functions and any(function.recursive for function in program.functions):
        return (ReadPattern((), True),)
    for path in reader.follow(program.body, [()]):
        reader.touch(path, below=True)
    return reader.patterns()


class _Reader:
    """Runs a program on sets of locations instead of values. `None` in a path is any key."""

    def __init__(self) -> None:
        self.seen: dict[tuple[_Path, bool], None] = {}
        self.bound: dict[str, list[_Path]] = {}
        self.closures: dict[str, tuple[syntax.Node, ...]] = {}

    def touch(self, path: _Path, *, below: bool) -> None:
        self.seen[path, below] = None

    def together(self, paths: list[_Path]) -> list[_Path]:
        """The paths without repetition; too many to follow are noted as everything."""
        paths = list(dict.fromkeys(paths))
        if len(paths) <= _MANY:
            return paths
        self.touch((), below=True)
        return []

    def consume(self, node: syntax.Node, inputs: list[_Path]) -> None:
        """A node whose outputs are looked into completely."""
        for path in self.follow(node, inputs):
            self.touch(path, below=True)

    def glance(self, node: syntax.Node, inputs: list[_Path]) -> None:
        """A node of whose outputs only the type or truth matters."""
        for path in self.follow(node, inputs):
            self.touch(path, below=False)

    def follow(self, node: syntax.Node, inputs: list[_Path]) -> list[_Path]:
        """The locations that the outputs of a node may have; what it looks at on the way is noted.

        A computed output has no location of its own: what went into it is noted as read.
        """
        match node:
            case syntax.Identity():
                return inputs
            case syntax.Literal() | syntax.Break() | syntax.Array(body=None):
                return []
            case syntax.Access(head=head, steps=steps):
                return self.steps(steps, self.follow(head, inputs), inputs)
            case syntax.Pipe(parts=parts):
                for part in parts:
                    inputs = self.follow(part, inputs)
                return inputs
            case syntax.Comma(parts=parts):
                return self.together([path for part in parts for path in self.follow(part, inputs)])
            case syntax.Variable(name=name):
                return self.bound.get(name, [])
            case syntax.Alternative() | syntax.If() | syntax.Try():
                return self.choice(node, inputs)
            case syntax.Bind(source=source, patterns=patterns, body=body):
                self.bind(patterns, self.follow(source, inputs), inputs)
                return self.follow(body, inputs)
        return self.rest(node, inputs)

    def choice(self, node: syntax.Node, inputs: list[_Path]) -> list[_Path]:
        match node:
            case syntax.Alternative(left=left, right=right):
                found = self.follow(left, inputs)
                for path in found:
                    self.touch(path, below=False)
                return self.together(found + self.follow(right, inputs))
            case syntax.If(branches=branches, otherwise=otherwise):
                found = [] if otherwise is not None else list(inputs)
                for test, then in branches:
                    self.glance(test, inputs)
                    found += self.follow(then, inputs)
                return self.together(
                    found + (self.follow(otherwise, inputs) if otherwise is not None else [])
                )
            case syntax.Try(body=body, handler=handler):
                found = self.follow(body, inputs)
                return found + (self.follow(handler, []) if handler is not None else [])
        return []

    def rest(self, node: syntax.Node, inputs: list[_Path]) -> list[_Path]:
        match node:
            case syntax.Logic(left=left, right=right):
                self.glance(left, inputs)
                self.glance(right, inputs)
                return []
            case syntax.Binary(operator="==" | "!=", left=left, right=syntax.Literal()):
                self.glance(left, inputs)
                return []
            case syntax.Label(body=body):
                return self.follow(body, inputs)
            case core.Form(name=name, args=args):
                return self.form(name, args, inputs)
            case core.Native():
                return self.native(node, inputs)
            case syntax.Array() | syntax.Object() | syntax.Binary() | syntax.Negate() | syntax.Text():
                for child in core.children(node):
                    self.consume(child, inputs)
                return []
            case syntax.Reduce() | syntax.Foreach():
                return self.fold(node, inputs)
            case core.Invoke(function=function, args=args):
                for param, arg in zip(function.params, args, strict=True):
                    self.bound[param] = (
                        self.follow(arg, inputs) if param[0] == "x" else self.everything(arg, inputs)
                    )
                return self.everything(function.body, inputs)
        return self.everything(node, inputs)

    def native(self, node: core.Native, inputs: list[_Path]) -> list[_Path]:
        match node.name:
            case "type/0":
                self.touch_all(inputs, below=False)
            case "length/0" | "keys/0" | "keys_unsorted/0" | "has/1":
                self.touch_all([(*path, None) for path in inputs], below=False)
            case _:
                self.touch_all(inputs, below=True)
        for arg in node.args:
            self.consume(arg, inputs)
        return []

    def touch_all(self, paths: list[_Path], *, below: bool) -> None:
        for path in paths:
            self.touch(path, below=below)

    def fold(self, node: syntax.Reduce | syntax.Foreach, inputs: list[_Path]) -> list[_Path]:
        """A fold: what its state is made of counts as looked at, so the state needs no following."""
        self.bind(node.patterns, self.follow(node.source, inputs), inputs)
        self.consume(node.initial, inputs)
        self.consume(node.update, [])
        if isinstance(node, syntax.Foreach) and node.extract is not None:
            self.consume(node.extract, [])
        return []

    def everything(self, node: syntax.Node, inputs: list[_Path]) -> list[_Path]:
        """A node that is not followed: its input and what it names are read with everything below."""
        for path in inputs:
            self.touch(path, below=True)
        for item in core.walk(node):
            if isinstance(item, syntax.Variable):
                for path in self.bound.get(item.name, []):
                    self.touch(path, below=True)
            elif isinstance(item, core.Invoke):
                for name in item.function.free:
                    for path in self.bound.get(name, []):
                        self.touch(path, below=True)
        return []

    def form(self, name: str, args: tuple[syntax.Node, ...], inputs: list[_Path]) -> list[_Path]:
        match name:
            case "empty/0":
                return []
            case "not/0":
                for path in inputs:
                    self.touch(path, below=False)
                return []
            case "any/2" | "all/2":
                self.glance(args[1], self.follow(args[0], inputs))
                return []
            case "first/1" | "last/1":
                return self.follow(args[0], inputs)
            case "isempty/1":
                self.glance(args[0], inputs)
                return []
            case "limit/2" | "skip/2":
                self.consume(args[0], inputs)
                return self.follow(args[1], inputs)
        for path in inputs:
            self.touch(path, below=True)
        for arg in args:
            self.everything(arg, inputs)
        return []

    def steps(self, steps: tuple[syntax.Step, ...], paths: list[_Path], inputs: list[_Path]) -> list[_Path]:
        for step in steps:
            match step:
                case syntax.Field(key=str(key)):
                    paths = [(*path, key) for path in paths]
                case syntax.Index(key=key_node):
                    self.consume(key_node, inputs)
                    paths = [(*path, None) for path in paths]
                case syntax.Slice():
                    for child in core.children(step):
                        self.consume(child, inputs)
                    for path in paths:
                        self.touch(path, below=True)
                case _:
                    paths = [(*path, None) for path in paths]
            for path in paths:
                self.touch(path, below=False)
        return paths

    def bind(self, patterns: tuple[syntax.Pattern, ...], paths: list[_Path], inputs: list[_Path]) -> None:
        for pattern in patterns:
            match pattern:
                case syntax.VariablePattern(name=name):
                    self.bound.setdefault(name, []).extend(paths)
                case _:
                    for path in paths:
                        self.touch(path, below=True)
                    for child in core.walk(pattern):
                        if not isinstance(child, syntax.Pattern):
                            self.consume(child, inputs)

    def patterns(self) -> tuple[ReadPattern, ...]:
        """What was noted, without what lies on the way to or under something else."""
        whole = [path for path, below in self.seen if below]
        kept: dict[ReadPattern, None] = {}
        for path, below in self.seen:
            shadowed = any(
                len(other) <= len(path) - (below and other != path) and path[: len(other)] == other
                for other in whole
                if not below or other != path
            )
            longer = not below and any(len(o) > len(path) and o[: len(path)] == path for o, _ in self.seen)
            if not shadowed and not longer:
                kept[ReadPattern(path, below)] = None
        return tuple(sorted(kept, key=str))
