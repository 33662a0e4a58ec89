"""Copies of a whole store or ledger in another place, seen there only when they are complete.

A copy grows in a place beside its own, where one that was interrupted is gone on with.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import closing

from shipcli.clocks import Clock
from shipcli.store.errors import StoreError
from shipcli.store.places import Place, choose_engine
from shipcli.store.ports import MASTER_KEY, PATIENCE_S, Pool, Session
from shipcli.store.transfer import (
    CopiedTable,
    TableContent,
    copy_rows,
    list_ledger_tables,
    list_store_tables,
    measure,
)

# An unused store may hold these: what is in them is replaced.
_OF_NEW_STORES = frozenset({"store_facts", "schedules"})
_FACT = "select value from store_facts where name = ?"


def copy_store(source: Pool, place: Place, clock: Clock) -> list[TableContent]:
    """Copy a store; what each table holds, compared in both.

    Errors: StoreError if the place holds other data, or a store sealed with another key.
    """
    engine = choose_engine(place)

    def open_place(place: Place) -> Pool:
        return engine.open_pool(place, clock, True, PATIENCE_S)

    _refuse_foreign(source, place)
    if engine.has_tables(place):
        with closing(open_place(place)) as there:
            _refuse_other_key(source, there)
            used = [each for each in list_store_tables() if each.name not in _OF_NEW_STORES]
            if contents := _find_copy(source, there, used):
                return contents
    return _make_copy(source, place, open_place, list_store_tables())


def copy_ledger(source: Pool, place: Place) -> list[TableContent]:
    """Copy a ledger of simulated carriers.

    Errors: StoreError if the place holds another one.
    """
    engine, tables = choose_engine(place), list_ledger_tables()

    def open_place(place: Place) -> Pool:
        return engine.open_ledger_pool(place, PATIENCE_S)

    _refuse_foreign(source, place)
    if engine.has_tables(place):
        with closing(open_place(place)) as there:
            if contents := _find_copy(source, there, tables):
                return contents
    return _make_copy(source, place, open_place, tables)


def _make_copy(
    source: Pool, place: Place, open_place: Callable[[Place], Pool], tables: Sequence[CopiedTable]
) -> list[TableContent]:
    engine = choose_engine(place)
    copy = engine.name_copy(place)
    with closing(open_place(copy)) as target:
        contents = copy_rows(source, target, tables)
    engine.publish_copy(copy, place)
    return contents


def _refuse_foreign(source: Pool, place: Place) -> None:
    if str(place) == source.place:
        raise StoreError(f"{source.place} is the store itself; name another place")
    if name := choose_engine(place).find_foreign_table(place):
        raise StoreError(f"the schema holds a table of another program ({name}); name one of its own")


def _refuse_other_key(source: Pool, there: Pool) -> None:
    ours, theirs = _read_fingerprint(source.session()), _read_fingerprint(there.session())
    if theirs and ours != theirs:
        held = (
            f"the master key of {there.place} is {theirs}, that of {source.place} is {ours or 'not made yet'}"
        )
        raise StoreError(f"{held}: nothing was copied; name a place without a store")


def _read_fingerprint(session: Session) -> str:
    row = session.row(_FACT, (MASTER_KEY,))
    return str(json.loads(row[0])["fingerprint"]) if row else ""


def _find_copy(source: Pool, there: Pool, tables: Sequence[CopiedTable]) -> list[TableContent]:
    """What the tables of a complete copy hold, as an interrupted command may have left it; nothing of an
    empty place.

    Errors: StoreError if the place holds anything else.
    """
    session = there.session()
    filled = [table.name for table in tables if session.row(f"select 1 from {table.name} limit 1")]
    if not filled:
        return []
    contents = []
    for table in tables:
        contents.append(measure(source.session(), table))
        if measure(session, table) != contents[-1]:
            held = f"{there.place} holds other data (in {filled[0]})"
            raise StoreError(f"{held}: nothing was copied; name an empty place")
    return contents
