"""Which of the objects at hand are workloads of their own, and which belong to another one."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from functools import cache
from typing import Any

from workload_map.definition import DefinitionSet
from workload_map.engine import nodes
from workload_map.engine.nodes import Node, OwnerChain
from workload_map.engine.objects import Object, api_kind


class Tops:
    """Finds the covered objects that no other covered object controls.

    Args:
        definitions: What is covered.
        chain: The owners above an object.
        owners: The UIDs that references name: what bears none of them owns nothing.
        is_named: Whether pods name an object as their workload; None: none do.
    """

    def __init__(
        self,
        definitions: DefinitionSet,
        *,
        chain: Callable[[Node], OwnerChain],
        owners: Container[str],
        is_named: Callable[[Object], bool] | None,
    ) -> None:
        self._definitions = definitions
        self._chain = chain
        self._owners = owners
        self._is_named = is_named
        self._leaves: dict[tuple[str, Any, tuple[str, str]], bool] = {}

    def among(self, everything: Iterable[Node]) -> list[Object]:
        """The objects that are on top, in the order in which they are given."""
        covers = cache(self._definitions.covers)
        covered = [node for node in everything if covers(*node.api)]
        positions = cache(lambda: {id(node.obj): number for number, node in enumerate(covered)})
        return [node.obj for node in covered if self._is_top(node, positions)]

    def _is_top(self, node: Node, positions: Callable[[], dict[int, int]]) -> bool:
        owns = node.uid in self._owners or (self._is_named is not None and self._is_named(node.obj))
        if not owns:
            return self._is_leaf_on_top(node)
        chain = self._chain(node)
        # Of objects that control each other none is on top; the first one stands for them.
        is_first = chain.cycle and bool(chain.owners) and _is_first_of_cycle(node, chain, positions())
        return is_first or self._is_below_nothing(node, chain)

    def _is_leaf_on_top(self, node: Node) -> bool:
        """As for any, but told once for all below an owner: what owns nothing closes no circle."""
        namespace = node.namespace
        if node.controller is None or not (type(namespace) is str or namespace is None):
            return self._is_below_nothing(node, self._chain(node))
        key = (node.controller_uid, namespace, node.api)
        known = self._leaves.get(key)
        if known is not None:
            return known
        chain = self._chain(node)
        is_top = self._is_below_nothing(node, chain)
        if chain.owners:  # what is not at hand may be named by each in its own way
            self._leaves[key] = is_top
        return is_top

    def _is_below_nothing(self, node: Node, chain: OwnerChain) -> bool:
        return not any(map(self._is_covered, chain.owners)) and self._ends_well(node, chain.missing)

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
