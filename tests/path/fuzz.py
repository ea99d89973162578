"""A longer search for programs that answer otherwise than gojq and jq.

    python -m tests.path.fuzz [PROGRAMS] [SEED]     (by default 50 000 programs, and a seed by chance)

Prints what it has done as it goes, each difference as it is found, and ends with status 1 if there were any.
A difference becomes a case of `cases.yaml`, or a line of `docs/path-language.md` with its reason.
"""

from __future__ import annotations

import random
import resource
import sys
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings

from tests.path.differential import difference
from tests.path.oracles import Oracle, available
from tests.path.programs import programs, values

_BATCH = 1_000
_MEMORY = 2 << 30  # of this process; the engines beside it have limits of their own
_SAY = sys.stdout.write


def search(engines: list[Oracle], count: int, start: int) -> list[str]:
    """The differences among so many programs; nothing is minimized, since the programs are small."""
    found: list[str] = []

    @settings(
        max_examples=count,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @seed(start)
    @given(programs, values)
    def look(expression: str, value: Any) -> None:
        told = difference(engines, expression, value)
        if told:
            found.append(told)

    look()
    return found


def main(arguments: list[str]) -> int:
    """Search in batches, the differences told as they come; the exit status."""
    count = int(arguments[0]) if arguments else 50_000
    start = int(arguments[1]) if arguments[1:] else random.randrange(10**9)  # noqa: S311 - no secret
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    _SAY(f"{count} programs from seed {start}\n")
    differences = 0
    with available() as engines:
        for done in range(0, count, _BATCH):
            for told in search(engines, min(_BATCH, count - done), start + done):
                differences += 1
                _SAY(f"\n{told}\n")
            _SAY(f"\r{min(done + _BATCH, count)} programs, {differences} differences")
            sys.stdout.flush()
    _SAY("\n")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
