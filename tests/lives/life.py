"""Reads and writes lives."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple, Self

from tests.real.shared import merged

FOLDER = Path(__file__).parent

State = dict[str, Any]


class Life(NamedTuple):
    """A recorded life.

    Attributes:
        about: What happens in it, in a sentence.
        versions: What it was recorded with, by name.
        stands_in: What played a part of which the real one could not run; None if all was real.
        frames: Its states in order.
    """

    about: str
    versions: dict[str, str]
    stands_in: str | None
    frames: list[State]

    @classmethod
    def read(cls, file: Path) -> Self:
        """A life from its file."""
        content = json.loads(file.read_bytes())
        frames = [content["base"]]
        for patch in content["patches"]:
            frames.append(merged(frames[-1], patch))
        return cls(content["about"], content["versions"], content.get("standsIn"), frames)

    def write(self, file: Path) -> None:
        """Write it: a line for each frame, of what changed.

        Raises:
            ValueError: a change that a merge patch can't say.
        """
        pairs = list(zip(self.frames, self.frames[1:], strict=False))
        patches = [difference(before, after) for before, after in pairs]
        for patch, (before, after) in zip(patches, pairs, strict=True):
            if merged(before, patch) != after:
                raise ValueError(f"{file}: no merge patch leads to {after}")
        stands_in = {} if self.stands_in is None else {"standsIn": self.stands_in}
        head = json.dumps({"about": self.about, "versions": self.versions, **stands_in}, indent=1)
        lines = [f"{head.removesuffix('}').rstrip()},", f' "base": {_line(self.frames[0])},', ' "patches": [']
        text = "\n".join([*lines, ",\n".join(map(_line, patches)), " ]", "}", ""])
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)


def difference(before: Any, after: Any) -> Any:
    """The JSON merge patch that leads from one value to another."""
    if not isinstance(before, dict) or not isinstance(after, dict):
        return after
    gone = {key: None for key in before if key not in after}
    changed = {
        key: difference(before.get(key), value)
        for key, value in after.items()
        if key not in before or before[key] != value
    }
    return gone | changed


def _line(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), sort_keys=True)
