"""Where the outputs of an expression are, whatever the value: whether it can be written through.

This is jq's `path(…)`, decided before anything runs, and where it cannot be decided the answer is no.
"""

from __future__ import annotations

from enum import IntEnum

from workload_map.path import core, syntax
from workload_map.path.errors import HIDDEN
from workload_map.path.keys import MAX_CALLS, Keys, Kind, Names


class Outputs(IntEnum):
    """Where all outputs of a node are; the larger, the less can be done with them."""

    NONE = 0  # there are none
    PLACES = 1  # each at a location: keys and indexes
    SLICES = 2  # each at a location, or a slice of the array there
    COMPUTED = 3  # perhaps nowhere


def is_path(node: syntax.Node) -> bool:
    """Whether all outputs of a node are at locations of the value, whatever the value.

    Folds are none: other engines take the path of their state for lost.
    """
    return Places().outputs(node, Outputs.PLACES, {}) <= Outputs.PLACES


def obstacle(node: syntax.Node) -> syntax.Node | None:
    """The part (node or step) that keeps the outputs of a node from being at locations; None for a path."""
    places = Places()
    if places.outputs(node, Outputs.PLACES, {}) <= Outputs.PLACES:
        return None
    return places.obstacle or places.slice or node


class Places(Keys):
    """Follows an expression from its input to its outputs.

    Attributes:
        obstacle: The first part that computes its outputs.
        slice: The last slice.
    """

    def __init__(self) -> None:
        super().__init__()
        self.obstacle: syntax.Node | None = None
        self.slice: syntax.Node | None = None
        self.assumed: dict[tuple[object, ...], Outputs] = {}

    def computed(self, node: syntax.Node) -> Outputs:
        """A part that computes its outputs."""
        self.obstacle = self.obstacle or node
        return Outputs.COMPUTED

    def outputs(self, node: syntax.Node, given: Outputs, names: Names) -> Outputs:
        """Where the outputs of a node are, given where `.` is."""
        self.steps -= 1
        if self.steps < 0:
            return self.computed(node)
        if given is Outputs.NONE:
            return given
        match node:
            case syntax.Identity():
                return given
            case syntax.Access(head=head, steps=steps):
                given = self.outputs(head, given, names)
                for step in steps:
                    given = self.step(step, given, names)
                return given
            case syntax.Pipe(parts=parts):
                return self.pipe(parts, given, names)
            case syntax.Comma(parts=parts):
                return max(self.outputs(part, given, names) for part in parts)
            case syntax.If(branches=branches, otherwise=otherwise):
                ways = [self.outputs(then, given, names) for _, then in branches]
                return max(*ways, given if otherwise is None else self.outputs(otherwise, given, names))
            case syntax.Alternative(left=left, right=right):
                found = self.outputs(left, given, names)
                before = self.obstacle
                found = max(found, self.outputs(right, given, names))
                self.obstacle = node if self.obstacle is not before else before
                return found
            case syntax.Label(body=body):
                return self.outputs(body, given, names)
            case syntax.Bind(body=body):
                return self.outputs(body, given, self.bound(node, Kind.ANY, names))
        return self.rest(node, given, names)

    def rest(self, node: syntax.Node, given: Outputs, names: Names) -> Outputs:
        """The other nodes."""
        match node:
            case syntax.Try(body=body, handler=handler):
                found = self.outputs(body, given, names)
                if handler is not None:  # there `.` is the error
                    found = max(found, self.outputs(handler, Outputs.COMPUTED, names))
                return self.computed(node) if found is Outputs.COMPUTED else found
            case syntax.Break():
                return Outputs.NONE
            case core.Form(args=args):
                return self.form_outputs(node, args, given, names)
            case core.Parameter(name=name):
                body, around = names[name]
                return self.outputs(body, given, around)
            case core.Invoke():
                return self.invoke(node, given, names)
        return self.computed(node)

    def step(self, step: syntax.Step, given: Outputs, names: Names) -> Outputs:
        """Where one step leads."""
        if given in (Outputs.NONE, Outputs.COMPUTED):
            return given
        match step:
            case syntax.Iterate():
                return Outputs.PLACES
            case syntax.Slice():
                self.slice = step
                return Outputs.SLICES
            case syntax.Index(key=key) if self.kind(key, Kind.ANY, names) not in (Kind.KEY, Kind.NONE):
                return self.computed(step)
        # Past the end of a slice is null, which is nowhere.
        return given if given is Outputs.PLACES else self.computed(self.slice or step)

    def pipe(self, parts: tuple[syntax.Node, ...], given: Outputs, names: Names) -> Outputs:
        """One part after the other; what ends in no output computed nothing."""
        before = self.obstacle
        for part in parts:
            given = self.outputs(part, given, names)
        if given is not Outputs.COMPUTED:
            self.obstacle = before
        return given

    def repeated(self, node: syntax.Node, state: Outputs, names: Names) -> Outputs:
        """Where a state may be that a node is applied to again and again."""
        while True:
            after = max(state, self.outputs(node, state, names))
            if after == state:
                return state
            state = after

    def form_outputs(
        self, node: core.Form, args: tuple[syntax.Node, ...], given: Outputs, names: Names
    ) -> Outputs:
        """A builtin whose arguments are expressions."""
        match node.name:
            case "empty/0" | "error/0" | "error/1":
                return Outputs.NONE
            case "recurse/0":
                return given
            case "first/1" | "last/1" | "limit/2" | "skip/2":
                return self.outputs(args[-1], given, names)
            case "recurse/1" | "until/2":
                return self.repeated(args[-1], given, names)
            case "getpath/1" if given is Outputs.PLACES:
                found = self.kind(args[0], Kind.ANY, names)
                return given if found in (Kind.PATH, Kind.NONE) else self.computed(node)
        return self.computed(node)

    def invoke(self, node: core.Invoke, given: Outputs, names: Names) -> Outputs:
        """A call. One of itself gives what the function is assumed to give, until that holds."""
        function = node.function
        if self.calls >= MAX_CALLS or (function.recursive and node.args):
            return self.computed(node)
        around = tuple(id(names[name]) for name in sorted(function.free) if name in names)
        key = (function, given, around)
        if key in self.assumed:
            return self.assumed[key]
        inner = self.given(node, Kind.ANY, names)
        before, found = self.obstacle, Outputs.NONE
        self.calls += 1
        while True:
            if function.recursive:
                self.assumed[key] = found
            after = self.outputs(function.body, given, inner)
            if after == found or not function.recursive:
                break
            found = after
        self.calls -= 1
        self.assumed.pop(key, None)
        if self.obstacle is not before and function.body.span == HIDDEN:
            self.obstacle = before or node
        return after
