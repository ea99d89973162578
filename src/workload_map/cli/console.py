"""Writing to the two streams: results on standard output, everything else on standard error."""

from __future__ import annotations

import codecs
import io
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress

from workload_map.engine.view import Problem
from workload_map.errors import WorkloadMapError
from workload_map.render.machine import to_json_line
from workload_map.render.style import Style
from workload_map.render.text import printable
from workload_map.source.errors import CHECK_PATH

COLOURS = ("auto", "always", "never")

NEXT_STEPS = {
    "cluster": "is this the address of an API server? -v shows each request",
    "expired": "call it again: a watch begins anew then",
    "invalid-case": "docs/catalog.md tells what a case holds",
    "jsonpath": "`wmap schema view` tells what a workload has, `wmap schema list` what a list has",
    "kubeconfig": "`kubectl config view` shows what the kubeconfig says",
    "no-cases": "check its path",
    "no-definition": "`wmap definitions` lists the kinds that are covered; docs/add-a-kind.md adds one",
    "forbidden": "`wmap rbac` prints the ClusterRole that reading takes",
    "not-found": "is the name right, and the namespace (-n)?",
    "not-served": "`kubectl api-resources` lists the kinds that the cluster serves",
    "output": CHECK_PATH,
    "path-budget": "let it look at less; docs/path-language.md tells the bounds",
    "path-syntax": "docs/path-language.md tells what the language has",
    "path-value": "`wmap path EXPRESSION --explain` tells what each of its stages takes",
    "report-failed": CHECK_PATH,
    "silent": "call it again: a watch begins anew then",
    "unprintable": "let the expression take a part of it",
    "unreadable": "expected is what `kubectl get -o yaml` or `-o json` writes: files, folders or archives",
}
"""A hint for an error, by its code, where what raised it knows none: it knows nothing of commands."""


IN_ASCII = "workload_map.in_ascii"
"""How a stream writes what it cannot show, as `str.encode` names such ways: that is no reason to fail."""

# Signs of our own texts. Of any other character the number is shown.
_SIGNS = {"…": "...", "×": "x", "←": "<-"}


def _in_ascii(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end]
    return "".join(
        _SIGNS.get(one) or one.encode("ascii", "backslashreplace").decode() for one in text
    ), error.end


codecs.register_error(IN_ASCII, _in_ascii)


def style(colour: str) -> Style:
    """What standard output can show.

    Args:
        colour: `auto` (on a terminal, unless NO_COLOR is set or TERM is dumb), `always` or `never`.
    """
    automatic = can_draw_over() and not os.environ.get("NO_COLOR")
    encoding = (sys.stdout.encoding or "").lower().replace("-", "")
    return Style(
        colour=colour == "always" or (colour == "auto" and automatic),
        unicode=encoding == "utf8" and not _is_dumb(),
        columns=shutil.get_terminal_size().columns if sys.stdout.isatty() else None,
    )


def can_draw_over() -> bool:
    """Whether standard output is a terminal that knows colours and can be told where to write."""
    return sys.stdout.isatty() and not _is_dumb()


def _is_dumb() -> bool:
    return os.environ.get("TERM") == "dumb"


def write(text: str) -> None:
    """Write a document, or a part of one, to standard output: they are UTF-8, whatever the locale is.

    What a locale cannot show would else be an escape, which is no JSON, and in YAML another text.
    """
    stream = sys.stdout
    if isinstance(stream, io.TextIOWrapper) and codecs.lookup(stream.encoding).name != "utf-8":
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    stream.write(text)


def write_lines(lines: Iterable[str]) -> None:
    """Write lines to standard output."""
    for line in lines:
        sys.stdout.write(f"{line}\n")


def shown_value() -> Callable[[str], str]:
    """How a text that strangers wrote goes to standard output as it is: escaped only where people look."""
    return printable if sys.stdout.isatty() else str


class _Say:
    """Notices on standard error; results written before them are flushed first, so that the order stays.

    That they cannot be written is no reason to end in another way: results and exit codes stay.
    """

    def notice(self, text: str) -> None:
        """Say something."""
        self._write(f"{printable(text)}\n")

    def _write(self, text: str) -> None:
        sys.stdout.flush()
        with suppress(OSError):
            sys.stderr.write(text)

    def footnote(self, mark: str, text: str) -> None:
        """Explain a mark, to people only."""
        if sys.stderr.isatty():
            self.notice(f"{mark} {text}")

    def warnings(self, problems: Iterable[Problem]) -> None:
        """Warn of each problem, a line each."""
        for problem in problems:
            self.notice(warning_text(problem))

    def missing(self, errors: Sequence[WorkloadMapError], *, as_json: bool = False) -> int:
        """Say which of the named objects are not there, after those that are; gives the exit code."""
        for error in errors:
            self.error(error.code, error.message, error.location, error.hint, as_json=as_json)
        return errors[0].exit_code if errors else 0

    def error(
        self, code: str, message: str, location: str | None, hint: str | None, *, as_json: bool = False
    ) -> None:
        """Say why there is no result, or why it is not whole."""
        hint = hint or NEXT_STEPS.get(code)
        if as_json:
            error = {"code": code, "message": message, "location": location, "hint": hint}
            self._write(to_json_line({"error": error}))
            return
        self.notice(f"error: {message}{_place(location)}")
        if hint:
            self.notice(f"hint: {hint}")


def warning_text(problem: Problem) -> str:
    """The line that warns of a problem."""
    return printable(f"warning: {problem.message}{_place(problem.location)}")


def _place(location: str | None) -> str:
    return f" ({location})" if location else ""


say = _Say()
