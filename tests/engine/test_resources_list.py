"""Sums, multiples, texts and accelerators of resource lists."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workload_map.engine.quantity import Quantity, parse
from workload_map.engine.resources import ACCELERATORS, EMPTY, ResourceList


def listed(partial: bool = False, **amounts: str | None) -> ResourceList:
    return ResourceList(
        {name: None if text is None else parse(text) for name, text in amounts.items()}, partial=partial
    )


def gpus(amount: str | None, name: str = "nvidia.com/gpu") -> ResourceList:
    return ResourceList({name: None if amount is None else parse(amount)})


def test_names_are_in_order_whatever_the_input() -> None:
    amounts = listed(memory="1Gi", cpu="500m", b="1", a="2")
    assert list(amounts) == ["a", "b", "cpu", "memory"]
    assert list(amounts.strings()) == ["a", "b", "cpu", "memory"]
    assert [name for name, _ in amounts.items()] == ["a", "b", "cpu", "memory"]
    assert len(amounts) == 4


def test_absent_unknown_and_zero_are_three_answers() -> None:
    amounts = listed(cpu=None, memory="0")
    assert ("x" in amounts, amounts.get("x")) == (False, None)
    assert ("cpu" in amounts, amounts.get("cpu")) == (True, None)
    assert amounts.get("memory") == parse("0")
    assert amounts.strings() == {"cpu": None, "memory": "0"}


def test_sums_by_name() -> None:
    total = listed(cpu="500m", memory="1Gi").plus(listed(cpu="1", x="3"))
    assert total.strings() == {"cpu": "1500m", "memory": "1Gi", "x": "3"}


def test_a_sum_with_an_unknown_amount_is_unknown() -> None:
    total = listed(cpu="1", memory=None).plus(listed(cpu=None, memory="1Gi", x="1"))
    assert total.strings() == {"cpu": None, "memory": None, "x": "1"}


def test_nothing_added_is_the_same_value() -> None:
    amounts = listed(cpu="1")
    assert amounts.plus(EMPTY) is amounts
    assert EMPTY.plus(amounts) is amounts
    assert EMPTY.plus(EMPTY) is EMPTY


def test_a_sum_of_many_is_the_sum_of_each_in_turn() -> None:
    parts = [listed(False, cpu=f"{number}m", **{f"x{number % 7}": "1"}) for number in range(1, 601)]
    together, in_turn, nested = EMPTY.plus(*parts), EMPTY, EMPTY
    for part in parts:
        in_turn = in_turn.plus(part)
    for first, second in zip(parts[::2], parts[1::2], strict=True):
        nested = nested.plus(first.plus(second))
    expected = {"cpu": "180300m"}
    expected |= {f"x{rest}": str(sum(number % 7 == rest for number in range(1, 601))) for rest in range(7)}
    for total in (together, in_turn, nested):
        assert total.strings() == expected


def test_sums_and_multiples_of_each_other() -> None:
    one, other = listed(cpu="500m", memory="1Gi"), listed(cpu="1", x=None)
    twice = one.plus(other).times(2)
    assert twice.strings() == {"cpu": "3", "memory": "2Gi", "x": None}
    assert twice.plus(one.times(3)).times(10).strings() == {"cpu": "45", "memory": "50Gi", "x": None}
    assert twice.times(0).plus(one).strings() == {"cpu": "500m", "memory": "1Gi", "x": "0"}
    assert twice.plus(twice).get("cpu") == parse("6")  # once it was read, too


def test_what_was_not_read_yet_answers_all_the_same() -> None:
    def double() -> ResourceList:
        return gpus("2").plus(listed(cpu="1")).times(2)

    assert double() == ResourceList({"cpu": parse("2"), "nvidia.com/gpu": parse("4")})
    assert hash(double()) == hash(ResourceList({"nvidia.com/gpu": parse("4"), "cpu": parse("2")}))
    assert double().accelerators() == 4
    assert list(double()) == ["cpu", "nvidia.com/gpu"]
    assert (len(double()), bool(double()), "cpu" in double(), "x" in double()) == (2, True, True, False)
    assert not listed().times(2)
    assert repr(double()) == repr(listed(False, **{"cpu": "2", "nvidia.com/gpu": "4"}))


def test_multiples() -> None:
    amounts = listed(cpu="1500m", memory="4Gi", x=None)
    assert amounts.times(1) is amounts
    assert amounts.times(3).strings() == {"cpu": "4500m", "memory": "12Gi", "x": None}
    for count in range(2, 200):
        assert amounts.times(count).get("cpu") == Quantity(1_500_000_000 * count)


def test_none_of_something_keeps_the_names_and_nothing_of_it_is_unknown() -> None:
    none = listed(cpu="1500m", x=None, partial=True).times(0)
    assert none.strings() == {"cpu": "0", "x": "0"}
    assert none.partial is False


def test_partial_stays_in_sums_and_multiples() -> None:
    partial = listed(partial=True, cpu="1")
    assert partial.times(2).partial
    assert partial.plus(listed(cpu="1")).partial
    assert listed(cpu="1").plus(partial).partial
    assert EMPTY.plus(ResourceList({}, partial=True)).partial
    assert not listed(cpu="1").plus(listed(cpu="1")).partial


def test_equal_by_names_amounts_and_completeness() -> None:
    assert listed(memory="1Gi", cpu="1") == listed(cpu="1000m", memory="1073741824")
    assert hash(listed(memory="1Gi")) == hash(listed(memory="1073741824"))
    assert listed(cpu="1") != listed(cpu="2")
    assert listed(cpu="0") != EMPTY
    assert listed(cpu=None) != listed(cpu="0")
    assert listed(cpu="1", partial=True) != listed(cpu="1")
    assert listed() == EMPTY
    assert EMPTY != {}


def test_a_list_without_amounts_is_false_unless_it_is_partial() -> None:
    assert not EMPTY
    assert listed(cpu="0")
    assert ResourceList({}, partial=True)


def test_a_caller_cannot_change_what_is_remembered() -> None:
    amounts = listed(cpu="1")
    amounts.strings()["cpu"] = "99"
    assert amounts.strings() == {"cpu": "1"}


class TestAccelerators:
    @pytest.mark.parametrize(
        "name",
        [
            *["nvidia.com/gpu", "amd.com/gpu", "gpu.intel.com/i915", "gpu.intel.com/xe", "habana.ai/gaudi"],
            *["google.com/tpu", "aws.amazon.com/neuron", "aws.amazon.com/neurondevice"],
        ],
    )
    def test_whole_devices_of_all_vendors(self, name: str) -> None:
        assert gpus("8", name).accelerators() == 8

    def test_there_are_no_others(self) -> None:
        assert len(ACCELERATORS) == 8

    @pytest.mark.parametrize(
        "name",
        [
            *["nvidia.com/mig-1g.5gb", "nvidia.com/gpu.shared", "nvidia.com/gpumem", "nvidia.com/gpucores"],
            *["aws.amazon.com/neuroncore", "gpu.intel.com/millicores", "example.com/gpu", "cpu", "gpu"],
        ],
    )
    def test_slices_shares_and_other_resources_are_none(self, name: str) -> None:
        assert gpus("8", name).accelerators() == 0

    def test_all_kinds_are_summed(self) -> None:
        both = gpus("2").plus(gpus("3", "amd.com/gpu")).plus(gpus("7", "nvidia.com/mig-1g.5gb"))
        assert both.accelerators() == 5
        assert both.times(4).accelerators() == 20

    def test_unknown_where_one_is_unknown_or_a_fraction_or_anything_may_be_missing(self) -> None:
        assert gpus(None).accelerators() is None
        assert gpus(None).times(3).accelerators() is None
        assert gpus("1500m").accelerators() is None
        assert gpus("2").plus(gpus(None, "amd.com/gpu")).accelerators() is None
        assert ResourceList({}, partial=True).accelerators() is None

    def test_an_unknown_amount_of_something_else_does_not_matter(self) -> None:
        assert gpus("2").plus(listed(cpu=None)).accelerators() == 2

    def test_the_list_can_be_another_one(self) -> None:
        amounts = gpus("2").plus(gpus("3", "example.com/npu"))
        assert amounts.accelerators(ACCELERATORS | {"example.com/npu"}) == 5
        assert amounts.accelerators() == 2
        assert amounts.accelerators(frozenset()) == 0


AMOUNTS = st.none() | st.integers(0, 10**15).map(Quantity)
LISTS = st.builds(ResourceList, st.dictionaries(st.sampled_from("abcd"), AMOUNTS), partial=st.booleans())


@given(LISTS, LISTS, LISTS, st.integers(0, 9))
def test_sums_and_multiples_are_those_of_numbers(
    one: ResourceList, two: ResourceList, three: ResourceList, count: int
) -> None:
    assert one.plus(two) == two.plus(one)
    assert one.plus(two).plus(three) == one.plus(two.plus(three))
    repeated = EMPTY
    for _ in range(count):
        repeated = repeated.plus(one)
    assert one.times(count) == repeated or count == 0
    if count:
        assert one.plus(two).times(count) == one.times(count).plus(two.times(count))


def test_threads_share_values() -> None:
    terms = [listed(cpu=f"{milli}m") for milli in range(100)]

    def total(_: int) -> ResourceList:
        amount = EMPTY
        for term in terms:
            amount = amount.plus(term.times(2))
        return amount

    with ThreadPoolExecutor(4) as pool:
        assert {str(one.strings()) for one in pool.map(total, range(40))} == {"{'cpu': '9900m'}"}
