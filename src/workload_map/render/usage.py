"""What the parts of definitions gave on real objects, as tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from workload_map.engine.usage import Part, ProblemCount, Usage
from workload_map.render.rows import NONE
from workload_map.render.style import Style
from workload_map.render.table import Cell, lines
from workload_map.render.text import printable

MARK = "!"
"""Before a part that had chances and gave nothing."""

_PARTS = ("", "COMPONENT", "PART", "GAVE", "OF")
_PROBLEMS = ("", "PROBLEM", "COUNT", "OBJECTS", "FIRST")


def tables(usages: Sequence[Usage], style: Style) -> Iterator[str]:
    """For each definition a line that says what it was tried on, and what each of its parts gave there."""
    for number, usage in enumerate(usages):
        if number:
            yield ""
        yield f"{printable(usage.file or usage.definition)}: {_tried_on(usage)}"
        if usage.objects:
            yield from lines([_headings(_PARTS, style), *_parts(usage.parts, style)], style)
        if usage.problems:
            yield from lines([_headings(_PROBLEMS, style), *map(_problem, usage.problems)], style)


def _tried_on(usage: Usage) -> str:
    kind = f"{printable(usage.kind)} ({printable(usage.api_version)})"
    if not usage.objects:
        return f"no object of {kind}, so nothing can be told"
    pods = "no pods at hand" if usage.pods is None else _number(usage.pods, "pod")
    return f"{_number(usage.objects, 'object')} of {kind}, {pods}"


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _headings(texts: Sequence[str], style: Style) -> tuple[Cell, ...]:
    return tuple(Cell(text, style.heading(text)) for text in texts)


def _parts(parts: Sequence[Part], style: Style) -> Iterator[tuple[Cell, ...]]:
    places = {part.component: f"{part.location}." for part in parts if part.what == "component"}
    for part in parts:
        name = "component" if part.what == "component" else _below(part, places)
        gave = f"{part.gave}/{part.chances}" if part.chances else "-"
        yield (
            Cell(MARK, style.trouble(MARK)) if part.silent else Cell.plain(""),
            Cell.plain(printable(part.component or NONE)),
            Cell.plain(printable(name)),
            Cell(gave, style.trouble(gave)) if part.silent else Cell.plain(gave),
            Cell.plain(part.of),
        )


def _below(part: Part, places: dict[str | None, str]) -> str:
    """The place of a part below its component, which is named beside it."""
    return part.location.removeprefix(places.get(part.component, ""))


def _problem(problem: ProblemCount) -> tuple[Cell, ...]:
    texts = ("", problem.code, str(problem.count), str(problem.objects))
    first = printable(f"{problem.object}: {problem.example.message}")
    return (*(Cell.plain(printable(text)) for text in texts), Cell(first, first, whole=True))
