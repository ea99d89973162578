"""What a path expression gives, and what is known of it, as text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from workload_map.errors import WorkloadMapError
from workload_map.path import Program, location_text
from workload_map.path.explaining import explain
from workload_map.render.text import printable


class UnprintableError(WorkloadMapError):
    """An output that JSON cannot hold."""

    code = "unprintable"


def outputs(program: Program, value: Any, *, locations: bool) -> Iterator[str]:
    """The outputs of a program on a value, each a line of JSON.

    Args:
        program: The expression.
        value: What it is run on.
        locations: With the place that each output comes from before it, and a tab between them.

    Raises:
        PathRuntimeError: The expression fails on the value.
        PathBudgetError: It asks for more work than it may.
        UnprintableError: An output is nested too deeply, or holds half a character.
    """
    if not locations:
        yield from (_line(output) for output in program.all(value))
        return
    for output, location, _ in program.locations(value):
        yield f"{printable(location_text(location))}\t{_line(output)}"


def facts(program: Program) -> Iterator[str]:
    """What is known of a program before it runs, a line each."""
    yield f"grade: {program.grade}"
    yield f"writable: {'yes' if program.writable else 'no'}"
    yield f"several outputs: {'possible' if program.many else 'no'}"
    yield from _reads(program)


def explanation(program: Program) -> Iterator[str]:
    """A program in words, a line each: what its stages do, its grade and why, and what it reads."""
    explained = explain(program)
    for source, words in explained.stages:
        yield printable(f"{source}: {words}")
    yield printable(f"grade: {program.grade}: {explained.grade}")
    yield printable(f"writable: {'yes' if program.writable else 'no'}: {explained.writable}")
    yield f"several outputs: {'possible' if program.many else 'no'}"
    yield from _reads(program)


def _reads(program: Program) -> Iterator[str]:
    for pattern in program.reads:
        yield f"reads: {printable(str(pattern))}"


def _line(output: Any) -> str:
    try:
        return printable(msgspec.json.encode(output).decode())
    except RecursionError as error:
        raise _unprintable("it is nested too deeply") from error
    except UnicodeEncodeError as error:
        raise _unprintable("it holds half a character") from error
    except ValueError as error:  # Python's limit
        raise _unprintable("it holds a number of too many digits") from error


def _unprintable(why: str) -> UnprintableError:
    return UnprintableError(f"an output cannot be written as JSON: {why}")
