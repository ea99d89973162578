"""Programs made by the grammar, compared with gojq and jq: same outputs, and an error behind the same ones.

gojq decides; where it answers otherwise than jq and this engine, jq's answer is taken too. What differs from
both is one of the differences of `docs/path-language.md`, told apart here by what the run says.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings

from tests.path.oracles import Oracle, gojq_oracle, jq_oracle
from tests.path.programs import programs, values
from workload_map import path
from workload_map.path.library.text import to_json
from workload_map.path.values import compare

MANY = 50_000
SOME = 2_000


# Elsewhere `?//` also catches how these end early, so that they go on: an accident of how they are made.
_EARLY_END = re.compile(r"\b(any|all|first|limit|isempty|IN|nth|label)\b")


class Answer(NamedTuple):
    """`end` is `done`, `error`, `refused` or `unknown` (gave up); outputs are those before the end."""

    end: str
    outputs: list[Any] | None
    message: str = ""


def ours(expression: str, value: Any) -> Answer:
    try:
        program = path.compile(expression)
        return Answer("done", program.all(value))
    except path.PathSyntaxError as error:
        return Answer("refused", [], error.message)
    except path.PathBudgetError:
        return Answer("unknown", [])
    except path.PathRuntimeError as error:
        before = f"[label $end | try ({expression}\n) catch break $end]"
        try:
            return Answer("error", path.compile(before).first(value), error.message)
        except path.PathError:  # the program catches the `break` itself, or is near its limits
            return Answer("error", None, error.message)


def theirs(oracle: Oracle, expression: str, value: Any) -> Answer:
    answer = oracle.ask(expression, value)
    if answer is None or answer.get("error") == "timeout":
        return Answer("unknown", [])
    if "compile" in answer:
        return Answer("refused", [])
    return Answer("error" if answer.get("error") else "done", answer["out"] or [], answer.get("error", ""))


def agree(one: Answer, other: Answer) -> bool:
    if "unknown" in (one.end, other.end):
        return True
    if one.end != other.end:
        return False
    if one.outputs is None or other.outputs is None:
        return True
    return len(one.outputs) == len(other.outputs) and all(map(same, one.outputs, other.outputs))


def same(left: Any, right: Any) -> bool:
    """Equal as JSON has them: a NaN is written as null, an infinity as the largest number."""
    written = json.loads(to_json(left, path.Budget()))
    return compare(written, right, path.Budget(steps=10**8)) == 0


def is_listed(answer: Answer) -> bool:
    """A computed value is never a path here; other engines take it for one where it equals what is there.

    What each then makes of it differs with where a `?` stands.
    """
    return answer.end == "error" and ("not a path" in answer.message or "nvalid path" in answer.message)


@pytest.fixture(scope="module")
def engines() -> Iterator[list[Oracle]]:
    found = [oracle for oracle in (gojq_oracle(), jq_oracle()) if oracle is not None]
    if len(found) == 1:
        print("gojq cannot be built here: compared with jq alone, where the order of keys cannot differ")  # noqa: T201
    yield found
    for oracle in found:
        oracle.close()


def compare_with(engines: list[Oracle], expression: str, value: Any) -> None:
    answer = ours(expression, value)
    if (
        answer.end == "unknown"
        or is_listed(answer)
        or ("?//" in expression and _EARLY_END.search(expression))
    ):
        return
    others = []
    for oracle in engines:
        other = theirs(oracle, expression, value)
        if agree(answer, other) or is_listed(other):
            return
        others.append(other)
    if len(engines) == 1 and "{" in expression + json.dumps(value):
        return  # jq keeps the order of keys that gojq sorts
    pytest.fail(f"{expression}\non {json.dumps(value)}\nours   {answer}\nothers {others}")


def _search(engines: list[Oracle], count: int) -> None:
    @settings(max_examples=count, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(programs, values)
    def search(expression: str, value: Any) -> None:
        compare_with(engines, expression, value)

    search()


def test_programs_answer_like_other_engines(engines: list[Oracle]) -> None:
    _search(engines, SOME)


@pytest.mark.slow
def test_many_programs_answer_like_other_engines(engines: list[Oracle]) -> None:
    _search(engines, MANY)
