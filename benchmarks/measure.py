"""Measuring: the best of several rounds, since other work on the machine can only make a round slower."""

from __future__ import annotations

import gc
import subprocess
import time
from collections.abc import Callable
from typing import NamedTuple


class Row(NamedTuple):
    """One figure: what was measured, as a ratio (or in the unit named), and its bar; None: it has none.

    `at_least` says that the bar is to be reached from below: a speed-up, not a cost.
    """

    what: str
    ratio: float
    bar: float | None
    unit: str = "x"
    at_least: bool = False

    @property
    def within(self) -> bool:
        """Whether the bar holds."""
        if self.bar is None:
            return True
        return self.ratio >= self.bar if self.at_least else self.ratio <= self.bar


def seconds(call: Callable[[], object], *, rounds: int = 15, at_least: float = 0.02) -> float:
    """The time of one call in seconds: the best of `rounds`, each of at least so many seconds.

    The collector is off, as it is wherever this project reads many objects.
    """
    times = _repetitions(call, at_least)
    gc.collect()
    return min(_timed(call, times) for _ in range(rounds)) / times


def once(call: Callable[[], object]) -> float:
    """The time of a single call in seconds, the collector off."""
    return _timed(call, 1)


def ratio(call: Callable[[], object], other: Callable[[], object], *, rounds: int = 400) -> float:
    """The time of a call beside that of another: the best of many short rounds, taken in turn.

    Short rounds, so that some of them are not interrupted by whatever else the machine does; and no
    collection between them, which would leave the next one a cold cache.
    """
    calls = [(call, _repetitions(call)), (other, _repetitions(other))]
    best = [float("inf"), float("inf")]
    gc.collect()
    gc.disable()
    try:
        for _ in range(rounds):
            for which, (each, times) in enumerate(calls):
                start = time.perf_counter()
                for _ in range(times):
                    each()
                best[which] = min(best[which], (time.perf_counter() - start) / times)
    finally:
        gc.enable()
    return best[0] / best[1]


def in_turn(*calls: Callable[[], object], rounds: int = 7) -> list[float]:
    """The processor time of long calls in seconds: of each the best of several, taken in turn.

    Processor time, since a call of a second is always interrupted by something.
    """
    best = [float("inf")] * len(calls)
    for _ in range(rounds):
        for which, call in enumerate(calls):
            gc.collect()
            best[which] = min(best[which], processor_seconds(call))
    return best


def processor_seconds(call: Callable[[], object]) -> float:
    """The processor time of one call in seconds, the collector off; freeing what it gives does not count."""
    gc.disable()
    try:
        start = time.process_time()
        kept = call()
        took = time.process_time() - start
        del kept
        return took
    finally:
        gc.enable()


def _repetitions(call: Callable[[], object], at_least: float = 0.0005) -> int:
    for _ in range(3):  # the first ones compile what they need
        call()
    times = 1
    while _timed(call, times) < at_least:
        times *= 2
    return times


def _timed(call: Callable[[], object], times: int) -> float:
    gc.disable()
    try:
        start = time.perf_counter()
        for _ in range(times):
            call()
        return time.perf_counter() - start
    finally:
        gc.enable()


def process_seconds(*command: str, rounds: int = 20) -> float:
    """The wall time in seconds of a whole process: the best of several."""
    best = float("inf")
    for _ in range(rounds):
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        best = min(best, time.perf_counter() - start)
    return best
