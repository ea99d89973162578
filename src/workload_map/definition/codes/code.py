"""What is told of each code."""

from __future__ import annotations

from typing import Literal, NamedTuple


class Code(NamedTuple):
    """A kind of finding.

    Attributes:
        code: The word that stands in findings.
        severity: `error` or `warning`.
        meaning: When it is found, one sentence.
        why: What goes wrong otherwise, one sentence.
        hint: What to do about it, in the form of an order; a finding may say it more exactly.
    """

    code: str
    severity: Literal["error", "warning"]
    meaning: str
    why: str
    hint: str
