"""Copies the rows of one store into another, whatever their engines, and compares what both hold then."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from shipcli.store.codecs import pack, pack_value, unpack
from shipcli.store.errors import StoreError
from shipcli.store.ports import Pool, Session
from shipcli.store.schema import KINDS, TABLES, VERSION, Kind, Table

Row = tuple[Any, ...]
_AT_ONCE = 500
_TRIES = 3
# What belongs to a machine, its processes and its clock means nothing in another place.
LEFT_OUT = frozenset({"machine_starts", "presence", "workers", "locks", "attempts"})
# Until when a process may keep something, by the clock of the place: in the copy, nobody has it.
_LEASES = frozenset({"until", "claimed_until"})


@dataclass(frozen=True, slots=True)
class CopiedTable:
    """A table to copy: its columns with their types, and those that order its rows.

    A table of searched text calls its key `seq` otherwise in each engine.
    """

    name: str
    columns: tuple[tuple[str, str], ...]
    key: tuple[str, ...]
    is_text: bool = False

    def name_columns(self, session: Session) -> list[str]:
        """The columns as an engine calls them."""
        return [self._name(name, session) for name, _ in self.columns]

    def name_key(self, session: Session) -> list[str]:
        """The key as an engine calls it."""
        return [self._name(name, session) for name in self.key]

    def _name(self, column: str, session: Session) -> str:
        return session.dialect.text_key if self.is_text and column == "seq" else column

    def find_key(self, row: Row) -> Row:
        """The values of the key in a row."""
        names = [name for name, _ in self.columns]
        return tuple(row[names.index(name)] for name in self.key)


@dataclass(frozen=True, slots=True)
class TableContent:
    """What a table holds: how many rows, and a digest of all their values."""

    table: str
    rows: int
    digest: str


def list_store_tables() -> list[CopiedTable]:
    """The tables of a store that are copied."""
    kinds = [table for kind in KINDS.values() for table in _list_kind_tables(kind)]
    return [*kinds, *(_copy_shape(table) for name, table in TABLES.items() if name not in LEFT_OUT)]


def list_ledger_tables() -> list[CopiedTable]:
    """The tables of a ledger of simulated carriers."""
    shapes = {
        "numbers": (("slug", "series", "value"), ("slug", "series")),
        "records": (("seq", "slug", "kind", "key", "record"), ("seq",)),
        "marks": (("slug", "kind", "name", "value", "seq"), ("slug", "kind", "name", "value", "seq")),
    }
    return [
        CopiedTable(name, tuple((column, "text") for column in columns), key)
        for name, (columns, key) in shapes.items()
    ]


def _list_kind_tables(kind: Kind) -> Iterator[CopiedTable]:
    yield _copy_shape(kind.table)
    yield CopiedTable(kind.documents, (("seq", "integer"), ("json", "document")), ("seq",))
    if kind.text:
        fields = tuple((name, "text") for name in kind.text)
        yield CopiedTable(kind.words, (("seq", "integer"), *fields), ("seq",), is_text=True)


def _copy_shape(table: Table) -> CopiedTable:
    columns = tuple((column.name, column.type) for column in table.columns if column.since <= VERSION)
    return CopiedTable(table.name, columns, table.key)


# -- copying -----------------------------------------------------------------------------------


def copy_rows(source: Pool, target: Pool, tables: Sequence[CopiedTable]) -> list[TableContent]:
    """Copy what the target lacks, compare both, and copy once more what differs.

    Errors: StoreError if the source changes all the time.
    """
    for _ in range(_TRIES):
        for table in tables:
            _copy_table(source.session(), target, table)
        contents = _measure_all(source.session(), tables)
        differing = _find_differing(target.session(), tables, contents)
        if not differing:
            _continue_numbers(target, tables)
            return contents
        for table in differing:
            with target.transaction() as session:
                session.run(f"delete from {table.name}")
    names = ", ".join(table.name for table in differing)
    raise StoreError(
        f"{source.place} is being written to ({names}): stop its servers and workers, then copy again"
    )


def _measure_all(session: Session, tables: Sequence[CopiedTable]) -> list[TableContent]:
    with session.snapshot():
        return [measure(session, table) for table in tables]


def _find_differing(
    session: Session, tables: Sequence[CopiedTable], contents: Sequence[TableContent]
) -> list[CopiedTable]:
    pairs = zip(tables, contents, strict=True)
    return [table for table, content in pairs if measure(session, table) != content]


def _copy_table(source: Session, target: Pool, table: CopiedTable) -> None:
    """Copy the rows after the last one that the target has."""
    last = _find_last(target.session(), table)
    names = table.name_columns(target.session())
    insert = f"insert into {table.name} ({', '.join(names)}) values ({', '.join('?' * len(names))})"
    for rows in _read_chunks(source, table, last):
        with target.transaction() as session:
            session.run_many(insert, [_pack_row(table, row) for row in rows])


def _find_last(session: Session, table: CopiedTable) -> Row | None:
    key = table.name_key(session)
    order = ", ".join(f"{name} desc" for name in key)
    return session.row(f"select {', '.join(key)} from {table.name} order by {order} limit 1")


def measure(session: Session, table: CopiedTable) -> TableContent:
    """Count and digest the rows of a table."""
    count, digest = 0, sha256()
    for rows in _read_chunks(session, table, None):
        count += len(rows)
        for row in rows:
            digest.update(repr(row).encode())
    return TableContent(table.name, count, digest.hexdigest()[:16])


def _read_chunks(session: Session, table: CopiedTable, last: Row | None) -> Iterator[list[Row]]:
    """The rows after one, in order of their key."""
    names, key = ", ".join(table.name_columns(session)), ", ".join(table.name_key(session))
    marks = ", ".join("?" * len(table.key))
    while True:
        after = f" where ({key}) > ({marks})" if last else ""
        sql = f"select {names} from {table.name}{after} order by {key} limit {_AT_ONCE}"
        rows = [_unpack_row(table, row) for row in session.rows(sql, last or ())]
        if rows:
            yield rows
        if len(rows) < _AT_ONCE:
            return
        last = table.find_key(rows[-1])


def _unpack_row(table: CopiedTable, row: Row) -> Row:
    return tuple(_unpack_value(*column, value) for column, value in zip(table.columns, row, strict=True))


def _unpack_value(name: str, type_name: str, value: Any) -> Any:
    if value is None:
        return None
    if name in _LEASES:
        return 0.0
    return unpack(value) if type_name in ("json", "document") else value


def _pack_row(table: CopiedTable, row: Row) -> Row:
    return tuple(
        _pack_value(type_name, value) for (_, type_name), value in zip(table.columns, row, strict=True)
    )


def _pack_value(type_name: str, value: Any) -> Any:
    if value is None or type_name not in ("json", "document"):
        return value
    return pack(value) if type_name == "document" else pack_value(value)


def _continue_numbers(target: Pool, tables: Sequence[CopiedTable]) -> None:
    """Let new rows be numbered after those that were copied with their numbers."""
    for table in tables:
        if table.key == ("seq",) and not table.is_text:
            with target.transaction() as session:
                for statement in session.dialect.continue_numbers(table.name):
                    session.rows(statement)
