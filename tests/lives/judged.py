"""Reads what a person says of a life: `KIND/NAME.phases.yaml`.

    totals: {pods: 2, gpus: 2}       # what the whole workload asks for; a range may say its own. `least`: the
                                     # pods that it can do with, where that is less
    frames:                          # ranges that cover all frames, in order
    - {at: 0-3, phase: Initializing, because: no pod is ready}
    - {at: 4, phase: [Degraded, Initializing], because: one of two is ready, at its first start}
    - {at: 5-9, phase: Running, because: both are ready, settled: true}

Of several phases a person would accept each. `settled`: its pods are all that it asks for, and nothing
disagrees. `stale`: the status is one of an older spec, and says so.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import yaml


class Judged(NamedTuple):
    """What is right for one frame."""

    phases: tuple[str, ...]
    because: str
    pods: int | None
    gpus: int | None
    least: int | None
    stale: bool
    settled: bool


def read(file: Path) -> list[Judged]:
    """What is right, frame by frame.

    Raises:
        ValueError: the ranges leave a frame out, or say of one twice; an entry has a key that there is not.
    """
    content = yaml.safe_load(file.read_text())
    frames: list[Judged] = []
    for entry in content["frames"]:
        first, _, last = str(entry["at"]).partition("-")
        if int(first) != len(frames):
            raise ValueError(f"{file}: {entry['at']} comes after {len(frames) - 1}")
        if entry.keys() - {"at", "phase", "because", "totals", "stale", "settled"}:
            raise ValueError(f"{file}: {entry}")
        frames += [_judged(entry, content["totals"])] * (int(last or first) - int(first) + 1)
    return frames


def _judged(entry: dict[str, Any], totals: dict[str, int | None]) -> Judged:
    phase = entry["phase"]
    asked = entry.get("totals", totals)
    return Judged(
        phases=(phase,) if isinstance(phase, str) else tuple(phase),
        because=entry["because"],
        pods=asked["pods"],
        gpus=asked["gpus"],
        least=asked.get("least", asked["pods"]),
        stale=entry.get("stale", False),
        settled=entry.get("settled", False),
    )
