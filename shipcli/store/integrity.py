"""Checks of what a store holds: whether its counts, search values and documents fit together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from shipcli.store.errors import StoreError
from shipcli.store.ports import Session
from shipcli.store.schema import KINDS, SHARED, Kind

_MOST_LINES = 100


def check_content(session: Session) -> list[str]:
    """List what is wrong with the content of a store, one sentence each; empty if all is well."""
    damage: list[str] = []
    for kind in KINDS.values():
        with session.snapshot():
            damage += [
                *_find_unpaired(session, kind),
                *_find_miscounted(session, kind),
                *_find_misplaced(session, kind),
            ]
        damage += [*_find_damaged_text(session, kind), *_find_damaged_rows(session, kind)]
    return damage


def _find_unpaired(session: Session, kind: Kind) -> list[str]:
    lone = f"select count(*) from {kind.plural} where seq not in (select seq from {kind.documents})"
    left = f"select count(*) from {kind.documents} where seq not in (select seq from {kind.plural})"
    stale = f"select count(*) from entries where kind = ? and seq not in (select seq from {kind.plural})"
    counts = {
        "rows without a document": session.rows(lone)[0][0],
        "documents without a row": session.rows(left)[0][0],
        "search values without a document": session.rows(stale, (kind.name,))[0][0],
    }
    return [f"{kind.plural}: {number} {what}" for what, number in counts.items() if number]


def _find_miscounted(session: Session, kind: Kind) -> list[str]:
    mode = "test_mode" if kind.moded else str(SHARED)
    tally = f"coalesce(cast({kind.tally} as text), '')" if kind.tally else "''"
    counted = session.rows(f"select {mode}, cast({tally} as text), count(*) from {kind.plural} group by 1, 2")
    stored = _read_counts(session, "totals", ("test_mode", "status"), kind)
    if sorted(counted) == sorted(stored):
        return []
    return [f"{kind.plural}: the kept totals {sorted(stored)} differ from the counted {sorted(counted)}"]


def _read_counts(session: Session, table: str, names: Sequence[str], kind: Kind) -> list[tuple[Any, ...]]:
    """The counts that are kept, each the sum of its slots; those of nothing are left out."""
    columns = ", ".join(names)
    sql = f"select {columns}, sum(n) from {table} where kind = ? group by {columns} having sum(n) <> 0"
    return session.rows(sql, (kind.name,))


def _find_misplaced(session: Session, kind: Kind) -> list[str]:
    """Compare search values and their counts with the documents they were made from."""
    mode = "d.test_mode" if kind.moded else str(SHARED)
    moved = f"select count(*) from entries e join {kind.plural} d on d.seq = e.seq "
    number = session.rows(f"{moved} where e.kind = ? and e.test_mode <> {mode}", (kind.name,))[0][0]
    counted = session.rows(
        "select test_mode, scope, key, count(*) from entries where kind = ? group by 1, 2, 3", (kind.name,)
    )
    for name in kind.counted:
        counted += session.rows(
            f"select {mode}, '{name}', '', count(*) from {kind.plural} d where {name} = 1 group by 1"
        )
    stored = _read_counts(session, "tallies", ("test_mode", "scope", "key"), kind)
    wrong = {row[:3] for row in set(counted) ^ set(stored)}
    problems = [f"{kind.plural}: {number} search values in the other mode"] if number else []
    return [*problems, *([f"{kind.plural}: {len(wrong)} kept counts of keys are wrong"] if wrong else [])]


def _find_damaged_rows(session: Session, kind: Kind) -> list[str]:
    rows = session.rows(
        f"select k.id from {kind.plural} k join {kind.documents} d on d.seq = k.seq "
        f"where not json_valid(unpacked(d.json)) limit {_MOST_LINES}"
    )
    return [f"{kind.plural}: the row of {id} can't be read" for (id,) in rows]


def _find_damaged_text(session: Session, kind: Kind) -> list[str]:
    if not kind.text:
        return []
    try:
        session.run(session.dialect.check_text(kind))
    except StoreError:
        return [f"{kind.plural}: the text index is damaged"]
    return []
