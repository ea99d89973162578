"""What could not be read of a workload, as text below what could."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from workload_map.engine.view import Problem
from workload_map.render.style import Style
from workload_map.render.text import hanging, printable


def problems(found: Iterable[Problem], style: Style) -> Iterator[str]:
    """A heading, and each problem with its code and place.

    Args:
        found: At least one.
        style: How to draw.
    """
    yield style.heading("Problems:")
    for problem in found:
        place = f" ({printable(problem.location)})" if problem.location else ""
        yield from hanging(
            f"{problem.code}: {printable(problem.message)}{place}", style.columns, "  ", "    "
        )
