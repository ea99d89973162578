"""Safe text, its width, ages, numbers that may be unknown."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from tests.render.views import amounts as amounts_of
from tests.render.views import totals
from workload_map.engine.resource_list import ResourceList
from workload_map.engine.view import Bound
from workload_map.render import amounts
from workload_map.render.age import age, duration
from workload_map.render.style import Style
from workload_map.render.table import Cell, Names, Widths, blocks, lines
from workload_map.render.text import hanging, packed, printable, shortened, width, wrapped


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("plain name-1", "plain name-1"),
        ("größe 机器", "größe 机器"),
        ("\x1b[31mred\x1b[0m", r"\x1b[31mred\x1b[0m"),
        ("\x9b31m", r"\x9b31m"),
        ("bell\a tab\t line\r\n", r"bell\x07 tab\t line\r\n"),
        ("turn\u202eround", r"turn\u202eround"),
        ("zero\u200bwidth", r"zero\u200bwidth"),
        ("nul\0", r"nul\x00"),
        ("lone\ud800", r"lone\ud800"),
        ("line\u2028", r"line\u2028"),
        ("back\\slash", "back\\slash"),
    ],
)
def test_what_a_terminal_would_obey_is_escaped(text: str, safe: str) -> None:
    assert printable(text) == safe
    assert printable(text).isprintable()


@pytest.mark.parametrize(
    ("text", "columns"), [("", 0), ("abc", 3), ("机器", 4), ("é", 1), ("e\u0301", 1), ("🚀", 2)]
)
def test_width_counts_columns(text: str, columns: int) -> None:
    assert width(text) == columns


def test_columns_align_also_with_wide_characters_and_colours() -> None:
    rows = [
        [Cell.plain("NAME"), Cell.plain("PHASE"), Cell.plain("AGE")],
        [Cell.plain("机器"), Cell("Up", "\x1b[32mUp\x1b[0m"), Cell.plain("3s")],
        [Cell.plain("a"), Cell.plain(""), Cell.plain("")],
    ]
    assert list(lines(rows)) == ["NAME   PHASE   AGE", "机器   \x1b[32mUp\x1b[0m      3s", "a"]


def test_a_column_that_is_empty_everywhere_takes_no_room() -> None:
    assert list(lines([[Cell.plain("a"), Cell.plain(""), Cell.plain("b")]])) == ["a   b"]


def _fit(columns: int, *rows: list[str], names: Names = "cut") -> list[str]:
    style = Style(unicode=True, columns=columns)
    return list(lines([[Cell.plain(text) for text in row] for row in rows], style, names=names))


def test_the_widest_columns_are_cut_to_the_terminal() -> None:
    rows = (["NAME", "NODES", "AGE"], ["a-rather-long-name", "node-a,node-b,node-c", "3s"])
    assert _fit(47, *rows)[1] == "a-rather-long-name   node-a,node-b,node-c   3s"
    assert _fit(46, *rows)[1] == "a-rather-long-name   node-a,node-b,node…   3s"
    assert _fit(40, *rows) == [
        "NAME              NODES             AGE",
        "a-rather-long-…   node-a,node-b,…   3s",
    ]
    assert all(width(line) <= 28 for line in _fit(28, *rows))


def test_where_half_of_a_name_would_go_the_last_columns_stand_below() -> None:
    rows = (["NAME", "NODES", "", "AGE"], ["a-rather-long-name", "node-a,node-b,node-c", "", "3s"])
    assert _fit(29, *rows) == ["NAME         NODES        AGE", "a-rather-…   node-a,no…   3s"]
    folded = [
        "NAME",
        "    NODES                  AGE",
        "a-rather-long-name",
        "    node-a,node-b,node-c   3s",
    ]
    assert _fit(28, *rows) == [
        "NAME",
        "    NODES",
        "    AGE",
        folded[2],
        "    node-a,node-b,node-c",
        "    3s",
    ]
    assert _fit(30, *rows, names="whole") == folded
    assert _fit(12, *rows) == _fit(28, *rows)
    # What is empty in a row takes no line.
    assert _fit(27, rows[1], ["TOTAL", "", "", "5s"])[-2:] == ["TOTAL", "    5s"]


def test_names_that_are_to_be_typed_are_whole() -> None:
    rows = (["a-rather-long-name", "node-a,node-b,node-c"], ["b", "node-d"])
    assert _fit(31, *rows, names="whole") == [
        "a-rather-long-name   node-a,no…",
        "b                    node-d",
    ]
    assert _fit(30, *rows, names="whole")[:2] == ["a-rather-long-name", "    node-a,node-b,node-c"]
    assert _fit(41, *rows, names="whole")[0] == "   ".join(rows[0])


def test_rows_that_come_later_stand_below_in_the_same_columns() -> None:
    before, style = Widths(), Style(unicode=True, columns=18)
    first, second = (
        list(blocks([[Cell.plain(text) for text in row]], style, before=before))
        for row in (["a-name-of-twenty-signs", "x", "y"], ["short", "1", "2"])
    )
    assert first == [["a-name-of-twenty-signs", "    x   y"]]
    assert second == [["short", "    1   2"]]


def test_names_that_tell_rows_apart_are_cut_last() -> None:
    rows = (["train-worker-0-x4m9q", "Running", "node-a,node-b"], ["train-worker-1-b7k2p", "Error", "node-c"])
    assert _fit(46, *rows, names="last") == [
        "train-worker-0-x4m9q   Running   node-a,node-b",
        "train-worker-1-b7k2p   Error     node-c",
    ]
    # 20 + 3 + 7 + 3 leave eight for the nodes, the least that a column is cut to; then the names give way.
    assert _fit(41, *rows, names="last")[0] == "train-worker-0-x4m9q   Running   node-a,…"
    assert _fit(40, *rows, names="last")[0] == "train-worker-0-x4m…   Running   node-a,…"
    assert _fit(29, *rows, names="last")[0] == "train-w…   Running   node-a,…"
    assert _fit(28, *rows, names="last")[0] == "train-worker-0-x4m9q   Running   node-a,node-b"
    # A name shorter than the least width never gives way.
    assert _fit(15, ["a", "node-a,node-b"], names="last") == ["a   node-a,nod…"]
    assert _fit(11, ["a", "node-a,node-b"], names="last") == ["a   node-a,node-b"]


def test_wide_characters_and_colours_are_cut_whole() -> None:
    assert _fit(9, ["机器机器机器"]) == ["机器机器…"]
    assert _fit(8, ["机器机器机器"]) == ["机器机…"]
    style = Style(colour=True, columns=9)
    cell = Cell("Initializing", "\x1b[34mInitializing\x1b[0m")
    assert list(lines([[cell]], style)) == ["\x1b[34mInitia...\x1b[0m"]


def test_long_lists_are_shortened() -> None:
    assert shortened(["a", "b", "c"], 3) == "a,b,c"
    assert shortened(["a", "b", "c", "d", "\x1b"], 3) == "a,b,c,+2"
    assert shortened([], 3) == ""


MINUTE, HOUR, DAY, YEAR = 60, 3600, 86400, 365 * 86400


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (-2, "<invalid>"),
        (-1, "0s"),
        (0, "0s"),
        (119, "119s"),
        (120, "2m"),
        (9 * MINUTE + 59, "9m59s"),
        (10 * MINUTE + 59, "10m"),
        (3 * HOUR - 1, "179m"),
        (3 * HOUR, "3h"),
        (7 * HOUR + 59 * MINUTE, "7h59m"),
        (8 * HOUR + 59 * MINUTE, "8h"),
        (2 * DAY - 1, "47h"),
        (2 * DAY, "2d"),
        (7 * DAY + 23 * HOUR, "7d23h"),
        (8 * DAY + 23 * HOUR, "8d"),
        (2 * YEAR - 1, "729d"),
        (2 * YEAR, "2y"),
        (3 * YEAR + 4 * DAY, "3y4d"),
        (8 * YEAR + 4 * DAY, "8y"),
    ],
)
def test_durations_read_as_kubectls(seconds: int, text: str) -> None:
    assert duration(seconds) == text


def test_ages_count_from_now() -> None:
    now = datetime(2025, 6, 1, 14, 0, 30, tzinfo=timezone(timedelta(hours=2)))
    assert age("2025-06-01T12:00:00Z", now) == "30s"
    assert age("2025-06-01T11:00:00.500000Z", now) == "60m"
    assert age(None, now) == "<unknown>"
    assert age("yesterday", now) == "<unknown>"
    assert age("2025-06-01T12:00:00", datetime.now(UTC)) == "<unknown>"


@pytest.mark.parametrize(
    ("numbers", "text"),
    [
        ((3, None, None), "3"),
        ((0, 1, 2), "0"),
        ((None, 2, 5), "2..5"),
        ((None, 2, None), "2..?"),
        ((None, None, 5), "?..5"),
        ((None, None, None), "?"),
    ],
)
def test_numbers_may_be_unknown_or_elastic(
    numbers: tuple[int | None, int | None, int | None], text: str
) -> None:
    assert amounts.count(*numbers) == text


def test_totals_fall_back_to_their_bounds() -> None:
    elastic = totals(pods=None, gpus=None, at_min=Bound(pods=2, gpus=16), at_max=Bound(pods=5, gpus=40))
    assert amounts.pods(elastic) == "2..5"
    assert amounts.gpus(elastic) == "16..40"


def test_absent_zero_and_unknown_amounts_differ() -> None:
    assert amounts.amount(amounts_of(cpu="500m"), "cpu") == "500m"
    assert amounts.amount(amounts_of(cpu="500m"), "memory") == "0"
    assert amounts.amount(None, "cpu") == "?"
    assert amounts.amount(ResourceList({"cpu": None}), "cpu") == "?"
    assert amounts.amount(ResourceList({}, partial=True), "cpu") == "?"


def test_one_endless_name_does_not_widen_the_other_rows() -> None:
    rows = [[Cell.plain("x" * 100_000), Cell.plain("a")], [Cell.plain("y"), Cell.plain("b")]]
    first, second = lines(rows)
    assert first == "x" * 100_000 + "   a"
    assert second == "y" + " " * 255 + "b"


@pytest.mark.parametrize(
    ("text", "columns", "parts"),
    [
        ("", 4, [""]),
        ("abcd", 4, ["abcd"]),
        ("one two three", 7, ["one two", "three"]),
        ("one two three", 8, ["one two", "three"]),
        ("spec.jobs[0]", 5, ["spec.", "jobs[", "0]"]),
        ("机器人", 4, ["机器", "人"]),
        ("ends here ", 9, ["ends here"]),
    ],
)
def test_a_long_text_is_broken_at_blanks_and_where_there_are_none_anywhere(
    text: str, columns: int, parts: list[str]
) -> None:
    assert wrapped(text, columns) == parts


def test_lines_of_a_text_stand_below_each_other() -> None:
    text = "a sentence that is longer"
    assert hanging(text, 24, "- ", "  ") == ["- a sentence that is", "  longer"]
    assert hanging(text, None, "- ", "  ") == [f"- {text}"]
    assert hanging(text, 10, "- ", "  ") == [f"- {text}"]


def test_texts_stand_side_by_side_as_far_as_they_fit() -> None:
    parts = ["\x1b[1mabc\x1b[0m", "def", "ghi"]
    assert packed(parts, 9) == ["\x1b[1mabc\x1b[0m   def", "ghi"]
    assert packed(parts, 8) == parts
    assert packed(parts, None) == ["   ".join(parts)]
    assert packed([], 80) == []
    long = "words that are too many for one line"
    assert packed(["a", long], 24) == ["a", "words that are too", "  many for one line"]
    assert packed([f"\x1b[1m{long}\x1b[0m"], 24) == [f"\x1b[1m{long}\x1b[0m"]


@pytest.mark.parametrize("names", ["cut", "last", "whole"])
def test_a_word_is_broken_where_no_other_column_can_give_way(names: Names) -> None:
    told = "Running (CrashLoopBackOff)"
    rows = [[Cell.plain("a"), Cell(told, told, whole=True), Cell.plain("a-node-of-some-name")]]
    narrow = {
        columns: list(lines(rows, Style(unicode=True, columns=columns), names=names)) for columns in (41, 32)
    }
    assert narrow[41] == ["a   Running              a-node-of-some-…", "    (CrashLoopBackOff)"]
    assert narrow[32] == ["a   Running        a-node-of-s…", "    (CrashLoopBa", "    ckOff)"]


def test_what_matters_to_its_end_goes_on_below() -> None:
    words = "some words that go on"
    rows = [
        [
            Cell.plain("x"),
            Cell("differs so much", "\x1b[31mdiffers so much\x1b[0m", whole=True),
            Cell.plain(words),
        ],
        [Cell.plain("y"), Cell.plain("also"), Cell(words, words, whole=True)],
    ]
    assert list(lines(rows, Style(unicode=True, columns=30))) == [
        "x   \x1b[31mdiffers so\x1b[0m    some words…",  # both columns are 11 wide
        "    \x1b[31mmuch\x1b[0m",
        "y   also          some words",
        "                  that go on",
    ]
