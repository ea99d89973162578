"""Showing workloads as they change, until the user stops it."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator

import msgspec

from workload_map.cli.console import say, write
from workload_map.cli.session import Session
from workload_map.render import machine
from workload_map.render.rows import Row
from workload_map.source import Filters, Followed, Moment, Wanted, follow, labels_of

DELETED = "Deleted"
_TOP = "\x1b[H\x1b[2J\x1b[3J"  # to the upper left corner of an empty screen


def moments(session: Session, wanted: Wanted, filters: Filters) -> Iterator[Moment]:
    """The moments of what was asked for; warnings are told as they come."""
    gc.enable()  # this process may live for days
    told = 0
    for number, moment in enumerate(follow(session.source, session.definitions, wanted, filters)):
        yield moment
        if number == 0:
            gc.freeze()
        sys.stdout.flush()
        warnings = session.warnings
        say.warnings(warnings[told:])
        told = len(warnings)


class Changes:
    """The rows of a table that goes on.

    Args:
        keep: Whether a row is shown at all.
    """

    def __init__(self, keep: Callable[[Row], bool]) -> None:
        self._keep = keep
        self._seen: dict[str, Row] = {}
        self._looks: dict[str, str] = {}

    def take(self, moment: Moment) -> list[Row]:
        """The rows that a moment is about: new and changed ones, and those that went, said to be deleted."""
        changed = [row for row in map(_row, moment.changed) if self._keep(row)]
        gone = [_row(one, phase=DELETED) for one in moment.gone if one.view.uid in self._seen]
        for row in (*changed, *gone):
            self._seen[row.view.uid or ""] = row
        return [*changed, *gone]

    def seen(self) -> list[Row]:
        """All rows that there have been, each as it was last."""
        return list(self._seen.values())

    def is_new(self, row: Row, look: str) -> bool:
        """Whether a row looks other than when this was last asked; blanks do not count."""
        uid, words = row.view.uid or "", " ".join(look.split())
        is_new = self._looks.get(uid) != words
        self._looks[uid] = words
        return is_new


def write_each(found: list[Row], output: str) -> None:
    """Write a document a workload, or a name."""
    for row in found:
        if output == "name":
            write(f"{machine.resource_name(row.view)}\n")
        elif output == "json":
            write(machine.to_json_line(machine.without_pods(row.view).to_dict()))
        else:
            write("---\n" + machine.to_yaml(machine.without_pods(row.view).to_dict()))


def redraw(lines: Iterator[str]) -> None:
    """Show lines in the place of the ones before; below them where that is no terminal."""
    text = "".join(f"{line}\n" for line in lines)
    write(_TOP + text if sys.stdout.isatty() else text + "\n")


def _row(one: Followed, phase: str | None = None) -> Row:
    view = one.view if phase is None else msgspec.structs.replace(one.view, phase=phase)
    return Row(view, labels_of(one.value))
