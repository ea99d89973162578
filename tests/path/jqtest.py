"""Runs groups in the format of jq's own test suite, and says how many pass, are refused, or fail.

    python -m tests.path.jqtest [FILE]     (FILE: by default jq/jq.test of the folder `shared` beside the
    checkout)

A group is a program, an input and the expected outputs, a line each; `%%FAIL` groups hold a program that
must not compile. Texts of messages are each engine's own: an output that is a message passes if ours fails
there too.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any, NamedTuple

from workload_map import path
from workload_map.path.library.reading import from_json
from workload_map.path.values import compare

SHARED = Path(__file__).parents[2].parent / "shared" / "jq" / "jq.test"


class Group(NamedTuple):
    """One group: `outputs` None for a program that must not compile."""

    line: int
    program: str
    value: str
    outputs: tuple[str, ...] | None


class Verdict(NamedTuple):
    """`pass`, `refused` or `fail`, and what was found."""

    outcome: str
    found: str


def groups(text: str) -> list[Group]:
    """The groups of a file."""
    found: list[Group] = []
    lines: list[str] = []
    start = 0
    for number, line in enumerate([*text.split("\n"), ""], 1):
        if line.startswith("#") or not line.strip():
            if lines:
                found.append(_group(start, lines))
            lines = []
            continue
        start = start if lines else number
        lines.append(line)
    return found


def _group(start: int, lines: list[str]) -> Group:
    if lines[0].startswith("%%FAIL"):
        return Group(start, lines[1], "null", None)
    return Group(start, lines[0], lines[1].lstrip("\ufeff"), tuple(lines[2:]))


def _read(text: str) -> Any:
    text = text.replace("-Infinity", "-1e1000").replace("Infinity", "1e1000").replace("-NaN", "nan")
    return from_json(text.replace("NaN", "nan"), path.Budget())


def judge(group: Group) -> Verdict:
    """Run one group."""
    try:
        program = path.compile(group.program)
    except path.PathSyntaxError as error:
        refused = "not allowed" in error.message or "modules are not" in error.message
        return Verdict("pass" if group.outputs is None else "refused" if refused else "fail", error.message)
    if group.outputs is None:
        try:
            program.all(None)
        except path.PathRuntimeError as error:
            return Verdict("pass", error.message)
        return Verdict("fail", "it compiles and runs")
    try:
        return _compare(program, _read(group.value), group.outputs)
    except path.PathRuntimeError as error:
        if not group.outputs:
            return Verdict("pass", str(error))
        # A group may end in an error behind its outputs.
        begun = path.compile(f"[limit({len(group.outputs)}; {group.program})]")
        try:
            verdict = _compare(begun, _read(group.value), (f"[{','.join(group.outputs)}]",))
        except path.PathRuntimeError:
            return Verdict("fail", str(error))
        return verdict if verdict.outcome == "pass" else Verdict("fail", str(error))
    except path.PathBudgetError as error:
        return Verdict("fail", str(error))


def _compare(program: path.Program, value: Any, outputs: tuple[str, ...]) -> Verdict:
    budget = path.Budget(steps=10**9, size=10**9)
    found = program.all(value, budget)
    wanted = [_read(output) for output in outputs]
    if len(found) == len(wanted) and all(_same(*pair) for pair in zip(found, wanted, strict=True)):
        return Verdict("pass", "")
    try:
        return Verdict("fail", repr(found)[:200])
    except RecursionError:
        return Verdict("fail", "a value nested deeper than can be shown")


# How jq's own messages begin; ours say the same otherwise.
_MESSAGE = re.compile(
    r"Cannot |Invalid |Out of bounds|Array index too large|Repeat string|Exceeds |Path too deep|Paths must|"
    r".* too deep$|"
    r".*(doesn't support|cannot be|must not be|must be a|requires?|can't be|only strings|not a string)"
)


def _same(found: Any, wanted: Any) -> bool:
    if isinstance(wanted, str) and isinstance(found, str) and found != wanted:
        return bool(_MESSAGE.match(wanted)) and bool(found)
    if isinstance(wanted, list) and isinstance(found, list) and len(wanted) < 100:
        return len(found) == len(wanted) and all(map(_same, found, wanted))
    return compare(found, wanted, path.Budget(steps=10**9)) == 0


def main(arguments: list[str]) -> None:
    """Print the counts and, before them, each group that fails."""
    file = Path(arguments[0]) if arguments else SHARED
    if not file.exists():
        sys.exit(f"{file} is not there; give a file")
    counts = dict.fromkeys(("pass", "refused", "fail"), 0)
    for group in groups(file.read_text(encoding="utf-8")):
        verdict = judge(group)
        counts[verdict.outcome] += 1
        if verdict.outcome == "fail":
            print(  # noqa: T201
                f"line {group.line}: {group.program}\n    wanted {group.outputs}\n    found  {verdict.found}"
            )
    print(", ".join(f"{name} {count}" for name, count in counts.items()))  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1:])
