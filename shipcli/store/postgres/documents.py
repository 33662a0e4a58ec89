"""Documents written in one statement: what each statement costs here is the way to the server and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from shipcli.models.basics.json import loads
from shipcli.store import query
from shipcli.store.changes import DocumentChange, Existing, MakeChange
from shipcli.store.codecs import unpack
from shipcli.store.document_statements import find_existing
from shipcli.store.ports import Session
from shipcli.store.postgres.types import TYPES
from shipcli.store.schema import Kind, find_table
from shipcli.store.shared_sql import change_text

Part = tuple[str, list[Any]]
_ENTRY = ("scope", "key", "test_mode", "at", "value")
_TALLY = ("test_mode", "scope", "key", "n", "slot")
_TOTAL = ("test_mode", "status", "n", "slot")


def put_document(session: Session, kind: Kind, id: str, make: MakeChange, *, may_be_new: bool) -> bool:
    """Save a document; whether it is new. Its locks are held: nobody else writes it meanwhile."""
    existing: Existing | None
    if may_be_new:
        is_new, existing = _try_add(session, make(None), id)
        if is_new:
            return True
    else:
        existing = None
    change = make(existing or find_existing(session, kind, id))
    if change.seq is None:  # `make` takes a new one after all, or it was deleted meanwhile
        return _try_add(session, change, id)[0]
    _change(session, change, change.seq)
    return False


def _try_add(session: Session, change: DocumentChange, id: str) -> tuple[bool, Existing | None]:
    """Add a document unless it exists; whether it was added, and else what is stored."""
    kind, names = change.kind, tuple(change.kind.table.types)
    marks = ", ".join(_mark(kind.table.type_of(name)) for name in change.row)
    added = (
        f"insert into {kind.plural} ({', '.join(change.row)}) select {marks} "
        f"where not exists (select 1 from {kind.plural} where id = ?) "
        "on conflict (id) do nothing returning seq"
    )
    parts: list[Part] = [(added, [*change.row.values(), id]), *_list_additions(change, session.slot)]
    text = "d.json" if kind.pairs or kind.text else "null"
    stored = (
        f"select {', '.join(f'k.{name}' for name in names)}, {text} as stored_json from {kind.plural} k "
        f"left join {kind.documents} d on d.seq = k.seq where k.id = ?"
    )
    sql, values = _join(["added", *_name(parts[1:])], parts)
    sql += f" select a.seq, e.* from (select 1) one left join added a on true left join ({stored}) e on true"
    added_seq, *row = session.rows(sql, [*values, id])[0]
    if added_seq is not None or row[0] is None:
        return added_seq is not None, None
    document = dict(loads(unpack(row[-1]))) if row[-1] else {}
    return False, Existing(dict(zip(names, row, strict=False)), document)


def _list_additions(change: DocumentChange, slot: int) -> list[Part]:
    """The other rows of a document that is added."""
    kind = change.kind
    parts: list[Part] = [
        (f"insert into {kind.documents} (seq, json) select seq, {_mark('json')} from added", [change.json])
    ]
    if change.texts is not None:
        marks = ", ".join([_mark("text")] * len(kind.text))
        sql = f"insert into {kind.words} ({', '.join(kind.text)}, seq) select {marks}, seq from added"
        parts.append((sql, list(change.texts)))
    if change.new:
        parts.append(_insert_entries(change, "a.seq", [], "added a, "))
    return [*parts, *_list_counts(change, "added a, ", slot)]


def _change(session: Session, change: DocumentChange, seq: int) -> None:
    """Change a stored document."""
    kind, parts = change.kind, list[Part]()
    if change.row:
        parts.append((query.update(kind.plural, tuple(change.row), "seq = ?"), [*change.row.values(), seq]))
    parts.append((query.upsert(kind.documents, ("seq", "json"), ("seq",)), [seq, change.json]))
    if change.texts is not None:
        parts.append((change_text(kind, session.dialect.text_key), [*change.texts, seq]))
    kept = {entry[:4] for entry in change.new}
    if gone := [entry for entry in change.gone if entry[:4] not in kept]:
        parts.append(_delete_entries(kind, seq, gone))
    if change.new:
        parts.append(_insert_entries(change, f"{_mark('integer')}", [seq], ""))
    parts += _list_counts(change, "", session.slot)
    names = _name(parts)
    sql, values = _join(names, parts)
    is_tallied = bool(change.tallied)
    unused = session.rows(
        f"{sql} select count(*) from {names[-1]} where n = 0" if is_tallied else f"{sql} select 0", values
    )
    if unused[0][0]:
        gone_keys = [(kind.name, *step[:3], session.slot) for step in change.tallied if step[3] < 0]
        session.run_many(query.UNTALLY, gone_keys)


def _insert_entries(change: DocumentChange, seq: str, values: list[Any], source: str) -> Part:
    """The statement that writes search values; one whose key was there gets the new value."""
    columns = ", ".join(f"e.{name}" for name in _ENTRY)
    sql = (
        f"insert into entries (kind, seq, {', '.join(_ENTRY)}) select {_mark('text')}, {seq}, {columns} "
        f"from {source}{_unnest('entries', _ENTRY)} as e ({', '.join(_ENTRY)}) "
        "on conflict (kind, scope, key, test_mode, at, seq) do update set value = excluded.value"
    )
    return sql, [change.kind.name, *values, *_turn(change.new)]


def _delete_entries(kind: Kind, seq: int, gone: Sequence[tuple[Any, ...]]) -> Part:
    names = _ENTRY[:4]
    tests = " and ".join(f"entries.{name} = g.{name}" for name in names)
    source = f"{_unnest('entries', names)} as g ({', '.join(names)})"
    sql = f"delete from entries using {source} where entries.kind = ? and entries.seq = ? and {tests}"
    return sql, [*_turn([entry[:4] for entry in gone]), kind.name, seq]


def _list_counts(change: DocumentChange, source: str, slot: int) -> list[Part]:
    """The statements that count it."""
    counts = (("totals", _TOTAL, change.steps), ("tallies", _TALLY, change.tallied))
    return [
        _add_up(change.kind, table, names, [(*step, slot) for step in steps], source)
        for table, names, steps in counts
        if steps
    ]


def _add_up(
    kind: Kind, table: str, names: Sequence[str], steps: Sequence[tuple[Any, ...]], source: str
) -> Part:
    key = ", ".join(("kind", *(name for name in names if name != "n")))
    columns = ", ".join(f"c.{name}" for name in names)
    sql = (
        f"insert into {table} (kind, {', '.join(names)}) select {_mark('text')}, {columns} "
        f"from {source}{_unnest(table, names)} as c ({', '.join(names)}) "
        f"on conflict ({key}) do update set n = {table}.n + excluded.n returning n"
    )
    return sql, [kind.name, *_turn(steps)]


def _mark(type_name: str) -> str:
    """A placeholder of this type: a select does not know what its values are for."""
    return f"?::{TYPES[type_name]}"


def _unnest(table: str, names: Sequence[str]) -> str:
    types = [TYPES[find_table(table).type_of(name)] for name in names]
    return f"unnest({', '.join(f'?::{name}[]' for name in types)})"


def _turn(rows: Sequence[tuple[Any, ...]]) -> list[list[Any]]:
    """Columns instead of rows."""
    return [list(column) for column in zip(*rows, strict=True)]


def _name(parts: Sequence[Part]) -> list[str]:
    return [f"part_{number}" for number in range(len(parts))]


def _join(names: Sequence[str], parts: Sequence[Part]) -> tuple[str, list[Any]]:
    """One statement of several that write, and their values."""
    texts = [f"{name} as ({sql})" for name, (sql, _) in zip(names, parts, strict=True)]
    return f"with {', '.join(texts)}", [value for _, values in parts for value in values]
