"""Amounts by resource name: an immutable value that remembers what is derived from it.

Most views are made to be counted: pods, accelerators, phases. So the amounts of sums and of multiples are
worked out when somebody first reads them; until then such a list knows what it is made of, and how often.
"""

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
_ZERO: Final = Quantity(0)
_Terms = tuple[tuple["ResourceList", int], ...]
_LATER: Final[Amounts] = {}  # of a list whose amounts are not worked out yet
_MOST_TERMS: Final = 256  # a sum of more is worked out at once, so that sums of sums stay short


class ResourceList:
    """Amounts by resource name, in the order of the names. Never changed once made.

    An amount is None where it is not known; it stays unknown in every sum and multiple. A name that is absent
    is not asked for.

    Args:
        amounts: The amounts by name, in any order. They are not copied: nobody changes them afterwards.
        partial: True if something could not be read at all, so that any resource may lack a part.

    Attributes:
        partial: As given. The amounts are then what could be read.
    """

    __slots__ = ("_accelerators", "_amounts", "_is_in_order", "_strings", "_terms", "partial")

    def __init__(self, amounts: Amounts, partial: bool = False, _terms: _Terms = ()) -> None:
        self._amounts = amounts
        self.partial = partial
        self._terms = _terms
        self._is_in_order = False
        self._strings: dict[str, str | None] | None = None
        self._accelerators: tuple[frozenset[str], int | None] | None = None

    def _in_order(self) -> Amounts:
        """The amounts in the order of the names; of a list that is only added or multiplied, nobody asks."""
        if not self._is_in_order:
            # Another thread may do the same and finds the same. The amounts are there before the terms go.
            terms = self._terms
            amounts = _sum(terms) if terms else self._amounts
            names = sorted(amounts)
            if names != list(amounts):
                amounts = {name: amounts[name] for name in names}
            self._amounts = amounts
            self._is_in_order = True
            self._terms = ()
        return self._amounts

    def _found(self) -> Amounts:
        """The amounts in any order."""
        return self._in_order() if self._terms else self._amounts

    def get(self, name: str) -> Quantity | None:
        """The amount of a resource; None if it is absent (`name in list` is false) or not known."""
        return self._found().get(name)

    def items(self) -> ItemsView[str, Quantity | None]:
        """Pairs of name and amount, by name."""
        return self._in_order().items()

    def __iter__(self) -> Iterator[str]:
        return iter(self._in_order())

    def __contains__(self, name: object) -> bool:
        return name in self._found()

    def __len__(self) -> int:
        return len(self._found())

    def __bool__(self) -> bool:
        """False only if nothing is asked for, as far as everything is known."""
        return self.partial or bool(self._found())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ResourceList):
            return NotImplemented
        if self._terms or other._terms:
            return self is other or (self.partial == other.partial and self._found() == other._found())
        return self.partial == other.partial and self._amounts == other._amounts

    def __hash__(self) -> int:
        amounts = [(name, None if one is None else one.nano) for name, one in self.items()]
        return hash((self.partial, *amounts))

    def __repr__(self) -> str:
        return f"ResourceList({self.strings()}{', partial' if self.partial else ''})"

    def plus(self, *others: ResourceList) -> ResourceList:
        """The sum by name; what only one has keeps its amount, an unknown amount makes the sum unknown."""
        terms: _Terms = ()
        partial = False
        last, count = EMPTY, 0
        for one in (self, *others):
            if one is EMPTY:
                continue
            last = one
            count += 1
            terms += one._terms or ((one, 1),)
            if one.partial:
                partial = True
        if count < 2:
            return last
        if len(terms) > _MOST_TERMS:
            return ResourceList(_sum(terms), partial)
        return ResourceList(_LATER, partial, terms)

    def times(self, count: int) -> ResourceList:
        """What `count` of it need; 0 keeps the names, with amounts of zero.

        Args:
            count: How many, 0 or more.
        """
        if count == 1:
            return self
        terms = self._terms
        terms = tuple([(one, times * count) for one, times in terms]) if terms else ((self, count),)
        return ResourceList(_LATER, self.partial and count > 0, terms)

    def strings(self) -> dict[str, str | None]:
        """The canonical text of each amount, in the order of the names; None where it is not known."""
        if self._strings is None:
            self._strings = {name: None if one is None else str(one) for name, one in self.items()}
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
            known = self._accelerators = (names, None if self.partial else _whole(self._found(), names))
        return known[1]


def _whole(amounts: Amounts, names: frozenset[str]) -> int | None:
    """The sum of the amounts of these names, which are whole numbers; None if one is none."""
    total = 0
    for name in names.intersection(amounts):
        amount = amounts[name]
        if amount is None:
            return None
        whole, part = divmod(amount.nano, NANO)
        if part:
            return None
        total += whole
    return total


EMPTY: Final = ResourceList({})
"""Nothing asked for."""


def _sum(terms: _Terms) -> Amounts:
    """So many of each, together."""
    total = _multiple(*terms[0])
    for term in terms[1:]:
        add(total, _multiple(*term))
    return total


def _multiple(one: ResourceList, count: int) -> Amounts:
    """The amounts of so many, as a value of its own."""
    amounts = one._amounts
    if count == 1:
        return amounts.copy()
    if not count:  # nothing of something unknown is nothing
        return dict.fromkeys(amounts, _ZERO)
    return {
        name: None if each is None else Quantity(each.nano * count, each.format)
        for name, each in amounts.items()
    }


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
