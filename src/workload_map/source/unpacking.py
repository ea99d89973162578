"""How much may come out of what is packed: a small file or answer may hold gigabytes."""

from __future__ import annotations

MAX_BYTES = 2 << 30
# Dumps of clusters shrink to a thirtieth or so, machine-made ones to a hundredth; deflate itself stops at a
# thousandth, which is where bombs are. What is small is not held to a ratio.
MAX_RATIO = 250
FREE_BYTES = 64 << 20


def allowance(packed: int) -> int:
    """How many bytes may come out of so many packed ones."""
    return min(MAX_BYTES, max(FREE_BYTES, packed * MAX_RATIO))
