"""The path language: jq as a pure function of its input, compiled to Python.

Usable alone: `compile(text)` gives a `Program`, whose `all`, `first` and `locations` run it on plain Python
values (`dict`, `list`, `str`, `int`, `float`, `bool`, `None`, as JSON decoding gives them).

The way of an expression: `lexer` → `parser` → tree (`syntax`) → `resolver` (the checker) → resolved tree
(`core`) → `facts`, `outputs`, `reads` and `splitting` (what is known before it runs) and `compiler` (Python
functions, which call `runtime`, `control`, `updates`, `origins` and `library`). `changes` tells what writing
through a program takes (`writing`).

What does not live here: Kubernetes, files, definitions; which edits there are of a workload (`edit`).
"""

from workload_map.path.budget import Budget
from workload_map.path.errors import (
    Entry,
    Location,
    PathBudgetError,
    PathError,
    PathRuntimeError,
    PathSyntaxError,
    PathUnknownError,
    location_text,
)
from workload_map.path.facts import Facts
from workload_map.path.program import Located, Program, check, compile  # noqa: A004 - as in `re.compile`
from workload_map.path.reads import ReadPattern
from workload_map.path.unknown import UNKNOWN, Unknown
from workload_map.path.writing import Change, PathNotWritableError, applied, changes

__all__ = [
    "UNKNOWN",
    "Budget",
    "Change",
    "Entry",
    "Facts",
    "Located",
    "Location",
    "PathBudgetError",
    "PathError",
    "PathNotWritableError",
    "PathRuntimeError",
    "PathSyntaxError",
    "PathUnknownError",
    "Program",
    "ReadPattern",
    "Unknown",
    "applied",
    "changes",
    "check",
    "compile",
    "location_text",
]
