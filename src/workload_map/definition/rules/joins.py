"""Whether the outputs of two paths can be put together by where they lie."""

from __future__ import annotations

from collections import Counter

from workload_map import path
from workload_map.definition.rules.probes import Trial, entries_of
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


def lose_each_other(ids: path.Program, other: path.Program, trial: Trial) -> bool:
    """Whether the outputs of a path certainly do not lie in the elements of the ids.

    Seen on made-up objects with two entries wherever one of the two goes through entries, so that it holds
    for expressions that are more than paths. What fails there, or gives nothing, is not guessed.
    """
    for probe in entries_of((*ids.reads, *other.reads)):
        elements = [location[:iterated] for _, location, iterated in trial.located(ids, probe)]
        outputs = trial.located(other, probe)
        if len(elements) > 1 and outputs:
            return not _lie_in(elements, outputs)
    return False


def are_adrift(ids: path.Program, other: path.Program, trial: Trial) -> bool:
    """Whether a path of which each element may have several outputs computes them beside the elements.

    Several outputs are then made in one place above the elements, from entries that the elements are of, so
    that only their order tells which is of which: `{resources: .spec.roles[].extra}`. Seen as
    `lose_each_other` does.
    """
    if not other.repeats:
        return False
    through = [pattern for pattern in other.reads if pattern.below or None in pattern.steps]
    for probe in entries_of((*ids.reads, *other.reads)):
        elements = [location[:iterated] for _, location, iterated in trial.located(ids, probe)]
        counts = Counter(location for _, location, _ in trial.located(other, probe))
        if len(elements) > 1 and counts:
            return any(
                count > 1 and _is_made_above(location, elements, through)
                for location, count in counts.items()
            )
    return False


def _is_made_above(
    location: path.Location, elements: list[path.Location], through: list[path.ReadPattern]
) -> bool:
    """Whether a place lies in no element, and what is read from there goes through those below it."""
    if any(location[: len(element)] == element for element in elements):
        return False
    below = [element for element in elements if element[: len(location)] == location]
    return any(pattern.covers(element) for element in below for pattern in through)


def _lie_in(elements: list[path.Location], outputs: list[path.Located]) -> bool:
    """Whether each output lies in an element of its own, or is the one above its elements."""
    if len(outputs) == 1 and outputs[0][2] == 0:
        return True
    if len(set(elements)) < len(elements):
        return False
    given: list[path.Location] = []
    for _, location, iterated in outputs:
        inside = [element for element in elements if location[: len(element)] == element]
        above = [element for element in elements if element[:iterated] == location[:iterated]]
        if not inside and (not above or any(element in given for element in above)):
            return False
        given += [] if inside else above
    return True


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
