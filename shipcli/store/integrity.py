"""Checks of a store: whether its file is damaged, and whether its counts and indexes are right."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from shipcli.store import dialect
from shipcli.store.engine import Session, is_file_of_ours
from shipcli.store.errors import StoreError
from shipcli.store.schema import KINDS, SHARED, Kind

_PLACE = re.compile(r"(?:Tree (\d+))|(?:index (\w+))")
_MOST_LINES = 100
UNREADABLE = "the list of tables can't be read: nothing in the file can be found"


def find_damage(session: Session) -> list[str]:
    """List what is wrong with the file, one sentence per table or index; empty if it is sound."""
    try:
        roots = dict(session.rows("select rootpage, type || ' ' || name from sqlite_master"))
        tables = session.rows(
            "select name from sqlite_master where type = 'table' and sql not like 'create virtual %'"
        )
    except StoreError:
        return [UNREADABLE]
    if _list_reports(session, "") == ["ok"]:
        return [f"table {row[0]}: a broken reference" for row in session.rows("pragma foreign_key_check")]
    sentences = [sentence for (name,) in tables for sentence in _list_damage(session, name, roots)]
    return list(dict.fromkeys(sentences)) or ["the pages that belong to no table are damaged"]


def _list_damage(session: Session, table: str, roots: dict[int, str]) -> Iterator[str]:
    for line in _list_reports(session, f'("{table}")'):
        if line != "ok" and not line.startswith("***"):
            part = f"table {table}"
            if match := _PLACE.search(line):
                root, index = match.groups()
                part = f"index {index}" if index else roots.get(int(root), part)
            yield f"{part} is damaged"


def _list_reports(session: Session, of: str) -> list[str]:
    """Return what SQLite reports; a single line if it can't read the table to the end."""
    try:
        rows = session.rows(f"pragma integrity_check{of or f'({_MOST_LINES})'}")
    except StoreError:
        return ["it can't be read to its end"]
    return [line for (text,) in rows for line in str(text).splitlines()]


def find_damage_in(file: Path) -> list[str]:
    """The same as `find_damage`, for a file that may be too damaged to open."""
    try:
        with closing(Session(file)) as session:
            return find_damage(session)
    except StoreError:
        return [UNREADABLE]


def is_sound(file: Path) -> bool:
    """Whether a file is an undamaged store or backup of one."""
    return is_file_of_ours(file) and not find_damage_in(file)


# -- the content -------------------------------------------------------------------------------


def check_content(session: Session) -> list[str]:
    """List what is wrong with a store, one sentence each; empty if all is well."""
    damage = find_damage(session)
    if damage:
        return damage
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
    tally = f"coalesce({kind.tally}, '')" if kind.tally else "''"
    counted = session.rows(f"select {mode}, cast({tally} as text), count(*) from {kind.plural} group by 1, 2")
    stored = session.rows("select test_mode, status, n from totals where kind = ? and n <> 0", (kind.name,))
    if sorted(counted) == sorted(stored):
        return []
    return [f"{kind.plural}: the kept totals {sorted(stored)} differ from the counted {sorted(counted)}"]


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
    stored = session.rows(
        "select test_mode, scope, key, n from tallies where kind = ? and n <> 0", (kind.name,)
    )
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
        session.run(dialect.check_text(kind))
    except StoreError:
        return [f"{kind.plural}: the text index is damaged"]
    return []
