"""One comparison."""

from __future__ import annotations

from typing import Literal

import msgspec

Verdict = Literal["agrees", "differs", "open"]


class Row(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """What the definition says beside what is there.

    Attributes:
        check: What is compared: `pods`, `requests`, `phase`, `place`, `kinds` or `labels`.
        subject: Of which component, instance, pod, kind or label; None: of the whole workload.
        expected: What the definition says; None where it says nothing.
        found: What is there; None where that is not known.
        verdict: `agrees`, `differs`, or `open` where this workload cannot show it now.
        message: What it means, in a sentence.
    """

    check: str
    subject: str | None
    expected: str | None
    found: str | None
    verdict: Verdict
    message: str
