"""Steps from one version of a store to the next; sqlite-utils runs them.

New stores are created straight from the declarations, with every step recorded as done. A step changes an
existing store: it gets the database, in a transaction that also covers the other steps and the new version.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from shipcli import config as settings
from shipcli.store.codecs import write_moment
from shipcli.store.definitions import list_definitions
from shipcli.store.engine import Session
from shipcli.store.errors import StoreError, StoreTooNew
from shipcli.store.schema import KINDS, SHARED, Kind
from shipcli.store.schema import STEPS as NAMES

if TYPE_CHECKING:
    from sqlite_utils import Database

SET_NAME = "shipcli"


@dataclass(frozen=True, slots=True)
class Step:
    """One named change of a store."""

    name: str
    change: Callable[[Database], None]


@dataclass(frozen=True, slots=True)
class MigrationResult:
    """What a migration did; no backup means there was nothing to do."""

    before: int
    after: int
    backup: Path | None


def _list_added(version: int) -> list[str]:
    """The statements that create what a version has and the one before did not have."""
    before = set(list_definitions(version - 1))
    return [statement for statement in list_definitions(version) if statement not in before]


def create_first(database: Database) -> None:
    """Create everything that version 1 had."""
    for statement in list_definitions(1):
        database.execute(statement)


def add_log_ins(database: Database) -> None:
    """Add users, OAuth clients and tokens for log-ins, and customs declarations as documents.

    Some stores of version 1 were created with part of this: what exists stays.
    """
    for statement in _list_added(2):
        database.execute(re.sub(r"^create ((?:unique )?\w+) ", r"create \1 if not exists ", statement))


def sort_entries(database: Database) -> None:
    """Store keys and values in list order, count them, and index what was searched row by row."""
    new = sorted(_list_added(3), key=lambda statement: " index " in statement)
    tables = [statement for statement in new if statement.startswith("create table")]
    for statement in tables:
        database.execute(statement)
    for kind in KINDS.values():
        _put_in_order(database, kind)
    database.execute("drop table pairs")
    # Indexes come last: filled row by row they take twice as long.
    for statement in new[len(tables) :]:
        database.execute(statement)


def _put_in_order(database: Database, kind: Kind) -> None:
    mode = "d.test_mode" if kind.moded else str(SHARED)
    at = "strftime('%s', substr(d.created_at, 1, 19)) * 1000000 + substr(d.created_at, 21, 6)"
    if kind.pairs:
        database.execute(
            "insert or replace into entries (kind, scope, key, test_mode, at, seq, value) "
            f"select p.kind, scope, key, {mode}, {at}, p.seq, value from pairs p "
            f"join {kind.plural} d on d.seq = p.seq where p.kind = ? order by 1, 2, 3, 4, 5, 6",
            (kind.name,),
        )
    database.execute(
        "insert into tallies (kind, test_mode, scope, key, n) "
        "select kind, test_mode, scope, key, count(*) from entries where kind = ? group by 1, 2, 3, 4",
        (kind.name,),
    )
    for name in kind.counted:
        database.execute(
            "insert into tallies (kind, test_mode, scope, key, n) "
            f"select ?, {mode}, '{name}', '', count(*) from {kind.plural} d where {name} = 1 group by 2",
            (kind.name,),
        )


def add_change_counts(database: Database) -> None:
    """Start counting how often documents are added to a list and leave it."""
    for name in ("changes", "moves"):
        database.table("totals").add_column(name, int)
    database.execute("update totals set changes = 0, moves = 0")


def record_carrier_actions(database: Database) -> None:
    """Record voids, pickups and manifests in progress beside the purchases."""
    for name in ("kind", "object_id"):
        database.table("intents").add_column(name, str)
    database.execute("update intents set kind = 'purchase', object_id = shipment_id")


def add_machine_starts(database: Database) -> None:
    """Let jobs notice that the clock was set back, and processes agree on a clock that nobody sets."""
    database.execute(next(each for each in _list_added(6) if each.startswith("create table machine_starts")))
    database.table("jobs").add_column("put_off_at", str)
    database.execute("update jobs set put_off_at = created_at")


def assign_key_owners(database: Database) -> None:
    """Assign requests made with API keys to the account, so that a later retry is not taken as a new request.

    An answer that was stored sealed stays where it is: the name of its owner is part of the seal.
    """
    database.execute(
        "update or ignore idempotency set caller = 'account' "
        "where caller like 'key:%' and coalesce(response, '') not like '{\"sealed\":%'"
    )
    database.execute(
        "update intents set draft = json_set(draft, '$.once.caller', 'account') "
        "where draft is not null and json_extract(draft, '$.once.caller') like 'key:%'"
    )


def add_shipment_indexes(database: Database) -> None:
    """Index what is bought and on no manifest, or in no pickup, so that old shipments are not searched."""
    database.table("shipments").add_column("has_pickup", int)
    database.execute(
        "update shipments set has_pickup = seq in "
        "(select seq from entries where kind = 'shipment' and scope = 'meta' and key = 'pickup_id')"
    )
    for statement in _list_added(8):
        if " index shipments_" in statement:
            database.execute(statement)


def move_defaults(database: Database) -> None:
    """Move the default printer, and the shipper of a sandbox, to the settings file beside the store."""
    file = database.execute("select file from pragma_database_list where name = 'main'").fetchone()[0]
    folder = Path(file).parent
    for key, find in (
        ("printer", "select name from printers where is_default = 1"),
        ("shipper", "select value ->> '$' from settings where key = 'shipper'"),
    ):
        found = database.execute(find).fetchone()
        if found and found[0] and not settings.is_written(folder, key):
            settings.write(folder, key, found[0])
    database.execute("delete from settings where key = 'shipper'")
    database.execute("alter table printers drop column is_default")


def add_products(database: Database) -> None:
    """Add a kind of document for products."""
    for statement in _list_added(10):
        database.execute(statement)


def keep_cancelled_pickups(database: Database) -> None:
    """Keep cancelled pickups from now on, distinguished from those that are booked."""
    database.table("pickups").add_column("cancelled", int)
    database.execute("update pickups set cancelled = 0")


CHANGES = (
    create_first, add_log_ins, sort_entries, add_change_counts,
    record_carrier_actions, add_machine_starts, assign_key_owners,
    add_shipment_indexes, move_defaults, add_products, keep_cancelled_pickups,
)  # fmt: skip
STEPS = tuple(Step(name, change) for name, change in zip(NAMES, CHANGES, strict=True))


def migrate(
    path: Path, now: datetime, steps: Sequence[Step] = STEPS, patience_s: float = 30.0
) -> MigrationResult:
    """Migrate a store to the newest version, locked, after a backup beside it; all steps or none.

    Errors: StoreTooNew if a newer program has used it, StoreError if the file is not a store or is in use.
    """
    if not path.is_file():
        raise StoreError(f"there is no store {path}")
    session, target = Session(path, patience_s), len(steps)
    try:
        _refuse(session, target)
        session.use_journal(patience_s)
        with session.transaction(durable=True, exclusive=True):
            _refuse(session, target)
            before = session.version()
            if before == target:
                return MigrationResult(before, target, None)
            backup = _write_backup(session, before, now)
            _apply(session, steps)
            session.set_version(target)
    finally:
        session.close()
    return MigrationResult(before, target, backup)


def _refuse(session: Session, target: int) -> None:
    if not session.is_ours() and not session.is_empty():
        raise StoreError(f"{session.path} is a database of another program; name another file")
    if session.version() > target:
        raise StoreTooNew(describe_newer_store(session.path, session.version(), target))


def describe_newer_store(path: Path, found: int, known: int) -> str:
    """The error message for a store of a newer program."""
    return (
        f"the store {path} has version {found}, this program knows version {known}; install the newer program"
    )


def _write_backup(session: Session, before: int, now: datetime) -> Path:
    stamp = write_moment(now).replace("-", "").replace(":", "")[:15]
    start = f"{session.path.name}.version-{before}-{stamp}"
    names = (f"{start}{ending}.backup" for ending in ("", *(f"-{number}" for number in range(2, 1000))))
    backup = next(path for path in map(session.path.with_name, names) if not path.exists())
    session.copy_to(backup)
    return backup


def _apply(session: Session, steps: Sequence[Step]) -> None:
    # It imports pandas if that is installed: no everyday command should pay for that.
    from sqlite_utils import Database, Migrations

    rows = Migrations(SET_NAME)
    for step in steps:
        rows(name=step.name)(step.change)
    # Its own transactions nest as savepoints in ours.
    with session.explained():
        rows.apply(Database(session.connection))


def record(session: Session, now: datetime, names: Sequence[str] = NAMES) -> None:
    """Record in a new store, in the form sqlite-utils reads, that all steps are done."""
    session.run(
        'CREATE TABLE "_sqlite_migrations" (\n   "id" INTEGER PRIMARY KEY,\n   "migration_set" TEXT,\n'
        '   "name" TEXT,\n   "applied_at" TEXT\n)'
    )
    session.run(
        'CREATE UNIQUE INDEX "idx__sqlite_migrations_migration_set_name"\n'
        '    ON "_sqlite_migrations" ("migration_set", "name")'
    )
    session.run_many(
        "insert into _sqlite_migrations (migration_set, name, applied_at) values (?, ?, ?)",
        [(SET_NAME, name, str(now)) for name in names],
    )
