"""Several calls at once, in threads that a user who gives up does not wait for."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from typing import TypeVar

_Result = TypeVar("_Result")

_AT_ONCE = 8
THREAD = "wmap"
"""The name of all threads that are started here."""


def together(calls: Sequence[Callable[[], _Result]]) -> list[_Result]:
    """The results of calls that run at once, in their order; the first error that comes is raised.

    Ctrl-C ends the wait at once: the threads are daemons, and nobody joins them.
    """
    if len(calls) == 1:
        return [calls[0]()]
    done: queue.SimpleQueue[tuple[int, _Result | None, BaseException | None]] = queue.SimpleQueue()
    waiting: queue.SimpleQueue[tuple[int, Callable[[], _Result]]] = queue.SimpleQueue()
    for job in enumerate(calls):
        waiting.put(job)
    for _ in range(min(_AT_ONCE, len(calls))):
        start(lambda: _work(waiting, done))
    results: dict[int, _Result] = {}
    for _ in calls:
        number, result, error = done.get()
        if error is not None:
            raise error
        results[number] = result  # type: ignore[assignment]  # it is of the type of the call
    return [results[number] for number in range(len(calls))]


def within(seconds: float, call: Callable[[], _Result]) -> _Result:
    """The result of a call that may take so long; after that it goes on, and nobody hears of it.

    Raises:
        TimeoutError: It takes longer.
    """
    done: queue.SimpleQueue[tuple[_Result | None, BaseException | None]] = queue.SimpleQueue()
    start(lambda: done.put(_outcome(call)))
    try:
        result, error = done.get(timeout=seconds)
    except queue.Empty:
        raise TimeoutError from None
    if error is not None:
        raise error
    return result  # type: ignore[return-value]  # it is of the type of the call


def _work(
    waiting: queue.SimpleQueue[tuple[int, Callable[[], _Result]]],
    done: queue.SimpleQueue[tuple[int, _Result | None, BaseException | None]],
) -> None:
    while True:
        try:
            number, call = waiting.get_nowait()
        except queue.Empty:
            return
        done.put((number, *_outcome(call)))


def _outcome(call: Callable[[], _Result]) -> tuple[_Result | None, BaseException | None]:
    try:
        return call(), None
    except BaseException as error:  # it is raised where the result is awaited
        return None, error


def start(work: Callable[[], None]) -> None:
    """Run something in a thread that ends with the process at the latest."""
    threading.Thread(target=work, daemon=True, name=THREAD).start()
