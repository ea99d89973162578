# ruff: noqa: E501 - tables read better in long lines
"""The corpus of hostile programs, run in children under limits: each ends soon, small, and in a typed way.

In all forms, each with a share of the usual steps, since what a step may cost is what is looked at. The bound
on time is the limit on the child's processor time (far above what a program takes), so that a busy machine
fails no test; how long programs really take is a matter of `benchmarks/path_hostile.py`.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NoReturn

import pytest

from tests.path import hostile
from workload_map import path
from workload_map.path.budget import STEPS
from workload_map.path.library import native_function

_SECONDS = 1
_SHARE = 10
_FORMS = ("all", "first", "locations")
_MEMORY = 96 << 20  # 64 MiB for the program, and what a forked child copies of its parent
_PARTS = 8


def deep() -> Any:
    value: Any = []
    for _ in range(15_000):
        value = [value]
    return value


def wide() -> Any:
    """About a megabyte, as JSON."""
    pod = {"containers": [{"name": "main", "image": "registry/app:1"}]}
    return {
        "items": [
            {"name": f"job-{number}", "spec": {"replicas": number % 7, "template": {"spec": pod}}}
            for number in range(8_000)
        ]
    }


def one_end(expression: str, value: Any, form: str) -> str:
    """How one form of a program ends."""
    try:
        getattr(path.compile(expression), form)(value, budget=path.Budget(steps=STEPS // _SHARE))
    except path.PathError as error:
        return f"{type(error).__name__}: {error.message}"
    except BaseException as error:  # what must not happen is told, not raised: this is a fork
        return f"untyped: {error!r}"[:300]
    return "done"


def ends(programs: Sequence[str], value: Any) -> Iterator[list[str]]:
    """How all forms of each program end, in a child; in a new one behind a program that a limit has ended."""
    done = 0
    while done < len(programs):
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reader)
            _run_limited(programs[done:], value, writer)
        os.close(writer)
        with os.fdopen(reader) as pipe:
            for line in pipe:
                done += 1
                yield json.loads(line)
        os.waitpid(child, 0)
        if done < len(programs):
            done += 1
            yield ["killed by a limit"]


def _forms_of(expression: str) -> tuple[str, ...]:
    """The forms in which a program can end differently."""
    try:
        return _FORMS if path.check(expression).many else ("all", "locations")
    except path.PathSyntaxError:
        return ("all",)  # refused before there is any form


def _run_limited(programs: Sequence[str], value: Any, writer: int) -> NoReturn:
    """The child: a line for each program. The time is limited for each, the memory above the start for all."""
    try:
        used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + _MEMORY, used + _MEMORY))
        for expression in programs:
            spent = int(time.process_time()) + 1
            resource.setrlimit(resource.RLIMIT_CPU, (spent + _SECONDS, resource.RLIM_INFINITY))
            found = [one_end(expression, value, form) for form in _forms_of(expression)]
            os.write(writer, json.dumps(found).encode() + b"\n")
    finally:
        os._exit(0)


def bad_ends(programs: Sequence[str], value: Any) -> dict[str, list[str]]:
    """The programs that end in another way than they may, and how."""
    wrong = ("untyped", "killed", "PathBudgetError: the expression needs more memory")
    found = zip(programs, ends(programs, value), strict=True)
    return {
        expression[:100]: hows for expression, hows in found if any(how.startswith(wrong) for how in hows)
    }


@pytest.fixture(scope="module", autouse=True)
def _warm() -> None:
    """Load everything once, so that children do not."""
    if not hasattr(os, "fork"):
        pytest.skip("children are forked")
    for name in ("length/0", "split/1", "test/1", "floor/0", "mktime/0", "add/0"):
        native_function(name)
    native_function("keys/0", located=True)
    path.compile('gsub("a"; "b")').all("a")


@pytest.mark.parametrize("part", range(_PARTS))
def test_hostile_programs_end(part: int) -> None:
    assert not bad_ends(hostile.PROGRAMS[part::_PARTS], None)


@pytest.mark.parametrize("kind", ["wide", "deep"])
def test_programs_on_large_values_end(kind: str) -> None:
    value = wide() if kind == "wide" else deep()
    assert not bad_ends([expression for expression, wanted in hostile.VALUES if wanted == kind], value)


def test_a_program_that_a_limit_ends_is_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    def one(expression: str, value: Any, form: str) -> str:
        if expression == "2":
            os.kill(os.getpid(), signal.SIGKILL)
        return "done"

    monkeypatch.setattr("tests.path.test_hostile.one_end", one)
    assert list(bad_ends(["1", "2", "3"], None)) == ["2"]


@pytest.mark.parametrize(
    "expression",
    [
        "[..] | length",
        "[.items[].name] | length",
        ".items | map(.spec.replicas) | add",
        "[.items[] | select(.spec.replicas > 3) | .name] | length",
        "any(.items[]; .spec.replicas > 100)",
        ".items | group_by(.spec.replicas) | map(length)",
        "tojson | length",
        "[paths] | length",
        "walk(.) | .items | length",
        "reduce .items[] as $i ({}; .[$i.name] = $i) | length",
        "reduce .items[] as $i ([]; . + [$i.name]) | length",
        "reduce .items[] as $i ({}; .[$i.spec.replicas | tostring] += [$i.name]) | length",
        "INDEX(.items[]; .name) | length",
        ".items | sort_by(.name) | .[0].name",
    ],
)
def test_ordinary_programs_on_a_megabyte_never_meet_the_budget(expression: str) -> None:
    assert path.compile(expression).all(wide()) != []


def test_the_corpus_is_large_enough() -> None:
    assert len(set(hostile.PROGRAMS)) >= 80


_REFUSED = [
    "env", "$ENV", '"\\(env)"', "def f: env; f", ". as {(env | keys[0]): $x} | $x",
    '$ENV["PATH"]', '@json "\\($ENV)"', "input", "inputs", "debug", 'debug("x")', "stderr", "input_filename",
    "input_line_number", "$__prog_args", 'import "a" as a; 1', 'include "a"; 1', "a::b", "modulemeta", "get_search_list",
    "now", "localtime", 'strflocaltime("%c")', "halt", "halt_error", "halt_error(1)", "[.[] | env.PATH]",
]  # fmt: skip


@pytest.mark.parametrize("expression", _REFUSED)
def test_what_reaches_outside_is_refused_before_it_runs(expression: str) -> None:
    with pytest.raises(path.PathSyntaxError, match=r"not allowed|not part of|there is no variable"):
        path.check(expression)


def _deeper(levels: int, expression: str) -> str:
    """How a program ends when its caller has used so much of the stack already."""
    if levels:
        return _deeper(levels - 1, expression)
    try:
        path.compile(expression).all({"a": 1})
    except path.PathError as error:
        return type(error).__name__
    return "done"


@pytest.mark.parametrize("levels", [100, 500, 700, 850])
def test_a_caller_deep_in_its_stack_gets_typed_errors_too(levels: int) -> None:
    for expression in (
        "[" * 46 + "1" + "]" * 46,
        "def f: [walk(f)]; f",
        "def f: any(f, f; f); f",
        f"{levels} | .",
    ):
        assert _deeper(levels, expression) in ("done", "PathBudgetError", "PathSyntaxError")
