"""Documents read and written statement by statement, as is best where a statement costs little."""

from __future__ import annotations

from shipcli.models.basics.json import loads
from shipcli.store import query
from shipcli.store.changes import (
    Entry,
    Existing,
    MakeChange,
    find_place,
    list_entries,
    list_tallied,
    list_tally_steps,
)
from shipcli.store.codecs import unpack
from shipcli.store.ports import Session
from shipcli.store.schema import Kind
from shipcli.store.shared_sql import add_text, change_text, drop_text

_ADD_ENTRY = query.insert("entries", ("kind", "seq", "scope", "key", "test_mode", "at", "value"))
_DROP_ENTRY = (
    "delete from entries where kind = ? and seq = ? and scope = ? and key = ? and test_mode = ? and at = ?"
)


def find_existing(session: Session, kind: Kind, id: str) -> Existing | None:
    """What is stored of a document."""
    names = tuple(kind.table.types)
    row = session.row(f"select {', '.join(names)} from {kind.plural} where id = ?", (id,))
    if row is None:
        return None
    narrow = dict(zip(names, row, strict=True))
    if not (kind.pairs or kind.text):
        return Existing(narrow, {})
    document = session.row(f"select json from {kind.documents} where seq = ?", (narrow["seq"],))
    return Existing(narrow, dict(loads(unpack(document[0]))) if document else {})


def put_document(session: Session, kind: Kind, id: str, make: MakeChange) -> bool:
    """Save a document; whether it is new."""
    change = make(find_existing(session, kind, id))
    seq = change.seq
    if seq is None:
        seq = session.add(query.insert(kind.plural, tuple(change.row)), tuple(change.row.values()))
    elif change.row:
        sql = query.update(kind.plural, tuple(change.row), "seq = ?")
        session.run(sql, (*change.row.values(), seq))
    session.run(query.upsert(kind.documents, ("seq", "json"), ("seq",)), (seq, change.json))
    if change.texts is not None:
        key = session.dialect.text_key
        sql = add_text(kind, key) if change.seq is None else change_text(kind, key)
        session.run(sql, (*change.texts, seq))
    _write_entries(session, kind, seq, change.gone, change.new)
    _count(session, kind, change.steps, change.tallied)
    return change.seq is None


def delete_document(session: Session, kind: Kind, existing: Existing) -> None:
    """Delete a document and what is made from it."""
    seq, held = existing.row["seq"], list_entries(kind, existing.row, existing.document)
    session.run(f"delete from {kind.plural} where seq = ?", (seq,))
    session.run(f"delete from {kind.documents} where seq = ?", (seq,))
    if kind.text:
        session.run(drop_text(kind, session.dialect.text_key), (seq,))
    _write_entries(session, kind, seq, sorted(held), [])
    place = find_place(kind, existing.row)
    steps = [(*place, -1)] if place else []
    _count(session, kind, steps, list_tally_steps(list_tallied(kind, existing.row, held), set()))


def _write_entries(session: Session, kind: Kind, seq: int, gone: list[Entry], new: list[Entry]) -> None:
    start = (kind.name, seq)
    if gone:
        session.run_many(_DROP_ENTRY, [(*start, *entry[:4]) for entry in gone])
    if new:
        session.run_many(_ADD_ENTRY, [(*start, *entry) for entry in new])


def _count(
    session: Session, kind: Kind, steps: list[tuple[int, str, int]], tallied: list[tuple[int, str, str, int]]
) -> None:
    for step in steps:
        session.run(query.COUNT, (kind.name, *step, session.slot))
    if tallied:
        session.run_many(query.TALLY, [(kind.name, *step, session.slot) for step in tallied])
    if gone := [(kind.name, *step[:3], session.slot) for step in tallied if step[3] < 0]:
        session.run_many(query.UNTALLY, gone)
