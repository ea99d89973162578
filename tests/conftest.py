"""Settings for every test."""

import os
import signal

from hypothesis import settings

# Time is judged in benchmarks/, never here: a busy machine must not fail a test. CI searches the same
# examples each time, so that a change is judged by itself; everybody else searches new ones.
settings.register_profile("here", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, database=None, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "here")

# Whoever starts the tests in the background of a script makes them, and all that they start, deaf to Ctrl-C.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
