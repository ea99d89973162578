"""Running a command to its end: what an error looks like, and which code the process ends with."""

from __future__ import annotations

import atexit
import errno
import gc
import io
import os
import re
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

import click

from workload_map.cli.console import IN_ASCII, say
from workload_map.cli.root import COMPLETE_VARIABLE, PROGRAM, root
from workload_map.errors import WorkloadMapError
from workload_map.spelling import did_you_mean

OK, FAILED, WRONG_CALL = 0, 1, 2
INTERRUPTED = 130  # 128 and the number of SIGINT, as shells report it
BROKEN_PIPE = 141  # 128 and the number of SIGPIPE

_SHORT = re.compile("-[A-Za-z]=")
# What click says of a value that is none of a few words, and the words in it.
_NO_CHOICE = re.compile("'(.*)' is not one of (.*)")
_QUOTED = re.compile("'([^']*)'")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run `wmap` and end the process.

    Args:
        arguments: Instead of those of the process.
    """
    # A command keeps what it reads until the process ends: looking through all of it for garbage, again and
    # again, takes as long as the answer itself, and finds none.
    gc.disable()
    _leave(run(list(sys.argv[1:] if arguments is None else arguments)))


def _leave(code: int) -> NoReturn:
    """End the process without freeing what it read, which takes a tenth of the time of a large answer."""
    with suppress(OSError):
        sys.stderr.flush()
    atexit._run_exitfuncs()
    os._exit(code)


def run(arguments: list[str]) -> int:
    """Run a command; whatever happens ends in one of the documented exit codes, and never in a traceback.

    Args:
        arguments: Without the program's name.

    Returns:
        The exit code.
    """
    _prepare_output()
    arguments = _split_short(arguments)
    try:
        code = _complete() if COMPLETE_VARIABLE in os.environ else _run(arguments)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _discard_output()
        return BROKEN_PIPE
    except OSError as error:
        _discard_output()
        _report_output(error, arguments)
        return FAILED
    return code


def _prepare_output() -> None:
    # A process may be started without these streams; what takes their place lives as long as it does. Nothing
    # can be written to what is open for reading, so that a result that goes nowhere is an error all the same.
    sys.stdout = sys.stdout or os.fdopen(os.open(os.devnull, os.O_RDONLY), "w")
    sys.stderr = sys.stderr or Path(os.devnull).open("w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=IN_ASCII)


def _split_short(arguments: list[str]) -> list[str]:
    """`-o=json` as `-o json`: kubectl takes both, and click would make the equals sign part of the value."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    words: list[str] = []
    for word in arguments[:end]:
        words += [word[:2], word[3:]] if _SHORT.match(word) else [word]
    return words + arguments[end:]


def _run(arguments: list[str]) -> int:
    try:
        # Not click's own `main`: it would answer an interruption and a closed pipe in its own way.
        with root.make_context(PROGRAM, arguments.copy()) as context:
            result = root.invoke(context)
    except click.exceptions.Exit as ended:
        return ended.exit_code
    except click.UsageError as error:
        _report_usage(error, arguments)
        return WRONG_CALL
    except WorkloadMapError as error:
        say.warnings(getattr(error, "problems", ()))
        _report(error, arguments)
        return error.exit_code
    except OSError:  # sources report their own: this one is of the output
        raise
    except Exception as error:  # the last line of defence: a user never sees a traceback unasked
        _report_internal(error, arguments)
        return FAILED
    return result if isinstance(result, int) else OK


def _complete() -> int:
    """Answer a shell that completes a word; `wmap completion` prints the scripts that ask."""
    # Every other call does without these.
    from click.shell_completion import shell_complete  # noqa: PLC0415

    from workload_map.cli import shells  # noqa: PLC0415

    shells.register()
    try:
        return shell_complete(root, {}, PROGRAM, COMPLETE_VARIABLE, os.environ[COMPLETE_VARIABLE])
    except (KeyError, ValueError):  # no shell asked: it would have said in variables what is typed so far
        return FAILED


def _report(error: WorkloadMapError, arguments: list[str]) -> None:
    say.error(error.code, error.message, error.location, error.hint, as_json=_wants_json(arguments))


def _report_usage(error: click.UsageError, arguments: list[str]) -> None:
    command = error.ctx.command_path if error.ctx is not None else "wmap"
    hint = getattr(error, "hint", None) or f"`{command} --help` tells how it is called"
    told = error.format_message()
    if isinstance(error, click.NoSuchOption) and error.possibilities:
        # Its own sentence would list them behind the message; the first one is the nearest.
        told, hint = error.message, f"did you mean {error.possibilities[0]}?"
    elif isinstance(error, click.BadParameter) and (wrong := _NO_CHOICE.match(error.message)):
        hint = did_you_mean(wrong[1], _QUOTED.findall(wrong[2])) or hint
        # Which argument it is, its value says.
        told = error.message if isinstance(error.param, click.Argument) else told
    message = " ".join(told.split()).rstrip(".")
    say.error("usage", message[:1].lower() + message[1:], None, hint, as_json=_wants_json(arguments))


def _report_output(error: OSError, arguments: list[str]) -> None:
    is_closed = error.errno == errno.EBADF
    message = "standard output is closed" if is_closed else f"cannot write the output: {error.strerror}"
    hint = "to throw results away send them to /dev/null" if is_closed else "what was written is not whole"
    say.error("output", message, None, hint, as_json=_wants_json(arguments))


def _report_internal(error: Exception, arguments: list[str]) -> None:
    verbose = any(each in ("-v", "--verbose") for each in arguments)
    if verbose:
        traceback.print_exc(file=sys.stderr)
    message = f"internal error: {type(error).__name__}: {error}"
    hint = None if verbose else "this is a fault of wmap; -v shows where it happened"
    say.error("internal", message, None, hint, as_json=_wants_json(arguments))


def _wants_json(arguments: list[str]) -> bool:
    """Whether the call asks for JSON, told from the words alone: the call itself may be what is wrong."""
    for word, following in zip(arguments, [*arguments, ""][1:], strict=True):
        if word == "--":
            return False
        if word in ("-ojson", "--output=json") or (word in ("-o", "--output") and following == "json"):
            return True
    return False


def _discard_output() -> None:
    """Point standard output at nothing, so that closing it at exit does not fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
