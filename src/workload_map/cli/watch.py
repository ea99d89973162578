"""Showing workloads as they change, until the user stops it."""

from __future__ import annotations

import gc
import os
import shutil
import sys
import threading
from collections.abc import Callable, Iterable, Iterator

import msgspec

from workload_map.cli.console import can_draw_over, say, warning_text, write
from workload_map.cli.session import Session
from workload_map.engine import Problem
from workload_map.errors import WorkloadMapError
from workload_map.render import machine
from workload_map.render.rows import Row
from workload_map.render.text import cut, width
from workload_map.source import BROKEN_WATCH, Filters, Followed, Moment, Wanted, follow, labels_of

DELETED = "Deleted"
_TICK = 1.0  # seconds, the smallest step of an age
_TOP, _END_OF_LINE, _ALL_BELOW = "\x1b[H", "\x1b[K", "\x1b[J"


def moments(session: Session, wanted: Wanted, filters: Filters, *, warn: bool = True) -> Iterator[Moment]:
    """The moments of what was asked for; warnings are told as they come, unless somebody else does that."""
    gc.enable()  # this process may live for days
    told: list[Problem] = []
    try:
        for number, moment in enumerate(follow(session.source, session.definitions, wanted, filters)):
            yield moment
            if number == 0:
                gc.freeze()
            sys.stdout.flush()
            if warn:
                told = _tell(session.warnings, told)
    except WorkloadMapError as error:
        # They may say why, if they do not say the same.
        say.warnings(one for one in session.warnings if one not in told and one.message != error.message)
        raise


def _tell(warnings: list[Problem], told: list[Problem]) -> list[Problem]:
    """Warn of what is new, and tell when changes are heard of again; gives what has been told."""
    say.warnings(one for one in warnings if one not in told)
    ended = [one for one in told if one not in warnings]
    if ended and not any(one.code == BROKEN_WATCH for one in warnings):
        say.notice("changes are heard of again")
    return warnings


class Changes:
    """The rows of an output that goes on.

    Args:
        keep: Whether a row is shown at all.
        for_people: Whether a row that went says so in the place of its phase; for programs it has none but
            those that there are.
        with_events: Whether what has happened to a row is told, so that one which is no longer shown is gone.
    """

    def __init__(self, keep: Callable[[Row], bool], *, for_people: bool, with_events: bool = False) -> None:
        self._keep = keep
        self._with_events = with_events
        self._phase_of_gone = DELETED if for_people else None
        self._seen: dict[str, Row] = {}
        self._there: set[str] = set()
        self._events: dict[str, str] = {}
        self._looks: dict[str, str] = {}

    def take(self, moment: Moment) -> list[Row]:
        """The rows that a moment is about: those that went, as they were last, then new and changed ones.

        In this order, since one that is made anew has the name of one that went.
        """
        rows = [_row(one) for one in moment.changed]
        changed = [row for row in rows if self._keep(row)]
        known = self._there if self._with_events else self._seen
        gone = [_row(one, self._phase_of_gone) for one in moment.gone if one.view.uid in known]
        if self._with_events:
            gone += [row for row in rows if _uid(row) in self._there and not self._keep(row)]
        self._events |= {_uid(row): "DELETED" for row in gone}
        for row in changed:
            self._events[_uid(row)] = "MODIFIED" if _uid(row) in self._there else "ADDED"
        self._there = (self._there - {*map(_uid, gone)}) | {*map(_uid, changed)}
        self._seen |= {_uid(row): row for row in (*gone, *changed)}
        return [*gone, *changed]

    def event(self, row: Row) -> str:
        """What has happened to a row last: ADDED, MODIFIED or DELETED, as watch events of the API call it."""
        return self._events[_uid(row)]

    def seen(self) -> list[Row]:
        """All rows that there have been, each as it was last."""
        return list(self._seen.values())

    def is_new(self, row: Row, look: str) -> bool:
        """Whether a row looks other than when this was last asked; blanks do not count."""
        uid, words = _uid(row), " ".join(look.split())
        is_new = self._looks.get(uid) != words
        self._looks[uid] = words
        return is_new


