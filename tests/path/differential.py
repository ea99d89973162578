"""What an engine answers to a program and a value, and whether two answers agree.

gojq decides; where it answers otherwise than jq and this engine, jq's answer is taken too. What differs from
both is one of the differences of `docs/path-language.md`, told apart here by what the run says.
"""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

from tests.path.oracles import Oracle
from workload_map import path
from workload_map.path.library.text import to_json
from workload_map.path.values import compare

# Elsewhere `?//` catches whatever fails or ends behind it while patterns are left: how these end early, and
# errors of what is done with its outputs. Here it is about its own patterns and body.
_EARLY_END = re.compile(r"\b(any|all|first|limit|isempty|IN|nth|label)\b")

_LISTED = ("not a path", "nvalid path", "arrays grow up to", "a repeated string is longer")


# The other engines are asked for no more outputs than that, and a few: how a longer answer ends is not known.
CUT = 500


class Answer(NamedTuple):
    """`end` is `done`, `error`, `refused`, `unknown` (gave up), or `no bound` where the budget did not hold.

    Outputs are those before the end.
    """

    end: str
    outputs: list[Any] | None
    message: str = ""


def ours(expression: str, value: Any) -> Answer:
    """What this engine answers."""
    try:
        program = path.compile(expression)
        return Answer("done", program.all(value))
    except path.PathSyntaxError as error:
        return Answer("refused", [], error.message)
    except path.PathBudgetError as error:
        return Answer("no bound" if "more memory" in error.message else "unknown", [], error.message)
    except path.PathRuntimeError as error:
        before = f"[label $end | try ({expression}\n) catch break $end]"
        try:
            return Answer("error", path.compile(before).first(value), error.message)
        except path.PathError:  # the program catches the `break` itself, or is near its limits
            return Answer("error", None, error.message)


def theirs(oracle: Oracle, expression: str, value: Any) -> Answer:
    """What another engine answers."""
    answer = oracle.ask(expression, value)
    if answer is None or answer.get("error") == "timeout":
        return Answer("unknown", [])
    if "compile" in answer:
        return Answer("refused", [])
    return Answer("error" if answer.get("error") else "done", answer["out"] or [], answer.get("error", ""))


def agree(one: Answer, other: Answer) -> bool:
    """Whether two answers are the same; what gave up agrees with all."""
    if "unknown" in (one.end, other.end):
        return True
    if min(len(one.outputs or ()), len(other.outputs or ())) > CUT:
        return all(map(same, (one.outputs or ())[:CUT], (other.outputs or ())[:CUT]))
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
    """Whether an answer ends as the differences of the docs have it.

    A computed value is never a path here; other engines take it for one where it equals what is there, and
    what each then makes of it differs with where a `?` stands. The bounds are each engine's own.
    """
    return answer.end == "error" and any(text in answer.message for text in _LISTED)


def goes_on(answer: Answer, other: Answer) -> bool:
    """Whether another engine went on behind an error."""
    if answer.end != "error" or answer.outputs is None or other.outputs is None:
        return False
    return len(other.outputs) >= len(answer.outputs) and all(
        map(same, answer.outputs, other.outputs[: len(answer.outputs)])
    )


def difference(engines: list[Oracle], expression: str, value: Any) -> str | None:
    """What each engine answers, if this one agrees with none and the difference is not a listed one."""
    answer = ours(expression, value)
    if (
        answer.end == "unknown"
        or is_listed(answer)
        or ("?//" in expression and _EARLY_END.search(expression))
    ):
        return None
    others = []
    for oracle in engines:
        other = theirs(oracle, expression, value)
        if agree(answer, other) or is_listed(other) or ("?//" in expression and goes_on(answer, other)):
            return None
        others.append(other)
    if len(engines) == 1 and "{" in expression + json.dumps(value):
        return None  # jq keeps the order of keys that gojq sorts
    return f"{expression}\non {json.dumps(value)}\nours   {answer}\nothers {others}"
