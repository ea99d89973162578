"""Other jq engines to compare with, each in a limited child process: `jq` (PyPI) and gojq (built where Go
is there).

A child reads a line of JSON a program (`P`) and value (`V`), and answers with a line: `out` (the outputs),
`error` where the run failed behind them, or `compile` where the program was refused.
"""

from __future__ import annotations

import json
import select
import shutil
import subprocess
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import gettempdir
from typing import Any

GOJQ_SOURCE = Path(__file__).parent / "gojq"
_CACHE = Path(gettempdir()) / f"workload-map-gojq-{zlib.crc32((GOJQ_SOURCE / 'main.go').read_bytes()):08x}"

_PATIENCE = 20  # seconds; a child ends what it is asked within one, unless it hangs

_JQ = """
import json, resource, signal, sys
import jq
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
for line in sys.stdin:
    signal.setitimer(signal.ITIMER_PROF, 2)  # nobody handles it: it ends the process, whatever libjq does
    request = json.loads(line)
    answer, out = {}, []
    try:
        program = jq.compile(request["P"])
    except ValueError as error:
        answer["compile"] = str(error)
    else:
        try:
            for count, value in enumerate(program.input_value(request["V"])):
                out.append(value)
                if count > 500:
                    break
        except ValueError as error:
            answer["error"] = str(error)
    print(json.dumps({"out": out, **answer}), flush=True)
"""


class Oracle:
    """A child process that answers one program after the other; started anew when it dies or hangs."""

    def __init__(self, command: list[str]) -> None:
        self.command = command
        self.child: subprocess.Popen[str] | None = None

    def ask(self, program: str, value: Any) -> dict[str, Any] | None:
        """The answer; None where the child hung or did not survive the program."""
        if self.child is None:
            self.child = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
        assert self.child.stdin is not None
        assert self.child.stdout is not None
        try:
            self.child.stdin.write(json.dumps({"P": program, "V": value}) + "\n")
            self.child.stdin.flush()
            answered = select.select([self.child.stdout], [], [], _PATIENCE)[0]
            line = self.child.stdout.readline() if answered else ""
        except BrokenPipeError:
            line = ""
        if not line:
            self.close()
            return None
        answer: dict[str, Any] = json.loads(line)
        return answer

    def close(self) -> None:
        """End the child."""
        if self.child is not None:
            self.child.kill()
            self.child.wait()
            for stream in (self.child.stdin, self.child.stdout):
                if stream is not None:
                    stream.close()
            self.child = None


def jq_oracle() -> Oracle:
    """libjq through its Python binding."""
    return Oracle([sys.executable, "-c", _JQ])


@cache
def gojq_command() -> str | None:
    """The path of the built child; None where there is no Go, or no module to build from."""
    go = shutil.which("go")
    program = _CACHE / "gojq-oracle"
    if program.exists():
        return str(program)
    if go is None:
        return None
    _CACHE.mkdir(parents=True, exist_ok=True)
    built = subprocess.run(
        [go, "build", "-o", str(program), "."], cwd=GOJQ_SOURCE, capture_output=True, timeout=300, check=False
    )
    return str(program) if built.returncode == 0 else None


def gojq_oracle() -> Oracle | None:
    """gojq; None where it cannot be built."""
    command = gojq_command()
    return Oracle([command]) if command else None


@contextmanager
def available() -> Iterator[list[Oracle]]:
    """The oracles that can be had here, gojq first; ended afterwards."""
    found = [oracle for oracle in (gojq_oracle(), jq_oracle()) if oracle is not None]
    if len(found) == 1:
        print("gojq cannot be built here: compared with jq alone, where the order of keys cannot differ")  # noqa: T201
    try:
        yield found
    finally:
        for oracle in found:
            oracle.close()
