"""How many outputs a program gives, known before it runs: none, one, or several.

A count here is a pair: how many outputs a node gives at least and at most, where "several" is 2. Failing
counts as an output, since it is what ends the others. Functions are looked into, with what their parameters
give at each call; one that may come to call itself, and what lies very deep, may give any number.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from workload_map.path import core, syntax
from workload_map.path.compiler.shape import single_pattern


class Count(NamedTuple):
    """How many outputs there are at least and at most; 2 stands for several."""

    least: int
    most: int

    def times(self, other: Count) -> Count:
        """The count where each output of one gives as many of the other."""
        return Count(min(2, self.least * other.least), min(2, self.most * other.most))

    def plus(self, other: Count) -> Count:
        """The count of both, one after the other."""
        return Count(min(2, self.least + other.least), min(2, self.most + other.most))

    def either(self, other: Count) -> Count:
        """The count where it is not known which of the two is taken."""
        return Count(min(self.least, other.least), max(self.most, other.most))

    def or_less(self) -> Count:
        """The count where some or all may be left out."""
        return Count(0, self.most)


NONE, ONE, ANY = Count(0, 0), Count(1, 1), Count(0, 2)

# Forms that give one output, whatever their arguments give.
_GATHERING = frozenset(
    ["not/0", "any/2", "all/2", "isempty/1", "sort_by/1", "group_by/1", "unique_by/1", "min_by/1", "max_by/1"]
)
_COUNTED = frozenset(["error/0", "error/1", "getpath/1", "until/2", "path/1", "walk/1"])
# Builtins that give as many as their arguments, though they end in the entries of a list.
_REPLACING = frozenset(["sub", "gsub"])
# Builtins that give the first match, unless flags ask for all of them.
_MATCHING = frozenset(["match", "capture"])
_MAX_DEPTH = 60  # nodes in each other, those of called functions included
_Given = Mapping[str, Count]


def count_of(program: core.Resolved) -> Count:
    """How many outputs a program gives for one value."""
    return _Counter().node(program.body, {})


class _Counter:
    """One pass over a program; what a function gives is kept for each combination of what it is given."""

    def __init__(self) -> None:
        self._known: dict[tuple[core.Definition, tuple[tuple[str, Count], ...]], Count] = {}
        self._depth = 0

    def node(self, node: syntax.Node, given: _Given) -> Count:
        """How many outputs a node gives; `given` holds what the parameters around it give."""
        if self._depth == _MAX_DEPTH:
            return ANY
        self._depth += 1
        count = self._node(node, given)
        self._depth -= 1
        return count

    def _node(self, node: syntax.Node, given: _Given) -> Count:
        match node:
            case syntax.Identity() | syntax.Literal() | syntax.Variable() | syntax.Array():
                return ONE
            case syntax.Access(head=head, steps=steps):
                total = self.node(head, given)
                for step in steps:
                    total = total.times(self._step(step, given))
                return total
            case syntax.Pipe(parts=parts) | core.Native(args=parts):
                return self._product(parts, given)
            case syntax.Comma(parts=parts):
                total = NONE
                for part in parts:
                    total = total.plus(self.node(part, given))
                return total
            case syntax.Alternative(left=left, right=right):
                other = self.node(right, given)
                return Count(min(1, other.least), max(self.node(left, given).most, other.most))
            case core.Form(name=name, args=args):
                return self._form(name, args, given)
            case core.Parameter(name=name):
                return given.get(name, ANY)
            case core.Invoke(function=function, args=args):
                return self._call(function, args, given)
        return self._compound(node, given)

    def _compound(self, node: syntax.Node, given: _Given) -> Count:
        match node:
            case syntax.Binary() | syntax.Logic() | syntax.Negate() | syntax.Text() | syntax.Object():
                return self._product(core.children(node), given)
            case syntax.If(branches=branches, otherwise=otherwise):
                taken = ONE if otherwise is None else self.node(otherwise, given)
                for test, then in reversed(branches):
                    taken = self.node(test, given).times(taken.either(self.node(then, given)))
                return taken
            case syntax.Try(body=body, handler=handler):
                inner = self.node(body, given)
                if handler is None:
                    return inner.or_less()
                caught = self.node(handler, given)
                return inner.either(caught if inner == ONE else caught.plus(inner.or_less()))
            case syntax.Update(operator=operator, value=value):
                return ONE if operator == "|=" else self.node(value, given)
            case syntax.Reduce(initial=initial):
                return self.node(initial, given)
            case syntax.Bind(source=source, patterns=(pattern,), body=body) if single_pattern(pattern):
                return self.node(source, given).times(self.node(body, given))
            case syntax.Break():
                return NONE
        return ANY

    def _form(self, name: str, args: tuple[syntax.Node, ...], given: _Given) -> Count:
        if name in _GATHERING:
            return ONE
        if name in _COUNTED:
            return self._product(args, given)
        if name == "empty/0":
            return NONE
        if name in ("first/1", "last/1"):
            inner = self.node(args[0], given)
            return Count(min(1, inner.least), min(1, inner.most))
        if name == "limit/2":
            number, inner = args[0], self.node(args[1], given)
            if isinstance(number, syntax.Literal) and number.value == 1:
                return Count(min(1, inner.least), min(1, inner.most))
            return self.node(number, given).times(inner).or_less()
        return ANY

    def _step(self, step: syntax.Step, given: _Given) -> Count:
        if isinstance(step, syntax.Iterate):
            return ANY
        count = self._product(core.children(step), given)
        return count.or_less() if step.optional else count

    def _call(self, function: core.Definition, args: tuple[syntax.Node, ...], given: _Given) -> Count:
        """A value that is passed multiplies what the body gives; an expression counts where it stands."""
        if function.recursive:
            return ANY
        if function.is_builtin and function.name in _REPLACING:
            return self._product(args, given)
        if function.is_builtin and function.name in _MATCHING and _is_text(args):
            return Count(0, 1)
        counts = [self.node(arg, given) for arg in args]
        inner = dict(given) | dict(zip(function.params, counts, strict=True))
        named = inner.keys() & {*function.free, *function.params}
        key = function, tuple(sorted((name, inner[name]) for name in named))
        if key not in self._known:
            self._known[key] = self.node(function.body, inner)
        total = self._known[key]
        for name, count in zip(function.params, counts, strict=True):
            total = total.times(count) if name[0] == "x" else total
        return total

    def _product(self, nodes: Iterable[syntax.Node], given: _Given) -> Count:
        total = ONE
        for node in nodes:
            total = total.times(self.node(node, given))
        return total


def _is_text(args: tuple[syntax.Node, ...]) -> bool:
    """Whether the one argument is a text: flags stand beside it, or with it in a list."""
    return len(args) == 1 and isinstance(args[0], syntax.Literal) and isinstance(args[0].value, str)
