"""Regular expressions by RE2: linear time, whatever the pattern.

RE2 counts bytes underneath, jq code points: the Python binding works on `str` and gives code points.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import re2

from workload_map.path.budget import Budget
from workload_map.path.errors import PathRuntimeError
from workload_map.path.runtime import fail

_FLAGS = frozenset("gimnpslx")
_MAX_MEMORY = 1 << 20
_MAX_PATTERN = 4096


def test(value: Any, pattern: Any, flags: Any, budget: Budget) -> bool:
    """Whether the pattern matches somewhere."""
    program, _ = _program(value, pattern, flags)
    _charge(value, budget)
    return program.search(value) is not None


def test_plain(value: Any, pattern: Any, budget: Budget) -> bool:
    """`test` without flags; with an array the pattern and its flags."""
    if isinstance(pattern, list):
        return test(value, *_unpacked(pattern), budget)
    return test(value, pattern, None, budget)


def matches(value: Any, pattern: Any, flags: Any, budget: Budget) -> list[dict[str, Any]]:
    """All matches (the first only, without flag `g`) as jq's match objects."""
    if isinstance(pattern, list) and flags is None:
        pattern, flags = _unpacked(pattern)
    program, every = _program(value, pattern, flags)
    _charge(value, budget)
    names = {number: name for name, number in program.groupindex.items()}
    skip_empty = "n" in (flags or "")
    found: list[dict[str, Any]] = []
    before = -1
    for hit in program.finditer(value):
        start, end = hit.span()
        if start == end == before:  # as in Go, no empty match right behind another
            continue
        before = end
        budget.work(10 + 4 * program.groups + (end - start) // 32)
        if skip_empty and start == end:
            continue
        budget.grow(256 * (program.groups + 1) + end - start)
        found.append(_match(hit, program.groups, names))
        if not every:
            break
    return found


def _match(hit: Any, groups: int, names: dict[int, str]) -> dict[str, Any]:
    captures = []
    for number in range(1, groups + 1):
        start, end = hit.span(number)
        text = hit.group(number)
        captures.append(
            {"name": names.get(number), "offset": start, "length": max(0, end - start), "string": text}
        )
    start, end = hit.span()
    return {"offset": start, "length": end - start, "string": hit.group(), "captures": captures}


def split(value: Any, pattern: Any, flags: Any, budget: Budget) -> list[str]:
    """The pieces between all matches; as in Go, none before or behind an empty match at an end."""
    flags = "g" + (flags or "") if flags is None or isinstance(flags, str) else flags
    found = matches(value, pattern, flags, budget)
    if not value:
        return [""] if pattern else []
    budget.grow(len(value) + 64 * len(found))
    pieces, last, start = [], 0, 0
    for hit in found:
        start, end = hit["offset"], hit["offset"] + hit["length"]
        if end:
            pieces.append(value[last:start])
        last = end
    if start != len(value):
        pieces.append(value[last:])
    return pieces


def _unpacked(pattern: list[Any]) -> tuple[Any, Any]:
    return (pattern[0] if pattern else None), (pattern[1] if len(pattern) > 1 else None)


def _charge(value: str, budget: Budget) -> None:
    budget.work(len(value) // 64)


def _program(value: Any, pattern: Any, flags: Any) -> tuple[Any, bool]:
    """The compiled pattern, and whether all matches are wanted."""
    if not isinstance(value, str):
        fail("type", "a regular expression matches strings: expected a string", value)
    if not isinstance(pattern, str):
        fail("type", "expected a string as the regular expression", pattern)
    if not isinstance(flags, str | None):
        fail("type", "expected a string of flags", flags)
    for text in (value, pattern):
        if not text.isascii() and not _is_whole(text):
            fail("value", "a regular expression and its text must not hold half a character", text)
    flags = flags or ""
    unknown = set(flags) - _FLAGS
    if unknown:
        raise PathRuntimeError(
            "value", f"unknown flag `{min(unknown)}` of a regular expression; known are gimnpslx"
        )
    return _compiled(pattern, "".join(sorted(set(flags) & set("imsxlp")))), "g" in flags


def _is_whole(text: str) -> bool:
    """Whether a string holds characters alone, and no halves of surrogate pairs."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


@lru_cache(maxsize=256)
def _compiled(pattern: str, flags: str) -> Any:
    """A compiled pattern. RE2 bounds its memory; patterns that would need more are refused."""
    if len(pattern) > _MAX_PATTERN:
        raise PathRuntimeError("value", f"the regular expression is longer than {_MAX_PATTERN} characters")
    if "x" in flags or "l" in flags:
        raise PathRuntimeError("value", "the flags `x` and `l` are not part of RE2")
    options = re2.Options()
    options.max_mem = _MAX_MEMORY
    options.log_errors = False
    options.case_sensitive = "i" not in flags
    # `s` (and `p`) let a dot match a line end. RE2's own multi-line mode is for anchors, jq's is not.
    options.dot_nl = "s" in flags or "p" in flags
    try:
        return re2.compile(pattern, options)
    except re2.error as error:
        reason = error.args[0].decode() if isinstance(error.args[0], bytes) else str(error.args[0])
        raise PathRuntimeError("value", f"not a regular expression: {reason}") from None


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "test/1": test_plain,
    "test/2": test,
    "_matches/2": matches,
    "split/2": split,
}
