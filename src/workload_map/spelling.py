"""What a word that nobody knows was probably meant to be. Every layer has words that users misspell."""

from __future__ import annotations

from collections.abc import Iterable

_LONGEST = 64  # characters of a word to look for a near one: comparing is quadratic, and no name is as long


def did_you_mean(word: str, known: Iterable[str]) -> str | None:
    """A hint that names the nearest known word, whatever its capitals; None if none is near."""
    if len(word) > _LONGEST:
        return None
    import difflib  # noqa: PLC0415 - loads slowly, and only mistakes need it

    by_folded = {each.lower(): each for each in known}
    near = difflib.get_close_matches(word.lower(), by_folded, n=1, cutoff=0.6)
    return f"did you mean {by_folded[near[0]]}?" if near else None
