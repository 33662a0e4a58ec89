"""Pages of lists that an index holds in order."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from shipcli.store import index_lists
from shipcli.store.engine import Session
from shipcli.store.page_bookmarks import NEAR, PlaceMemory, Places, State, Way, choose_straight_way
from shipcli.store.schema import Kind

# With more new rows than this, it is not checked whether they all come before the others.
_MOST_NEW = 1000


@dataclass(frozen=True, slots=True)
class IndexedList:
    """A list, read by a session inside one snapshot."""

    session: Session
    kind: Kind
    sources: Sequence[index_lists.RowSource]

    def count(self) -> int:
        """Count the rows, where no total is stored."""
        return sum(int(self.session.rows(*source.count)[0][0]) for source in self.sources)

    def page(self, count: int, limit: int, offset: int) -> list[str]:
        """The JSON texts of a page, reached from the nearer end of the list."""
        left = count - offset
        size = min(limit, left)
        return (
            [row[0] for row in self._rows(choose_straight_way(count, left, size), size)] if size > 0 else []
        )

    def remembered_page(
        self, state: State, limit: int, offset: int, memory: PlaceMemory, name: Hashable
    ) -> list[str]:
        """The same, reached from the nearest place that is remembered for the list in this state."""
        left = state.count - offset
        size = min(limit, left)
        if size <= 0 or offset <= NEAR or choose_straight_way(state.count, left, size).steps <= NEAR:
            return self.page(state.count, limit, offset)
        known = memory.places(name)
        places = self._places(known, replace(state, generation=self.session.generation()))
        way = places.way(left, size)
        rows = self._rows(way, size)
        if rows and way.steps > NEAR:
            places = places.with_places((left, rows[0][1:]), (left - len(rows) + 1, rows[-1][1:]))
        if places is not known:
            memory.keep(name, places)
        return [row[0] for row in rows]

    def _rows(self, way: Way, size: int) -> list[tuple[Any, ...]]:
        return self.session.rows(*index_lists.select_page(self.kind, self.sources, way, size))

    def _places(self, known: Places | None, state: State) -> Places:
        """The known places that still hold in this state."""
        if known is not None and known.state == state:
            return known
        newest = self._newest_above(known, state)
        if known is None or newest is None:
            return Places(state, self._row(Way(0)))
        return replace(known, state=state, newest=newest)

    def _newest_above(self, known: Places | None, state: State) -> Any:
        """The newest row, if since then nothing happened but rows being added before all others."""
        added = state.count_added_since(known.state) if known else 0
        if known is None or not 0 < added <= _MOST_NEW:
            return None
        return self._row(Way(added, known.newest, is_up=True))

    def _row(self, way: Way) -> Any:
        return self.session.row(*index_lists.select_row(self.sources, way))
