"""The first lines of the command `wmap`, so that Ctrl-C ends it without a word from the start.

Not here: anything else. The command is `workload_map.cli`, the library `workload_map`.
"""

from __future__ import annotations

import signal


def main() -> None:
    """Run the command and end the process.

    To import its modules takes a tenth of a second and more. Meanwhile SIGINT ends the process as it ends
    programs that know nothing of it; who started the process may also have let it be ignored.
    """
    is_heeded = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if is_heeded:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from workload_map import cli  # noqa: PLC0415 - this is what takes the time

    if is_heeded:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    cli.main()
