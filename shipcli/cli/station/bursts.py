"""Tell scans from typing: a scanner types as a keyboard does, but faster than people, and ends with Enter."""

from __future__ import annotations

from itertools import pairwise

from shipcli.workflows.station.steps import Entered

GAP_S = 0.03  # the longest between two characters of a scan
PAUSE_S = 1.0  # after which something else begins
SHORTEST = 2  # one character and Enter may be two fingers
LONGEST = 400  # characters that nobody ended


class BurstReader:
    """Collects characters with the moments at which they came."""

    def __init__(self) -> None:
        self._letters: list[tuple[str, float]] = []

    @property
    def text(self) -> str:
        """What was entered and not ended yet."""
        return "".join(letter for letter, _ in self._letters)

    def add(self, letter: str, at: float) -> None:
        """A character came."""
        self._letters = [*self._letters[-LONGEST:], (letter, at)]

    def drop_last(self) -> None:
        """The last character was taken back."""
        self._letters = self._letters[:-1]

    def clear(self) -> None:
        """All was taken back."""
        self._letters = []

    def end(self, at: float) -> Entered | None:
        """Enter came: a scan, of which what was typed long before is no part; else a typed line, or None for
        an empty one.
        """
        start = self._find_start()
        typed, last = self._letters[:start], self._letters[start:]
        if len(last) >= SHORTEST and _is_fast([*(moment for _, moment in last), at]):
            self._letters = typed
            return Entered(_join(last))
        self._letters = []
        text = _join([*typed, *last])
        return Entered(text, is_scan=False) if text.strip() else None

    def _find_start(self) -> int:
        """Where the characters begin that came without a long pause."""
        moments = [moment for _, moment in self._letters]
        pauses = [place for place in range(1, len(moments)) if moments[place] - moments[place - 1] >= PAUSE_S]
        return pauses[-1] if pauses else 0


def _is_fast(moments: list[float]) -> bool:
    """Whether most characters follow so fast that nobody types them; a busy machine may be late for some."""
    gaps = [later - former for former, later in pairwise(moments)]
    return sum(gap <= GAP_S for gap in gaps) * 2 > len(gaps)


def _join(letters: list[tuple[str, float]]) -> str:
    return "".join(letter for letter, _ in letters)
