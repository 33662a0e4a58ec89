"""Words that look alike."""

from __future__ import annotations

from collections.abc import Iterable


def nearest(word: str, choices: Iterable[str]) -> str | None:
    """The choice most like a word, for "did you mean"; None when nothing is close."""
    from difflib import get_close_matches

    by_folded = {choice.casefold(): choice for choice in choices}
    found = get_close_matches(word.casefold(), by_folded, n=1, cutoff=0.7)
    return by_folded[found[0]] if found else None
