"""Quantities against the rules of the API machinery, and against a table that its own package wrote."""

from __future__ import annotations

import csv
import gzip
import os
import shutil
import subprocess
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workload_map.engine.quantity import NANO, Quantity, QuantityError, parse
from workload_map.errors import WorkloadMapError

QUANTITIES = Path(__file__).parent / "quantities"


def check_rows(rows: Iterable[list[str]]) -> int:
    """Compare with what Kubernetes made of each text; returns how many rows there were."""
    last = Quantity(0)
    count = 0
    for text, canonical, notation, nano, total in rows:
        count += 1
        if not canonical:
            with pytest.raises(QuantityError):
                parse(text)
            continue
        quantity = parse(text)
        assert (str(quantity), quantity.format, str(quantity.nano)) == (canonical, notation, nano), text
        assert str(last + quantity) == total, (str(last), text)
        last = quantity
    return count


def test_stored_table() -> None:
    with gzip.open(QUANTITIES / "table.csv.gz", "rt", encoding="utf-8", newline="") as table:
        assert check_rows(csv.reader(table)) == 20_000


@pytest.mark.slow
def test_a_million_from_kubernetes_own_package(tmp_path: Path) -> None:
    go = shutil.which("go")
    if go is None:
        pytest.skip("Go is not installed")
    program = tmp_path / "quantities"
    environment = {**os.environ, "GOPROXY": "off", "GOFLAGS": "-mod=readonly"}
    build = [go, "build", "-o", str(program), "."]
    built = subprocess.run(
        build, cwd=QUANTITIES, env=environment, capture_output=True, text=True, check=False
    )
    if built.returncode:
        pytest.skip(f"the API machinery's package is not at hand: {built.stderr.strip()[-200:]}")
    command = [str(program), "-n", "1000000", "-seed", "7"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, encoding="utf-8") as made:
        assert made.stdout is not None
        assert check_rows(csv.reader(made.stdout)) == 1_000_000
    assert made.returncode == 0