def write_each(found: list[Row], output: str, event: Callable[[Row], str] | None) -> None:
    """Write a document a workload, or a name.

    Args:
        found: The rows.
        output: `name`, `json` or `yaml`.
        event: What has happened to a row, which is then told around its view.
    """
    for row in found:
        if output == "name":
            write(f"{machine.resource_name(row.view)}\n")
            continue
        document = machine.without_pods(row.view).to_dict()
        if event is not None:
            document = {"type": event(row), "object": document}
        write(machine.to_json_line(document) if output == "json" else "---\n" + machine.to_yaml(document))


class Screen:
    """Shows a text in the place of the one before; below it where standard output is no terminal.

    On a terminal the text is cut to its height, since what scrolled away could not be drawn over, and drawn
    again as time goes by, since it tells ages. What stood there before is scrolled away, not lost.

    Args:
        warnings: What is to be told below the text, as it is then.
    """

    def __init__(self, warnings: Callable[[], Iterable[Problem]]) -> None:
        self.clears = can_draw_over()
        """Whether what was written before goes when the text is drawn."""
        self.warns = self.clears and sys.stderr.isatty()
        """Whether warnings are told below it, so that they go too."""
        self._warnings = warnings
        self._draw: Callable[[], Iterable[str]] = tuple
        self._shown: tuple[str, list[str]] | None = None
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._clock = threading.Thread(target=self._go_on, daemon=True)

    def __enter__(self) -> Screen:
        """Begin to draw again."""
        if self.clears:
            self._clock.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Leave what is shown as it is."""
        self._closed.set()
        if self.clears:
            self._clock.join()

    def show(self, draw: Callable[[], Iterable[str]]) -> None:
        """Show lines from now on.

        Args:
            draw: Gives the lines as they are at the time of the call.
        """
        with self._lock:
            self._draw = draw
            self._refresh()

    def _go_on(self) -> None:
        while not self._closed.wait(_TICK):
            with self._lock:
                try:
                    self._refresh()
                except OSError:  # the terminal is gone: what is shown next finds that out
                    return

    def _refresh(self) -> None:
        lines = list(self._draw())
        size = shutil.get_terminal_size()
        warnings = fitting(list(self._warnings()), len(lines), size) if self.warns else []
        text = (
            _on_screen(lines, warnings, size)
            if self.clears
            else "".join(f"{line}\n" for line in (*lines, ""))
        )
        if (text, warnings) == self._shown:
            return
        if self.clears and self._shown is None:
            sys.stdout.write("\n" * size.lines)
        self._shown = text, warnings
        sys.stdout.write(text)
        sys.stdout.flush()
        for line in warnings:
            say.notice(line)


def fitting(warnings: list[Problem], lines: int, size: os.terminal_size) -> list[str]:
    """The lines of the last warnings that fit below a text, of which most is to stay where room is short."""
    room = max(size.lines - 1 - lines, size.lines // 3, 1)
    kept: list[str] = []
    for number, warning in enumerate(reversed(warnings)):
        line = warning_text(warning)
        left = room - _rows(kept, size) - (number + 1 < len(warnings))
        if kept and _rows([line], size) > left:
            return [f"… {len(warnings) - number} more warnings", *kept]
        most = max(left, 1) * size.columns
        kept.insert(0, cut(line, most, "…") if width(line) > most else line)
    return kept


def _rows(lines: list[str], size: os.terminal_size) -> int:
    """How many rows of a terminal lines take."""
    return sum(-(-width(line) // size.columns) for line in lines)


def _on_screen(lines: list[str], warnings: list[str], size: os.terminal_size) -> str:
    """The text for a terminal, with as many lines as it has room for above the warnings and the cursor."""
    taken = _rows(warnings, size)
    room = max(size.lines - 1 - taken, 1)
    if len(lines) > room:
        more = f"… {len(lines) - room + 1} more lines; --pods and --depth fold them"
        lines = [*lines[: room - 1], more if width(more) < size.columns else more[: size.columns - 1]]
    return _TOP + "".join(f"{line}{_END_OF_LINE}\n" for line in lines) + _ALL_BELOW


def _uid(row: Row) -> str:
    return row.view.uid or ""


def _row(one: Followed, phase: str | None = None) -> Row:
    view = one.view if phase is None else msgspec.structs.replace(one.view, phase=phase)
    return Row(view, labels_of(one.value))
