"""What is on top, against the rule worked out object by object, for any tangle of owners."""

from __future__ import annotations

from typing import Any, NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from tests.engine.made_up import definition, definitions
from workload_map.engine.owners import OwnerIndex

COVERED = definitions(
    definition("rootComponent: {kind: {version: v1, kind: Pod}, specDefinition: {podSpecPath: .spec}}"),
    definition("", kind="Thing", name="thing"),
)
KINDS = {"Pod": "v1", "Thing": "x.io/v1", "Other": "x.io/v1"}


class Given(NamedTuple):
    """An object: its kind, the number of its owner, and the kind of that where none has the number."""

    kind: str
    owner: int | None
    missing: str

    @property
    def is_covered(self) -> bool:
        return self.kind != "Other"


GIVEN = st.builds(
    Given, st.sampled_from(list(KINDS)), st.none() | st.integers(0, 7), st.sampled_from(["Thing", "Other"])
)


def made(number: int, some: list[Given]) -> dict[str, Any]:
    one = some[number]
    metadata: dict[str, Any] = {"name": f"o{number}", "namespace": "n", "uid": f"u{number}"}
    if one.owner is not None:
        kind = some[one.owner].kind if one.owner < len(some) else one.missing
        reference = {"apiVersion": KINDS[kind], "kind": kind, "uid": f"u{one.owner}", "controller": True}
        metadata["ownerReferences"] = [reference]
    return {"apiVersion": KINDS[one.kind], "kind": one.kind, "metadata": metadata}


def is_on_top(number: int, some: list[Given]) -> bool:
    """The rule, without an index: nothing covered above, nothing missing that would be; circles aside."""
    one = some[number]
    if not one.is_covered:
        return False
    above: list[int] = []
    owner = one.owner
    while owner is not None and owner < len(some) and owner not in above:
        above.append(owner)
        owner = some[owner].owner
    if number in above:  # a circle: the first covered one in it stands for all
        return number == min(each for each in above if some[each].is_covered)
    if any(some[each].is_covered for each in above):
        return False
    last = some[above[-1]] if above else one
    if owner is None or owner in above:
        return True
    return one.kind != "Pod" and last.missing == "Other"


@given(st.lists(GIVEN, min_size=1, max_size=7))
def test_what_no_covered_object_controls_is_on_top(some: list[Given]) -> None:
    everything = [made(number, some) for number in range(len(some))]
    expected = [f"o{number}" for number in range(len(some)) if is_on_top(number, some)]
    found = OwnerIndex(everything).top_level(COVERED)
    assert [one["metadata"]["name"] for one in found] == expected


def test_a_circle_that_begins_with_something_not_covered_has_a_top() -> None:
    some = [Given("Other", 1, ""), Given("Thing", 0, "")]
    found = OwnerIndex([made(0, some), made(1, some)]).top_level(COVERED)
    assert [one["metadata"]["name"] for one in found] == ["o1"]
