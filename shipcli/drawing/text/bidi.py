"""The order in which a line of mixed writing directions is read on paper.

Unicode's bidirectional algorithm (UAX 9) for one line without explicit embeddings and isolates, which
addresses do not hold: rules P2-P3, W1-W7, N0-N2, I1-I2 and L2.
"""

from __future__ import annotations

import unicodedata
from itertools import groupby

STRONG_RTL = {"R", "AL"}
NEUTRAL = {"B", "S", "WS", "ON", "BN"}
BRACKETS = {"(": ")", "[": "]", "{": "}", "⟨": "⟩", "「": "」", "（": "）"}


def needs_reordering(text: str) -> bool:
    """Whether anything in the text is written from right to left."""
    return any(unicodedata.bidirectional(c) in ("R", "AL", "AN") for c in text)


def list_visual_runs(text: str) -> list[tuple[int, int, bool]]:
    """The text as (start, end, right-to-left) pieces from the left edge of the paper to the right."""
    levels = _resolve_levels(text)
    groups = [(level, list(places)) for level, places in groupby(range(len(levels)), key=levels.__getitem__)]
    runs = [(places[0], places[-1] + 1, level) for level, places in groups]
    for level in range(max(levels, default=0), 0, -1):
        runs = _reverse_from(runs, level)
    return [(start, end, level % 2 == 1) for start, end, level in runs]


def _reverse_from(runs: list[tuple[int, int, int]], level: int) -> list[tuple[int, int, int]]:
    turned: list[tuple[int, int, int]] = []
    for high, group in groupby(runs, key=lambda run: run[2] >= level):
        stretch = list(group)
        turned += stretch[::-1] if high else stretch
    return turned


def _resolve_levels(text: str) -> list[int]:
    kinds = [unicodedata.bidirectional(c) or "L" for c in text]
    base = int(next((k in STRONG_RTL for k in kinds if k in ("L", "R", "AL")), False))
    start = "R" if base else "L"
    kinds = _resolve_neutrals(text, _resolve_numbers(_resolve_marks(kinds, start), start), start)
    levels = [_resolve_level(kind, base) for kind in kinds]
    # L1: blanks at the end of the line stay at the end of the line.
    for at in range(len(text.rstrip()), len(text)):
        levels[at] = base
    return levels


def _resolve_level(kind: str, base: int) -> int:
    if base:
        return 1 if kind == "R" else 2
    return {"L": 0, "R": 1}.get(kind, 2)


def _resolve_marks(kinds: list[str], start: str) -> list[str]:
    """W1: a combining mark takes the kind of the character that carries it."""
    resolved: list[str] = []
    for kind in kinds:
        resolved.append((resolved[-1] if resolved else start) if kind == "NSM" else kind)
    return resolved


def _resolve_numbers(kinds: list[str], start: str) -> list[str]:
    """W2-W7: what digits, signs and separators become among the letters around them."""
    kinds, strong = list(kinds), start
    for at, kind in enumerate(kinds):
        strong = kind if kind in ("L", "R", "AL") else strong
        if kind == "EN" and strong == "AL":
            kinds[at] = "AN"
    kinds = ["R" if kind == "AL" else kind for kind in kinds]
    for at in range(1, len(kinds) - 1):
        before, kind, after = kinds[at - 1 : at + 2]
        if before == after and (
            (kind == "CS" and before in ("EN", "AN")) or (kind == "ES" and before == "EN")
        ):
            kinds[at] = before
    return _resolve_signs(kinds, start)


def _resolve_signs(kinds: list[str], start: str) -> list[str]:
    for at, kind in enumerate(kinds):
        if kind == "ET" and "EN" in _find_neighbours(kinds, at):
            kinds[at] = "EN"
    kinds = ["ON" if kind in ("ES", "ET", "CS") else kind for kind in kinds]
    strong = start
    for at, kind in enumerate(kinds):
        strong = kind if kind in ("L", "R") else strong
        if kind == "EN" and strong == "L":
            kinds[at] = "L"
    return kinds


def _find_neighbours(kinds: list[str], at: int) -> tuple[str, str]:
    after = next((kind for kind in kinds[at:] if kind != "ET"), "")
    return (kinds[at - 1] if at else ""), after


def _resolve_neutrals(text: str, kinds: list[str], start: str) -> list[str]:
    """N0-N2: brackets and blanks take the direction around them."""
    kinds = _resolve_brackets(text, list(kinds), start)
    resolved: list[str] = []
    for neutral, group in groupby(range(len(kinds)), key=lambda at: kinds[at] in NEUTRAL):
        places = list(group)
        if not neutral:
            resolved += [kinds[at] for at in places]
            continue
        before = _find_direction(resolved[-1]) if resolved else start
        after = _find_direction(kinds[places[-1] + 1]) if places[-1] + 1 < len(kinds) else start
        resolved += [before if before == after else start] * len(places)
    return resolved


def _find_direction(kind: str) -> str:
    return "R" if kind in ("EN", "AN") else kind


def _resolve_brackets(text: str, kinds: list[str], start: str) -> list[str]:
    for opening, closing in _list_bracket_pairs(text):
        inside = {_find_direction(kind) for kind in kinds[opening + 1 : closing] if kind not in NEUTRAL}
        if start in inside:
            kinds[opening] = kinds[closing] = start
        elif inside:
            before = next((_find_direction(k) for k in reversed(kinds[:opening]) if k not in NEUTRAL), start)
            kinds[opening] = kinds[closing] = before if before in inside else start
    return kinds


def _list_bracket_pairs(text: str) -> list[tuple[int, int]]:
    open_at: list[int] = []
    pairs: list[tuple[int, int]] = []
    for at, character in enumerate(text):
        if character in BRACKETS:
            open_at.append(at)
        elif open_at and character == BRACKETS[text[open_at[-1]]]:
            pairs.append((open_at.pop(), at))
    return sorted(pairs)
