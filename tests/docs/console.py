"""The examples in the docs: what is typed, and what is said to come out."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# Ages grow while the docs stay: `3d4h` as a column's last cell, or behind `age: `.
_AGE = re.compile(r"\b(?:[0-9]+[smhdy]){1,2}\b")


class Example(NamedTuple):
    """A command and the output that stands below it."""

    file: str
    command: str
    output: str


def pages() -> list[Path]:
    """The README and all pages of the docs."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def examples() -> list[Example]:
    """All examples, in their order. In a block a line that begins with `$ ` is a command."""
    return [
        Example(str(page.relative_to(ROOT)), *example)
        for page in pages()
        for block in _BLOCK.findall(page.read_text())
        for example in commands(block)
    ]


def commands(block: str) -> list[tuple[str, str]]:
    """The commands of a block, each with what stands below it."""
    parts = re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
    return [(command, output) for command, _, output in (part.partition("\n") for part in parts)]


def without_ages(text: str) -> str:
    """The text with ages replaced, and the blanks that their width moves."""
    lines = [re.sub(r" +", " ", _AGE.sub("AGE", line)).rstrip() for line in text.splitlines()]
    return "\n".join(lines).strip()
