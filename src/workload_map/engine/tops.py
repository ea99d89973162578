"""Which of the objects at hand are workloads of their own, and which belong to another one."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from workload_map.definition import DefinitionSet
from workload_map.engine import nodes
from workload_map.engine.nodes import Node, OwnerChain
from workload_map.engine.objects import Object, api_kind


class Tops:
    """Finds the covered objects that no other covered object controls.

    Args:
        definitions: What is covered.
        owner: The owner of an object, if it is at hand.
        chain: The owners above an object.
        owns: Whether an object may own others.
    """

    def __init__(
        self,
        definitions: DefinitionSet,
        *,
        owner: Callable[[Node], Node | None],
        chain: Callable[[Node], OwnerChain],
        owns: Callable[[Node], bool],
    ) -> None:
        self._definitions = definitions
        self._owner = owner
        self._chain = chain
        self._owns = owns
        # For an owner: whether it or one above it is covered, and what is missing above them.
        self._above: dict[int, tuple[bool, Object | None]] = {}

    def among(self, everything: Iterable[Node]) -> list[Object]:
        """The objects that are on top, in the order in which they are given."""
        covered = [node for node in everything if self._definitions.covers(*node.api)]
        positions = {id(node.obj): number for number, node in enumerate(covered)}
        return [node.obj for node in covered if self._is_top(node, positions)]

    def _is_top(self, node: Node, positions: dict[int, int]) -> bool:
        if not self._owns(node):
            return self._is_leaf_on_top(node)
        chain = self._chain(node)
        if any(map(self._is_covered, chain.owners)):
            # Of objects that control each other none is on top; the first one stands for them.
            return chain.cycle and _is_first_of_cycle(node, chain, positions)
        return self._ends_well(node, chain.missing)

    def _is_leaf_on_top(self, node: Node) -> bool:
        """As for any, but what owns nothing closes no circle: its chain is that of its owner, read once."""
        owner = self._owner(node)
        if owner is None:
            return self._ends_well(node, node.controller)
        known = self._above.get(id(owner.obj))
        if known is None:
            chain = self._chain(owner)
            known = any(map(self._is_covered, (owner.obj, *chain.owners))), chain.missing
            self._above[id(owner.obj)] = known
        is_below, missing = known
        return not is_below and self._ends_well(node, missing)

    def _ends_well(self, node: Node, missing: Object | None) -> bool:
        """Whether what is not at hand above an object leaves it on top."""
        return missing is None or not (node.is_pod or self._is_covered(missing))

    def _is_covered(self, obj: Object) -> bool:
        return self._definitions.covers(*api_kind(obj))


def _is_first_of_cycle(node: Node, chain: OwnerChain, positions: dict[int, int]) -> bool:
    closing = nodes.read(chain.owners[-1])
    if closing.controller is None or closing.controller_uid != node.uid:
        return False
    position = positions[id(node.obj)]
    return all(position < positions.get(id(owner), position + 1) for owner in chain.owners)
