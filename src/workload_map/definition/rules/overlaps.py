"""Whether two type selectors can take one pod: a pod is made up that both should take, and both are asked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from workload_map import path
from workload_map.definition.rules.probes import Trial
from workload_map.definition.schema import ComponentTypeSelector
from workload_map.path import syntax
from workload_map.path.parser import parse

_ANY = "probe"  # where any value is right
Place = tuple[str, ...]
Asked = dict[Place, str | None]


class Selector:
    """A type selector whose key path compiles.

    Attributes:
        asked: The places on a pod that it looks at, each with the value it wants; None: any value.
    """

    def __init__(self, selector: ComponentTypeSelector) -> None:
        """Compile the key path.

        Raises:
            PathSyntaxError: It does not compile.
        """
        self._selector = selector
        self._key = path.compile(selector.key_path) if selector.key_path is not None else None
        labels: Asked = {("metadata", "labels", name): value for name, value in selector.match_labels.items()}
        places = list(_places(self._key.reads)) if self._key else []
        self.asked: Asked = {**dict.fromkeys(places, selector.value), **labels}
        self._is_plain = selector.key_path is None or _is_plain(parse(selector.key_path))

    def asks_for_more(self, other: Selector) -> bool:
        """Whether it looks at all places that another one looks at, and wants the same values there."""
        return all(
            place in self.asked and value in (None, self.asked[place]) for place, value in other.asked.items()
        )

    def covers(self, other: Selector) -> bool:
        """Whether each pod that another one takes is certainly taken by this one too."""
        is_same = self._selector.key_path == other._selector.key_path
        return (is_same or (self._is_plain and other._is_plain)) and other.asks_for_more(self)

    def takes(self, pod: dict[str, Any], trial: Trial) -> bool:
        """Whether it takes a pod, as the engine decides it."""
        labels = pod["metadata"]["labels"]
        if any(labels.get(name) != value for name, value in self._selector.match_labels.items()):
            return False
        if self._key is None:
            return bool(self._selector.match_labels)
        found = trial.first(self._key, pod)
        return found is not None if self._selector.value is None else bool(found == self._selector.value)


def collide(one: Selector, other: Selector, trial: Trial) -> bool:
    """Whether a pod was found that both take, and the first one is no special case of the other."""
    if one.asks_for_more(other) and not other.asks_for_more(one):
        return False
    return any(
        one.takes(pod, trial) and other.takes(pod, trial)
        for pod in (_pod(one.asked, other.asked), _pod(other.asked, one.asked))
    )


def _pod(first: Asked, second: Asked) -> dict[str, Any]:
    """A pod with what both ask for; where they ask for different values, it has the one of the first."""
    pod: dict[str, Any] = {"metadata": {"labels": {}}}
    for place in dict.fromkeys((*first, *second)):
        _put(pod, place, first.get(place) or second.get(place) or _ANY)
    return pod


def _put(pod: dict[str, Any], place: Place, value: str) -> None:
    for step in place[:-1]:
        inner = pod.setdefault(step, {})
        if not isinstance(inner, dict):
            return
        pod = inner
    pod.setdefault(place[-1], value)


def _places(patterns: tuple[path.ReadPattern, ...]) -> Iterator[Place]:
    """The single fields that are read."""
    for pattern in patterns:
        steps = tuple(step for step in pattern.steps if step is not None)
        if steps and len(steps) == len(pattern.steps):
            yield steps


def _is_plain(node: syntax.Node) -> bool:
    """Whether an expression names a field and does nothing else."""
    if isinstance(node, syntax.Access):
        return _is_plain(node.head) and all(isinstance(step, syntax.Field) for step in node.steps)
    return isinstance(node, syntax.Identity)
