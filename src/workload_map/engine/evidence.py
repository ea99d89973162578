"""The fields behind an answer: what an expression may have looked at, as it stands in one object."""

from __future__ import annotations

from functools import partial
from typing import Any

from workload_map import path
from workload_map.engine.view import Read

_CONTAINERS = (dict, list)


class Evidence:
    """The read patterns of an expression as one tree, so that each shared field and list is walked once.

    Args:
        patterns: What the expression may read.

    Attributes:
        root: The tree; its end is the object itself.
    """

    __slots__ = ("root",)

    def __init__(self, patterns: tuple[path.ReadPattern, ...]) -> None:
        self.root = Node()
        for pattern in patterns:
            node = self.root
            for step in pattern.steps:
                node = node.child(step)
            node.is_end = True

    def collect(self, obj: Any, limit: int) -> list[Read]:
        """The first `limit` fields with their values; absent ones are None."""
        found: list[Read] = []
        if self.root.is_end:
            leaves("", obj, found, limit)
        else:
            collect(self.root, "", obj, found, limit)
        return found


class Node:
    """One step of the patterns, with the steps that follow; an end stands for everything below it."""

    __slots__ = ("each", "is_end", "named")

    def __init__(self) -> None:
        self.named: dict[str, tuple[str, Node]] = {}
        """The fields below, with their text in a path."""
        self.each: Node | None = None
        self.is_end = False

    def child(self, step: str | None) -> Node:
        """The node of a field below, or (None) of all elements; made where it is not there yet."""
        if step is None:
            self.each = self.each or Node()
            return self.each
        text = step_text(step)
        return self.named.setdefault(step, (text, Node()))[1]


def step_text(step: str) -> str:
    """A step as it stands within a path: `.name`, or `["odd name"]`."""
    return path.location_text(("_", step)).removeprefix("._")


def collect(node: Node, place: str, value: Any, found: list[Read], limit: int) -> None:
    """Append the fields below a node, as they are in the value, until there are `limit`."""
    is_object = type(value) is dict
    for name, (text, below) in node.named.items():
        entry = value.get(name) if is_object else None
        # Most fields that decide are plain values right here: no further call for those.
        if not below.is_end:
            collect(below, place + text, entry, found, limit)
        elif len(found) >= limit:
            return
        elif type(entry) in _CONTAINERS:
            leaves(place + text, entry, found, limit)
        else:
            found.append(Read(path=(place + text).removeprefix("."), value=entry))
    if node.each is not None:
        walk = leaves if node.each.is_end else partial(collect, node.each)
        for text, entry in _entries(value):
            if len(found) >= limit:
                return
            walk(place + text, entry, found, limit)


def _entries(value: Any) -> list[tuple[str, Any]]:
    """What lies directly below a list or an object, in order, with its text in a path."""
    if type(value) is list:
        return [(f"[{index}]", entry) for index, entry in enumerate(value)]
    if type(value) is dict:
        return [(step_text(name), value[name]) for name in sorted(value)]
    return []


def leaves(place: str, value: Any, found: list[Read], limit: int) -> None:
    """Append the values that hold no others, until there are `limit`; an empty list or object is one too."""
    stack = [(place, value)]
    while stack and len(found) < limit:
        place, value = stack.pop()
        entries = _entries(value)
        if entries:
            stack.extend((place + text, entry) for text, entry in reversed(entries))
        else:
            found.append(Read(path=place.removeprefix(".") or ".", value=value))
