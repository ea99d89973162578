"""Amounts by resource name: an immutable value that remembers what is derived from it."""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, Mapping
from typing import Final

from workload_map.engine.quantity import NANO, Quantity

ACCELERATORS: Final = frozenset(
    {
        "nvidia.com/gpu",
        "amd.com/gpu",
        "gpu.intel.com/i915",
        "gpu.intel.com/xe",
        "habana.ai/gaudi",
        "google.com/tpu",
        "aws.amazon.com/neuron",
        "aws.amazon.com/neurondevice",
    }
)
"""The resources of which one unit is one whole accelerator; slices, shares, cores and memory are none."""

Amounts = dict[str, Quantity | None]

_BELOW_ALL: Final = Quantity(-1)  # amounts in lists are not negative
_SUMS_LIMIT: Final = 2048
# Sums by the identity of their terms; an entry keeps its terms alive, so that an id stands for one value.
_SUMS: Final[dict[tuple[int, int], tuple[ResourceList, ResourceList, ResourceList]]] = {}


class ResourceList:
    """Amounts by resource name, in the order of the names. Never changed once made.

    An amount is None where it is not known; it stays unknown in every sum and multiple. A name that is absent
    is not asked for.

    Args:
        amounts: The amounts by name.
        partial: True if something could not be read at all, so that any resource may lack a part.
        in_order: The names are in order, and nobody else keeps `amounts`, so that no copy is needed.

    Attributes:
        partial: As given.
    """

    __slots__ = ("_accelerators", "_amounts", "_known_content", "_strings", "partial")

    def __init__(self, amounts: Amounts, *, partial: bool = False, in_order: bool = False) -> None:
        self._amounts: Amounts = amounts if in_order else dict(sorted(amounts.items()))
        self.partial = partial
        self._known_content: tuple[object, ...] | None = None
        self._strings: dict[str, str | None] | None = None
        self._accelerators: tuple[frozenset[str], int | None] | None = None

    def get(self, name: str) -> Quantity | None:
        """The amount of a resource; None if it is absent (`name in list` is false) or not known."""
        return self._amounts.get(name)

    def items(self) -> ItemsView[str, Quantity | None]:
        """Pairs of name and amount, by name."""
        return self._amounts.items()

    def __iter__(self) -> Iterator[str]:
        return iter(self._amounts)

    def __contains__(self, name: object) -> bool:
        return name in self._amounts

    def __len__(self) -> int:
        return len(self._amounts)

    def __bool__(self) -> bool:
        """False only if nothing is asked for, as far as everything is known."""
        return bool(self._amounts) or self.partial

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ResourceList):
            return NotImplemented
        return self is other or (self.partial == other.partial and self._amounts == other._amounts)

    def __hash__(self) -> int:
        return hash(self._content())

    def _content(self) -> tuple[object, ...]:
        """All that makes it what it is, as plain values."""
        if self._known_content is None:
            amounts = [(name, None if one is None else one.nano) for name, one in self._amounts.items()]
            self._known_content = (self.partial, *amounts)
        return self._known_content

    def __repr__(self) -> str:
        return f"ResourceList({self.strings()}{', partial' if self.partial else ''})"

    def plus(self, other: ResourceList) -> ResourceList:
        """The sum by name; what only one has keeps its amount, an unknown amount makes the sum unknown."""
        if other is EMPTY:
            return self
        if self is EMPTY:
            return other
        key = (id(self), id(other))
        known = _SUMS.get(key)
        if known is not None:
            return known[2]
        amounts = dict(self._amounts)
        add(amounts, other._amounts)
        in_order = len(amounts) == len(self._amounts)
        total = ResourceList(amounts, partial=self.partial or other.partial, in_order=in_order)
        if len(_SUMS) >= _SUMS_LIMIT:
            _SUMS.clear()
        _SUMS[key] = (self, other, total)
        return total

    def times(self, count: int) -> ResourceList:
        """What `count` of it need; 0 keeps the names, with amounts of zero.

        Args:
            count: How many, 0 or more.
        """
        if count == 1:
            return self
        if count == 0:  # nothing of something unknown is nothing
            return ResourceList(dict.fromkeys(self._amounts, Quantity(0)))
        amounts = {
            name: None if one is None else Quantity(one.nano * count, one.format)
            for name, one in self._amounts.items()
        }
        return ResourceList(amounts, partial=self.partial, in_order=True)

    def strings(self) -> dict[str, str | None]:
        """The canonical text of each amount, in the order of the names; None where it is not known."""
        if self._strings is None:
            self._strings = {name: None if one is None else str(one) for name, one in self._amounts.items()}
        return self._strings.copy()

    def accelerators(self, names: frozenset[str] = ACCELERATORS) -> int | None:
        """How many whole accelerators these are, summed over all kinds of them.

        Args:
            names: The resources of which one unit is one accelerator.

        Returns:
            The number; None if the amount of one of them is not known or is no whole number (Kubernetes hands
            out whole devices only, so a fraction says nothing about how many are taken).
        """
        known = self._accelerators
        if known is None or known[0] is not names:
            known = self._accelerators = (names, self._count(names))
        return known[1]

    def _count(self, names: frozenset[str]) -> int | None:
        if self.partial:
            return None
        total = 0
        for name, amount in self._amounts.items():
            if name not in names:
                continue
            if amount is None or amount.nano % NANO:
                return None
            total += amount.nano // NANO
        return total


EMPTY: Final = ResourceList({})
"""Nothing asked for."""


def add(total: Amounts, more: Mapping[str, Quantity | None]) -> None:
    """Add amounts to a total in place, as Kubernetes does: the first amount sets the notation."""
    if not total:
        total.update(more)
        return
    for name, amount in more.items():
        if name not in total:
            total[name] = amount
            continue
        known = total[name]
        if known is None or amount is None:
            total[name] = None
        else:  # as `known + amount`, without the call
            total[name] = Quantity(known.nano + amount.nano, known.format if known.nano else amount.format)


def raise_to(peak: Amounts, other: Mapping[str, Quantity | None]) -> None:
    """Raise amounts in place to at least the other ones; of equal amounts the first keeps its notation."""
    for name, amount in other.items():
        known = peak.get(name, _BELOW_ALL)
        if amount is None or (known is not None and known < amount):
            peak[name] = amount
