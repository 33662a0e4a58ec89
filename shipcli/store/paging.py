"""Pages of lists that an index holds in order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from shipcli.store import index_lists
from shipcli.store.codecs import Stored
from shipcli.store.ports import Session
from shipcli.store.query import Sql
from shipcli.store.schema import Kind


@dataclass(frozen=True, slots=True)
class IndexedList:
    """A list, read by a session inside one snapshot."""

    session: Session
    kind: Kind
    sources: Sequence[index_lists.RowSource]

    def count(self) -> int:
        """Count the rows, where no total is stored."""
        return sum(int(self.session.rows(*source.count)[0][0]) for source in self.sources)

    def counted_page(self, total: Sql | None, limit: int, offset: int) -> tuple[int, list[Stored]] | None:
        """The number of all rows, and the stored texts of a page, in one statement; None for an empty page.

        `total` reads the number where it is stored.
        """
        beside = (f"({total[0]})", total[1]) if total else index_lists.count_sources(self.sources)
        sql, values = index_lists.select_page(self.kind, self.sources, limit, offset, extra=beside)
        rows = self.session.rows(sql, values)
        return (int(rows[0][1]), [row[0] for row in rows]) if rows else None

    def page(self, count: int, limit: int, offset: int) -> list[Stored]:
        """The stored texts of a page, newest first, reached from the nearer end of the list."""
        size = min(limit, count - offset)
        if size <= 0:
            return []
        after = count - offset - size
        is_reversed = after < offset
        steps = after if is_reversed else offset
        sql, values = index_lists.select_page(self.kind, self.sources, size, steps, is_reversed=is_reversed)
        return [row[0] for row in self.session.rows(sql, values)]
