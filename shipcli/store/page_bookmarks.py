"""Positions in long lists that a process remembers, so that it need not count its way to a far page.

An index finds a row by its time at once, but the ten thousandth row only by stepping over those before it.
A place says how many rows are left from a row to the end of its list, including that row. It holds until a
row is added or removed, which the store counts as it writes; rows added before all others change no place.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, replace
from typing import Any

# Stepping over this many rows is cheaper than remembering a place.
NEAR = 100
_MOST_PLACES = 500
_MOST_LISTS = 20

# Moment and seq, by which lists are ordered.
Row = tuple[Any, int]


@dataclass(frozen=True, slots=True)
class State:
    """The state of a list: its number of rows, and how often one was added or removed.

    Counts of different generations cannot be compared: a backup may have replaced the content.
    """

    count: int
    changes: int
    generation: int = 0

    def count_added_since(self, earlier: State) -> int:
        """How many rows were added, if nothing else happened; otherwise 0."""
        added, is_comparable = self.count - earlier.count, self.generation == earlier.generation
        return added if is_comparable and 0 < added == self.changes - earlier.changes else 0


@dataclass(frozen=True, slots=True)
class Way:
    """How to reach a page: so many steps from a row, down to the page's newest row or up to its oldest.

    Without a row the way starts at an end of the list: at the newest row for a way down.
    """

    steps: int
    start: Row | None = None
    is_up: bool = False


@dataclass(frozen=True, slots=True)
class Places:
    """What is known of a list in one state: its newest row, and how many are left from some, fewest first."""

    state: State
    newest: Row
    known: tuple[tuple[int, Row], ...] = ()

    def way(self, left: int, size: int) -> Way:
        """The shortest way to a page of this size with this many rows left."""
        ways, oldest = [choose_straight_way(self.state.count, left, size)], left - size + 1
        if (above := bisect_left(self.known, left, key=_count_left)) < len(self.known):
            found, row = self.known[above]
            ways.append(Way(found - left, row))
        if below := bisect_right(self.known, oldest, key=_count_left):
            found, row = self.known[below - 1]
            ways.append(Way(oldest - found, row, is_up=True))
        return min(ways, key=lambda way: way.steps)

    def with_places(self, *more: tuple[int, Row]) -> Places:
        """A copy with more places; if there are too many, every other old one is dropped."""
        kept = self.known[::2] if len(self.known) + len(more) > _MOST_PLACES else self.known
        return replace(self, known=tuple(sorted({**dict(kept), **dict(more)}.items())))


def choose_straight_way(count: int, left: int, size: int) -> Way:
    """The way to a page from the nearer end of its list."""
    return min(Way(count - left), Way(left - size, is_up=True), key=lambda way: way.steps)


def _count_left(place: tuple[int, Row]) -> int:
    return place[0]


class PlaceMemory:
    """The places of the lists that were updated last; safe for use by many threads."""

    def __init__(self) -> None:
        self._lists: dict[object, Places] = {}

    def places(self, name: object) -> Places | None:
        """What is known of a list, perhaps in an earlier state; None if nothing is."""
        return self._lists.get(name)

    def keep(self, name: object, places: Places) -> None:
        """Remember these places of a list, replacing what was known."""
        lists = {each: known for each, known in self._lists.items() if each != name}
        kept = list(lists.items())[-(_MOST_LISTS - 1) :]
        self._lists = {**dict(kept), name: places}