@pytest.mark.parametrize(
    ("text", "nano", "canonical"),
    [
        ("0", 0, "0"),
        ("1", NANO, "1"),
        ("0.5", 500_000_000, "500m"),
        ("500m", 500_000_000, "500m"),
        ("1.5", 1_500_000_000, "1500m"),
        ("1000m", NANO, "1"),
        ("100n", 100, "100n"),
        ("1000n", 1000, "1u"),
        ("2500u", 2_500_000, "2500u"),
        ("1k", 1000 * NANO, "1k"),
        ("2000", 2000 * NANO, "2k"),
        ("1M", 10**6 * NANO, "1M"),
        ("1G", 10**9 * NANO, "1G"),
        ("1T", 10**12 * NANO, "1T"),
        ("1P", 10**15 * NANO, "1P"),
        ("1E", 10**18 * NANO, "1E"),
        ("1Ki", 2**10 * NANO, "1Ki"),
        ("1Mi", 2**20 * NANO, "1Mi"),
        ("4.5Gi", 9 * 2**29 * NANO, "4608Mi"),
        ("1Ti", 2**40 * NANO, "1Ti"),
        ("1Pi", 2**50 * NANO, "1Pi"),
        ("1Ei", 2**60 * NANO, "1Ei"),
        ("1e3", 1000 * NANO, "1e3"),
        ("1E3", 1000 * NANO, "1e3"),
        ("15e+2", 1500 * NANO, "1500"),
        ("5e-1", NANO // 2, "500e-3"),
        ("12e0", 12 * NANO, "12"),
        ("+5", 5 * NANO, "5"),
        ("-5", -5 * NANO, "-5"),
        ("005", 5 * NANO, "5"),
        ("1.", NANO, "1"),
        (".5", NANO // 2, "500m"),
        (" 2\n", 2 * NANO, "2"),
        ("-0", 0, "0"),
        ("k", 0, "0"),
    ],
)
def test_reads_and_writes(text: str, nano: int, canonical: str) -> None:
    quantity = parse(text)
    assert quantity.nano == nano
    assert str(quantity) == canonical


@pytest.mark.parametrize(
    ("text", "canonical"),
    [("0.1n", "1n"), ("-0.1n", "-1n"), ("1.0000000001", "1000000001n"), ("1e-30", "1e-9")],
)
def test_fractions_of_a_nano_unit_are_rounded_up_away_from_zero(text: str, canonical: str) -> None:
    assert str(parse(text)) == canonical


def test_binary_amounts_are_capped_and_small_ones_are_written_in_decimal() -> None:
    assert str(parse("10Ei")) == "9223372036854775807"
    assert str(parse("-10Ei")) == "-9223372036854775807"
    assert str(parse("0.5Ki")) == "512"
    assert str(parse("0.0001Ki")) == "102400u"
    assert str(parse("1.1Ki")) == "1126400m"
    assert parse("0.0001Ki").format == "DecimalSI"


def test_an_amount_above_the_largest_suffix_keeps_its_digits() -> None:
    assert str(parse("1000E")) == "1000E"
    assert str(parse("512Pi") * 2 * 2048) == "2048Ei"


@pytest.mark.parametrize(
    "text",
    [
        *["", " ", "abc", "1x", "1 Gi", "1..5", "--1", "1ki", "1KI", "1gi", "1e", "1e1.5", "0x10", "1_000"],
        *["\u0661", "1\u00b5", "1e99999999999", "1e100", "1E2000000000", "9" * 300, "1\x1f", "NaN", "1,5"],
        *["Pi", "Ei", "e-10"],
    ],
)
def test_other_texts_are_errors_that_quote_them(text: str) -> None:
    with pytest.raises(QuantityError) as caught:
        parse(text)
    assert caught.value.code == "bad-quantity"
    assert isinstance(caught.value, WorkloadMapError)
    assert repr(text[:20])[:-1] in caught.value.message


@pytest.mark.parametrize(
    ("number", "canonical"),
    [
        *[(3, "3"), (0, "0"), (-2, "-2"), (1000, "1k"), (2**80, "1208925819614629174706176")],
        *[
            (0.5, "500m"),
            (2.0, "2"),
            (0.1, "100m"),
            (1e-5, "10u"),
            (1e16, "10P"),
            (1e22, "10e21"),
            (-0.0, "0"),
        ],
    ],
)
def test_numbers_are_read_as_json_writes_them(number: int | float, canonical: str) -> None:
    assert str(parse(number)) == canonical


@pytest.mark.parametrize(
    "value", [True, False, float("nan"), float("inf"), 10**100, -(10**100), None, [], {}, ["1"], b"1"]
)
def test_other_values_are_errors(value: object) -> None:
    with pytest.raises(QuantityError):
        parse(value)  # type: ignore[arg-type]


def test_a_number_of_more_digits_than_python_prints_is_an_error() -> None:
    with pytest.raises(QuantityError):
        parse(10**5000)


def test_true_is_an_error_also_after_one_was_read() -> None:
    assert parse(1) == parse("1") == parse(1.0)
    with pytest.raises(QuantityError, match="true is not a quantity"):
        parse(True)


def test_a_sum_keeps_the_notation_of_its_first_term_that_is_not_zero() -> None:
    assert str(parse("1Gi") + parse("1024")) == "1048577Ki"
    assert str(parse("1024") + parse("1Gi")) == "1073742848"
    assert str(parse("0") + parse("1Gi")) == "1Gi"
    assert str(parse("1Gi") + parse("0")) == "1Gi"
    assert str(parse("1e3") + parse("1k")) == "2e3"


def test_amounts_compare_whatever_their_notation() -> None:
    assert parse("1Gi") == parse("1073741824")
    assert hash(parse("1Gi")) == hash(parse("1073741824"))
    assert (parse("1Gi") != parse("1073741824")) is False
    assert parse("1") != parse("1001m")
    assert parse("999m") < parse("1") <= parse("1e0")
    assert parse("1Ki") > parse("1k") >= parse("1000")
    assert parse("1") != 1


@pytest.mark.parametrize(
    ("text", "whole"), [("0", 0), ("1", 1), ("1n", 1), ("1500m", 2), ("-1500m", -2), ("4.5Gi", 4_831_838_208)]
)
def test_ceil_rounds_up_to_whole_units(text: str, whole: int) -> None:
    assert parse(text).ceil() == whole


UNITS: dict[str, Fraction] = {
    "n": Fraction(1, 10**9),
    "u": Fraction(1, 10**6),
    "m": Fraction(1, 10**3),
    "": Fraction(1),
    "k": Fraction(10**3),
    "M": Fraction(10**6),
    "G": Fraction(10**9),
    "T": Fraction(10**12),
    "P": Fraction(10**15),
    "E": Fraction(10**18),
    "Ki": Fraction(2**10),
    "Mi": Fraction(2**20),
    "Gi": Fraction(2**30),
    "Ti": Fraction(2**40),
    "Pi": Fraction(2**50),
    "Ei": Fraction(2**60),
}


@given(st.decimals(-999, 999, places=4), st.sampled_from(sorted(UNITS)))
def test_an_amount_is_its_number_times_its_unit(number: Decimal, suffix: str) -> None:
    exact = Fraction(number) * UNITS[suffix] * NANO
    capped = min(abs(exact), Fraction((2**63 - 1) * NANO)) if suffix.endswith("i") else abs(exact)
    nano = parse(f"{number:f}{suffix}").nano
    assert abs(nano) - 1 < capped <= abs(nano)
    assert (nano > 0) == (number > 0)


@given(st.integers(-(10**40), 10**40), st.sampled_from(["DecimalSI", "BinarySI", "DecimalExponent"]))
def test_what_is_written_reads_back_as_the_same_amount(nano: int, notation: str) -> None:
    quantity = Quantity(nano, notation)  # type: ignore[arg-type]
    text = str(quantity)
    assert "." not in text
    if notation != "BinarySI" or abs(nano) < 2**63 * NANO:
        again = parse(text)
        assert again.nano == nano
        # Without a suffix a binary amount reads back as a decimal one, which may be written shorter.
        assert str(again) == text or notation == "BinarySI"


@given(st.text(max_size=12) | st.text("0123456789.+-eEinumkKMGTP", max_size=300))
def test_any_text_is_a_quantity_or_an_error(text: str) -> None:
    try:
        quantity = parse(text)
    except QuantityError:
        return
    assert str(parse(str(quantity))) == str(quantity)
