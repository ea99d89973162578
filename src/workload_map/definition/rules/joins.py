"""Whether the outputs of two paths can be put together by where they lie."""

from __future__ import annotations

from workload_map.path import syntax

EACH = "*"  # in a prefix: any entry of a list or map
Prefix = tuple[object, ...]

# They give the keys or entries of what they are asked about, each located there.
ENTRIES = frozenset({"keys", "keys_unsorted", "to_entries"})


def prefix_of(tree: syntax.Node) -> Prefix | None:
    """The fields that lead to the last list or map that a path goes through entry by entry.

    `.spec.jobs[].template.spec` gives `("spec", "jobs", "*")`, a path without iteration `()`.

    Returns:
        The prefix, or None where the expression is more than a path, so that it cannot be told.
    """
    steps = path_steps(tree)
    if steps is None:
        return None
    for length in range(len(steps), 0, -1):
        if steps[length - 1] == EACH:
            return steps[:length]
    return ()


def are_joinable(one: Prefix, other: Prefix) -> bool:
    """Whether outputs with these prefixes lie in the same entries, or in entries of each other."""
    length = min(len(one), len(other))
    return one[:length] == other[:length]


def path_steps(node: syntax.Node) -> Prefix | None:
    """The steps from the value's root to the outputs of a path, `*` for any entry; None if it is no path."""
    if isinstance(node, syntax.Identity):
        return ()
    if isinstance(node, syntax.Try):
        return path_steps(node.body)
    if isinstance(node, syntax.Access):
        return _accessed(node)
    if isinstance(node, syntax.Pipe):
        return _piped(node.parts)
    if isinstance(node, syntax.Alternative):
        return path_steps(node.left) if isinstance(node.right, syntax.Literal) else None
    is_filter = isinstance(node, syntax.Call) and node.name == "select"
    return () if is_filter else None


def _accessed(node: syntax.Access) -> Prefix | None:
    if isinstance(node.head, syntax.Call) and node.head.name in ENTRIES:
        first, *rest = node.steps
        if not isinstance(first, syntax.Iterate):
            return None
        # What follows is read from the key or from the entry made of it, and lies in the same place.
        return None if any(isinstance(step, syntax.Iterate) for step in rest) else (EACH,)
    head = path_steps(node.head)
    if head is None:
        return None
    steps = []
    for step in node.steps:
        if isinstance(step, syntax.Iterate):
            steps.append(EACH)
        elif isinstance(step, syntax.Field):
            steps.append(step.key)
        else:
            return None
    return (*head, *steps)


def _piped(parts: tuple[syntax.Node, ...]) -> Prefix | None:
    prefix: Prefix = ()
    for part in parts:
        steps = path_steps(part)
        if steps is None:
            return None
        prefix = (*prefix, *steps)
    return prefix
